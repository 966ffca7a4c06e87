"""Lines that would have prevented the errors of a model: against the text's own trees, or those corrected by hand."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.constraints import ConstraintDocument
from core.constraints.preview import ArcModel, ScoredArcs
from core.constraints.proposals import Proposal, propose
from core.constraints.ranking import rank
from core.treebank import Treebank
from core.trees.packed import PackedScores
from core.workspace.annotations import Annotations
from core.workspace.constraints.known_trees import laid_out
from core.workspace.constraints.text import Text, TextOutcome
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

DONE = "done"  # the status of a sentence that was corrected to the end
MOST = 12  # lines proposed
LOOKED_AT = 100  # sentences whose trees say which line is best; more take seconds


@dataclass(frozen=True, eq=False)
class Known:
    """The trees that a model is compared with.

    Attributes
    ----------
    text : Text
    heads : ndarray of shape (rows,), dtype int32
        Laid out like the Text's treebank; -1 where unknown.
    sentences : int
        With a known head.
    by_hand : bool
        Whether they were corrected on the Annotate page, and are not the text's own.
    """

    text: Text
    heads: np.ndarray
    sentences: int
    by_hand: bool

    @cached_property
    def treebank(self) -> Treebank:
        """The Text's sentences under these trees."""
        return self.text.treebank.with_heads(self.heads) if self.by_hand else self.text.treebank

    @cached_property
    def key(self) -> str:
        """Names them by their content."""
        return hashlib.sha256(self.heads.tobytes()).hexdigest()

    @property
    def source(self) -> str:
        """Where they are from, in words."""
        return f"in {amount(self.sentences, 'corrected sentence')}" if self.by_hand else "in the text’s own trees"


def known_heads(workspace: Workspace, text: Text) -> Known | None:
    """What is Known of a Text: its own trees, else the sentences that were corrected by hand and marked done, or None.

    O(words).
    """
    own = text.treebank.heads
    if (own >= 0).any():
        return Known(text, own, _with_heads(text.treebank, own), False)
    annotations = Annotations(workspace, text.corpus)
    done = sorted(index for index, state in annotations.states().items() if state.status == DONE)
    if not done:
        return None
    corrected = annotations.source.select(np.array(done))
    corrected = corrected.with_heads(np.concatenate([annotations.get(index)[0].heads for index in done]))
    heads = laid_out(text, [corrected])
    count = _with_heads(text.treebank, heads)
    return Known(text, heads, count, True) if count else None


def _with_heads(treebank, heads):
    return int(np.logical_or.reduceat(heads >= 0, treebank.offsets[:-1]).sum())


def proposals(known: Known, source: str, outcome: TextOutcome, model: Callable[[], ArcModel]) -> list[Proposal]:
    """Lines that would have prevented errors of an Outcome, beside those of the set ``source``.

    In the order of what the trees of ``model()`` gain by the first of them, on ``LOOKED_AT`` sentences at most.
    """
    text = known.text
    lines = ConstraintDocument.from_text(source).constraints
    found = propose(text.matcher, known.heads, outcome.heads, outcome.marginals, lines, MOST)
    return rank(found, model(), text.matcher, _some_heads(known)) if found else found


def _some_heads(known):
    """The known heads, of sentences spread over the text where there are many."""
    offsets = known.treebank.offsets
    sentences = np.flatnonzero(np.logical_or.reduceat(known.heads >= 0, offsets[:-1]))
    if len(sentences) <= LOOKED_AT:
        return known.heads
    chosen = np.zeros(len(known.treebank), dtype=bool)
    chosen[sentences[np.linspace(0, len(sentences) - 1, LOOKED_AT).astype(np.int64)]] = True
    return np.where(np.repeat(chosen, np.diff(offsets)), known.heads, -1)


def proposal_table(found: list[Proposal]) -> dict[str, list]:
    """Columns of a table over Proposals: the line, of how many it speaks, shares, errors, gain; ``changes``, which
    line it takes the place of, only where one does."""
    changes = ["" if each.line is None else f"line {each.line.line}" for each in found]
    return {
        "line": [each.constraint.text for each in found],
        **({"changes": changes} if any(changes) else {}),
        "of": [each.coverage.denominator for each in found],
        "model": [each.expectation for each in found],
        "known": [each.share for each in found],
        "errors": [len(each.rows) for each in found],
        "gain": [each.net for each in found],
    }


def untrained_arcs(text: Text) -> ArcModel:
    """The ArcModel of a model that knows nothing."""
    scores = PackedScores.empty(text.treebank.lengths)
    scores.values[:] = 0.0
    return ScoredArcs(text.settings.distribution, scores)
