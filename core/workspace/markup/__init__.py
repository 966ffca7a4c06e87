"""What the Mark-up page asks for: pages read, their brackets, tables and trees."""
