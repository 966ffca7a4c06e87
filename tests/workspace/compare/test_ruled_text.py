"""The trees of a run under the rules of its text: only sentences that break one change, and what clashes is said."""

from dataclasses import replace

import numpy as np
import pytest

from core.annotation import SentenceAnnotation
from core.rules.parsing import broken_sentences
from core.rules.reading import parse_rules
from core.treebank import load_sample
from core.workspace.compare.parsed_text import parsed_text
from core.workspace.compare.ruled_text import keeping_parser, priced_rules, ruled_text
from core.workspace.parses import offers_of
from core.workspace.registry import Systems
from core.workspace.rules import rules_of, save_rules
from tests.advising import finished, written_bare
from tests.filled import filled

SET = "NOUN -> VERB = 0.0\n"


@pytest.fixture(scope="module")
def systems(module_workspace):
    return Systems(module_workspace)


@pytest.fixture(scope="module")
def corpus(module_add):
    return module_add("bare.conllu", written_bare(load_sample().max_length(12).limit(40)))


@pytest.fixture(scope="module")
def parsed(systems, corpus):
    """The ParsedText of a run of constraints above the universal parser, and the run's key."""
    grammar = systems["grammar"]
    plan = grammar.plan(corpus).with_values(words="no", max_length=12, prior="universal")
    run = finished(grammar.workspace, grammar.train(grammar.text(corpus, plan), SET))
    key = offers_of(systems, corpus, run)[0].key
    return parsed_text(systems, corpus, key), key


def test_without_rules_there_is_nothing_to_keep(systems, corpus, parsed):
    assert keeping_parser(systems, corpus, parsed[1]) is None
    assert keeping_parser(systems, corpus, "universal") is None


def test_sentences_that_break_a_rule_get_other_trees_and_the_others_stay(systems, corpus, parsed):
    text, key = parsed
    source = "NOUN has no det & under VERB\nVERB has at most 1 {nsubj obj}\nif ADV then its head is VERB within 2\n"
    save_rules(systems.workspace.store, corpus, source, text.treebank)
    rules, parser = rules_of(systems.workspace.store, corpus), keeping_parser(systems, corpus, key)
    ruled = ruled_text(parser, text, rules)
    broken = {index for index, *_ in broken_sentences(rules, text.treebank)}
    left = {index for index, *_ in broken_sentences(rules, ruled.text.treebank)}
    assert ruled.broken == len(broken) > ruled.kept > 0 and ruled.certified
    assert ruled.kept == len(broken - left) and left == {index for index, _ in ruled.clashes}
    for index in filled(set(range(len(text.treebank))) - broken):
        assert np.array_equal(ruled.text.treebank[index].heads, text.treebank[index].heads)
    assert f"{len(broken)} sentences broke your rules" in ruled.words and "proved best" in ruled.words
    assert "clash: if ADV then its head is VERB within 2" in ruled.words


def test_rules_that_no_tree_breaks_change_nothing(systems, corpus, parsed):
    text, key = parsed
    save_rules(systems.workspace.store, corpus, "NOUN has at most 9 det\n", text.treebank)
    ruled = ruled_text(keeping_parser(systems, corpus, key), text, rules_of(systems.workspace.store, corpus))
    assert ruled.text is text and ruled.words == "No tree breaks your rules."


def test_a_rule_with_a_share_turns_trees_only_as_far_as_it_says(systems, corpus, parsed):
    text, key = parsed
    save_rules(systems.workspace.store, corpus, "NOUN has no det = 0.4\n", text.treebank)
    rules, parser = rules_of(systems.workspace.store, corpus), keeping_parser(systems, corpus, key)
    (law,) = parse_rules("NOUN has no det")
    before, nouns = (sum(len(found) for *_, found in broken_sentences([law], each)) for each in (
        text.treebank, ruled_text(parser, text, rules).text.treebank))  # fmt: skip
    ruled = ruled_text(parser, text, rules)
    assert 0 < nouns < before and ruled.broken == 0 < ruled.moved
    assert "No tree breaks your rules." in ruled.words and "for rules with a share." in ruled.words
    (priced,) = priced_rules(parser, text.treebank, rules)
    assert priced.price > 0 and priced.share == 0.4


def test_arcs_that_are_drawn_by_hand_stay_and_clash_by_name(systems, corpus, parsed):
    text, key = parsed
    save_rules(systems.workspace.store, corpus, "NOUN has at most 1 det\n", text.treebank)
    rules, parser = rules_of(systems.workspace.store, corpus), keeping_parser(systems, corpus, key)
    index = next(k for k, each in enumerate(text.treebank) if "NOUN" in each.upos[3:6] and len(each.forms) > 5)
    sentence = text.treebank[index]
    noun = next(word for word in range(3, 6) if sentence.upos[word] == "NOUN")
    hand = replace(
        SentenceAnnotation.of(sentence),
        heads=tuple(noun if word in (1, 2) else -1 for word in range(len(sentence.forms))),
        deprels=tuple("det" if word in (1, 2) else "" for word in range(len(sentence.forms))),
    )
    ruled = ruled_text(parser, replace(text, by_hand={index: hand}), rules)
    assert ruled.text.treebank[index].heads[1:3].tolist() == [noun, noun]
    ((where, clash),) = [each for each in ruled.clashes if each[0] == index]
    assert where == index and clash[0] == "NOUN has at most 1 det" and len(clash) == 3
    assert "the given head and relation of 1 " in clash[1]
