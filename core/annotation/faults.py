"""What a rule has found: a fault at a word, and the official validator's name for it where it has the same rule."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """Something wrong at ``word`` (1..n; 0 is the sentence): ``kind`` groups faults alike.

    ``message`` says what and what to do. ``grave`` tells faults of the tree itself from those of the scheme.
    ``test`` is the name of the same rule in UD's validator; "" where UD has no such rule.
    """

    word: int
    kind: str
    message: str
    grave: bool = False
    test: str = ""
