"""What the Annotate page asks for: layers of trees, their order, versions, and proposals."""
