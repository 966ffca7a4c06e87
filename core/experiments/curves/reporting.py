"""What a learning curve says: rows of a table, a CSV file, sentences."""

import math

import numpy as np

from core.evaluation import AccuracyCurve, Extrapolation, Interval, NotKnown
from core.files.tables import separated

BEYOND = (2, 4)  # times the largest size measured: rows that are extrapolated
COLUMNS = ("extrapolated", "draws", "mean", "spread", "fitted", "low", "high")
ONE = {"trees": "tree", "words": "word", "lines": "line"}


def rows_of(curve: AccuracyCurve, law: Extrapolation | NotKnown) -> list[dict]:
    """Rows of a table: each size measured, and where the course beyond is known, ``BEYOND`` times the largest.

    Each has ``size``, ``extrapolated`` (bool), ``draws``, their ``mean`` and ``spread`` (standard deviation), and the
    ``fitted`` accuracy. The next draw lies between ``low`` and ``high`` with 95%. ``accuracies`` are of the draws. A
    value is None where there is none. Accuracies in percent, spread in points.
    """
    curve = curve.measured()
    means, spreads = curve.means(), curve.spreads()
    rows = [
        {
            "size": int(size), "extrapolated": False, "draws": int(curve.counts[k]), "mean": float(means[k]),
            "spread": None if np.isnan(spreads[k]) else float(spreads[k]), **_fitted(law, size),
            "accuracies": [None if np.isnan(value) else float(value) for value in curve.accuracies[k]],
        }
        for k, size in enumerate(curve.sizes)
    ]  # fmt: skip
    if isinstance(law, Extrapolation):
        for times in BEYOND:
            size = round(times * law.largest)
            rows.append({"size": size, "extrapolated": True, "draws": 0, "mean": None, "spread": None,
                         **_fitted(law, size), "accuracies": [None] * curve.accuracies.shape[1]})  # fmt: skip
    return rows


def conditions(words: int) -> str:
    """The conditions under which accuracies were measured, as a phrase."""
    return f"heads right in percent of {words:,} words without punctuation"


def curve_csv(curve: AccuracyCurve, law: Extrapolation | NotKnown, words: int) -> str:
    """The rows as CSV: a column of the unit's name for sizes, ``COLUMNS``, one for each draw, and the conditions."""
    draws = [f"draw_{number}" for number in range(1, curve.measured().accuracies.shape[1] + 1)]
    lines = [
        (
            row["size"],
            "yes" if row["extrapolated"] else "no",
            *(row[name] for name in COLUMNS[1:]),
            *row["accuracies"],
            conditions(words),
        )
        for row in rows_of(curve, law)
    ]
    return separated((curve.unit, *COLUMNS, *draws, "conditions"), lines)


def gain_sentence(law: Extrapolation | NotKnown, more: int) -> str:
    """A sentence on what so much more text would gain, or why that is not known."""
    if isinstance(law, NotKnown):
        return law.reason
    gain = law.gain(more)
    if isinstance(gain, NotKnown):
        return f"What {_amount(more, law.curve.unit)} more would bring is not known: {gain.reason}"
    added = f"{_amount(more, law.curve.unit)} more than the {law.largest:,.0f}"
    return f"{added} would bring about {gain.value:.1f} points (95%: {gain.low:.1f} to {gain.high:.1f})."


def needed_sentence(law: Extrapolation | NotKnown, accuracy: float) -> str:
    """A sentence on how much text an accuracy in percent takes, or why that is not known."""
    if isinstance(law, NotKnown):
        return law.reason
    needed, unit = law.needed(accuracy), law.curve.unit
    if isinstance(needed, NotKnown):
        return needed.reason
    until = f"to {_rounded(needed.high):,}" if math.isfinite(needed.high) else "and no upper limit"
    about = f"{accuracy:g}% takes about {_rounded(needed.value):,} {unit}"
    return f"{about} (95%: {_rounded(needed.low):,} {until})."


def fit_sentence(fit: Extrapolation | NotKnown, words: int) -> str:
    """The law in words, of so many words scored; or why there is none."""
    if isinstance(fit, NotKnown):
        return fit.reason
    draws = fit.curve.accuracies.shape[1]
    of = "whole draws" if fit.method == "draws" else "residuals"
    law = f"accuracy = {fit.asymptote:.1f} - {fit.factor:.3g} x^-{fit.exponent:.3g}"
    text = f"{law}; intervals by bootstrap of {of}, {draws} draw{'s' if draws > 1 else ''}, on {words:,} words."
    if fit.misfit > 4:  # misses of twice what draws explain
        text += f" The law misses the points by {math.sqrt(fit.misfit):.1f} times what draws explain."
    return text


def fit_dict(law: Extrapolation | NotKnown) -> dict | None:
    """The law for JSON; None where there is none."""
    if isinstance(law, NotKnown):
        return None
    return {"asymptote": law.asymptote, "factor": law.factor, "exponent": law.exponent,
            "method": law.method, "misfit": law.misfit}  # fmt: skip


def interval_dict(known: Interval | NotKnown) -> dict:
    """For JSON: ``value``, ``low``, ``high`` (None without limit), or ``not_known`` and why."""
    if isinstance(known, NotKnown):
        return {"not_known": known.reason}
    return {"value": known.value, "low": known.low, "high": known.high if math.isfinite(known.high) else None}


def _fitted(law, size):
    interval = law.at(size, single=True) if isinstance(law, Extrapolation) else law
    if isinstance(interval, NotKnown):
        return {"fitted": None, "low": None, "high": None}
    return {"fitted": interval.value, "low": interval.low, "high": interval.high}


def _amount(number, unit):
    return f"{number:,} {ONE[unit] if number == 1 else unit}"


def _rounded(size):
    """A size to two digits, as more would be false precision."""
    digits = 1 - math.floor(math.log10(size)) if size >= 1 else 0
    return max(1, int(round(size, digits)))
