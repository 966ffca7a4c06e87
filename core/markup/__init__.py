"""Mark-up as a source of brackets: what links, bold, italics and underlines say about syntax (spitkovsky2010)."""

from core.markup.comments import format_brackets, read_brackets, treebank_brackets
from core.trees.brackets import Bracket, offending_arcs, satisfies

__all__ = ["Bracket", "format_brackets", "offending_arcs", "read_brackets", "satisfies", "treebank_brackets"]
