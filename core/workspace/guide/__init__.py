"""The guide's room."""
