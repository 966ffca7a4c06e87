"""Types and what is known around them, against one word at a time."""

import numpy as np
import pytest

from core.parsers.dictionary.evidence import COUNT, GROUPS, INPUTS, TagKnowledge, knowledge_of, word_inputs
from core.parsers.dictionary.types import DISTANCES, PREFIXES, SUFFIXES, WordTypes
from core.parsers.universal.text import TAGS
from core.treebank.plain import read_text
from tests.filled import filled
from tests.parsers.dictionary.conftest import TEXT

DET, ADJ, NOUN, NUM, PUNCT = (TAGS.index(tag) for tag in ("DET", "ADJ", "NOUN", "NUM", "PUNCT"))
LISTED = {"the": [DET], "old": [ADJ], "cat": [NOUN], "a": [DET, NOUN]}


@pytest.fixture
def types(text):
    return WordTypes.of(text)


@pytest.fixture
def knowledge(types):
    return knowledge_of(types, {types.forms.index(form): tags for form, tags in LISTED.items()})


def sentences(text):
    return [list(sentence.forms[1:]) for sentence in text]


def test_types_are_words_in_any_case(text, types):
    words = [word for sentence in sentences(text) for word in sentence]
    assert [types.forms[number] for number in types.numbers] == [word.lower() for word in words]
    assert types.spellings[types.forms.index("the")] == "The"
    assert types.counts[types.forms.index("bird")] == 2
    assert types.lettered[types.forms.index("cat")] and not types.lettered[types.forms.index("12")]
    assert [text.form.values[text.form.ids[row]] for row in types.rows] == words


def test_neighbours_end_with_the_sentence(text, types):
    at = 0
    for sentence in filled(sentences(text)):
        for place in range(len(sentence)):
            for row, distance in zip(types.neighbours, DISTANCES, strict=True):
                inside = 0 <= place + distance < len(sentence)
                expected = types.forms.index(sentence[place + distance].lower()) if inside else len(types)
                assert row[at] == expected
            at += 1


def test_what_is_given_weighs_by_its_place(types, knowledge):
    shares = {form: knowledge.shares[number] for number, form in enumerate(types.forms)}
    assert shares["the"][DET] == 1 and shares["12"][NUM] == 1 and shares["."][PUNCT] == 1
    assert shares["a"][DET] == pytest.approx(0.75) and shares["a"][NOUN] == pytest.approx(0.25)
    assert not shares["bird"].any()
    settled = {form for number, form in enumerate(types.forms) if knowledge.settled[number]}
    assert settled == {"the", "old", "cat", "12", ".", ","}
    assert knowledge.allowed[types.forms.index("bird")].all()
    assert knowledge.allowed[types.forms.index("a")].sum() == 2


def test_each_group_tells_the_tags_of_its_other_types(text, types, knowledge):
    words = np.flatnonzero(~knowledge.settled[types.numbers])
    inputs = word_inputs(types, knowledge, words)
    assert inputs.shape == (len(words), INPUTS) and np.isfinite(inputs).all()
    listed = knowledge.listed
    prior = (knowledge.shares[listed].sum(axis=0) + 0.5) / (listed.sum() + 0.5 * COUNT)
    tests = [lambda form, length=length: form[-length:] if len(form) > length else None for length in SUFFIXES]
    tests += [lambda form, length=length: form[:length] if len(form) > length else None for length in PREFIXES]
    for group, test in enumerate(tests):
        for row, word in enumerate(words.tolist()):
            form = types.forms[types.numbers[word]]
            others = [
                knowledge.shares[number] for number, other in enumerate(types.forms)
                if other != form and types.lettered[number] and test(form) and test(other) == test(form)
            ]  # fmt: skip
            tags = np.sum([np.zeros(COUNT), *others], axis=0)
            found = inputs[row, group * (COUNT + 1) : (group + 1) * (COUNT + 1)]
            np.testing.assert_allclose(found[:COUNT], (tags + prior) / (tags.sum() + 1), atol=1e-5)
            assert found[COUNT] == pytest.approx(np.log1p(tags.sum()) / 4, abs=1e-5)
    assert len(types.groups) == GROUPS


def test_words_after_the_same_word_tell_of_each_other(types, knowledge):
    """After "old" stand a noun that is listed, and "tree"."""
    tree = types.forms.index("tree")
    word = np.flatnonzero(types.numbers == tree)
    after = len(SUFFIXES) + len(PREFIXES)  # the group of the word before
    found = word_inputs(types, knowledge, word)[0, after * (COUNT + 1) :][:COUNT]
    assert found.argmax() == NOUN


def test_what_was_learnt_counts_where_no_one_tag_is_given(types, knowledge):
    words = np.flatnonzero(~knowledge.settled[types.numbers])
    shares = np.full((len(words), COUNT), 1 / COUNT, np.float32)
    after = knowledge.after(types, words, shares)
    assert isinstance(after, TagKnowledge)
    bird, cat = types.forms.index("bird"), types.forms.index("cat")
    np.testing.assert_allclose(after.best[bird], 1 / COUNT, rtol=1e-5)
    assert after.best[cat, NOUN] == 1
    assert (word_inputs(types, after, words) != word_inputs(types, knowledge, words)).any()


def test_no_number_depends_on_what_letters_there_are(text, types, knowledge):
    """The same text in other letters is told by the same numbers."""
    greek = {"a": "αβγδεζηθικλμνξοπρστυφχψω", "A": "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"}
    moved = {ord(first) + place: other for first, others in greek.items() for place, other in enumerate(others)}
    other = WordTypes.of(read_text(TEXT.translate(moved).encode(), language="en"))
    listed = {other.forms.index(form.translate(moved)): tags for form, tags in LISTED.items()}
    words = np.flatnonzero(~knowledge.settled[types.numbers])
    np.testing.assert_allclose(
        word_inputs(other, knowledge_of(other, listed), words), word_inputs(types, knowledge, words), atol=1e-5
    )
