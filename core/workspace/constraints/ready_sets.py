"""Sets of constraints that a text can begin with: those of druck2009, and an oracle's, counted in trees.

And the paper's baseline: the trees that a set gives alone, without any training.
"""

from core.constraints import (
    ConstraintDocument,
    format_constraints,
    match_counts,
    oracle_constraints,
    sequence_constraints,
)
from core.constraints.ge.baselines import constraint_baseline
from core.evaluation import attachment_scores
from core.files.assets import ASSETS
from core.treebank import Treebank

COUNTED = "counted"
READY = {
    "druck2009-table1": "Druck et al. 2009, Table 1: 20, Penn tags",
    "human-14": "14 written without a treebank, Penn tags",
    "human-20": "20 written without a treebank, Penn tags",
    COUNTED: "Counted in this text’s trees, as the paper’s oracle does",
}
FREQUENT = 15  # candidates of a constraint at least, as ``ge oracle`` has it


def ready_set(name: str) -> tuple[str, bytes]:
    """(name, content) of a file of constraints that comes along; ``name`` is one of ``READY``, but ``COUNTED``."""
    return f"{name}.txt", (ASSETS / "constraints" / f"{name}.txt").read_bytes()


def counted_set(treebank: Treebank, tags: str, count: int, sequences: int) -> tuple[str, bytes]:
    """(name, content) of a file of the constraints whose edges are surest in a text's own trees (druck2009, 4.1, 6).

    Parameters
    ----------
    treebank : Treebank
        With heads.
    tags : "upos" or "xpos"
    count : int
        How many on head, modifier and direction.
    sequences : int
        How many more on tags between or around the two words, where they alone say little.

    Raises WorkbenchError for sentences without heads.
    """
    constraints = oracle_constraints(treebank, count, FREQUENT, tags=tags)
    if sequences:
        constraints += sequence_constraints(treebank, sequences, tags=tags)
    return f"{len(constraints)} counted.txt", format_constraints(constraints).encode()


def baseline_score(treebank: Treebank, source: str, tags: str) -> tuple[int, int] | None:
    """(right heads, words) of the trees in which an arc scores the sum of its constraints' targets; no punctuation.

    None where no word has a head to compare with, or no constraint of the set ``source`` matches anything.
    """
    constraints = ConstraintDocument.from_text(source).constraints
    counts = match_counts(constraints, treebank, tags=tags)
    matching = [each for each, count in zip(constraints, counts, strict=True) if count.denominator]
    if not matching or not (treebank.heads >= 0).any():
        return None
    scores = attachment_scores(treebank, constraint_baseline(treebank, matching, tags=tags), punctuation=False)
    return scores.heads, scores.words
