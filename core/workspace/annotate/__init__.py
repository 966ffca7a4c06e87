"""The room of the Annotate page: layers of trees, their order, versions, and proposals."""
