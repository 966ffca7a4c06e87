"""Of how many words rules speak and where trees break them, against the definition word by word."""

import random

import pytest

from core.annotation.edits import SentenceAnnotation
from core.annotation.validation import Validation
from core.rules.checking import RuleTree, breaches
from core.rules.coverage import RuleText
from core.rules.reading import parse_rules
from core.rules.rule import HeadRule, format_rules
from core.rules.universal import universal_rules
from core.treebank import Treebank, load_sample
from tests.filled import filled
from tests.oracles import rules as oracle
from tests.rules.problems import TAGS, random_rule

NAMES = ("a", "a:outer", "b", "b:x", "c")


def random_bank(draws, sentences=40):
    """Sentences of 1 to 6 words under random heads, some of them unknown; some subjects are outer by MISC alone."""
    made = []
    for _ in range(sentences):
        words = draws.randint(1, 6)
        heads = [draws.randrange(word) for word in range(1, words + 1)]  # each before its word: a tree or several
        if draws.random() < 0.3:
            heads[draws.randrange(words)] = -1
        if draws.random() < 0.1:
            heads = [-1] * words
        made.append({
            "forms": draws.choices("xyz", k=words), "upos": draws.choices(TAGS, k=words), "heads": heads,
            "deprels": ["" if head < 0 else draws.choice(NAMES) for head in heads],
            "misc": [draws.choice(["", "", "Subject=Outer"]) for _ in range(words)],
        })  # fmt: skip
    return Treebank.from_sentences(made)


def trees_of(bank):
    return [RuleTree.of(SentenceAnnotation.of(sentence)) for sentence in bank]


def spoken_naively(rule, trees):
    """Of how many words of sentences with a head a rule speaks, asking whether the same words break it if none may."""
    count = 0
    for tree in trees:
        if not any(head >= 0 for head in tree.heads[1:]):
            continue
        for word in range(len(tree)):
            if isinstance(rule, HeadRule):
                count += word > 0 and tree.heads[word] >= 0 and tree.fits(rule.word, word)
                continue
            if (word == 0) != rule.word.is_root or not tree.fits(rule.word, word):
                continue
            given = rule.given
            count += given is None or any(tree.fits(given, dependent) for dependent in tree.dependents[word])
    return count


@pytest.mark.parametrize("seed", range(6))
def test_coverage_is_that_of_the_definition(seed):
    draws = random.Random(seed)
    bank = random_bank(draws)
    text, trees = RuleText(bank), trees_of(bank)
    broken = 0
    for _ in filled(range(60)):
        (rule,) = parse_rules(oracle.written(random_rule(draws, ("a", "b", "b:x", "c"))))
        found = text.coverage(rule)
        naive = [(index, breach) for index, tree in enumerate(trees) for breach in breaches([rule], tree)]
        assert found.broken.tolist() == [int(bank.offsets[index]) + breach.word for index, breach in naive], rule.text
        assert list(text.breaches(rule)) == naive, rule.text
        assert found.spoken == spoken_naively(rule, trees), rule.text
        broken += len(naive)
    assert broken


def test_items_of_all_columns_speak_of_the_words_that_fit_them():
    bank = load_sample().limit(60)
    lines = (
        "form:the has no *\nlemma:be has no *\nxpos:DT has no *\nfeats:Number=Sing has no *\n* & not NOUN has no *\n"
    )
    rules, trees, text = parse_rules(lines), trees_of(bank), RuleText(bank)
    for rule in filled([*rules, *universal_rules()]):
        assert text.coverage(rule).spoken == spoken_naively(rule, trees)
        assert len(text.coverage(rule).broken) == sum(1 for tree in trees for _ in breaches([rule], tree))


def test_a_text_without_trees_breaks_nothing():
    text = RuleText(Treebank.from_sentences([{"forms": ["a", "b"], "upos": ["N", "V"]}]))
    found = text.coverage(parse_rules("N has at least 1 nsubj")[0])
    assert (found.spoken, found.broken.tolist(), list(text.breaches(parse_rules("* has no *")[0]))) == (0, [], [])


def test_faults_by_other_rules_are_those_of_a_validation_from_the_beginning():
    bank = load_sample().limit(80)
    first, second = (
        parse_rules("NOUN has no det\nVERB has no obj"),
        parse_rules("VERB has no obj\nADP has at least 1 *"),
    )
    changed = Validation.of(bank, rules=first).under(second)
    whole = Validation.of(bank, rules=second)
    assert changed.faults == whole.faults and changed.rules == second
    kinds = {fault.kind for _, fault in whole.faults}
    assert set(format_rules(second).splitlines()) <= kinds and first[0].text not in kinds


def test_distances_are_those_of_the_text_where_punctuation_is_left_out():
    bank = Treebank.from_sentences([{"forms": ["the", ",", "cat"], "upos": ["DET", "PUNCT", "NOUN"], "heads": [3, 3, 0],
                                     "deprels": ["det", "punct", "root"]}])  # fmt: skip
    near, far = parse_rules("if DET then its head is * within 1\nif DET then its head is * after it within 2\n")
    text = RuleText(bank.without_punctuation())
    assert text.coverage(near).broken.tolist() == [1] and text.coverage(far).broken.tolist() == []
    assert [breach.rule for breach in breaches([near, far], text.tree(0))] == [near]
