"""Tables of separated values: what a spreadsheet would run is text, and comes back as it was."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.tables import separated, unescape_formula
from core.search import parse_request, search
from core.treebank import Treebank
from core.workspace.corpus.search import hits_csv

RUN = ("=", "+", "-", "@", "\t", "\r")


@pytest.mark.parametrize("mark", RUN)
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_no_cell_begins_like_a_formula(mark, separator):
    text = separated((f"{mark}head",), [(f"{mark}cmd|' /C calc'!A0", -1, None)], separator)
    (head,), row = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    assert head == f"'{mark}head"
    assert row == [f"'{mark}cmd|' /C calc'!A0", "-1", ""]


@given(st.lists(st.lists(st.text("'=+-@\t\ra ,;\n\""), min_size=1), min_size=1))
def test_cells_come_back(rows):
    text = separated(("a",), rows)
    found = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert [[unescape_formula(cell) for cell in row] for row in found] == rows
    assert not any(len(cell) > 1 and cell.startswith(RUN) for row in found for cell in row)


def test_hits_of_hostile_words_are_text():
    treebank = Treebank.from_sentences([{"forms": ["=HYPERLINK(1)", "@SUM"], "sent_id": "+1"}])
    text = hits_csv(search(treebank, parse_request("X []")), [0])
    cells = list(csv.reader(io.StringIO(text)))[1]
    assert {"'=HYPERLINK(1)", "'+1", "'=HYPERLINK(1) @SUM"} <= set(cells)
