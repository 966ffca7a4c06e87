"""Joint inference by rounds (zhou2013, Algorithm 1): parse, look at the others' lists, parse again."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel
from core.errors import Cancelled
from core.features.packed import PackedParts
from core.joint.candidates import Candidates
from core.joint.measures import same_heads
from core.joint.settings import JointSettings
from core.joint.training import candidates, consensus
from core.parsers import MSTParser
from core.treebank import Treebank


@dataclass(frozen=True, eq=False)
class Scheme:
    """One annotation scheme's parsers.

    Attributes
    ----------
    name : str
    baseline : MSTParser
        Learnt from its treebank alone.
    temperature : float
        Of its lists.
    joints : tuple of MSTParser
        Learnt with consensus features: for the first round, the second, and so on; the last serves all later rounds.
    joint_temperatures : tuple of float
        Of their lists.
    """

    name: str
    baseline: MSTParser
    temperature: float = 1.0
    joints: tuple = ()
    joint_temperatures: tuple = ()

    def at(self, round_: int) -> tuple[MSTParser, float]:
        """(joint parser, temperature) of a round, counted from 1."""
        stage = min(round_, len(self.joints)) - 1
        return self.joints[stage], self.joint_temperatures[stage]


@dataclass(frozen=True, eq=False)
class JointParses:
    """A text under the trees of K parsers, round by round.

    Attributes
    ----------
    text : Treebank
        What was parsed, in the tags that the parsers read.
    lists : list of tuple of Candidates
        ``lists[r][k]`` are the candidates of parser k after round r; round 0 is each parser by itself.
    schemes : tuple of Scheme
    seconds : tuple of float
        Time of each round, the first of parsing alone.
    """

    text: Treebank
    lists: list
    schemes: tuple
    seconds: tuple

    def __len__(self):
        """Rounds, the one of parsing alone not counted."""
        return len(self.lists) - 1

    def heads(self, parser: int, after: int = -1) -> np.ndarray:
        """int32 (rows,): the trees of a parser after a round, the last by default."""
        return self.lists[after][parser].best

    def treebank(self, parser: int, after: int = -1) -> Treebank:
        """The text under these trees, with the scheme's relations."""
        heads = self.heads(parser, after)
        return self.text.with_heads(heads, self.schemes[parser].baseline.label(self.text, heads))

    def candidates(self, parser: int, after: int = -1) -> Candidates:
        """A parser's list after a round."""
        return self.lists[after][parser]

    def changed(self, parser: int, round_: int) -> np.ndarray:
        """bool (rows,): words whose head a round changed."""
        return self.heads(parser, round_) != self.heads(parser, round_ - 1)

    def agreement(self, after: int = -1) -> np.ndarray:
        """bool (rows,): words that all parsers attach to the same head."""
        return same_heads([trees.best for trees in self.lists[after]])

    @property
    def failed(self) -> tuple[np.ndarray, ...]:
        """For each parser, the sentences that it has no tree for; the others went on without it there."""
        return tuple(trees.failed for trees in self.lists[-1])

    @property
    def short(self) -> tuple[int, ...]:
        """For each parser, how many sentences have fewer trees than candidates were asked for."""
        return tuple(trees.short for trees in self.lists[-1])


def run_rounds(
    schemes: Sequence[Scheme], text: Treebank, settings: JointSettings, rounds: int | None = None,
    cancel: Cancel | None = None,
) -> tuple[list[tuple[Candidates, ...]], tuple[float, ...]]:  # fmt: skip
    """([tuple of Candidates after each round], seconds of each round).

    Parameters
    ----------
    schemes : sequence of Scheme
    text : Treebank
    settings : JointSettings
    rounds : int, optional
        Instead of the settings'.

    Notes
    -----
    Every round computes all features from the lists of the round before, and then replaces all lists: the order of the
    parsers does not matter. A round is one k-best parsing a parser.
    """
    began, seconds = time.perf_counter(), []
    lists = [tuple(candidates(scheme.baseline, text, settings, scheme.temperature) for scheme in schemes)]
    seconds.append(time.perf_counter() - began)
    for _ in range(settings.rounds if rounds is None else rounds):
        if cancel is not None and cancel():
            raise Cancelled
        began = time.perf_counter()
        parsers = round_parsers(schemes, text, lists, settings)
        lists.append(
            tuple(candidates(joint, text, settings, temperature, extra) for joint, temperature, extra in parsers)
        )
        seconds.append(time.perf_counter() - began)
    return lists, tuple(seconds)


def round_parsers(
    schemes: Sequence[Scheme], text: Treebank, lists: Sequence[Sequence[Candidates]], settings: JointSettings
) -> list[tuple[MSTParser, float, PackedParts]]:
    """[(joint parser, temperature, its consensus features of the text)] of each scheme, for the round after these."""
    round_, parsers = len(lists), []
    first = lists[0] if round_ > 1 and settings.stages > 1 else None
    for number, scheme in enumerate(schemes):
        seen = in_sight(number, lists[-1], first)
        parsers.append((*scheme.at(round_), consensus(scheme.baseline, text, seen, settings)))
    return parsers


def in_sight(number: int, latest: Sequence, first: Sequence | None = None) -> dict[int, Candidates]:
    """The lists of the others that a parser sees: their latest by their numbers, their first ones by further numbers.

    Later rounds tell what the others made of this parser's own trees; the first lists are the only independent ones.
    """
    seen = {other: trees for other, trees in enumerate(latest) if other != number}
    if first is not None:
        seen |= {len(latest) + other: trees for other, trees in enumerate(first) if other != number}
    return seen


def rounds_accuracy(
    lists: Sequence[Sequence[Candidates]], parser: int, gold: Treebank, punctuation: bool = False
) -> list[float]:
    """Share of words with the right head after each round, in percent: list of float."""
    scored = gold.heads >= 0
    if not punctuation:
        scored &= ~gold.punctuation()
    return [100 * float(np.mean((trees[parser].best == gold.heads)[scored])) for trees in lists]
