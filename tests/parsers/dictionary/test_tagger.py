"""Tagging by a list: what is given stays, what is not is learnt, and what cannot be read is said."""

import io
from dataclasses import replace

import numpy as np
import pytest

from core.errors import FormatError, WorkbenchError
from core.parsers.dictionary.network import SHAPES, TagNetwork, tag_shares
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.universal.text import TAGS
from core.treebank import load_sample
from core.treebank.retag import interned, with_column
from core.treebank.tagging import OTHER, Lexicon, parse_lexicon
from core.treebank.tagging import SHAPES as SHAPE_TAGS

LEXICON = parse_lexicon("the DET\na DET NOUN\ncat NOUN\nold ADJ\n-s VERB\n")
PENN = parse_lexicon("the DT\na DT\ncat NN\ntree NN\nold JJ\nsees VBZ\nhours NNS\n")


def by_form(treebank, column="upos"):
    found = {}
    for sentence in treebank:
        for form, tag in zip(sentence.forms[1:], getattr(sentence, column)[1:], strict=True):
            found.setdefault(form, set()).add(tag)
    return found


def test_what_the_list_says_stays_and_every_word_gets_a_tag(tagger, text):
    found = by_form(tagger.tag(text, LEXICON))
    assert found["The"] == found["the"] == {"DET"} and found["cat"] == {"NOUN"} and found["12"] == {"NUM"}
    assert found["sees"] == found["sings"] == found["hours"] == {"VERB"}  # by their ending
    assert found["a"] <= {"DET", "NOUN"} and found["A"] <= {"DET", "NOUN"}
    assert all(tags and tags <= set(TAGS) for tags in found.values())


def test_tags_of_the_file_stay_and_teach(tagger, text):
    tags = ["X" if form == "bird" else "" for form in text.form.values]
    given = with_column(text, "upos", interned(text.form.ids.astype(np.int64), tags))
    assert by_form(tagger.tag(given, LEXICON))["bird"] == {"X"}
    read = tagger.read(given, parse_lexicon(""))
    assert read.knowledge.shares[read.types.forms.index("bird"), TAGS.index("X")] == 1


def test_probabilities_are_those_of_the_networks(tagger, text):
    read = tagger.read(text, LEXICON)
    np.testing.assert_allclose(read.shares.sum(axis=1), 1, rtol=1e-5)
    a = read.types.forms.index("a")
    of_a = read.shares[read.types.numbers[read.words] == a]
    assert len(of_a) == 2 and (of_a[:, [TAGS.index(tag) for tag in ("VERB", "ADJ")]] == 0).all()


def test_the_network_is_two_layers(tagger):
    network = tagger.rounds[1][0]
    inputs = np.random.default_rng(0).normal(size=(3, SHAPES["first"][0])).astype(np.float32)
    weights = {name: values.astype(np.float64) for name, values in network.weights.items()}
    hidden = np.maximum((inputs - weights["centre"]) / weights["spread"] @ weights["first"] + weights["first_bias"], 0)
    hidden = np.maximum(hidden @ weights["second"] + weights["second_bias"], 0)
    scores = hidden @ weights["tags"] + weights["tags_bias"]
    np.testing.assert_allclose(network.scores(inputs), scores, rtol=1e-3, atol=1e-3)
    allowed = np.ones((3, len(TAGS)), bool)
    allowed[:, 4:] = False
    expected = np.exp(scores[:, :4] / 2) / np.exp(scores[:, :4] / 2).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(tag_shares([network], inputs, allowed, 2.0)[:, :4], expected, atol=1e-4)


def test_another_tag_set_in_its_own_column_or_as_parts_of_speech(tagger, text):
    penn = by_form(tagger.tag(text, PENN, "xpos"), "xpos")
    assert penn["cat"] == {"NN"} and penn["hours"] == {"NNS"} and penn["sees"] == {"VBZ"}
    shapes = {"NUM", "PUNCT"}
    listed = {"DT", "NN", "NNS", "JJ", "VBZ"}
    assert all(tags <= listed | shapes for tags in penn.values())
    universal = by_form(tagger.tag(text, PENN))
    assert universal["cat"] == {"NOUN"} and universal["old"] == {"ADJ"} and universal["sees"] == {"VERB"}


def test_every_part_of_speech_that_may_be_has_a_tag_to_write(tagger, text):
    """Of rules alone, of shapes that no line names, and of words that are tagged in the file alone."""
    by_rules = by_form(tagger.tag(text, parse_lexicon("-s VBZ\n-e DT\n@number CD"), "xpos"), "xpos")
    assert by_rules["sings"] == {"VBZ"} and by_rules["12"] == {"CD"}
    assert all(tags <= {"VBZ", "DT", "CD", "PUNCT", "SYM"} for tags in by_rules.values())
    tags = ["NN" if form == "bird" else "JJ" if form == "old" else "" for form in text.form.values]
    given = with_column(text, "xpos", interned(text.form.ids.astype(np.int64), tags))
    by_file = by_form(tagger.tag(given, parse_lexicon(""), "xpos"), "xpos")
    assert by_file["bird"] == {"NN"} and by_file["sees"] <= {"NN", "JJ", "NUM", "PUNCT"}


def test_other_says_what_every_other_word_is(tagger, text):
    found = by_form(tagger.tag(text, parse_lexicon("the DET\n@other NOUN")))
    assert found["bird"] == found["sees"] == {"NOUN"}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("cat WHAT", "the list gives “cat” the tag WHAT, which is of no tag set that is known here"),
        ("", "no word of the text has a tag, and there is no list"),
        ("gato NOUN\nperro NOUN", "none of the 2 lines of the list is about a word of the text"),
    ],
)
def test_what_cannot_be_used_is_said(tagger, text, lines, message):
    with pytest.raises(WorkbenchError, match=message):
        tagger.tag(text, parse_lexicon(lines))


def test_saved_and_loaded_it_tags_the_same(tagger, text):
    file = io.BytesIO()
    tagger.save(file)
    again = DictionaryTagger.load(io.BytesIO(file.getvalue()))
    assert again.temperature == tagger.temperature and [len(each) for each in again.rounds] == [2, 1]
    np.testing.assert_allclose(again.read(text, LEXICON).shares, tagger.read(text, LEXICON).shares, atol=0.1)
    for name in SHAPES:
        weights = dict(tagger.rounds[0][0].weights)
        del weights[name]
        with pytest.raises(FormatError, match=name):
            TagNetwork(weights)


def test_ours_is_better_than_calling_every_other_word_a_noun():
    sample = load_sample()
    bare = with_column(sample.to_conllu(), "upos", interned(np.zeros(len(sample.heads), np.int64), [""]))
    gold = by_form(sample)
    counts = sorted(sample.form.counts().items(), key=lambda item: (-item[1], item[0]))
    words = [form for form, _ in counts if form.isalpha()][:60]
    lexicon, right = Lexicon({form: (sorted(gold[form])[0],) for form in words}), {}
    for name, other in (("learnt", "X"), ("nouns", "NOUN")):
        listed = replace(lexicon, shapes=SHAPE_TAGS | {OTHER: other})
        tagged = DictionaryTagger.load().tag(bare, listed)
        right[name] = np.mean(np.array(tagged.upos.strings()) == np.array(sample.upos.strings()))
    assert right["learnt"] > right["nouns"] + 0.05
