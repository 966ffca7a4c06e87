"""The room of the Mark-up page: pages read, their brackets, tables and trees."""
