"""Constraints and trees in one learner: a second-order parser of the trees reads what grammars say of each arc.

Three models are made from a text, constraints and a few known trees:

1. a grammar from the constraints alone;
2. a grammar that goes on from the first. Arcs that contradict known heads are forbidden, and the known sentences count
   for somewhat more than the whole text together: a few trees would else have no influence;
3. a second-order parser of the known trees, with the posteriors of both grammars as features of arcs. A grammar that
   had seen a tree is too sure of it. So in a known sentence the second feature comes from a grammar that had seen only
   the other half of the trees (cross-fitting). The arcs of its trees get a bonus of a nat for every 20 known words, at
   least four, up to a limit.

In the third step a word whose head is unknown gets its head in the grammar's best tree with the known heads. A sentence
counts in proportion to its share of words with known heads.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.callbacks import Cancel
from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.settings import CANCELLED, CONVERGED, MET, GrammarProgress, GrammarResult, GrammarSettings
from core.constraints.grammar.trainer import GrammarTrainer, Knowledge
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher
from core.features.packed import PackedDense, arc_offsets_of
from core.offsets import selected_rows
from core.parsers.constrained_completion import contradicting_arcs
from core.parsers.dual_ascent import PosteriorConstraints
from core.parsers.mst.parser import MSTParser
from core.parsers.punctuation_arcs import marks_between
from core.parsers.stacked import Stacked, arc_features
from core.treebank import Treebank
from core.treebank.edit import checked_heads
from core.treebank.unpunctuated import restore_punctuation
from core.trees import Bracket
from core.trees.eisner import eisner

KNOWN_SHARE = 1.25  # weight of all known trees together, over that of all sentences of the text
LEAST = 2  # sentences with known heads that stacking needs: one in each half
WORDS_PER_NAT = 20  # known words for each nat of the bonus: a parser of few words is often wrong
LEAST_VOTE = 4.0  # a parser worth less would lose to the grammar on the very trees that it learnt
PARTS = "all", "one half of", "the other half of"
PLAIN_SHARE, PART_SHARE = 1 / 2, 5 / 32  # of the time, for the grammar without trees, and for each that sees trees
Report = Callable[[GrammarProgress], object] | None


def without_trees(model: Grammar | ParserEnsemble | None) -> Grammar | ParserEnsemble | None:
    """The model to begin from: if it has learnt trees, its grammar that had not seen them."""
    if model is None or not isinstance(model.second_order, Stacked):
        return model
    first = model.second_order.grammars[0]
    assert isinstance(first, Grammar | ParserEnsemble)  # ``train_stacked`` made it
    return first


def train_stacked(
    known: "KnownSentences", constraints: Sequence[Constraint], settings: GrammarSettings, *,
    start: Grammar | ParserEnsemble | None = None, progress: Report = None, cancel: Cancel | None = None,
    threads: int | None = None,
) -> GrammarResult:  # fmt: skip
    """Train from constraints and the trees of a text, of ``LEAST`` sentences or more; otherwise as ``train_grammar``.

    Returns
    -------
    GrammarResult
        Its model is the grammar that has seen the trees, with the second-order parser's votes (``Stacked``). Cancelled
        before that parser has begun, it is the grammar from the constraints alone.

    Notes
    -----
    A training from constraints, three that begin from it, and ``epochs`` passes over the known trees.
    """
    start_time, settings = time.perf_counter(), replace(settings, stacked=False)
    treebank, results = known.treebank, []

    def train(sentences, start, done, share, suffix):
        heads, weight = None, 1.0
        if len(sentences):
            heads, weight = known.heads_of(sentences), max(1.0, KNOWN_SHARE * len(treebank) / len(sentences))
        weighted = replace(settings, known_weight=weight)
        trainer = GrammarTrainer(treebank, constraints, weighted, Knowledge(known.brackets, heads), threads)
        return trainer.run(start, _overall(progress, done, share, suffix, start_time), cancel)

    plain = result = train((), without_trees(start), 0.0, PLAIN_SHARE, "")
    for number, (name, sentences) in enumerate(zip(PARTS, (known.sentences, *known.halves), strict=True)):
        if result.status == CANCELLED:
            break
        done, suffix = PLAIN_SHARE + number * PART_SHARE, f", with {name} the trees"
        result = train(sentences, plain.model, done, PART_SHARE, suffix)
        results.append(result)
    if result.status == CANCELLED:
        return replace(plain, status=CANCELLED, seconds=time.perf_counter() - start_time)
    whole, *halves = results
    if report := _overall(progress, PLAIN_SHARE + len(PARTS) * PART_SHARE, 0.0, "", start_time):
        stage = f"a second-order parser learns {len(known.sentences)} trees"
        report(replace(whole.trace[-1], stage=stage))
    models = plain.model, whole.model, [half.model for half in halves]
    stacked, status, learnt = _learn(known, *models, settings, cancel, threads)
    model = whole.model.with_second_order(stacked)
    return _with_expectations(replace(whole, model=model, learnt=learnt, status=status), treebank, start_time, threads)


@dataclass(frozen=True, eq=False)
class KnownSentences:
    """The sentences of a text in which some heads are known.

    Attributes
    ----------
    treebank : Treebank
    heads : ndarray of shape (rows,), dtype int32
        -1 where unknown.
    sentences : ndarray of shape (k,), dtype int64
    word_count : int
        How many words, without punctuation, have a known head.
    brackets : list of lists of Bracket, optional
        Brackets of all sentences, in place of those of the comments.
    """

    treebank: Treebank
    heads: np.ndarray
    sentences: np.ndarray
    word_count: int
    brackets: Sequence[Sequence[Bracket]] | None = None

    @classmethod
    def of(
        cls, treebank: Treebank, trees: np.ndarray, brackets: Sequence[Sequence[Bracket]] | None = None
    ) -> "KnownSentences":
        """Find them, from heads int (rows,). Raises WorkbenchError for heads that are no forest."""
        heads = np.array(checked_heads(treebank.offsets, trees), np.int32)
        is_word = ~treebank.punctuation() & treebank.is_word
        known = (heads >= 0) & is_word
        any_known = np.logical_or.reduceat(known, treebank.offsets[:-1]) if len(treebank) else np.zeros(0)
        return cls(treebank, heads, np.flatnonzero(any_known), int(known.sum()), brackets)

    @property
    def halves(self) -> tuple[np.ndarray, np.ndarray]:
        """Every other known sentence, and the rest."""
        return self.sentences[::2], self.sentences[1::2]

    def heads_of(self, sentences: np.ndarray) -> np.ndarray:
        """The known heads of some sentences, -1 in all others."""
        chosen = np.zeros(len(self.treebank), bool)
        chosen[sentences] = True
        return np.where(np.repeat(chosen, self.treebank.lengths + 1), self.heads, np.int32(-1))

    def completed(self, model: Grammar | ParserEnsemble, threads: int | None) -> tuple[Treebank, np.ndarray]:
        """(the known sentences with whole trees, what share of each sentence's heads was known, float64 (k,)).

        A sentence without unknown heads stays as it is. In the others the model chooses the unknown heads of words, and
        punctuation is attached where it crosses no arc. A sentence whose known heads are in no projective tree keeps
        its gaps, so that it is not learnt from.
        """
        text = self.treebank.select(self.sentences)
        text = text.with_heads(self.heads[selected_rows(self.treebank.offsets, self.sentences)[0]])
        words = text.without_punctuation()
        arcs = arc_offsets_of(words.lengths)
        forbidden = contradicting_arcs(words.heads, words.lengths + 1, arcs)
        votes = np.where(forbidden, -np.inf, -model.price * marks_between(text, words))
        possible, shares = model.marginals(words, votes=votes, whole=text, threads=threads)
        best = eisner(shares.like(np.where(forbidden, -np.inf, shares.values)), threads=threads, errors="mark").values
        best = np.where(np.repeat(possible > -np.inf, words.lengths + 1), best, -1)
        seen = np.add.reduceat(words.heads >= 0, words.offsets[:-1]) / words.lengths
        has_gaps = np.add.reduceat(text.heads >= 0, text.offsets[:-1]) < text.lengths  # roots have no head
        heads = np.where(np.repeat(has_gaps, text.lengths + 1), restore_punctuation(text, words, best), text.heads)
        return text.with_heads(heads), seen


def _learn(known, plain, whole, halves, settings, cancel, threads):
    """(Stacked, status, how many sentences it learnt), from grammars that saw no trees, all of them, each half."""
    text, seen = known.completed(whole, threads)
    features = arc_features(text, (plain, whole), threads)
    parity = np.arange(len(text)) % 2  # as ``KnownSentences.halves``
    for half, other in ((0, halves[1]), (1, halves[0])):
        chosen = np.flatnonzero(parity == half)
        unseen = arc_features(text.select(chosen), (other,), threads)
        features.values[selected_rows(features.arc_offsets, chosen)[0], 1] = unseen.values[:, 0]
    parser = MSTParser(order=2, labels=False, tags=whole.column)
    parser.fit(
        text, epochs=settings.epochs, extra=PackedDense(features.arc_offsets, features.values),
        sentence_weights=seen, cancel=cancel,
    )  # fmt: skip
    learnt = len(text) - sum(parser.skipped.values())
    status = CANCELLED if parser.status == CANCELLED else CONVERGED
    vote = min(settings.stacked_vote, max(LEAST_VOTE, known.word_count / WORDS_PER_NAT))
    return Stacked(parser, (plain, whole), vote), status, learnt


def _with_expectations(result, treebank, start_time, threads):
    """The GrammarResult with the expectations of the constraints under the stacked model, on the whole text."""
    model = result.model
    words = treebank.without_punctuation()
    constraints = PosteriorConstraints.of(Matcher(words, model.column).match(result.constraints), np.inf)
    penalties = -model.price * marks_between(treebank, words)
    marginals = model.marginals(words, votes=penalties, whole=treebank, threads=threads)[1]
    expectations = constraints.expectations(marginals.values)
    missed = constraints.distances(expectations) > MET
    unmet = tuple(result.constraints[c] for c in np.flatnonzero(missed).tolist())
    return replace(result, expectations=expectations, unmet=unmet, seconds=time.perf_counter() - start_time)


def _overall(progress, done, share, suffix, start_time):
    """The progress callback for a part of the work: ``done`` is finished before it, and it is a ``share`` of all."""
    if progress is None:
        return None

    def report(state):
        fraction, seconds = done + share * state.fraction, time.perf_counter() - start_time
        progress(replace(state, stage=state.stage + suffix, fraction=fraction, seconds=seconds))

    return report
