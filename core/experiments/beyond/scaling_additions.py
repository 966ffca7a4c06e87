"""What can be added to trees, or to lines and trees: one thing at a time.

Each addition is a function of a ScalingBenchmark, a ScalingRun and the Materials. It returns the words of the test
part twice: under trees without the addition, and with it.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from core.adaptation import StructuralCorrespondence
from core.consistency import ConsistencySettings, parse_consistently
from core.constraints import train_grammar
from core.experiments.beyond import scaling_benchmark
from core.experiments.corpora import EWT
from core.experiments.experiment import Environment
from core.experiments.spitkovsky2010.texts import GENRES, Marked, marked_text, to_penn, trimmed
from core.experiments.spitkovsky2010.texts import concatenate as joined
from core.joint import JointParser, JointSettings
from core.parsers import MSTParser
from core.parsers.scores import ParserScores
from core.parsers.self_training import concatenate, cross_parse
from core.parsers.stacked import Stacked, arc_features
from core.treebank import Treebank, read_treebank
from core.treebank.schemes import to_function_heads

OTHERS, MARKED, LONGEST = 1_000, 2_000, 40  # sentences of the other treebank, and of pages; words of each
QUICK = 60
TEACHING = 5  # epochs on trees of another parser
HALVES = 2
WEIGHT = 0.5  # weight of a marked sentence; a right tree has 1
AMOUNTS = QUICK, OTHERS, MARKED, LONGEST, TEACHING, HALVES, WEIGHT
SELF_TRAINING, CONSISTENCY, PAGES = "self-training", "consistency", "pages"
TREEBANK, CORRESPONDENCE, JOINT = "another treebank", "its correspondence", "joint inference with it"
ENGLISH_ONLY = PAGES, TREEBANK, CORRESPONDENCE, JOINT


@dataclass(frozen=True)
class ScoresOfStacked:
    """The second-order parser of lines and trees as ``parse_consistently`` asks for it: its features come along."""

    stacked: Stacked

    def score(self, treebank: Treebank) -> ParserScores:
        """The scores of all parts of a text."""
        return self.stacked.parser.score(treebank, extra=arc_features(treebank, self.stacked.grammars))


class Materials:
    """Texts beside the treebank itself, read when first needed: pages, and trees of English web text."""

    def __init__(self, env: Environment):
        self.env = env
        self.wide = lru_cache(maxsize=2)(self._wide)
        self.correspondence = lru_cache(maxsize=1)(self._correspondence)

    @cached_property
    def pages(self) -> Marked:
        """Sentences of pages with a bracket of several words, without punctuation."""
        marked = joined(*(trimmed(marked_text(self.env, genre)) for genre in GENRES))
        chosen = self._drawn(marked.treebank, MARKED)
        return Marked(marked.treebank.select(chosen), [marked.brackets[at] for at in chosen.tolist()])

    @cached_property
    def trees(self) -> Treebank:
        """EWT with function words as heads and tags of the WSJ, without punctuation."""
        web = read_treebank(self.env.file(EWT.train))
        web = to_penn(to_function_heads(web.select(self._drawn(web, OTHERS))))
        words = web.without_punctuation()
        bare = joined(Marked(words, [()] * len(words))).treebank  # forms and the WSJ's tags alone
        return bare.with_heads(words.heads)

    @cached_property
    def contents(self) -> list[str]:
        """What names these texts in a file of results: hashes of the trees, names and sizes of the pages."""
        folder = self.env.data or Path()
        files = [path for genre in GENRES for path in sorted((folder / genre.path).glob("*.html"))]
        return [str(self.trees.content_hash), *(f"{path.name} {path.stat().st_size}" for path in files)]

    @staticmethod
    def settings() -> tuple:
        """The settings of the additions, which name the file of results."""
        learnt = StructuralCorrespondence()
        correspondence = {**vars(learnt.settings), "pivots": learnt.pivots, "model": None, "notes": ()}
        return AMOUNTS, ConsistencySettings(), JointSettings(), sorted(correspondence.items())

    def _drawn(self, text, count):
        fits = np.random.default_rng(0).permutation(np.flatnonzero(text.lengths <= LONGEST))
        return np.sort(fits[: QUICK if self.env.quick else count])

    def _correspondence(self, benchmark):
        """What the benchmark's text and the web's trees have in common, of their words alone."""
        return StructuralCorrespondence().fit(self.trees, benchmark.dataset.trees)

    def _wide(self, benchmark, lines, of):
        """(the benchmark's text and another behind it, its brackets, a grammar of the lines on both)."""
        other = self.pages if of == PAGES else Marked(self.trees, [()] * len(self.trees))
        both = joined(Marked(benchmark.dataset.text, [()] * len(benchmark.dataset.text)), other)
        settings = replace(scaling_benchmark.SETTINGS, tags=benchmark.dataset.column, level=_level(of))
        model = train_grammar(both.treebank, benchmark.dataset.lines[lines], settings, brackets=both.brackets).model
        return both, model


def added(benchmark: scaling_benchmark.ScalingBenchmark, run: scaling_benchmark.ScalingRun, more: Materials) -> dict:
    """The result of a run with its addition, as ``ScalingBenchmark.result``; ``base`` is the accuracy without it."""
    began = time.process_time()
    base, parsed = ADDITIONS[run.added](benchmark, run, more)
    return benchmark.scored(run, parsed, began) | {"base": benchmark.accuracy(base)}


def possible(run: scaling_benchmark.ScalingRun) -> str:
    """Why a run cannot have its addition; "" where it can."""
    if run.text != "WSJ" and run.added in ENGLISH_ONLY:
        return "pages and web treebank are English"
    if run.does == scaling_benchmark.TOGETHER and run.added in (CORRESPONDENCE, JOINT):
        return "parsers of two domains or schemes read no lines"
    return ""


def _self_training(benchmark, run, more):
    """Its own trees of the whole text, learnt by halves, the given ones beside them."""
    dataset, parsed = benchmark.dataset, benchmark.parsed(run)

    def learn(treebank):
        parser = MSTParser(order=2, labels=False, tags=dataset.column)
        return parser.fit(treebank, epochs=TEACHING, seed=run.draw)

    taught = cross_parse(learn, parsed, HALVES, train=benchmark.given(run))
    return benchmark.test_part(parsed), benchmark.test_part(taught)


def _consistency(benchmark, run, more):
    """Words of the test part in like contexts, and in those of the given trees, with heads of like tags."""
    dataset = benchmark.dataset
    if run.does == scaling_benchmark.SUPERVISED:
        parser, text, heads = benchmark.supervised(run.trees, run.draw), dataset.trees, dataset.trees.heads
    else:
        parser, text, heads = ScoresOfStacked(benchmark.votes_of(run)), dataset.text, dataset.heads
    given = text.with_heads(heads).select(dataset.drawn(run.trees, run.draw))
    parses = parse_consistently(parser, given, benchmark.test_part(text), tags=dataset.column)
    both = parses.treebank.with_heads(parses.base_heads.values), parses.treebank
    return both if run.does == scaling_benchmark.SUPERVISED else tuple(bank.without_punctuation() for bank in both)


def _pages(benchmark, run, more):
    """Marked sentences of pages, whose brackets trees must respect at loose."""
    if run.does == scaling_benchmark.TOGETHER:
        return benchmark.test_part(benchmark.parsed(run)), _widened(benchmark, run, more, PAGES, None)
    teacher, given = benchmark.supervised(run.trees, run.draw), benchmark.given(run)
    parsed = teacher.parse_bracketed(more.pages.treebank, more.pages.brackets, "loose").treebank
    weights = np.concatenate((np.ones(len(given)), np.full(len(parsed), WEIGHT)))
    parser = MSTParser(order=2, labels=False, tags=benchmark.dataset.column)
    parser.fit(concatenate(given, parsed), epochs=TEACHING, seed=run.draw, sentence_weights=weights)
    return benchmark.test_part(benchmark.parsed(run)), parser.parse(benchmark.test_part(benchmark.dataset.trees))


def _treebank(benchmark, run, more):
    """Trees of web text beside the given ones, as though they were of the same text."""
    if run.does == scaling_benchmark.TOGETHER:
        return benchmark.test_part(benchmark.parsed(run)), _widened(benchmark, run, more, TREEBANK, more.trees.heads)
    return benchmark.test_part(benchmark.parsed(run)), _both_treebanks(benchmark, run, more, None)


def _correspondence(benchmark, run, more):
    """The same with induced features that mean the same in both texts; beside the same without them."""
    learnt = more.correspondence(benchmark)
    return _both_treebanks(benchmark, run, more, None), _both_treebanks(benchmark, run, more, learnt.features)


def _joint(benchmark, run, more):
    """Parsers of the given and of the web's trees that read each other's."""
    settings = JointSettings(
        order=2, tags=benchmark.dataset.column, labels=False, epochs=scaling_benchmark.EPOCHS, seed=run.draw
    )
    parser = JointParser(settings).fit([benchmark.given(run), more.trees], names=["own", "web"])
    text = benchmark.test_part(benchmark.dataset.trees)
    return benchmark.test_part(benchmark.parsed(run)), text.with_heads(parser.parse(text).heads(0))


_FUNCTIONS = _self_training, _consistency, _pages, _treebank, _correspondence, _joint
_NAMES = SELF_TRAINING, CONSISTENCY, PAGES, TREEBANK, CORRESPONDENCE, JOINT
ADDITIONS: Mapping[str, Callable] = MappingProxyType(dict(zip(_NAMES, _FUNCTIONS, strict=True)))


def _both_treebanks(benchmark, run, more, extra):
    """The test part as one parser of the web's and the given trees has it."""
    text = benchmark.test_part(benchmark.dataset.trees)
    parser = MSTParser(order=2, labels=False, tags=benchmark.dataset.column)
    parser.fit(
        concatenate(more.trees, benchmark.given(run)), epochs=scaling_benchmark.EPOCHS, seed=run.draw, extra=extra
    )
    return parser.parse(text, extra=extra and extra(text))


def _widened(benchmark, run, more, of, heads):
    """The test part as lines and trees have it where another text stands behind the benchmark's own."""
    dataset = benchmark.dataset
    both, start = more.wide(benchmark, run.lines, of)
    known = np.full(len(both.treebank.heads), -1, np.int32)
    known[: len(dataset.heads)] = dataset.heads_of(dataset.drawn(run.trees, run.draw))
    if heads is not None:
        known[len(dataset.heads) :] = heads
    settings = replace(scaling_benchmark.SETTINGS, tags=dataset.column, level=_level(of), stacked=True)
    model = train_grammar(
        both.treebank, benchmark.lines(run), settings, brackets=both.brackets, trees=known, start=start
    ).model  # fmt: skip
    return model.parse(benchmark.test_part(dataset.text)).without_punctuation()


def _level(of):
    return "loose" if of == PAGES else "none"
