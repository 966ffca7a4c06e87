"""Evaluation: scores of parsers against gold trees, and tables of their errors."""

from core.evaluation.by_relation import RelationWords, relation_words
from core.evaluation.comparison import Comparison, Confusion, Group, SystemPair, compare
from core.evaluation.confusions import ConfusedWords, ranked_confusions
from core.evaluation.errors import ErrorTables, error_tables
from core.evaluation.estimates import AccuracyEstimate, estimate
from core.evaluation.learning_curves import AccuracyCurve, Extrapolation, Interval, NotKnown, fit_curve
from core.evaluation.paired_tests import PairedTest, paired_tests
from core.evaluation.scores import AttachmentScores, attachment_scores
from core.evaluation.shared_tasks import F1, conll2006_scores, conll2018_scores
from core.evaluation.significance import (
    Bootstrap,
    SignTest,
    bootstrap_over,
    error_reduction,
    holm,
    paired_bootstrap,
    sign_test,
    sign_test_over,
)

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
    "PairedTest",
    "RelationWords",
    "SignTest",
    "SystemPair",
    "attachment_scores",
    "bootstrap_over",
    "compare",
    "conll2006_scores",
    "conll2018_scores",
    "error_reduction",
    "error_tables",
    "estimate",
    "fit_curve",
    "holm",
    "paired_bootstrap",
    "paired_tests",
    "ranked_confusions",
    "relation_words",
    "sign_test",
    "sign_test_over",
]
