"""The constraint language: every form reads, prints back to itself, and says clearly what is wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.constraints.language.constraint import Constraint, Item, Term, format_constraints
from core.constraints.language.reading import ConstraintDocument, parse_item, split_comment
from core.constraints.matching.check import parse_constraints
from core.errors import ConstraintError
from tests.constraints.banks import written

values = st.text(st.sampled_from("ABbetwnoly$._-<>=|{}*#:\"'\\ ,0ä語\u2028"), min_size=1, max_size=6) | st.sampled_from(
    ["between", "only", "per", "ROOT", "-LRB-", "PRP$", "``", "Number=Sing", "Case=Nom|Number=Sing"]
)


@given(st.lists(written(values), max_size=4))
def test_format_and_parse_are_inverse(some):
    text = format_constraints(some)
    back = parse_constraints(text)
    assert back == some
    assert [each.comment for each in back] == [each.comment for each in some]
    assert [each.line for each in back] == list(range(1, len(some) + 1))
    assert format_constraints(back) == text
    assert repr(back) == f"[{', '.join(f'<Constraint {each.text}>' for each in some)}]"
    assert ConstraintDocument.from_text(text).text == text


@given(st.text(st.sampled_from('AB ->=.01{}*"#:betwndis\\x'), max_size=30))
def test_any_text_reads_or_fails_with_a_place(text):
    for line in ConstraintDocument.from_text(text).lines:
        assert line.problem is None or 1 <= line.problem.column <= len(line.text) + 1


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("NNS<-VBD=.75", "NNS <- VBD = 0.75"),
        ("ROOT -> VBD = 1", "ROOT -> VBD = 1.0"),
        ("MD → VB = 1", "MD -> VB = 1.0"),
        ("A<->B dist 1 = 0.5", "A <-> B dist 1 = 0.5"),
        ("A ↔ B = 0.5", "A <-> B = 0.5"),
        ("A -- B dist > 10 = 0", "A -- B dist >10 = 0.0"),
        ("A -- B dist <3 = 0", "A -- B dist 1..2 = 0.0"),
        ("A -> B between none = 1", "A -> B between none = 1.0"),
        ("A -> B between none before head C = 1", "A -> B between none before head C = 1.0"),
        ("A -> B after head C between only {E D} = 1", "A -> B between only {D E} after head C = 1.0"),
        ("{B A B} -> {C} = 1", "{A B} -> C = 1.0"),
        ("A -> B = 0.5 per modifier weight 2", "A -> B per modifier = 0.5 weight 2"),
        ("A -> B weight .5 per head = 0.5", "A -> B per head = 0.5 weight 0.5"),
        ("A -> B per pair = 0.5 weight 1", "A -> B = 0.5"),
        ("A -> B per head = 1.5..2", "A -> B per head = 1.5..2.0"),
        ("form:the <- feats:Number=Sing|Case=Nom = 1", 'form:the <- feats:"Number=Sing|Case=Nom" = 1.0'),
        ('lemma:"be" -> * = 1', "lemma:be -> * = 1.0"),
    ],
)
def test_canonical_text(text, canonical):
    (constraint,) = parse_constraints(text)
    assert constraint.text == canonical
    assert parse_constraints(canonical) == [constraint]


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("VBD TO = 1", 5, "expected an arrow .* after VBD, found 'TO'"),
        ("VBD -> = 1", 8, "expected an item after the arrow, found '='"),
        ("= 1", 1, "expected a constraint, such as VBD -> TO = 1.0, found '='"),
        ("VBD -> TO", 10, "expected '=' and a target or a condition, but the line ends"),
        ("VBD -> TO betwen IN = 1", 11, "found 'betwen'; did you mean 'between'?"),
        ("VBD -> TO between = 1", 19, "expected an item after 'between', found '='"),
        ("VBD -> TO between only = 1", 24, "expected an item after 'between only', found '='"),
        ("VBD -> TO before IN = 1", 18, "expected 'head' or 'modifier' after 'before', found 'IN'"),
        ("VBD -> TO after head = 1", 22, "expected an item after 'after head'"),
        ("VBD -> TO = x", 13, "expected a target such as 0.75 .* found 'x'"),
        ("VBD -> TO = 0.5..", 18, "the upper end of the range"),
        ("VBD -> TO = -0.5", 13, "the target -0.5 is outside 0..1"),
        ("VBD -> TO = 0.5..1.5", 13, "the target 1.5 is outside 0..1"),
        ("VBD -> TO = 90", 13, "the target 90 is outside 0..1; write 0.9 for 90%"),
        ("VBD -> TO per head = 90", 22, "the target 90 is outside 0..10; write 0.9 for 90%"),
        ("VBD -> TO per modifier = 1.5", 26, "the target 1.5 is outside 0..1"),
        ("VBD -> TO = 1..0.5", 13, "the range 1..0.5 runs downward; write 0.5..1"),
        ("VBD -> TO dist 0 = 1", 11, "the distance 0 is too small"),
        ("VBD -> TO dist 5..2 = 1", 11, "the distances 5..2 run downward; write 2..5"),
        ('"," <- `` = 0.5', 8, "found '``'; an item of such characters stands in quotes"),
        ("VBD -> TO dist 2 .. 5 = 1", 18, "expected '=' and a target or a condition, found '..'"),
        ("VBD -> TO dist 2-5 = 1", 16, "expected a distance such as 1, 2..5 or >10 after 'dist', found '2-5'"),
        ("VBD -> TO = 0,9", 13, "with a decimal point; write 0.9 for 0,9"),
        ("VBD -> TO = 90 %", 13, "with a decimal point; write 0.9 for 90 %"),
        ("VBD -> TO dist 1 dist 2 = 1", 18, "'dist' is given twice"),
        ("VBD -> TO per head = 1 per head", 24, "'per' is given twice"),
        ("VBD -> TO per word = 1", 15, "expected 'modifier', 'head' or 'pair' after 'per'"),
        ("VBD -> TO = 1 weight", 21, "expected a number after 'weight'"),
        ("VBD -> TO = 1 weight -2", 22, "the weight -2 must be a number of at least 0"),
        ("VBD -> TO = 1 dist 2", 15, "conditions stand before the '='"),
        ("VBD -> TO = 1 wait", 15, "expected 'per', 'weight' or the end of the line, found 'wait'"),
        ("VBD -> ROOT = 1", 8, "ROOT cannot be a modifier"),
        ("ROOT <- VBD = 1", 1, "ROOT cannot be a modifier"),
        ("VBD -- ROOT = 1", 8, "ROOT cannot be a modifier; in VBD -- ROOT the first is the head"),
        ("ROOT <-> VBD = 1", 6, "ROOT is always the head; write ROOT -> in place of <->"),
        ("VBD <-> TO per head = 1", 5, "<-> says neither head nor modifier, so its target is a share of pairs"),
        ("VBD <-> TO after head IN = 1", 5, "<-> says neither head nor modifier; before and after need an arrow"),
        ("VBD <- ROOT = 1", 5, "ROOT stands before every word; write ROOT -> VBD"),
        ("{VBD -> TO = 1", 6, "expected an item or '}', found '->'"),
        ("{VBD", 1, "the '{' is never closed"),
        ("{} -> TO = 1", 1, "'{}' holds no item"),
        ('"VBD -> TO = 1', 1, "the quote is never closed"),
        ("form:l'eau -> TO = 1", 7, "found ''eau'; an item with such signs stands in double quotes"),
        ('"" -> TO = 1', 1, "there is nothing between the quotes"),
        ("frm:be -> TO = 1", 1, "there is no column 'frm:'; did you mean form:"),
        ("deprel:det <- NOUN = 1", 1, "there is no column 'deprel:'; a relation is of the tree that is sought: rules"),
        ("qqq:be -> TO = 1", 1, "there is no column 'qqq:'; one of upos: xpos: form: lemma: feats:"),
        ("form: -> TO = 1", 7, "expected a value after 'form:'"),
        ("before -> TO = 1", 1, "'before' is a word of the constraint language; put it in quotes"),
    ],
)
def test_errors_name_the_place_and_the_remedy(line, column, message):
    with pytest.raises(ConstraintError, match=message) as caught:
        parse_constraints(f"# nothing here\n{line}\n")
    assert (caught.value.line, caught.value.column) == (2, column)
    assert str(caught.value).startswith(f"line 2, column {column}: ")


def test_the_first_error_counts_the_others():
    with pytest.raises(ConstraintError, match=r"line 1, column 3: .*\(and 2 more errors\)"):
        parse_constraints("A B\nA -> B = 1\nA ->\nA -> B = 2\n")


def test_constraints_built_in_code_are_checked():
    a, b = Item((Term("tag", "A"),)), Item((Term("tag", "B"),))
    for low, weight, message in (
        (2.0, 1.0, "target 2 is"),
        (1.0, np.inf, "weight inf must"),
        (np.nan, 1.0, "target nan"),
    ):
        with pytest.raises(ConstraintError, match=message):
            Constraint(a, b, "->", low, max(low, 1.0), weight=weight)


def test_names_leave_out_target_and_weight():
    (constraint,) = parse_constraints("B -> A dist 2..5 after head C between {E D} = 0.5 per head weight 3 # why")
    assert constraint.pattern == "B -> A dist 2..5 between {D E} after head C"
    assert constraint.name == constraint.pattern + " per head"
    assert constraint.comment == "why"


@pytest.mark.parametrize(
    ("line", "code", "comment"),
    [
        ("A -> B = 1  # yes", "A -> B = 1", "  # yes"),
        ('form:"a # b" -> "#" = 1', 'form:"a # b" -> "#" = 1', ""),
        ("A#b", "A#b", ""),
        ('"a\\" # b" # c', '"a\\" # b"', " # c"),
    ],
)
def test_comments(line, code, comment):
    assert split_comment(line) == (code, comment)


def test_a_document_keeps_the_lines_that_are_not_edited():
    text = "# mine\n\n  {B  A}->C =.5   # sure\nD -> E = 1\nnonsense\n"
    document = ConstraintDocument.from_text(text)
    assert document.text == text
    assert [each.line for each in document.constraints] == [3, 4]
    assert [(each.line, each.severity) for each in document.problems] == [(5, "error")]
    (edited,) = parse_constraints("{A B} -> C = 0.75")
    changed = document.replace(3, edited)
    assert changed.text == text.replace("  {B  A}->C =.5   # sure", "{A B} -> C = 0.75   # sure")
    assert changed.replace(3, "X -> Y = 0").constraints[0].text == "X -> Y = 0.0"
    assert document.remove(5).insert(5, edited).text == text.replace("nonsense", "{A B} -> C = 0.75")
    assert document.text == text
    with pytest.raises(ConstraintError, match="there is no line 9; the constraints have 5 lines"):
        document.remove(9)


def test_items_alone():
    assert parse_item(' {form:"a b" N} ').text == '{form:"a b" N}'
    with pytest.raises(ConstraintError, match="expected an item, but the line ends"):
        parse_item(" ")
    with pytest.raises(ConstraintError, match="expected nothing more, found 'B'"):
        parse_item("A B")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"A -> B dist {'9' * 5000} = 1", "a distance has at most 9 digits"),
        (f"A -> B dist 1..{'9' * 5000} = 1", "a distance has at most 9 digits"),
        (f"A -> B = 1 weight {'9' * 5000}", "the weight inf must be a number"),
        (f"A -> B {'x' * 5000} = 1", "expected '=' and a target"),
        (f"{'x' * 5000}:A -> B = 1", "there is no column"),
    ],
)
def test_a_message_about_something_long_is_short(line, message):
    with pytest.raises(ConstraintError, match=message) as caught:
        parse_constraints(line)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("word", ["कुत्ता", "पेड़", "e\u0301te\u0301", "نمی\u200cدانم", "ก็"])
def test_marks_and_joiners_are_of_their_word(word):
    (constraint,) = parse_constraints(f"form:{word} <- {{VERB {word}}} = 0.9")
    assert constraint.modifier.terms[0].value == word
    assert format_constraints([constraint]).strip() == f"form:{word} <- {{VERB {word}}} = 0.9"


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("“;” <- VERB = 0.5", '";" <- VERB = 0.5'),
        ("„;“ ← VERB = 0.5", '";" <- VERB = 0.5'),
        ("ADP — NOUN = 0.5", "ADP -- NOUN = 0.5"),
        ("ADP –> NOUN = 0.5", "ADP -> NOUN = 0.5"),
        ("ADP -> NOUN = 0.5–0.75", "ADP -> NOUN = 0.5..0.75"),
        ("ADP -> NOUN = 0.5…0.75", "ADP -> NOUN = 0.5..0.75"),
        ("form:«a» <– NOUN = 0.5", "form:a <- NOUN = 0.5"),
        ('"“" <- VERB = 0.5', '"“" <- VERB = 0.5'),
        ("\ufeffDET <-\u200bNOUN\u200e = 0.5\u200f", "DET <- NOUN = 0.5"),
        ('form:"\u200fילד" <- VERB = 0.5', 'form:"\u200fילד" <- VERB = 0.5'),
    ],
)
def test_signs_of_word_processors_are_read(written, plain):
    assert format_constraints(parse_constraints(written)) == format_constraints(parse_constraints(plain))
