"""What would help a parser most: more trees, one more line, more text or another treebank, measured on known trees."""

from core.advice.estimating import Estimate, estimate
from core.advice.measure import Measured, came_true
from core.advice.situation import Situation, next_line, sentences_to_correct, trained
from core.advice.work import LINE, TEXT, TREEBANK, TREES, Advice, Costs, Source

__all__ = [
    "LINE", "TEXT", "TREEBANK", "TREES", "Advice", "Costs", "Estimate", "Measured", "Situation", "Source", "came_true",
    "estimate", "next_line", "sentences_to_correct", "trained",
]  # fmt: skip
