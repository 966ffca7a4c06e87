"""A set says each thing in one line: what the form and a click in a tree write."""

import pytest

from core.constraints import parse_constraints
from core.workspace.constraints.documents import constraint_text, put_constraint, save_text

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
