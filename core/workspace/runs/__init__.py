"""What the Runs page asks for: the list of runs, running again, methods paragraphs."""
