"""The room of the Joint page: its plan, its runs, and their views."""
