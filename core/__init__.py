"""The workbench's computation: treebanks, trees, parsers, constraints, the store. Imports no Streamlit."""
