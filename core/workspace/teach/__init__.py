"""The room of the Teach page: sentences, traces and lessons."""
