"""What a run of adaptation left, as tables, drawings and files for people to look at."""

import csv
import io

import numpy as np

from core.adaptation.systems import FEW, NONE, SCL, SELF_TRAINING
from core.draw.trees import compare_trees, draw_tree
from core.workspace.adaptation.runs import SOURCE, TARGET
from core.workspace.wording import amount, share_of, word_name

NAMES = {
    NONE: "No adaptation",
    SELF_TRAINING: "Self-training",
    FEW: "A few target trees",
    SCL: "Adapted",
}
METRICS = {"LAS": "both", "UAS": "heads", "labels": "labels"}  # and the count that each is a share of words
VERDICTS = ("corrected", "harmed", "both wrong", "relation", "unknown")
SIDES = ("highest", "lowest")


def courses(scores, text, metric):
    """{system: per cent after each iteration} of a text; systems and iterations without a score are left out."""
    count = METRICS[metric]
    shares = {
        name: [100 * getattr(each, count) / each.words for each in found.get(text, ()) if each.words]
        for name, found in scores.items()
    }
    return {name: values for name, values in shares.items() if values}


def score_table(outcome, text):
    """Columns of a table: every system after every iteration, each score with numerator and denominator."""
    table = {"system": [], "iteration": [], **{metric: [] for metric in METRICS}}
    for name, found in outcome.scores.items():
        for iteration, each in enumerate(found.get(text, ()), start=1):
            table["system"].append(NAMES[name])
            table["iteration"].append(iteration)
            for metric, count in METRICS.items():
                known = each.words and (each.labelled or metric == "UAS")
                table[metric].append(share_of(getattr(each, count), each.words) if known else None)
    return table


def significance_table(outcome):
    """Columns of a table: each system against the parser without adaptation, word by word on the target."""
    table = {"system": [], "what": [], "better": [], "worse": [], "p": []}
    tests = outcome.run.figures.get("tests", {})
    for name in (name for name in NAMES if name in tests):
        for what, test in tests[name].items():
            for column, value in zip(
                table, (NAMES[name], what, test["better"], test["worse"], test["p_value"]), strict=True
            ):
                table[column].append(value)
    return table


def verdict(outcome):
    """What adaptation did to the target, in one or two sentences."""
    figures = outcome.run.figures
    if not figures["model"]:
        return f"{outcome.texts.target_name} has no trees, so there are no scores; see what changed under Changed arcs."
    metric = "UAS" if figures["model"]["las"] is None else "LAS"
    values = [courses(outcome.scores, TARGET, metric)[name][-1] for name in (SCL, NONE)]
    counts = [getattr(outcome.scores[name][TARGET][-1], METRICS[metric]) for name in (SCL, NONE)]
    test, words = figures["tests"][SCL]["heads"], figures["model"]["words"]
    odds = "unlikely to be chance" if test["p_value"] <= 0.05 else "may be chance"
    return (
        f"{metric} **{values[0]:.1f}%** with adaptation ({counts[0]:,} of {words:,} words), {values[1]:.1f}% without "
        f"({counts[1]:,}) · heads: {amount(test['better'], 'word')} corrected, {test['worse']:,} harmed, "
        f"p = {test['p_value']:.2g}, {odds}"
    )


def pivot_table(findings):
    """Columns of a table over pivots: what decides, word pairs of both texts it holds of, how well it is predicted."""
    table = {name: [] for name in ("pivot", "by", SOURCE, TARGET, "predicted", "majority")}
    for each in findings["pivots"]:
        table["pivot"].append(each["name"])
        table["by"].append(each["by"])
        for at, text in enumerate((SOURCE, TARGET)):
            table[text].append(share_of(each["counts"][at], each["sampled"][at]))
        table["predicted"].append(each["right"])
        table["majority"].append(each["majority"])
    return table


def feature_table(for_it, against):
    """Columns of a table: features with the largest weights, and with the smallest, side by side."""
    rows = max(len(for_it), len(against))
    table = {}
    for side, found in (("for", for_it), ("against", against)):
        padded = [*found, *[(None, None)] * (rows - len(found))]
        table |= {side: [name for name, _ in padded], f"weight {side}": [weight for _, weight in padded]}
    return table


def examples(outcome, direction, side):
    """(edges, columns of a table): edges of the source's and the adapted target trees that respond most.

    ``direction`` counts from 0. An edge is (text, dict of ExampleEdge).
    """
    found = outcome.findings["examples"]
    edges = [(text, edge) for text in (SOURCE, TARGET) for edge in found[text][direction][SIDES.index(side)]]
    edges.sort(key=lambda pair: pair[1]["value"], reverse=side == SIDES[0])
    table = {name: [] for name in ("text", "sentence", "head", "modifier", "value")}
    for text, edge in edges:
        bank = _bank(outcome, text)
        sentence = bank[edge["sentence"]]
        values = (text, int(bank.picks[edge["sentence"]]) + 1, word_name(sentence, edge["head"]))
        for column, value in zip(table, (*values, word_name(sentence, edge["modifier"]), edge["value"]), strict=True):
            table[column].append(value)
    return edges, table


def example_drawing(outcome, text, edge):
    """The Drawing of the sentence of an example: the source's own tree, or the adapted parser's."""
    bank = _bank(outcome, text)
    return draw_tree(bank[edge["sentence"]], kind="gold" if text == SOURCE else "predicted")


def changed(outcome, kind=None, places=None):
    """(edges, columns of a table): words that adaptation attached or named otherwise, of one verdict or all.

    Only those of target sentences among ``places``, where given.
    """
    edges = [edge for edge in outcome.findings["changed"] if kind in (None, edge["verdict"])]
    if places is not None:
        wanted = set(np.asarray(places, np.int64).tolist())
        edges = [edge for edge in edges if edge["sentence"] in wanted]
    text = outcome.texts.test
    names = ("sentence", "word", "before", "after", "own", "difference", "induced", "share", "verdict")
    table = {name: [] for name in names}
    for edge in edges:
        sentence = text[edge["sentence"]]
        values = (
            int(text.picks[edge["sentence"]]) + 1,
            word_name(sentence, edge["word"]),
            _attached(sentence, edge["head_before"], edge["relation_before"]),
            _attached(sentence, edge["head_after"], edge["relation_after"]),
            _attached(sentence, edge["gold_head"], edge["gold_relation"]),
            edge["margin"],
            edge["induced_margin"],
            None if edge["margin_share"] is None else 100 * edge["margin_share"],
            edge["verdict"],
        )
        for column, value in zip(names, values, strict=True):
            table[column].append(value)
    return edges, table


def verdict_counts(outcome):
    """{verdict: words that changed}, those that occur."""
    found = [edge["verdict"] for edge in outcome.findings["changed"]]
    return {each: found.count(each) for each in VERDICTS if each in found}


def changed_drawing(outcome, sentence):
    """The Drawing of a target sentence: without adaptation above the words, adapted below, differences dashed."""
    before, after = (outcome.parsed[name][sentence] for name in (NONE, SCL))
    return compare_trees(
        outcome.texts.test[sentence],
        after.heads,
        before.heads,
        predicted_deprels=after.deprels,
        deprels=before.deprels,
        names=("without adaptation", "adapted"),
        name=before.sent_id,
    )


def scores_csv(outcome):
    """Scores of all systems on both texts after every iteration, as CSV: counts, not shares."""
    rows = [
        (text, name, iteration, each.words, each.both if each.labelled else "", each.heads, each.labels)
        for name, scores in outcome.scores.items()
        for text, found in scores.items()
        for iteration, each in enumerate(found, start=1)
    ]
    return _csv(("text", "system", "iteration", "words", "both right", "heads right", "labels right"), rows)


def pivots_csv(outcome):
    """Pivots and directions with their strongest features, as CSV."""
    rows = []
    for each in outcome.findings["pivots"]:
        rows += [("pivot", each["name"], *feature) for feature in (*each["strongest"], *each["weakest"])]
    for each in outcome.findings["directions"]:
        rows += [("direction", each["number"], *feature) for feature in (*each["positive"], *each["negative"])]
    return _csv(("of", "name", "feature", "weight"), rows)


def changed_csv(outcome):
    """The words that changed, as CSV."""
    table = changed(outcome)[1]
    return _csv(table, zip(*table.values(), strict=True))


def _csv(header, rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def _bank(outcome, text):
    return outcome.texts.source if text == SOURCE else outcome.parsed[SCL]


def _attached(sentence, head, relation):
    if head < 0:
        return ""
    return f"{word_name(sentence, head)} {relation}".strip()
