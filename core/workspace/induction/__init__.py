"""What the Induction page asks for: runs, and the grid of starts and levels."""
