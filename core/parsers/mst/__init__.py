"""Graph-based parsers of first and second order with hashed features, trained online."""
