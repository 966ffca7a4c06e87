"""Learning curves of any learner on any text: by trees, by words of text, by lines."""

from core.experiments.curves.learners import LEARNERS, UNITS, Learner, Portion, learner_named
from core.experiments.curves.material import Material, default_sizes, prepare
from core.experiments.curves.measuring import Measured, Point, measure

__all__ = [
    "LEARNERS",
    "UNITS",
    "Learner",
    "Material",
    "Measured",
    "Point",
    "Portion",
    "default_sizes",
    "learner_named",
    "measure",
    "prepare",
]
