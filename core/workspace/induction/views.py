"""Runs of induction side by side, the course of one, and a sentence under its trees."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.draw import Drawing, compare_trees, draw_tree
from core.files.tables import columns_of
from core.store import Run
from core.workspace.induction.plan import InductionInputs, InductionPlan


def best_run(runs: Sequence[Run]) -> tuple[Run | None, str]:
    """(the best of finished runs, by what): most right heads where they are known, else fewest bits; None of none."""
    scored = [run for run in runs if "accuracy" in run.figures]
    if scored:
        return max(scored, key=lambda run: run.figures["accuracy"]["uas"]), "heads right"
    known = [run for run in runs if run.figures["bits"] is not None]
    return (min(known, key=lambda run: run.figures["bits"]), "bits per token") if known else (None, "")


def run_table(runs: Sequence[Run]) -> dict[str, list]:
    """Columns of a table over finished runs."""
    rows = []
    for run in runs:
        plan = InductionPlan.from_dict(run.settings)
        dmv, stages, adapt = plan.settings, plan.stages or "all", bool(plan.adapt_to)
        training = f"{dmv.algorithm}, {dmv.schedule}"
        rows.append((run.id, dmv.init, dmv.level, stages, training, dmv.trim, adapt, dmv.seed, run.figures["bits"]))
    names = ("run", "init", "level", "stages", "training", "trim", "adapt", "seed", "bits")
    table = columns_of(names, rows)
    if any("accuracy" in run.figures for run in runs):
        table["uas"] = [run.figures.get("accuracy", {}).get("uas") for run in runs]
    return table


def course(trace: Iterable[Mapping]) -> tuple[list[int], list[float | None], list[float], list[str]]:
    """(iterations, bits per token, accuracies in per cent or [], stages) of a run's trace."""
    entries = list({entry["iteration"]: entry for entry in trace if "cross_entropy" in entry}.values())
    accuracies = [entry["accuracy"] for entry in entries if entry.get("accuracy") is not None]
    return (
        [entry["iteration"] for entry in entries],
        [entry["cross_entropy"] for entry in entries],
        accuracies if len(accuracies) == len(entries) else [],
        [entry["stage"] for entry in entries],
    )


def induced_drawing(
    inputs: InductionInputs, heads: np.ndarray, index: int, relations: np.ndarray | None = None
) -> Drawing:
    """The Drawing of a sentence: the induced tree, below the text's own where it has one.

    ``relations`` is object (rows,), or None where the tree has none.
    """
    text = inputs.treebank
    sentence, rows = text[index], slice(*text.offsets[index : index + 2])
    labels = [""] * len(sentence.deprels) if relations is None else relations[rows].tolist()
    if (sentence.heads[1:] >= 0).all():
        both = sentence.deprels, labels
        return compare_trees(sentence, heads[rows], labels=both, names=("the text’s own", "induced"))
    return draw_tree(sentence, heads[rows], labels=labels, kind="predicted")
