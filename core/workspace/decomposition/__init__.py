"""The room of the Decomposition page: a run played back from its trace."""
