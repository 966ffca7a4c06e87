"""Advice on what helps a parser most: more trees, a constraint, more text or another treebank, by measured gains."""

from core.advice.conditioning import conditioning_advice
from core.advice.estimating import GainEstimates, estimate
from core.advice.expecting import expected_advice
from core.advice.measure import MeasuredGain, measured_gain
from core.advice.tags import tags_advice
from core.advice.training_state import TrainingState, next_line, sentences_to_correct, trained
from core.advice.work import (
    ANSWER,
    KIN,
    LINE,
    QUESTIONS,
    TAGS,
    TEXT,
    TREEBANK,
    TREES,
    Advice,
    Costs,
    OtherText,
    TurnedArcs,
)

__all__ = [
    "ANSWER", "KIN", "LINE", "QUESTIONS", "TAGS", "TEXT", "TREEBANK", "TREES", "Advice", "Costs", "GainEstimates",
    "MeasuredGain", "OtherText", "TrainingState", "TurnedArcs", "conditioning_advice", "estimate", "expected_advice",
    "measured_gain", "next_line", "sentences_to_correct", "tags_advice", "trained",
]  # fmt: skip
