"""A tree CRF trained from generalized-expectation constraints (druck2009)."""
