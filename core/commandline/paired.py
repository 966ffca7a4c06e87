"""The paired differences of ``evaluate``: every two systems, over all words and by kinds of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.commandline.reports import by_keys
from core.evaluation import Comparison, Group, bootstrap_over, holm, paired_tests, relation_words, sign_test_over
from core.evaluation.comparison import LAS, UAS
from core.evaluation.paired_tests import PRACTICE
from core.evaluation.scores import same_strings
from core.evaluation.shared_tasks import conll2018_words
from core.parsers.labels import has_relations
from core.treebank import Treebank
from core.workspace.wording import amount

PAIR_COLUMNS = {
    "measure": "measure", "first": "first", "second": "second", "points": "difference", "from": "low", "to": "high",
    "only first": "only_one", "only second": "only_other", "p": "p_value", "p adjusted": "p_adjusted",
}  # fmt: skip
TEST_COLUMNS = {
    "measure": "measure", "group": "group", "first": "first", "second": "second", "words": "words",
    "points": "difference", "only first": "only_one", "only second": "only_other", "p": "p_value",
    "p adjusted": "p_adjusted",
}  # fmt: skip
RELATION_COLUMNS = {
    "system": "system", "relation": "relation", "gold": "gold", "given": "system_words", "right": "correct",
    "precision %": "precision", "recall %": "recall", "F1 %": "f1",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class PairedOutcome:
    """What systems have right.

    Attributes
    ----------
    gold : Treebank
    counted : ndarray of bool, (rows,)
        The gold words that are scored.
    right : dict from measure to dict from system to bool (rows,)
        UAS, and LAS of the systems that have relations.
    banks : dict from system to Treebank
        Those with relations and the words of gold.
    """

    gold: Treebank
    counted: np.ndarray
    right: Mapping[str, Mapping[str, np.ndarray]]
    banks: Mapping[str, Treebank]

    @classmethod
    def of(cls, gold: Treebank, systems: Mapping[str, Treebank], counted: np.ndarray) -> "PairedOutcome":
        """The PairedOutcome of systems over the words of gold."""
        heads = {name: bank.heads == gold.heads for name, bank in systems.items()}
        banks = {name: bank for name, bank in systems.items() if has_relations(gold) and has_relations(bank)}
        labelled = {name: heads[name] & same_strings(gold.deprel, bank.deprel) for name, bank in banks.items()}
        return cls(gold, counted, {UAS: heads, LAS: labelled}, banks)

    @classmethod
    def aligned(cls, gold: Treebank, systems: Mapping[str, Treebank]) -> "PairedOutcome":
        """As ``of``, of systems that may have cut the text otherwise, by the rules of CoNLL 2018, of gold's words."""
        words = {name: conll2018_words(gold, bank) for name, bank in systems.items()}
        named = [name for name, bank in systems.items() if has_relations(gold) and has_relations(bank)]
        right = {UAS: {name: words[name][UAS][0] for name in words}, LAS: {name: words[name][LAS][0] for name in named}}
        return cls(gold, gold.heads >= 0, right, {})


def paired_report(outcome: PairedOutcome, by: str | None) -> tuple[dict, list[str]]:
    """(values for JSON, lines of text): the difference of every two systems, and by kinds of words where asked for."""
    data, lines = {}, []
    if pairs := [row for measure in outcome.right for row in _pairs(outcome, measure)]:
        data["pairs"] = pairs
        count = sum(row["measure"] == UAS for row in pairs)
        about = (
            "differences in percentage points, first less second; 95% intervals of resampled sentences; "
            f"{PRACTICE}: {amount(count, 'test')} a measure"
        )
        lines += ["", about, by_keys(map(_shown, pairs), PAIR_COLUMNS)]
    if by is not None:
        more, further = _by_kind(outcome, by.replace("-", " "))
        data, lines = data | more, lines + further
    return data, lines


def _pairs(outcome, measure):
    """Rows of ``pairs`` by one measure."""
    rows, right, counted = [], outcome.right[measure], outcome.counted
    for first, second in combinations(right, 2):
        one, other = right[first], right[second]
        test = sign_test_over(one[counted], other[counted])
        bootstrap = bootstrap_over(outcome.gold.offsets, counted, other, one)  # by how much the first is better
        rows.append({
            "systems": [first, second], "measure": measure, "words": test.words, "difference": bootstrap.difference,
            "low": bootstrap.low, "high": bootstrap.high, "only_one": test.only_first, "only_other": test.only_second,
            "p_value": test.p_value,
        })  # fmt: skip
    adjusted = holm([row["p_value"] for row in rows]).tolist()
    return [row | {"p_adjusted": value} for row, value in zip(rows, adjusted, strict=True)]


def _by_kind(outcome, kind):
    """(values for JSON, lines) of the words by kind: shares, tests, and relations with precision and recall."""
    gold, rows = outcome.gold, np.flatnonzero(outcome.counted)
    tags = "upos" if gold.upos.filled else None
    kinds = Comparison(gold, {}, rows, {}, (), tags).table(kind)
    shares, tests = [], []
    for measure, right in outcome.right.items():
        groups = [Group(group.name, group.rows, {name: known[group.rows] for name, known in right.items()})
                  for group in kinds]  # fmt: skip
        shares += [
            {"measure": measure, "group": group.name, "words": group.words, "percent": _shares(group)}
            for group in groups
            if right
        ]
        tests += [{"measure": measure} | test.as_dict() for test in paired_tests(groups, list(right))]
    relations = _relations(outcome, rows) if kind == "relation" else []
    lines = ["", f"percent right by {kind}", by_keys(*_share_table(shares))]
    if tests:
        count = sum(row["measure"] == UAS for row in tests)
        lines += ["", f"{PRACTICE}: {amount(count, 'test')} of UAS", by_keys(map(_shown, tests), TEST_COLUMNS)]
    if relations:
        lines += ["", "head and relation right, by relation", by_keys(relations, RELATION_COLUMNS)]
    data = {"groups": [{"kind": kind} | row for row in shares], "tests": tests}
    return data | ({"relations": relations} if relations else {}), lines


def _shares(group: Group) -> dict[str, float | None]:
    return {name: group.share(name) for name in group.right}


def _share_table(shares: Sequence[dict]) -> tuple[list[dict], dict[str, str]]:
    names = dict.fromkeys(name for row in shares for name in row["percent"])
    columns = {"measure": "measure", "group": "group", "words": "words"} | {name: f"of {name}" for name in names}
    return [row | {f"of {name}": share for name, share in row["percent"].items()} for row in shares], columns


def _relations(outcome, rows):
    return [
        {"system": name, "relation": words.relation, "gold": words.score.gold, "system_words": words.score.system,
         "correct": words.score.correct, "precision": words.score.precision, "recall": words.score.recall,
         "f1": words.score.f1}
        for name, bank in outcome.banks.items()
        for words in relation_words(outcome.gold, bank, rows)
    ]  # fmt: skip


def _shown(row):
    """A row with its systems apart and its p-values as text."""
    first, second = row["systems"]
    return row | {name: f"{row[name]:.3g}" for name in ("p_value", "p_adjusted")} | {"first": first, "second": second}
