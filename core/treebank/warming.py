"""The kernels that read and check a text, run once."""

from core.compilation.warm import WORDS
from core.treebank.conllu import conllu_text, read_conllu
from core.treebank.statistics import statistics
from core.treebank.treebank import Treebank

MODULES = tuple(f"core.treebank.{name}" for name in ("punctuation", "retag", "scan", "statistics", "unpunctuated"))


def warm_reading() -> None:
    """Run the kernels that read and check a CoNLL-U file once."""
    treebank = read_conllu(conllu_text(Treebank.from_sentences([WORDS, WORDS]).to_conllu()).encode())
    statistics(treebank.without_punctuation())
