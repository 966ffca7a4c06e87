"""Lists that are gone through in Annotate: their own order, what is done, and what is said where one is gone."""

import json

import pytest

from core.errors import WorkbenchError
from core.treebank import load_sample
from core.workspace import Workspace
from core.workspace.annotate.lists import PlaceList, keep_list, kept_list, ticks

PLACES = ((7, 2), (3, 1), (7, 4), (0, 5))
WORDS = PlaceList("outliers", "Inconsistencies", PLACES, "consensus", {"cs_view": ["Inconsistencies"]}, "odd_row")
DRAWN = PlaceList("check", "Drawn", ((4, 0), (1, 0), (9, 0)), "annotate", {})


@pytest.fixture
def workspace(tmp_path):
    workspace = Workspace.open(f"sqlite:///{tmp_path}/workbench.sqlite")
    yield workspace
    workspace.store.close()


@pytest.fixture
def corpus(workspace):
    return workspace.store.corpora(workspace.store.default_project())[0]


def test_words_follow_in_the_order_listed_and_sentences_that_are_done_are_passed_over():
    assert [WORDS.next_row(row, 1, {3, 7}) for row in range(4)] == [1, 2, 3, 3]
    assert [WORDS.next_row(row, -1, {3, 7}) for row in range(4)] == [0, 0, 1, 2]
    assert [DRAWN.next_row(row, 1, {1}) for row in range(3)] == [2, 2, 2]
    assert DRAWN.next_row(2, -1, {1}) == 0
    assert WORDS.done_count({7}) == 2 and ticks([7, 3], {7}) == ["✓", ""]


def test_the_way_back_leads_to_the_row():
    assert json.loads(WORDS.query_at(2)["odd_row"][0]) == [2, 7, 4] and WORDS.query == {"cs_view": ["Inconsistencies"]}
    hits = PlaceList("hits", "Hits", PLACES, "corpus", {}, "hit", 1)
    assert hits.query_at(2) == {"hit": ["3"]} and DRAWN.query_at(1) == {}


def test_rows_show_the_words_around():
    table = WORDS.columns(load_sample(), {3}, 1, 3)
    forms = load_sample()[3].forms
    assert table["done"] == ["✓", ""] and table["sentence"] == [4, 8]
    assert table["around"][0].strip("\u2066\u2067\u2068\u2069").startswith(f"⟦{forms[1]}⟧ {forms[2]}")
    assert table["around"][0].count("⟦") == 1


def test_a_list_is_kept_with_its_text_and_said_to_be_gone_elsewhere(workspace, corpus):
    treebank = workspace.source(corpus)
    keep_list(workspace.store, corpus, WORDS)
    saved = workspace.store.last_saved(corpus.project)
    keep_list(workspace.store, corpus, WORDS)  # once more: nothing is written
    assert workspace.store.last_saved(corpus.project) == saved
    assert kept_list(workspace.store, corpus, WORDS.kind, WORDS.key, treebank) == WORDS
    with pytest.raises(WorkbenchError, match="the list that this link goes through is not here any more"):
        kept_list(workspace.store, corpus, WORDS.kind, DRAWN.key, treebank)
    with pytest.raises(WorkbenchError, match="is of other sentences; open it anew"):
        kept_list(workspace.store, corpus, WORDS.kind, WORDS.key, treebank.limit(7))
