"""Section 5 of druck2009: ShortEnglish sentences of at most ten words, by their tags alone."""

from collections.abc import Sequence

from core.constraints import Constraint, GETrainer, oracle_constraints, parse_constraints
from core.constraints.ge.baselines import attach_left, attach_right, constraint_baseline
from core.draw.plot import PlotSeries
from core.evaluation import attachment_scores
from core.experiments.druck2009.figures import ENGLISH, UNSUPERVISED, short_settings
from core.experiments.druck2009.unsupervised import note, unsupervised_rows
from core.experiments.experiment import Environment, Results, unanswered
from core.experiments.files import journal_text
from core.experiments.pictures import curve, plotted
from core.files.assets import ASSETS
from core.parsers.crf.tree_crf import TreeCRF
from core.parsers.self_training import cross_parse
from core.treebank import Treebank

SETS = ASSETS / "constraints"
LONGEST = 10
COUNTED = 200, 7_422  # the oracle's least count in the paper, and the sentences that it counts in: of our 555, 15
SIZES = (10, 20, 30, 40, 50, 60)
FOLDS = 10
CONSTRAINTS, RIGHT = "constraints", "% of heads right"
DATA = [
    "English is the 3,914 sentences of the WSJ sample (files 1 to 199), of which 555 have at most ten words, for the "
    "7,422 of the paper's WSJ10. Heads are found by Collins' rules after punctuation is removed; the test part is of "
    "files 120 to 199.",
]
NOTES = [
    "Sentences have ten words at most without punctuation. Training never looks at their heads; ours is scored on all "
    "of them. The oracle's least count of 200 is scaled by their number.",
    "The human sets were written from knowledge of English before any treebank was counted, and not changed after. "
    "The paper's 14, from Haghighi & Klein's prototypes, and its 6 more are others: it does not print them.",
]


class ShortEnglish:
    """The short ShortEnglish sentences, their test part, and figures on both."""

    def __init__(self, env: Environment):
        trees, parts = journal_text(env)
        is_short = trees.lengths <= LONGEST
        self.text = trees.select(is_short)
        self.test = parts[is_short] == 2
        count, of = COUNTED
        self.least_count = max(1, round(count * len(self.text) / of))
        env.say(f"{len(self.text)} sentences, {self.text.token_count} words; test part {self.test.sum()} sentences")

    def scores(self, parsed: Treebank) -> dict[str, float | None]:
        """Accuracy in percent on all sentences, and on the test part."""
        parts = attachment_scores(self.text.select(self.test), parsed.select(self.test))
        return {"ours": attachment_scores(self.text, parsed).uas, "test_part": parts.uas}


def constraint_sets(english: ShortEnglish, sizes: Sequence[int]) -> dict[str, list[Constraint]]:
    """Name -> constraints: the oracle's, of growing size, the paper's Table 1, and the two written by hand."""
    oracle = oracle_constraints(english.text, max(sizes), english.least_count)
    sets = {f"{size} oracle": oracle[:size] for size in sizes}
    for name, file in (("Table 1", "druck2009-table1"), ("human 14", "human-14"), ("human 20", "human-20")):
        sets[name] = parse_constraints((SETS / f"{file}.txt").read_text(encoding="utf-8"))
    return sets


def table1(env: Environment) -> Results:
    """The oracle's twenty constraints beside the paper's, and what both teach."""
    english = ShortEnglish(env)
    sets = constraint_sets(english, (20,))
    ours, theirs = sets["20 oracle"], sets["Table 1"]
    rows = _ge_rows(env, english, {"20 oracle": ours, "Table 1": theirs}, ("full",))
    printed = {constraint.name: constraint for constraint in theirs}
    beside = []
    for constraint in ours:
        match = printed.pop(constraint.name, None)
        targets = {"ours": constraint.target_text, "paper": match.target_text if match else None}
        beside.append({"constraint": constraint.name, **targets, "counts": constraint.comment})
    beside += [{"constraint": rest.name, "ours": None, "paper": rest.target_text} for rest in printed.values()]
    return Results(rows, env.notes(DATA, *NOTES), {"Twenty constraints": beside})


def figure1(env: Environment) -> Results:
    """GE, the constraint baseline and supervised training, with both feature sets; human sets; attach baselines."""
    english = ShortEnglish(env)
    sets = constraint_sets(english, (10, 20) if env.quick else SIZES)
    rows = _ge_rows(env, english, sets, ("full", "restricted"))
    for name, constraints in sets.items():
        parsed = constraint_baseline(english.text, constraints)
        rows.append({"name": f"constraint baseline, {name}", **english.scores(parsed), "paper": None})
    for name, parse in (("attach left", attach_left), ("attach right", attach_right)):
        rows.append({"name": name, **english.scores(parse(english.text)), "paper": None})
    for features in ("full", "restricted"):
        env.say(f"supervised, {features} features")
        folds = 3 if env.quick else FOLDS
        parsed = cross_parse(lambda trees, features=features: TreeCRF(features).fit(trees), english.text, folds)
        rows.append({"name": f"supervised, {features}", **english.scores(parsed), "paper": None})
    human = {
        name: [{"constraint": constraint.name, "target": constraint.target_text} for constraint in sets[name]]
        for name in ("human 14", "human 20")
    }
    notes = env.notes(
        DATA, *NOTES,
        f"Supervised parsers are scored by {3 if env.quick else FOLDS}-fold cross-validation on our sentences; the "
        "paper's were trained on 5,301. Figure 1 prints no numbers: those of the text stand beside ours.",
        "The paper says that approximate training is usually within 5% of the exact one.",
    )  # fmt: skip
    compared = {name: sets[name] for name in ("20 oracle", "Table 1", "human 20")}
    tables = {**human, "Exact and approximate covariance": _covariance_rows(env, english, compared)}
    baseline = curve(rows, "constraint baseline", lambda row: _oracle_size(row["name"], "constraint baseline, "))
    levels = [(row["name"], row["ours"], False) for row in rows if row["name"].startswith(("supervised", "attach"))]
    title = "Figure 1: right heads in short English"
    return Results(rows, notes, tables, plotted(title, CONSTRAINTS, RIGHT, [*_curves(rows), baseline], levels))


def figure2(env: Environment) -> Results:
    """GE with growing oracle sets beside unsupervised parsers, the paper's and ours."""
    english = ShortEnglish(env)
    sets = constraint_sets(english, (10, 20) if env.quick else SIZES)
    rows = _ge_rows(env, english, sets, ("full", "restricted"))
    chosen, each = unsupervised_rows(env, english.text, english.scores)
    levels = []
    for name, short, which, paper in UNSUPERVISED:
        if which is None:
            rows.append(unanswered(name, "its neighbours, with two words that move, are not enumerated", paper=paper))
        else:
            row = chosen[which]
            rows.append({"name": name, "ours": row["ours"], "test_part": row["test_part"], "paper": paper})
            levels.append((short, row["ours"], False))
        if paper is not None:
            levels.append((f"{short}, the paper", paper, True))
    picture = plotted("Figure 2: right heads in short English", CONSTRAINTS, RIGHT, _curves(rows), levels)
    tables = {"Unsupervised parsers, each setting": each}
    return Results(rows, env.notes(DATA, *NOTES, note(env.quick)), tables, picture=picture)


def _oracle_size(name, begin):
    """The number of the oracle's constraints of a row of that name, None for another row."""
    size, _, of = name.removeprefix(begin).partition(" ")
    return int(size) if name.startswith(begin) and of == "oracle" else None


def _curves(rows):
    """The curves of GE with the paper's settings, its two sets written by hand, and what the paper's text states."""
    of_paper = [row for row in rows if row.get("preset") == "paper"]
    series = [
        curve(
            of_paper, f"GE, {features} features", lambda row, begin=f"GE {features}, ": _oracle_size(row["name"], begin)
        )
        for features in ("full", "restricted")
    ]
    human = {row["name"]: row["ours"] for row in of_paper}
    points = [(size, human.get(f"GE full, human {size}")) for size in (14, 20)]
    series.append(PlotSeries("GE, full features, constraints by hand", tuple(points), joined=False))
    stated = [(int("".join(filter(str.isdigit, name))), value) for name, value in ENGLISH.items() if name != "Table 1"]
    return [
        *series,
        PlotSeries("the paper, section 5.1: oracle 10, 20, 30; by hand 14, 20", tuple(stated), stated=True),
    ]


def _ge_rows(env, english, sets, feature_sets):
    rows = []
    for features in feature_sets:
        for preset, settings in short_settings(features=features).items():
            trainer = GETrainer(english.text, settings)
            for name, constraints in sets.items():
                result = trainer.train(constraints)
                scores = english.scores(trainer.parse(result.optimum.weights))
                paper = ENGLISH.get(name) if features == "full" else None
                figures = {"paper": paper, "preset": preset, "training_seconds": round(result.seconds, 2)}
                rows.append({"name": f"GE {features}, {name}", **scores, **figures})
                env.say(f"{rows[-1]['name']}, {preset}: {scores['ours']:.1f}")
    return rows


def _covariance_rows(env, english, sets):
    """The accuracy lost by the paper's approximate covariance."""
    rows = []
    for preset in short_settings():
        trainers = {
            covariance: GETrainer(english.text, short_settings(covariance=covariance)[preset])
            for covariance in ("exact", "approximate")
        }
        for name, constraints in sets.items():
            row = {"name": name, "preset": preset}
            for covariance, trainer in trainers.items():
                result = trainer.train(constraints)
                row[covariance] = english.scores(trainer.parse(result.optimum.weights))["ours"]
                row[f"{covariance}_seconds"] = round(result.seconds, 2)
            rows.append({**row, "exact_minus_approximate": row["exact"] - row["approximate"]})
            env.say(f"{name}, {preset}: exact {row['exact']:.1f}, approximate {row['approximate']:.1f}")
    return rows
