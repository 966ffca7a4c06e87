"""Comments of CoNLL-U that say whose the tree of a sentence is, where a parser and somebody's hand share a file.

``# tree = annotated by hand``, ``# tree = predicted by NAME``, ``# tree = predicted by NAME, around heads annotated by
hand: 2 5`` with the numbers of the words drawn, and ``# relations = by rules`` where the parser names none.
"""

import re

import numpy as np

from core.treebank.sentence import Sentence
from core.treebank.treebank import Treebank

BY_HAND = "annotated by hand"
COMMENT = re.compile(r"#\s*(tree|relations)\s*=")
DRAWN = re.compile(rf"#\s*tree\s*=\s*(?:.*, around heads )?{BY_HAND}(?:: ([\d ]+))?")


def whose_tree(name: str, given: list[int], whole: bool) -> str:
    """The comment for a tree by ``name`` in which the words ``given``, or the ``whole``, were drawn by hand."""
    if whole:
        return f"# tree = {BY_HAND}"
    drawn = f", around heads {BY_HAND}: {' '.join(map(str, given))}" if given else ""
    return f"# tree = predicted by {name}{drawn}"


def commented(sentence: Sentence, comments: list[str]) -> str:
    """The CoNLL-U text of a Sentence with these comments in place of former ones that said whose its tree was."""
    lines = [line for line in sentence.lines if not COMMENT.match(line)]
    at = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    return "\n".join([*lines[:at], *comments, *lines[at:], "", ""])


def predicted_text(treebank: Treebank, name: str) -> str:
    """A treebank that ``name`` has parsed as CoNLL-U text, which says so at each sentence."""
    return "".join(commented(sentence, [whose_tree(name, [], False)]) for sentence in treebank.to_conllu())


def drawn_by_hand(treebank: Treebank) -> np.ndarray:
    """bool (rows,): the words whose heads, as comments say, were drawn by hand and not predicted."""
    by_hand = np.zeros(len(treebank.heads), bool)
    if BY_HAND.encode() not in treebank.source.data:
        return by_hand
    for index, sentence in enumerate(treebank):
        begin, end = treebank.offsets[index : index + 2]
        for match in filter(None, map(DRAWN.fullmatch, sentence.comments)):
            words = np.array((match[1] or "").split() or range(1, end - begin), np.int64)
            by_hand[begin + words[words < end - begin]] = True
    return by_hand
