"""Table 8 of spitkovsky2010: the best run with mark-up against the best without, chosen on development sentences."""

from dataclasses import replace

import numpy as np

from core.experiments.experiment import Findings
from core.experiments.spitkovsky2010.figures import REQUIRED_GAIN, TABLE_8
from core.experiments.spitkovsky2010.grids import FEWER, NAMES, SETTINGS, bench_and_file
from core.experiments.spitkovsky2010.resumable import run_job
from core.experiments.spitkovsky2010.runs import INITS, SCOPES, Run, accuracy, grid, parsed
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
    names = [name for name in ("wsj", *NAMES) if any(map(_of_genre(name), runs))]
    chosen = {"default": Run()} | {f"{name}-best": best(results, _of_genre(name)) for name in names}
    chosen["best without mark-up"] = best(results, lambda run: not run.is_marked)
    chosen["best with mark-up of pages"] = best(results, lambda run: run.is_marked and not run.punctuation)
    taught = (run for run in runs if run.punctuation and run.level != "none" and run.parsing == "none")
    chosen["best with punctuation in training only"] = best(results, set(taught).__contains__)
    bound = {run for run in runs if run.level == "none" and run.parsing != "none"}
    chosen["best with punctuation in parsing only"] = best(results, bound.__contains__)
    chosen["best with mark-up or punctuation"] = best(results, lambda run: run.is_marked)
    rows, heads, known = [], {}, {}
    for name, run in chosen.items():
        if run not in known:
            known[run] = _over_seeds(bench, run, seeds)
        heads[name], mean = known[run]
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
        for name in list(chosen)[-4:]
    ]
    notes = [
        *NOTES,
        *SETTINGS,
        f"ours is the mean of {seeds} seeds on all test sentences; the run was chosen on development sentences, among "
        f"{len(runs)} combinations. out_of_domain is EWT's test part with function words as heads, for Brown.",
        "Punctuation counts as mark-up where a run says so: the words between two marks are a bracket in training, and "
        "in parsing where it says parsed at a level. Pages alone, and each use of punctuation alone, have rows of "
        "their own. More runs with mark-up were tried than without, which favours those with.",
        "The gain's interval resamples test sentences, each with its mean over seeds; the paper's gain is 2.5 points.",
    ]
    return Findings(rows, notes, {"Gain over the best without mark-up": gains})


def _over_seeds(bench, run, seeds):
    """(heads of the test part for each seed, mean accuracies on it by length and on the out-of-domain text)."""
    heads, scores = [], []
    lengths = {"10": 10, "20": 20, "all": None}
    for seed in range(seeds):
        one = replace(run, seed=seed)
        model = bench.train(one)
        heads.append(parsed(model, bench.journal.test, one).values)
        found = {name: accuracy(model, shortened(bench.journal.test, most), one) for name, most in lengths.items()}
        scores.append(found | {"other": accuracy(model, bench.journal.other, one)})
    return heads, {name: float(np.mean([score[name] for score in scores])) for name in scores[0]}


def candidates(quick=False):
    """The runs to choose among: our best start under all levels, pages alone and with the WSJ, and punctuation."""
    levels, parsings, names = (FEWER, FEWER, NAMES[:1]) if quick else (LEVELS, LEVELS[:-1], NAMES)
    start = {"init": ["harmonic"], "scope": [2]}
    runs = grid(init=INITS, scope=[2] if quick else range(len(SCOPES)))
    runs += grid(**start, genre=names)
    runs += grid(**start, genre=names, level=levels, trim=[True], adapt=[True])
    runs += grid(**start, level=levels, parsing=parsings, punctuation=[True])
    if not quick:
        pages = {"genre": names, "trim": [True], "with_wsj": [True], "punctuation": [True]}
        runs += grid(**start, **pages, level=["loose", "sprawl"], parsing=["none", "sprawl"])
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
