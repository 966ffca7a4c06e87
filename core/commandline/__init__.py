"""The commands of ``python -m core``: each module adds its own to the parser and returns a Report."""
