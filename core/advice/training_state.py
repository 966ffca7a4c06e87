"""A training state (text, constraints, known trees), the parser trained on it, and candidates for the next work."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.advice.work import TREEBANK, OtherText
from core.annotation.uncertainty import head_entropies, margins
from core.callbacks import Cancel, Progress
from core.constraints import Constraint, GrammarSettings, train_grammar
from core.constraints.authoring.preview import GrammarArcs, ScoredArcs
from core.constraints.authoring.proposals import Proposal, propose
from core.constraints.authoring.ranking import RANKED, rank
from core.constraints.grammar.stacking import LEAST
from core.constraints.matching.matcher import as_matcher
from core.errors import Cancelled, WorkbenchError
from core.features.packed import arc_offsets_of
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.crf.tree_crf import with_trees
from core.parsers.decoding import PosteriorParser
from core.parsers.mst.parser import MSTParser
from core.parsers.protocols import Parser
from core.parsers.self_training import concatenate
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank
from core.treebank.edit import checked_heads
from core.trees import Bracket
from core.trees.packed import PackedScores

ALIKE = 0.5  # least share of another text's words whose tags the text must have
LEVEL = "sprawl"  # for brackets of another text, where the settings have none


@dataclass(frozen=True, eq=False)
class TrainingState:
    """All data that a grammar of a text is trained on: text, constraints, known heads, settings.

    Attributes
    ----------
    text : Treebank
        With punctuation; its heads are ignored.
    lines : tuple of Constraint
    heads : ndarray of shape (rows,), dtype int32
        Known heads, -1 where unknown.
    learnt : ndarray of shape (S,), dtype bool
        The sentences whose known heads are learnt from.
    settings : GrammarSettings
        Of the learner; ``tags`` names the column.
    brackets : sequence of sequences of Bracket or None
    prior : UniversalParser or None
        The parser that the grammar starts from, made ``for_text``.
    """

    text: Treebank
    lines: tuple[Constraint, ...]
    heads: np.ndarray
    learnt: np.ndarray
    settings: GrammarSettings
    brackets: Sequence[Sequence[Bracket]] | None = None
    prior: UniversalParser | None = None

    @classmethod
    def of(
        cls, text: Treebank, lines: Sequence[Constraint], heads: np.ndarray, settings: GrammarSettings | None = None,
        learnt: np.ndarray | None = None, brackets: Sequence[Sequence[Bracket]] | None = None,
        prior: UniversalParser | None = None,
    ) -> "TrainingState":  # fmt: skip
        """The state of a text, some constraints and known heads, by default all of them learnt from.

        Raises WorkbenchError for heads that are no forest, or a ``learnt`` of another text.
        """
        heads = np.array(checked_heads(text.offsets, heads), np.int32)
        settings = replace(settings or GrammarSettings(), stacked=True)
        state = cls(text, tuple(lines), heads, np.ones(len(text), bool), settings, brackets, prior)
        learnt = state.known if learnt is None else np.asarray(learnt, bool)
        if len(learnt) != len(text):
            raise WorkbenchError(
                f"there are {len(text):,} sentences, but {len(learnt):,} are said to be learnt from or not; give one "
                "value for each"
            )
        return state.learning(learnt)

    @property
    def scored_rows(self) -> np.ndarray:
        """bool (rows,): words other than punctuation whose head is known."""
        return (self.heads >= 0) & ~self.text.punctuation() & self.text.is_word

    @property
    def known(self) -> np.ndarray:
        """bool (S,): sentences with a scored row."""
        if not len(self.text):
            return np.zeros(0, bool)
        return np.logical_or.reduceat(self.scored_rows, self.text.offsets[:-1])

    def learning(self, sentences: np.ndarray) -> "TrainingState":
        """The state that learns from the known heads of these sentences, bool (S,)."""
        return replace(self, learnt=sentences & self.known)

    def with_line(self, proposal: Proposal) -> "TrainingState":
        """The state with a proposed constraint, which replaces the one that it changes."""
        others = tuple(line for line in self.lines if line != proposal.line)
        return replace(self, lines=(*others, proposal.constraint))

    def with_source(self, source: OtherText) -> "TrainingState":
        """The state with another text's sentences behind its own; it learns from their trees, if there are any.

        Raises WorkbenchError where the other text lacks the tags in use, or has mostly other ones.
        """
        other = source.treebank
        require_alike(self.text, source, self.settings.tags)
        heads = other.heads if source.kind == TREEBANK else np.full(len(other.heads), -1, np.int32)
        brackets, settings = self.brackets, self.settings
        if source.brackets is not None and any(source.brackets):
            first = [()] * len(self.text) if brackets is None else brackets
            brackets = [*first, *source.brackets]
            settings = replace(settings, level=LEVEL) if settings.level == "none" else settings
        elif brackets is not None:
            brackets = [*brackets, *([()] * len(other))]
        known = TrainingState.of(other, (), heads).known
        return replace(
            self, text=concatenate(self.text, other), heads=np.concatenate((self.heads, heads)),
            learnt=np.concatenate((self.learnt, known)), settings=settings, brackets=brackets,
        )  # fmt: skip


def require_alike(text: Treebank, source: OtherText, tags: str | None) -> None:
    """Raise WorkbenchError unless the text has the tags of half the words of another one."""
    tags_here = text.tag_column(tags)
    name = "xpos" if tags_here is text.xpos else "upos"
    column = getattr(source.treebank, name)
    if not column.filled:
        raise WorkbenchError(f"{source.name} has no {name.upper()} tags; tag it on the Corpus page")
    used = {tags_here.values[tag] for tag in np.unique(tags_here.ids).tolist()}
    counts = np.bincount(column.ids, minlength=len(column.values)).tolist()
    words = [(value, count) for value, count in zip(column.values, counts, strict=True) if value]
    share = sum(count for value, count in words if value in used) / sum(count for _, count in words)
    if share < ALIKE:
        raise WorkbenchError(
            f"{source.name} has another tag set: {1 - share:.0%} of its words have a tag that this text lacks; map its "
            "tags first"
        )


class Untrained:
    """The parser before constraints and trees: all trees have the same probability."""

    distribution = TreeDistribution(projective=True, decoding="posterior")

    def parse(self, treebank: Treebank) -> Treebank:
        """The treebank under the trees with the most expected right heads. O(sum of n^3)."""
        return with_trees(treebank, self.distribution.best(_no_scores(treebank)).values)


def _no_scores(treebank):
    scores = PackedScores.empty(treebank.lengths)
    scores.values[:] = 0.0
    return scores


def trained(
    state: TrainingState, start: Parser | None = None, cancel: Cancel | None = None, *,
    progress: Progress | None = None, threads: int | None = None,
) -> Parser:  # fmt: skip
    """The parser trained on a state: on constraints and trees, on one of them, or on nothing; with the prior, if any.

    Without constraints and trees its trees are those of the prior.

    Parameters
    ----------
    state : TrainingState
    start : parser, optional
        Trained on the same text by constraints alone; a grammar starts from it.
    cancel : callable, optional
        True raises Cancelled.
    progress : callable, optional
        ``progress(share, stage)``, called now and then.

    Returns
    -------
    parser
        With ``parse(treebank)``: a Grammar; without constraints and prior a second-order MSTParser, or Untrained.

    Raises
    ------
    WorkbenchError : no constraint matches anything, or no word has a tag.
    """
    text, settings = state.text, state.settings
    has_trees = int((state.learnt & state.known).sum()) >= LEAST
    heads = np.where(np.repeat(state.learnt, text.lengths + 1), state.heads, np.int32(-1))
    report = None if progress is None else lambda state: progress(state.fraction, state.stage)
    if state.lines or state.prior is not None:
        start = start if isinstance(start, PosteriorParser) else None
        model = train_grammar(
            text, state.lines, settings, brackets=state.brackets, trees=heads if has_trees else None,
            start=start, prior=corrected_prior(state),  # type: ignore[arg-type]
            progress=report, cancel=cancel, threads=threads,
        ).model  # fmt: skip
    elif has_trees:
        trees = text.with_heads(heads).select(np.flatnonzero(state.learnt & state.known))
        model = MSTParser(order=2, labels=False, tags=settings.tags)
        model.fit(trees, epochs=settings.epochs, progress=report, cancel=cancel)
    else:
        model = Untrained()
    if cancel is not None and cancel():
        raise Cancelled
    return model


def corrected_prior(state: TrainingState) -> UniversalParser | None:
    """The prior, adapted to the heads learnt from, as in the training of a grammar; its relations stay."""
    learnt = np.flatnonzero(state.learnt & state.known)
    if state.prior is None or not len(learnt):
        return state.prior
    rows = len(state.heads)
    return state.prior.adapted(state.text.with_heads(state.heads, [""] * rows).select(learnt))


def next_line(state: TrainingState, model: Parser, errors: np.ndarray | None = None) -> Proposal | None:
    """The constraint that prevents most errors of a model that was not trained on the trees, or None.

    Parameters
    ----------
    state : TrainingState
    model : parser
        From ``trained``; parsers other than grammars count as Untrained.
    errors : bool array of shape (S,), optional
        The sentences whose errors count; by default all with a known head.

    Notes
    -----
    Proposals of ``core.constraints.authoring.proposals`` in the order of ``core.constraints.authoring.ranking``.
    """
    known = state.known if errors is None else errors & state.known
    if not known.any():
        return None
    heads = np.where(np.repeat(known, state.text.lengths + 1), state.heads, np.int32(-1))
    words = state.text.with_heads(heads).without_punctuation()
    matcher = as_matcher(words, state.settings.tags, state.lines)
    arcs = ScoredArcs(Untrained.distribution, _no_scores(state.text.without_punctuation()))
    if isinstance(model, PosteriorParser):
        arcs = GrammarArcs.of(model, state.text)
    nothing, marginals = _plain_marginals(arcs, words)
    proposed = propose(matcher, words.heads, arcs.heads(nothing), marginals, state.lines, RANKED)
    return next(iter(rank(proposed, arcs, matcher, words.heads)), None)


def _plain_marginals(arcs, words):
    """(nothing to add to the scores of arcs, the marginals of each sentence under them)."""
    offsets = arc_offsets_of(words.lengths)
    nothing = np.zeros(int(offsets[-1]))
    return nothing, PackedScores(arcs.marginals(nothing), offsets)


def sentences_to_correct(state: TrainingState, model: Parser, count: int, among: int | None = None) -> np.ndarray:
    """The sentences not learnt from of whose heads a model is least certain, in the order of the Annotate page.

    int64 (at most ``count``,), of the first ``among`` sentences or of all; spread over the text where the model has no
    uncertainty.
    """
    words = state.text.without_punctuation()
    if isinstance(model, PosteriorParser):
        uncertainty = head_entropies(_plain_marginals(GrammarArcs.of(model, state.text), words)[1])
    elif isinstance(model, MSTParser):
        uncertainty = margins(model, state.text)
    else:
        uncertainty = np.zeros(len(state.text))
    candidates = np.flatnonzero(~state.learnt[:among])
    if not uncertainty.any():
        return candidates[np.linspace(0, len(candidates) - 1, min(count, len(candidates))).astype(np.int64)]
    return candidates[np.argsort(-uncertainty[candidates], kind="stable")][:count]
