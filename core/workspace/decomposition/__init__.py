"""What the Decomposition page asks for: a run played back from its trace."""
