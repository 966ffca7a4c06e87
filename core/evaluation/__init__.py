"""Judgement: scores of parsers against gold trees, and tables of their errors."""

from core.evaluation.errors import ErrorTables, error_tables
from core.evaluation.scores import AttachmentScores, attachment_scores

__all__ = ["AttachmentScores", "ErrorTables", "attachment_scores", "error_tables"]
