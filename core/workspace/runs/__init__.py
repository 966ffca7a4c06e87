"""The room of the Runs page: the list of runs, running again, methods paragraphs."""
