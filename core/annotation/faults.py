"""A fault that a validation rule reports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """An error at ``word`` (1..n; 0 is the sentence); ``kind`` is a name for similar faults.

    ``message`` describes it and the remedy. ``grave`` faults are those of the tree itself, others those of the scheme.
    ``test`` is the name of the rule in UD's validator; "" for rules that UD does not have. A ``note`` is no error: it
    says where a rule is broken that is no law.
    """

    word: int
    kind: str
    message: str
    grave: bool = False
    test: str = ""
    note: bool = False
