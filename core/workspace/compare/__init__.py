"""The room of the Compare page: parses of one text, their scores and tables."""
