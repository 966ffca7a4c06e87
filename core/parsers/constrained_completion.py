"""Trees that contain given arcs: the arcs that a person has drawn stay, and a parser adds the others.

A sentence is given in part if some of its words have a head and others have none. The result is the best tree with all
given arcs among those that the parser considers. A projective parser considers none where given arcs cross: then a
maximum spanning tree has as many arcs of the parser's own tree as can be.
"""

from typing import NamedTuple

import numpy as np

from core.errors import WorkbenchError
from core.offsets import all_of_each, any_of_each
from core.parsers.protocols import Completer, KBestCompleter, Labeller, Parser
from core.treebank import Column, Treebank
from core.treebank.scan import forest_faults
from core.trees import PackedScores, eisner, maximum_spanning_tree


class Completed(NamedTuple):
    """A parsed text.

    Attributes
    ----------
    treebank : Treebank
    partial : ndarray of shape (S,), dtype bool
        Sentences that were given in part, and are completed.
    """

    treebank: Treebank
    partial: np.ndarray


def given_in_part(treebank: Treebank) -> np.ndarray:
    """bool (S,): sentences of which some words have a head, and others none."""
    known = treebank.heads >= 0
    return any_of_each(known, treebank.offsets) & ~all_of_each(known | ~treebank.is_word, treebank.offsets)


def given_whole(treebank: Treebank) -> np.ndarray:
    """bool (S,): sentences all of whose words have a head."""
    return all_of_each((treebank.heads >= 0) | ~treebank.is_word, treebank.offsets)


def complete(parser: Parser, treebank: Treebank, *, keep_trees: bool = False) -> Completed:
    """Parse a text; in sentences that are given in part, given arcs and relations stay.

    Parameters
    ----------
    parser : Parser
        A ``Completer`` chooses among the trees that have the given arcs; of any other its own tree is kept as far as
        it goes. A ``Labeller`` gives the arcs around them their relations, where it draws other arcs than alone.
    treebank : Treebank
    keep_trees : bool, default=False
        Leave sentences alone all of whose words have a head. Otherwise they are parsed anew.

    Raises
    ------
    WorkbenchError : a sentence in which two words are given as its root.
    """
    partial = given_in_part(treebank)
    _require_one_root(treebank, partial)
    parsed = parser.parse(treebank)
    heads, relations = parsed.heads.copy(), parsed.deprel.strings()
    if partial.any():
        rows = np.flatnonzero(partial[treebank.sentence_rows])
        text, alone = treebank.select(partial), parsed.select(partial)
        completed = completed_heads(parser, text, alone)
        labels = _labels(parser, alone, completed)
        known = text.deprel.strings()
        labels = np.where(known != "", known, labels)
        heads[rows], relations[rows] = completed, labels
    if keep_trees:
        whole = given_whole(treebank)[treebank.sentence_rows]
        heads[whole], relations[whole] = treebank.heads[whole], treebank.deprel.strings()[whole]
    elif not partial.any():
        return Completed(parsed, partial)
    return Completed(parsed.with_heads(heads, relations.tolist()), partial)


def alternatives(parser: Parser, text: Treebank, first: Treebank, k: int) -> list[Treebank]:
    """At most ``k`` further parses of one sentence around its own arcs and relations, best first.

    Parameters
    ----------
    parser : Parser
        One that is no ``KBestCompleter`` has none.
    text : Treebank
        One sentence; heads that are not given are -1.
    first : Treebank
        The parse that is known, as of ``complete``: it is left out, and its relations stay where arcs do.
    k : int
    """
    if not isinstance(parser, KBestCompleter):
        return []
    known, relations = text.heads, text.deprel.strings()
    around = (np.where(known >= 0, known, tree).astype(np.int32) for tree in parser.completed_kbest(text, k + 1)[0][0])
    different = dict.fromkeys(tuple(heads.tolist()) for heads in around if _is_tree(heads))
    different.pop(tuple(first.heads.tolist()), None)
    trees = np.array(list(different)[:k], np.int32).reshape(-1, len(known))
    copies = first.select(np.zeros(len(trees), np.int64))
    labels = _labels(parser, copies, trees.ravel()).reshape(trees.shape) if len(trees) else trees
    labels = np.where(relations != "", relations, labels)
    return [first.with_heads(heads, names.tolist()) for heads, names in zip(trees, labels, strict=True)]


def completed_heads(parser: Parser, text: Treebank, alone: Treebank) -> np.ndarray:
    """int32 (rows,): heads of trees with a text's own arcs; ``alone`` is the text parsed without looking at them."""
    known, offsets = text.heads, text.offsets
    heads = parser.completed_heads(text) if isinstance(parser, Completer) else alone.heads.copy()
    for i in range(len(text)):
        sentence = slice(offsets[i], offsets[i + 1])
        heads[sentence] = held_tree(heads[sentence], known[sentence], alone.heads[sentence])
    return heads


def held_tree(heads: np.ndarray, known_heads: np.ndarray, alone: np.ndarray) -> np.ndarray:
    """int32 (n + 1,): the heads of a tree of one sentence, with the known ones, -1 where unknown.

    A parser may attach punctuation by a rule, so that this is no tree: then it is the ``nearest_tree`` to ``alone``.
    """
    heads = np.where(known_heads >= 0, known_heads, heads).astype(np.int32)
    return heads if _is_tree(heads) else nearest_tree(alone, known_heads)


def nearest_tree(heads: np.ndarray, known_heads: np.ndarray) -> np.ndarray:
    """int32 (n + 1,): of all trees with the known heads, -1 where unknown, the one with most arcs of ``heads``.

    A word whose arc cannot stay is attached to a near word. Crossing arcs are allowed. O(n^2).
    """
    words = np.arange(len(heads))
    scores = -1.0 - np.abs(words[:, None] - words) / len(heads)  # scores of the other arcs
    scores[0] = -2.0
    with_head = heads >= 0
    scores[heads[with_head], words[with_head]] = 0.0
    known = np.flatnonzero(known_heads >= 0)
    known_scores = scores[known_heads[known], known]
    scores[:, known] = -np.inf
    scores[known_heads[known], known] = known_scores
    return maximum_spanning_tree(scores)


def contradicting_arcs(heads: np.ndarray, sides: np.ndarray, arc_offsets: np.ndarray) -> np.ndarray:
    """bool (A,): arcs into a word whose head is known to be another one. O(A).

    ``heads`` int (rows,), -1 where unknown; ``sides`` n + 1 of each sentence; ``arc_offsets`` as scores are packed.
    """
    sentence = np.repeat(np.arange(len(sides)), sides)
    starts = np.cumsum(sides) - sides
    modifier = np.arange(len(heads)) - starts[sentence]
    forbidden = np.zeros(int(arc_offsets[-1]), dtype=bool)
    known = np.flatnonzero((heads >= 0) & (modifier > 0))
    side, base = sides[sentence[known]], arc_offsets[sentence[known]] + modifier[known]
    for head in range(int(sides.max(initial=0))):  # a row of arcs at a time
        within = head < side
        forbidden[(base + head * side)[within]] = True
    forbidden[base + heads[known].astype(np.int64) * side] = False
    return forbidden


def without_crossing(heads: np.ndarray, sides: np.ndarray, arc_offsets: np.ndarray) -> np.ndarray:
    """The heads, -1 in all sentences in which no projective tree has those that are known. O(sum of n^3)."""
    scores = np.where(contradicting_arcs(heads, sides, arc_offsets), -np.inf, 0.0)
    trees = eisner(PackedScores(scores, arc_offsets), errors="mark").values
    possible = np.logical_or.reduceat(trees >= 0, np.cumsum(sides) - sides)
    return np.where(np.repeat(possible, sides), heads, np.int32(-1))


def _is_tree(heads):
    """Whether the heads of a sentence, int32, are a whole tree with one root."""
    no_fault = forest_faults(np.array((0, len(heads))), heads)[0] < 0
    return no_fault and bool((heads[1:] >= 0).all()) and int((heads[1:] == 0).sum()) == 1


def _require_one_root(treebank, partial):
    for i in np.flatnonzero(partial):
        roots = np.flatnonzero(treebank.heads[treebank.offsets[i] : treebank.offsets[i + 1]] == 0)
        if len(roots) > 1:
            sentence = treebank[int(i)]
            named = " and ".join(f"{word} ({sentence.forms[word]})" for word in roots.tolist())
            raise WorkbenchError(
                f"sentence {sentence.sent_id or int(i) + 1}: words {named} are given as its root; leave one of them"
            )


def _labels(parser, alone, heads):
    """The relations of completed trees: of arcs that the parser draws alone as there, of others by its labeller."""
    labels = alone.deprel.strings()
    moved = (alone.heads != heads) & alone.is_word
    if isinstance(parser, Labeller):
        named = parser.label(alone, heads)
        labels[moved] = (named.strings() if isinstance(named, Column) else np.array(named, object))[moved]
    else:
        labels[moved] = np.where(heads[moved] == 0, "root", "dep")
    return labels
