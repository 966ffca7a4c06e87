"""Annotating trees by hand: changes, what is wrong with a tree, agreement, accuracy from a small sample."""

from core.annotation.apply import annotated, with_tags
from core.annotation.edits import COLUMNS, TAGS, Annotation, adopt, attach, change, detach

__all__ = ["COLUMNS", "TAGS", "Annotation", "adopt", "annotated", "attach", "change", "detach", "with_tags"]
