"""Rules while they are written: completion offers what fits, lines are counted, places are shown, drafts are kept."""

import re

import numpy as np
import pytest

from core.constraints import Problem
from core.rules.conflicts import RuleConflicts
from core.rules.coverage import RuleText
from core.rules.reading import WORDS, parse_rules
from core.workspace.completion import line_notes
from core.workspace.corpus.rule_authoring import (
    KINDS,
    TOKEN,
    margin,
    places_of,
    rule_contexts,
    rule_place,
    rule_places,
    survey_rules,
)
from core.workspace.rules import has_draft, rules_of, rules_text, save_rules, write_rules, written_rules
from tests.filled import filled

TEXT = """1\tit\tit\tPRON\tPRP\tCase=Nom\t3\tnsubj\t_\t_
2\tshe\tshe\tPRON\tPRP\tCase=Nom\t3\tnsubj\t_\t_
3\trains\train\tVERB\tVBZ\t_\t0\troot\t_\t_

1\tit\tit\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\trains\train\tVERB\tVBZ\t_\t0\troot\t_\t_

"""
BROKEN = "VERB has at most 1 nsubj"


@pytest.fixture
def corpus(add):
    return add("rain.conllu", TEXT)


@pytest.fixture
def text(workspace, corpus):
    return RuleText(workspace.treebank(corpus))


def complete(found, line):
    """The words to offer at the end of ``line``, as the editor does."""
    typed = re.search(TOKEN, line)[0]
    before = line[: len(line) - len(typed)]
    context = next((each for each in found if re.search(each.after, before)), None)
    return [] if context is None else [word for word, _ in context.words if word.lower().startswith(typed.lower())]


@pytest.mark.parametrize(("line", "first"), [
    ("", ["if", "PRON", "VERB"]),
    ("V", ["VERB"]),
    ("form:r", ["form:rains"]),
    ("feats:C", ["feats:Case=Nom"]),
    ("deprel:ns", ["deprel:nsubj"]),
    ("deprel:{aux ns", ["nsubj"]),
    ("{PRON V", ["VERB"]),
    ("VERB ", ["has", "&"]),
    ("VERB has ", ["no", "at most 1", "at least 1", "exactly 1"]),
    ("VERB has at ", ["most", "least"]),
    ("VERB has at most ", ["1", "2"]),
    ("VERB has at most 1 ns", ["nsubj"]),
    ("VERB has no {nsubj cs", ["csubj"]),
    ("VERB has no nsubj ", ["except", "&"]),
    ("VERB has no * except ns", ["nsubj"]),
    ("VERB has no * except nsubj ", ["or", "&"]),
    ("VERB has no nsubj & ", ["not", "under", "PRON"]),
    ("VERB has no nsubj & under V", ["VERB"]),
    ("if V", ["VERB"]),
    ("if VERB ", ["then", "has", "&"]),
    ("if VERB has ns", ["nsubj"]),
    ("if VERB has nsubj ", ["then", "has", "&"]),
    ("if VERB has nsubj then ", ["it has", "its head is"]),
    ("if VERB has nsubj then it has no cs", ["csubj"]),
    ("if PRON then its ", ["head is"]),
    ("if PRON then its head is V", ["VERB"]),
    ("if PRON then its head is {V", ["VERB"]),
    ("if PRON then its head is VERB ", ["after it", "before it", "within", "&"]),
    ("if PRON then its head is VERB after ", ["it"]),
    ("if PRON then its head is VERB within ", ["1", "3", "6"]),
    ("# V", []),
    ("VERB has no nsubj  # V", []),
])  # fmt: skip
def test_each_place_offers_what_fits(text, line, first):
    assert complete(rule_contexts(text), line)[: max(len(first), 1)] == first


def test_whatever_is_offered_for_a_word_can_be_read(text):
    beginning = next(context.words for context in rule_contexts(text) if ("if", "only of such words") in context.words)
    for word, _ in filled(beginning):
        if word not in WORDS and not word.endswith(":"):
            assert parse_rules(f"{word} has no nsubj")


def test_each_line_is_counted_and_what_is_odd_stands_at_it(text):
    written = f"{BROKEN}\n# mine\nVERB has no nsub\nVERB has at least 2 nsubj\nif PRON\n"
    survey = survey_rules(written, RuleConflicts(text), text)
    table = survey.columns()
    assert table["line"] == [1, 4] and table["words"] == [2, 2] and table["broken"] == [1, 1]
    assert table["note"] == ["", "against line 1, never at 1"] and survey.refused
    notes = line_notes(margin(survey))
    assert notes[1] == ("note", "2 words, 1 broken", "speaks of 2 words, 1 broken")
    assert notes[3][:2] == ("error", "no nsub") and "did you mean nsubj?" in notes[3][2]
    assert notes[4][0] == "warning" and notes[4][1].startswith("against line 1, ")
    assert notes[5][:2] == ("error", "cannot be read")
    good = survey_rules(BROKEN, RuleConflicts(text), None)
    assert not good.refused and good.columns() == {"line": [1], "rule": [BROKEN], "words": [None], "broken": [None]}
    assert margin(good) == []


def test_places_are_the_words_at_which_a_rule_is_broken_and_kept(text):
    (rule,) = parse_rules(BROKEN)
    broken, kept = (rule_places(text, rule, kind) for kind in KINDS)
    assert places_of(text, broken) == [(0, 3)] and places_of(text, kept) == [(1, 2)]
    place = rule_place(text, rule, int(broken[0]), True)
    assert (place.sentence, place.word) == (0, 3) and place.message == "2 she is nsubj of 3 rains, beside 1 it"
    named = {(span.start, span.label) for span in place.drawing.spans}
    assert named == {(1, "counts"), (2, "counts"), (3, "the word")}
    assert [arc.kind for arc in place.drawing.arcs] == ["gold", "gold", "plain"]
    assert rule_place(text, rule, int(kept[0]), False).message == ""


def test_places_of_heads_and_of_the_root_are_shown_too(text):
    heads, roots = parse_rules("if PRON then its head is VERB within 1\nROOT has no root")
    (row,) = rule_places(text, heads, "broken")
    place = rule_place(text, heads, int(row), True)
    assert "has the head 3" in place.message and {span.label for span in place.drawing.spans} == {
        "the word",
        "its head",
    }
    rows = rule_places(text, roots, "broken")
    assert places_of(text, rows) == [(0, 1), (1, 1)]
    place = rule_place(text, roots, int(rows[0]), True)
    assert place.word == 0 and [arc.kind for arc in place.drawing.arcs] == ["plain", "plain", "gold"]


def test_many_problems_of_one_line_are_told_once_each():
    problems = [Problem(1, 1, "warning", f"message {number}", f"note {number}") for number in range(50_000)]
    problems += [Problem(1, 1, "note", "counted", "7 words"), Problem(1, 1, "error", "message 0", "worst")]
    severity, notes, messages = line_notes(problems)[1]
    assert severity == "error" and notes.startswith("worst, note 0, ") and messages.count("; ") == 50_000
    assert notes.endswith(", 7 words")


def test_a_wrong_line_is_kept_and_the_rules_in_use_stay(workspace, corpus):
    store, treebank = workspace.store, workspace.treebank(corpus)
    save_rules(store, corpus, f"{BROKEN}\n", treebank)
    for typed in (f"{BROKEN}\nVERB has", f"{BROKEN}\nVERB has no nsub"):
        write_rules(store, corpus, typed, treebank)
        assert written_rules(store, corpus) == typed and has_draft(store, corpus)
        assert rules_text(store, corpus) == f"{BROKEN}\n" and len(rules_of(store, corpus)) == 1
    typed += "j"
    write_rules(store, corpus, typed, treebank)
    assert rules_text(store, corpus) == written_rules(store, corpus) == typed and not has_draft(store, corpus)
    store.undo(corpus.project)
    assert written_rules(store, corpus) == f"{BROKEN}\nVERB has no nsub" and rules_text(store, corpus) == f"{BROKEN}\n"
    write_rules(store, corpus, f"{BROKEN}\n", treebank)
    assert not has_draft(store, corpus) and written_rules(store, corpus) == f"{BROKEN}\n"


def test_what_somebody_else_saves_while_a_line_is_wrong_stays(workspace, corpus):
    store, treebank = workspace.store, workspace.treebank(corpus)
    write_rules(store, corpus, "VERB has", treebank)
    save_rules(store, corpus, "PRON has no obj\n", treebank, base="")
    assert written_rules(store, corpus) == "VERB has"
    write_rules(store, corpus, "VERB has no obj\n", treebank)
    assert written_rules(store, corpus) == rules_text(store, corpus) == "PRON has no obj\nVERB has no obj\n"


def test_a_text_without_tags_is_told_so_and_offers_relations(workspace, add):
    bare = add("bare.conllu", TEXT.replace("PRON\tPRP", "_\t_").replace("VERB\tVBZ", "_\t_"))
    text = RuleText(workspace.treebank(bare))
    survey = survey_rules("VERB has no obj\nform:it has no *", RuleConflicts(text), text)
    assert [problem.note for problem in survey.of_severity("error")] == ["no tags"] and len(survey.rules) == 1
    assert complete(rule_contexts(text), "")[:2] == ["if", "ROOT"] and np.array_equal(text.types[:1], [0])
