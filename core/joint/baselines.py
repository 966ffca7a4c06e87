"""What joint inference is set against: one parser of both treebanks, and one parser that reads the other's trees."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.callbacks import Cancel
from core.joint.parser import JointParser
from core.joint.settings import TRAINING, JointSettings
from core.joint.training import fit_baseline
from core.parsers import MSTParser
from core.treebank import Treebank
from core.treebank.retag import with_values


def concatenation(treebanks: Sequence[Treebank], settings: JointSettings, cancel: Cancel | None = None) -> MSTParser:
    """A parser trained on all treebanks together, whatever their schemes ("CTB4 + CDT" of zhou2013, Table 1)."""
    together = Treebank.from_sentences(
        sentence.as_dict() for treebank in treebanks for sentence in treebank.to_conllu()
    )
    return fit_baseline(together, settings, cancel=cancel)


def one_representation(
    treebanks: Sequence[Treebank], names: Sequence[str], settings: JointSettings, cancel: Cancel | None = None
) -> MSTParser:
    """A parser trained on all treebanks together that knows whose scheme each sentence has.

    Each feature that reads tags is there twice: for all schemes, and for the scheme alone (the features of Daumé 2007).
    zhou2013 leaves a unified representation to future work; this reading of it is ours. The parser draws a scheme's
    trees of a text ``in_scheme``; relations are none of its business.
    """
    column = settings.tags or treebanks[0].tag_name()
    marked = [in_scheme(treebank, name, column) for treebank, name in zip(treebanks, names, strict=True)]
    return concatenation(marked, replace(settings, tags=None), cancel)


def in_scheme(treebank: Treebank, name: str, column: str) -> Treebank:
    """A text for ``one_representation``: XPOS is the tag of ``column`` with the scheme's name, UPOS the tag alone."""
    bank = treebank.to_conllu()
    tags = getattr(bank, column).strings()
    return with_values(with_values(bank, "upos", tags), "xpos", np.where(bank.is_word, tags + f" {name}", ""))


def stacking(
    treebanks: Sequence[Treebank], settings: JointSettings, dev: Sequence[Treebank] | None = None, *,
    names: Sequence[str] | None = None, like: JointParser | None = None, cancel: Cancel | None = None,
) -> JointParser:  # fmt: skip
    """A JointParser that is Nivre & McDonald's (2008, P08-1108) stacking: each parser reads the arcs of the other's
    best tree as features, and parses once.

    It is joint inference with lists of one tree, features of arcs alone, learnt on the training text with all others,
    and one round. ``like`` is a JointParser whose
    baselines are taken over.
    """
    guided = replace(settings, candidates=1, kinds=("edge", "root"), rounds=1, stages=1, learnt_on=TRAINING)
    return JointParser(guided).fit(treebanks, dev, names=names, like=like, cancel=cancel)
