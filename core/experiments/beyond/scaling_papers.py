"""The papers' own conditions: is what they gain in the method, or was there room for it in a weak parser?

Parsers as weak as theirs, chosen by their accuracy alone on the development part, get what the paper adds.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from core.adaptation.systems import AdaptationTask, train_system
from core.consistency import ConsistencySettings, parse_consistently
from core.experiments.beyond.learners import accuracy
from core.experiments.beyond.scaling_datasets import WSJ, ScalingDataset, scaling_dataset
from core.experiments.beyond.scaling_intervals import half_width, mean
from core.experiments.experiment import Environment, Results
from core.experiments.resumable import results_file, run_draws
from core.experiments.rush2012.figures import TABLE_3 as CONSISTENT
from core.experiments.shimizu2007.figures import PRESETS, TARGET, correspondence
from core.experiments.shimizu2007.figures import TABLE_3 as CORRESPONDING
from core.experiments.shimizu2007.texts import genres, read_ewt, source_texts
from core.parsers import MSTParser

SIZE, DRAWS = 100, 3
BASE, _, CONSISTENCY, _ = CONSISTENT["English"][SIZE]
STRENGTHS = (1.0, 5.0)  # times the bonus of agreement
SOURCES, GENRE, EPOCHS, QUICK = (50, 100, 250, 1_000), "reviews", 4, 60
CORRESPONDENCE = "correspondence"
ALONE = "alone"
NOTES = [
    f"The papers' conditions. rush2012, English, {SIZE} trees: its parser alone has {BASE}, with consistency "
    f"{CONSISTENCY}. Of our parsers of {SIZE} trees or fewer, of first and second order, of one epoch and of ten, the "
    "one whose accuracy on the development part (without the trees given, mean of the draws) is nearest gets "
    "consistency, and so does the best one; bonus x5 pays agreement five times as much as our default.",
    "shimizu2007, from news to chemistry: unlabelled accuracy after four iterations. Here from weblogs and newsgroups "
    "of EWT to its reviews, of so many source sentences; the number whose parser is nearest to the paper's on "
    "development text of reviews, and the largest. The paper's settings of the correspondence, and ours (best).",
    "chosen says why the row is there; base is the parser alone, gain the mean difference over draws of the trees.",
]


@dataclass(frozen=True)
class Weak:
    """A parser of a condition, and what it gets: settings that are plain values.

    Attributes
    ----------
    paper : {"rush2012", "shimizu2007"}
    trees, order, epochs, draw : int
    adds : str
        "alone"; "consistency x1" or so; "correspondence, paper" or ", best".
    """

    paper: str
    trees: int
    order: int
    epochs: int
    draw: int
    adds: str = ALONE

    @property
    def name(self) -> str:
        """One line that says all of it."""
        sort = f"{self.trees} trees, order {self.order}, {self.epochs} epoch{'' if self.epochs == 1 else 's'}"
        return f"{self.paper}: {sort}, draw {self.draw + 1}, {self.adds}"


def papers(env: Environment) -> Results:
    """Consistency on a parser as weak as rush2012's, and correspondence on one as weak as shimizu2007's."""
    rows = [*chosen_rows(env, *_consistency_job(env)), *chosen_rows(env, *_correspondence_job(env))]
    return Results(rows, NOTES)


def _consistency_job(env):
    """(candidates, what they get, the paper's base and result, result of a Weak, file) of rush2012."""
    dataset = scaling_dataset(env, WSJ)
    sizes = (10,) if env.quick else (SIZE // 2, SIZE)
    candidates = [Weak("rush2012", size, order, epochs, 0) for size in sizes for order in (1, 2) for epochs in (1, 10)]
    adds = [f"consistency x{strength:g}" for strength in STRENGTHS]
    path = results_file(
        "beyond-ladder-papers", dataset.text.content_hash, dataset.trees.content_hash, ConsistencySettings()
    )
    return candidates, adds, (BASE, CONSISTENCY), lambda weak: scored_consistency(dataset, weak), path


def scored_consistency(dataset: ScalingDataset, weak: Weak) -> dict:
    """What a weak parser gets, alone or with consistency."""
    drawn = dataset.drawn(weak.trees, weak.draw)
    given, test = dataset.trees.select(drawn), dataset.trees.select(np.flatnonzero(dataset.test))
    parser = MSTParser(order=weak.order, labels=False, tags=dataset.column)
    parser.fit(given, epochs=weak.epochs, seed=weak.draw)
    rest = ~dataset.test
    rest[drawn] = False
    chosen_by = accuracy(dataset.trees, parser.parse(dataset.trees), rest)
    every = np.ones(len(test), bool)
    base, with_pay = accuracy(test, parser.parse(test), every), None
    if weak.adds != ALONE:
        strength, plain = float(weak.adds.rpartition("x")[2]), ConsistencySettings()
        bonus = {name: strength * getattr(plain, name) for name in ("delta1", "delta2", "delta3")}
        paid = replace(plain, **bonus)
        with_pay = accuracy(test, parse_consistently(parser, given, test, paid, tags=dataset.column).treebank, every)
    return {**asdict(weak), "judged": base if with_pay is None else with_pay, "base": base, "dev": chosen_by}


def _correspondence_job(env):
    """The job for the parsers and features of shimizu2007, as ``_consistency_job`` for those of rush2012."""
    train, test, dev = (read_ewt(env, part) for part in ("train", "test", "dev"))
    source, _ = source_texts(env, train, test)
    unlabelled, *texts = (genres(part, [GENRE]) for part in (train, test, dev))
    if env.quick:
        unlabelled, *texts = (text.limit(QUICK) for text in (unlabelled, *texts))
    source = source.select(np.flatnonzero(source.lengths <= 50))
    sizes = SOURCES[:1] if env.quick else SOURCES
    candidates = [Weak("shimizu2007", size, 1, EPOCHS, 0) for size in sizes]
    adds = [f"{CORRESPONDENCE}, {preset}" for preset in ("paper", "best")]
    before, after = (CORRESPONDING[TARGET, adapted]["UAS"][-1] for adapted in (False, True))
    hashes = [text.content_hash for text in (source, unlabelled, *texts)]
    given = source, unlabelled, dict(zip(("test", "dev"), texts, strict=True))
    path = results_file("beyond-ladder-papers", *hashes, PRESETS)
    return candidates, adds, (before, after), lambda weak: _corresponding(env, *given, weak), path


def _corresponding(env, source, unlabelled, texts, weak):
    order = np.random.default_rng(weak.draw).permutation(len(source))
    few = source.select(np.sort(order[: weak.trees]))
    task = AdaptationTask(few, texts, epochs=weak.epochs, seed=weak.draw, bits=18 if env.quick else 22)
    base = _accuracies(train_system(task))
    adapted = base
    if weak.adds != ALONE:
        learnt = correspondence(weak.adds.rpartition(" ")[2], env.quick).fit(few, unlabelled)
        adapted = _accuracies(train_system(task, weak.adds, correspondence=learnt))
    return {**asdict(weak), "judged": adapted["test"], "base": base["test"], "dev": base["dev"]}


def _accuracies(system):
    """{text: unlabelled accuracy after the last iteration}."""
    return {name: scores[-1].uas for name, scores in system.scores.items()}


def chosen_rows(
    env: Environment, candidates: Sequence[Weak], adds: Sequence[str], figures: tuple[float, float],
    result: Callable[[Weak], dict], path: Path,
) -> list[dict]:  # fmt: skip
    """Rows of the candidate as weak as the paper's parser, and of the best one, with each thing added."""
    draws = range(1 if env.quick else DRAWS)
    drawn = run_draws(candidates, draws, result, path, env.say)
    known = {weak: mean([row["dev"] for row in results]) for weak, results in drawn.items()}
    weakest = min(candidates, key=lambda weak: abs(known[weak] - figures[0]))
    chosen = {"as weak as the paper's": weakest, "the best of ours": max(candidates, key=lambda weak: known[weak])}
    rows = []
    for why, base in chosen.items():
        for addition in adds:
            ((_, of),) = run_draws([replace(base, adds=addition)], draws, result, path, env.say).items()
            gains = [row["judged"] - row["base"] for row in of]
            row = {"name": f"{base.name.partition(', draw')[0]} + {addition}", "ours": mean([e["judged"] for e in of])}
            row |= {"paper": figures[1], "base": mean([row["base"] for row in of]), "paper_base": figures[0]}
            row |= {"gain": mean(gains), "gain_interval": half_width(gains), "paper_gain": figures[1] - figures[0]}
            rows.append(row | {"dev": known[base], "chosen": why})
    return rows
