"""Sections 7 to 7.4 of spitkovsky2010: grids of settings, and the regression over all their runs."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from core.experiments.experiment import Environment, Results
from core.experiments.resumable import results_file, run_job
from core.experiments.spitkovsky2010.figures import ADJUSTED_R2, GRIDS, REGRESSION, UNADAPTED, WEB_SEQUENCES
from core.experiments.spitkovsky2010.regression import regression
from core.experiments.spitkovsky2010.runs import INITS, SCOPES, InductionBenchmark, InductionRun, grid
from core.experiments.spitkovsky2010.texts import GENRES, JOURNAL, NOTES, OWN, genres, journal
from core.extras import require
from core.trees.brackets import LEVELS

NAMES = tuple(genre.name for genre in GENRES)
STAGES = ("45", "15", "15-45")
FEWER = ("none", "loose")  # levels where only a glance is wanted
PAPER_LEVELS = tuple(level for level in LEVELS if level != "tear")
REDUCED = (
    "Reduced: SCOPE is 1 throughout, without our start and tear, 98 of 549 combinations; the whole is the experiment "
    "spitkovsky2010-regression-whole, and the effect of SCOPE is in the tables of spitkovsky2010-grids."
)
SETTINGS = [
    "INIT uniform and adhoc are the paper's 0 and 1 (adhoc: harmonic on 8 words of the WSJ, then EM on 15); harmonic "
    "is ours, on 45 words of the WSJ. Tear is ours too: the paper did not implement it. Viterbi training, Laplace "
    "smoothing, ties by seed.",
    "ours is accuracy on development sentences of at most 45 words (the paper: WSJ45, on which it trained too); test "
    "is on files 120 to 199, and nothing was chosen by it.",
]


def bench_and_file(env: Environment) -> tuple[InductionBenchmark, Path]:
    """The InductionBenchmark, and the file that its results are kept in: another one for other texts."""
    bench = InductionBenchmark(env, journal(env))
    parts = (bench.journal.train, bench.journal.development, bench.journal.test, bench.journal.other)
    parts += tuple(bench.text(InductionRun(genre=genre.name)) for genre in genres(env))
    texts = [part.treebank.content_hash for part in parts]
    return bench, results_file("spitkovsky2010", *texts)


def text_notes(bench: InductionBenchmark) -> list[str]:
    """Notes on the texts that the runs were trained on."""
    if bench.env.pages is None:
        return bench.env.notes(NOTES)
    text = bench.text(InductionRun(genre=OWN.name))
    text_note = (
        f"{bench.env.pages.name} stands for the paper's sets of pages: {len(text.treebank):,} sentences, "
        f"{text.treebank.token_count:,} words without punctuation, {sum(map(len, text.brackets)):,} brackets."
    )
    return [text_note, *bench.env.notes([JOURNAL])]


def grids(env: Environment) -> Results:
    """The tables of sections 7.1 to 7.4."""
    bench, path = bench_and_file(env)
    names, rows, tables = _names(env), [], {}
    runs = printed_runs(env.quick, names)
    for run, result in zip(runs, run_job(runs, bench.result, path, progress=env.say), strict=True):
        row = {"name": run.name, "ours": result["judged"], "paper": _paper(run)}
        rows.append(row | {"test": result["test"], "out_of_domain": result["other"]})
    for name in ("wsj", *names):
        matching = [row for row in rows if row["name"].startswith(name)]
        tables[f"Best of {name}"] = sorted(matching, key=lambda row: -row["ours"])[:3]
    tags_of_sentences = []
    for genre in genres(env):
        text = bench.text(InductionRun(genre=genre.name)).treebank
        tags = text.xpos.strings()
        sentences = Counter(" ".join(tags[begin + 1 : end]) for begin, end in pairwise(text.offsets.tolist()))
        for (sequence, count), paper in zip(sentences.most_common(len(WEB_SEQUENCES)), WEB_SEQUENCES, strict=False):
            tags_of_sentences.append({"text": genre.name, "tags": sequence, "count": count, "paper": paper})
    tables["Marked texts: commonest tags of whole sentences (section 7.4)"] = tags_of_sentences
    return Results(rows, [*text_notes(bench), *SETTINGS, _kept(path)], tables)


def _names(env):
    return [genre.name for genre in genres(env)]


def regress(env: Environment) -> Results:
    """The regression of section 7 over the factorial grid of the paper's settings on sentences of at most 15 words."""
    return _regression_over(env, factorial_runs(env.quick, names=_names(env)), "" if env.quick else REDUCED)


def regress_whole(env: Environment) -> Results:
    """The regression of section 7 over all settings, ours and every SCOPE among them."""
    return _regression_over(env, factorial_runs(env.quick, whole=True, names=_names(env)), "")


def _regression_over(env, runs, remark):
    require("regression")  # before the runs, which take long
    bench, path = bench_and_file(env)
    results = run_job(runs, bench.result, path, progress=env.say)
    effects, adjusted = regression(indicators(runs), [result["judged"] for result in results])
    rows = []
    for effect in effects:
        coefficient, stars = REGRESSION.get(effect.name, (None, None))
        row = {"name": effect.name, "ours": effect.coefficient, "paper": coefficient, "error": effect.error}
        row |= {"p": effect.p_value, "stars": effect.stars, "holm": effect.holm}
        rows.append(row | {"paper_stars": stars})
    rows.append({"name": "adjusted R squared, %", "ours": 100 * adjusted, "paper": ADJUSTED_R2})
    best = sorted(zip(runs, results, strict=True), key=lambda pair: -pair[1]["judged"])[:10]
    table = [{"name": run.name, "ours": result["judged"], "test": result["test"]} for run, result in best]
    holm = (
        f"{len(runs)} runs (the paper: 294). With so many runs the best ones owe something to chance: holm is the "
        "p-value corrected by Holm's method for all settings tested at once, which the stars, as the paper's, are not."
    )
    return Results(rows, env.notes(NOTES, *SETTINGS, *filter(None, [remark]), holm, _kept(path)), {"Best runs": table})


def printed_runs(quick: bool = False, names: Sequence[str] = NAMES) -> list[InductionRun]:
    """The runs of the tables of sections 7.1 to 7.4, and the same from the harmonic start and at tear.

    ``names`` are of sets of pages; the first is the one that is not adapted too.
    """
    inits = ("uniform", "harmonic") if quick else INITS
    scopes = [1] if quick else range(len(SCOPES))
    names, levels = (names[:1], FEWER) if quick else (names, LEVELS)
    marked = {"level": levels, "trim": [True], "adapt": [True], "scope": scopes}
    runs = grid(init=inits, scope=scopes)
    for name in names:
        runs += grid(init=inits, genre=[name], scope=scopes)
        runs += grid(init=inits[1:], genre=[name], **marked)
    runs += grid(init=["uniform"], genre=names[:1], **{**marked, "adapt": [False]})
    return list(dict.fromkeys(runs))


def factorial_runs(quick: bool = False, whole: bool = False, names: Sequence[str] = NAMES) -> list[InductionRun]:
    """All combinations of the paper's settings at SCOPE 1; ``whole``: at each SCOPE, our start and tear besides.

    ``names`` are of sets of pages.
    """
    if quick:
        choices = {"init": INITS[:2], "scope": [1], "level": FEWER}
        return grid(genre=["wsj", *names[:1]], trim=[False, True], adapt=[False, True], **choices)
    inits, scopes, levels = (INITS, range(len(SCOPES)), LEVELS) if whole else (INITS[:2], [1], PAPER_LEVELS)
    choices = {"init": inits, "genre": ["wsj", *names], "scope": scopes, "level": levels}
    return grid(trim=[False, True], adapt=[False, True], **choices)


def indicators(runs: Sequence[InductionRun]) -> dict[str, list]:
    """The regression's columns: one for each setting but the default ones."""
    columns = {f"INIT {init}": [run.init == init for run in runs] for init in INITS[1:]}
    columns |= {f"GENRE {name}": [run.genre == name for run in runs] for name in (*NAMES, OWN.name)}
    columns |= {f"SCOPE {STAGES[scope]}": [run.scope == scope for run in runs] for scope in (1, 2)}
    columns |= {f"CONSTR {level}": [run.level == level for run in runs] for level in LEVELS[1:]}
    return columns | {"TRIM": [run.trim for run in runs], "ADAPT": [run.adapt for run in runs]}


def _paper(run):
    if run.genre == "blog" and run.init == "uniform" and run.trim and not run.adapt:
        return UNADAPTED[run.level][run.scope] if run.level in UNADAPTED else None
    row = GRIDS.get((run.init, run.genre, run.level, run.trim and run.adapt))
    return row[run.scope] if row and run.trim == run.adapt else None


def _kept(path):
    return f"Results are kept as {path.name} in the workbench's folder for experiments; a stopped job goes on there."
