"""Brackets over a sentence, and the four levels at which a tree may respect them (spitkovsky2010, section 5.3).

Words count from 1 and the root 0 lies outside every bracket, to its left. An in-arc leads from outside a bracket to a
word inside, an out-arc from inside to outside. From the hardest level to the softest:

- ``strict``: one in-arc, no out-arc;
- ``loose``: one in-arc, out-arcs only from its target, the bracket's head;
- ``sprawl``: one in-arc;
- ``tear``: all in-arcs from the same side.

Each implies the next. How to sum and search over the trees that satisfy brackets: ``core.trees.bracket_charts``.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.compilation.kernels import kernel
from core.errors import WorkbenchError
from core.offsets import offsets_of, selected_rows
from core.trees.packed import PackedHeads

LEVELS = ("none", "tear", "sprawl", "loose", "strict")  # numbered as the paper's setting CONSTR
NONE, TEAR, SPRAWL, LOOSE, STRICT = range(5)


@dataclass(frozen=True)
class Bracket:
    """Words ``start`` to ``end - 1`` of a sentence, counted from 1, and the tag that marks them.

    Raises WorkbenchError for a bracket that holds no word or begins before word 1.
    """

    start: int
    end: int
    tag: str | None = None

    def __post_init__(self):
        if not 1 <= self.start < self.end:
            raise WorkbenchError(
                f"a bracket needs 1 <= start < end, got {self.start} and {self.end}; end is the word after its last"
            )

    def __len__(self):
        return self.end - self.start


@dataclass(frozen=True, eq=False)
class PackedBrackets:
    """The brackets of S sentences back to back.

    Attributes
    ----------
    starts, ends : ndarray of shape (K,), dtype int32
        As in ``Bracket``: words ``starts[k]`` to ``ends[k] - 1``.
    offsets : ndarray of shape (S + 1,), dtype int64
        Sentence i has the brackets ``offsets[i]`` to ``offsets[i + 1] - 1``.

    ``len(packed)`` is S.
    """

    starts: np.ndarray
    ends: np.ndarray
    offsets: np.ndarray

    @classmethod
    def from_lists(cls, brackets: Sequence[Collection[Bracket]]) -> "PackedBrackets":
        """Pack a list, one entry a sentence, of lists of Bracket."""
        offsets = offsets_of([len(spans) for spans in brackets])
        flat = [bracket for spans in brackets for bracket in spans]
        starts = np.array([bracket.start for bracket in flat], np.int32)
        return cls(starts, np.array([bracket.end for bracket in flat], np.int32), offsets)

    def __len__(self):
        return len(self.offsets) - 1

    def of_sentence(self, sentence: int) -> list[Bracket]:
        """The brackets of a sentence, without tags."""
        rows = slice(self.offsets[sentence], self.offsets[sentence + 1])
        return [Bracket(*span) for span in zip(self.starts[rows].tolist(), self.ends[rows].tolist(), strict=True)]

    def lists(self) -> list[list[Bracket]]:
        """The brackets of each sentence, without tags."""
        return [self.of_sentence(sentence) for sentence in range(len(self))]

    def select(self, sentences: np.ndarray) -> "PackedBrackets":
        """The brackets of these sentences (int indices), in this order."""
        rows, offsets = selected_rows(self.offsets, sentences)
        return PackedBrackets(self.starts[rows], self.ends[rows], offsets)


def satisfies(heads: np.ndarray, bracket: Bracket, level: str) -> bool:
    """Whether a tree respects a bracket at a level.

    Parameters
    ----------
    heads : int array-like of shape (n + 1,)
        ``heads[m]`` is the head of word m, 0 the root; entry 0 is not looked at.
    bracket : Bracket
    level : {"none", "tear", "sprawl", "loose", "strict"}
        Every tree satisfies "none".

    Raises
    ------
    WorkbenchError : another level, a bracket that ends after the sentence, a word without a head.
    """
    return not offending_arcs(heads, bracket, level)


def offending_arcs(heads: np.ndarray, bracket: Bracket, level: str) -> list[tuple[int, int]]:
    """The arcs of a tree that break a level: list of (head, modifier), in order of modifiers; empty if none does.

    Which arcs are to blame depends on which target of an in-arc is taken for the bracket's head (for tear: from which
    side in-arcs should come). The choice with the fewest arcs is taken, the leftmost of equals. Parameters and errors
    are those of ``satisfies``. O(n * in-arcs).
    """
    number = level_number(level)
    arcs = _crossing(heads, bracket)
    into = [(head, modifier) for head, modifier in arcs if bracket.start <= modifier < bracket.end]
    if number == NONE:
        return []
    if number == TEAR:
        ways = [[arc for arc in into if arc[0] >= bracket.end], [arc for arc in into if arc[0] < bracket.start]]
    elif number == SPRAWL:
        ways = [[arc for arc in into if arc != chosen] for chosen in into]
    elif number == LOOSE:
        ways = [[arc for arc in arcs if arc != chosen and arc[0] != chosen[1]] for chosen in into]
    else:
        ways = [[arc for arc in arcs if arc != chosen] for chosen in into]
    return min(ways, key=len)


def level_number(level: str) -> int:
    """0 for "none" to 4 for "strict", as the paper numbers its setting CONSTR. WorkbenchError for another name."""
    if level not in LEVELS:
        raise WorkbenchError(f"there is no level {level!r}; choose one of {', '.join(LEVELS)}")
    return LEVELS.index(level)


def level_counts(levels: np.ndarray, brackets: PackedBrackets) -> np.ndarray:
    """int64 (5,): how many sentences with brackets hold them at each level; ``levels`` int8 (S,)."""
    return np.bincount(levels[np.diff(brackets.offsets) > 0], minlength=len(LEVELS))


def fallbacks(counts: np.ndarray, level: int) -> dict[str, int]:
    """``level_counts`` by the names of levels, from the one asked for down."""
    return {LEVELS[number]: int(counts[number]) for number in range(level, -1, -1)}


def hardest_levels(heads: PackedHeads, brackets: PackedBrackets) -> np.ndarray:
    """The hardest level at which each bracket of a corpus is respected; it satisfies all softer ones too.

    Parameters
    ----------
    heads : PackedHeads
        One tree a sentence, every word with a head; ``PackedHeads(treebank.heads, treebank.offsets)``.
    brackets : PackedBrackets
        Of the same sentences.

    Returns
    -------
    ndarray of shape (K,), dtype int8
        Position in ``LEVELS``; 0 where even tear fails.

    Raises
    ------
    WorkbenchError : another number of sentences, a bracket that ends after its sentence, a word without a head.

    Notes
    -----
    O(total length of sentences with brackets, once per bracket); compiled.
    """
    if len(heads) != len(brackets):
        raise WorkbenchError(f"{len(heads)} trees need brackets for as many sentences, got {len(brackets)}")
    levels = np.zeros(len(brackets.starts), np.int8)
    wrong = _hardest_levels(heads.values, heads.offsets, brackets.starts, brackets.ends, brackets.offsets, levels)
    if wrong >= 0:
        sentence = int(np.searchsorted(brackets.offsets, wrong, side="right")) - 1
        try:
            _crossing(heads[sentence], Bracket(int(brackets.starts[wrong]), int(brackets.ends[wrong])))
        except WorkbenchError as error:
            raise WorkbenchError(f"sentence {sentence}: {error}") from error
    return levels


def _crossing(heads, bracket):
    """The arcs between a bracket and the words outside, after a look at both."""
    n = len(heads) - 1
    if bracket.end > n + 1:
        raise WorkbenchError(f"the bracket {bracket.start}-{bracket.end - 1} ends after the last word, {n}")
    arcs = [(int(heads[modifier]), modifier) for modifier in range(1, n + 1)]
    for head, modifier in arcs:
        if not 0 <= head <= n:
            raise WorkbenchError(f"word {modifier} has the head {head}; brackets are judged on whole trees only")
    inside = range(bracket.start, bracket.end)
    return [(head, modifier) for head, modifier in arcs if (head in inside) != (modifier in inside)]


@kernel
def _hardest_levels(heads, offsets, starts, ends, bracket_offsets, found):
    """Fill ``found``; the first bracket that cannot be judged, or -1."""
    for sentence in range(len(offsets) - 1):
        tree = heads[offsets[sentence] : offsets[sentence + 1]]
        for k in range(bracket_offsets[sentence], bracket_offsets[sentence + 1]):
            start, end = starts[k], ends[k]
            if end > len(tree) or start < 1 or start >= end:
                return k
            from_left, from_right, top = 0, 0, 0
            for m in range(1, len(tree)):
                if tree[m] < 0 or tree[m] >= len(tree):
                    return k
                if start <= m < end and tree[m] < start:
                    from_left, top = from_left + 1, m
                elif start <= m < end and tree[m] >= end:
                    from_right, top = from_right + 1, m
            found[k] = 0
            if from_left + from_right == 1:
                out_of_top, out_of_others = 0, 0
                for m in range(1, len(tree)):
                    if (m < start or m >= end) and start <= tree[m] < end:
                        out_of_top += tree[m] == top
                        out_of_others += tree[m] != top
                found[k] = 2 if out_of_others else 3 if out_of_top else 4
            elif from_left == 0 or from_right == 0:
                found[k] = 1
    return -1
