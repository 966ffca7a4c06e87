"""Rules by example: what corrections are cut into, what is said of them as a request, and what is proposed first."""

import numpy as np
import pytest

from core.annotation import SentenceAnnotation
from core.errors import WorkbenchError
from core.search import parse_request, propose, rewrite, search
from core.search.budget import Budget
from core.search.by_example import BEST, NARROWER, WIDER, propose_by_example
from core.search.by_example.conditions import ChangeSites, statements
from core.search.by_example.units import SHAPES, Dependents, places_in, units_of
from core.search.by_example.writing import Action, written
from core.search.word_values import WordValues
from core.treebank import Treebank, load_sample
from tests.filled import filled
from tests.oracles.units import places_of_shape, relabelled, swapped


@pytest.fixture(scope="module")
def sample():
    return load_sample()


def corrected(treebank, plant, indices=None):
    """The sentences that ``plant`` changes: dict of index to SentenceAnnotation; it maps a Sentence to a tree."""
    changed = {}
    for index in range(len(treebank)) if indices is None else indices:
        heads, relations = plant(treebank[index])
        before = SentenceAnnotation.of(treebank[index])
        after = before.under(tuple(heads), tuple(relations))
        if (after.heads, after.deprels) != (before.heads, before.deprels):
            changed[index] = after
    return changed


def shares(treebank, plant, count, start=0):
    """(share of the changes of the best guess that are right, share of those needed that it makes), and the guess."""
    gold = corrected(treebank, plant)
    shown = list(gold)[start : start + 3 * count : 3]
    best = propose_by_example(treebank, {index: gold[index] for index in shown})[0]
    result = rewrite(treebank, propose(treebank, parse_request(best.request))[1]).treebank
    made = needed = right = 0
    for index in range(len(treebank)):
        if index in shown:
            continue
        was, now = (
            list(zip(each.heads.tolist(), each.deprels, strict=True)) for each in (treebank[index], result[index])
        )
        should = list(zip(gold[index].heads, gold[index].deprels, strict=True)) if index in gold else was
        made += sum(one != other for one, other in zip(was[1:], now[1:], strict=True))
        needed += sum(one != other for one, other in zip(was[1:], should[1:], strict=True))
        right += sum(a != b and b == c for a, b, c in zip(was[1:], now[1:], should[1:], strict=True))
    return right / max(1, made), right / needed, best


PLANTED = {
    "case as head": swapped("case", "comp:obj"),
    "copula as head": swapped("cop", "comp:pred"),
    "relabelled by the head's tag": relabelled("obl", "nmod", lambda tree, word: tree.upos[tree.heads[word]] == "ADJ"),
    "relabelled by side": relabelled("advmod", "advmod:post", lambda tree, word: tree.heads[word] < word),
    "relabelled by tag": relabelled("nsubj", "expl", lambda tree, word: tree.upos[word] == "PRON"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_change_of_convention_is_found_from_three_sentences(sample, name):
    right, made, best = shares(sample, PLANTED[name], 3)
    assert right >= 0.95 and made >= 0.9, best.request


def test_the_best_guess_of_one_sentence_is_about_its_change(sample):
    right, made, best = shares(sample, PLANTED["case as head"], 1)
    assert (right, made) == (1.0, 1.0)
    assert best.request == (
        "pattern {\n  e: H -[case]-> W\n}\ncommands { shift_in H ==> W; add_edge W -[comp:obj]-> H }"
    )
    assert best.level == BEST and len(best.examples) == 1


def test_levels_hold_one_within_the_other(sample):
    gold = corrected(sample, PLANTED["relabelled by tag"])
    proposals = propose_by_example(sample, {index: gold[index] for index in list(gold)[:3]})
    hits = {proposal.level: proposal.hits for proposal in proposals if not proposal.kind}
    assert hits.get(NARROWER, 0) < hits[BEST] < hits[WIDER]
    for proposal in filled(proposals):
        _, dry_run = propose(sample, parse_request(proposal.request))
        rest = {each.sentence for each in dry_run} - set(proposal.examples)
        assert len(rest) == proposal.sentences, proposal.request


def test_confirmed_sentences_rule_out_what_would_change_them(sample):
    gold = corrected(sample, relabelled("advmod", "discourse", lambda tree, word: tree.upos[tree.heads[word]] == "ADJ"))
    shown = {index: gold[index] for index in list(gold)[:1]}
    others = [index for index in range(len(sample)) if index not in gold]
    best = propose_by_example(sample, shown, others)[0]
    assert {hit.sentence for hit in propose(sample, parse_request(best.request))[1]} == set(gold)


@pytest.mark.parametrize("name", SHAPES)
def test_places_are_those_of_the_definition(sample, name):
    treebank = sample.limit(30)
    heads = np.where(treebank.heads >= 0, treebank.root_rows + treebank.heads, -1)
    words = np.flatnonzero(treebank.is_word)
    places = places_in(treebank, SHAPES[name], words, heads, Dependents(heads))
    wanted = {
        tuple(int(treebank.offsets[index]) + word for word in place)
        for index, sentence in enumerate(treebank)
        for place in places_of_shape(name, sentence.heads.tolist())
    }
    assert {tuple(place) for place in places.tolist()} == wanted and len(places) == len(wanted) > 0


@pytest.mark.parametrize("name", SHAPES)
def test_each_condition_holds_where_its_request_matches(sample, name):
    treebank, shape = sample.limit(120), SHAPES[name]
    heads = np.where(treebank.heads >= 0, treebank.root_rows + treebank.heads, -1)
    old = "DET" if shape.field == "upos" else "punct" if shape.beside else "advmod"
    column = getattr(treebank, shape.field)
    words = np.flatnonzero(column.mask(lambda value: value == old))
    places = places_in(treebank, shape, words, heads, Dependents(heads))
    rng = np.random.default_rng(3)
    for _ in range(4):
        is_example = np.zeros(len(places), bool)
        is_example[rng.choice(len(places), 2, replace=False)] = True
        sites = ChangeSites(treebank, WordValues(treebank, Budget()), heads, shape, places, is_example)
        for statement in filled(list(statements(sites))):
            text = written(shape, Action((old,), "new", "new"), [statement])
            hits = search(treebank, parse_request(text))
            names = [node for node in shape.nodes if node in hits.names]
            columns = np.column_stack([hits.column(node) for node in names])
            wanted = places[statement.holds][:, [shape.nodes.index(node) for node in names]]
            assert {*map(tuple, columns.tolist())} == {*map(tuple, wanted.tolist())}, text


@pytest.fixture
def tree():
    return Treebank.from_sentences(
        [
            {
                "forms": ["of", "the", "old", "house"],
                "upos": ["ADP", "DET", "ADJ", "NOUN"],
                "heads": [4, 4, 4, 0],
                "deprels": ["case", "det", "amod", "root"],
            }
        ]
    )


def units(tree, heads, deprels, **columns):
    after = SentenceAnnotation.of(tree[0]).under((-1, *heads), ("", *deprels))
    return units_of(tree, 0, after if not columns else SentenceAnnotation(**{**vars(after), **columns}))


def test_units_of_a_sentence(tree):
    (swap,) = units(tree, [0, 1, 4, 1], ["root", "det", "amod", "comp"])
    assert swap.places == {"swap": (1, 4)} and (swap.new, swap.head_new) == ("root", "comp")
    assert swap.moved == {"det"} and swap.stayed == {"amod"}
    (moved,) = units(tree, [4, 3, 4, 0], ["case", "det", "amod", "root"])
    assert moved.places == {"next": (2, 4, 3), "sister": (2, 4, 3)}
    (named,) = units(tree, [4, 4, 4, 0], ["case", "det:def", "amod", "root"])
    assert named.places == {"relabel": (2, 4)} and (named.old, named.new) == ("det", "det:def")
    (tagged,) = units(tree, [4, 4, 4, 0], ["case", "det", "amod", "root"], upos=("", "ADP", "PRON", "ADJ", "NOUN"))
    assert tagged.places == {"retag": (2, 4)} and (tagged.old, tagged.new) == ("DET", "PRON")
    assert not units(tree, [4, 4, 4, 0], ["case", "det", "amod", "root"])


def test_what_cannot_be_proposed_from_is_one_sentence(sample, tree):
    same = {0: SentenceAnnotation.of(sample[0])}
    with pytest.raises(WorkbenchError, match="nothing was corrected"):
        propose_by_example(sample, same)
    one = corrected(sample, relabelled("det", "det:a", lambda tree, word: True), [0, 1, 2, 3])
    other = corrected(sample, relabelled("obj", "obj:b", lambda tree, word: True), range(4, 20))
    with pytest.raises(WorkbenchError, match="no change in common"):
        propose_by_example(sample, dict([*one.items()][:1] + [*other.items()][:1]))
    with pytest.raises(WorkbenchError, match="words of sentence 1 have changed"):
        propose_by_example(sample, {0: SentenceAnnotation.of(sample[1])})
    bare = tree.with_heads(np.full(5, -1))
    with pytest.raises(WorkbenchError, match="no head before it was corrected"):
        propose_by_example(bare, {0: SentenceAnnotation.of(tree[0])})


def test_a_head_that_was_moved_far_away_is_said():
    forms = ["a", "b", "c", "d", "e", "f", "g"]
    chain = Treebank.from_sentences(
        [{"forms": forms, "heads": [0, 1, 2, 3, 4, 5, 6], "deprels": ["root", *["dep"] * 6], "upos": ["X"] * 7}]
    )
    after = SentenceAnnotation.of(chain[0]).under((-1, 0, 1, 2, 3, 4, 5, 1), ("", "root", *["dep"] * 6))
    with pytest.raises(WorkbenchError, match="moved too far"):
        propose_by_example(chain, {0: after})
