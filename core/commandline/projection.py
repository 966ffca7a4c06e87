"""What commands report of constraints above a parser, and the parser of ``parse --constraints``."""

from argparse import Namespace

import numpy as np

from core.commandline import texts
from core.commandline.answers import adopted_of
from core.commandline.reports import expectation_rows, expectation_table, table
from core.constraints.authoring.word_order import parse_order
from core.constraints.grammar.judging import TaughtParser, project_judged
from core.constraints.grammar.projected import ProjectionResult, largest_multiplier, target_range
from core.constraints.grammar.settings import GrammarResult, GrammarSettings
from core.constraints.matching.matcher import choose_tag_column
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.evaluation.learnt import has_heads
from core.parsers.decoding import PosteriorParser
from core.parsers.protocols import Parser
from core.parsers.universal.learning import BesideParses
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank
from core.workspace.wording import amount, share_in_text, weights_text

NO_KIN = "none"


def under_constraints(
    parser: Parser | TaughtParser, treebank: Treebank, options: Namespace
) -> tuple[Parser, dict, list[str]]:
    """(the parser of ``parse`` under ``--constraints``, what to report of them as JSON values, and as lines).

    The parser itself without the option. Raises WorkbenchError for a parser that gives arcs no probability.
    """
    below = parser.parser if isinstance(parser, TaughtParser) else parser
    if not options.constraints:
        return below, {}, []
    if not isinstance(below, PosteriorParser):
        raise WorkbenchError(f"{options.model} does not say how probable an arc is; leave out --constraints")
    constraints = texts.read_constraints(options.constraints, treebank, options).constraints
    column = choose_tag_column(constraints, treebank, options.tags)
    settings = GrammarSettings(
        tags=column, lengths=(None,), iterations=(1,), price=below.price, trust=options.trust, keep_all=options.keep_all
    )
    prior = parser if isinstance(parser, TaughtParser) else below
    result = project_judged(treebank, constraints, settings, prior)
    data = expectation_data(result, options.trust)
    return result.model, data, expectation_lines(data, result)


def steered(model: Parser, options: Namespace) -> Parser:
    """A parser that follows ``--order`` and ``--kin``; ``--trees`` needs one that can. Raises WorkbenchError."""
    kin, beside = getattr(options, "kin", None), getattr(options, "beside", None)
    if beside and options.trees is None:
        raise WorkbenchError("--beside needs --trees, checked sentences that say how far to trust it; give some")
    if not isinstance(model, UniversalParser):
        for name, value in (("order", options.order), ("kin", kin), ("trees", options.trees)):
            if value is not None:
                raise WorkbenchError(f"--{name} is for a universal parser, and {options.model} is none; leave it out")
        return model
    if options.order:
        model = model.with_answers(parse_order(options.order))
    if kin:
        model = model.with_sources(() if kin == NO_KIN else [name.strip() for name in kin.split(",")])
    return model


def beside_parses(model: UniversalParser, text: Treebank, options: Namespace) -> UniversalParser | BesideParses:
    """A universal parser that learns from ``--trees`` beside the parses of ``--beside``; itself without any."""
    parses = [adopted_of(text, path).treebank for path in options.beside or ()]
    return BesideParses(model, parses) if parses else model


def weights_of_parses(taught: Parser | TaughtParser, options: Namespace) -> tuple[list[dict], list[str]]:
    """(how much each parse of ``--beside`` counts, as JSON values; the same as lines), beside a parser that was taught.

    The right heads of a parse are counted in the sentences by which its weight was learnt, without punctuation.
    """
    if not isinstance(taught, TaughtParser) or not isinstance(taught.untaught, BesideParses):
        return [], []
    learnt = taught.parser
    assert isinstance(learnt, UniversalParser) and learnt.others is not None
    rows, lines = [], []
    weights = learnt.others.both_trusts.tolist()
    for path, parse, (of_heads, of_relations) in zip(options.beside, taught.untaught.parses, weights, strict=True):
        scores = attachment_scores(*_shared(taught.trees, parse))
        row = {"parse": str(path), "weight": of_heads, "relation_weight": of_relations}
        rows.append(row | {"sentences": scores.sentences, "words": scores.words, "uas": scores.uas})
        if not scores.words:
            lines.append(f"{path}: weight 0, since it has no tree of a sentence of --trees")
            continue
        sentences = f"{amount(scores.sentences, 'sentence')} of --trees"
        right = f"{share_in_text(scores.heads, scores.words).removesuffix(')')} words, without punctuation)"
        weight = weights_text(of_heads, of_relations)
        lines.append(f"{path}: {weight}; learnt from {sentences}, where {right} of its heads are right")
    return rows, lines


def _shared(trees, parse):
    """(the trees of sentences that a parse has, its own trees of them), without punctuation."""
    gold, theirs = trees.without_punctuation(), parse.without_punctuation()
    places = {theirs[i].forms: i for i in np.flatnonzero(has_heads(theirs)).tolist()}
    shared = [i for i in np.flatnonzero(has_heads(gold)).tolist() if gold[i].forms in places]
    of_parse = [places[gold[i].forms] for i in shared]
    return gold.select(np.array(shared, np.int64)), theirs.select(np.array(of_parse, np.int64))


def expectation_data(result: GrammarResult, trust: float) -> dict:
    """What a result expects of each constraint, as JSON values.

    Above a parser also the range, the parser's own share and the multiplier, and which constraints to look at.
    """
    if not isinstance(result, ProjectionResult):
        return {"expectations": expectation_rows(result.expectations, result.constraints)}
    values = zip(
        result.constraints, result.expectations.tolist(), result.alone.tolist(), result.multipliers.tolist(),
        result.costs.tolist(), strict=True,
    )  # fmt: skip
    rows = []
    for constraint, share, alone, multiplier, cost in values:
        low, high = target_range(constraint)
        rows.append(
            {"constraint": constraint.name, "low": low, "high": high, "model": share, "alone": alone,
             "multiplier": multiplier, "largest": largest_multiplier(constraint, trust), "cost": cost}
        )  # fmt: skip
    strains = result.strains
    return {
        "expectations": rows,
        "disputed": list(strains.disputed),
        "costliest": [name for name, _ in strains.costliest],
        "fights": strains.fights,
        "left_out": [group.values for group in result.left_out],
        "rule_targets": [each.values for each in result.rules],
    }


def expectation_lines(data: dict, result: GrammarResult) -> list[str]:
    """The same as lines of text."""
    rows, by_name = data["expectations"], {row["constraint"]: row for row in data["expectations"]}
    if not rows:
        return _rule_lines(data.get("rule_targets", ()))
    if not isinstance(result, ProjectionResult):
        return ["", expectation_table(rows, result.constraints)]
    shown = [
        (row["constraint"], f"{row['low']:.3g}..{row['high']:.3g}", f"{row['alone']:.3f}", f"{row['model']:.3f}",
         f"{row['multiplier']:+.2f}") for row in rows
    ]  # fmt: skip
    lines = ["", table(shown, ("constraint", "range", "parser", "with constraints", "nats"))]
    for name in data["disputed"]:
        row = by_name[name]
        lines.append(
            f"warning: {name}: you state {row['low']:.3g}..{row['high']:.3g}, the parser has {row['alone']:.2f}; it "
            f"moves arcs by {row['largest']:.2g} nats at most: look at some of these words, then change or confirm it"
        )
    for group in data["left_out"]:
        names = group["constraints"]
        what = f"{names[0]} is" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} are"
        lines.append(
            f"warning: {what} left out: in folds of the known trees {group['gain']:.1f} points more heads are right "
            f"without (standard error {group['error']:.1f}); --keep-all keeps every constraint"
        )
    if data["costliest"]:
        costs = ", ".join(f"{name} ({by_name[name]['cost']:.1f} nats)" for name in data["costliest"])
        lines.append(f"these pull hardest: {costs}")
    lines += [
        f"these pull against each other: {one} and {other} ({nats:.1f} nats)" for one, other, nats in data["fights"]
    ]
    return lines + _rule_lines(data["rule_targets"])


def _rule_lines(rows):
    """What is kept of rules, as lines."""
    if not rows:
        return []
    shown = [
        (row["rule"], f"{row['words']:,.0f}", f"{100 * row['alone']:.2f}", f"{100 * row['kept']:.2f}",
         f"{row['price']:.2f}") for row in rows
    ]  # fmt: skip
    lines = ["", table(shown, ("rule", "words", "% keep it: parser", "with rules", "nats a breach"))]
    missed = [row for row in rows if not row["met"]]
    return lines + [
        f"warning: {row['rule']}: {100 * row['kept']:.2f}% of the words keep it, and {100 * row['share']:.4g}% should"
        for row in missed
    ]
