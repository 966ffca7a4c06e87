"""Statistics of contexts (Table 1), and section 9 of rush2012: time (Figure 3), exactness, numbers of constraints."""

import numpy as np

from core.consistency import ContextIndex
from core.draw.plot import PlotSeries
from core.experiments.experiment import Environment, Results, unanswered
from core.experiments.pictures import plotted
from core.experiments.rush2012 import figures, texts
from core.experiments.rush2012.accuracy import PARSER
from core.experiments.rush2012.systems import run_systems
from core.experiments.rush2012.tagging import tagged

EARLY = 5  # iterations
FIGURE_SIZE = 200  # training sentences of Figure 3
TIMING = (
    "Time is measured inside one run: a pass is scoring and parsing the test text once without consistency; the total "
    "holds everything, that pass and the selection of contexts included."
)


def table1(env: Environment) -> Results:
    """Shares of contexts that predict the tag of the head, on the training files of the WSJ sample."""
    train, _, _ = texts.news_parts(env)
    rows = []
    for contexts in ContextIndex(train).table():
        for level, share in contexts["shares"].items():
            row = {"name": f"{contexts['contexts']}, >= {level:g}", "ours": share}
            rows.append(row | {"paper": figures.TABLE_1[contexts["contexts"]][level], "contexts": contexts["count"]})
    data = "Files 1 to 99 of the WSJ sample for section 22 of the Penn Treebank, of about the same size."
    shares = (
        "The share of contexts, in percent, whose most frequent head tag is chosen at least so often; contexts of ten "
        f"words or more in {train.token_count:,} words. ROOT counts as a tag."
    )
    return Results(rows, env.notes([data], shares))


def analysis(env: Environment) -> Results:
    """Numbers and sizes of constraints, how many are active, certified and released; time."""
    supervised, tested = [], []
    for language in texts.languages(env)[0]:
        tested.append(texts.language_texts(env, language))
        for size in texts.sizes(env, tested[-1].train)[0]:
            supervised.append(run_systems(env, tested[-1].sized(size), self_training=False).parses)
    adapted = [run_systems(env, pair, self_training=False).parses for pair in texts.domain_texts(env)[:2]]
    tags = [result for _, result, _, _ in tagged(env)]
    rows = [
        _row("contexts on 25,000 words, lightly supervised", [_per_text(run) for run in supervised], figures.CONTEXTS),
        _row("contexts on 25,000 words, domain adaptation", [_per_text(run) for run in adapted], figures.CONTEXTS),
        _row("words of the median context", _of(supervised, "median_size"), figures.MEDIAN_SIZE),
        _row("% active, lightly supervised", _of(supervised, "active_share"), figures.ACTIVE["lightly supervised"]),
        _row("% active, domain adaptation", _of(adapted, "active_share"), figures.ACTIVE["domain adaptation"]),
        _row(
            "% of sentences released, parsing", _of(supervised + adapted, "released_share"), figures.RELEASED["parsing"]
        ),
        _row("% of sentences released, tagging", _of(tags, "released_share"), figures.RELEASED["tagging"]),
        _row("% of sentences certified, parsing", _of(supervised + adapted, "certified_share"), 99.4),
        _row("% of sentences certified, tagging", _of(tags, "certified_share"), 99.8),
        _row("time in passes, parsing", _of(supervised + adapted, "relative_time"), figures.RELATIVE_TIME),
        _row("iterations, parsing", _of(supervised + adapted, "iterations"), None),
    ]
    mean = "ours is the mean over settings. A context's size counts its training words too."
    notes = env.notes(texts.DATA, PARSER, texts.SETTINGS, TIMING, texts.size_note(tested), mean)
    return Results(rows, notes)


def figure3(env: Environment) -> Results:
    """The time of each iteration of dual decomposition, in percent of parsing the text once without consistency."""
    rows, curves, tested = [], {}, []
    languages, why = texts.languages(env, texts.LANGUAGES[1:4])
    for language in languages[:1] if env.quick else languages:
        tested.append(texts.language_texts(env, language).sized(FIGURE_SIZE))
        parses = run_systems(env, tested[-1], self_training=False).parses
        single = parses.seconds["single"]
        curves[language.name] = [100 * record.seconds / single for record in parses.trace]
        total = parses.seconds["total"] / single
        rows.append({"name": f"{language.name}, all, in passes", "ours": total, "paper": figures.RELATIVE_TIME})
        for part in ("first_pass", "iterations", "check"):
            rows.append({"name": f"{language.name}, {part}, in passes", "ours": parses.seconds[part] / single})
        early, name = float(np.mean(curves[language.name][:EARLY])), f"{language.name}, % of a pass an early iteration"
        rows.append({"name": name, "ours": early, "paper": figures.EARLY_ITERATION})
    rows += [unanswered(f"{name}, all, in passes", reason, paper=figures.RELATIVE_TIME) for name, reason in why.items()]
    longest = max(len(curve) for curve in curves.values())
    table = [
        {"iteration": k + 1} | {name: curve[k] if k < len(curve) else None for name, curve in curves.items()}
        for k in range(longest)
    ]
    about = (
        f"{FIGURE_SIZE} training sentences at most.",
        "Figure 3 prints no numbers: those of section 9 stand beside ours.",
    )
    notes = env.notes(texts.DATA, PARSER, texts.SETTINGS, TIMING, texts.size_note(tested), *about)
    series = [PlotSeries(name, tuple(enumerate(curve, start=1))) for name, curve in curves.items()]
    stated = [("the paper, section 9: an early iteration", figures.EARLY_ITERATION, True)]
    title = "Figure 3: the time of each iteration after the first pass"
    picture = plotted(title, "iteration", "% of parsing once without consistency", series, stated)
    return Results(rows, notes, {"Percent of a pass, by iteration": table}, picture)


def _row(name, values, paper):
    return {"name": name, "ours": float(np.mean(values)), "least": min(values), "most": max(values), "paper": paper}


def _of(results, name):
    return [float(result.statistics()[name]) for result in results]


def _per_text(parses):
    return len(parses.contexts) * texts.TEST_WORDS / parses.treebank.token_count
