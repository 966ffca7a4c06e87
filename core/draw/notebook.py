"""What a notebook shows of sentences, treebanks, heads and scores: SVG and HTML, all words escaped, without scripts."""

from collections.abc import Sequence

import numpy as np

from core.draw.arc import Arc
from core.draw.drawing import Drawing
from core.draw.matrix import MatrixPicture
from core.draw.scene import xml_text
from core.languages.direction import bidi_isolate

FIRST = 3  # sentences of a treebank, or of heads, that are drawn


def sentence_svg(
    words: Sequence[str], tags: Sequence[str], heads: Sequence[int], relations: Sequence[str] | None = None
) -> str:
    """The tree of a sentence as SVG text; all are of length n + 1, and -1 draws no arc. O(arcs²)."""
    names = relations or [""] * len(words)
    arcs = tuple(Arc(head, word, names[word]) for word, head in enumerate(heads) if word and head >= 0)
    return Drawing(tuple(words), tuple(tags), arcs)._repr_svg_()


def treebank_html(heading: str, drawings: Sequence[str]) -> str:
    """What a treebank is, and some of its sentences drawn, as HTML."""
    return _html(heading, drawings)


def heads_html(count: int, heads: Sequence[np.ndarray]) -> str:
    """The first of so many trees as HTML; words are their numbers."""
    numbers = [("", *map(str, range(1, len(tree)))) for tree in heads]
    drawn = [sentence_svg(words, (), tree.tolist()) for words, tree in zip(numbers, heads, strict=True)]
    return _html(f"{count:,} trees", drawn)


def scores_html(count: int, matrices: Sequence[np.ndarray]) -> str:
    """The first of so many matrices as HTML: a row for each head, the root's first, a column for each word."""
    drawn = []
    for matrix in matrices:
        cells, names = matrix[:, 1:], ("root", *map(str, range(1, len(matrix))))
        known = cells[np.isfinite(cells)]
        low, reach = (float(known.min()), float(np.ptp(known)) or 1.0) if known.size else (0.0, 1.0)
        shades = np.where(np.isfinite(cells), (cells - low) / reach, 0.0).tolist()
        values = tuple(tuple(map(_number, row)) for row in cells.tolist())
        picture = MatrixPicture("Heads in rows, words in columns", names, names[1:], values, tuple(map(tuple, shades)))
        drawn.append(picture._repr_svg_())
    return _html(f"{count:,} matrices", drawn)


def _number(value):
    return f"{value:.3g}".replace("-", "−").replace("inf", "∞")


def _html(heading, drawings):
    """A heading and drawings, one under the other, as wide as the notebook at most."""
    fitting = (svg.replace("<svg ", '<svg style="max-width: 100%; height: auto" ', 1) for svg in drawings)
    return f"<div><p>{xml_text(bidi_isolate(heading))}</p>{''.join(f'<div>{svg}</div>' for svg in fitting)}</div>"
