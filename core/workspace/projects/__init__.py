"""What the Projects page asks for."""
