"""Simulated afternoons: what is compared, by hand; one afternoon on a small treebank."""

import numpy as np
import pytest

from core.advice import LINE, TREEBANK, TREES, Advice
from core.constraints import GrammarSettings
from core.experiments.beyond import sessions
from core.experiments.beyond.sessions import MEASURES, SimulatedSession, measured_row
from core.experiments.experiment import Environment
from core.parsers.self_training import concatenate
from core.treebank import load_sample


def advised(kind, minutes, gain=None):
    reason = "" if gain is not None else "why"
    return Advice(kind, "", minutes, gain, gain, gain, reason=reason)


MEASURED = SimulatedSession(
    "one", {TREES: advised(TREES, 30.0, 3.0), LINE: advised(LINE, 5.0, 1.0)}, {TREES: 4.0, LINE: 0.5}
)
UNKNOWN = SimulatedSession(
    "two", {TREES: advised(TREES, 30.0), TREEBANK: advised(TREEBANK, 15.0)}, {TREES: 2.0, TREEBANK: 6.0}
)


def test_the_advice_is_the_largest_gain_predicted_or_trees_where_none_is():
    assert MEASURED.values(MEASURES["points"]) == (4.0, 2.25, 4.0, 4.0, TREES)
    assert MEASURED.values(MEASURES["points an hour"]) == (6.0, 7.0, 8.0, 8.0, LINE)
    assert UNKNOWN.values(MEASURES["points"]) == (2.0, 4.0, 6.0, 2.0, TREES)
    assert MEASURED.is_measured and not UNKNOWN.is_measured


def test_the_share_of_the_gap_is_of_sums_over_all_afternoons():
    row = measured_row("points", [MEASURED, UNKNOWN], MEASURES["points"])
    assert (row["advice"], row["random"], row["best"], row["afternoons"]) == (3.0, 3.125, 5.0, 2)
    assert row["closed"] == pytest.approx((3.0 - 3.125) / (5.0 - 3.125))
    assert row["closed_low"] == pytest.approx(-1.0) and row["closed_high"] == pytest.approx(1.0)  # of each one alone
    assert row["trees"] == 3.0 and row["trees_closed"] == row["closed"]
    flat = measured_row(
        "points", [SimulatedSession("flat", {TREES: advised(TREES, 1.0)}, {TREES: 1.0})], MEASURES["points"]
    )
    assert flat["closed"] is None and flat["closed_low"] is None


def test_afternoons_on_a_small_treebank(monkeypatch, tmp_path):
    bank = load_sample()
    short = concatenate(bank.select(np.flatnonzero((bank.lengths >= 3) & (bank.lengths <= 9))[:100]))
    monkeypatch.setattr(sessions, "text_of", lambda env, language: short)
    monkeypatch.setattr(sessions, "TEXT_SENTENCES", 25)
    monkeypatch.setattr(sessions, "KNOWN", (12, 0))
    monkeypatch.setattr(sessions, "MORE_TREES", 5)
    settings = GrammarSettings(tags="upos", words="no", lengths=(12,), iterations=(2,), epochs=2)
    monkeypatch.setattr(sessions, "SETTINGS", settings)
    said = []
    found = sessions.sessions(Environment(tmp_path, True, said.append))
    names = [row["name"] for row in found.rows]
    assert names[:2] == ["all, points", "all, points an hour"] and len(said) == sessions.QUICK
    for row in found.rows:
        assert row["random"] <= row["best"] and row["advice"] <= row["best"]
    (table,) = found.tables.values()
    assert len(table) == sessions.QUICK and "came true within their 95% interval" in found.notes[-1]
