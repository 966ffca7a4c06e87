"""Algorithms of parsing, step by step: traces read off what the production code left behind, lessons, slides."""
