"""A whole text under the trees of one of its parses: what is searched, and taken away as CoNLL-U.

A run may have parsed a part of the text only. The parser of a run on constraints parses the rest here, where it has
tags; of other runs the sentences that they left out have no trees.
"""

from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np

from core.parsers.crf.tree_crf import with_trees
from core.treebank import Treebank, conllu_text
from core.workspace.constraints import training
from core.workspace.constraints.settings import TrainingSettings
from core.workspace.constraints.takeaway import trained_parser
from core.workspace.constraints.versions import VERSION_KIND
from core.workspace.corpora import training_text
from core.workspace.parses import load_parse, run_of

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
    def parsed(self):
        """How many sentences have a tree."""
        return int(self.kept.sum())

    @property
    def missing(self):
        """How many have none."""
        return len(self.kept) - self.parsed

    @property
    def bare(self):
        """How many words of the sentences with trees have no head, such as punctuation that was left out."""
        known = np.add.reduceat(self.treebank.heads >= 0, self.treebank.offsets[:-1], dtype=np.int64)
        return int((self.treebank.lengths - known)[self.kept].sum())

    def conllu(self):
        """The sentences with trees as CoNLL-U text: comments, words and tags as they are in the corpus."""
        return conllu_text(self.treebank.select(self.kept).to_conllu())


def parsed_text(systems, corpus, key):
    """The ParsedText of one Offer's key. Raises as ``load_parse``.

    Takes seconds where a parser has much left to parse: sum of n^3 over the sentences that it was not trained on.
    """
    workspace = systems.workspace
    whole, parse = systems.workspace.treebank(corpus), load_parse(systems, corpus, key)
    kept = np.isin(whole.picks, parse.picks)
    parts = [(kept, parse)]
    rest = _left_to_parse(whole, kept, run_of(workspace, key))
    if rest.any():
        parser = trained_parser(workspace, run_of(workspace, key))
        parts.append((rest, parse_in_parts(parser, whole.select(rest))))
    heads = np.full(len(whole.heads), -1, np.int32)
    relations = np.full(len(heads), "", object)
    for sentences, bank in parts:
        rows = np.repeat(sentences, whole.lengths + 1)
        heads[rows] = bank.heads
        relations[rows] = np.array(bank.deprel.values, object)[bank.deprel.ids]
    return ParsedText(whole.with_heads(heads, relations.tolist()), kept | rest)


def _left_to_parse(whole, kept, run):
    """bool (S,): the sentences outside ``kept`` that the parser of a Run on constraints can parse: those with tags."""
    if run is None or run.kind not in (training.KIND, VERSION_KIND) or kept.all():
        return np.zeros(len(whole), bool)
    settings = replace(TrainingSettings.from_dict(run.settings), max_length=None)
    return np.isin(whole.picks, training_text(whole, settings).picks) & ~kept


def parse_in_parts(parser, treebank):
    """What ``parser.parse`` makes of a Treebank, in memory for MOST_ARCS arcs (or those of one sentence) at a time."""
    arcs = np.cumsum((treebank.lengths.astype(np.int64) + 1) ** 2)
    cuts = np.flatnonzero(np.diff(arcs // MOST_ARCS)) + 1
    parts = np.split(np.arange(len(treebank)), cuts)
    heads = [parser.parse(treebank.select(part)).heads for part in parts]
    return with_trees(treebank, np.concatenate(heads))


def file_name(corpus, key):
    """What the CoNLL-U file of an Offer's key is called."""
    return f"{PurePath(corpus.name).stem} {key}.conllu"
