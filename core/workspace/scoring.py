"""The one score of trees against known trees, with its conditions: pages, runs and commands all have it from here.

A word is scored where its head is known. A number that stands alone leaves punctuation out, as training does, and most
published figures do; Compare shows both, each named. No sentence is scored whose tree the parser learnt from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from core.errors import WorkbenchError
from core.evaluation.estimates import AccuracyEstimate, estimate
from core.workspace.wording import all_learnt, amount, beside_score, share_and_count, share_in_text

UNREAD = {"former_tags": 0, "tags_by_hand": 0}  # conditions of a file or a baseline, of which no tags are known
UNKNOWN_TRAINING = "what it was trained on is not known: on sentences that it has seen, its score is too high"
PUNCTUATED = {True: "with punctuation", False: "without punctuation"}


@dataclass(frozen=True, kw_only=True)
class ScoreConditions:
    """What a score is of. Scores of one parse under equal conditions are equal.

    Attributes
    ----------
    sentences : int
        How many are scored.
    by_hand : int
        Those of them whose trees count by a person's mark; the others' are the file's.
    only_begun : int
        Those of these that are begun and not done, which count by choice.
    against : str
        Whose the known trees are, if they are not the text's own.
    drawn_from : int or None
        Of how many sentences the scored ones were drawn at random; None where nobody drew them.
    punctuation : bool or None
        Whether it is counted; None where a table shows both, or another rule says what counts.
    learnt : int
        Sentences with known trees that are left out, since a parser learnt from them.
    learners : str
        Which parsers did, where several are scored together.
    unparsed : int
        Sentences with known trees that are left out, since a parser has not parsed them.
    began : int
        Scored sentences whose trees began from this parser's proposals.
    former_tags, tags_by_hand : int
        Scored words of which the parser read another tag than they have now; a tag that was corrected by hand.
    related : int
        Scored sentences that its relations were learnt from, so that LAS is not scored.
    is_unknown : bool
        Whether nobody knows what the parser was trained on.
    which : str
        A digest of the numbers of the scored sentences.
    """

    sentences: int
    by_hand: int = 0
    only_begun: int = 0
    against: str = ""
    drawn_from: int | None = None
    punctuation: bool | None = False
    learnt: int = 0
    learners: str = ""
    unparsed: int = 0
    began: int = 0
    former_tags: int = 0
    tags_by_hand: int = 0
    related: int = 0
    is_unknown: bool = False
    which: str = field(default="", repr=False)

    @property
    def basis(self) -> str:
        """What is scored, in words that follow a number of words: ``without punctuation, in 20 sentences …``."""
        trees = f"in {amount(self.sentences, 'sentence')}"
        if self.against:
            trees += f", against {self.against}"
        elif self.by_hand and self.by_hand == self.sentences:
            trees += " corrected by hand"
        elif self.by_hand:
            trees += f", {self.by_hand:,} of them corrected by hand"
        else:
            trees += " of the file"
        trees += f", {self.only_begun:,} of them only begun" if self.only_begun else ""
        names = [] if self.punctuation is None else [PUNCTUATED[self.punctuation]]
        drawn_words = [] if self.drawn_from is None else [f"drawn at random from {self.drawn_from:,}"]
        by = f" by {self.learners}" if self.learners else ""
        learnt = [beside_score({"learnt": self.learnt}).removeprefix(", ") + by] if self.learnt else []
        unparsed = [f"without {amount(self.unparsed, 'sentence')} not parsed"] if self.unparsed else []
        return ", ".join([*names, trees, *drawn_words, *learnt, *unparsed])

    @property
    def doubts(self) -> tuple[str, ...]:
        """What else the parser's score depends on, in clauses."""
        have = "has" if self.former_tags == 1 else "have"
        clauses = {
            f"{amount(self.began, 'sentence')} began from its own trees, so its score is too high": self.began,
            f"{amount(self.former_tags, 'tag')} {have} changed since it parsed them": self.former_tags,
            f"{amount(self.tags_by_hand, 'tag')} corrected by hand here: expect less elsewhere": self.tags_by_hand,
            f"no LAS, since its relations were learnt from {self.related:,} of them": self.related,
            UNKNOWN_TRAINING: self.is_unknown,
        }  # fmt: skip
        return tuple(clause for clause, holds in clauses.items() if holds)

    @property
    def phrase(self) -> str:
        """All conditions, in words that follow a number of words."""
        return "; ".join([self.basis, *self.doubts])

    @property
    def short(self) -> str:
        """As ``phrase``, but no more than whether punctuation is counted where all trees of the file are scored."""
        is_usual = not (self.by_hand or self.against or self.drawn_from or self.learnt or self.unparsed or self.doubts)
        return PUNCTUATED[self.punctuation] if is_usual and self.punctuation is not None else self.phrase

    @property
    def text(self) -> str:
        """All conditions as a sentence, without its full stop."""
        return self.phrase[0].upper() + self.phrase[1:]


@dataclass(frozen=True, eq=False)
class Score:
    """How many words of a parse are right, and under which conditions.

    Attributes
    ----------
    right, counted : ndarray of shape (rows,), dtype bool
        Of the words of the known trees: those that are right, those that are scored.
    offsets : ndarray of shape (S + 1,), dtype int64
    conditions : ScoreConditions
    system : int or None
        The number of words of the system, for an F1 of gold's words and its; None for a share of gold's.
    """

    right: np.ndarray
    counted: np.ndarray
    offsets: np.ndarray
    conditions: ScoreConditions
    system: int | None = None

    @cached_property
    def hits(self) -> int:
        """The number of words that are right, each counted once."""
        return int((self.right & self.counted).sum())

    @cached_property
    def words(self) -> int:
        """The number of words that are scored."""
        return int(self.counted.sum())

    @property
    def is_plain(self) -> bool:
        """Whether it is a share of gold's words: gold and the system have as many."""
        return self.system is None or self.system == self.words

    @property
    def share(self) -> float | None:
        """The share of right words from 0 to 1, or the F1; None of no words."""
        both = self.words + (self.words if self.system is None else self.system)
        return 2 * self.hits / both if both else None

    @property
    def text(self) -> str:
        """Percentage and number of right words, for a table that says out of how many; "none" of none."""
        if self.is_plain:
            return share_and_count(self.hits, self.words)
        return f"{self.share or 0.0:6.1%} · {self.hits:,}"

    @property
    def rows(self) -> np.ndarray:
        """The scored words that are not right: int64, ascending."""
        return np.flatnonzero(self.counted & ~self.right)

    @cached_property
    def estimate(self) -> AccuracyEstimate | None:
        """The share with its interval; None where fewer than two sentences have scored words.

        Sentences that were drawn stand for those that they were drawn from, others for a text without end.
        """
        starts = self.offsets[:-1]
        right, words = (np.add.reduceat(rows, starts, dtype=np.int64) for rows in (self.right, self.counted))
        of, left_out = self.conditions.drawn_from, self.conditions.learnt + self.conditions.unparsed
        try:
            return estimate(right, words, None if of is None else of - left_out)
        except WorkbenchError:
            return None

    @property
    def figures(self) -> dict[str, int]:
        """The score as runs record it: right, scored words, sentences, and what the conditions say of these."""
        of = self.conditions
        marked = {"by_hand": of.by_hand, "only_begun": of.only_begun}
        counts = {"learnt": of.learnt} | recorded_conditions(of.sentences, marked)
        return {"right": self.hits, "words": self.words} | counts


def score_figures(scored: Score, learnt: np.ndarray) -> dict:
    """The figure "model", a Score, where there are known trees; "learnt", the numbers of what was learnt, if any."""
    numbers = {"learnt": (learnt + 1).tolist()} if len(learnt) else {}
    return numbers | ({"model": scored.figures} if scored.words or scored.conditions.learnt else {})


def recorded_conditions(sentences: int, marked: Mapping) -> dict:
    """What a run records of its scored sentences, for ``recorded_words``.

    ``marked`` is ``Standing.marked`` of them, or says in other names of ScoreConditions what they are.
    """
    return {"sentences": sentences} | {name: value for name, value in marked.items() if value or name == "by_hand"}


def recorded_words(scores: Mapping, punctuation: bool | None = None) -> str:
    """The conditions of the score that a run recorded, in words that follow it.

    ``punctuation`` says whether runs of its kind count it; None where its name does. Older runs kept fewer conditions.
    """
    if "sentences" not in scores:
        return ("" if punctuation is None else f", {PUNCTUATED[punctuation]}") + beside_score(scores)
    names = "sentences", "by_hand", "only_begun", "against", "learnt", "is_unknown"
    told = {name: scores[name] for name in names if name in scores}
    return f", {ScoreConditions(**told, punctuation=punctuation).phrase}"


def recorded_accuracy(scores: Mapping | None, decided: str = "heads") -> str:
    """A recorded score with numerator, denominator and conditions but for punctuation: ``82.0% (41 of 50, in …)``.

    ``decided`` is what is right or wrong of a word. Returns "none" where all sentences were learnt from, and "" without
    scores.
    """
    if not scores or not (scores.get("words") or scores.get("learnt")):
        return ""
    if not scores.get("words"):
        return f"none ({all_learnt(scores['learnt'], decided)})"
    share = share_in_text(scores["right"], scores["words"])
    return f"{share.removesuffix(')')}{recorded_words(scores)})"
