"""The parser for any language: its trees, what answers change, files, and what it says of bad input."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.errors import FormatError, WorkbenchError
from core.evaluation import attachment_scores
from core.languages.names import find_language
from core.parsers import load_parser
from core.parsers.decoding import PosteriorParser
from core.parsers.protocols import KBestCompleter, Labeller, Marginals, SavedParser
from core.parsers.universal import parser as universal_parser
from core.parsers.universal.network import Network
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.questions import NAMES
from core.parsers.universal.source_languages import SourceLanguages, tag_trigrams
from core.parsers.universal.text import TAGS, TaggedWords
from core.parsers.weights import load_arrays, save_arrays
from core.treebank import Treebank, conllu_text, load_sample, read_conllu
from core.treebank.tag_shares import with_tag_shares
from core.treebank.unpunctuated import heads_between_words
from core.trees import eisner, inside_outside
from tests.parsers.universal.conftest import small_network

RELATIONS = ("root", "nsubj", "obj", "case", "det")


@pytest.fixture
def parser():
    return UniversalParser([small_network(1), small_network(2)], RELATIONS)


@pytest.fixture(scope="module")
def text():
    return load_sample().limit(30)


def test_its_trees_are_the_most_probable(parser, text):
    words = text.without_punctuation()
    alone = UniversalParser(parser.networks[:1], RELATIONS).log_probabilities(words)
    for i in range(len(words)):
        shares = np.exp(parser.temperature * alone[i])[:, 1:]
        np.testing.assert_allclose(shares.sum(axis=0), 1)
    arcs, bare = parser.log_probabilities(words), parser.parse(words)
    np.testing.assert_array_equal(bare.heads, eisner(arcs).values)
    assert {*bare.deprel.strings()[words.is_word]} <= {*RELATIONS}
    assert ((bare.deprel.strings() == "root") == (bare.heads == 0)).all()


def test_doubtful_tags_are_read_surer_than_they_are_told(parser, text, monkeypatch):
    words = text.to_conllu().without_punctuation()
    rows = np.flatnonzero(words.is_word)
    own = TaggedWords.of(words).probable_tags()[rows, : len(TAGS)]
    told = with_tag_shares(words, rows, 0.7 * own + 0.3 * np.roll(own, 1, axis=1), TAGS)
    found = [parser.log_probabilities(each).values for each in (words, told)]
    monkeypatch.setattr(universal_parser, "SURER", 1.0)
    np.testing.assert_array_equal(parser.log_probabilities(words).values, found[0])
    unsure = parser.log_probabilities(told).values
    gaps = [np.abs(np.exp(each) - np.exp(found[0])).mean() for each in (unsure, found[1])]
    assert gaps[0] > gaps[1] > 0  # nearer to what the likelier tags alone give


def test_marks_hang_on_words_and_are_paid_for(parser, text):
    parsed = parser.parse(text)
    marks = text.punctuation() & text.is_word
    assert {*parsed.deprel.strings()[marks]} == {"punct"}
    assert parsed.single_rooted().all() and not (parsed.heads[text.is_word] < 0).any()
    only = Treebank.from_sentences([{"forms": ["!", "?"], "upos": ["PUNCT", "PUNCT"]}])
    assert parser.parse(only)[0].deprels[1:] == ("root", "dep")


def test_trees_and_probabilities_are_of_one_reading(parser, text):
    parsed, shares = parser.parse_with_marginals(text)
    alone = parser.parse(text)
    np.testing.assert_array_equal(parsed.heads, alone.heads)
    assert parsed.deprel.strings().tolist() == alone.deprel.strings().tolist()
    confidence = parser.confidence(parsed).arcs[~text.punctuation() & text.is_word]
    words = text.without_punctuation()
    heads = heads_between_words(parsed, words)
    chosen = [
        shares[i][heads[rows][1:], np.arange(1, len(shares[i]))]
        for i, rows in enumerate(slice(*pair) for pair in pairwise(words.offsets))
    ]
    np.testing.assert_allclose(np.concatenate(chosen), confidence)
    nothing, none = parser.parse_with_marginals(Treebank.from_sentences([{"forms": ["!"], "upos": ["PUNCT"]}]))
    assert len(none) == 0 and nothing.heads.tolist() == [-1, 0]


def test_where_the_one_that_comes_along_is_missing_it_is_said_how_to_make_it(tmp_path, monkeypatch):
    file = tmp_path / "universal" / "parser.npz"
    monkeypatch.setattr(universal_parser, "FILE", file)
    with pytest.raises(WorkbenchError, match=r"assets/universal lacks parser\.npz.*core universal train FOLDER"):
        UniversalParser.load()
    with pytest.raises(WorkbenchError, match="there is no model file"):
        UniversalParser.load(tmp_path / "other.npz")


def test_it_does_what_parsers_do(parser, text):
    for protocol in (SavedParser, Marginals, KBestCompleter, Labeller):
        assert isinstance(parser, protocol)
    assert isinstance(parser, PosteriorParser)
    labels = parser.label(text, text.heads)
    assert len(labels) == len(text.heads) and {*labels} <= {*RELATIONS, "punct", ""}
    parsed = parser.parse(text)
    assert parser.label(text, parsed.heads) == parsed.deprel.strings().tolist()
    given = np.where(np.arange(len(text.heads)) % 3 == 0, text.heads, -1)
    heads = parser.completed_heads(text.with_heads(given, text.deprel))
    words = ~text.punctuation()
    known = (given >= 0) & words
    assert (heads[known] == given[known]).mean() > 0.9  # all, but in sentences whose given arcs cross


def test_an_answer_turns_arcs(parser, text):
    before, after = (parser.with_answers({"adposition": side}).parse(text) for side in ("before", "after"))
    assert (before.heads != after.heads).any()
    assert np.isnan(parser.answers).all()  # as it was


def test_one_more_answer_leaves_the_others(parser, text):
    both = parser.with_answers({"object": "after", "adposition": "before"})
    more = parser.with_answers({"object": "after"}).with_answer("adposition", "before")
    np.testing.assert_array_equal(more.answers, both.answers)
    np.testing.assert_array_equal(more.best_heads(text), both.parse(text).heads)
    other = both.with_answer("object", "before")
    np.testing.assert_array_equal(
        other.answers, parser.with_answers({"object": "before", "adposition": "before"}).answers
    )


def test_a_parser_that_remembers_reads_a_sentence_once(parser, text, monkeypatch):
    read, plain = [], Network.read

    def counted(network, words, *rest):
        read.append(len(words))
        return plain(network, words, *rest)

    known = parser.for_text(text)
    expected = [each.parse(text) for each in (known, known.adapted(text.limit(9)))]
    monkeypatch.setattr(Network, "read", counted)
    kept = known.with_cache()
    for each, trees in zip((kept, kept.adapted(text.limit(9))), expected, strict=True):
        np.testing.assert_array_equal(each.parse(text).heads, trees.heads)
        assert each.parse(text).deprel.strings().tolist() == trees.deprel.strings().tolist()
    assert sum(read) == len(text) * len(parser.networks)
    for other in (kept.with_answers({"object": "after"}), kept.with_sources(()), kept.with_answer("object", "after")):
        read.clear()
        other.parse(text)
        assert sum(read) == len(text) * len(parser.networks)  # what was read is of other answers


def test_a_part_of_a_text_is_read_as_the_whole_is(parser, text):
    whole = parser.for_text(text)
    part = np.arange(5, 9)
    rows = slice(text.offsets[5], text.offsets[9])
    np.testing.assert_array_equal(whole.parse(text.select(part)).heads, whole.parse(text).heads[rows])
    np.testing.assert_array_equal(whole.parse(text).heads, parser.parse(text).heads)


def test_it_is_saved_and_read(parser, text, tmp_path):
    known = parser.with_answers({"object": "after"}).for_text(text)
    known.temperature, known.price = 1.5, 0.5
    known.save(tmp_path / "m.npz")
    other = load_parser(tmp_path / "m.npz")
    assert isinstance(other, UniversalParser) and (other.temperature, other.price) == (1.5, 0.5)
    np.testing.assert_array_equal(other.answers, known.answers)
    np.testing.assert_array_equal(other.language.statistics, known.language.statistics)
    assert other.relations == RELATIONS and len(other.networks) == 2
    assert (other.parse(text).heads == known.parse(text).heads).mean() > 0.97  # a byte each
    other.save(tmp_path / "again.npz")
    np.testing.assert_array_equal(load_parser(tmp_path / "again.npz").parse(text).heads, other.parse(text).heads)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"questions": [*NAMES[1:]]}, "trained with other questions"),
        ({"networks": []}, "needs a network"),
        ({"relations": ["a"]}, "the relation root"),
        ({"relations": ["root", "a"]}, "other relations apart than it names"),
        ({"temperature": "warm"}, "do not fit each other"),
        ({"0 arcs": None}, "the network lacks arcs"),
        ({"1 tags": None}, "the network lacks tags"),
        ({"0 arcs": np.zeros((2, 4), np.int8)}, "the numbers of arcs do not fit"),
        ({"0 arcs": np.zeros((4, 2), np.int8)}, "the scales of arcs do not fit"),
        ({"answers": np.full(len(NAMES), np.inf)}, "its answers do not fit its questions"),
        ({"answers": np.zeros(3)}, "its answers do not fit its questions"),
        ({"answers": np.full(len(NAMES), "x")}, "the settings and numbers of this model do not fit"),
        ({"0 arcs scales": np.array([np.inf])}, "the scales of arcs do not fit"),
    ],
)
def test_a_model_of_other_questions_or_a_damaged_one_is_refused(parser, tmp_path, changed, message):
    parser.save(tmp_path / "m.npz")
    settings, arrays = load_arrays(tmp_path / "m.npz", "universal")
    for name, value in changed.items():
        if value is None:
            del arrays[name]
        elif name in arrays:
            arrays[name] = value
        else:
            settings[name] = value
    save_arrays(tmp_path / "other.npz", "universal", settings, compressed=True, **arrays)
    with pytest.raises(FormatError, match=message):
        UniversalParser.load(tmp_path / "other.npz")


def test_texts_that_it_cannot_read_are_named(parser):
    with pytest.raises(WorkbenchError, match="no word has a tag"):
        parser.parse(Treebank.from_sentences([{"forms": ["a", "b"]}]))
    strange = Treebank.from_sentences([{"forms": ["a", "b"], "xpos": ["qqq", "rrr"]}])
    with pytest.raises(WorkbenchError, match="2 of 2 words have tags of no tag set that is known here: qqq, rrr"):
        parser.parse(strange)


def test_a_sentence_of_three_hundred_words(parser):
    long = Treebank.from_sentences([{"forms": ["w"] * 300, "upos": ["NOUN", "VERB", "ADP"] * 100}])
    assert parser.parse(long).single_rooted().all()


def test_the_best_trees_add_up_to_what_arcs_are_worth(parser):
    three = Treebank.from_sentences(
        [
            {"forms": ["a", "b", ".", "c"], "upos": ["NOUN", "VERB", "PUNCT", "ADP"]},
            {"forms": ["!"], "upos": ["PUNCT"]},
            {"forms": ["a"], "upos": ["NOUN"]},
        ]
    )
    trees = parser.kbest(three, 9)
    assert trees.counts.tolist() == [7, 1, 1]  # the projective trees of three words with one root
    heads, values = trees[0]
    assert np.exp(values).sum() == pytest.approx(1) and (np.diff(values) <= 0).all()
    assert len({tuple(tree) for tree in heads.tolist()}) == 7
    confidence = parser.confidence(three.with_heads(np.concatenate([trees[i][0][0] for i in range(3)])))
    for m in (1, 2, 4):
        share = np.exp(values[heads[:, m] == heads[0, m]]).sum()
        assert confidence.arcs[m] == pytest.approx(share)
    assert np.isnan(confidence.arcs[[0, 3]]).all() and confidence.arcs[-1] == 1


def test_confidence_of_relations_is_that_of_the_best(parser, text):
    parsed = parser.parse(text)
    found = parser.confidence(parsed)
    words = ~parsed.punctuation() & parsed.is_word
    assert not np.isnan(found.arcs[words]).any() and np.isnan(found.arcs[~words]).all()
    under = words & (parsed.heads > 0)
    assert (found.labels[under] >= 1 / (len(RELATIONS) - 1) - 1e-6).all() and (found.labels[under] < 1).all()
    assert (found.labels[words & (parsed.heads == 0)] == 1).all()
    bare = parsed.with_heads(np.full(len(parsed.heads), -1), parsed.deprel)
    assert np.isnan(parser.confidence(bare).arcs).all() and np.isnan(parser.confidence(bare).labels).all()


def test_kin_answer_what_nobody_does(parser, text, tmp_path):
    words = TaggedWords.of(text.without_punctuation())
    other = replace(words, tags=words.tags[::-1].copy())
    answers = np.full((2, len(NAMES)), np.nan)
    answers[0, 0], answers[1, 0] = -1, 1
    kin = SourceLanguages(
        ("near", "far"), np.array([tag_trigrams(each) for each in (words, other)], np.uint32), answers
    )
    with_kin = UniversalParser(parser.networks, RELATIONS, sources=kin)
    assert [each.name for each in with_kin.nearest(text)] == ["near", "far"] and parser.nearest(text) == []
    said = {share: parser.with_answers({"adposition": share}).parse(text).heads for share in ("1", "0")}
    assert (said["1"] != said["0"]).any()
    np.testing.assert_array_equal(with_kin.with_sources(["near"]).parse(text).heads, said["1"])
    np.testing.assert_array_equal(with_kin.with_sources(["far"]).parse(text).heads, said["0"])
    np.testing.assert_array_equal(with_kin.with_sources(()).parse(text).heads, parser.parse(text).heads)
    np.testing.assert_array_equal(with_kin.with_answers({"adposition": "0"}).parse(text).heads, said["0"])
    with pytest.raises(WorkbenchError, match="no source 'Latin'"):
        with_kin.with_sources(["Latin"])
    with_kin.with_sources(["far"]).for_text(text).save(tmp_path / "m.npz")
    loaded = UniversalParser.load(tmp_path / "m.npz")
    assert loaded.chosen_sources == ("far",) and loaded.language.answers[0] == 1
    assert (loaded.parse(text).heads == said["0"]).mean() > 0.97


def test_a_question_left_open_and_a_source_that_is_not_asked(text):
    parser = UniversalParser.load().with_answers({"object": "after"}).for_text(text)
    opened = parser.leaving_open("object").leaving_open("subject")
    asked = ~np.isin(NAMES, ["object", "subject"])
    assert np.isnan(opened.answers_in_use[~asked]).all() and not np.isnan(parser.answers_in_use[~asked]).any()
    np.testing.assert_array_equal(opened.answers_in_use[asked], parser.answers_in_use[asked])
    some = parser.with_sources(("Irish", "Latin")).for_text(text)
    alone = some.without_source("Latin", some.nearest(text), None)
    np.testing.assert_allclose(
        alone.answers_in_use, parser.with_sources(("Irish",)).for_text(text).answers_in_use, equal_nan=True
    )
    sources = parser.sources
    assert sources is not None
    assert sources.answering(NAMES.index("object"), some.nearest(text), ("Latin",))[0] == "Latin"
    assert {*sources.answering(NAMES.index("object"), some.nearest(text))} == {"Irish", "Latin"}
    bare = UniversalParser(parser.networks, parser.relations)
    np.testing.assert_array_equal(bare.without_source("Latin", [], None).answers_in_use, bare.answers_in_use)


def test_weights_of_arcs_give_the_probabilities_that_come_with_trees(parser, text):
    weights, (_, marginals) = parser.arc_weights(text), parser.parse_with_marginals(text)
    np.testing.assert_allclose(inside_outside(weights)[1].values, marginals.values)
    assert not len(parser.arc_weights(read_conllu(b"1\t.\t.\tPUNCT" + b"\t_" * 6 + b"\n\n")))


def in_language(text, code):
    """A text whose first sentence says its language."""
    return read_conllu(f"# lang = {code}\n{conllu_text(text.to_conllu())}".encode())


def test_the_own_language_of_a_text_answers_before_the_nearest_if_it_is_a_source(parser, text):
    words = TaggedWords.of(text.without_punctuation())
    other = replace(words, tags=words.tags[::-1].copy())
    answers = np.full((2, len(NAMES)), np.nan)
    answers[0, :2], answers[1, 0] = -1, 1
    kin = SourceLanguages(
        ("near", "Irish-IDT"), np.array([tag_trigrams(each) for each in (words, other)], np.uint32), answers
    )
    parser = UniversalParser(parser.networks, RELATIONS, sources=kin)
    irish, dutch = (in_language(text, code) for code in ("ga", "nl"))
    assert parser.for_text(irish).language.answers[:2].tolist() == [1, -1]  # the nearest fill what it leaves open
    for same in (parser.for_text(text, "ga"), parser.for_text(irish)):
        np.testing.assert_array_equal(same.parse(text).heads, parser.parse(irish).heads)
    for as_before in (
        parser.for_text(dutch),
        parser.for_text(text),
        parser.for_text(irish, "nl"),
        parser.for_text(irish, "und"),
    ):
        np.testing.assert_array_equal(as_before.language.answers, kin.answers_of(kin.nearest(words)))
    for names in (["near"], ["Irish-IDT"], []):
        chosen = parser.with_sources(names)
        assert chosen.own_sources("ga") == ()
        np.testing.assert_array_equal(
            chosen.for_text(irish).language.answers, kin.answers_of(kin.nearest(words, names))
        )
    assert parser.own_sources("ga") == ("Irish-IDT",) and parser.own_sources(None) == parser.own_sources("und") == ()


def test_every_source_that_comes_along_is_found_by_the_code_of_its_language():
    kin = UniversalParser.load().sources
    found = {name: kin.of_language(find_language(name)) for name in kin.names}
    assert found == {name: (name,) for name in kin.names}
    codes = {"bxr": "Buryat", "lzh": "Classical Chinese", "se": "North Sami", "ug": "Uyghur", "yue": "Cantonese"}
    assert {code: kin.of_language(code)[0] for code in codes} == codes
    assert kin.of_language("nn") == kin.of_language("nb") == kin.of_language("no") == ("Norwegian",)


def test_a_few_trees_correct_it(parser, text, tmp_path):
    few, rest = text.select(np.arange(15)), text.select(np.arange(15, 30))
    adapted = parser.for_text(text).adapted(few)
    scores = {name: attachment_scores(rest, each.parse(rest)) for name, each in (("alone", parser), ("few", adapted))}
    assert scores["few"].heads > 1.5 * scores["alone"].heads and scores["few"].both > 2 * scores["alone"].both
    words = few.without_punctuation()
    for sentence in range(3):
        shares = np.exp(adapted.log_probabilities(words)[sentence] * adapted.temperature)[:, 1:]
        assert shares.sum(axis=0).max() == pytest.approx(1)
    adapted.save(tmp_path / "m.npz")
    loaded = UniversalParser.load(tmp_path / "m.npz")
    assert loaded.corrections.forms == adapted.corrections.forms
    assert (loaded.parse(rest).heads == adapted.parse(rest).heads).mean() > 0.97  # a byte each
    again = adapted.adapted(few).corrections  # anew, not on top
    np.testing.assert_array_equal(again.arcs, adapted.corrections.arcs)
    settings, arrays = load_arrays(tmp_path / "m.npz", "universal")
    arrays["corrected_arcs"] = arrays["corrected_arcs"][1:]
    save_arrays(tmp_path / "other.npz", "universal", settings, **arrays)
    with pytest.raises(FormatError, match="what it learnt from trees does not fit"):
        UniversalParser.load(tmp_path / "other.npz")


def test_without_a_head_there_is_nothing_to_learn(parser, text):
    bare = text.with_heads(np.full(len(text.heads), -1))
    with pytest.raises(WorkbenchError, match="no tree to learn from has a head"):
        parser.adapted(bare)
    roots = text.with_heads(np.where(text.heads == 0, 0, -1))  # no relation is known
    assert not parser.adapted(roots).corrections.relations.any()


def test_the_one_that_comes_along_parses_the_sample():
    sample, parser = load_sample(), load_parser("universal")
    assert isinstance(parser, UniversalParser) and parser.nearest(sample)[0].name == "English"
    scores = attachment_scores(sample, parser.parse(sample), punctuation=False)
    assert scores.heads > 0.75 * scores.words and scores.both > 0.65 * scores.words


def test_an_answer_turns_what_the_text_does_not_tell(text):
    parser = load_parser("universal")
    assert isinstance(parser, UniversalParser)
    either = Treebank.from_sentences([{"forms": list("abcd"), "upos": ["NOUN", "ADP", "NOUN", "VERB"]}])
    heads = {side: parser.with_answers({"adposition": side}).parse(either).heads[2] for side in ("before", "after")}
    assert heads == {"before": 3, "after": 1}
    shares = []  # of adpositions behind their heads, in English, whose tags say that they stand before
    for side in ("before", "after"):
        turned = parser.with_answers({"adposition": side}).parse(load_sample())
        adpositions = turned.upos.mask(lambda tag: tag == "ADP")
        shares.append((turned.heads[adpositions] < turned.numbers[adpositions]).mean())
    assert shares[1] > 5 * shares[0]


def test_a_language_that_is_known_stays_until_other_kin_are_chosen(parser, text):
    known = parser.for_text(text)
    assert known.for_text(text.limit(2)) is known and known.with_sources(()).language is None
    marks = Treebank.from_sentences([{"forms": ["!"], "upos": ["PUNCT"]}])
    assert parser.for_text(marks) is parser
