"""What a server needs: names it answers to, who signs in, who waits, its log and its failures."""
