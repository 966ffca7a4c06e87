"""Scores of the graph-based parser against plain Python, its decoding against enumeration, its updates by their law."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.features.packed import PackedDense, arc_offsets_of
from core.parsers import MSTParser
from core.parsers.mst.training import TreeTrainer
from core.treebank import Treebank
from core.trees.triples import grandparent_parts, sibling_parts
from tests.filled import filled
from tests.oracles import higher_order, mst
from tests.oracles.trees import tree_score, tree_scores

# hashes overflow on purpose; only uncompiled kernels mention it
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

FORMS = ["she", "sleeps", "internationally", "often", "sleeps"]
UPOS, XPOS = ["PRON", "VERB", "ADV", "ADV", "VERB"], ["PRP", "VBZ", "RB", "RB", "VBZ"]


HEADS, RELATIONS = [2, 0, 2, 3, 2], ["nsubj", "root", "advmod", "advmod", "conj"]


@pytest.fixture
def treebank():
    """Sentences of one to five words, one of them with a word twice."""
    columns = {"forms": FORMS, "upos": UPOS, "xpos": XPOS, "heads": HEADS, "deprels": RELATIONS}
    five, four = ({name: row[:n] for name, row in columns.items()} for n in (5, 4))
    one = {name: row[:1] for name, row in columns.items()} | {"heads": [0], "deprels": ["root"]}
    return Treebank.from_sentences([five, one, four])


def random_parser(treebank, bits=9, extra=None, **kwargs):
    """A parser with random weights: the table is small, so that features collide."""
    parser = MSTParser(bits=bits, label_bits=8, minimum_count=1, **kwargs).fit(treebank, epochs=1, extra=extra)
    weights = np.random.default_rng(1).normal(size=parser.model.size).astype(np.float32)
    parser.model = parser.model.with_weights(weights)
    return parser


def words_of(treebank, fields):
    """(number, fields of its words with those of a missing word last) of each sentence."""
    for i, (begin, end) in enumerate(pairwise(treebank.offsets)):
        yield i, np.concatenate((fields[begin:end], fields[-1:]))


def cubes_of(scored, i):
    """The sibling and grandparent scores of a sentence, None for those that there are none of."""
    return [None if packed is None else packed[i] for packed in (scored.siblings, scored.grandparents)]


SHAPES = {"both tags": {}, "one tag": {"tags": "upos"}, "no forms": {"features": "unlexicalized"}}


@pytest.mark.parametrize("shape", SHAPES)
def test_scores_are_those_of_features_taken_one_by_one(treebank, shape):
    model = random_parser(treebank, order=2, grandparents=True, labels=False, **SHAPES[shape]).model
    scored = model.score(treebank.offsets, model.fields(treebank))
    used, fields = model.templates, model.fields(treebank)
    first = len(used.arcs) + len(used.between)

    def value(places):
        return sum(float(model.weights[place]) for place in places)

    for i, words in filled(words_of(treebank, fields)):
        side = len(words) - 1
        arcs = np.zeros((side, side))
        for head, modifier in np.ndindex(side, side):
            if modifier and head != modifier:
                arcs[head, modifier] = value(
                    mst.of_arc(words, used.arcs, used.between, used.salts[0], model.mask, head, modifier)
                )
        np.testing.assert_allclose(scored.arcs[i], arcs, atol=1e-9)
        for cubes, row, parts, places in (
            (scored.siblings, 0, sibling_parts(side), mst.of_sibling),
            (scored.grandparents, 1, grandparent_parts(side), mst.of_grandparent),
        ):
            for part in np.argwhere(parts).tolist():
                found = places(words, used.pairs, used.triples, used.salts[row, first:], model.mask, *part)
                assert cubes[i][tuple(part)] == pytest.approx(value(found), abs=1e-9)


def test_chosen_parts_score_as_they_do_among_all(treebank, monkeypatch):
    model = random_parser(treebank, order=2, grandparents=True, labels=False).model
    monkeypatch.setattr("core.parsers.mst.model.PRUNING", 0.0)
    fields = model.fields(treebank)
    for i in (0, 2):
        rows = treebank.offsets[i : i + 2]
        every, chosen = model.score(rows, fields), model.score_pruned(rows, fields)
        np.testing.assert_array_equal(chosen.arcs.values, every.arcs.values)
        for name in ("siblings", "grandparents"):
            sparse, cube = getattr(chosen, name), getattr(every, name)[0]
            parts = getattr(sparse.arcs, f"{name[:-1]}_parts")()
            assert len(parts) >= 4
            np.testing.assert_allclose(sparse.values, cube[tuple(parts.T)], atol=1e-12)


@pytest.mark.parametrize("shape", [{"order": 1}, {"order": 2}, {"order": 2, "grandparents": True}])
def test_the_tree_found_is_the_best_of_all(treebank, shape):
    parser = random_parser(treebank, **shape)
    scored, heads, kbest = parser.score(treebank), parser.heads(treebank), parser.kbest(treebank, 3)
    for i in range(len(treebank)):
        listed, values = higher_order.tree_values(scored.arcs[i], *cubes_of(scored, i))
        found = heads[treebank.offsets[i] : treebank.offsets[i + 1]]
        np.testing.assert_array_equal(found, listed[values.argmax()])
        np.testing.assert_allclose(kbest[i][1], np.sort(values)[::-1][:3])
        np.testing.assert_array_equal(kbest[i][0][0], found)


def test_without_projectivity_arcs_may_cross(treebank):
    parser = random_parser(treebank, projective=False)
    scored = parser.score(treebank)
    for i, heads in enumerate(filled(scored.decode())):
        assert tree_score(scored.arcs[i], heads) == pytest.approx(tree_scores(scored.arcs[i]).max())


def test_scores_can_be_changed_and_sentences_chosen(treebank):
    parser = random_parser(treebank, order=2, labels="joint")
    scored = parser.score(treebank)
    before = scored.decode()
    chosen = scored.select([2, 0])
    np.testing.assert_array_equal(chosen.decode()[0], before[2])
    np.testing.assert_array_equal(chosen.decode()[1], before[0])
    assert len(chosen.chosen_labels(chosen.decode())) == 5 + 6
    chosen.arcs[1][5, 1] += 1000  # a reward for one arc
    assert chosen.decode()[1][1] == 5
    np.testing.assert_array_equal(scored.decode()[0], before[0])  # the copy alone has changed


@pytest.mark.parametrize(
    "shape", [{"order": 1, "labels": "joint"}, {"order": 1, "projective": False}, {"order": 2, "grandparents": True}]
)
def test_a_step_of_mira_makes_the_gold_tree_win_by_the_loss(treebank, shape):
    parser = random_parser(treebank, bits=14, largest_step=np.inf, **shape)
    trainer = TreeTrainer(parser.model, treebank, "mira", np.inf)
    gold = treebank[0].heads
    found, labels = best_with_loss(trainer, treebank)
    right = trainer.relations[: len(gold)]
    wrong = (found != gold) | ((labels != right) if parser.model.joint else False)
    loss = np.count_nonzero(wrong[1:])
    assert loss > 0
    places, values = trainer.difference(0, (found, labels))
    assert len(np.unique(places)) == len(places) and (values != 0).all()
    margin = float(trainer.model.weights[places].astype(float) @ values)
    assert margin < loss
    assert trainer.learn(0) == np.count_nonzero(found[1:] != gold[1:])
    assert float(trainer.model.weights[places].astype(float) @ values) == pytest.approx(loss, abs=1e-4)
    # and the step is the shortest that does so: along the difference
    moved = trainer.model.weights - parser.model.weights
    np.testing.assert_allclose(moved[places], (loss - margin) / (values @ values) * values, atol=1e-5)
    assert np.count_nonzero(moved) <= len(places)


def best_with_loss(trainer, treebank):
    """The tree (and relations) of highest score plus loss of the first sentence, found by listing all."""
    model, rows = trainer.model, treebank.offsets[:2]
    gold = treebank[0].heads, trainer.relations[: rows[1]]
    scored = model.score(rows, trainer.fields)
    if model.order > 1:
        listed, values = higher_order.tree_values(scored.arcs[0], *cubes_of(scored, 0))
        return listed[(values + (listed != gold[0]).sum(1)).argmax()].astype(np.int32), gold[1]
    model.fill(rows, trainer.fields, (0, 1), scored, gold=gold)
    heads = scored.decode().values
    return heads, scored.chosen_labels(heads) if model.joint else gold[1]


def test_scores_without_relations_say_so(treebank):
    scored = random_parser(treebank).score(treebank)
    with pytest.raises(WorkbenchError, match="no relation for each arc"):
        scored.chosen_labels(treebank.heads)


def test_differences_are_features_of_one_tree_less_those_of_another(treebank):
    parser = random_parser(treebank, order=2, grandparents=True, labels=False)
    trainer = TreeTrainer(parser.model, treebank, "mira", np.inf)
    model, used = trainer.model, trainer.model.templates
    _, words = next(words_of(treebank, trainer.fields))
    first = len(used.arcs) + len(used.between)
    gold, other = treebank[0].heads, np.array((-1, 2, 5, 5, 5, 0), np.int32)

    def features(heads):
        found = Counter()
        for head, sibling, modifier in higher_order.parts(heads):
            found.update(mst.of_arc(words, used.arcs, used.between, used.salts[0], model.mask, head, modifier))
            outer = used.pairs, used.triples
            found.update(mst.of_sibling(words, *outer, used.salts[0, first:], model.mask, head, sibling, modifier))
            if head:
                chain = heads[head], head, modifier
                found.update(mst.of_grandparent(words, *outer, used.salts[1, first:], model.mask, *chain))
        return found

    expected = features(gold)
    expected.subtract(features(other))
    places, values = trainer.difference(0, (other, trainer.relations))
    found = dict(zip(places.tolist(), values.tolist(), strict=True))
    assert found == {place: value for place, value in expected.items() if value}
    assert not trainer.merged.any()  # left clean for the next sentence


def label_totals(model, words, roles, codes, more=0):
    """The score of each relation, from features taken one by one."""
    used, count = model.label_templates, len(model.relations)
    rows = mst.of_label(words, roles, codes, used.parts, used.kinds, used.salts, model.label_mask)
    return sum(model.label_weights[row : row + count].astype(float) for row in rows) + more


@pytest.mark.parametrize("shape", SHAPES)
def test_relations_in_a_tree_are_those_of_the_highest_score(treebank, shape):
    parser = random_parser(treebank, **SHAPES[shape])
    model, fields = parser.model, parser.model.fields(treebank)
    labels = model.label(treebank, fields, treebank.heads)
    for i, words in filled(words_of(treebank, fields)):
        for modifier in range(1, len(words) - 1):
            totals = label_totals(model, words, *mst.label_context(treebank[i].heads, modifier))
            assert labels[treebank.offsets[i] + modifier] == totals.argmax()


def test_relations_chosen_arc_by_arc_are_the_best_of_each(treebank):
    """With features of the caller's own, which have a weight for each relation and one for the arc."""
    arcs = int(((treebank.lengths + 1) ** 2).sum())
    numbers = np.random.default_rng(2).normal(size=(arcs, 3)).astype(np.float32)
    extra = PackedDense(arc_offsets_of(treebank.lengths), numbers)
    parser = random_parser(treebank, labels="joint", extra=extra)
    model, fields, used = parser.model, parser.model.fields(treebank), parser.model.templates
    scored, count = parser.score(treebank, extra), len(parser.model.relations)
    of_arcs, of_labels = np.split(model.weights[model.first_extra :].astype(float), [3])
    for i, words in filled(words_of(treebank, fields)):
        side = len(words) - 1
        for head, modifier in np.ndindex(side, side):
            if modifier and head != modifier:
                arc = extra.arc_offsets[i] + head * side + modifier
                places = mst.of_arc(words, used.arcs, used.between, used.salts[0], model.mask, head, modifier)
                value = sum(float(model.weights[place]) for place in places) + numbers[arc] @ of_arcs
                more = numbers[arc] @ of_labels.reshape(3, count)
                totals = label_totals(model, words, [modifier, head], [0, *mst.arc_codes(head, modifier)], more)
                assert scored.labels[arc] == totals.argmax()
                assert scored.arcs.values[arc] == pytest.approx(value + totals.max(), abs=1e-4)
    parsed = parser.parse(treebank, extra)
    column = parser.label(treebank, parsed.heads, extra)
    assert [column[row] for row in range(len(column))] == [parsed.deprel[row] for row in range(len(column))]
