"""Lines and trees in one learner: grammars from the lines, and a second-order parser of the trees that reads them.

Three things are made of a text, lines and a few known trees:

1. a grammar from the lines alone;
2. the same, warm, with the arcs that contradict known heads forbidden, and the known sentences counted as though they
   were somewhat more than the whole text: on few trees they would drown in it;
3. a second-order parser of the known trees, with both grammars' posteriors as features of arcs. Of a known sentence the
   second feature comes from a grammar that had seen the other half of the trees alone (cross-fitting): one that had
   seen a tree knows it too well. Its trees vote with a nat for every 20 known words, four at least, up to a limit.

In the third step words whose head is not known get that of the best tree that the grammar finds with the known ones.
The sentence may move the weights by its known share.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.callbacks import Cancel
from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.posterior_regularisation import Lines
from core.constraints.grammar.settings import CANCELLED, CONVERGED, GrammarProgress, GrammarResult, GrammarSettings
from core.constraints.grammar.trainer import MET, GrammarTrainer, Knowledge
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher
from core.features.packed import PackedDense, arc_offsets_of
from core.offsets import selected_rows
from core.parsers.constrained_completion import contradicting_arcs
from core.parsers.mst.parser import MSTParser
from core.parsers.prior import HeadProbabilities
from core.parsers.punctuation_arcs import marks_between
from core.parsers.stacked import Stacked, arc_features
from core.treebank import Treebank
from core.treebank.edit import checked_heads
from core.treebank.unpunctuated import restore_punctuation
from core.trees import Bracket
from core.trees.eisner import eisner

MASS = 1.25  # what all known trees count for together, in sentences of the text
LEAST = 2  # sentences with a known head that can be stacked: each half needs one
WORDS_PER_NAT = 20  # known words behind each nat of the vote: what learnt few of them is often wrong
LEAST_VOTE = 4.0  # with less a parser would be outvoted on the very trees that it learnt
PARTS = "all", "one half of", "the other half of"
LINES_SHARE, PART_SHARE = 1 / 2, 5 / 32  # of the time, for the grammar from lines, and for each that sees trees
Report = Callable[[GrammarProgress], object] | None


def without_trees(model: Grammar | ParserEnsemble | None) -> Grammar | ParserEnsemble | None:
    """A model to begin from: of one that has learnt trees, the grammar that had not seen them."""
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
    """Train from lines and the trees of a text, of ``LEAST`` sentences or more; otherwise as ``train_grammar``.

    Returns
    -------
    GrammarResult
        Its model is the grammar that has seen the trees, with the second-order parser's votes (``Stacked``). Cancelled
        before that parser has begun, it is the grammar from the lines alone.

    Notes
    -----
    A training from lines, three that begin from it, and ``epochs`` passes over the known trees.
    """
    began, settings = time.perf_counter(), replace(settings, stacked=False)
    treebank, found = known.treebank, []

    def train(sentences, start, begin, share, what):
        heads, weight = None, 1.0
        if len(sentences):
            heads, weight = known.heads_of(sentences), max(1.0, MASS * len(treebank) / len(sentences))
        weighted = replace(settings, known_weight=weight)
        trainer = GrammarTrainer(
            treebank, constraints, weighted, Knowledge(known.brackets, heads, known.prior), threads
        )
        return trainer.run(start, _within(progress, begin, share, what, began), cancel)

    plain = result = train((), without_trees(start), 0.0, LINES_SHARE, "")
    for number, (name, sentences) in enumerate(zip(PARTS, (known.sentences, *known.halves), strict=True)):
        if result.status == CANCELLED:
            break
        begin, what = LINES_SHARE + number * PART_SHARE, f", with {name} the trees"
        result = train(sentences, plain.model, begin, PART_SHARE, what)
        found.append(result)
    if result.status == CANCELLED:
        return replace(plain, status=CANCELLED, seconds=time.perf_counter() - began)
    whole, *halves = found
    if report := _within(progress, LINES_SHARE + len(PARTS) * PART_SHARE, 0.0, "", began):
        stage = f"a second-order parser learns {len(known.sentences)} trees"
        report(replace(whole.trace[-1], stage=stage))
    models = plain.model, whole.model, [half.model for half in halves]
    stacked, status, learnt = _learn(known, *models, settings, cancel, threads)
    model = whole.model.with_second_order(stacked)
    return _with_votes(replace(whole, model=model, learnt=learnt, status=status), treebank, began, threads)


@dataclass(frozen=True, eq=False)
class KnownSentences:
    """The sentences of a text of which some heads are known.

    Attributes
    ----------
    treebank : Treebank
    heads : ndarray of shape (rows,), dtype int32
        -1 where unknown.
    sentences : ndarray of shape (k,), dtype int64
    word_count : int
        Words with a known head, without punctuation.
    brackets : list of lists of Bracket, optional
        Of all sentences, in place of those of the comments.
    prior : UniversalParser, optional
        What other languages know of the text.
    """

    treebank: Treebank
    heads: np.ndarray
    sentences: np.ndarray
    word_count: int
    brackets: Sequence[Sequence[Bracket]] | None = None
    prior: HeadProbabilities | None = None

    @classmethod
    def of(
        cls, treebank: Treebank, trees: np.ndarray, brackets: Sequence[Sequence[Bracket]] | None = None
    ) -> "KnownSentences":
        """Those of which a word has a known head, from int (rows,). Raises WorkbenchError for heads of no forest."""
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
        """(the known sentences with whole trees, what share of each sentence's words was known, float64 (k,)).

        A sentence of which all is known stays as it is. In the others marks hang where they cross nothing, and other
        words as the model would have them beside the known ones. One whose known heads no tree without crossing arcs
        has keeps its gaps, so that it is not learnt from.
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
    """(Stacked, status, how many sentences it learnt) of the known trees, which grammars saw: none, all, each half."""
    text, seen = known.completed(whole, threads)
    features = arc_features(text, (plain, whole), threads)
    half = np.arange(len(text)) % 2  # as ``KnownSentences.halves``
    for own, other in ((0, halves[1]), (1, halves[0])):
        chosen = np.flatnonzero(half == own)
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


def _with_votes(result, treebank, began, threads):
    """A GrammarResult with the shares that the model gives the lines on the sentences it was trained on."""
    model = result.model
    words = treebank.without_punctuation()
    lines = Lines.of(Matcher(words, model.column).match(result.constraints), np.inf)
    votes = -model.price * marks_between(treebank, words)
    expectations = lines.expectations(model.marginals(words, votes=votes, whole=treebank, threads=threads)[1].values)
    far = lines.distances(expectations) > MET
    unmet = tuple(line for line, is_far in zip(result.constraints, far, strict=True) if is_far)
    return replace(result, expectations=expectations, unmet=unmet, seconds=time.perf_counter() - began)


def _within(progress, begin, share, what, began):
    """A report that says of a part of the work, a ``share`` that begins at ``begin``, where the whole stands."""
    if progress is None:
        return None

    def report(state):
        fraction = begin + share * state.fraction
        progress(replace(state, stage=state.stage + what, fraction=fraction, seconds=time.perf_counter() - began))

    return report
