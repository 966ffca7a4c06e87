"""The places behind a count: every word or pair of words that a constraint speaks of, and what becomes of it."""

from dataclasses import dataclass

import numpy as np

from core.constraints import Constraint
from core.constraints.language import EITHER_HEAD
from core.workspace.constraints.text import Text, TextOutcome
from core.workspace.wording import marked_words

KINDS = {"all": "All", "edges": "Arcs of the text’s own trees", "others": "Not arcs"}


@dataclass(frozen=True, eq=False)
class Occurrences:
    """K places, in the order of the text: pairs, modifiers or heads, as the constraint's target is a share of.

    Attributes
    ----------
    sentences : ndarray of shape (K,), dtype int64
    starts : ndarray of shape (K + 1,), dtype int64
        Place k owns the candidate pairs ``starts[k]:starts[k + 1]`` of the arrays below.
    arcs, heads, modifiers : ndarrays, dtype int64
        Of candidate pairs: position in the packed layout, and words of the sentence.
    edges : ndarray of shape (K,), dtype bool
        Whether a candidate is an edge of the text's own trees.
    known : bool
        Whether the text has any such trees.
    """

    sentences: np.ndarray
    starts: np.ndarray
    arcs: np.ndarray
    heads: np.ndarray
    modifiers: np.ndarray
    edges: np.ndarray
    known: bool

    def __len__(self):
        return len(self.sentences)

    def of_kind(self, kind: str) -> np.ndarray:
        """int64 (k,): which places are of a kind of KINDS."""
        if kind == "all":
            return np.arange(len(self))
        return np.flatnonzero(self.edges if kind == "edges" else ~self.edges)


def occurrences(text: Text, constraint: Constraint) -> Occurrences:
    """The Occurrences of a Constraint in a Text; as many as its denominator says. O(candidates)."""
    matches, treebank = text.matcher.match([constraint]), text.treebank
    arcs = matches.of(0)
    sentence = np.searchsorted(matches.arc_offsets, arcs, side="right") - 1
    head, modifier = np.divmod(arcs - matches.arc_offsets[sentence], treebank.lengths[sentence] + 1)
    rows = treebank.offsets[sentence]
    pair = arcs
    if constraint.arrow == EITHER_HEAD:  # two candidates are one place
        pair = np.minimum(head, modifier) + (rows + np.maximum(head, modifier)) * (treebank.lengths.max(initial=0) + 1)
    owner = {"pair": pair, "modifier": rows + modifier, "head": rows + head}[constraint.per]
    order = np.argsort(owner, kind="stable")
    _, starts = np.unique(owner[order], return_index=True)
    edges = (treebank.heads[rows + modifier] == head)[order]
    return Occurrences(
        sentence[order][starts],
        np.append(starts, len(arcs)),
        arcs[order],
        head[order],
        modifier[order],
        np.logical_or.reduceat(edges, starts) if len(starts) else edges,
        bool((treebank.heads >= 0).any()),
    )


def shown_place(
    text: Text, found: Occurrences, place: int, outcome: TextOutcome | None = None
) -> tuple[str, float | None]:
    """(Markdown of the sentence with its words marked, the model's probability or None) of one place.

    The probability is that of any of its candidates being an edge, but with ``per head`` the expected number of them.
    """
    part = slice(found.starts[place], found.starts[place + 1])
    sentence = text.treebank[int(found.sentences[place])]
    marked = marked_words(sentence, set(found.heads[part].tolist()), set(found.modifiers[part].tolist()))
    return marked, None if outcome is None else float(outcome.marginals.values[found.arcs[part]].sum())
