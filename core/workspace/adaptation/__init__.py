"""The room of the Adaptation page: its plan, its runs, and their tables."""
