"""Transition-based parsing, move by move: systems, oracles and a greedy parser for the class."""
