"""Evaluation: scores of parsers against gold trees, and tables of their errors."""

from core.evaluation.comparison import Comparison, Confusion, Group, SystemPair, compare
from core.evaluation.confusions import ConfusedWords, ranked_confusions
from core.evaluation.errors import ErrorTables, error_tables
from core.evaluation.estimates import AccuracyEstimate, estimate
from core.evaluation.learning_curves import AccuracyCurve, Extrapolation, Interval, NotKnown, fit_curve
from core.evaluation.scores import AttachmentScores, attachment_scores
from core.evaluation.shared_tasks import F1, conll2006_scores, conll2018_scores
from core.evaluation.significance import Bootstrap, SignTest, error_reduction, paired_bootstrap, sign_test

__all__ = [
    "F1",
    "AccuracyCurve",
    "AccuracyEstimate",
    "AttachmentScores",
    "Bootstrap",
    "Comparison",
    "ConfusedWords",
    "Confusion",
    "ErrorTables",
    "Extrapolation",
    "Group",
    "Interval",
    "NotKnown",
    "SignTest",
    "SystemPair",
    "attachment_scores",
    "compare",
    "conll2006_scores",
    "conll2018_scores",
    "error_reduction",
    "error_tables",
    "estimate",
    "fit_curve",
    "paired_bootstrap",
    "ranked_confusions",
    "sign_test",
]
