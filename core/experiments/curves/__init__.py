"""Learning curves of any learner on any text: by trees, by words of text, by lines."""

from core.experiments.curves.learners import LEARNERS, UNITS, CurveLearner, Portion, learner_named
from core.experiments.curves.material import Material, default_sizes, prepare
from core.experiments.curves.measuring import CurvePoint, MeasuredCurve, checked_sizes, curve_of, measure, trainings

__all__ = [
    "LEARNERS", "UNITS", "CurveLearner", "CurvePoint", "Material", "MeasuredCurve", "Portion", "checked_sizes",
    "curve_of", "default_sizes", "learner_named", "measure", "prepare", "trainings",
]  # fmt: skip
