"""Training a grammar from lines: posterior regularisation of the DMV with extended valence and frequent words.

Each iteration finds the distribution over trees that keeps to the lines and stays nearest to the grammar
(``core.constraints.posterior``), by a few steps of dual ascent, and estimates the grammar from its expected counts.
Stages: short sentences, longer ones, then, where that makes held-out text more probable, frequent words as symbols of
their own, at several thresholds whose arc posteriors are averaged; then, if asked for, the votes of a second-order
parser that learnt one half of the result and parsed the other. Sources: Ganchev et al. (2010), JMLR 11; Naseem et al.
(2010), D10-1120; Headden et al. (2009), N09-1012.
"""

import time
from dataclasses import dataclass, field, replace

import numpy as np

from core.constraints.grammar import Grammar, Part, marks_between
from core.constraints.matching import Matcher
from core.constraints.objective import contradicting_arcs
from core.constraints.posterior import Ascent, Lines, Point
from core.errors import ConstraintError, WorkbenchError
from core.features.packed import arc_offsets_of, selected_arcs
from core.markup.marked import marked_sentences
from core.parsers.crf.tree_crf import gold_arcs, with_trees
from core.parsers.dmv.backoff import Backoff, estimate_backed_off, extended, spread
from core.parsers.dmv.parameters import Events, estimate, harmonic_counts
from core.parsers.dmv.symbols import Symbols
from core.parsers.dmv.text import TaggedText, expect
from core.parsers.mst.parser import MSTParser
from core.parsers.self_training import cross_parse
from core.treebank.edit import checked_heads
from core.treebank.marks import words_between
from core.trees.brackets import PackedBrackets, level_number
from core.trees.eisner import eisner
from core.trees.inside_outside import inside_outside
from core.trees.packed import PackedScores

CONVERGED, CANCELLED = "converged", "cancelled"
WORDS = ("auto", "yes", "no")
HELD_OUT = 10  # every tenth sentence tells whether words help
MET = 0.01  # how far a share may be from its target and count as met
WORD_ADJACENCY = 10.0  # pseudo-counts of CHOOSE without adjacency, under symbols
WORD_BACKOFF = 1000.0  # pseudo-counts of tags, over the square root of a threshold
VOTE_EPOCHS = 2
EDITED = 8  # most evaluations of the dual before the first iteration after an edit


@dataclass(frozen=True)
class GrammarSettings:
    """How to train.

    Attributes
    ----------
    tags : {"xpos", "upos", None}
        Tag column to read; None takes the filled one.
    lengths : tuple of int or None
        The longest sentences of each stage, in words without punctuation; None takes all.
    iterations : tuple of int
        Of each stage.
    words : {"auto", "yes", "no"}
        Whether frequent words are symbols of their own; "auto" asks the likelihood of held-out sentences.
    thresholds : tuple of int
        How often a form must be seen with a tag to be a symbol, one grammar for each threshold.
    word_iterations : int
        Of each of these grammars.
    second_order : bool
        Whether the votes of a second-order parser, learnt from the result by halves, are added.
    vote : float
        Nats that its arcs are worth.
    vote_iterations : int
    ascents : int
        Most evaluations of the dual in each iteration.
    enough : float
        Nats a word from the dual's maximum at which an iteration ascends no further.
    bound : float
        The largest multiplier, in nats, of a line of weight 1.
    price : float
        Nats that an arc pays for each punctuation mark between its ends.
    level : {"none", "tear", "sprawl", "loose", "strict"}
        How trees respect the brackets of mark-up; sentences with no such tree fall back level by level.
    backoff : Backoff
    """

    tags: str | None = None
    lengths: tuple = (20, 45)
    iterations: tuple = (15, 8)
    words: str = "auto"
    thresholds: tuple = (100, 30, 12)
    word_iterations: int = 5
    second_order: bool = False
    vote: float = 3.0
    vote_iterations: int = 4
    ascents: int = 4
    enough: float = 3e-3
    bound: float = 6.0
    price: float = 1.0
    level: str = "none"
    backoff: Backoff = field(default_factory=Backoff)

    def __post_init__(self):
        if self.words not in WORDS:
            raise WorkbenchError(f"words must be one of {', '.join(WORDS)}, got {self.words!r}")
        if not self.lengths or len(self.lengths) != len(self.iterations):
            raise WorkbenchError(
                f"each stage needs a length and a number of iterations, got {self.lengths} and {self.iterations}"
            )
        if not self.bound > 0:
            raise WorkbenchError(f"the bound of multipliers must be positive, got {self.bound}")


@dataclass(frozen=True)
class GrammarProgress:
    """Where training stands: the stage in words, the iteration within it, the share of all iterations done, the dual
    in nats a word, each line's expectation (C,), and seconds since it began."""

    stage: str
    iteration: int
    fraction: float
    dual: float
    expectations: np.ndarray
    seconds: float


@dataclass(frozen=True, eq=False)
class GrammarResult:
    """A trained grammar and how it came about.

    Attributes
    ----------
    model : Grammar
    constraints : tuple of Constraint
        The C lines trained on; those that match nothing in the text are in ``skipped``.
    expectations : ndarray of shape (C,)
        The share of each line, means over the grammars that vote.
    multipliers : ndarray of shape (C,)
        In nats; 0 for a line that needs no help.
    dual, gap : float
        Of the last stage, in nats a word; the gap is how far the dual may still be from its maximum.
    unmet : tuple of Constraint
        Lines whose share stays outside their target by more than 0.01.
    skipped : tuple of Constraint
    crossing : tuple of int
        Sentences, of those trained on, whose known heads no projective tree has.
    held_out : dict
        Nats a word of held-out sentences with "tags" alone and with "words" as symbols; empty where not asked.
    status : {"converged", "cancelled"}
    trace : list of GrammarProgress
    seconds : float
    """

    model: Grammar
    constraints: tuple
    expectations: np.ndarray
    multipliers: np.ndarray
    dual: float
    gap: float
    unmet: tuple
    skipped: tuple
    crossing: tuple
    held_out: dict
    status: str
    trace: list = field(repr=False)
    seconds: float = 0.0


def train_grammar(
    treebank,
    constraints,
    settings=None,
    *,
    brackets=None,
    trees=None,
    start=None,
    progress=None,
    cancel=None,
    threads=None,
):
    """Train a grammar on unparsed sentences from lines.

    Parameters
    ----------
    treebank : Treebank
        The text; its heads are not looked at. Training sees no punctuation.
    constraints : list of Constraint
        Lines that match nothing are left out, and said.
    settings : GrammarSettings, optional
    brackets : list of lists of Bracket, optional
        One entry a sentence; by default those of its ``# markup`` comments, where the settings' level asks for them.
    trees : int array of shape (rows,), optional
        Known heads of the text's words, -1 where unknown. Where no projective tree has those of a sentence, they are
        not used, and the sentence is named in ``crossing``.
    start : Grammar, optional
        Begin from it, after an edit of the lines: the last stage alone is run, for a few iterations.
    progress : callable, optional
        Called with a GrammarProgress after each iteration.
    cancel : callable, optional
        Asked in every iteration; True ends training with what has been learnt.

    Returns
    -------
    GrammarResult

    Raises
    ------
    ConstraintError : no constraint, or none that matches anything.
    WorkbenchError : no word has a tag, no sentence is short enough, a start that does not know a tag of the text.

    Notes
    -----
    An iteration costs ``ascents`` times O(sum of n^3). The same bits on any number of threads.
    """
    trainer = GrammarTrainer(treebank, constraints, settings or GrammarSettings(), brackets, trees, threads)
    return trainer.run(start, progress, cancel)


class GrammarTrainer:
    """A text prepared for training; ``run`` goes through the stages."""

    def __init__(self, treebank, constraints, settings, brackets=None, trees=None, threads=None):
        self.settings, self.threads, self.began = settings, threads, time.perf_counter()
        column = treebank.tag_column(settings.tags)
        self.column = settings.tags or ("xpos" if column is treebank.xpos else "upos")
        words = treebank.without_punctuation()
        longest = None if None in settings.lengths else max(settings.lengths)
        chosen = _within(words, longest)
        if not len(chosen):
            raise WorkbenchError(
                f"none of the {len(treebank):,} sentences is within the maximum length of {longest}; raise it"
            )
        self.words, self.arcs = words.select(chosen), arc_offsets_of(words.lengths[chosen])
        cells = selected_arcs(arc_offsets_of(words.lengths), chosen)[0]
        self.fixed = -settings.price * marks_between(treebank, words)[cells]
        self.level, self.crossing = level_number(settings.level), ()
        marked = words_between(treebank, marked_sentences(treebank, brackets)) if self.level else [()] * len(words)
        self.brackets = PackedBrackets.from_lists(marked).select(chosen)
        if trees is not None:
            self._hold(treebank.with_heads(checked_heads(treebank, trees)).without_punctuation().select(chosen))
        self.constraints, self.skipped = self._usable(tuple(constraints))
        self.trace, self.held_out, self.status = [], {}, CONVERGED
        self.done, self.total, self.progress, self.cancel = 0, 0, None, None

    def run(self, start=None, progress=None, cancel=None):
        """All stages; from a ``start``, its grammars for as many iterations as votes take. Returns a GrammarResult."""
        settings, self.progress, self.cancel = self.settings, progress, cancel
        if start is not None:
            self.total = settings.vote_iterations * len(start.parts)
            states = [self._resumed(start, part) for part in start.parts]
        else:
            self.total = sum(settings.iterations)
            states = [self._by_length()]
            if settings.words != "no" and not self._cancelled() and self._words_help(states[0]):
                self.total = self.done + len(settings.thresholds) * settings.word_iterations
                states = [self._with_words(states[0], threshold) for threshold in settings.thresholds]
        if settings.second_order and len(self.words) > 1 and not self._cancelled():
            self.total = self.done + settings.vote_iterations * len(states)
            votes = self._second_order(self._marginals(states))
            states = states if self._cancelled() else [self._voted(state, votes) for state in states]
        return self._result(states)

    def _hold(self, known):
        """Forbid the arcs that contradict known heads, where these leave a projective tree."""
        offsets = arc_offsets_of(known.lengths)
        forbidden = contradicting_arcs(known.heads, known.lengths + 1, offsets)
        scores = PackedScores(np.where(forbidden, -np.inf, 0.0), offsets)
        possible = inside_outside(scores, errors="mark", threads=self.threads)[0] > -np.inf
        self.crossing = tuple(np.flatnonzero(~possible).tolist())
        self.fixed[forbidden & np.repeat(possible, np.diff(offsets))] = -np.inf

    def _usable(self, constraints):
        """(lines that match something in the text, the others)."""
        if not constraints:
            raise ConstraintError("there is no constraint to train on; write at least one")
        known = Matcher(self.words, self.column).match(constraints).denominators > 0
        if not known.any():
            raise ConstraintError("no line matches two words of this text; see whether its tags are those of the lines")
        usable = tuple(line for line, matches in zip(constraints, known, strict=True) if matches)
        return usable, tuple(line for line, matches in zip(constraints, known, strict=True) if not matches)

    def _by_length(self):
        """The state after the stages by length, over tags."""
        symbols, settings, state = Symbols.of(self.words, self.column), self.settings, None
        for longest, iterations in zip(settings.lengths, settings.iterations, strict=True):
            chosen = _within(self.words, longest)
            if len(chosen):
                ascent = self._ascent(symbols, chosen, state and state.ascent.multipliers)
                events = state.events if state else _harmonic(ascent.text, symbols.count)
                name = "sentences of all lengths" if longest is None else f"sentences of at most {longest} words"
                state = self._iterate(_State(symbols, settings.backoff, events, ascent), iterations, name)
        return state

    def _with_words(self, state, threshold):
        """The state after the stage in which words seen so often are symbols."""
        symbols = Symbols.of(self.words, self.column, threshold)
        ascent = self._ascent(symbols, np.arange(len(self.words)), state.ascent.multipliers)
        backoff = replace(self.settings.backoff, adjacency=WORD_ADJACENCY, symbols=WORD_BACKOFF * threshold**-0.5)
        begun = _State(symbols, backoff, spread(state.events, symbols), ascent)
        return self._iterate(begun, self.settings.word_iterations, f"words seen {threshold} times")

    def _words_help(self, state):
        """Whether held-out sentences are more probable with words as symbols than with tags alone."""
        if self.settings.words == "yes":
            return True
        held = np.arange(len(self.words)) % HELD_OUT == HELD_OUT - 1
        if held.all() or not held.any():
            return False
        symbols = Symbols.of(
            self.words, self.column, sorted(self.settings.thresholds)[len(self.settings.thresholds) // 2]
        )
        seen, rest = np.flatnonzero(~held), self.words.select(np.flatnonzero(held))
        text = TaggedText(symbols.number(rest), rest.offsets)
        # what tags alone say of symbols, from sentences that were seen: the same text, so that figures compare
        tags, figures = self._ascent(state.symbols, seen, state.ascent.multipliers), {}
        plain = self._iterate(_State(state.symbols, state.backoff, state.events, tags), 1, "held-out sentences")
        words = self._ascent(symbols, seen, plain.ascent.multipliers)
        begun = _State(symbols, replace(state.backoff, adjacency=WORD_ADJACENCY), spread(plain.events, symbols), words)
        lexical = self._iterate(begun, 2, "held-out sentences")
        for name, events in (("tags", spread(plain.events, symbols)), ("words", lexical.events)):
            figures[name] = float(expect(text, events, threads=self.threads).log_likelihoods.sum() / text.token_count)
        self.held_out = figures
        return figures["words"] > figures["tags"]

    def _second_order(self, shares):
        """float64 (A,): votes for the arcs of parsers that learnt one half of the trees and parsed the other."""
        trees = with_trees(self.words, eisner(shares, threads=self.threads).values)
        parsed = cross_parse(self._learnt, trees, threads=self.threads)
        return self.settings.vote * gold_arcs(parsed, shares.offsets)

    def _learnt(self, trees):
        parser = MSTParser(order=2, labels=False, tags=self.column)
        return parser.fit(trees, epochs=VOTE_EPOCHS, cancel=self.cancel)

    def _voted(self, state, votes):
        ascent = self._ascent(state.symbols, np.arange(len(self.words)), state.ascent.multipliers, votes)
        begun = _State(state.symbols, state.backoff, state.events, ascent)
        return self._iterate(begun, self.settings.vote_iterations, "with the votes of a second-order parser")

    def _resumed(self, start, part):
        """The state of one grammar of an earlier result, its multipliers by line, after a few iterations."""
        unknown = sorted(set(Symbols.of(self.words, self.column).tags) - set(part.symbols.tags))
        if unknown:
            raise WorkbenchError(f"the grammar to start from does not know the tag {unknown[0]}; train without a start")
        former = {line.name: value for line, value in zip(start.constraints, part.multipliers.tolist(), strict=True)}
        multipliers = np.array([former.get(line.name, 0.0) for line in self.constraints])
        ascent = self._ascent(part.symbols, np.arange(len(self.words)), multipliers)
        ascent.climb(part.events, EDITED, self.cancel, self.settings.enough)
        begun = _State(part.symbols, part.backoff, part.events, ascent)
        return self._iterate(begun, self.settings.vote_iterations, "from the grammar before")

    def _ascent(self, symbols, chosen, multipliers=None, votes=None):
        """The dual ascent over some sentences."""
        whole = len(chosen) == len(self.words)
        words = self.words if whole else self.words.select(chosen)
        fixed = self.fixed if whole else self.fixed[selected_arcs(self.arcs, chosen)[0]]
        lines = Lines.of(Matcher(words, self.column).match(self.constraints), self.settings.bound)
        brackets = self.brackets if whole else self.brackets.select(chosen)
        text = TaggedText(symbols.number(words), words.offsets, brackets, self.level)
        return Ascent(text, lines, fixed if votes is None else fixed + votes, self.threads, multipliers)

    def _iterate(self, state, iterations, stage):
        """The state after as many iterations of ascent and estimation, or fewer when cancelled."""
        for iteration in range(1, iterations + 1):
            if self._cancelled():
                return state
            point = state.ascent.climb(state.events, self.settings.ascents, self.cancel, self.settings.enough)
            events = estimate_backed_off(point.found.counts, state.symbols, state.backoff)
            state = replace(state, events=events, point=point)
            self.done += 1
            self._report(stage, iteration, point, state.ascent.text)
        return state

    def _report(self, stage, iteration, point, text):
        fraction, seconds = min(self.done / max(self.total, 1), 1.0), time.perf_counter() - self.began
        dual = point.value / text.token_count
        report = GrammarProgress(stage, iteration, fraction, dual, point.expectations, seconds)
        self.trace.append(report)
        if self.progress:
            self.progress(report)

    def _cancelled(self):
        if self.cancel and self.cancel():
            self.status = CANCELLED
        return self.status == CANCELLED

    def _marginals(self, states):
        """PackedScores: the mean of the grammars' arc marginals over the whole text."""
        points = [state.ascent.point(state.events, state.ascent.multipliers) for state in states]
        return PackedScores(np.mean([point.found.marginals for point in points], axis=0), states[0].ascent.text.arcs)

    def _result(self, states):
        parts = [Part(state.symbols, state.events, state.ascent.multipliers, state.backoff) for state in states]
        model = Grammar(parts, self.constraints, self.settings.price)
        points = [state.ascent.point(state.events, state.ascent.multipliers) for state in states]
        expectations = np.mean([point.expectations for point in points], axis=0)
        lines, tokens = states[0].ascent.lines, states[0].ascent.text.token_count
        far = lines.distances(expectations) > MET
        return GrammarResult(
            model, self.constraints, expectations,
            np.mean([point.multipliers for point in points], axis=0),
            float(np.mean([point.value for point in points]) / tokens),
            float(max(point.gap(lines) for point in points) / tokens),
            tuple(line for line, is_far in zip(self.constraints, far, strict=True) if is_far),
            self.skipped, self.crossing, self.held_out, self.status, self.trace, time.perf_counter() - self.began,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _State:
    """A grammar under training: its symbols, how they back off, its parameters, the ascent, the last Point."""

    symbols: Symbols
    backoff: Backoff
    events: Events
    ascent: Ascent
    point: Point | None = None


def _harmonic(text, count):
    """Where training begins: heads nearby are likelier, whatever the tags."""
    return extended(estimate(harmonic_counts(text.tags, text.offsets, count), 1.0))


def _within(words, longest):
    """Sentences of at most so many words; all for None."""
    return np.arange(len(words)) if longest is None else np.flatnonzero(words.lengths <= longest)
