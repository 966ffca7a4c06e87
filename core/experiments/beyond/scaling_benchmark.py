"""One run of the scaling experiments: lines and trees, what is trained on them, and how many heads it gets right."""

import time
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import cast

import numpy as np

from core.constraints import Constraint, GrammarSettings, train_grammar
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.stacking import KNOWN_SHARE, LEAST_VOTE, WORDS_PER_NAT
from core.experiments.beyond.learners import accuracy
from core.experiments.beyond.scaling_datasets import ScalingDataset
from core.experiments.resumable import results_file
from core.parsers import MSTParser
from core.parsers.stacked import Stacked
from core.treebank import Treebank

LINES, VOTED, TOGETHER = "lines", "lines, with votes", "together"
SUPERVISED, MARKED = "supervised", "supervised, with marks"
EPOCHS = 10
SETTINGS = GrammarSettings()


@dataclass(frozen=True)
class ScalingRun:
    """A place: settings that are plain values.

    Attributes
    ----------
    text, tags : str
        Of the ScalingDataset.
    lines : str
        Which of its sets of lines; "" for none.
    trees : int
        How many.
    draw : int
        Which trees, and the order in which a parser sees them.
    does : {"lines", "lines, with votes", "supervised", "supervised, with marks", "together"}
        A grammar of the lines alone, without and with the votes of a second-order parser. Or a second-order parser of
        the trees alone, on text without and with punctuation. Or both.
    added : str
        What is done on top, of ``scaling_additions.ADDITIONS``; "" for nothing.
    """

    text: str
    tags: str
    lines: str
    trees: int
    draw: int
    does: str
    added: str = ""

    @property
    def name(self) -> str:
        """One line that says all of it."""
        given = [f"{self.lines} lines"] if self.lines else []
        given += [f"{self.trees} trees, draw {self.draw + 1}"] if self.trees else []
        added = f" + {self.added}" if self.added else ""
        return f"{self.text}, {self.tags} tags, {', '.join(given)}: {self.does}{added}"


class ScalingBenchmark:
    """Trains what the runs of a ScalingDataset ask for, and keeps what several of them share."""

    def __init__(self, dataset: ScalingDataset):
        self.dataset = dataset
        self.grammar = lru_cache(maxsize=None)(self._grammar)
        self.supervised = lru_cache(maxsize=1)(self._supervised)
        self.stacked = lru_cache(maxsize=1)(self._stacked)

    def path(self, name: str, *more: object) -> Path:
        """The file of results: another one for another text, other lines or settings, and ``more``."""
        dataset = self.dataset
        lines = [line.text for lines in dataset.lines.values() for line in lines]
        settings = SETTINGS, EPOCHS, KNOWN_SHARE, LEAST_VOTE, WORDS_PER_NAT
        return results_file(name, dataset.text.content_hash, dataset.trees.content_hash, *lines, *settings, *more)

    def result(self, run: ScalingRun) -> dict:
        """The run's settings; ``judged``: right heads of the test part in percent; ``seconds`` of the processor."""
        began = time.process_time()
        return self.scored(run, self.test_part(self.parsed(run)), began)

    def scored(self, run: ScalingRun, parsed: Treebank, began: float) -> dict:
        """The result, as ``result`` has it, of a test part that is parsed already."""
        return {**asdict(run), "judged": self.accuracy(parsed), "seconds": round(time.process_time() - began, 1)}

    def accuracy(self, parsed: Treebank) -> float | None:
        """Right heads of the test part, without punctuation, in percent."""
        return accuracy(self.test_part(self.dataset.trees), parsed, np.ones(len(parsed), bool))

    def test_part(self, text: Treebank) -> Treebank:
        """The sentences that are scored."""
        return text.select(np.flatnonzero(self.dataset.test))

    def given(self, run: ScalingRun) -> Treebank:
        """The trees that a run has, without punctuation."""
        return self.dataset.trees.select(self.dataset.drawn(run.trees, run.draw))

    def parsed(self, run: ScalingRun) -> Treebank:
        """The words under the trees of what a run does, without what it adds."""
        dataset, drawn = self.dataset, (run.trees, run.draw)
        if run.does == SUPERVISED:
            return self.supervised(*drawn).parse(dataset.trees)
        if run.does == MARKED:
            model = self._fitted(dataset.text.with_heads(dataset.heads), *drawn)
        elif run.does == LINES:
            model = self.grammar(run.lines)
        elif run.does == VOTED:
            settings = replace(SETTINGS, tags=dataset.column, second_order=True)
            model = train_grammar(dataset.text, self.lines(run), settings).model
        else:
            model = self.stacked(run.lines, *drawn)
        return model.parse(dataset.text).without_punctuation()

    def lines(self, run: ScalingRun) -> list[Constraint]:
        """The lines of a run."""
        return self.dataset.lines[run.lines]

    def votes_of(self, run: ScalingRun) -> Stacked:
        """The second-order parser of the lines and the trees, and the grammars that it reads."""
        return cast(Stacked, self.stacked(run.lines, run.trees, run.draw).second_order)

    def _grammar(self, lines) -> Grammar:
        settings = replace(SETTINGS, tags=self.dataset.column)
        return cast(Grammar, train_grammar(self.dataset.text, self.dataset.lines[lines], settings).model)

    def _stacked(self, lines, trees, draw) -> Grammar:
        dataset, settings = self.dataset, replace(SETTINGS, tags=self.dataset.column, stacked=True)
        heads = dataset.heads_of(dataset.drawn(trees, draw))
        given = dataset.text, dataset.lines[lines], settings
        return cast(Grammar, train_grammar(*given, trees=heads, start=self.grammar(lines)).model)

    def _supervised(self, trees, draw) -> MSTParser:
        return self._fitted(self.dataset.trees, trees, draw)

    def _fitted(self, text, trees, draw):
        parser = MSTParser(order=2, labels=False, tags=self.dataset.column)
        return parser.fit(text.select(self.dataset.drawn(trees, draw)), epochs=EPOCHS, seed=draw)
