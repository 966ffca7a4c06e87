"""Mark-up as a source of brackets: what links, bold, italics and underlines say about syntax (spitkovsky2010)."""

from core.markup.agreement import AgreementRow, BracketAgreement, agreement, wilson
from core.markup.align import BracketAlignment, align, sample_markup
from core.markup.blocks import Block, read_blocks
from core.markup.comments import format_brackets, read_brackets, treebank_brackets
from core.markup.extract import Extraction, extract_sentences
from core.markup.marked import marked_sentences, source_of, tag_names, with_brackets
from core.markup.punctuation import punctuation_brackets
from core.markup.sources import Limits
from core.markup.statistics import MarkupStatistics, markup_statistics
from core.trees.brackets import Bracket, offending_arcs, satisfies

__all__ = [
    "AgreementRow",
    "Block",
    "Bracket",
    "BracketAgreement",
    "BracketAlignment",
    "Extraction",
    "Limits",
    "MarkupStatistics",
    "agreement",
    "align",
    "extract_sentences",
    "format_brackets",
    "marked_sentences",
    "markup_statistics",
    "offending_arcs",
    "punctuation_brackets",
    "read_blocks",
    "read_brackets",
    "sample_markup",
    "satisfies",
    "source_of",
    "tag_names",
    "treebank_brackets",
    "wilson",
    "with_brackets",
]
