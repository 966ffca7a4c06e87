"""What the Compare page asks for: parses of one text, their scores and tables."""
