"""One place of the ladder: what one has, what one does with it, and how many heads that gets right."""

import time
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import cast

import numpy as np

from core.constraints import Constraint, GrammarSettings, train_grammar
from core.constraints.grammar import Grammar
from core.constraints.stacked import Stacked
from core.constraints.stacking import LEAST_VOTE, MASS, WORDS_PER_NAT
from core.experiments.beyond.ladder_texts import Ground
from core.experiments.beyond.learners import accuracy
from core.experiments.resumable import results_file
from core.parsers import MSTParser
from core.treebank import Treebank

LINES, VOTED, SUPERVISED, MARKED, TOGETHER = (
    "lines",
    "lines, with votes",
    "supervised",
    "supervised, with marks",
    "together",
)
EPOCHS = 10
SETTINGS = GrammarSettings()


@dataclass(frozen=True)
class Cell:
    """A place: settings that are plain values.

    Attributes
    ----------
    text, tags : str
        Of the Ground.
    lines : str
        Which of its sets of lines; "" for none.
    trees : int
        How many.
    draw : int
        Which trees, and the order in which a parser sees them.
    does : {"lines", "lines, with votes", "supervised", "supervised, with marks", "together"}
        A grammar of the lines alone, without and with the votes of a second-order parser; a second-order parser of the
        trees alone, whose text is without and with punctuation; both.
    added : str
        What is done on top, of ``ladder_additions.ADDITIONS``; "" for nothing.
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


class Bench:
    """Trains what the cells of a Ground ask for, and keeps what several of them share."""

    def __init__(self, ground: Ground):
        self.ground = ground
        self.grammar = lru_cache(maxsize=None)(self._grammar)
        self.supervised = lru_cache(maxsize=1)(self._supervised)
        self.stacked = lru_cache(maxsize=1)(self._stacked)

    def path(self, name: str, *more: object) -> Path:
        """The file of results: another one for another text, other lines or settings, and ``more``."""
        ground = self.ground
        lines = [line.text for each in ground.lines.values() for line in each]
        settings = SETTINGS, EPOCHS, MASS, LEAST_VOTE, WORDS_PER_NAT
        return results_file(name, ground.text.content_hash, ground.trees.content_hash, *lines, *settings, *more)

    def result(self, cell: Cell) -> dict:
        """The cell's settings; ``judged``: right heads of the test part in percent; ``seconds`` of the processor."""
        began = time.process_time()
        return self.scored(cell, self.test_part(self.parsed(cell)), began)

    def scored(self, cell: Cell, parsed: Treebank, began: float) -> dict:
        """As ``result``, of a test part under trees that are there."""
        return {**asdict(cell), "judged": self.accuracy(parsed), "seconds": round(time.process_time() - began, 1)}

    def accuracy(self, parsed: Treebank) -> float | None:
        """Right heads of the test part, without punctuation, in percent."""
        return accuracy(self.test_part(self.ground.trees), parsed, np.ones(len(parsed), bool))

    def test_part(self, text: Treebank) -> Treebank:
        """The sentences that are scored."""
        return text.select(np.flatnonzero(self.ground.test))

    def given(self, cell: Cell) -> Treebank:
        """The trees that a cell has, without punctuation."""
        return self.ground.trees.select(self.ground.drawn(cell.trees, cell.draw))

    def parsed(self, cell: Cell) -> Treebank:
        """The words under the trees of what a cell does, without what it adds."""
        ground, drawn = self.ground, (cell.trees, cell.draw)
        if cell.does == SUPERVISED:
            return self.supervised(*drawn).parse(ground.trees)
        if cell.does == MARKED:
            return self._fitted(ground.text.with_heads(ground.heads), *drawn).parse(ground.text).without_punctuation()
        if cell.does == LINES:
            model = self.grammar(cell.lines)
        elif cell.does == VOTED:
            settings = replace(SETTINGS, tags=ground.column, second_order=True)
            model = train_grammar(ground.text, self.lines(cell), settings).model
        else:
            model = self.stacked(cell.lines, *drawn)
        return model.parse(ground.text).without_punctuation()

    def lines(self, cell: Cell) -> list[Constraint]:
        """The lines of a cell."""
        return self.ground.lines[cell.lines]

    def votes_of(self, cell: Cell) -> Stacked:
        """The second-order parser of the lines and the trees, and the grammars that it reads."""
        return cast(Stacked, self.stacked(cell.lines, cell.trees, cell.draw).second_order)

    def _grammar(self, lines) -> Grammar:
        settings = replace(SETTINGS, tags=self.ground.column)
        return cast(Grammar, train_grammar(self.ground.text, self.ground.lines[lines], settings).model)

    def _stacked(self, lines, trees, draw) -> Grammar:
        ground, settings = self.ground, replace(SETTINGS, tags=self.ground.column, stacked=True)
        heads = ground.heads_of(ground.drawn(trees, draw))
        given = ground.text, ground.lines[lines], settings
        return cast(Grammar, train_grammar(*given, trees=heads, start=self.grammar(lines)).model)

    def _supervised(self, trees, draw) -> MSTParser:
        return self._fitted(self.ground.trees, trees, draw)

    def _fitted(self, text, trees, draw):
        parser = MSTParser(order=2, labels=False, tags=self.ground.column)
        return parser.fit(text.select(self.ground.drawn(trees, draw)), epochs=EPOCHS, seed=draw)
