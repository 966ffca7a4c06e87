"""Oracle constraints: statistics against naive counting, selection and binning on hand-made corpora, Table 1."""

from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints import format_constraints, match_counts, oracle_constraints
from core.constraints.matching import oracle as module
from core.constraints.matching.check import parse_constraints
from core.constraints.matching.oracle import BINS, TEMPLATE, binned_target
from core.errors import WorkbenchError
from core.treebank import read_conllu
from tests.constraints.banks import plain_sentences, tagged, treebanks
from tests.oracles import constraints as oracle

TABLE_1 = Path(__file__).resolve().parents[3] / "assets" / "constraints" / "druck2009-table1.txt"
DISTANCES = ["1", "2", "3", "4", "5"] + ["6..10"] * 5  # sentences in these tests have fewer than 11 words


def written_key(template):
    """The name that the constraint of one word pair should have."""

    def key(sentence, h, m):
        if "head" not in template and h == 0:
            return None
        head = ("ROOT" if h == 0 else sentence[h]["tag"]) if "head" in template else "*"
        modifier = sentence[m]["tag"] if "modifier" in template else "*"
        arrow = "--" if "direction" not in template else "->" if h < m else "<-"
        arrow = "->" if h == 0 else arrow
        distance = f" dist {DISTANCES[abs(h - m) - 1]}" if "distance" in template and h > 0 else ""
        first, second = (modifier, head) if arrow == "<-" else (head, modifier)
        return f"{first} {arrow} {second}{distance}"

    return key


@given(
    treebanks(known=True),
    st.sampled_from([each for k in range(16) if {"head", "modifier"} & {*(each := tuple(
        part for bit, part in enumerate(TEMPLATE) if k >> bit & 1))}]),
    st.booleans(),
)  # fmt: skip
def test_statistics_and_order_match_naive_counting(treebank, template, small_blocks):
    figures = oracle.statistics(plain_sentences(treebank), [each.heads for each in treebank], written_key(template))
    with patch.object(module, "BLOCK", 1 if small_blocks else module.BLOCK):
        found = oracle_constraints(treebank, None, 1, template, binned=False)
        assert oracle_constraints(treebank, 3, 1, template, binned=False) == found[:3]
    order = {name: (-Fraction(edges, pairs), -pairs, name) for name, (pairs, edges) in figures.items()}
    assert [each.name for each in found] == sorted(figures, key=order.get)
    for constraint, coverage in zip(found, match_counts(found, treebank), strict=True):
        assert [coverage.pairs, coverage.edges] == figures[constraint.name]
        assert constraint.low == constraint.high == coverage.gold_share


def test_bins_are_the_nearest_and_halfway_goes_up():
    for pairs in range(1, 81):
        for edges in range(pairs + 1):
            share = Fraction(edges, pairs)
            nearest = min(BINS, key=lambda each: (abs(Fraction(each) - share), -Fraction(each)))
            assert binned_target(edges, pairs) == float(nearest)


BANK = tagged(*["DNV"] * 3, "DNN", heads=[[2, 3, 0]] * 3 + [[3, 3, 0]])


def test_a_hand_made_corpus():
    assert format_constraints(oracle_constraints(BANK, 4, 3)) == (
        "N <- V = 1.0  # 3 of 3 are arcs, p = 1.000\n"
        "ROOT -> V = 1.0  # 3 of 3 are arcs, p = 1.000\n"
        "D <- N = 0.75  # 4 of 5 are arcs, p = 0.800\n"
        "ROOT -> N = 0.25  # 1 of 5 are arcs, p = 0.200\n"
    )
    assert [each.name for each in oracle_constraints(BANK, None, 1, minimum_edge_count=4)] == ["D <- N"]
    assert oracle_constraints(BANK, 20, 6) == []


@pytest.mark.parametrize(
    ("treebank", "template", "message"),
    [
        (BANK, ("head", "label"), "there is no template part 'label'; take some of head, modifier"),
        (BANK, "direction", "the template direction names no word"),
        (tagged("A"), TEMPLATE, "sentence 1 has a word without a head"),
        (BANK.select([]), TEMPLATE, "the treebank holds no sentence"),
    ],
)
def test_what_cannot_be_counted(treebank, template, message):
    with pytest.raises(WorkbenchError, match=message):
        oracle_constraints(treebank, template=template)


def test_table_1_reads():
    constraints = parse_constraints(TABLE_1.read_text(encoding="utf-8"))
    assert sorted(each.low for each in constraints) == [0.75] * 16 + [1.0] * 4
    assert parse_constraints("VBD -> TO = 1.0")[0] in constraints


def test_table_1_is_recognisable_in_the_wsj_sample(shared_data):
    """The sample's head rules differ (``to`` modifies the verb), so not all twenty can come back."""
    sample = read_conllu(shared_data / "en-wsj" / "wsj-sample.conllu").without_punctuation().max_length(10)
    paper = {each.name for each in parse_constraints(TABLE_1.read_text(encoding="utf-8"))}
    names = {each.name for each in oracle_constraints(sample, 20, 15)}
    assert len(paper & names) >= 12 and "TO <- VB" in names and "TO -> VB" not in names


def test_untagged_words_are_left_out():
    bank = tagged(["A", "", "B"], heads=[[2, 0, 2]])
    assert [each.name for each in oracle_constraints(bank, None, 1)] == ["A -> B", "A <- B", "ROOT -> A", "ROOT -> B"]
    (any_head,) = oracle_constraints(bank, 1, 1, "modifier,direction")
    assert (any_head.name, any_head.low, any_head.comment) == ("* -> B", 0.5, "1 of 2 are arcs, p = 0.500")
