"""Induction: a grammar learnt from tags and mark-up, what can be chosen about it, and the grid of starts and levels."""
