"""Judgement: scores of parsers against gold trees, and tables of their errors."""

from core.evaluation.errors import ErrorTables, error_tables
from core.evaluation.scores import AttachmentScores, attachment_scores
from core.evaluation.significance import Bootstrap, SignTest, error_reduction, paired_bootstrap, sign_test

__all__ = [
    "AttachmentScores",
    "Bootstrap",
    "ErrorTables",
    "SignTest",
    "attachment_scores",
    "error_reduction",
    "error_tables",
    "paired_bootstrap",
    "sign_test",
]
