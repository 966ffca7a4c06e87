"""Trees that teach besides the constraints: marked sentences, manual corrections, or another treebank."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from core.errors import InfeasibleError, WorkbenchError
from core.evaluation.learnt import has_heads, learnt_sentences, without_trees_of
from core.parsers.crf.distribution import TreeDistribution
from core.store import Corpus
from core.treebank import Treebank
from core.trees import require_tree
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.plan import ConstraintPlan
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

DASH = re.compile(r"\s*[-–]\s*")  # an en dash too: people paste it
RANGE = re.compile(r"(\d+)(?:-(\d+))?")
PlanT = TypeVar("PlanT", bound=ConstraintPlan)


@dataclass(frozen=True, eq=False)
class KnownTrees:
    """Sentences with known heads, which teach.

    Attributes
    ----------
    parts : tuple of Treebank
        The sentences of each source.
    complete, partial : int
        Sentences of which all heads, or only some, are known.
    problems : tuple of str
        One for each sentence that was left out because the model in use gives its heads no probability.
    begun : int
        How many are corrected by hand and only begun.
    """

    parts: tuple[Treebank, ...]
    complete: int
    partial: int
    problems: tuple
    begun: int = 0

    @classmethod
    def joined(cls, several: Sequence["KnownTrees"]) -> "KnownTrees":
        """The sentences of several KnownTrees."""
        problems = tuple(problem for known in several for problem in known.problems)
        banks = tuple(bank for known in several for bank in known.parts)
        complete, partial = sum(known.complete for known in several), sum(known.partial for known in several)
        return cls(banks, complete, partial, problems, sum(known.begun for known in several))

    def counts(self, left_out: int) -> dict[str, int]:
        """What a run records of them; ``left_out`` sentences could not be learnt from."""
        begun = {"begun": self.begun} if self.begun else {}
        return {"complete": self.complete, "partial": self.partial, "left_out": left_out} | begun

    @cached_property
    def treebank(self) -> Treebank:
        """All sentences in one treebank."""
        if len(self.parts) == 1:
            return self.parts[0]
        return Treebank.from_sentences(sentence.as_dict() for part in self.parts for sentence in part)


def parse_numbers(text: str, most: int) -> tuple[int, ...]:
    """Sentence numbers as people write them, ``1-20, 33``: ascending tuple of int, each once.

    Raises WorkbenchError for what is no number, a range that runs downward, or a number beyond ``most``.
    """
    numbers = set()
    for part in filter(None, re.split(r"[,;\s]+", DASH.sub("-", text))):
        match = RANGE.fullmatch(part)
        if match is None:
            raise WorkbenchError(f"{part!r} is not a sentence number; write numbers and ranges, such as 1-20, 33")
        first, last = int(match.group(1)), int(match.group(2) or match.group(1))
        if first > last:
            raise WorkbenchError(f"the range {part} runs downward; write {last}-{first}")
        if not 1 <= first <= last <= most:
            raise WorkbenchError(f"there is no sentence {last if first else 0}; this text has sentences 1 to {most}")
        numbers.update(range(first, last + 1))
    return tuple(sorted(numbers))


def format_numbers(numbers: Iterable[int]) -> str:
    """Ascending sentence numbers as ``parse_numbers`` reads them."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def with_marked(settings: PlanT, number: int, marked: bool) -> PlanT:
    """Settings in which the sentence ``number``, from 1, is ``marked`` to learn from, or is not."""
    others = set(settings.marked) - {number}
    return replace(settings, marked=tuple(sorted(others | {number} if marked else others)))


def trees_key(workspace: Workspace, text: ConstraintInputs) -> str | None:
    """The cache key of the trees that the settings of a text ask for, and of their model; None without trees."""
    settings = text.settings
    if settings.treebank is None and not settings.marked and not settings.corrections:
        return None
    other = None if settings.treebank is None else workspace.corpus_key(workspace.store.corpus(settings.treebank))
    own = workspace.corpus_key(text.corpus) if settings.marked or settings.corrections else None
    model = settings.tags, settings.distribution.projective, text.has_no_punctuation
    return json.dumps([own, settings.marked, settings.corrections, other, *model])


def known_trees(workspace: Workspace, text: ConstraintInputs) -> KnownTrees | None:
    """The KnownTrees that the settings of a text ask for, or None.

    O(sum of n^3) of the known sentences. Raises WorkbenchError where a sentence is not there, no head is known, or the
    other treebank lacks the tags in use. Raises StoreError where the other corpus has been removed.
    """
    settings, parts, own = text.settings, [], []
    if settings.marked:
        treebank, last = workspace.treebank(text.corpus), settings.marked[-1]
        if last > len(treebank):
            raise WorkbenchError(
                f"sentence {last} is to be learned from, but the text has {len(treebank)}; choose others in Settings"
            )
        chosen = treebank.select(np.array(settings.marked) - 1)
        own.append(len(parts))
        parts.append(_with_some_head(chosen, "the sentences chosen to learn from"))
    if settings.treebank is not None:
        corpus = workspace.store.corpus(settings.treebank)
        treebank = workspace.treebank(corpus)
        if not getattr(treebank, settings.tags).filled:
            raise WorkbenchError(
                f"{corpus.name} has no {settings.tags.upper()} tags to learn trees over; tag it, or choose other trees"
            )
        parts.append(_with_some_head(treebank, corpus.name))
    if settings.corrections:
        own.append(len(parts))
        parts.append(trees_by_hand(workspace, text.corpus, "or switch this off in Settings, Trees"))
    if not parts:
        return None
    only_begun = workspace.settled(text.corpus).only_begun
    known = []
    for number, part in enumerate(parts):
        bank = part.without_punctuation() if text.has_no_punctuation else part
        possible = select_possible(bank, settings.distribution)
        begun = int(np.isin(possible.treebank.picks, only_begun).sum()) if number in own else 0
        known.append(replace(possible, begun=begun))
    return KnownTrees.joined(known)


def trees_by_hand(workspace: Workspace, corpus: Corpus, otherwise: str = "") -> Treebank:
    """The sentences of a Corpus with a tree by hand that counts. Raises WorkbenchError where there is none.

    ``otherwise`` says what else can be done about it.
    """
    settled = workspace.settled(corpus)
    if not len(settled.by_hand):
        begun = len(workspace.standing(corpus).corrected)
        right = (
            f"mark done what is right of the {amount(begun, 'tree')} begun, or let them count under Options in Annotate"
        )
        then = right if begun else "correct one first"
        raise WorkbenchError(
            f"no tree of this text is corrected and marked done yet; {', '.join(filter(None, [then, otherwise]))}"
        )
    return settled.treebank.select(settled.by_hand)


def learnt_from(workspace: Workspace, text: ConstraintInputs, known: KnownTrees | None) -> np.ndarray:
    """int64, ascending: the sentences of a text's corpus, those that it lets in or not, that KnownTrees have trees of.

    O(words).
    """
    whole = workspace.treebank(text.corpus)
    whole = whole.without_punctuation() if text.has_no_punctuation else whole
    return whole.picks[learnt_sentences(whole, *(known.parts if known else ()))]


def align_rows(text: ConstraintInputs, parts: Iterable[Treebank]) -> np.ndarray:
    """int32 (rows of the text's treebank,): the heads of sentences of its corpus, -1 elsewhere; later ones count.

    Sentences that the text lets in, with punctuation or without.
    """
    heads = np.full(len(text.treebank.heads), -1, dtype=np.int32)
    position = {int(pick): k for k, pick in enumerate(text.treebank.picks)}
    for part in parts:
        bank = part.without_punctuation() if text.has_no_punctuation else part
        for i, pick in enumerate(bank.picks.tolist()):
            k = position.get(pick)
            if k is not None and text.treebank.lengths[k] == bank.lengths[i]:
                heads[slice(*text.treebank.offsets[k : k + 2])] = bank.heads[slice(*bank.offsets[i : i + 2])]
    return heads


def select_possible(treebank: Treebank, distribution: TreeDistribution) -> KnownTrees:
    """KnownTrees of the sentences of a Treebank whose known heads some tree of a TreeDistribution has."""
    problems, possible = [], np.ones(len(treebank), dtype=bool)
    for sentence in treebank:
        try:
            require_tree(_allowed(sentence.heads), distribution.single_root, distribution.projective)
        except InfeasibleError as error:
            reason = str(error).removeprefix("no tree is possible: ")
            name = f"{treebank.picks[sentence.index] + 1}" + (f" ({sentence.sent_id})" if sentence.sent_id else "")
            problems.append(f"Sentence {name} is left out: with its heads, {reason}")
            possible[sentence.index] = False
    if not possible.any():
        raise WorkbenchError(
            f"no sentence with known heads ({len(treebank):,} in all) can be learned from: {problems[0]}"
        )
    treebank = treebank.select(possible)
    known = np.add.reduceat(treebank.heads >= 0, treebank.offsets[:-1], dtype=np.int64)
    complete = int((known == treebank.lengths).sum())
    return KnownTrees((treebank,), complete, len(treebank) - complete, tuple(problems))


def _with_some_head(treebank, name):
    some = has_heads(treebank)
    if not some.any():
        raise WorkbenchError(f"no word of {name} has a head to learn from; give trees, whole or partial")
    return treebank if some.all() else treebank.select(some)


def _allowed(heads):
    """float64 (n + 1, n + 1): 0 where an arc agrees with the known heads, -inf elsewhere."""
    scores = np.zeros((len(heads), len(heads)))
    for word in np.flatnonzero(heads >= 0):
        scores[:, word] = -np.inf
        scores[heads[word], word] = 0.0
    return scores


@dataclass(frozen=True, eq=False)
class Known:
    """The trees that a model is scored against.

    Attributes
    ----------
    text : ConstraintInputs
    heads : ndarray of shape (rows,), dtype int32
        Laid out like the text's treebank; -1 where unknown.
    sentences : int
        The number of sentences with a known head.
    by_hand : bool
        Whether all were corrected on the Annotate page, since the file has none.
    learnt : int
        Sentences with a known head that are left out, since they were learnt from.
    begun : tuple of int
        The sentences of its corpus whose trees are only begun, and count.
    """

    text: ConstraintInputs
    heads: np.ndarray
    sentences: int
    by_hand: bool
    learnt: int = 0
    begun: tuple[int, ...] = ()

    @cached_property
    def treebank(self) -> Treebank:
        """The text's sentences under these trees."""
        bank = self.text.treebank
        return without_trees_of(bank, has_heads(bank) & ~self._known) if self.learnt else bank

    @property
    def _known(self):
        """bool (S,): the sentences with a known head."""
        return np.logical_or.reduceat(self.heads >= 0, self.text.treebank.offsets[:-1])

    def without(self, picks: np.ndarray) -> "Known":
        """The known trees without those of the sentences ``picks`` of the corpus, which were learnt from."""
        learnt = np.isin(self.text.treebank.picks, picks)
        count = int((self._known & learnt).sum())
        if not count:
            return self
        heads = np.where(np.repeat(learnt, self.text.treebank.lengths + 1), -1, self.heads).astype(np.int32)
        return replace(self, heads=heads, sentences=self.sentences - count, learnt=self.learnt + count)

    @cached_property
    def key(self) -> str:
        """A hash of the heads."""
        return hashlib.sha256(self.heads.tobytes()).hexdigest()

    @property
    def source(self) -> str:
        """The source of the trees, in words."""
        whose = f"in {amount(self.sentences, 'corrected sentence')}" if self.by_hand else "in the text’s own trees"
        return whose + (f", {self._only_begun:,} of them only begun" if self._only_begun else "")

    @cached_property
    def _only_begun(self):
        return int((self._known & np.isin(self.text.treebank.picks, self.begun)).sum()) if self.begun else 0


def known_heads(workspace: Workspace, text: ConstraintInputs) -> Known | None:
    """The Known trees of a text: those of its file, under those that were corrected and marked done; or None.

    O(words).
    """
    count = int(has_heads(text.treebank).sum())
    settled = workspace.settled(text.corpus)
    begun = tuple(settled.only_begun.tolist())
    return Known(text, text.treebank.heads, count, not settled.file_has_trees, begun=begun) if count else None
