"""Training a grammar from constraints: posterior regularisation of the DMV with extended valence and frequent words.

Each iteration finds the distribution over trees that satisfies the constraints and stays nearest to the grammar
(``core.parsers.dual_ascent``). It takes a few steps of dual ascent, and estimates the grammar
from the expected counts. Training begins with short sentences and goes on with longer ones. Frequent words become
symbols of their own where that makes held-out text more probable. There are several thresholds of frequency, and the
arc posteriors of their grammars are averaged. The arc bonuses of second-order parsers, if asked for, come last: each
parser learnt one half of the result and parsed the other half. They stay in the model.
Sources: Ganchev et al. (2010), JMLR 11; Naseem et al. (2010), D10-1120; Headden et al. (2009), N09-1012.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from core.callbacks import Cancel
from core.constraints.ge.training import PRESETS, TEXT_LENGTH, GETrainer
from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.model import Grammar, SingleGrammar
from core.constraints.grammar.posterior_regularisation import GrammarSums
from core.constraints.grammar.settings import CANCELLED, CONVERGED, MET, GrammarProgress, GrammarResult, GrammarSettings
from core.constraints.grammar.text import ALL, GrammarText, Selected, Selection
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import Matcher
from core.errors import ConstraintError, WorkbenchError
from core.parsers.crf.tree_crf import gold_arcs, with_trees
from core.parsers.dmv.backoff import Backoff, estimate_backed_off, expand_to_symbols, extended
from core.parsers.dmv.parameters import Events, estimate
from core.parsers.dmv.symbols import Symbols
from core.parsers.dual_ascent import DualAscent, DualPoint
from core.parsers.mst.parser import MSTParser
from core.parsers.second_order import SecondOrder
from core.parsers.self_training import cross_train, parse_folds
from core.rules.rule import Rule
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.treebank import Treebank
from core.trees import Bracket
from core.trees.eisner import eisner
from core.trees.packed import PackedScores

HELD_OUT_STAGE = "held-out sentences"
HELD_OUT_ITERATIONS = (1, 2)  # with tags alone as symbols, then with words
WORD_ADJACENCY = 10.0  # pseudo-counts of CHOOSE without adjacency, under symbols
THRESHOLD_WORDS = 100_000  # thresholds grow with texts longer than this: tables are quadratic in the symbols
WORD_BACKOFF = 1000.0  # pseudo-counts of tags, over the square root of a threshold
VOTE_EPOCHS = 2
EDITED = 8  # most evaluations of the dual before the first iteration after an edit
EDITED_ITERATIONS = 2  # iterations of each grammar after an edit
LONG_STAGE = 10  # training the tree CRF, or the second-order parsers, takes as long as about so many iterations


class Knowledge(NamedTuple):
    """What is known of a text beside its constraints, as ``train_grammar`` takes it."""

    brackets: Sequence[Sequence[Bracket]] | None = None
    trees: np.ndarray | None = None
    rules: Mapping[Rule, float] = MappingProxyType({})


NO_KNOWLEDGE = Knowledge()


@dataclass(frozen=True, eq=False)
class GrammarState:
    """A grammar under training: its symbols, how they back off, its parameters, the dual ascent."""

    symbols: Symbols
    backoff: Backoff
    events: Events
    ascent: DualAscent[GrammarSums]


class GrammarTrainer:
    """A text prepared for training; ``run`` goes through the stages."""

    def __init__(
        self, treebank: Treebank | Shards, constraints: Sequence[Constraint], settings: GrammarSettings,
        known: Knowledge = NO_KNOWLEDGE, threads: int | None = None, engine: Engine | None = None,
    ):  # fmt: skip
        brackets, trees, _ = known
        self.settings, self.threads, self.start_time = settings, threads, time.perf_counter()
        needs_whole_text = settings.together or settings.second_order or trees is not None
        if isinstance(treebank, Shards) and needs_whole_text:
            raise WorkbenchError(
                "from shards a grammar learns alone; leave out trees, second-order parser and tree CRF"
            )
        self.text = GrammarText(treebank, settings, brackets, trees, threads, engine)
        if not constraints:
            raise ConstraintError("there is no constraint to train on; write at least one, or take a prior")
        matched = self.text.some(ALL).sum(Selected.denominators, tuple(constraints)) > 0
        if not matched.any():
            raise ConstraintError("no line matches two words of this text; see whether its tags are those of the lines")
        self.constraints = tuple(constraints[c] for c in np.flatnonzero(matched).tolist())
        self.skipped = tuple(constraints[c] for c in np.flatnonzero(~matched).tolist())
        self.text.constraints = self.constraints
        longer = max(1.0, self.text.sizes()[1] / THRESHOLD_WORDS)
        self.thresholds = tuple(math.ceil(threshold * longer) for threshold in settings.thresholds)
        self.trace, self.held_out, self.status, self.second_order = [], {}, CONVERGED, None
        self.done, self.total, self.progress, self.cancel = 0.0, 0, None, None
        self.latest = GrammarProgress("", 0, 0.0, 0.0, np.zeros(len(self.constraints)), 0.0)

    def run(
        self, start: Grammar | ParserEnsemble | None = None,
        progress: Callable[[GrammarProgress], object] | None = None, cancel: Cancel | None = None,
    ) -> GrammarResult:  # fmt: skip
        """Run all stages; from a ``start``, train its grammars for a few iterations."""
        self.progress, self.cancel = progress, cancel
        settings, crf = self.settings, None
        groups = self._train() if start is None else self._resume(start)
        if settings.together and not self._cancelled():
            crf = self._tree_crf()
        if settings.second_order and self.text.sizes()[0] > 1 and not self._cancelled():
            second_order, arc_bonuses = self._learn_second_order(_points(groups), crf)
            if not self._cancelled():
                self.second_order = second_order
                if self.text.arc_bonuses is not None:
                    arc_bonuses = self.text.arc_bonuses + arc_bonuses
                self.text.arc_bonuses = arc_bonuses
                groups = [[self._with_arc_bonuses(state) for state in group] for group in groups]
        return self._result(groups, crf)

    def _train(self):
        """Groups of states, averaged within each group: grammars with extended valence; the one without, if wanted."""
        settings = self.settings
        lexical = len(settings.thresholds) * settings.word_iterations
        held_out = sum(HELD_OUT_ITERATIONS) * (settings.words == "auto")
        self.total = sum(settings.iterations) * (1 + settings.together) + LONG_STAGE * settings.together
        self.total += (lexical + held_out) * (settings.words != "no")
        voting = (1 if settings.words == "no" else len(settings.thresholds)) + settings.together
        self.total += (LONG_STAGE + settings.vote_iterations * voting) * settings.second_order
        states = [self._by_length(settings.backoff)]
        if settings.words != "no" and not self._cancelled():
            if self._lexicalisation_helps(states[0]):
                states = [self._with_words(states[0], threshold) for threshold in self.thresholds]
            else:
                self.total -= lexical
                self.total -= settings.vote_iterations * (len(settings.thresholds) - 1) * settings.second_order
        if not settings.together or self._cancelled():
            return [states]
        plain = self._by_length(replace(settings.backoff, adjacency=None), ", without extended valence")
        return [states] if self._cancelled() else [states, [plain]]

    def _resume(self, start):
        """The states of an earlier result's grammars after a few more iterations."""
        grammars = [start]
        if isinstance(start, ParserEnsemble):
            grammars = [start.grammar, start.plain] if self.settings.together else [start.grammar]
        parts = sum(len(grammar.parts) for grammar in grammars)
        self.total = EDITED_ITERATIONS * parts + LONG_STAGE * self.settings.together
        self.total += (self.settings.vote_iterations * parts + LONG_STAGE) * self.settings.second_order
        groups = [self._resume_group(grammar) for grammar in grammars]
        if self.settings.together and len(groups) == 1 and not self._cancelled():
            self.total += sum(self.settings.iterations)
            plain = self._by_length(replace(self.settings.backoff, adjacency=None), ", without extended valence")
            return groups if self._cancelled() else [*groups, [plain]]
        return groups

    def _by_length(self, backoff, kind=""):
        """The state after training on longer and longer sentences, with tags as symbols."""
        symbols, settings, state = self.text.symbols(), self.settings, None
        for longest, iterations in zip(settings.lengths, settings.iterations, strict=True):
            chosen = Selection(longest)
            if self.text.sizes(chosen)[0]:
                ascent = self.text.ascent(symbols, chosen, state and state.ascent.multipliers)
                if state:
                    events = state.events
                else:  # heads nearby are likelier, whatever the tags
                    events = extended(estimate(self.text.some(chosen).sum(Selected.harmonic, symbols), 1.0))
                name = "sentences of all lengths" if longest is None else f"sentences of at most {longest} words"
                state = self._iterate(GrammarState(symbols, backoff, events, ascent), iterations, name + kind)
        return state

    def _with_words(self, state, threshold):
        """The state after the stage in which words seen at least ``threshold`` times are symbols."""
        symbols = self.text.symbols(threshold)
        ascent = self.text.ascent(symbols, ALL, state.ascent.multipliers)
        backoff = replace(self.settings.backoff, adjacency=WORD_ADJACENCY, symbols=WORD_BACKOFF * threshold**-0.5)
        start = GrammarState(symbols, backoff, expand_to_symbols(state.events, symbols), ascent)
        return self._iterate(start, self.settings.word_iterations, f"words seen {threshold} times")

    def _lexicalisation_helps(self, state):
        """Whether held-out sentences are more probable with words as symbols than with tags alone."""
        if self.settings.words == "yes":
            return True
        seen, rest = Selection(held=False), Selection(held=True)
        if not self.text.sizes(seen)[0] or not self.text.sizes(rest)[0]:
            return False
        symbols = self.text.symbols(sorted(self.thresholds)[len(self.thresholds) // 2])
        # both grammars are trained on the same sentences, so that their likelihoods compare
        tags, figures = self.text.ascent(state.symbols, seen, state.ascent.multipliers), {}
        over_tags, over_words = HELD_OUT_ITERATIONS
        plain = self._iterate(GrammarState(state.symbols, state.backoff, state.events, tags), over_tags, HELD_OUT_STAGE)
        words = self.text.ascent(symbols, seen, plain.ascent.multipliers)
        start = GrammarState(
            symbols, replace(state.backoff, adjacency=WORD_ADJACENCY), expand_to_symbols(plain.events, symbols), words
        )
        lexical = self._iterate(start, over_words, HELD_OUT_STAGE)
        held_out, words_held_out = self.text.some(rest), self.text.sizes(rest)[1]
        for name, events in (("tags", expand_to_symbols(plain.events, symbols)), ("words", lexical.events)):
            figures[name] = held_out.sum(Selected.log_likelihood, symbols, events) / words_held_out
        self.held_out = figures
        return figures["words"] > figures["tags"]

    def _tree_crf(self):
        """A TreeCRF from the same constraints on short sentences, or on all if nothing matches in short ones."""
        sentences, column = self.text.sentences, self.text.column
        some = sentences.select(Selection(TEXT_LENGTH).of(sentences.words.lengths))
        if not len(some.words) or not (Matcher(some.words, column).match(self.constraints).denominators > 0).any():
            some = sentences
        short, marked = some.words, some.brackets.lists()
        known = Matcher(short, column).match(self.constraints).denominators > 0
        constraints = [constraint for constraint, matches in zip(self.constraints, known, strict=True) if matches]
        level = self.settings.level if any(marked) else "none"
        before = self.done

        def progress(state):
            self.done = before + LONG_STAGE * min(1.0, state.evaluations / settings.max_evaluations)
            self._report_stage("a tree CRF from the same lines", state.iteration)

        settings = replace(PRESETS["text"], tags=column, brackets=level)
        trees = None if some.known is None or not (some.known >= 0).any() else some.known
        trainer = GETrainer(short, settings, self.threads, marked)
        crf = trainer.train(constraints, trees=trees, progress=progress, cancel=self.cancel).model
        self.done = before + LONG_STAGE
        return crf

    def _learn_second_order(self, points, crf):
        """(SecondOrder, arc bonuses float64 (A,)): two parsers that learn one half of the trees each, and bonuses for
        the arcs with which each parses the other half."""
        self._report_stage("a second-order parser learns the trees", 1)
        words, arcs = self.text.sentences.words, self.text.arcs
        shares = [mean(point.marginals for point in group) for group in points]
        if crf is not None:
            shares.append(self._crf_shares(crf))
        trees = with_trees(words, eisner(PackedScores(mean(shares), arcs), threads=self.threads).values)

        def learn(half):
            parser = MSTParser(order=2, labels=False, tags=self.text.column)
            return parser.fit(half, epochs=VOTE_EPOCHS, cancel=self.cancel)

        parsers = cross_train(learn, trees, threads=self.threads)
        arc_bonuses = self.settings.vote * gold_arcs(parse_folds(parsers, trees), arcs)
        self.done += LONG_STAGE
        return SecondOrder(parsers, self.settings.vote), arc_bonuses

    def _with_arc_bonuses(self, state):
        state = replace(state, ascent=self.text.ascent(state.symbols, ALL, state.ascent.multipliers))
        return self._iterate(state, self.settings.vote_iterations, "with the votes of a second-order parser")

    def _resume_group(self, start):
        """The states of an earlier grammar's parts after a few iterations, from its multipliers.

        The edit changes the multipliers of all parts by the change that the first part needs.
        """
        unknown = sorted({*self.text.symbols().tags} - {*start.tags})
        if unknown:
            raise WorkbenchError(f"the grammar to start from does not know the tag {unknown[0]}; train without a start")
        group, change = [], np.zeros(len(self.constraints))
        for part in start.parts:
            names = (constraint.name for constraint in start.constraints)
            by_name = dict(zip(names, part.multipliers.tolist(), strict=True))
            former = np.array([by_name.get(constraint.name, 0.0) for constraint in self.constraints])
            ascent, point = self.text.ascent(part.symbols, ALL, former + change), None
            if not group:
                point = ascent.climb(part.events, EDITED, self.cancel, self.settings.enough)
                change = ascent.multipliers - former
            state = GrammarState(part.symbols, part.backoff, part.events, ascent)
            group.append(self._iterate(state, EDITED_ITERATIONS, "from the grammar before", point))
        return group

    def _iterate(self, state, iterations, stage, point=None):
        """The state after some iterations, fewer when cancelled; the first ascent begins at ``point``."""
        for iteration in range(1, iterations + 1):
            if self._cancelled():
                return state
            point = state.ascent.climb(state.events, self.settings.ascents, self.cancel, self.settings.enough, point)
            counts = state.ascent.sums.count(point.moments, state.events)
            state = replace(state, events=estimate_backed_off(counts, state.symbols, state.backoff))
            self.done += 1
            dual, grammar = point.value / state.ascent.sums.token_count, self._grammar([state])
            self._report(GrammarProgress(stage, iteration, 0.0, dual, point.expectations, 0.0, grammar))
            point = None  # it was under the former events
        return state

    def _grammar(self, states):
        parts = [
            SingleGrammar(state.symbols, state.events, np.array(state.ascent.multipliers), state.backoff)
            for state in states
        ]
        return Grammar(parts, self.constraints, self.settings.price, second_order=self.second_order)

    def _report_stage(self, stage, iteration):
        """Report a stage that has no dual of its own."""
        self._report(replace(self.latest, stage=stage, iteration=iteration))

    def _report(self, progress):
        fraction, seconds = min(self.done / max(self.total, 1), 1.0), time.perf_counter() - self.start_time
        self.latest = replace(progress, fraction=fraction, seconds=seconds)
        self.trace.append(replace(self.latest, grammar=None))
        if self.progress:
            self.progress(self.latest)

    def _cancelled(self):
        if self.cancel and self.cancel():
            self.status = CANCELLED
        return self.status == CANCELLED

    def _crf_shares(self, crf):
        return crf.marginals(self.text.sentences.words, votes=self.text.fixed, threads=self.threads)[1].values

    def _result(self, groups, crf):
        groups = [[replace(state, events=state.events.rounded()) for state in group] for group in groups]
        grammar, *plain = [self._grammar(group) for group in groups]
        model = grammar if crf is None else ParserEnsemble(crf, plain[0], grammar, self.settings.price)
        points, ascent = _points(groups), groups[0][0].ascent
        constraints, words = ascent.constraints, ascent.sums.token_count
        means = [mean(point.expectations for point in group) for group in points]
        expectations = mean(means if crf is None else [*means, self.text.shares(self._crf_shares(crf))])
        missed = constraints.distances(expectations) > MET
        return GrammarResult(
            model, self.constraints, expectations,
            np.mean([point.multipliers for group in points for point in group], axis=0),
            float(np.mean([point.value for point in points[0]]) / words),
            float(max(point.gap(constraints) for group in points for point in group) / words),
            tuple(self.constraints[c] for c in np.flatnonzero(missed).tolist()),
            self.skipped, self.text.crossing, self.text.untagged, self.held_out,
            self.status, self.trace, time.perf_counter() - self.start_time,
        )  # fmt: skip


def _points(groups) -> list[list[DualPoint]]:
    """The DualPoint of each state at its multipliers."""
    return [
        [state.ascent.point(state.events, state.ascent.multipliers).without_events() for state in group]
        for group in groups
    ]


def mean(arrays: Iterable[np.ndarray]) -> np.ndarray:
    """The mean of arrays of one shape, without a copy of all of them."""
    total, count = np.zeros(()), 0
    for array in arrays:
        total, count = total + array, count + 1
    return total / count
