"""Questions to the author of constraints, what her answers are in the set, and examples where the parser contradicts.

An answer is a constraint of the set; that one is not known is a document of the text. All can be undone.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.constraints import Constraint, ConstraintDocument
from core.constraints.authoring.examples import DROP, Example, Verdict, can_be_shown, drawn_examples, judged
from core.constraints.authoring.questions import (
    AT_ONCE,
    ENOUGH,
    ArcQuestion,
    ArcQuestions,
    CheckedTrees,
    answer_of,
    answered,
)
from core.constraints.grammar.projected import target_range
from core.store import Command, Corpus, CorpusId, DocumentKind, Run, Store
from core.trees import PackedScores
from core.workspace.constraints.constraint_set import (
    change_constraint,
    line_saying,
    put_constraint,
    remove_constraint,
    saying,
)
from core.workspace.constraints.inputs import ConstraintInputs, ConstraintOutcome
from core.workspace.constraints.known_trees import Known
from core.workspace.constraints.learner import LearningSystem

NOT_KNOWN = "not-known"  # kind of the document with the names of questions that nobody here can answer
STORED = (DocumentKind(NOT_KNOWN, CorpusId, list[str]),)
MOST_ARCS = 400_000  # looked at for questions, in sentences spread over a longer text


@dataclass(frozen=True, eq=False)
class Interview:
    """All questions about a text.

    Attributes
    ----------
    text : ConstraintInputs
    sentences : ndarray of shape (K,), dtype int64
        Those looked at: the checked ones, and others spread over the text where it is long.
    arcs : ndarray of shape (A,), dtype int64
        Their arcs, as the text packs them.
    """

    text: ConstraintInputs
    sentences: np.ndarray
    arcs: np.ndarray
    index: ArcQuestions

    @classmethod
    def of(cls, text: ConstraintInputs, checked: np.ndarray) -> "Interview":
        """The questions of a text; ``checked``, bool (S,), are the sentences to be looked at in any case. O(arcs)."""
        squares = (text.treebank.lengths + 1) ** 2
        every = max(1.0, squares.sum() / MOST_ARCS)
        chosen = checked | (np.diff(np.arange(len(squares) + 1) // every, prepend=-1)[:-1] > 0)
        sentences, arcs = np.flatnonzero(chosen), np.flatnonzero(np.repeat(chosen, squares))
        return cls(text, sentences, arcs, ArcQuestions(text.treebank.select(sentences), text.settings.tags))

    def questions(
        self, marginals: PackedScores, passed: Collection[str], known: Known | None, below: PackedScores
    ) -> list[ArcQuestion]:
        """The next questions under the trees of a model, without those ``passed``, by name.

        Where enough sentences are checked by hand, questions on which the parser ``below`` differs from them come
        first. The numbers of words are those of the whole text.
        """
        checked = None
        if known is not None and has_checked(known):
            rows = np.isin(np.repeat(np.arange(len(known.treebank)), known.treebank.lengths + 1), self.sentences)
            checked = CheckedTrees(known.heads[rows], below.values[self.arcs])
        asked = self.index.ranked(marginals.values[self.arcs].astype(np.float64), passed, AT_ONCE, checked=checked)
        coverages = self.text.matcher.counts([question.constraint for question in asked])
        return [
            replace(question, of=coverage.denominator, examples=self._in_text(question.examples))
            for question, coverage in zip(asked, coverages, strict=True)
        ]

    def _in_text(self, examples):
        return tuple((int(self.sentences[sentence]), head, modifier) for sentence, head, modifier in examples)


def next_questions(
    learner: LearningSystem, text: ConstraintInputs, outcome: ConstraintOutcome, passed: Collection[str]
) -> list[ArcQuestion]:
    """The next questions under an outcome on a text, as ``Interview.questions``. O(sum of n^2).

    What its set says already is not asked, nor what nobody can answer.
    """
    known, checked = learner.known(text), np.zeros(len(text.treebank), bool)
    if known is not None and has_checked(known):
        checked = np.logical_or.reduceat(known.heads >= 0, text.treebank.offsets[:-1])
    key = text.key, known and known.key
    interview = learner.cached("questions", key, lambda: Interview.of(text, checked))
    below = learner.first_outcome(text)
    stated = (constraint.name for constraint in text.constraint_set.usable)
    passed = {*passed, *stated, *not_known(learner.store, text.corpus)}
    return interview.questions(outcome.marginals, passed, known, (outcome if below.is_uniform else below).marginals)


def has_checked(known: Known) -> bool:
    """Whether a parser is compared with the trees that are known of a text: enough were checked by hand."""
    return known.by_hand and known.sentences >= ENOUGH


def answer_in(source: str, constraint: Constraint) -> str | None:
    """The answer of a set to the question of a Constraint, None without that constraint."""
    stated = saying(source, constraint)
    return None if stated is None else answer_of((stated.low + stated.high) / 2)


def answer(store: Store, corpus: Corpus, source: str, question: ArcQuestion, word: str) -> None:
    """Write the answer to a question into the set, or take it back where it is there. One command."""
    if answer_in(source, question.constraint) == word:
        remove_constraint(store, corpus, source, line_saying(source, question.constraint) or 0)
    else:
        put_constraint(store, corpus, source, answered(question.constraint, word))


def not_known(store: Store, corpus: Corpus) -> list[str]:
    """The names of the questions about a text that nobody can answer."""
    return store.document(corpus.project, NOT_KNOWN, str(corpus.id)) or []


def leave_open(store: Store, corpus: Corpus, name: str) -> None:
    """Do not ask the question of that name about a text again. One command."""
    before = not_known(store, corpus)
    command = Command(NOT_KNOWN, str(corpus.id), before or None, [*before, name])
    store.execute(corpus.project, command, label=f"not knowing {name}")


@dataclass(frozen=True)
class Dispute:
    """A constraint of a set that pulled as hard as it may, while the parser's own ``share`` is far off its range."""

    constraint: Constraint
    share: float

    @property
    def words(self) -> str:
        """What both say."""
        low, high = target_range(self.constraint)
        return f"You say {low:.0%} to {high:.0%}, the parser {self.share:.0%}"


def disputes(run: Run, source: str) -> list[Dispute]:
    """The Disputes of a run that still stand in a set, and that examples can settle."""
    then = {constraint.name: constraint for constraint in ConstraintDocument.from_text(run.constraint_text).constraints}
    found = []
    for name, share in (run.figures.get("disputed") or {}).items():
        now = saying(source, then[name])
        if now is not None and now.target_text == then[name].target_text and now.weight <= 1 and can_be_shown(now):
            found.append(Dispute(now, share))
    return found


def examples(text: ConstraintInputs, outcome: ConstraintOutcome, dispute: Dispute, draw: int) -> list[Example]:
    """Ten words of a Dispute at random, each with its likeliest head; others for another ``draw``."""
    return drawn_examples(text.matcher, dispute.constraint, outcome.marginals.values, draw)


def settle(store: Store, corpus: Corpus, source: str, dispute: Dispute, right: Sequence[bool]) -> Verdict:
    """Change the set as the examples of a Dispute say. One command, none where they decide nothing."""
    verdict, line = judged(dispute.constraint, dispute.share, right), line_saying(source, dispute.constraint)
    if line is not None and verdict.kind == DROP:
        remove_constraint(store, corpus, source, line)
    elif line is not None and verdict.constraint not in (None, dispute.constraint):
        change_constraint(store, corpus, source, line, verdict.constraint)
    return verdict
