"""A whole text under the trees of one of its parses: what is searched, and taken away as CoNLL-U.

A run may have parsed a part of the text only. Where its system can, the rest is parsed here; else the sentences that
were left out have no trees.
"""

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from core.parsers.crf.tree_crf import with_trees
from core.parsers.protocols import Parser
from core.store import Corpus
from core.treebank import Treebank, conllu_text
from core.workspace.parses import load_parse, run_of

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # a quarter of a second, which the first page has no use for

MOST_ARCS = 500_000  # of sentences that are parsed at a time: a bound on memory


@dataclass(frozen=True, eq=False)
class ParsedText:
    """A corpus under other trees.

    Attributes
    ----------
    treebank : Treebank
        Every sentence of the corpus, in its order; heads are -1 where the parse has none.
    kept : ndarray of shape (S,), dtype bool
        Whether a sentence has a tree of the parse.
    """

    treebank: Treebank
    kept: np.ndarray

    @property
    def parsed(self) -> int:
        """How many sentences have a tree."""
        return int(self.kept.sum())

    @property
    def missing(self) -> int:
        """How many have none."""
        return len(self.kept) - self.parsed

    @property
    def bare(self) -> int:
        """How many words of the sentences with trees have no head, such as punctuation that was left out."""
        known = np.add.reduceat(self.treebank.heads >= 0, self.treebank.offsets[:-1], dtype=np.int64)
        return int((self.treebank.lengths - known)[self.kept].sum())

    def conllu(self) -> str:
        """The sentences with trees as CoNLL-U text: comments, words and tags as they are in the corpus."""
        return conllu_text(self.treebank.select(self.kept).to_conllu())


def parsed_text(systems: "Systems", corpus: Corpus, key: str) -> ParsedText:
    """The ParsedText of one AvailableParse's key. Raises as ``load_parse``.

    Takes seconds where a parser has much left to parse: sum of n^3 over the sentences that it was not trained on.
    """
    whole, parse = systems.workspace.treebank(corpus), load_parse(systems, corpus, key)
    kept = np.isin(whole.picks, parse.picks)
    parts, rest, run = [(kept, parse)], np.zeros(len(whole), bool), run_of(systems.workspace, key)
    if run is not None and run.kind in systems and not kept.all():
        rest = systems[run.kind].left_out(run, whole)
        if rest.any():
            parts.append((rest, parse_in_parts(systems[run.kind].parser(run), whole.select(rest))))
    heads = np.full(len(whole.heads), -1, np.int32)
    relations = np.full(len(heads), "", object)
    for sentences, bank in parts:
        rows = np.repeat(sentences, whole.lengths + 1)
        heads[rows] = bank.heads
        relations[rows] = np.array(bank.deprel.values, object)[bank.deprel.ids]
    return ParsedText(whole.with_heads(heads, relations.tolist()), kept | rest)


def parse_in_parts(parser: Parser, treebank: Treebank) -> Treebank:
    """What ``parser.parse`` makes of a Treebank, in memory for MOST_ARCS arcs (or those of one sentence) at a time."""
    arcs = np.cumsum((treebank.lengths.astype(np.int64) + 1) ** 2)
    cuts = np.flatnonzero(np.diff(arcs // MOST_ARCS)) + 1
    parts = np.split(np.arange(len(treebank)), cuts)
    heads = [parser.parse(treebank.select(part)).heads for part in parts]
    return with_trees(treebank, np.concatenate(heads))


def file_name(corpus: Corpus, key: str) -> str:
    """What the CoNLL-U file of an AvailableParse's key is called."""
    return f"{PurePath(corpus.name).stem} {key}.conllu"
