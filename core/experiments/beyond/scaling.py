"""What helps most: lines, a few trees, both, and what can be added to them, by how many trees there are."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from core.draw.by_size import Series, SizesPicture, sizes_svg
from core.experiments.beyond.scaling_additions import ADDITIONS, Materials, added, possible
from core.experiments.beyond.scaling_benchmark import (
    LINES,
    MARKED,
    SUPERVISED,
    TOGETHER,
    VOTED,
    ScalingBenchmark,
    ScalingRun,
)
from core.experiments.beyond.scaling_datasets import GOLD, PREDICTED, WSJ, ScalingDataset, scaling_dataset
from core.experiments.beyond.scaling_intervals import half_width, mean, trees_alone
from core.experiments.beyond.scaling_papers import papers
from core.experiments.experiment import Environment, Results
from core.experiments.resumable import run_job

LANGUAGES = "German", "Turkish"
SIZES, LANGUAGE_SIZES, ADDED_SIZES, DRAWS = (10, 25, 50, 100, 200, 500), (10, 25, 100, 200, 500), (25, 100), 3
TAGGED_SIZES = ADDED_SIZES
QUICK_SIZES = (10, 25)
NAME = "beyond-ladder"
TITLES = {SUPERVISED: "trees alone", TOGETHER: "lines and trees", LINES: "lines alone"}
NOTES = [
    "WSJ: the sample as in beyond-lines, and its 25 lines as they were written (blind) and with the one on adverbs "
    "turned round. German and Turkish: UD, the universal lines and those of word order, as in beyond-languages. Every "
    "fifth sentence is the development part, from which the trees are drawn; all figures are of the rest, whole "
    "sentences, without punctuation. More trees than there are to draw from are left out.",
    "supervised: a second-order MST parser (MIRA, ten epochs) of the trees, on text without punctuation; with marks: "
    "the same on text with it. lines: a grammar of the lines alone; with votes: of a second-order parser that learnt "
    "its trees. ours: lines and trees in one learner, with its default settings. Grammars learn on the whole "
    "text, scored sentences among them, without a head.",
    f"Means of {DRAWS} draws of the trees. interval: half of the 95% interval of such a mean by Student's t over the "
    "draws: text, lines and test part are the same throughout, so that it says what other trees would change. gain: "
    "over the better of trees alone and lines alone, its interval over the draws in pairs. worth: how many trees alone "
    "are as good, between measured sizes on a logarithmic scale; empty beyond them.",
    "By the time of single results all parts take less than three hours on two cores; results are kept as they come, "
    "so that a run that was stopped goes on.",
]
ADDED_NOTES = [
    "One addition at a time, to trees alone or to lines and trees (the turned ones on the WSJ); base is the same "
    "without it, of the same trees, and gain its mean difference.",
    "self-training: a second-order parser, by halves of the whole text, of the base's trees and the given ones. "
    "consistency: rush2012 on the test part, with the contexts of the given trees; lines and trees are there the "
    "second-order parser alone, which is nearly the whole, and the base too. pages: 2,000 marked sentences of three "
    "sites as brackets at loose, to the grammar, or to self-training on them at half weight. another treebank: 1,000 "
    "sentences of EWT with function words as heads, beside the given trees; its correspondence: shimizu2007's "
    "features on top of that (base: without these); joint inference with it: zhou2013.",
    "Empty: pages and web treebank are English, so that German and Turkish have neither; parsers of two domains or "
    "schemes read no lines.",
]
TAG_NOTES = ["Predicted tags: of a tagger trained on the other four fifths of the text; trees are given with them too."]


def all_parts(env: Environment) -> Results:
    """All parts: the curves of three treebanks, and tables of the others."""
    curves = [_curves(env, name, SIZES if name == WSJ else LANGUAGE_SIZES) for name in (WSJ, *LANGUAGES)]
    others = {"What is added": additions(env), "Predicted tags": tags(env), "The papers' conditions": papers(env)}
    notes = dict.fromkeys([*NOTES, *(note for other in others.values() for note in other.notes)])
    tables = {title: other.rows for title, other in others.items()}
    return Results([row for rows, _ in curves for row in rows], list(notes), tables, _picture(curves))


def journal(env: Environment) -> Results:
    """The curves of the WSJ sample."""
    curve = _curves(env, WSJ, SIZES)
    return Results(curve[0], NOTES, picture=_picture([curve]))


def languages(env: Environment) -> Results:
    """The curves of the two UD treebanks."""
    curves = [_curves(env, name, LANGUAGE_SIZES) for name in LANGUAGES]
    return Results([row for rows, _ in curves for row in rows], NOTES, picture=_picture(curves))


def tags(env: Environment) -> Results:
    """The curves with tags of a tagger, at two sizes."""
    rows = []
    for name in (WSJ, *LANGUAGES):
        rows += _curves(env, name, TAGGED_SIZES, PREDICTED)[0]
    return Results(rows, [*NOTES, *TAG_NOTES])


def additions(env: Environment) -> Results:
    """Gains of each addition to trees, and to constraints and trees, at two sizes."""
    more, rows = Materials(env), []
    for name in (WSJ, *LANGUAGES):
        benchmark = ScalingBenchmark(scaling_dataset(env, name))
        runs, contents = added_runs(env, benchmark.dataset), more.contents if name == WSJ else ()
        path = benchmark.path(f"{NAME}-additions", *contents, *more.settings())
        results = run_job(runs, lambda run, benchmark=benchmark: added(benchmark, run, more), path, progress=env.say)
        by_run = dict(zip(runs, results, strict=True))
        for run in dict.fromkeys(replace(run, draw=0) for run in runs):
            of = [by_run[replace(run, draw=draw)] for draw in draws_of(env)]
            ours, base = ([result[key] for result in of] for key in ("judged", "base"))
            gains = np.subtract(ours, base).tolist()
            row = {"name": f"{run.text}, {run.trees} trees, {TITLES[run.does]} + {run.added}", "ours": mean(ours)}
            row |= {"paper": None, "base": mean(base), "gain": mean(gains), "gain_interval": half_width(gains)}
            rows.append(row | {"seconds": round(mean([result["seconds"] for result in of]))})
    return Results(rows, [*NOTES, *ADDED_NOTES])


def sizes_of(env: Environment, dataset: ScalingDataset, sizes: Sequence[int]) -> list[int]:
    """Numbers of given trees, at most as many as there are to draw from."""
    return [size for size in (QUICK_SIZES if env.quick else sizes) if size <= dataset.pool]


def draws_of(env: Environment) -> range:
    """The draws of trees."""
    return range(1 if env.quick else DRAWS)


def curve_runs(env: Environment, dataset: ScalingDataset, sizes: Sequence[int]) -> list[ScalingRun]:
    """The main curve: lines alone, trees alone, together; draw by draw, so that a job that stops has whole curves."""
    text, sets = (dataset.name, dataset.tags), tuple(reversed(dataset.lines))
    runs = [ScalingRun(*text, lines, 0, 0, does) for lines in sets for does in (LINES, VOTED)]
    for draw in draws_of(env):
        every = sizes_of(env, dataset, sizes)
        runs += [ScalingRun(*text, "", size, draw, SUPERVISED) for size in every]
        runs += [ScalingRun(*text, lines, size, draw, TOGETHER) for lines in sets for size in every]
        runs += [ScalingRun(*text, "", size, draw, MARKED) for size in every]
    return runs


def added_runs(env: Environment, dataset: ScalingDataset) -> list[ScalingRun]:
    """Each addition that there is for a treebank, to trees and to its last set of lines with trees.

    Those of the same trees and lines come one after the other: they share what is trained on these.
    """
    text, (*_, lines) = (dataset.name, dataset.tags), dataset.lines
    sizes, given = sizes_of(env, dataset, ADDED_SIZES), (("", SUPERVISED), (lines, TOGETHER))
    every = product(draws_of(env), sizes, given, ADDITIONS)
    runs = [ScalingRun(*text, of, size, draw, does, addition) for draw, size, (of, does), addition in every]
    return [run for run in runs if not possible(run)]


def _curves(env, name, sizes, tags=GOLD):
    """(rows, panels) of a treebank with its own tags, or predicted ones."""
    dataset = scaling_dataset(env, name, tags)
    benchmark, runs = ScalingBenchmark(dataset), curve_runs(env, dataset, sizes)
    results = run_job(runs, benchmark.result, benchmark.path(NAME), progress=env.say)
    scores = {run: result["judged"] for run, result in zip(runs, results, strict=True)}
    draws, sizes = draws_of(env), sizes_of(env, dataset, sizes)
    rows, panels = [], []
    for lines in dataset.lines:
        curve = curve_rows(scores, dataset, lines, sizes, draws)
        rows += curve if tags == GOLD else [row | {"right_tags": dataset.right_tags} for row in curve]
        level = tuple(row["lines"] for row in curve)
        series = [Series(TITLES[LINES], level, (None,) * len(level))]
        for does, keys in ((TOGETHER, ("ours", "interval")), (SUPERVISED, ("supervised", "supervised_interval"))):
            series.insert(0, Series(TITLES[does], *(tuple(row[key] for row in curve) for key in keys)))
        panels.append(SizesPicture(f"{dataset.name}, {lines} lines", "trees", tuple(sizes), tuple(series)))
    return rows, panels


def curve_rows(
    scores: Mapping[ScalingRun, float], dataset: ScalingDataset, lines: str, sizes: Sequence[int], draws: Sequence[int]
) -> list[dict]:
    """A row for each size: what trees, lines and both get right, of a set of lines."""
    text = dataset.name, dataset.tags

    def drawn(does, size, given=""):
        return [scores[ScalingRun(*text, given, size, draw, does)] for draw in draws]

    of_lines, voted = (scores[ScalingRun(*text, lines, 0, 0, does)] for does in (LINES, VOTED))
    alone = {size: drawn(SUPERVISED, size) for size in sizes}
    means, rows = {size: mean(values) for size, values in alone.items()}, []
    for size in sizes:
        ours, marked = drawn(TOGETHER, size, lines), drawn(MARKED, size)
        best = max((alone[size], marked, [of_lines] * len(ours), [voted] * len(ours)), key=mean)
        gains = np.subtract(ours, best).tolist()
        row = {"name": f"{dataset.name}, {lines} lines, {size} trees", "ours": mean(ours), "paper": None}
        row |= {"interval": half_width(ours), "supervised": means[size], "supervised_interval": half_width(alone[size])}
        row |= {"with_marks": mean(marked), "lines": of_lines, "lines_with_votes": voted}
        row |= {"gain": mean(gains), "gain_interval": half_width(gains), "worth": trees_alone(means, mean(ours))}
        rows.append(row)
    return rows


def _picture(curves):
    panels = [panel for _, panels in curves for panel in panels]
    title = "Heads that are right, in percent, by the number of trees"
    return lambda theme: sizes_svg(panels, title, theme=theme)
