"""The notation of rules: what is read, how it is written again, and what is refused."""

import pytest

from core.errors import ConstraintError
from core.rules.reading import known_relations, parse_rules
from core.rules.rule import CountRule, HeadRule, format_rules
from core.rules.universal import universal_rules
from tests.filled import filled

LINES = {
    "VERB has at most 1 {nsubj csubj}  # one subject": "VERB has at most 1 {csubj nsubj}",
    "deprel:{cop aux} has no * except {cc conj} or advmod & feats:A=B":
        'deprel:{aux cop} has no * except {cc conj} or advmod & feats:"A=B"',
    "ROOT has exactly 1 *": "ROOT has exactly 1 *",
    "if NOUN has case then it has no mark": "if NOUN has case then it has no mark",
    "if DET then its head is {PROPN NOUN} after it within 6": "if DET then its head is {NOUN PROPN} after it within 6",
    "if * & not NOUN & under VERB then it has no *": "* & not NOUN & under VERB has no *",
    "if ADJ then it has at least 2 *": "ADJ has at least 2 *",
    'form:"no" has no obj': "form:no has no obj",
    "* has at most 0 nsubj:pass": "* has no nsubj:pass",
    "if ADP then its head is NOUN & under VERB": "if ADP then its head is NOUN & under VERB",
    "VERB has at most 1 obl =0.90": "VERB has at most 1 obl = 0.9",
    "VERB has at most 1 obl = 0.9 price 2": "VERB has at most 1 obl = 0.9 price 2.0",
    "if DET then its head is NOUN within 6 price 1e-3": "if DET then its head is NOUN within 6 price 0.001",
}  # fmt: skip
REFUSED = {
    "VERB has at most -1 nsubj": "line 1, column 18: a count is 0 or more, not -1",
    "VERB has at least 0 nsubj": "line 1, column 10: at least 0 says nothing; write a larger number",
    "VERB has up to 1 nsubj": "line 1, column 10: expected 'no', 'at most', 'at least' or 'exactly', found 'up'",
    "VERB has at 1 nsubj": "line 1, column 13: expected 'most' or 'least' after 'at', found '1'",
    "VERB has at most one nsubj": "line 1, column 18: expected a number after 'at most', found 'one'",
    "VERB has": "line 1, column 9: expected 'no', 'at most', 'at least' or 'exactly', but the line ends",
    "VERB has no {obj": "line 1, column 13: the '{' is never closed with '}'",
    "VERB has no {}": "line 1, column 13: '{}' holds no relation",
    "VERB has no except obj": "line 1, column 13: expected a relation, several in {} or *, found 'except'",
    "VERB obj": "line 1, column 6: expected 'has', found 'obj'",
    "VERB has no obj DET": "line 1, column 17: expected nothing more, found 'DET'",
    "if DET then its head is NOUN within 0": "line 1, column 37: neighbouring words are 1 apart; write within 1",
    "if DET then its head is deprel:obj":
        "line 1, column 25: a rule about the relation of a word's head is not offered; give the head's tag",
    "if DET & under deprel:obj then it has no det":
        "line 1, column 10: a rule about the relation of a word's head is not offered; give the head's tag",
    "if ROOT then its head is NOUN": "line 1, column 4: ROOT has no head; a rule about heads begins with a word",
    "ROOT & NOUN has no obj": "line 1, column 13: ROOT has no head, relation or form; it stands alone",
    "NOUN & under VERB & under NOUN has no obj": "line 1, column 21: 'under' is given twice",
    "VERB has no obl = 90 %":
        "line 1, column 19: a share is a number with a decimal point; write 0.9 for 90 %",
    "VERB has no obl = 0,9": "line 1, column 19: a share is a number with a decimal point; write 0.9 for 0,9",
    "VERB has no obl = 0.8..0.9":
        "line 1, column 19: a share is one number: at least so many of the words keep the rule",
    "VERB has no obl = 1": "line 1, column 19: a share is above 0 and below 1; a rule without one is a law",
    "VERB has no obl =": "line 1, column 18: expected a share such as 0.9 after '=', but the line ends",
    "VERB has no obl = 0.9 prize 2":
        "line 1, column 23: expected nothing more, found 'prize'; did you mean 'price'?",
    "VERB has no obl price -1": "line 1, column 23: a price is 0 or more, and finite, not -1",
    "VERB has no obl price 1e999": "line 1, column 23: a price is 0 or more, and finite, not inf",
    "if VERB has obj then its head is NOUN": "line 1, column 22: expected 'it has' after 'then', found 'its'",
    "# a comment\nhas no obj": "line 2, column 1: 'has' is a word of the constraint language; put it in quotes to mean "
        "a tag",
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_a_rule_is_read_and_written_in_one_form(line):
    (rule,) = parse_rules(line)
    assert rule.text == LINES[line] and parse_rules(rule.text) == (rule,)
    assert repr(rule) == f"<{type(rule).__name__} {rule.text}>"


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(text):
    with pytest.raises(ConstraintError) as error:
        parse_rules(text)
    assert str(error.value) == REFUSED[text]


def test_lines_and_comments_are_kept():
    rules = parse_rules("\n# all\nVERB has no obj  # none\r\n\nif DET then its head is NOUN\n")
    assert [(type(rule), rule.line, rule.comment) for rule in rules] == [(CountRule, 3, "none"), (HeadRule, 5, "")]
    assert format_rules(rules) == "VERB has no obj  # none\nif DET then its head is NOUN\n"


def test_a_relation_that_there_is_not_is_named_with_the_nearest():
    rules = parse_rules("VERB has no obj\ndeprel:nsubj:pass has no *\nNOUN has no nsub")
    with pytest.raises(ConstraintError, match="line 3: there is no relation nsub; did you mean nsubj"):
        known_relations(rules, ["nsubj", "obj", "root"])
    known_relations(rules[:2], ["nsubj", "obj"])  # a subtype of what there is


def test_the_rules_that_ship_are_named_by_their_tests():
    for rule in filled(universal_rules()):
        assert rule.comment.startswith(("leaf-", "too-many-"))
