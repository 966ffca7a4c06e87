"""Files of CoNLL-U checked as UD's own validator checks them: the same tests, as often, whatever was damaged."""

import io
import random
from collections import Counter

import pytest
from udtools import Validator
from udtools.state import State

from core.annotation.ud_files import check_files, level_of
from core.errors import FormatError
from core.treebank import conllu_text, load_sample
from tests.filled import filled

GOOD = """# sent_id = a
# text = Dogs don't bark
1	Dogs	dog	NOUN	_	Number=Plur	4	nsubj	4:nsubj	_
2-3	don't	_	_	_	_	_	_	_	_
2	do	do	AUX	_	_	4	aux	4:aux	_
3	n't	not	PART	_	_	4	advmod	4:advmod	_
3.1	often	often	ADV	_	_	_	_	4:advmod	_
4	bark	bark	VERB	_	_	0	root	0:root	_

# sent_id = b
# text = See
1	See	see	VERB	_	_	0	root	0:root	_

"""
LINES = GOOD.split("\n")
ROW = {name: k for k, name in enumerate(("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps"))}


def cell(line, name, value):
    """The text with another value in a cell."""
    rows = LINES[:]
    fields = rows[line].split("\t")
    fields[ROW[name]] = value
    rows[line] = "\t".join(fields)
    return "\n".join(rows)


def line(place, *lines, instead=0):
    """The text with lines put in."""
    return "\n".join([*LINES[:place], *lines, *LINES[place + instead :]])


DAMAGED = {
    "columns": line(2, LINES[2].rsplit("\t", 1)[0], instead=1),
    "spaces": line(2, LINES[2].replace("\t", " "), instead=1),
    "no id": cell(2, "id", "x"), "jump": cell(7, "id", "5"), "range back": cell(3, "id", "3-2"),
    "range late": line(6, "2-3\tx\t_\t_\t_\t_\t_\t_\t_\t_"), "range out": cell(3, "id", "2-9"),
    "overlap": line(3, "1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_"), "two ranges": line(3, LINES[3]),
    "empty node": cell(6, "id", "3.2"), "empty node of another": cell(6, "id", "1.1"), "word zero": cell(2, "id", "0"),
    "empty node before its range": line(3, LINES[3], "1.1\tx\tx\tADV\t_\t_\t_\t_\t4:advmod\t_", instead=1),
    "head": cell(2, "head", "9"), "odd head": cell(2, "head", "x"), "no head": cell(2, "head", "_"),
    "loop": cell(2, "head", "1"), "roots": cell(2, "head", "0"), "cycle": cell(7, "head", "1"),
    "deps": cell(2, "deps", "4"), "odd deps": cell(2, "deps", "x:nsubj"), "unknown deps": cell(2, "deps", "9:nsubj"),
    "late comment": line(4, "# note"), "no word": line(4, "dogs"), "blank lines": line(9, "", ""), "first": line(0, ""),
    "a line of blanks": line(8, "  ", instead=1), "no end": GOOD.rstrip("\n"), "no blank line": GOOD[:-1],
    "windows": GOOD.replace("\n", "\r\n"), "unreadable": GOOD.replace("bark", "b\ufffdrk"),
    "apart": GOOD.replace("Dogs", "Do\u0301gs"), "empty cell": cell(2, "xpos", ""), "blank": cell(2, "upos", "NO UN"),
    "features": cell(2, "feats", "number"), "tag": cell(2, "upos", "Noun"), "same id": GOOD.replace("= b", "= a"),
    "no text": GOOD.replace("# text = See\n", ""), "two faults": cell(2, "head", "9").replace("= b", "= a"),
    "comments alone": line(9, "# lost", ""),
}  # fmt: skip


def official(text, level=3):
    """Counter of the tests of errors, by the official validator."""
    validator, state = Validator(lang="ud", level=level, output=None), State()
    validator.validate_file_handle(io.StringIO(text, newline=None), state)
    validator.validate_end(state)
    return Counter(each.testid for each in state.error_tracker if each.is_error())


def ours(text, level=3):
    return Counter(each.fault.test for each in check_files([("x", text.encode())], level=level).faults)


@pytest.mark.parametrize("name", DAMAGED)
def test_each_damage_has_the_tests_of_the_official_validator(name):
    assert DAMAGED[name] != GOOD and ours(DAMAGED[name]) == official(DAMAGED[name])


def test_a_good_file_and_the_sample_are_as_the_official_validator_has_them():
    text = conllu_text(load_sample().limit(60).to_conllu())
    for each in filled([GOOD, text]):
        assert ours(each) == official(each)
        assert ours(each, 1) == official(each, 1)


def test_many_damages_at_once_are_each_of_their_own_sentence():
    draw, names = random.Random(3), list(DAMAGED)
    for _ in range(10):
        parts = []
        for k, name in enumerate(draw.sample(names, 6)):
            if name not in ("windows", "no end", "no blank line"):
                parts.append(DAMAGED[name].replace("= a", f"= {k}a").replace("= b", f"= {k}b"))
        text = "".join(filled(parts))
        assert ours(text) == official(text), text


def test_a_fault_has_its_line_its_sentence_and_its_word():
    (found,) = check_files([("x.conllu", DAMAGED["head"].encode())], level=2).faults
    assert (found.path, found.line, found.sentence, found.sent_id, found.fault.word) == ("x.conllu", 3, 1, "a", 1)
    (found,) = check_files([("x.conllu", DAMAGED["tag"].encode())], level=2).faults
    assert (found.line, found.sentence, found.sent_id, found.form) == (3, 1, "a", "Dogs")


def test_names_of_sentences_differ_across_files():
    two = [("a", GOOD.encode()), ("b", GOOD.encode())]
    checked = check_files(two, level=3)
    assert checked.sentences == 4
    assert [(each.path, each.fault.test) for each in checked.faults] == [("b", "non-unique-sent-id")] * 2


def test_what_only_ud_asks_for_is_no_fault_of_another_scheme():
    other = "1\tDogs\t_\tN\t_\t_\t2\tSBJ\t_\t_\n2\tbark\t_\tV\t_\t_\t0\tROOT\t_\t_\n\n"
    checked = check_files([("x", other.encode())])
    assert not checked.universal and checked.faults == []
    assert ours(other) == official(other) and ours(other)["missing-text"] == 1


def test_what_is_no_treebank_at_all_is_refused():
    with pytest.raises(FormatError):
        check_files([("x", b"Dogs bark.\n")])
    with pytest.raises(FormatError, match=r"^x: this file is empty"):
        check_files([("x", b"")])


@pytest.mark.parametrize(
    "test, level",
    [("invalid-word-id", 1), ("unknown-head", 2), ("leaf-det", 3), ("unknown-deprel", 4), ("cop-lemma", 5)],
)
def test_levels(test, level):
    assert level_of(test) == level
