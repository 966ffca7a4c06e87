"""What the Joint page asks for: the plan, runs, and their views."""
