"""Training a grammar from lines as a background job, and what its lines are worth."""

import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from core.constraints import ConstraintDocument, Together, parse_constraints
from core.constraints.attribution import Flips
from core.constraints.decoding import PosteriorParser
from core.constraints.grammar import Grammar
from core.constraints.preview import GrammarArcs
from core.constraints.redundancy import UNCHANGED
from core.constraints.train_grammar import GrammarProgress, GrammarResult, train_grammar
from core.errors import Cancelled
from core.parsers import load_parser
from core.trees.eisner import eisner
from core.trees.packed import PackedScores
from core.workspace.constraints.change import shares
from core.workspace.constraints.grammar_plan import GrammarPlan
from core.workspace.constraints.known_trees import KnownTrees, laid_out
from core.workspace.constraints.text import GRAMMAR, Text, TextOutcome, read_outcome
from core.workspace.constraints.training import score_figure
from core.workspace.constraints.worth import Worth, reach
from core.workspace.corpora import text_brackets
from core.workspace.live import Watch
from core.workspace.spread import spread
from core.workspace.system import Work, file_bytes
from core.workspace.workspace import Workspace


def grammar_work(
    workspace: Workspace, text: Text, plan: GrammarPlan, known_trees: Callable[[Text], KnownTrees | None]
) -> Work:
    """``work(job)`` for ``Jobs``: trains a grammar on a Text from its set and reports every iteration.

    It begins from the model of the run ``text.start``. Raises ConstraintError for a set that cannot be read.
    """
    constraints = parse_constraints(text.constraint_text, text.matcher)
    used = text.matcher.match(constraints).denominators > 0

    def work(job):
        known, reports = known_trees(text), [0]
        heads = None if known is None else text.heads_of_all(laid_out(text, known.parts))
        start = None if text.start is None else read_model(workspace.store.result_bytes(text.start) or b"", text)
        watch = Watch(workspace, job.run)

        def progress(state: GrammarProgress):
            reports[0] += 1
            figures = {
                "objective": state.dual, "expectations": _of_all(used, state.expectations), "stage": state.stage
            }  # fmt: skip
            job.report(reports[0], state.fraction, figures)
            if state.grammar is not None:
                grammar = state.grammar
                watch(reports[0], lambda: parsed(GrammarArcs.of(grammar, text.sentences))[0])

        try:
            brackets = None if plan.brackets == "none" else text_brackets(text.sentences, text.corpus.reference)
            settings = plan.grammar_settings()
            train = partial(train_grammar, start=start, progress=progress, cancel=job.cancelled)
            if heads is None and not (settings.second_order or settings.together):
                with spread(job, text.sentences, brackets) as (sentences, engine):
                    result = train(sentences, constraints, settings, brackets=brackets, engine=engine)
            else:  # these look at the whole text
                result = train(text.sentences, constraints, settings, brackets=brackets, trees=heads)
        finally:
            workspace.show_live(job.run, None, None)
        outcome = outcome_of(text, plan, result.model)
        figures = _figures(result, used, known) | {"iterations": reports[0]} | score_figure(text, outcome)
        return figures, outcome.to_bytes()

    return work


def _of_all(used, expectations):
    """The shares of all lines of a set, 0 for those that match nothing and were left out, as list of float."""
    found = np.zeros(len(used))
    found[used] = expectations
    return found.tolist()


def _figures(result: GrammarResult, used: np.ndarray, known: KnownTrees | None) -> dict:
    figures = {
        "objective": result.dual,
        "gap": result.gap,
        "expectations": _of_all(used, result.expectations),
        "end": result.status,
        "training_seconds": result.seconds,
        "unmet": [line.name for line in result.unmet],
        "held_out": result.held_out,
    }
    if known is not None:
        left_out = len(known.problems) + len(result.crossing)
        figures["trees"] = {"complete": known.complete, "partial": known.partial, "left_out": left_out}
        figures["stacked"] = result.learnt
    return figures


def parsed(arcs: GrammarArcs) -> tuple[np.ndarray, PackedScores]:
    """(heads int32 (rows,), arc marginals) that a model gives a text. O(parsers * sum of n^3)."""
    marginals = arcs.fixed.like(arcs.marginals(np.zeros(len(arcs.fixed.values))))
    return eisner(marginals).values, marginals


def outcome_of(text: Text, plan: GrammarPlan, model: PosteriorParser) -> TextOutcome:
    """What a model makes of a Text, with the file of the model."""
    heads, marginals = parsed(GrammarArcs.of(model, text.sentences))
    marginals = marginals.like(marginals.values.astype(np.float32))
    return TextOutcome(
        run=None, inputs=text, plan=plan, heads=heads, marginals=marginals, model=file_bytes(model)
    )  # fmt: skip


def read_model(data: bytes, text: Text) -> Grammar | Together:
    """The model of a finished run on a Text. Raises FormatError."""
    return load_parser(io.BytesIO(read_outcome(data, None, text, GRAMMAR).model or b""))


def grammar_worth_work(text: Text, model: Grammar | Together) -> Work:
    """``work(job)`` for ``Jobs``: what each line of a model's set is worth.

    Without a line means without its multiplier; the grammar, which has learnt from it, stays as it is. A line costs as
    much as parsing the text.
    """
    constraints = ConstraintDocument.from_text(text.constraint_text).constraints
    matches = text.matcher.match(constraints)
    used = np.flatnonzero(matches.denominators > 0)

    def work(job):
        total, arcs = len(constraints) + 2, GrammarArcs.of(model, text.sentences)
        bare = model.with_second_order(None)  # whose votes are among the log-weights

        def done(step, message):
            if job.cancelled():
                raise Cancelled
            job.report(step, step / total, message=message)

        def without(lines):
            factors = np.ones(len(used))
            factors[np.isin(used, lines)] = 0.0
            heads, marginals = parsed(replace(arcs, grammar=bare.weighing(factors)))
            return heads, np.where(matches.denominators > 0, shares(matches, marginals), 0.0)

        heads, before = without([])
        after, flips = np.empty((len(constraints), len(constraints))), []
        for c, constraint in enumerate(constraints):
            done(c, f"Line {c + 1} of {len(constraints)}: {constraint.name}")
            other, after[c] = without([c])
            flips.append(_flips(text, heads, other, matches.of(c)))
        done(total - 2, "Looking for lines that can be dropped together")
        removable = _removable(before, after, lambda lines: without(lines)[1], used, job.cancelled)
        done(total - 1, "Searching for trees that meet all targets")
        reached, culprits, problems = reach(constraints, text, job.cancelled)
        found = Worth(
            tuple(constraints), before, after, np.full(len(constraints), -1), np.zeros(len(constraints)), removable,
            reached, culprits, problems, tuple(flips), text.treebank.token_count,
        )  # fmt: skip
        return {}, found.to_bytes()

    return work


def _flips(text: Text, heads: np.ndarray, other: np.ndarray, places: np.ndarray) -> Flips:
    """The words whose head is another one without a line, whose candidates are ``places`` among the arcs."""
    rows = np.flatnonzero(heads != other)
    offsets = text.treebank.offsets
    sentences = np.searchsorted(offsets, rows, side="right") - 1
    modifiers, sides = rows - offsets[sentences], text.treebank.lengths[sentences] + 1
    arcs = text.matcher.arc_offsets[sentences] + heads[rows] * sides + modifiers
    now, then = heads[rows].astype(np.int64), other[rows].astype(np.int64)
    return Flips(sentences, modifiers, now, then, np.isin(arcs, places))


def _removable(before, after, shares_without, used, cancelled):
    """Lines that can be dropped together without any share moving by more than ``UNCHANGED``; least moved first."""
    moves = np.abs(after - before).max(axis=1)
    dropped = []
    for c in np.argsort(moves, kind="stable").tolist():
        if moves[c] > UNCHANGED or cancelled():
            break
        if c in used and np.abs(shares_without([*dropped, c]) - before).max() <= UNCHANGED:
            dropped.append(c)
    return tuple(dropped)
