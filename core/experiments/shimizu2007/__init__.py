"""Shimizu & Nakagawa (2007), "Structural Correspondence Learning for Dependency Parsing": Table 3 (``table3``)."""
