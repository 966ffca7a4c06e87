"""Files: written whole or not at all, unpacked within limits, tables, and those that come along."""
