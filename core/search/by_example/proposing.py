"""From corrected sentences to requests that make the same change everywhere."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.annotation import SentenceAnnotation
from core.errors import WorkbenchError
from core.search.budget import Budget
from core.search.by_example.conditions import ChangeSites, statements
from core.search.by_example.learning import Conjunction, Learner
from core.search.by_example.units import SHAPES, ChangeShape, Dependents, Unit, places_in, units_of
from core.search.by_example.writing import Action, action_of, written
from core.search.word_values import WordValues
from core.treebank import Treebank

BEST, NARROWER, WIDER = "best", "narrower", "wider"


@dataclass(frozen=True)
class ExampleProposal:
    """A request that makes a change.

    Attributes
    ----------
    request : str
    level : str
        BEST is the best guess; NARROWER changes fewer places, WIDER more.
    kind : int
        Which of the changes in the corrections it is about, from 0, those that most of them have first.
    examples : tuple of int
        Indices of the corrected sentences that have this change.
    hits, sentences : int
        How many places it has besides those of the corrected sentences, and in how many sentences.
    places : tuple of (int, int)
        The first of them: index of the sentence, number of the word.
    """

    request: str
    level: str
    kind: int
    examples: tuple[int, ...]
    hits: int
    sentences: int
    places: tuple[tuple[int, int], ...]


SHOWN = 5  # places of a proposal


def propose_by_example(
    text: Treebank, corrected: Mapping[int, SentenceAnnotation], confirmed: Collection[int] = ()
) -> tuple[ExampleProposal, ...]:
    """Requests that make the change of a few corrected sentences everywhere.

    Parameters
    ----------
    text : Treebank
        With the trees of the corrected sentences as they were before.
    corrected : dict of int to SentenceAnnotation
        By the sentence's index: its tree and tags afterwards.
    confirmed : collection of int
        Indices of other sentences that somebody has looked at, which are right as they are.

    Returns
    -------
    tuple of ExampleProposal
        For each kind of change the best guess, one that changes less, one that changes more, where there are such.

    Raises
    ------
    WorkbenchError : no sentence differs; one has other words or no tree; several have no change in common.
    """
    units = [unit for index, after in sorted(corrected.items()) for unit in units_of(text, index, after)]
    if not units:
        if any(tuple(after.heads) != tuple(SentenceAnnotation.of(text[at]).heads) for at, after in corrected.items()):
            raise WorkbenchError(
                "the heads that were changed here are moved too far for a request; it can be written by hand under "
                "Corpus, Search"
            )
        raise WorkbenchError("nothing was corrected here: no head, relation or tag differs; correct a sentence first")
    return _Text(text, corrected, confirmed).proposals(units)


class _Text:
    def __init__(self, text, corrected, confirmed):
        self.text, self.corrected = text, corrected
        self.heads = np.where(text.heads >= 0, text.root_rows + text.heads, -1)
        self.below = Dependents(self.heads)
        looked_at = np.zeros(len(text), bool)
        looked_at[[*corrected, *confirmed]] = True
        self.looked_at = looked_at[text.sentence_rows]

    def proposals(self, units):
        proposals, kinds, left = [], 0, units
        while left:
            done, chosen = self.kind(left)
            if len(self.corrected) > 1 and not kinds and len({unit.sentence for unit in chosen}) < 2:
                raise WorkbenchError(
                    "these corrections have no change in common; choose those that change the same thing"
                )
            if done is not None:
                proposals += self.levels(*done, kinds)
                kinds += 1
            left = [unit for unit in left if unit not in chosen]
        return tuple(proposals)

    def kind(self, units):
        """((shape, action, learner, conjunctions) of the change that most sentences have, its Units)."""
        groups = [(shape, chosen) for shape in SHAPES.values() for chosen in _alike(units, shape)]
        if not groups:
            return None, units
        most = max(_weight(chosen) for _, chosen in groups)
        learnt = []
        for shape, chosen in groups:
            if _weight(chosen) == most:
                action = action_of(chosen, shape)
                assert action is not None  # _alike has seen to it
                learner, conjunctions = self.learn(shape, action, chosen)
                learnt.append((conjunctions[0].loss, len(learnt), (shape, action, learner, conjunctions), chosen))
        _, _, done, chosen = min(learnt)
        return done, chosen

    def learn(self, shape, action, units):
        """(Learner, Conjunctions, best first) of a kind of change."""
        column = getattr(self.text, shape.field)
        has_old = np.isin(column.ids, [column.numbers[value] for value in action.old]) & self.text.is_word
        places = places_in(self.text, shape, np.flatnonzero(has_old), self.heads, self.below)
        known = {unit.places[shape.name] for unit in units}
        is_example = np.zeros(len(places), bool)
        mine = np.flatnonzero(self.looked_at[places[:, 0]])
        is_example[mine] = [tuple(place) in known for place in places[mine].tolist()]
        values = WordValues(self.text, Budget())
        sites = ChangeSites(self.text, values, self.heads, shape, places, is_example, action.new or "")
        learner = Learner(sites, self.looked_at[places[:, 0]] & ~is_example)
        return learner, learner.learn(list(statements(sites)))

    def levels(
        self, shape: ChangeShape, action: Action, learner: Learner, conjunctions: Sequence[Conjunction], kind: int
    ):
        """The proposals of a kind: best guess, narrower, wider."""
        best = conjunctions[0]
        chosen = [(BEST, best)]
        for level, is_other in ((NARROWER, _adds_to), (WIDER, _adds_to_other)):
            other = next((each for each in conjunctions if is_other(each, best)), None)
            chosen += [(level, other)] if other is not None else []
        examples = tuple(sorted({int(sentence) for sentence in learner.sentence[learner.sites.is_example]}))
        for level, conjunction in chosen:
            rows = np.unique(learner.sites.places[conjunction.holds, 0])
            rows = rows[~self.looked_at[rows]]
            sentences = self.text.sentence_rows[rows]
            first = zip(sentences[:SHOWN].tolist(), (rows - self.text.root_rows[rows])[:SHOWN].tolist(), strict=True)
            yield ExampleProposal(
                written(shape, action, conjunction.statements), level, kind, examples, len(rows),
                len(np.unique(sentences)), tuple(first),
            )  # fmt: skip


def _alike(units: Sequence[Unit], shape: ChangeShape):
    """Lists of the Units that a ChangeShape fits and that have one Action in common."""
    fitting = [unit for unit in units if shape.name in unit.places]
    if not fitting:
        return
    if action_of(fitting, shape) is not None:
        yield fitting
        return
    by_result = {}
    for unit in fitting:
        by_result.setdefault((unit.new, unit.head_new), []).append(unit)
    yield from (group for group in by_result.values() if action_of(group, shape) is not None)


def _weight(units):
    """How much a group of Units counts: sentences, then units."""
    return len({unit.sentence for unit in units}), len(units)


def _adds_to(one, other):
    """Whether a Conjunction has the conditions of another and more, and so fewer places."""
    return set(one.statements) > set(other.statements) and one.hits < other.hits


def _adds_to_other(one, other):
    return _adds_to(other, one)
