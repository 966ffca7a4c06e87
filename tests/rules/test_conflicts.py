"""Conflicts of rules against every labelled tree of short sentences, and the sentences in which they are said."""

import random

import pytest

from core.rules.checking import RuleTree, RuleWords, breaches
from core.rules.conflicts import RuleConflicts, RuleSearch
from core.rules.coverage import RuleText
from core.rules.reading import parse_rules
from core.treebank import Treebank, load_sample
from tests.filled import filled
from tests.oracles import rules as oracle
from tests.oracles.trees import trees
from tests.rules.problems import TAGS, random_rule

NAMES = ("a", "b", "b:x")


def sentence(draws, words):
    """(the text of one sentence, all its labelled trees with one root)"""
    bank = Treebank.from_sentences([{"forms": ["w"] * words, "upos": draws.choices(TAGS, k=words)}])
    known = RuleWords(bank[0])
    heads = [tree for tree in trees(words, projective=False) if list(tree[1:]).count(0) == 1]
    every = oracle.labelled_trees(heads, lambda head, word: NAMES)
    return RuleText(bank), [RuleTree(known, heads, relations) for heads, relations in every]


def broken_at(rule, tree):
    return {breach.word for breach in breaches([rule], tree)}


def speaks_at(rule, tree):
    """The words of which a rule speaks in a tree: those at which it is broken if it allows nothing."""
    return set(RuleText(bank_of(tree)).speaks_of(rule).nonzero()[0].tolist())


def bank_of(tree):
    sentence = tree.words.sentence
    made = {"forms": list(sentence.forms[1:]), "upos": list(sentence.upos[1:])}
    return Treebank.from_sentences([made | {"heads": list(tree.heads[1:]), "deprels": list(tree.relations[1:])}])


@pytest.mark.parametrize(("words", "rounds"), [(2, 500), (3, 120)])
def test_what_is_said_of_two_rules_holds_in_every_tree(words, rounds):
    draws, kinds = random.Random(words), set()
    for _ in range(rounds):
        text, every = sentence(draws, words)
        pair = parse_rules("\n".join(oracle.written(random_rule(draws, NAMES)) for _ in range(2)))
        if pair[0] == pair[1]:
            continue
        search = RuleSearch(text, pair)
        verdict = search.pair(*search.sets)
        if verdict is None:
            continue
        kinds.add(verdict.kind)
        first, second = ([broken_at(rule, tree) for tree in every] for rule in pair)
        if verdict.kind in ("clash", "no head") and verdict.is_sure:
            never = set(range(words + 1)).intersection(*(a | b for a, b in zip(first, second, strict=True)))
            assert len(never) >= verdict.words, pair
        elif verdict.kind in ("clash", "no head"):
            for tree, a, b in zip(every, first, second, strict=True):
                assert speaks_at(pair[0], tree) & speaks_at(pair[1], tree) <= a | b, pair
        if verdict.kind in ("same", "implied"):
            assert all(b <= a for a, b in zip(first, second, strict=True)), pair
        if verdict.kind in ("same", "implies"):
            assert all(a <= b for a, b in zip(first, second, strict=True)), pair
    assert kinds >= {"clash", "implied", "implies"}


@pytest.mark.parametrize(("words", "rounds"), [(2, 150), (3, 80)])
def test_what_is_said_of_one_rule_holds_in_every_tree(words, rounds):
    draws, said = random.Random(words), 0
    for _ in range(rounds):
        text, every = sentence(draws, words)
        (rule,) = parse_rules(oracle.written(random_rule(draws, NAMES)))
        for problem in RuleConflicts(text).problems([rule]):
            if problem.message.startswith("no tree keeps it"):
                said += 1
                if problem.severity == "warning":
                    assert not any(speaks_at(rule, tree) - broken_at(rule, tree) for tree in every), rule
                else:
                    count = int(problem.note.removeprefix("never at "))
                    assert len(set(range(words + 1)).intersection(*(broken_at(rule, tree) for tree in every))) >= count
    assert said


@pytest.fixture(scope="module")
def text():
    return RuleText(load_sample())


SAID = {
    "VERB has exactly 2 nsubj\nVERB has at most 1 nsubj":
        ("warning", "contradicts line 1, VERB has exactly 2 nsubj: no tree keeps both at any of the "),
    "VERB has at least 1 nsubj:pass\n\nVERB has no {nsubj obj}":
        ("warning", "contradicts line 1, VERB has at least 1 nsubj:pass: no tree keeps both at any of the "),
    "deprel:nsubj has at least 1 det\ndeprel:nsubj & NOUN has no det":
        ("warning", "contradicts line 1, deprel:nsubj has at least 1 det: no tree keeps both at a word of which both"),
    "if DET then its head is NOUN after it\nif DET then its head is VERB":
        ("warning", "contradicts line 1, if DET then its head is NOUN after it: no tree keeps both at any of the "),
    "if DET then its head is NOUN after it\nif DET then its head is NOUN within 1":
        ("note", "contradicts line 1, if DET then its head is NOUN after it: no tree keeps both at "),
    "ROOT has no *": ("warning", "no tree keeps it: every sentence has a root"),
    "ROOT has exactly 2 *": ("warning", "no tree keeps it: a sentence has one root"),
    "VERB has no obj\n# twice\nVERB has at most 0 obj": ("note", "repeats line 1, VERB has no obj"),
    "VERB has no obj\n{VERB AUX} has no {obj iobj}":
        ("note", "says nothing new: it follows from line 2, {AUX VERB} has no {iobj obj}"),
    "VERB has at least 99 *": ("warning", "no tree keeps it at any of the "),
    "NUON has no obj": ("warning", "no word here is tagged NUON; did you mean NOUN?"),
    "NOUN & VERB has no obj": ("warning", "speaks of no word of this text"),
}  # fmt: skip
SILENT = (
    "VERB has at least 1 nsubj\nVERB has no nsubj:outer",
    "VERB has at least 1 nsubj & PRON\nVERB has no nsubj & NOUN",
    "deprel:aux has no *\nVERB has at least 1 *",
    "if NOUN has case then it has no mark\nNOUN has at most 1 mark",
    "ROOT has exactly 1 *",
    "if ROOT has conj then it has no *",
)


@pytest.mark.parametrize("lines", SAID)
def test_each_conflict_is_one_sentence_that_names_both_lines(text, lines):
    severity, message = SAID[lines]
    (found,) = [
        problem for problem in RuleConflicts(text).problems(parse_rules(lines)) if not problem.note.startswith("never")
    ]
    assert found.severity == severity and found.message.startswith(message), found


@pytest.mark.parametrize("lines", SILENT)
def test_rules_that_trees_can_keep_together_are_no_conflict(text, lines):
    assert [p for p in RuleConflicts(text).problems(parse_rules(lines)) if not p.note.startswith("never")] == []


def test_roots_are_counted_only_where_trees_have_one(text):
    bank = Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["N", "V"], "heads": [0, 0], "deprels": ["r", "r"]}])
    assert RuleConflicts(RuleText(bank)).problems(parse_rules("ROOT has exactly 2 *")) == []


def test_after_a_key_the_same_is_said_as_at_once_and_old_pairs_are_not_compared_again(text, monkeypatch):
    lines = [
        "VERB has at least 1 nsubj",
        "if DET then its head is NOUN",
        "VERB has no nsubj",
        "VERB has no {nsubj obj}",
    ]
    conflicts = RuleConflicts(text)
    conflicts.problems(parse_rules("\n".join(lines)))
    compared, pair = [], RuleSearch.pair
    monkeypatch.setattr(RuleSearch, "pair", lambda *given: compared.append(given[1:]) or pair(*given))
    lines[1] = "if DET then its head is VERB"
    changed = parse_rules("\n".join(lines))
    found = conflicts.problems(changed)
    assert len(compared) == 3 and all(changed[1] in (a.rule, b.rule) for a, b in filled(compared))
    assert found == RuleConflicts(text).problems(changed) and len(found) == 4
    assert conflicts.problems(()) == []
