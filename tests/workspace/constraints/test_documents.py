"""A set says each thing in one line: what the form and a click in a tree write."""

import pytest

from core.constraints import parse_constraints
from core.workspace import add_corpus
from core.workspace.constraints.documents import constraint_text, put_constraint, save_text

SET = "# what we know\nDET <- NOUN = 0.9  # old\nADJ <- NOUN = 0.8\n"


@pytest.fixture
def put(workspace):
    project = workspace.store.default_project()
    add_corpus(workspace.store, project, "t.txt", b"the/DET cat/NOUN\n")
    corpus = workspace.store.corpora(project)[-1]
    save_text(workspace.store, corpus, SET, "typing")

    def write(line, number=None):
        put_constraint(workspace.store, corpus, SET, parse_constraints(line)[0], number)
        return constraint_text(workspace.store, corpus, workspace.treebank(corpus)).splitlines()[1:]

    return write


def test_the_line_that_says_it_already_changes_and_keeps_its_comment(put):
    assert put("DET <- NOUN = 0.5") == ["DET <- NOUN = 0.5  # old", "ADJ <- NOUN = 0.8"]


def test_what_no_line_says_is_added(put):
    assert put("DET -> NOUN = 0.5") == [*SET.splitlines()[1:], "DET -> NOUN = 0.5"]


def test_a_line_being_changed_says_the_new_thing_in_its_place(put):
    assert put("ADV <- NOUN = 0.5", 3) == ["DET <- NOUN = 0.9  # old", "ADV <- NOUN = 0.5"]
    assert put("ADJ <- NOUN = 0.5", 3) == ["DET <- NOUN = 0.9  # old", "ADJ <- NOUN = 0.5"]


def test_a_line_that_comes_to_say_what_another_says_goes(put):
    assert put("DET <- NOUN = 0.5", 3) == ["DET <- NOUN = 0.5  # old"]
