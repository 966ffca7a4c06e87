"""The Papers page: what of each paper stands on which page, and its experiments run as jobs."""
