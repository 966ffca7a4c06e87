"""The datasets of the scaling experiments: treebanks whose trees are given a few at a time, and lines with them."""

from dataclasses import dataclass

import numpy as np

from core.constraints import Constraint, parse_constraints
from core.constraints.authoring.word_order import order_constraints
from core.experiments.beyond import languages, lines
from core.experiments.beyond.learners import development_part
from core.experiments.beyond.tags import cross_tagged, with_tags
from core.experiments.experiment import Environment
from core.treebank import Treebank
from core.treebank.unpunctuated import restore_punctuation

WSJ = "WSJ"
GOLD, PREDICTED = "gold", "predicted"
BLIND, TURNED, ORDERED = "blind", "turned", "universal and word order"


@dataclass(frozen=True, eq=False)
class ScalingDataset:
    """A text, its trees, and the sets of lines.

    Attributes
    ----------
    name : str
    tags : {"gold", "predicted"}
        Predicted ones are of a tagger of the other four fifths of the text, in the text and in the trees alike.
    column : {"xpos", "upos"}
    text : Treebank
        With punctuation, and without a head.
    heads : ndarray of shape (rows,), dtype int32
        The right ones, those of marks included: what is given of them.
    trees : Treebank
        Its words under these heads, without punctuation: what is scored.
    lines : dict of str to list of Constraint
    right_tags : float
        Percent of the words.
    """

    name: str
    tags: str
    column: str
    text: Treebank
    heads: np.ndarray
    trees: Treebank
    lines: dict[str, list[Constraint]]
    right_tags: float = 100.0

    @property
    def test(self) -> np.ndarray:
        """bool (S,): the sentences that are scored; trees are drawn from the others."""
        return ~development_part(self.trees)

    @property
    def pool(self) -> int:
        """Sentences that trees are drawn from."""
        return int((~self.test).sum())

    def drawn(self, size: int, draw: int) -> np.ndarray:
        """int (size,): the sentences of a draw, in order."""
        pool = np.flatnonzero(~self.test)
        return np.sort(np.random.default_rng(draw).permutation(pool)[:size])

    def heads_of(self, sentences: np.ndarray) -> np.ndarray:
        """int32 (rows,): the heads of some sentences, -1 in all others."""
        given = np.zeros(len(self.text), bool)
        given[sentences] = True
        return np.where(np.repeat(given, self.text.lengths + 1), self.heads, np.int32(-1))


def scaling_dataset(env: Environment, name: str, tags: str = GOLD) -> ScalingDataset:
    """The ScalingDataset of the WSJ sample, or of one of ``languages.LANGUAGES``; reads its treebank."""
    if name == WSJ:
        sample = lines.Sample(env)
        heads = restore_punctuation(sample.text, sample.trees, sample.trees.heads)
        sets = {BLIND: lines.lines_of(lines.BLIND), TURNED: lines.lines_of(lines.TURNED)}
        return _dataset(name, tags, "xpos", sample.text.with_heads(heads), sample.trees, sets)
    language = next(known for known in languages.LANGUAGES if known.name == name)
    universal = parse_constraints(languages.LINES.read_text(encoding="utf-8"))
    sets = {ORDERED: [*universal, *order_constraints(language.order)]}
    text = languages.text_of(env, language)
    return _dataset(name, tags, languages.COLUMN, text, text.without_punctuation(), sets)


def _dataset(name, tags, column, text, trees, sets):
    """The ScalingDataset, with tags of a tagger where they are asked for."""
    heads, share = text.heads, 100.0
    if tags == PREDICTED:
        text, share = with_tags(text, cross_tagged(text, column), column)
        trees = text.without_punctuation().with_heads(trees.heads)
    return ScalingDataset(name, tags, column, text.with_heads(np.full_like(heads, -1)), heads, trees, sets, share)
