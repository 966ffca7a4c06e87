"""Features of siblings and grandparents that a caller brings along: in the scores, and in what is learnt."""

import numpy as np

from core.features.packed import GRANDPARENT, SIBLING, PackedParts, arc_offsets_of
from core.parsers import MSTParser
from core.treebank import Treebank

SHAPES = [[0, 1, 1, 1], [0, 1, 1, 3], [0, 1, 2, 2], [2, 0, 2, 2]]


def treebank():
    """Words that look all alike, under trees that only features of the caller's own can tell apart."""
    return Treebank.from_sentences(
        {"forms": ["x"] * 4, "upos": ["X"] * 4, "heads": heads} for heads in SHAPES for _ in range(2)
    )


def marks(text):
    """Feature 1 on the siblings and 2 on the chains of the gold trees; 0 on nothing."""
    parts, ids, counts = [], [], []
    for sentence in text:
        heads, before = sentence.heads.tolist(), len(parts)
        for word in range(1, len(heads)):
            head = heads[word]
            step = 1 if head > word else -1
            inner = next((other for other in range(word + step, head, step) if heads[other] == head), None)
            if inner is not None:
                parts.append((SIBLING, head, inner, word))
                ids.append(1)
            if head:
                parts.append((GRANDPARENT, heads[head], head, word))
                ids.append(2)
        counts.append(len(parts) - before)
    arcs = int(arc_offsets_of(text.lengths)[-1])
    return PackedParts(
        arc_offsets=arc_offsets_of(text.lengths),
        offsets=np.zeros(arcs + 1, np.int64),
        ids=np.empty(0, np.int32),
        values=np.empty(0, np.float32),
        count=3,
        part_offsets=np.concatenate(([0], np.cumsum(counts))),
        parts=np.array(parts, np.int32),
        part_feature_offsets=np.arange(len(parts) + 1),
        part_ids=np.array(ids, np.int32),
        part_values=np.full(len(parts), 0.5, np.float32),
    )


def test_parts_are_learnt_and_scored():
    text = treebank()
    for learner in ("perceptron", "mira"):
        parser = MSTParser(2, True, labels=False, bits=12, learner=learner).fit(text, epochs=40, extra=marks)
        np.testing.assert_array_equal(parser.heads(text, marks), text.heads)
        np.testing.assert_array_equal(parser.kbest(text, 1, marks).heads, text.heads)
        weights = parser.model.weights[parser.model.first_extra :]
        assert weights[0] == 0 and (weights[1:] > 0).all()
    model = parser.model
    plain = model.with_weights(np.concatenate((model.weights[: model.first_extra], np.zeros(3, np.float32))))
    bare, extra = plain.score(text.offsets, plain.fields(text)), marks(text)
    scored = parser.score(text, extra)
    added = [np.zeros_like(cube.values) for cube in (bare.siblings, bare.grandparents)]
    for sentence in range(len(text)):
        for part in range(*extra.part_offsets[sentence : sentence + 2]):
            kind, *words = extra.parts[part].tolist()
            place = bare.siblings.offsets[sentence] + (words[0] * 5 + words[1]) * 5 + words[2]
            added[kind][place] += 0.5 * weights[1 + kind]
    for cube, base, more in zip((scored.siblings, scored.grandparents), (bare.siblings, bare.grandparents), added,
                                strict=True):  # fmt: skip
        np.testing.assert_allclose(cube.values - base.values, more, atol=1e-6)


def test_chosen_sentences_keep_their_parts():
    text, chosen = treebank(), np.array([6, 0, 3])
    features, expected = marks(text).select(chosen), marks(text.select(chosen))
    for name in ("arc_offsets", "offsets", "part_offsets", "parts", "part_feature_offsets", "part_ids", "part_values"):
        np.testing.assert_array_equal(getattr(features, name), getattr(expected, name))


def test_a_parser_without_siblings_passes_them_over():
    text = treebank()
    parser = MSTParser(labels=False, bits=12).fit(text, epochs=2, extra=marks)
    assert not parser.model.weights[parser.model.first_extra :].any()
