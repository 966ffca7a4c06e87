"""Which arcs of a text constraints speak of, and whether trees can meet them all."""
