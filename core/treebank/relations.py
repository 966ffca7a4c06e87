"""What the name of a relation means: its universal part, and which subtypes it stands for."""

from collections.abc import Sequence

OUTER = "outer"  # the subtype of a subject of an outer clause, which is not meant by the relation alone


def base(relation: str) -> str:
    """The universal part of a relation: ``nsubj`` of ``nsubj:pass``."""
    return relation.partition(":")[0]


def means(names: Sequence[str], relation: str) -> bool:
    """Whether a relation is one of those named: itself, or a subtype save ``:outer``."""
    universal, _, subtype = relation.partition(":")
    return relation in names or (universal in names and subtype != OUTER)
