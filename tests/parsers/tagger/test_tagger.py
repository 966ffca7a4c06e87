"""The tagger: search against enumeration, features against their names, learning, saving, cancelling, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.errors import FormatError, InfeasibleError, ScoreShapeError, WorkbenchError
from core.parsers import Tagger
from core.parsers.tagger.features import TextFeatures
from core.parsers.tagger.lattice import Lattice
from core.parsers.tagger.trigram import Words, transition_shapes, with_extremes
from core.treebank import Treebank
from tests.oracles import tagging as oracle

TOY = [
    ("the/D dog/N barks/V", 3),
    ("the/D cat/N sees/V a/D bird/N", 3),
    ("a/D bird/N sings/V loudly/A", 3),
    ("dogs/N bark/V loudly/A", 3),
    ("she/P can/M bark/V", 2),
    ("the/D can/N rusts/V slowly/A", 2),
    ("she/P walks/V the/D dog/N", 2),
    ("quick/J dogs/N walk/V quickly/A", 2),
]


def treebank_of(*sentences, column="xpos"):
    """Sentences as ``word/TAG word/TAG``; a word without a slash has no tag."""
    return Treebank.from_sentences(
        {
            "forms": [word.split("/")[0] for word in sentence.split()],
            column: [(word + "/").split("/")[1] for word in sentence.split()],
        }
        for sentence in sentences
    )


@pytest.fixture(scope="module")
def toy():
    return treebank_of(*(sentence for sentence, times in TOY for _ in range(times)))


@pytest.fixture(scope="module")
def tagger(toy):
    return Tagger(minimum_count=1, class_count=3).fit(toy, epochs=6)


# ---- search


def lattice_of(local, transitions, classes=None, allowed=None, lengths=None):
    """A lattice whose local scores are given: every word is a form of its own."""
    words, tags = local.shape
    lengths = [words] if lengths is None else lengths
    offsets = np.concatenate(([0], np.cumsum(np.add(lengths, 1))))
    is_word = ~np.isin(np.arange(offsets[-1]), offsets)
    types, row_classes = np.zeros(offsets[-1], dtype=np.int64), np.zeros(offsets[-1], dtype=np.int32)
    types[is_word] = np.arange(1, words + 1)
    row_classes[is_word] = 0 if classes is None else classes
    none = np.empty((len(types), 0), dtype=np.int32)
    nothing = np.zeros((1, tags))
    open_tags = np.vstack([nothing == 0, np.ones((words, tags), dtype=bool) if allowed is None else allowed])
    names = tuple(f"T{tag}" for tag in range(tags))
    texts = Words(types, none[: words + 1], none, row_classes)
    return Lattice(names, offsets, texts, nothing, transitions, np.vstack([nothing, local]), open_tags), is_word


def pairs_of(transitions, classes):
    """The oracle's pair tables for the words of a sentence."""
    tables = [transitions.bigram.copy() for _ in range(len(classes) + 1)]
    for i in range(1, len(classes)):
        tables[i][:-1, :-1] += transitions.of_word[classes[i]] + transitions.of_previous[classes[i - 1]]
    return tables


def numbers(integers):
    """Whole numbers, so that ties are exact; or a wide range."""
    return st.integers(-3, 3).map(float) if integers else st.floats(-1000, 1000, width=32)


@st.composite
def problems(draw):
    n, tags = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    element = numbers(draw(st.booleans()))
    values = [draw(arrays(np.float64, shape, elements=element)) for shape in transition_shapes(tags, 2).values()]
    values[2][0] = values[3][0] = 0
    local = draw(arrays(np.float64, (n, tags), elements=element))
    bonus = draw(arrays(np.float64, (n, tags), elements=element | st.just(0.0) | st.just(-np.inf)))
    allowed = draw(arrays(bool, (n, tags)))
    return local, bonus, allowed, with_extremes(*values), draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))


@settings(max_examples=100)
@given(problems())
def test_decoding_matches_enumeration(problem):
    local, bonus, allowed, transitions, classes = problem
    lattice, is_word = lattice_of(local, transitions, classes, allowed)
    u = np.zeros(lattice.shape)
    u[is_word] = bonus
    scores = np.where(allowed | (bonus > 0), local + bonus, -np.inf)
    expected, best = oracle.best_tagging(scores, pairs_of(transitions, classes), transitions.trigram)
    np.testing.assert_array_equal(lattice.open_tags(u)[is_word], (allowed | (bonus > 0)) & (bonus > -np.inf))
    if expected == -np.inf:
        with pytest.raises(InfeasibleError, match="u forbids every tagging of sentence 0"):
            lattice.decode(u)
        return
    tagging, values = lattice.decode(u)
    assert values[0] == pytest.approx(expected, abs=1e-9)
    assert lattice.score(tagging, u)[0] == pytest.approx(expected, abs=1e-9)
    if all((array == np.round(array)).all() for array in (*transitions, local, np.where(np.isinf(bonus), 0, bonus))):
        assert tuple(tagging[is_word]) == best  # ties included


def test_only_the_sentences_asked_for_are_decoded():
    random = np.random.default_rng(0)
    transitions = with_extremes(*(random.normal(size=shape) for shape in transition_shapes(5, 1).values()))
    transitions.of_word[:] = transitions.of_previous[:] = 0
    lattice, _ = lattice_of(random.normal(size=(30, 5)), transitions, lengths=[7, 1, 12, 10])
    whole, values = lattice.decode(threads=1)
    part, part_values = lattice.decode(sentences=[1, 3])
    chosen = np.repeat([False, True, False, True], np.diff(lattice.offsets))
    np.testing.assert_array_equal(part[chosen], whole[chosen])
    assert (part[~chosen] == -1).all() and np.isnan(part_values[[0, 2]]).all()
    u = np.zeros(lattice.shape)
    u[lattice.offsets[2] + 1 :] = random.normal(size=(len(u) - lattice.offsets[2] - 1, 5))
    again, again_values = lattice.decode(u, sentences=np.array([2, 3]), into=(whole.copy(), values.copy()))
    expected, expected_values = lattice.decode(u, threads=2)
    np.testing.assert_array_equal(again, expected)
    np.testing.assert_array_equal(again_values, expected_values)
    tagging, values = lattice.decode(sentences=[])
    assert (tagging == -1).all() and np.isnan(values).all()


# ---- features


def test_features_are_the_ones_spelled_out():
    sentences = [
        ["The", "quick-witted", "B-52", "USA", "x", "..."],
        ["the", "The", "the"],
        ["ß", "STRASSE", "İo", "a1", "naïve", "数字"],
    ]
    text = TextFeatures(Treebank.from_sentences({"forms": forms} for forms in sentences))
    rows = np.column_stack([text.forms.alone[text.types], *text.token_keys()])
    with_key, with_name, words = {}, {}, 0
    for sentence, forms in enumerate(sentences):
        for i in range(len(forms)):
            row = rows[text.treebank.offsets[sentence] + 1 + i]
            keys, names = row[row != 0].tolist(), oracle.word_features(forms, i)
            assert len(keys) == len(set(keys)) == len(names)
            for key in keys:
                with_key.setdefault(key, []).append(words)
            for name in names:
                with_name.setdefault(name, []).append(words)
            words += 1
    # A key stands for one name: the sets of words that have each are the same.
    assert sorted(with_key.values()) == sorted(with_name.values())


def test_rare_surroundings_are_left_out():
    text = TextFeatures(treebank_of("a b", "a b", "c d"))
    often, all_of_them = text.counted_keys(2), text.counted_keys(1)
    assert set(often.tolist()) < set(all_of_them.tolist())
    own = np.unique(text.forms.alone[1:])
    assert set(own[own != 0].tolist()) <= set(often.tolist())


# ---- learning


def test_it_learns_a_toy_language(tagger, toy):
    assert tagger.tags == ("A", "D", "J", "M", "N", "P", "V")
    scores = tagger.accuracy(toy)
    assert scores.pos_accuracy == scores.known_accuracy == 100 and scores.unknown_accuracy is None
    unseen = treebank_of("the/D birds/N walk/V softly/A", "she/P can/M walk/V", "a/D can/N barks/V")
    scores = tagger.accuracy(unseen)
    assert scores.pos_accuracy == 100 and (scores.known_words, scores.unknown_words) == (8, 2)
    assert tagger.tag(unseen)[0].xpos == ("", "D", "N", "V", "A")


def test_local_scores_and_transitions_explain_the_value(tagger, toy):
    lattice = tagger.lattice(toy)
    tagging, values = lattice.decode()
    scores = lattice.local_scores()
    assert not scores[toy.offsets[:-1]].any()
    for i in range(len(TOY)):
        rows = slice(toy.offsets[i] + 1, toy.offsets[i + 1])
        expected = oracle.tagging_score(
            scores[rows],
            pairs_of(lattice.transitions, lattice.words.classes[rows]),
            lattice.transitions.trigram,
            tagging[rows],
        )
        assert values[i] == pytest.approx(expected)


def test_the_limit_holds_known_words_to_their_tags_and_u_reopens_it(tagger):
    text = treebank_of("the dog zyx")
    d, n = tagger.tags.index("D"), tagger.tags.index("N")
    limited = tagger.lattice(text, limit=1).open_tags()
    assert limited[1].sum() == 1 and limited[1, d] and limited[3].all() and not limited[0].any()
    assert tagger.lattice(text, limit=1000).open_tags()[1:].all() and tagger.lattice(text).open_tags()[1:].all()
    u = np.zeros((4, len(tagger.tags)))
    u[1, n] = 1000
    tagging, values = tagger.decode(text, u, limit=1)
    assert tagging[1] == n and values[0] > tagger.decode(text)[1][0] + 900
    u[1, n], u[1, d] = 0, -1000
    assert tagger.decode(text, u, limit=1)[0][1] == d
    assert tagger.decode(text, u)[0][1] != d


def test_training_is_the_same_every_time_and_the_seed_matters(toy):
    first, second, other = (Tagger().fit(toy, epochs=2, seed=seed).model.weights for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, second)
    assert first.shape != other.shape or (first != other).any()


def test_sentences_without_all_tags_are_left_out():
    mixed = treebank_of("a/X b/Y", "a b/Y", "b/Y a/X")
    tagger = Tagger().fit(mixed, epochs=1)
    assert tagger.skipped == 1 and tagger.tags == ("X", "Y")
    assert tagger.accuracy(mixed).words == 5
    single = Tagger().fit(treebank_of("a/X"), epochs=1)  # one tag and one word are enough
    assert single.tag(treebank_of("b", "c d"))[1].xpos == ("", "X", "X")


def test_columns_are_learnt_and_filled_by_name(toy):
    coarse = treebank_of("the/DET dog/NOUN", "a/DET cat/NOUN", column="upos")
    tagger = Tagger().fit(coarse, epochs=3)
    assert tagger.column == "upos"
    tagged = tagger.tag(toy)
    assert tagged.xpos.values == toy.xpos.values and tagged[0].upos[1:3] == ("DET", "NOUN")
    assert tagger.tag(toy, column="xpos")[0].xpos[1] == "DET"


# ---- saving, cancelling, bad input


def test_a_saved_tagger_tags_alike(tagger, toy, tmp_path):
    text = treebank_of("the birds walk softly , 3-D She zyx")
    tagger.save(tmp_path / "tagger.npz")
    with np.load(tmp_path / "tagger.npz", allow_pickle=False) as file:
        contents = b"".join(file[name].tobytes() for name in file.files)
    assert b"loudly" not in contents and b"minimum_count" in contents  # no text is saved
    loaded = Tagger.load(tmp_path / "tagger.npz")
    assert (loaded.tags, loaded.column, loaded.limit) == (tagger.tags, tagger.column, tagger.limit)
    for limit in (0, 1, 3):
        for left, right in zip(tagger.decode(text, limit=limit), loaded.decode(text, limit=limit), strict=True):
            np.testing.assert_array_equal(left, right)
    assert loaded.accuracy(toy) == tagger.accuracy(toy)
    tagger.save(tmp_path / "half.npz", half=True)
    half = Tagger.load(tmp_path / "half.npz")
    local, exact = (some.lattice(text).local_scores() for some in (half, tagger))
    np.testing.assert_allclose(local, exact, rtol=1e-2, atol=1e-2)
    assert (tmp_path / "half.npz").stat().st_size < (tmp_path / "tagger.npz").stat().st_size


def test_a_damaged_file_is_no_tagger(tmp_path, tagger):
    tagger.save(tmp_path / "tagger.npz")
    with np.load(tmp_path / "tagger.npz") as file:
        contents = {name: file[name] for name in file.files}
    contents["weights_gaps"] = contents["weights_gaps"] + np.uint32(1000)
    np.savez(tmp_path / "broken.npz", **contents)
    with pytest.raises(FormatError, match="the weights of this model do not fit its settings"):
        Tagger.load(tmp_path / "broken.npz")


def test_training_reports_and_can_be_cancelled(toy):
    seen = []
    tagger = Tagger().fit(toy, epochs=3, progress=seen.append)
    assert [report.epoch for report in seen] == [1, 2, 3] and seen[-1].fraction == 1
    assert tagger.status == "trained" and 0 < seen[0].training_accuracy <= 1
    tagger = Tagger().fit(toy, epochs=100, progress=seen.append, cancel=lambda: len(seen) >= 5)
    assert tagger.status == "cancelled" and len(seen) == 5
    assert tagger.accuracy(toy).pos_accuracy > 50
    assert Tagger().fit(toy, cancel=lambda: True).accuracy(toy).words == toy.token_count


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda tagger, toy: Tagger().tag(toy), "has not been trained yet; call fit"),
        (lambda tagger, toy: Tagger().fit(treebank_of("a b")), "no word has a tag; tag the text first"),
        (lambda tagger, toy: Tagger().fit(toy, tags="upos"), "no word has a tag in upos; take its xpos tags"),
        (lambda tagger, toy: Tagger().fit(treebank_of("a/X b", "a b/Y")), "none of the 2 sentences has a tag on every"),
        (lambda tagger, toy: Tagger().fit(toy, epochs=0), "at least one epoch, got 0"),
        (lambda tagger, toy: tagger.accuracy(treebank_of("a b")), "has no xpos tags to compare with"),
        (lambda tagger, toy: tagger.tag(toy, column="lemma"), "tags go into xpos or upos, got 'lemma'"),
    ],
)
def test_bad_uses_are_named(tagger, toy, call, message):
    with pytest.raises(WorkbenchError, match=message):
        call(tagger, toy)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_bad_added_scores_are_named(tagger, toy, value):
    with pytest.raises(ScoreShapeError, match=r"u must have shape \(\d+, 7\).*got \(2, 7\)"):
        tagger.decode(toy, np.zeros((2, 7)))
    u = np.zeros((len(toy.heads), 7))
    u[0] = value  # a root's row is ignored
    tagger.decode(toy, u)
    u[toy.offsets[3] + 2, 4] = value
    with pytest.raises(ScoreShapeError, match=r"u holds NaN or \+inf in sentence 3"):
        tagger.decode(toy, u)
