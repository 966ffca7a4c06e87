"""What the Constraints page asks for: the set as a document, training, what it changed, what each line is worth."""
