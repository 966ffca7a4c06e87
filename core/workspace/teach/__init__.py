"""What the Teach page asks for: sentences, traces and lessons."""
