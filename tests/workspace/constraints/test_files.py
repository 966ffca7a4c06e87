"""Constraint files in and out: three formats told apart, previews, lines that cannot be read, nothing lost."""

import gzip

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.constraints import ConstraintDocument, Matcher
from core.treebank import load_sample
from core.workspace.constraints.constraint_set import constraint_text
from core.workspace.constraints.files import apply_plan, export_constraints, plan_upload, read_constraint_file

SET = (
    "# mine\nDET <- NOUN = 0.9  # a house\n\nADJ <- NOUN dist 1 per modifier = 0.5..1.0 weight 2\nVERB -> NOUN = 0.25\n"
)
NAMES = ("DET <- NOUN", "ADJ <- NOUN dist 1", "VERB -> NOUN", "ROOT -> VERB per head")
KINDS = ["# a remark", "", "NOUN ->", *(f"{name} = {target}" for name in NAMES for target in ("0.1", "0.5..1.0"))]
lines = st.lists(st.sampled_from(KINDS), max_size=6).map("\n".join)


def read(text, name="set.txt"):
    return read_constraint_file(name, text.encode())


@pytest.mark.parametrize("kind", ["ours", "csv"])
def test_what_is_written_out_comes_back(kind):
    text, problems = export_constraints(SET, kind, None)
    file = read(text)
    assert (file.format, list(file.problems), problems) == (kind, [], [])
    assert file.document.constraints == ConstraintDocument.from_text(SET).constraints


def test_a_packed_set_is_read_as_what_it_holds():
    packed = read_constraint_file("set.txt.gz", gzip.compress(b"DET <- NOUN = 0.9\n"))
    assert packed == read("DET <- NOUN = 0.9\n")


def test_mallet_comes_back_as_shares_of_pairs_and_says_what_is_lost():
    text, problems = export_constraints(SET, "mallet", Matcher(load_sample(), "upos"))
    assert len(problems) == 1 and "MALLET has no weights" in problems[0]
    file = read(text, "set.mallet")
    assert file.format == "mallet"
    assert [constraint.name for constraint in file.document.constraints] == list(NAMES[:3])


def test_lines_that_cannot_be_read_are_named_and_kept():
    ours = read("DET <- NOUN = 0.9\nDET <- = 0.9\n")
    assert [(each.line, each.severity) for each in ours.problems] == [(2, "error")]
    assert ours.document.text == "DET <- NOUN = 0.9\nDET <- = 0.9\n"
    mallet = read("DET<-NOUN edge:0.9 no:0.1\n\nDET->NOUN edge:0.9 no:0.9\nVERB->NOUN edge:x\n", "m.txt")
    assert [each.line for each in mallet.problems] == [3, 4]
    assert "do not add up to 1" in mallet.problems[0].message
    assert "# line 3 of m.txt cannot be read: DET->NOUN edge:0.9 no:0.9" in mallet.document.text
    table = read('constraint;low\nDET <- NOUN;0,9\n"ADJ <- NOUN";0.5\n\nNOUN;1\n', "t.csv")
    assert [each.line for each in table.problems] == [2, 5]
    assert "write 0.9" in table.problems[0].message
    assert [constraint.text for constraint in table.document.constraints] == ["ADJ <- NOUN = 0.5"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "set.txt has no constraints; write lines such as DET <- NOUN = 0.9"),
        (b"# only a remark\n", "has no constraints"),
        (b"DET <- NOUN = 1\n\xff\n", "set.txt, line 2: byte 0xff is not UTF-8"),
        (b"PK\0\1", "is not a text file"),
        (b"\x89PNG\0\1", "set.txt: this is a picture"),
        (b"constraint,share\nDET <- NOUN,0.9\n", "set.txt, line 1: the header must name the column 'low' once"),
        (b'constraint,low\n"DET <- NOUN,0.9\n', "not a table of separated values"),
    ],
)
def test_files_that_are_none_are_refused_in_a_sentence(data, message):
    with pytest.raises(ValueError, match=message):
        read_constraint_file("set.txt", data)


def test_adding_changes_targets_in_place_and_appends_the_rest():
    file = read("# theirs\nDET <- NOUN = 0.5\nADV -> ADJ = 0.1\nVERB -> NOUN = 0.25\nDET ->\n")
    plan = plan_upload(SET, file)
    assert (plan.added, plan.changed) == (("ADV -> ADJ = 0.1",), ("DET <- NOUN = 0.9 → 0.5",))
    assert (plan.removed, plan.same) == ((), 2)
    kept = SET.replace("NOUN = 0.9  #", "NOUN = 0.5  #")
    assert plan.text == kept + "# theirs\nADV -> ADJ = 0.1\nDET ->\n"
    assert plan_upload(plan.text, file).text == plan.text


def test_replacing_says_what_goes():
    plan = plan_upload(SET, read("DET <- NOUN = 0.9\n"), replacing=True)
    assert plan.text == "DET <- NOUN = 0.9\n" and len(plan.removed) == 2
    assert (plan.added, plan.changed, plan.same) == ((), (), 1)


@given(lines, lines)
def test_nothing_is_lost_and_twice_is_once(own, other):
    file = ConstraintDocument.from_text(other)
    assume(file.constraints or file.problems)
    plan = plan_upload(own, read(other))
    for line in [*ConstraintDocument.from_text(own).lines, *file.lines]:
        if line.constraint is None:
            assert line.text in plan.text.split("\n")
        else:
            assert line.constraint.name in {each.name for each in ConstraintDocument.from_text(plan.text).constraints}
    assert plan_upload(plan.text, read(other)).text.count("# a remark") == plan.text.count("# a remark")


def test_taking_a_file_in_is_one_command_that_can_be_undone(workspace, sample):
    treebank = workspace.treebank(sample)
    before = constraint_text(workspace.store, sample, treebank)
    file = read("ADV -> ADJ = 0.1\nDET <- NOUN per modifier = 0.5\n", "two.txt")
    entry = apply_plan(workspace.store, sample, plan_upload(before, file), file)
    assert entry.label == "importing two.txt"
    assert constraint_text(workspace.store, sample, treebank).endswith("ADV -> ADJ = 0.1\n")
    workspace.store.undo(sample.project)
    assert constraint_text(workspace.store, sample, treebank) == before
