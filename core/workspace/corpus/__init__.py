"""The room of the Corpus page: browsing, search, rewriting, tagging."""
