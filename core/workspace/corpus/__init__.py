"""What the Corpus page asks for: browsing, search, rewriting, tagging."""
