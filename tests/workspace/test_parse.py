"""The one form in which parses are kept, and what earlier versions kept instead."""

import numpy as np
import pytest

from core.errors import FormatError
from core.treebank import Column
from core.treebank.tagged import composed_treebank
from core.trees import PackedScores
from core.workspace.former_parses import joint_arrays, markup_arrays
from core.workspace.parse import Parse, coded, decoded

TEXT = composed_treebank([{"forms": forms} for forms in (["one"], ["two", "three"], ["four"])], "")
HEADS = np.array([-1, 0, 1], np.int32)  # of the second sentence
RELATIONS = Column.intern(["", "root", "obj"])


def same(one, other):
    assert one.heads.tolist() == other.heads.tolist() and one.heads.dtype == other.heads.dtype == np.int32
    assert one.labels.tolist() == other.labels.tolist() and (one.relations is None) == (other.relations is None)
    assert (None if one.sentences is None else one.sentences.tolist()) == (
        None if other.sentences is None else other.sentences.tolist()
    )


@pytest.mark.parametrize("names", ["{}", "base_{}", "certified_{}_1"])
@pytest.mark.parametrize("relations", [None, RELATIONS])
def test_a_parse_is_read_as_it_was_kept(names, relations):
    parse = Parse(HEADS, relations, np.array([1]))
    arrays = parse.to_arrays(names)
    assert names.format("heads") in arrays
    same(Parse.from_arrays(arrays, TEXT.lengths, names), parse)
    assert parse.on(TEXT).heads.tolist() == [-1, -1, -1, 0, 1, -1, -1]
    labels = [sentence.deprels[1:] for sentence in parse.on(TEXT)]
    assert labels == [("",), ("root", "obj" if relations else "dep"), ("",)]


def test_confidence_is_kept_with_the_heads_of_all_sentences():
    scores = PackedScores.empty(TEXT.lengths)
    scores.values[:] = np.linspace(0, 1, len(scores.values))
    arrays = Parse(np.array([-1, 0, -1, 0, 1, -1, 0], np.int32), marginals=scores).to_arrays()
    assert arrays.keys() == {"heads", "marginals"}
    found = Parse.from_arrays(arrays, TEXT.lengths)
    np.testing.assert_allclose(found.marginals[1], scores[1], rtol=0, atol=1.6e-5)
    former = Parse.from_arrays(arrays | {"marginals": scores.values.astype(np.float32)}, TEXT.lengths)
    assert former.marginals.values.tolist() == scores.values.astype(np.float32).tolist()
    for broken in ({"marginals": scores.values[1:]}, {"heads": HEADS}):
        with pytest.raises(FormatError, match="made on other sentences"):
            Parse.from_arrays(arrays | broken, TEXT.lengths)
    with pytest.raises(FormatError, match="lost some of their bytes"):
        Parse.from_arrays(arrays | {"marginals": coded(scores.values)[:1]}, TEXT.lengths)
    with pytest.raises(FormatError, match="it lacks base_heads"):
        Parse.from_arrays(arrays, TEXT.lengths, "base_{}")


def test_a_probability_is_kept_in_two_bytes_and_near_enough():
    rng = np.random.default_rng(1)
    given = np.concatenate([[0.0, 1.0], rng.random(1000), 10.0 ** rng.uniform(-7, 0, 1000)])
    code = coded(given)
    found = decoded(code)
    assert code.nbytes == 2 * len(given) and found[:2].tolist() == [0.0, 1.0]
    assert (np.abs(found - given) <= np.sqrt(given) / 65535 + 1e-7).all()
    assert (coded(found) == code).all()  # kept again, nothing more is lost

    def entropy(values):
        return float(-(values[values > 0] * np.log(values[values > 0])).sum())

    column = given[2:] / given[2:].sum()  # as of the heads of one word
    assert abs(entropy(decoded(coded(column))) - entropy(column)) < 1e-3


@pytest.mark.parametrize(("longest", "size"), [(3, 1), (500, 2), (40_000, 4)])
def test_trees_are_kept_in_the_narrowest_numbers(longest, size):
    heads = np.array([-1, 0, longest], np.int32)
    arrays = Parse(heads, RELATIONS, np.array([1])).to_arrays()
    assert arrays["heads"].itemsize == size and arrays["heads"].tolist() == heads.tolist()
    assert arrays["relations"].itemsize == arrays["sentences"].itemsize == 1
    same(Parse.from_arrays(arrays, TEXT.lengths), Parse(heads, RELATIONS, np.array([1])))


def test_parses_of_further_sentences_follow():
    more = Parse(np.array([-1, 0], np.int32), Column.intern(["", "top"]), np.array([2]))
    both = Parse.empty().followed_by(Parse(HEADS, RELATIONS, np.array([1]))).followed_by(more)
    assert both.on(TEXT).heads.tolist() == [-1, -1, -1, 0, 1, -1, 0]
    assert both.labels.tolist() == ["", "root", "obj", "", "top"]


def test_trees_of_markup_as_earlier_versions_kept_them():
    marked = np.array([1, 2])
    old = {"heads": HEADS, "labels": np.array(["", "root", "obj"])}
    arrays = markup_arrays(old, TEXT.lengths, marked)
    same(Parse.from_arrays(arrays, TEXT.lengths), Parse(HEADS, RELATIONS, np.array([1])))
    assert markup_arrays(arrays, TEXT.lengths, marked) is arrays


def test_joint_inference_as_earlier_versions_kept_it():
    settings = {"done": 1, "relations_0": ["", "root", "obj"], "relations_1": ["", "top"]}
    old = {
        "certified_heads_0": HEADS.astype(np.int16), "certified_heads_1": HEADS.astype(np.int16),
        "relations_0": np.array([0, 1, 2], np.int16), "relations_1": np.array([0, 1, 0], np.int16),
    }  # fmt: skip
    arrays, lengths = joint_arrays(settings, old, [HEADS, HEADS]), TEXT.lengths[1:2]
    same(Parse.from_arrays(arrays, lengths, "{}_0"), Parse(HEADS, RELATIONS))
    same(Parse.from_arrays(arrays, lengths, "certified_{}_1"), Parse(HEADS))
    assert joint_arrays(settings, arrays, []) == arrays
    longer = arrays | Parse(HEADS, Column.intern(["", "top", "new"])).to_arrays("{}_0")
    assert Parse.from_arrays(joint_arrays(settings, longer, [HEADS] * 2), lengths, "{}_0").labels[2] == "new"
