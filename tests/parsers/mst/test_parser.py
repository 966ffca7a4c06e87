"""The graph-based parser: learning, applying, saving, and what it refuses."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from core.errors import FormatError, WorkbenchError
from core.features.packed import PackedDense, PackedSparse, arc_offsets_of
from core.offsets import offsets_of
from core.parsers import MSTParser, load_parser
from core.parsers.mst.model import PLAIN
from core.parsers.weights import save_arrays
from core.treebank import Treebank

# hashes overflow on purpose; only uncompiled kernels mention it
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

SMALL = {"bits": 12, "label_bits": 10, "minimum_count": 1}
WORDS = {
    "forms": ["the", "old", "dog", "saw", "a", "cat", "."],
    "upos": ["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN", "PUNCT"],
    "xpos": ["DT", "JJ", "NN", "VBD", "DT", "NN", "."],
    "heads": [3, 3, 4, 0, 6, 4, 4],
    "deprels": ["det", "amod", "nsubj", "root", "det", "obj", "punct"],
}
SHORT = {
    "forms": ["dogs", "sleep"],
    "upos": ["NOUN", "VERB"],
    "xpos": ["NNS", "VBP"],
    "heads": [2, 0],
    "deprels": ["nsubj", "root"],
}
CROSSING = {**WORDS, "forms": [form.upper() for form in WORDS["forms"]], "heads": [3, 4, 4, 0, 6, 3, 4]}


@pytest.fixture(scope="module")
def trees():
    return Treebank.from_sentences([WORDS, SHORT, WORDS])


KINDS = {
    "order 1": {"order": 1},
    "order 1, perceptron": {"order": 1, "learner": "perceptron"},
    "order 1, joint labels": {"order": 1, "labels": "joint"},
    "order 1, non-projective": {"order": 1, "projective": False},
    "order 2": {"order": 2},
    "order 2, no labels, no forms": {"order": 2, "labels": False, "features": "unlexicalized"},
    "order 2, joint labels": {"order": 2, "labels": "joint"},
    "order 2, grandparents": {"order": 2, "grandparents": True},
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_can_be_told_apart_is_learnt_and_saved(trees, kind, tmp_path):
    parser = MSTParser(**KINDS[kind], **SMALL).fit(trees, epochs=5)
    parser.save(tmp_path / "parser.npz")
    loaded = load_parser(tmp_path / "parser.npz")
    labelled = KINDS[kind].get("labels", True)
    for each in (parser, loaded):
        parsed = each.parse(trees)
        np.testing.assert_array_equal(parsed.heads, trees.heads)
        assert parsed[1].deprels == ("", "nsubj", "root") if labelled else ("", "dep", "root")
        assert parsed[0].deprels == trees[0].deprels or not labelled
    one, other = parser.score(trees), loaded.score(trees)
    for name in ("arcs", "siblings", "grandparents"):
        if getattr(one, name) is not None:
            assert getattr(one, name).values.tobytes() == getattr(other, name).values.tobytes()


def test_half_precision_changes_scores_a_little(trees, tmp_path):
    parser = MSTParser(**SMALL).fit(trees, epochs=2)
    parser.save(tmp_path / "half.npz", half=True)
    loaded = MSTParser.load(tmp_path / "half.npz")
    np.testing.assert_allclose(loaded.score(trees).arcs.values, parser.score(trees).arcs.values, atol=2e-3)
    np.testing.assert_array_equal(loaded.heads(trees), parser.heads(trees))
    assert (loaded.order, loaded.labels, loaded.minimum_count) == (1, True, 1)


def test_a_seed_gives_the_same_weights(trees):
    one, other, third = (MSTParser(2, **SMALL).fit(trees, epochs=3, seed=seed).model.weights for seed in (0, 0, 1))
    assert one.tobytes() == other.tobytes()
    assert one.tobytes() != third.tobytes()


def test_threads_and_pieces_do_not_change_trees(trees, monkeypatch):
    many = trees.select(np.arange(9) % 3)
    parser = MSTParser(2, **SMALL).fit(trees, epochs=2)
    whole, best = parser.heads(many, threads=1), parser.kbest(many, 2, threads=1)
    monkeypatch.setattr("core.parsers.mst.decoding.NUMBERS_AT_ONCE", 600)
    np.testing.assert_array_equal(parser.heads(many), whole)
    again = parser.kbest(many, 2)
    for name in ("heads", "values", "counts"):
        np.testing.assert_array_equal(getattr(again, name), getattr(best, name))
    nothing = trees.select([])
    assert len(parser.parse(nothing)) == 0 and len(parser.kbest(nothing, 2)) == 0


@pytest.mark.parametrize("grandparents", [False, True])
def test_long_sentences_are_parsed_over_surviving_arcs(trees, monkeypatch, grandparents):
    parser = MSTParser(2, grandparents, **SMALL).fit(trees, epochs=4)
    whole = parser.heads(trees)
    monkeypatch.setattr("core.parsers.mst.decoding.LONGEST", 1)
    monkeypatch.setattr("core.parsers.mst.decoding.NUMBERS_AT_ONCE", 1)
    np.testing.assert_array_equal(parser.heads(trees), whole)  # the best tree is far from the threshold
    monkeypatch.setattr("core.parsers.mst.model.PRUNING", 0.0)
    np.testing.assert_array_equal(parser.heads(trees), whole)
    best, values = parser.kbest(trees, 2)[0]
    arcs = replace(parser.model, order=1).score(trees.offsets, parser.model.fields(trees))
    np.testing.assert_array_equal(best, arcs.kbest(2)[0][0])  # by arcs alone
    np.testing.assert_allclose(values, arcs.kbest(2)[0][1])
    monkeypatch.setattr("core.parsers.mst.training.LONGEST", 1)
    again = MSTParser(2, grandparents, **SMALL).fit(trees, epochs=4)
    np.testing.assert_array_equal(again.heads(trees), trees.heads)


def blank(sentences):
    """Sentences whose words all look the same; the heads come in two patterns, by turns."""
    word = {"forms": ["x"] * 4, "upos": ["X"] * 4}
    patterns = [2, 3, 4, 0], [0, 1, 2, 3]
    return Treebank.from_sentences([{**word, "heads": patterns[i % 2]} for i in range(sentences)])


def sparse(lengths, arcs, ids, count):
    """Features in any order: the packed number of an arc and a feature of it, worth 1."""
    arc_offsets, order = arc_offsets_of(lengths), np.argsort(arcs, kind="stable")
    offsets = offsets_of(np.bincount(arcs, minlength=arc_offsets[-1]))
    values = np.ones(len(ids), np.float32)
    return PackedSparse(arc_offsets, offsets, np.asarray(ids)[order].astype(np.int32), values, count)


def hints(treebank):
    """One feature of our own on each arc of the gold trees, another on every arc."""
    gold = [i * 25 + sentence.heads[m] * 5 + m for i, sentence in enumerate(treebank) for m in range(1, 5)]
    everything = range(len(treebank) * 25)
    ids = [1] * len(gold) + [0] * len(everything)
    return sparse(treebank.lengths, [*gold, *everything], ids, 2)


def as_dense(sparse):
    values = np.zeros((len(sparse.offsets) - 1, sparse.count), np.float32)
    np.add.at(values, (np.repeat(np.arange(len(values)), np.diff(sparse.offsets)), sparse.ids), sparse.values)
    return PackedDense(sparse.arc_offsets, values)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("make", [hints, lambda text: as_dense(hints(text))])
def test_features_of_the_callers_own_are_learnt_with_the_others(order, make):
    treebank = blank(6)
    parser = MSTParser(order, labels=False, **SMALL).fit(treebank, epochs=6)
    assert (parser.heads(treebank) != treebank.heads).any()  # nothing tells the patterns apart
    parser.fit(treebank, dev=treebank, epochs=6, extra=make)
    np.testing.assert_array_equal(parser.heads(treebank, make(treebank)), treebank.heads)
    np.testing.assert_array_equal(parser.parse(treebank, make).heads, treebank.heads)
    weights = parser.model.weights[-2:]
    assert weights[1] > 0 and weights[0] == 0  # what every arc has tells nothing
    plain = parser.model.with_weights(np.concatenate((parser.model.weights[:-2], np.zeros(2, np.float32))))
    bare = plain.score(treebank.offsets, plain.fields(treebank)).arcs.values
    added = as_dense(hints(treebank)).values @ weights
    legal = np.tile((~np.eye(5, dtype=bool) & (np.arange(5) > 0)).reshape(-1), len(treebank))
    np.testing.assert_allclose((parser.score(treebank, make).arcs.values - bare)[legal], added[legal], atol=1e-6)
    chosen = np.array([3, 1])
    np.testing.assert_array_equal(
        parser.heads(treebank.select(chosen), make(treebank).select(chosen))[:5], [-1, 0, 1, 2, 3]
    )


def test_features_of_the_callers_own_tell_relations_apart():
    word = {"forms": ["x", "x"], "upos": ["X", "X"], "heads": [0, 1]}
    treebank = Treebank.from_sentences([{**word, "deprels": ["root", relation]} for relation in "abab"])

    def turn(text):
        """On every arc, whether its sentence comes first or second."""
        arcs = np.arange(9 * len(text))
        return sparse(text.lengths, arcs, arcs // 9 % 2, 2)

    parser = MSTParser(labels="joint", **SMALL).fit(treebank, epochs=5, extra=turn)
    assert parser.parse(treebank, turn).deprel.mask("ab".__contains__).sum() >= 4
    assert [sentence.deprels[2] for sentence in parser.parse(treebank, turn)] == list("abab")


def test_extra_features_must_fit_the_text():
    treebank = blank(4)
    parser = MSTParser(labels=False, **SMALL).fit(treebank, epochs=1, extra=hints)
    plain = MSTParser(labels=False, **SMALL).fit(treebank, epochs=1)
    narrow = PackedDense(hints(treebank).arc_offsets, np.zeros((100, 1), np.float32))
    for call, message in (
        (lambda: parser.parse(treebank), "trained with 2 features of the caller's own; give extra="),
        (lambda: parser.parse(treebank, extra=hints(blank(2))), "a row for every arc of the text"),
        (lambda: parser.parse(treebank, extra=narrow), "extra holds 1 features, and training had 2"),
        (lambda: plain.parse(treebank, extra=hints), "extra= must be left out"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            call()


def test_progress_is_told_and_dev_scored(trees):
    told = []
    MSTParser(2, **SMALL).fit(trees, dev=trees, epochs=3, progress=told.append)
    scored = [report for report in told if report.dev_uas is not None]
    assert [report.epoch for report in scored] == [1, 2, 3] and scored[-1].dev_uas == 100
    assert {report.stage for report in told} == {"labels", "trees"}
    fractions = [report.fraction for report in told]
    assert fractions == sorted(fractions) and fractions[-1] == 1


def test_cancelled_training_keeps_its_best_so_far(trees):
    asked = count(1)  # within an epoch over trees, after ten over relations
    parser = MSTParser(**SMALL).fit(trees, epochs=10, cancel=lambda: next(asked) > 12)
    assert parser.status == "cancelled" and next(asked) == 14
    assert parser.model.weights.any()
    assert len(parser.parse(trees)) == 3
    at_once = MSTParser(**SMALL).fit(trees, cancel=lambda: True)
    assert at_once.status == "cancelled" and len(at_once.parse(trees)) == 3


def test_trees_that_cannot_be_learnt_are_left_out_and_counted():
    unknown = {**SHORT, "heads": [-1, 0]}
    treebank = Treebank.from_sentences([WORDS, CROSSING, unknown, {**SHORT, "heads": [0, 0]}])
    parser = MSTParser(**SMALL).fit(treebank, epochs=1)
    assert parser.skipped == {"without a complete tree": 1, "with several roots": 1, "non-projective": 1}
    parser = MSTParser(projective=False, **SMALL).fit(treebank, epochs=5)
    assert "non-projective" not in parser.skipped
    np.testing.assert_array_equal(parser.parse(treebank)[1].heads, treebank[1].heads)
    with pytest.raises(WorkbenchError, match="none of the 1 sentences can be learnt from: 1 non-projective"):
        MSTParser(**SMALL).fit(treebank.select([1]))
    with pytest.raises(WorkbenchError, match="1 with a word without a relation"):
        MSTParser(labels="joint", **SMALL).fit(Treebank.from_sentences([{**SHORT, "deprels": ["dep", ""]}]))


def test_texts_in_other_tags_are_refused(trees):
    parser = MSTParser(**SMALL).fit(trees, epochs=1)
    only_upos = Treebank.from_sentences([{"forms": ["dogs", "sleep"], "upos": ["NOUN", "VERB"]}])
    with pytest.raises(WorkbenchError, match="has no xpos tags, which this parser reads"):
        parser.parse(only_upos)
    other = Treebank.from_sentences([{**SHORT, "xpos": ["NP", "VBP"]}])
    assert parser.unknown_tags(other) == {"xpos": ("NP",)}
    assert len(parser.parse(other)) == 1  # one strange tag among known ones is no other tag set
    other = Treebank.from_sentences([{**SHORT, "xpos": ["NP", "VP"]}])
    with pytest.raises(WorkbenchError, match=r"2 of 2 words have xpos tags that training never saw \(NP, VP\); it"):
        parser.parse(other)
    upos = MSTParser(tags="upos", **SMALL).fit(trees, epochs=5)
    assert upos.parse(only_upos)[0].deprels == ("", "nsubj", "root")
    assert upos.model.columns == ("upos",)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"order": 3}, "order must be 1 or 2"),
        ({"learner": "svm"}, "no learner called 'svm': choose mira or perceptron"),
        ({"order": 2, "projective": False}, "siblings need projective trees"),
        ({"grandparents": True}, "grandparents come on top of siblings"),
        ({"labels": "before"}, 'labels must be True, False or "joint"'),
        ({"tags": "pos"}, "tags must be both, xpos or upos"),
        ({"largest_step": 0}, "the largest step must be positive"),
        ({"features": "all"}, "no feature set called 'all'"),
        ({"bits": 40}, "bits from 4 to 31; got 40"),
    ],
)
def test_options_out_of_range_are_named(options, message):
    with pytest.raises(WorkbenchError, match=message):
        MSTParser(**options)


def test_an_untrained_parser_and_a_foreign_file_say_so(trees, tmp_path):
    with pytest.raises(WorkbenchError, match="has not been trained yet"):
        MSTParser().parse(trees)
    with pytest.raises(WorkbenchError, match="at least one epoch, got 0"):
        MSTParser().fit(trees, epochs=0)
    parser = MSTParser(**SMALL).fit(trees, epochs=1)
    arrays = {"weights": np.ones(3, np.float32), "gaps": np.array([1, 2]), "forms": parser.model.known_forms.keys}
    own = {name: getattr(parser.model, name) for name in PLAIN}
    settings = {"model": {**own, "tags": parser.model.tags}}
    save_arrays(tmp_path / "old.npz", "mst", settings, **arrays)
    with pytest.raises(FormatError, match="trained by a version with other features"):
        MSTParser.load(tmp_path / "old.npz")
    settings["fingerprint"] = parser.model.fingerprint()
    save_arrays(tmp_path / "odd.npz", "mst", settings, **arrays)
    with pytest.raises(FormatError, match="do not fit its settings"):
        MSTParser.load(tmp_path / "odd.npz")
