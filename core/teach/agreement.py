"""Two sides brought to agree on two sentences by prices, round by round: what is told whatever the sides decide.

One side is a solver of sentences, a parser or a tagger; the other is the consensus. A decision is (sentence, outcome,
word): an arc into a word, by its head, or a tag of a word. The run is live, by ``core.consistency``, and told from its
trace.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.consistency.results import Consistent
from core.draw.curves import CurvesPicture
from core.draw.matrix import Panels, Titled
from core.draw.scene import Picture
from core.teach.step import NAMED, SAME, Example, QuizQuestion, Step, listed, number, numbered
from core.treebank import Treebank

LEARNT_FROM = 1000  # sentences of a text, from its beginning, that are learnt from
PLACES = ("first", "second")
RISES, FALLS, STAYS, NOWHERE = "It rises", "It falls", "It stays", "At none"

Decision = tuple[int, int, int]  # sentence, outcome, word


@dataclass(frozen=True, slots=True)
class Pairing:
    """How two sentences of a text are found that an algorithm brings to agree.

    Attributes
    ----------
    shares : str
        What they share, such as "a context".
    missing : str
        What no other sentence does where one has no partner; its number goes in for {}.
    help : str
        What the choice of the second sentence says.
    liveliness : callable (Example) -> tuple of bool
        How much the run on its two sentences shows: the greatest shows most. Raises WorkbenchError where they share
        nothing.
    partners : callable (Treebank, int, list of int) -> list of int
        The sentences among some that may go with one, best first. Raises WorkbenchError for a text that has none.
    example : (str, str)
        The sentences of the built-in example.
    typed : (str, str)
        Two sentences to begin with where both are typed, which show something beside the built-in sample.
    scored : bool
        Whether it works on the scores of a parser that learnt from the text's trees.
    firsts : callable (Treebank, int) -> ndarray, optional
        The sentences, of at most so many words, that have a partner; the likeliest to show much come first. Without it
        all are offered.
    """

    shares: str
    missing: str
    help: str
    liveliness: Callable[[Example], tuple[bool, ...]]
    partners: Callable[[Treebank, int, Sequence[int]], list[int]]
    example: tuple[str, str]
    typed: tuple[str, str]
    scored: bool = True
    firsts: Callable[[Treebank, int], np.ndarray] | None = None


@dataclass(frozen=True, slots=True)
class SolverWords:
    """What the side of the sentences is called, and what it decides.

    Attributes
    ----------
    solver : str
        "parser".
    one, many, whole : str
        What it gives a word, "head"; the sentences, "trees"; a sentence, "tree".
    priced : str
        What prices stand on, before a word: "arcs into".
    worth : str
        What dual and primal value are of, before their unit.
    unit : str
        What follows a value in a caption, " nats" or nothing.
    """

    solver: str
    one: str
    many: str
    whole: str
    priced: str
    worth: str
    unit: str = ""


def how_lively(run: Consistent, base: np.ndarray, final: np.ndarray, shared: np.ndarray) -> tuple[bool, ...]:
    """How much a run shows: a proof; a decision that changes in a shared word, or anywhere; a disagreement.

    ``base`` and ``final`` are the decisions of all rows, alone and in the end, ``shared`` bool (rows,).
    """
    changed = base != final
    return run.is_certified, bool((changed & shared).any()), bool(changed.any()), len(run.trace) > 1


class AgreementWalk(ABC):
    """The steps of a run on two sentences.

    Parameters
    ----------
    run : Consistent
        Its first multipliers are zero.
    base, final : int arrays (rows,)
        What the solver alone decides for each word, and what both sides agreed on.
    shared : ndarray of shape (rows,), dtype bool
        Words of which the consensus speaks in both sentences.
    words : SolverWords
    """

    def __init__(
        self, run: Consistent, base: np.ndarray, final: np.ndarray, shared: np.ndarray, words: SolverWords
    ):  # fmt: skip
        self.run, self.trace, self.say = run, run.trace, words
        self.offsets, self.count = run.treebank.offsets, len(run.trace)
        self.sentences = [tuple(sentence.forms) for sentence in run.treebank]
        self.all_words = ("", *(word for words in self.sentences for word in words[1:]))
        self.base, self.final, self.shared = (self._split(rows) for rows in (base, final, shared))
        self.moves = [[self.decision(int(entry)) for entry in record.entries] for record in self.trace]  # up, then down
        self.entries = {
            decision: int(entry)
            for record, moved in zip(self.trace, self.moves, strict=True)
            for decision, entry in zip(moved, record.entries, strict=True)
        }
        self.disputed = sorted(self.entries)
        self.rounds = [(self._split(self.trace.solution(k)), self._prices(k)) for k in range(1, self.count + 1)]

    @abstractmethod
    def decision(self, entry: int) -> Decision:
        """The decision that a multiplier is on."""

    @abstractmethod
    def name(self, decision: Decision) -> str:
        """A decision, its word in it."""

    @abstractmethod
    def outcome(self, decision: Decision) -> str:
        """A decision, where its word was named."""

    @abstractmethod
    def loss(self, decision: Decision) -> float:
        """By how much the best of a sentence with a decision is worth less than the best of all, to the solver."""

    @abstractmethod
    def memory(self, s: int, m: int) -> str:
        """Why the consensus speaks of a word, in a sentence of its own."""

    @abstractmethod
    def drawn(self, s: int, decided: np.ndarray, prices: dict[Decision, float]) -> Picture:
        """The picture of a sentence."""

    @abstractmethod
    def table(self, decided: list[np.ndarray], prices: dict[Decision, float]) -> dict[str, list]:
        """The same of both sentences as columns."""

    def steps(self) -> Iterator[Step]:
        """The solver alone, each round, and how it ended."""
        title = f"The {self.say.solver} alone"
        yield Step(title, self._alone(), self._picture(self.base, 1, {}), self.table(self.base, {}))
        for k in range(1, self.count + 1):
            record, (decided, prices) = self.trace[k - 1], self.rounds[k - 1]
            caption = f"{self._prices_text(k)}{self._changes_text(k)}. {self.dispute(k)}; dual "
            caption += f"{number(record.dual, 2)}, primal {number(record.primal, 2)}{self.say.unit}."
            numbers = {"dual": record.dual, "primal": record.primal, "disagreements": record.disagreements,
                       "step": record.step, "decided": decided, "prices": prices}  # fmt: skip
            yield Step(
                f"Round {k}", caption, self._picture(decided, k, prices), self.table(decided, prices),
                self._question(k), numbers,
            )  # fmt: skip
        yield self._end()

    def _alone(self):
        """What the solver alone does with a word whose prices move first, or with one that both sentences share."""
        words = sorted(self._words(self.moved(2)), key=lambda at: self.final[at[0]][at[1]] == self.base[at[0]][at[1]])
        s, m = (words or [(s, int(m)) for s in range(len(PLACES)) for m in np.flatnonzero(self.shared[s])])[0]
        taken = self._placed([(s, self.name((s, int(self.base[s][m]), m)))])
        text = f"Alone, the {self.say.solver} takes {taken}"
        wanted = [decision for decision in self.moved(2, down=True) if (decision[0], decision[2]) == (s, m)]
        if wanted:
            lost = self.loss(wanted[0])
            worth = f"worth {number(lost, 2)}{self.say.unit} less" if lost > SAME else "worth as much"
            text += f"; the best {self.say.whole} with {self.outcome(wanted[0])} is {worth}"
        return f"{text}. {self.memory(s, m)}"

    def moved(self, k: int, down: bool = False) -> list[Decision]:
        """The decisions whose prices rose, or fell, before round k: of the words then in dispute."""
        moved = self.moves[k - 1] if k <= self.count else []
        half = len(moved) // 2
        return moved[half:] if down else moved[:half]

    def _words(self, decisions):
        return sorted({(s, m) for s, _, m in decisions})

    def named(self, words: Sequence[tuple[int, int]]) -> str:
        """``old (2) and big (5) in the first sentence``: the first few of (sentence, word)."""
        return self._placed([(s, numbered(self.sentences[s], m)) for s, m in words])

    def _placed(self, named):
        """The first few of (sentence, name), each sentence's names together."""
        listing = []
        for s, ordinal in enumerate(PLACES):
            names = [name for at, name in named[:NAMED] if at == s]
            if names:
                listing.append(f"{listed(names)} in the {ordinal} sentence")
        more = len(named) - NAMED
        return listed([*listing, *([f"{more} more"] if more > 0 else [])])

    def _prices_text(self, k):
        if k == 1:
            return "There are no prices yet"
        return f"Prices on {self.say.priced} {self.named(self._words(self.moved(k)))} move by {self._step_text(k)}"

    def _step_text(self, k):
        """By how much prices move before round k; words may have different steps."""
        before, now = self.rounds[k - 2][1], self.rounds[k - 1][1]
        steps = {round(abs(now[decision] - before[decision]), 9) for decision in self.moved(k)}
        return f"{'up to ' * (len(steps) > 1)}{number(self.trace[k - 1].step, 2)}"

    def _changes_text(self, k):
        """What else the solver takes than in the round before."""
        if k == 1:
            return ""
        changed = self._changes(self.rounds[k - 2][0], self.rounds[k - 1][0])
        if not changed:
            return f"; the {self.say.solver} keeps its {self.say.many}"
        return f"; the {self.say.solver} now takes {self._decisions(changed)}"

    def _changes(self, before, now):
        """The decisions of ``now`` that differ from those of ``before``."""
        return [
            (s, int(now[s][m]), m)
            for s in range(len(PLACES)) for m in np.flatnonzero(before[s] != now[s]).tolist()
        ]  # fmt: skip

    def _decisions(self, decisions):
        return self._placed([(decision[0], self.name(decision)) for decision in decisions])

    def dispute(self, k: int) -> str:
        """The words on which both sides disagree in round k."""
        count = self.trace[k - 1].disagreements
        if not count:
            return "Both sides agree" if self.run.status == "agreed" else "The bounds meet"
        words = self._words(self.moved(k + 1))
        where = self.named(words) if words else f"{count} word{'s' * (count > 1)}"
        return f"Both sides disagree on {where}"

    def _question(self, k):
        record = self.trace[k - 1]
        if k == 1:
            text = f"With no prices, do the {self.say.solver} and the consensus agree on every word?"
            return QuizQuestion(text, ("Yes", "No"), "No" if record.disagreements else "Yes")
        moved = self._words(self.moved(k))
        changed = self._words(self._changes(self.rounds[k - 2][0], self.rounds[k - 1][0]))
        if k % 2 == 0 and 2 <= len(moved) <= 6 and len(changed) < 2 and set(changed) <= set(moved):
            names = {word: self.named([word]) for word in moved}
            text = (
                f"Prices move by {self._step_text(k)}. At which word will the {self.say.solver} take another "
                f"{self.say.one}?"
            )
            return QuizQuestion(text, (*names.values(), NOWHERE), names[changed[0]] if changed else NOWHERE)
        return dual_question(self._step_text(k), self.trace[k - 2].dual, record.dual)

    def _end(self):
        run, say = self.run, self.say
        changed = self._changes(self.base, self.final)
        effect = f"the consensus brought {self._decisions(changed)}" if changed else (
            f"the {say.solver}’s {say.many} stay")  # fmt: skip
        caption = (
            f"The bounds meet at {number(run.primal, 2)}{say.unit}: no other {say.many} of both sentences together "
            f"are worth more; {effect}."
            if run.is_certified
            else f"The run stopped after {self.count} rounds, the bounds {number(run.bound - run.primal, 3)}"
            f"{say.unit} apart: nothing is proved."
        )
        question = QuizQuestion(
            "The rounds are over. Is the solution only good, or proved to be the best?",
            ("Only good", "Proved the best"), "Proved the best" if run.is_certified else "Only good",
        )  # fmt: skip
        return Step("The proof" if run.is_certified else "No proof", caption,
                    self._picture(self.final, self.count, {}), self.table(self.final, {}), question,
                    {"primal": run.primal, "bound": run.bound, "decided": self.final})  # fmt: skip

    def _split(self, rows):
        return [rows[a:b] for a, b in zip(self.offsets[:-1], self.offsets[1:], strict=True)]

    def _prices(self, k):
        """Decision -> multiplier under which round k was solved; for decisions that ever had one."""
        values = self.trace.multipliers(k, max(self.entries.values(), default=-1) + 1)
        return {decision: float(values[self.entries[decision]]) for decision in self.disputed}

    def _picture(self, decided, k, prices):
        sentences = tuple(
            Titled(f"{place.capitalize()} sentence", self.drawn(s, decided[s], prices))
            for s, place in enumerate(PLACES)
        )
        duals = tuple(record.dual for record in self.trace)
        primals = tuple(record.primal for record in self.trace)
        title = f"Dual and primal value, with {self.say.worth}"
        curves = CurvesPicture(title, ("dual", "primal"), (duals, primals), k - 1, 1)
        return Panels((Panels(sentences), curves), True, (0.72, 0.28))


def dual_question(step: str, before: float, now: float) -> QuizQuestion:
    """Whether the dual value rises when prices move by ``step``."""
    return value_question(f"Prices move by {step}. What will the dual value, {number(before, 2)}, do?", before, now)


def value_question(text: str, before: float, now: float) -> QuizQuestion:
    """Whether a value rises, falls or stays."""
    answer = STAYS if abs(now - before) < SAME else RISES if now > before else FALLS
    return QuizQuestion(text, (RISES, FALLS, STAYS), answer)


def signed(value: float) -> str:
    """A price with its sign; 0 has none."""
    return f"{value:+.2f}".replace("-", "−") if value else "0"
