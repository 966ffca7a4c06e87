"""Table 8 of spitkovsky2010: the best run with mark-up against the best without, chosen on development sentences."""

from dataclasses import replace

import numpy as np

from core.experiments.experiment import Findings
from core.experiments.spitkovsky2010.figures import REQUIRED_GAIN, TABLE_8
from core.experiments.spitkovsky2010.grids import NAMES, SETTINGS, bench_and_file, printed_runs
from core.experiments.spitkovsky2010.resumable import run_job
from core.experiments.spitkovsky2010.runs import INITS, Run, accuracy, grid, parsed
from core.experiments.spitkovsky2010.texts import NOTES, shortened
from core.trees.brackets import LEVELS

SEEDS = 5
QUICK_SEEDS = 2
PAPER = {"wsj-best": "WSJ-best", "best without mark-up": "WSJ-best", "best with mark-up of pages": "blog-best"}


def table8(lab):
    """Accuracies on the test part of the chosen runs, and by how much mark-up helps."""
    bench, path = bench_and_file(lab)
    runs = candidates(lab.quick)
    results = dict(zip(runs, run_job(runs, bench.result, path, progress=lab.say), strict=True))
    seeds = QUICK_SEEDS if lab.quick else SEEDS
    chosen = {"default": Run()} | {f"{name}-best": best(results, _of_genre(name)) for name in ("wsj", *NAMES)}
    chosen["best without mark-up"] = best(results, lambda run: not run.is_marked)
    chosen["best with mark-up of pages"] = best(results, lambda run: run.is_marked and not run.punctuation)
    chosen["best with mark-up or punctuation"] = best(results, lambda run: run.is_marked)
    rows, heads = [], {}
    for name, run in chosen.items():
        heads[name], rows_of_seeds = [], []
        for seed in range(seeds):
            model = bench.train(replace(run, seed=seed))
            heads[name].append(parsed(model, bench.journal.test, run).values)
            rows_of_seeds.append(_accuracies(bench.journal, model, run))
        mean = {key: float(np.mean([row[key] for row in rows_of_seeds])) for key in rows_of_seeds[0]}
        paper = TABLE_8.get(PAPER.get(name, name), (None,) * 4)
        row = {"name": name, "ours": mean["all"], "paper": paper[2], "run": run.name}
        row |= {"up_to_10": mean["10"], "paper_10": paper[0], "up_to_20": mean["20"], "paper_20": paper[1]}
        row |= {"out_of_domain": mean["other"], "paper_brown": paper[3]}
        rows.append(row | {"development": results.get(run, {}).get("judged")})
        lab.say(f"{name}: {mean['all']:.1f} ({run.name})")
    rows += [
        {"name": name, "ours": None, "paper": paper[2], "paper_10": paper[0], "paper_20": paper[1]}
        for name, paper in TABLE_8.items()
        if "(" in name
    ]
    gains = [
        gain_row(bench.journal.test.treebank, heads["best without mark-up"], heads[name], name)
        for name in ("best with mark-up of pages", "best with mark-up or punctuation")
    ]
    notes = [
        *NOTES,
        *SETTINGS,
        f"ours is the mean of {seeds} seeds on all test sentences; the run was chosen on development sentences, among "
        f"{len(runs)} combinations. out_of_domain is EWT's test part with function words as heads, for Brown.",
        "The gain's interval resamples test sentences, each with its mean over seeds; the paper's gain is 2.5 points.",
    ]
    return Findings(rows, notes, {"Gain over the best without mark-up": gains})


def _accuracies(journal, model, run):
    """Percent of right heads on the test part by length, and on the out-of-domain text."""
    lengths = {"10": 10, "20": 20, "all": None}
    found = {name: accuracy(model, shortened(journal.test, most), run) for name, most in lengths.items()}
    return found | {"other": accuracy(model, journal.other, run)}


def candidates(quick=False):
    """The runs to choose among: those of section 7, and with pages and the WSJ together and punctuation as mark-up."""
    runs = printed_runs(quick)
    if not quick:
        choices = {"init": INITS[1:], "genre": NAMES, "scope": [2], "level": LEVELS}
        runs += grid(trim=[True], adapt=[True], with_wsj=[True], **choices)
    levels = ("none", "loose") if quick else LEVELS
    for level in levels:
        for parsing in levels:
            runs.append(Run("harmonic", scope=2, level=level, parsing=parsing, punctuation=True))
    return list(dict.fromkeys(runs))


def best(results, is_wanted):
    """The Run of the highest accuracy on development sentences; the first of equals."""
    return max((run for run in results if is_wanted(run)), key=lambda run: results[run]["judged"])


def _of_genre(name):
    return lambda run: run.genre == name and not run.punctuation and (run.is_marked or name == "wsj")


def gain_row(gold, without, with_markup, name, resamples=10_000, seed=0):
    """By how much mark-up helps: the mean over seeds, with the middle 95 % of resampled sentences."""
    scored = gold.heads >= 0
    starts = gold.offsets[:-1]
    words = np.add.reduceat(scored.astype(float), starts)
    gains = np.zeros(len(gold))
    for sign, systems in ((-1, without), (1, with_markup)):
        for system in systems:
            right = scored & (system == gold.heads)
            gains += sign * np.add.reduceat(right.astype(float), starts) / len(systems)
    picks = np.random.default_rng(seed).integers(len(gold), size=(resamples, len(gold)))
    differences = 100 * gains[picks].sum(axis=1) / words[picks].sum(axis=1)
    low, high = np.percentile(differences, [2.5, 97.5])
    difference = 100 * gains.sum() / words.sum()
    return {"name": name, "ours": float(difference), "paper": REQUIRED_GAIN, "low": float(low), "high": float(high)}
