"""The dependency model with valence: grammar induction from tags, with or without brackets."""
