"""How constraints are written: what one says, how it is read, which differ between two sets."""
