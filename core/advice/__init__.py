"""What would help a parser most: more trees, one more line, more text or another treebank, measured on known trees."""

from core.advice.conditioning import steering_advice
from core.advice.estimating import GainEstimates, estimate
from core.advice.measure import MeasuredGain, measured_gain
from core.advice.tags import tags_advice
from core.advice.training_state import TrainingState, next_line, sentences_to_correct, trained
from core.advice.work import ANSWER, KIN, LINE, TAGS, TEXT, TREEBANK, TREES, Advice, Costs, OtherText, TurnedArcs

__all__ = [
    "ANSWER", "KIN", "LINE", "TAGS", "TEXT", "TREEBANK", "TREES", "Advice", "Costs", "GainEstimates", "MeasuredGain",
    "OtherText", "TrainingState", "TurnedArcs", "estimate", "measured_gain", "next_line", "sentences_to_correct",
    "steering_advice", "tags_advice", "trained",
]  # fmt: skip
