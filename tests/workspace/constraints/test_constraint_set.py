"""The set of a text: each thing is said in one line, and a set in other tags is mapped."""

from pathlib import Path

import pytest

import core.constraints
from core.constraints import parse_constraints
from core.errors import ConstraintError
from core.workspace.constraints.constraint_set import (
    apply_tag_mapping,
    constraint_text,
    foreign_tags,
    plan_mapping,
    put_constraint,
    read_share,
    save_text,
    share_text,
    tag_choices,
)

SET = "# what we know\nDET <- NOUN = 0.9  # old\nADJ <- NOUN = 0.8\n"


@pytest.mark.parametrize(
    ("line", "number", "lines"),
    [
        ("DET <- NOUN = 0.5", None, ["DET <- NOUN = 0.5  # old", "ADJ <- NOUN = 0.8"]),  # says it already
        ("DET -> NOUN = 0.5", None, ["DET <- NOUN = 0.9  # old", "ADJ <- NOUN = 0.8", "DET -> NOUN = 0.5"]),
        ("ADV <- NOUN = 0.5", 3, ["DET <- NOUN = 0.9  # old", "ADV <- NOUN = 0.5"]),
        ("ADJ <- NOUN = 0.5", 3, ["DET <- NOUN = 0.9  # old", "ADJ <- NOUN = 0.5"]),
        ("DET <- NOUN = 0.5", 3, ["DET <- NOUN = 0.5  # old"]),  # comes to say what another says
    ],
)
def test_each_thing_is_said_in_one_line(workspace, cats, line, number, lines):
    save_text(workspace.store, cats, SET, "typing")
    put_constraint(workspace.store, cats, SET, parse_constraints(line)[0], number)
    assert constraint_text(workspace.store, cats, workspace.treebank(cats)).splitlines()[1:] == lines


PENN = (Path(core.constraints.__file__).parents[2] / "assets/constraints/druck2009-table1.txt").read_text("utf-8")


def test_the_papers_penn_tags_are_another_tag_set_on_universal_text_and_a_slip_is_not(workspace, ge, sample):
    text = ge.text(sample)
    mapping = foreign_tags(text, PENN)
    assert (mapping["NN"], mapping["VBD"]) == (("NOUN",), ("VERB",))
    assert foreign_tags(text, PENN, other_column=True)["NN"] == ("xpos:NN",)
    assert foreign_tags(text, "DET <- NUON = 0.9\nADJ <- NOUN = 0.9\n") == {}
    assert foreign_tags(text, constraint_text(workspace.store, sample, text.treebank)) == {}
    assert {"NOUN", "ROOT"} <= set(tag_choices(text, mapping))


def test_a_mapping_is_previewed_line_by_line_and_can_be_undone(workspace, ge, sample):
    text = ge.text(sample)
    save_text(workspace.store, sample, PENN, "typing")
    plan = plan_mapping(PENN, foreign_tags(text, PENN))
    first = next(number for number, line in enumerate(PENN.splitlines(), 1) if line == "MD -> VB = 1.0")
    assert plan.lines[0] == (first, "MD -> VB = 1.0", "AUX -> VERB = 1.0")
    assert len(plan.lines) == 20 and plan.repeated > 0
    assert apply_tag_mapping(workspace.store, sample, plan).label == "mapping the tags of 20 lines"
    saved = constraint_text(workspace.store, sample, text.treebank)
    assert len(parse_constraints(saved, text.matcher)) == 20
    assert saved.splitlines()[:3] == PENN.splitlines()[:3]
    workspace.store.undo(sample.project)
    assert constraint_text(workspace.store, sample, text.treebank) == PENN


@pytest.mark.parametrize(
    "share", [(0.0, 0.0), (0.9, 0.9), (0.9, 1.0), (0.333333, 0.5), (1.5, 1.5), (1.0, 10.0), (1e-7, 1e-7)]
)
def test_a_share_is_read_as_it_is_shown(share):
    assert read_share(share_text(*share)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("typed", "share"), [("85 %", 0.85), ("0.9..1.0", (0.9, 1)), ("90-100%", (0.9, 1)), ("0.5", 0.5)]
)
def test_a_share_is_read_in_the_notation_and_in_per_cent(typed, share):
    assert read_share(typed) == pytest.approx(share if isinstance(share, tuple) else (share, share))


@pytest.mark.parametrize("typed", ["", "often", "90%%%x", "1..2..3"])
def test_what_is_no_share_says_how_one_is_written(typed):
    with pytest.raises(ConstraintError, match="is no share; write 90%"):
        read_share(typed)
