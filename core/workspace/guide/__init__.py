"""The text of the guide, and search in it."""
