"""The results of a run of adaptation as tables and drawings."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from core.adaptation.systems import FEW, NONE, SCL, SELF_TRAINING
from core.draw import Drawing
from core.draw.trees import compare_trees, draw_tree
from core.evaluation import AttachmentScores
from core.files.tables import columns_of
from core.treebank import Treebank
from core.workspace.adaptation.files import changed_table
from core.workspace.adaptation.outcome import AdaptationOutcome
from core.workspace.adaptation.plan import SOURCE, TARGET
from core.workspace.scoring import recorded_words
from core.workspace.wording import all_learnt, amount, share_of, word_name

NAMES = {
    NONE: "No adaptation",
    SELF_TRAINING: "Self-training",
    FEW: "A few target trees",
    SCL: "Adapted",
}
METRICS = {"LAS": "both", "UAS": "heads", "labels": "labels"}  # and the count that each is a share of words
VERDICTS = ("corrected", "harmed", "both wrong", "relation", "unknown")
SIDES = ("highest", "lowest")


def courses(
    scores: Mapping[str, Mapping[str, Sequence[AttachmentScores]]], text: str, metric: str
) -> dict[str, list[float]]:
    """{system: per cent after each iteration} of a text; systems and iterations without a score are left out."""
    count = METRICS[metric]
    shares = {
        name: [100 * getattr(score, count) / score.words for score in by_text.get(text, ()) if score.words]
        for name, by_text in scores.items()
    }
    return {name: values for name, values in shares.items() if values}


def score_table(outcome: AdaptationOutcome, text: str) -> dict[str, list]:
    """Columns of a table: every system after every iteration, each score with numerator and denominator."""

    def share(scores, metric):
        known = scores.words and (scores.labelled or metric == "UAS")
        return share_of(getattr(scores, METRICS[metric]), scores.words) if known else None

    rows = [
        (NAMES[name], iteration, *(share(scores, metric) for metric in METRICS))
        for name, by_text in outcome.scores.items()
        for iteration, scores in enumerate(by_text.get(text, ()), start=1)
    ]
    return columns_of(("system", "iteration", *METRICS), rows)


def significance_table(outcome: AdaptationOutcome) -> dict[str, list]:
    """Columns of a table: each system against the parser without adaptation, word by word on the target."""
    tests = outcome.run.figures.get("tests", {})
    rows = [
        (title, column, test["better"], test["worse"], test["p_value"])
        for name, title in NAMES.items()
        for column, test in tests.get(name, {}).items()
    ]
    return columns_of(("system", "what", "better", "worse", "p"), rows)


def verdict(outcome: AdaptationOutcome) -> str:
    """The effect of adaptation on the target, in one or two sentences."""
    figures = outcome.run.figures
    name = outcome.inputs.target_name
    if "words" not in figures["model"]:
        if figures["model"]:
            return f"{name}: {all_learnt(figures['model']['learnt'])}, so there are no scores; see what changed."
        return f"{name} has no trees, so there are no scores; see what changed under Changed arcs."
    metric = "UAS" if figures["model"]["las"] is None else "LAS"
    values = [courses(outcome.scores, TARGET, metric)[name][-1] for name in (SCL, NONE)]
    counts = [getattr(outcome.scores[name][TARGET][-1], METRICS[metric]) for name in (SCL, NONE)]
    test, words = figures["tests"][SCL]["heads"], figures["model"]["words"]
    over = recorded_words(figures["model"], punctuation=True)
    odds = "unlikely to be chance" if test["p_value"] <= 0.05 else "no evidence of a difference"
    return (
        f"{metric} **{values[0]:.1f}%** with adaptation ({counts[0]:,} of {words:,} words{over}), "
        f"{values[1]:.1f}% without ({counts[1]:,}) · heads: {amount(test['better'], 'word')} corrected, "
        f"{test['worse']:,} harmed, {odds} (p = {test['p_value']:.2g})"
    )


def pivot_table(findings: Mapping[str, list]) -> dict[str, list]:
    """Columns of a table over pivots: what decides, word pairs of both texts it holds of, how well it is predicted."""
    rows = [
        (row["name"], row["by"], *map(share_of, row["counts"], row["sampled"]), row["right"], row["majority"])
        for row in findings["pivots"]
    ]
    return columns_of(("pivot", "by", SOURCE, TARGET, "predicted", "majority"), rows)


def feature_table(for_it: Sequence[tuple[str, float]], against: Sequence[tuple[str, float]]) -> dict[str, list]:
    """Columns of a table: features with the largest weights, and with the smallest, side by side."""
    rows = max(len(for_it), len(against))
    table = {}
    for side, features in (("for", for_it), ("against", against)):
        padded = [*features, *[(None, None)] * (rows - len(features))]
        table |= {side: [name for name, _ in padded], f"weight {side}": [weight for _, weight in padded]}
    return table


def examples(outcome: AdaptationOutcome, direction: int, side: str) -> tuple[list[tuple[str, dict]], dict[str, list]]:
    """(edges, columns of a table): edges of the source's and the adapted target trees that respond most.

    ``direction`` counts from 0. An edge is (text, dict of ExampleEdge).
    """
    by_direction = outcome.findings["examples"]
    edges = [(text, edge) for text in (SOURCE, TARGET) for edge in by_direction[text][direction][SIDES.index(side)]]
    edges.sort(key=lambda pair: pair[1]["value"], reverse=side == SIDES[0])
    rows = []
    for text, edge in edges:
        bank = _bank(outcome, text)
        head, modifier = (word_name(bank[edge["sentence"]], edge[end]) for end in ("head", "modifier"))
        rows.append((text, int(bank.picks[edge["sentence"]]) + 1, head, modifier, edge["value"]))
    return edges, columns_of(("text", "sentence", "head", "modifier", "value"), rows)


def example_drawing(outcome: AdaptationOutcome, text: str, edge: Mapping) -> Drawing:
    """The Drawing of the sentence of an example: the source's own tree, or the adapted parser's."""
    bank = _bank(outcome, text)
    return draw_tree(bank[edge["sentence"]], kind="gold" if text == SOURCE else "predicted")


def changed(
    outcome: AdaptationOutcome, kind: str | None = None, places: ArrayLike | None = None
) -> tuple[list[dict], dict[str, list]]:
    """(edges, columns of a table): words that adaptation attached or named otherwise, of one verdict or all.

    Only those of target sentences among ``places``, where given.
    """
    edges = [edge for edge in outcome.findings["changed"] if kind in (None, edge["verdict"])]
    if places is not None:
        wanted = set(np.asarray(places, np.int64).tolist())
        edges = [edge for edge in edges if edge["sentence"] in wanted]
    return edges, changed_table(edges, outcome.inputs.test)


def verdict_counts(outcome: AdaptationOutcome) -> dict[str, int]:
    """{verdict: words that changed}, those that occur."""
    verdicts = [edge["verdict"] for edge in outcome.findings["changed"]]
    return {name: verdicts.count(name) for name in VERDICTS if name in verdicts}


def changed_drawing(outcome: AdaptationOutcome, sentence: int) -> Drawing:
    """The Drawing of a target sentence: without adaptation above the words, adapted below, differences dashed."""
    before, after = (outcome.parsed[name][sentence] for name in (NONE, SCL))
    return compare_trees(
        outcome.inputs.test[sentence],
        after.heads,
        before.heads,
        labels=(before.deprels, after.deprels),
        names=("without adaptation", "adapted"),
    )


def _bank(outcome: AdaptationOutcome, text: str) -> Treebank:
    return outcome.inputs.source if text == SOURCE else outcome.parsed[SCL]
