"""Annotation of trees by hand: changes, validation, agreement, accuracy from a small sample."""

from core.annotation.apply import annotated, with_tags
from core.annotation.edits import COLUMNS, ENTRIES, TAGS, SentenceAnnotation, adopt, attach, change, detach

__all__ = [
    "COLUMNS", "ENTRIES", "TAGS", "SentenceAnnotation", "adopt", "annotated", "attach", "change", "detach", "with_tags",
]  # fmt: skip
