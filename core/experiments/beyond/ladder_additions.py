"""What can be added to trees, or to lines and trees: one thing at a time.

Each addition is a function of a Bench, a Cell and the Materials, and returns the words of the test part twice: under
trees without it, and with it.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from core.adaptation import StructuralCorrespondence
from core.consistency import ConsistencySettings, parse_consistently
from core.constraints import train_grammar
from core.constraints.stacked import Stacked, arc_features
from core.experiments.beyond.ladder_bench import EPOCHS, SETTINGS, SUPERVISED, TOGETHER, Bench, Cell
from core.experiments.experiment import Lab
from core.experiments.spitkovsky2010.texts import GENRES, Marked, marked_text, to_penn, trimmed
from core.experiments.spitkovsky2010.texts import together as joined
from core.joint import JointParser, JointSettings
from core.parsers import MSTParser
from core.parsers.self_training import cross_parse, together
from core.treebank import Treebank, read_treebank
from core.treebank.schemes import to_function_heads

EWT = "en-ewt/ewt-train.conllu"
OTHERS, MARKED, LONGEST = 1_000, 2_000, 40  # sentences of the other treebank, and of pages; words of each
QUICK = 60
TEACHING = 5  # epochs on trees of another parser
HALVES = 2
WEIGHT = 0.5  # of a marked sentence, beside a right tree
AMOUNTS = QUICK, OTHERS, MARKED, LONGEST, TEACHING, HALVES, WEIGHT
SELF_TRAINING, CONSISTENCY, PAGES = "self-training", "consistency", "pages"
TREEBANK, CORRESPONDENCE, JOINT = "another treebank", "its correspondence", "joint inference with it"
ENGLISH_ONLY = PAGES, TREEBANK, CORRESPONDENCE, JOINT


@dataclass(frozen=True)
class ScoresOfStacked:
    """The second-order parser of lines and trees as ``parse_consistently`` asks for it: its features come along."""

    stacked: Stacked

    def score(self, treebank: Treebank) -> Any:
        """The scores of all parts of a text."""
        return self.stacked.parser.score(treebank, extra=arc_features(treebank, self.stacked.grammars))


class Materials:
    """What is not of the treebank itself, read when first needed: pages, and trees of English web text."""

    def __init__(self, lab: Lab):
        self.lab = lab
        self.wide = lru_cache(maxsize=2)(self._wide)
        self.correspondence = lru_cache(maxsize=1)(self._correspondence)

    @cached_property
    def pages(self) -> Marked:
        """Sentences of pages with a bracket of several words, without punctuation."""
        found = joined(*(trimmed(marked_text(self.lab, genre)) for genre in GENRES))
        chosen = self._drawn(found.treebank, MARKED)
        return Marked(found.treebank.select(chosen), [found.brackets[at] for at in chosen.tolist()])

    @cached_property
    def trees(self) -> Treebank:
        """EWT with function words as heads and tags of the WSJ, without punctuation."""
        web = read_treebank(self.lab.file(EWT))
        web = to_penn(to_function_heads(web.select(self._drawn(web, OTHERS))))
        words = web.without_punctuation()
        bare = joined(Marked(words, [()] * len(words))).treebank  # forms and the WSJ's tags alone
        return bare.with_heads(words.heads)

    @cached_property
    def contents(self) -> list[str]:
        """What tells these texts from others: hashes of the trees, names and sizes of the pages."""
        files = [path for genre in GENRES for path in sorted((self.lab.data / genre.place).glob("*.html"))]
        return [str(self.trees.content_hash), *(f"{path.name} {path.stat().st_size}" for path in files)]

    @staticmethod
    def settings() -> tuple:
        """What the additions do, beside their texts: another file of results for other settings."""
        learnt = StructuralCorrespondence()
        correspondence = {**vars(learnt.settings), "pivots": learnt.pivots, "model": None, "notes": ()}
        return AMOUNTS, ConsistencySettings(), JointSettings(), sorted(correspondence.items())

    def _drawn(self, text, count):
        fits = np.random.default_rng(0).permutation(np.flatnonzero(text.lengths <= LONGEST))
        return np.sort(fits[: QUICK if self.lab.quick else count])

    def _correspondence(self, bench):
        """What the bench's text and the web's trees have in common, of their words alone."""
        return StructuralCorrespondence().fit(self.trees, bench.ground.trees)

    def _wide(self, bench, lines, of):
        """(the bench's text and another behind it, its brackets, a grammar of the lines on both)."""
        other = self.pages if of == PAGES else Marked(self.trees, [()] * len(self.trees))
        both = joined(Marked(bench.ground.text, [()] * len(bench.ground.text)), other)
        settings = replace(SETTINGS, tags=bench.ground.column, level=_level(of))
        model = train_grammar(both.treebank, bench.ground.lines[lines], settings, brackets=both.brackets).model
        return both, model


def added(bench: Bench, cell: Cell, more: Materials) -> dict:
    """As ``Bench.result``; ``base`` is the accuracy of the same without the addition."""
    began = time.process_time()
    base, parsed = ADDITIONS[cell.added](bench, cell, more)
    return bench.scored(cell, parsed, began) | {"base": bench.accuracy(base)}


def possible(cell: Cell) -> str:
    """Why the addition cannot be had there; "" where it can."""
    if cell.text != "WSJ" and cell.added in ENGLISH_ONLY:
        return "pages and web treebank are English"
    if cell.does == TOGETHER and cell.added in (CORRESPONDENCE, JOINT):
        return "parsers of two domains or schemes read no lines"
    return ""


def _self_training(bench, cell, more):
    """Its own trees of the whole text, learnt by halves, the given ones beside them."""
    ground, parsed = bench.ground, bench.parsed(cell)

    def learn(treebank):
        parser = MSTParser(order=2, labels=False, tags=ground.column)
        return parser.fit(treebank, epochs=TEACHING, seed=cell.draw)

    taught = cross_parse(learn, parsed, HALVES, train=bench.given(cell))
    return bench.test_part(parsed), bench.test_part(taught)


def _consistency(bench, cell, more):
    """Words of the test part in like contexts, and in those of the given trees, with heads of like tags."""
    ground = bench.ground
    if cell.does == SUPERVISED:
        parser, text, heads = bench.supervised(cell.trees, cell.draw), ground.trees, ground.trees.heads
    else:
        parser, text, heads = ScoresOfStacked(bench.votes_of(cell)), ground.text, ground.heads
    given = text.with_heads(heads).select(ground.drawn(cell.trees, cell.draw))
    found = parse_consistently(parser, given, bench.test_part(text), tags=ground.column)
    both = found.treebank.with_heads(found.base_heads.values), found.treebank
    return both if cell.does == SUPERVISED else tuple(each.without_punctuation() for each in both)


def _pages(bench, cell, more):
    """Marked sentences of pages, whose brackets trees must respect at loose."""
    if cell.does == TOGETHER:
        return bench.test_part(bench.parsed(cell)), _widened(bench, cell, more, PAGES, None)
    teacher, given = bench.supervised(cell.trees, cell.draw), bench.given(cell)
    parsed = teacher.parse_bracketed(more.pages.treebank, more.pages.brackets, "loose").treebank
    weights = np.concatenate((np.ones(len(given)), np.full(len(parsed), WEIGHT)))
    parser = MSTParser(order=2, labels=False, tags=bench.ground.column)
    parser.fit(together(given, parsed), epochs=TEACHING, seed=cell.draw, sentence_weights=weights)
    return bench.test_part(bench.parsed(cell)), parser.parse(bench.test_part(bench.ground.trees))


def _treebank(bench, cell, more):
    """Trees of web text beside the given ones, as though they were of the same text."""
    if cell.does == TOGETHER:
        return bench.test_part(bench.parsed(cell)), _widened(bench, cell, more, TREEBANK, more.trees.heads)
    return bench.test_part(bench.parsed(cell)), _both_treebanks(bench, cell, more, None)


def _correspondence(bench, cell, more):
    """The same with induced features that mean the same in both texts; beside the same without them."""
    learnt = more.correspondence(bench)
    return _both_treebanks(bench, cell, more, None), _both_treebanks(bench, cell, more, learnt.features)


def _joint(bench, cell, more):
    """Parsers of the given and of the web's trees that read each other's."""
    settings = JointSettings(order=2, tags=bench.ground.column, labels=False, epochs=EPOCHS, seed=cell.draw)
    parser = JointParser(settings).fit([bench.given(cell), more.trees], names=["own", "web"])
    text = bench.test_part(bench.ground.trees)
    return bench.test_part(bench.parsed(cell)), text.with_heads(parser.parse(text).heads(0))


ADDITIONS: Mapping[str, Callable] = MappingProxyType(
    {
        SELF_TRAINING: _self_training,
        CONSISTENCY: _consistency,
        PAGES: _pages,
        TREEBANK: _treebank,
        CORRESPONDENCE: _correspondence,
        JOINT: _joint,
    }
)


def _both_treebanks(bench, cell, more, extra):
    """The test part as one parser of the web's and the given trees has it."""
    text = bench.test_part(bench.ground.trees)
    parser = MSTParser(order=2, labels=False, tags=bench.ground.column)
    parser.fit(together(more.trees, bench.given(cell)), epochs=EPOCHS, seed=cell.draw, extra=extra)
    return parser.parse(text, extra=extra and extra(text))


def _widened(bench, cell, more, of, heads):
    """The test part as lines and trees have it where another text stands behind the bench's own."""
    ground = bench.ground
    both, start = more.wide(bench, cell.lines, of)
    known = np.full(len(both.treebank.heads), -1, np.int32)
    known[: len(ground.heads)] = ground.heads_of(ground.drawn(cell.trees, cell.draw))
    if heads is not None:
        known[len(ground.heads) :] = heads
    settings = replace(SETTINGS, tags=ground.column, level=_level(of), stacked=True)
    model = train_grammar(
        both.treebank, bench.lines(cell), settings, brackets=both.brackets, trees=known, start=start
    ).model  # fmt: skip
    return model.parse(bench.test_part(ground.text)).without_punctuation()


def _level(of):
    return "loose" if of == PAGES else "none"
