"""What the Adaptation page asks for: the plan, runs, and their tables."""
