"""Treebanks: flat arrays over sentences, read from and written to the usual formats."""

from core.treebank.conllu import conllu_text, read_conll2008, read_conll2009, read_conllu, read_conllx, write_conllu
from core.treebank.detection import detect_format, guess_format
from core.treebank.formats import FORMATS, read_treebank
from core.treebank.penn import read_mrg
from core.treebank.plain import read_lines, read_text
from core.treebank.sample import load_sample
from core.treebank.statistics import Statistics, statistics
from core.treebank.tagged import read_tagged
from core.treebank.treebank import Column, Sentence, Treebank
from core.treebank.writing import WRITERS, write_treebank

__all__ = [
    "FORMATS",
    "WRITERS",
    "Column",
    "Sentence",
    "Statistics",
    "Treebank",
    "conllu_text",
    "detect_format",
    "guess_format",
    "load_sample",
    "read_conll2008",
    "read_conll2009",
    "read_conllu",
    "read_conllx",
    "read_lines",
    "read_mrg",
    "read_tagged",
    "read_text",
    "read_treebank",
    "statistics",
    "write_conllu",
    "write_treebank",
]
