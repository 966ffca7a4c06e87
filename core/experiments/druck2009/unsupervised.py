"""What Figure 2 of druck2009 draws beside GE, run here: a DMV by EM, by contrastive estimation, by annealing."""

from collections.abc import Callable
from itertools import product

from core.experiments.experiment import Environment
from core.parsers.dmv.annealing import AnnealingSettings, train_annealed
from core.parsers.dmv.contrastive import NEIGHBOURHOODS, ContrastiveSettings, train_contrastive
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import DMVSettings
from core.treebank import Treebank

VARIANCES = (0.1, 1.0, 10.0)
FIRST_BIASES = (-1.0, -0.8, -0.6, -0.4, -0.2)  # each grows to 0
SMOOTHING = 0.1


def unsupervised_rows(
    env: Environment, text: Treebank, scores: Callable[[Treebank], dict[str, float | None]]
) -> tuple[dict[str, dict], list[dict]]:
    """(the row of EM, each neighbourhood's best, annealing's best and worst, by name; a row of each setting).

    ``scores(parsed text)`` are percents of heads right, "ours" among them.
    """
    each = [
        {"method": method, "setting": setting, **scores(train(text).parse(text))}
        for method, setting, train in _settings(env.quick)
    ]
    for row in each:
        env.say(f"{row['method']}, {row['setting']}: {row['ours']:.1f}")
    annealed = [row for row in each if row["method"] == "annealing"]
    chosen = {"best schedule": max(annealed, key=_ours), "worst schedule": min(annealed, key=_ours)}
    for name in ("EM", *NEIGHBOURHOODS):
        chosen[name] = max((row for row in each if name in (row["method"], row["setting"].split(",")[0])), key=_ours)
    return chosen, each


def _ours(row):
    return row["ours"]


def note(quick: bool) -> str:
    """How the rows were made."""
    variances, biases = (", ".join(map(str, values)) for values in _values(quick))
    return (
        "EM, contrastive estimation and annealing are run on our sentences. EM begins as Klein & Manning's does, the "
        f"others with all trees alike. Contrastive estimation: {' and '.join(NEIGHBOURHOODS)}, Gaussian priors of "
        f"variance {variances}. Annealing: the bias on the length of an arc grows from {biases} to 0 by .1 nats a "
        f"word, and {SMOOTHING} is added to each count. Best and worst are so on the trees that score them, since "
        "nothing else chooses a setting. The paper quotes Smith (2006): the best two of eight neighbourhoods, and the "
        "best and worst of ten schedules with three starts."
    )


def _values(quick):
    """(variances, first biases) of the runs."""
    return (VARIANCES[:1], FIRST_BIASES[::4]) if quick else (VARIANCES, FIRST_BIASES)


def _settings(quick):
    """(method, setting in words, function of a text that trains) of each run."""
    em = DMVSettings("harmonic", (None,), algorithm="em", smoothing=SMOOTHING)
    yield "EM", "harmonic start", lambda text: DMV(em).fit(text)
    variances, biases = _values(quick)
    for kind, variance in product(NEIGHBOURHOODS, variances):
        settings = ContrastiveSettings(kind, variance)
        yield (
            "contrastive estimation", f"{kind}, variance {variance}",
            lambda text, settings=settings: train_contrastive(text, settings).model,
        )  # fmt: skip
    for bias in biases:
        settings = AnnealingSettings(bias, smoothing=SMOOTHING)
        yield "annealing", f"bias from {bias}", lambda text, settings=settings: train_annealed(text, settings)
