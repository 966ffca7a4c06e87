"""Parsing under rules with the parsers that ship: nothing changes that need not, and what is kept is kept."""

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.parsers.english import English
from core.parsers.mst.parser import MSTParser
from core.parsers.scores import LabelledScores
from core.parsers.universal.parser import UniversalParser
from core.rules.given import GivenArc
from core.rules.parsing import broken_sentences, parse_under_rules
from core.rules.reading import parse_rules
from core.rules.searching import best_ruled
from core.rules.universal import universal_rules
from core.treebank import load_sample
from tests.filled import filled

RULES = parse_rules(
    "* has at most 1 {nsubj csubj}\nNOUN has at most 1 det\nif DET then its head is {NOUN PROPN PRON ADJ} within 6\n"
    "deprel:{aux cop} has no * except {cc conj fixed goeswith punct reparandum}"
)


@pytest.fixture(scope="module")
def text():
    return load_sample().limit(60)


@pytest.fixture(scope="module", params=["english", "universal", "learnt", "arc by arc"])
def parser(request, text):
    if request.param == "english":
        return English.load()
    if request.param == "universal":
        return UniversalParser.load().for_text(text)
    labels = "joint" if request.param == "arc by arc" else True
    return MSTParser(projective=False, bits=16, label_bits=16, labels=labels).fit(text.limit(30), epochs=2)


def test_without_rules_the_best_labelled_tree_is_the_parsers_own(parser, text):
    scored, parsed = parser.scored_words(text), parser.parse(text)
    whole = scored.in_text(scored.words.heads, scored.words.deprel.strings().tolist())
    assert (
        np.array_equal(whole.heads, parsed.heads)
        and whole.deprel.strings().tolist() == parsed.deprel.strings().tolist()
    )
    for index in filled(range(0, len(scored.words), 7)):
        sentence, rows = scored.words[index], slice(*scored.words.offsets[index : index + 2])
        arcs, decode = scored.arcs(index)
        labels = scored.labels(index, scored.words.heads[rows], True)
        (_, tree, _), *_ = broken_sentences(parse_rules("ROOT has no *"), scored.words.select(np.array([index])))
        best = best_ruled(tree.words, LabelledScores(arcs, labels, scored.names, decode), [])
        assert best.certified and best.heads[1:].tolist() == sentence.heads[1:].tolist()
        assert best.relations[1:] == list(sentence.deprels[1:])


def test_rules_are_kept_and_other_sentences_stay(parser, text):
    before, ruled = parser.parse(text), parse_under_rules(parser, text, RULES)
    after, searched = ruled.treebank, {int(ruled.words.picks[each.sentence]) for each in ruled.searched}
    assert searched
    for index in filled(set(range(len(text))) - searched):
        assert np.array_equal(before[index].heads, after[index].heads)
        assert list(before[index].deprels) == list(after[index].deprels)
    clashing = {int(ruled.words.picks[each.sentence]) for each in ruled.searched if each.clash}
    assert {index for index, *_ in broken_sentences(RULES, after)} == clashing
    assert ruled.certified == len(ruled.searched)


def test_the_rules_of_universal_dependencies_leave_no_breach(text):
    ruled = parse_under_rules(English.load(), text, universal_rules())
    assert not any(each.clash for each in ruled.searched)
    assert not list(broken_sentences(universal_rules(), ruled.treebank))


def test_where_no_tree_keeps_the_rules_those_that_clash_are_named(text):
    rules = parse_rules("NOUN has no det\nVERB has at least 1 nsubj\nVERB has no nsubj")
    some = text.select(np.array([0, 1, 2, 3]))
    ruled = parse_under_rules(English.load(), some, rules)
    clashes = [each for each in ruled.searched if each.clash]
    assert clashes
    for each in filled(clashes):
        assert set(each.clash) == set(rules[1:]) and {breach.rule for breach in each.tree.breaches} <= set(rules[1:])


def test_a_relation_that_the_parser_never_gives_cannot_be_asked_for(text):
    with pytest.raises(WorkbenchError, match="learnt none of the relations of the rule VERB has at least 1 clf"):
        parse_under_rules(English.load(), text.limit(3), parse_rules("VERB has at least 1 clf"))


def test_given_arcs_that_cross_or_lead_to_punctuation_stay_under_rules(parser):
    sample = load_sample()
    text = sample.select(np.flatnonzero(sample.lengths >= 8)[:6])
    heads, relations = np.full(len(text.heads), -1, np.int32), np.full(len(text.heads), "", object)
    for index, begin in enumerate(text.offsets[:-1].tolist()):
        mark = next((word for word, tag in enumerate(text[index].upos) if tag == "PUNCT" and word > 5), 0)
        for word, head in ((1, 3), (2, 4), (5, mark)):
            heads[begin + word] = head if head else -1
        relations[begin + 1] = relations[begin + 3] = "nsubj"
    given = text.with_heads(heads, relations.tolist())
    rules = parse_rules("* has at most 1 det\n* has no nsubj\nif ADJ then its head is NOUN")
    ruled = parse_under_rules(parser, given, rules)
    known = heads >= 0
    assert np.array_equal(ruled.treebank.heads[known], heads[known]) and ruled.partial.all()
    found = ruled.treebank.deprel.strings()
    assert (found[relations != ""] == "nsubj").all() and (ruled.treebank.heads[ruled.treebank.is_word] >= 0).all()
    for each in filled(ruled.searched):
        named = [clash for clash in each.clash if isinstance(clash, GivenArc)]
        assert parse_rules("* has no nsubj")[0] in each.clash and named and all(arc.relation for arc in named)
