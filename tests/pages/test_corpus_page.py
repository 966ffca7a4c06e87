"""The Corpus page: numbers that open their sentences, search, tagging, files that cannot be read."""

import pytest

from core.errors import WorkbenchError
from core.languages.names import find_language
from core.markup import wilson
from core.parsers.readers import tagger_names
from core.treebank import load_sample, statistics
from core.workspace import Tagging, add_corpus
from core.workspace.corpora import change_language
from core.workspace.corpus.tag_check import drawn_words
from core.workspace.word_tags import save_tagging
from tests.pages.reading import pressed, said, shown, table

GOOD = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
CATS = "the cats ran quickly\nthe dogs walk slowly\n"


def captions(app):
    return [caption.value for caption in app.caption]


def test_the_sample_is_counted_and_drawn_at_once_and_a_number_opens_its_sentences(open_page):
    app, sample = open_page(), load_sample()
    assert f"**{len(sample)}** sentences" in [button.label for button in app.button]
    assert f"**{sample.token_count:,}** words" in said(app.markdown)
    assert app.get("bidi_component") and "332 of 332 sentences" in captions(app)
    pressed(app, "corpus_number_kind_non-projective")
    assert f"{statistics(sample).non_projective} of 332 sentences" in captions(app)
    assert "332 of 332 sentences" in captions(pressed(app, "corpus_clear"))


def test_a_link_finds_words_or_opens_its_sentence(open_page):
    app = open_page(find="quay street")
    (found,) = [caption for caption in captions(app) if caption.endswith("of 332 sentences")]
    assert not found.startswith("332")
    assert "No sentence matches" in app.text_input(key="find").set_value("no such words").run().info[0].value
    assert any(caption.startswith("Sentence 3 ") for caption in captions(open_page(sentence="3")))


def test_text_without_tags_opens_with_the_tagging_step(open_page, workbench, project, add):
    corpus = add("plain.txt", "the cats sleep\nthe dogs bark\n")
    app = open_page(corpus="plain.txt")
    assert app.subheader[0].value == "Tag the words"
    pressed(app, "corpus_tag_DET")
    assert workbench.store.document(project, "tagging", str(corpus.id))["text"] == "the DET\n"
    tagged = workbench.treebank(corpus)
    assert [sentence.upos[1] for sentence in tagged] == ["DET", "DET"] and all(tagged[0].upos[1:])  # others are learnt
    assert ":gray[:small[DET]]" in said(app.markdown) and app.button(key="corpus_tag_DET").label == "DET"
    pressed(app, "shared_undo")
    assert workbench.store.document(project, "tagging", str(corpus.id)) is None
    save_tagging(workbench.store, corpus, Tagging("the DET\ncats\n"), "typing")  # the rest counts
    assert "Line 2" in app.run().error[0].value


def test_only_taggers_and_word_lists_of_the_texts_language_are_offered(open_page, workbench, add):
    corpus = add("plain.txt", CATS)
    for language, lists in (
        ("es", ["Spanish closed classes"]),
        ("ga", []),
        ("unknown", ["English closed classes", "English suffixes", "Spanish closed classes"]),
    ):
        change_language(workbench.store, corpus, language)
        app = open_page(corpus="plain.txt")
        offered = [each.options for each in app.get("button_group") if "lists" in each.key]
        assert offered == ([lists] if lists else [])
        assert any(each.key == "corpus_tag_all" for each in app.button) == bool(tagger_names(find_language(language)))


def test_every_other_word_gets_the_tag_that_is_chosen(open_page, workbench, project, add):
    corpus = add("cats.txt", CATS)
    app = open_page(corpus="cats.txt")
    app.selectbox(key=f"corpus_{corpus.id}_other").set_value("NOUN").run()
    assert workbench.store.document(project, "tagging", str(corpus.id))["text"] == "@other NOUN\n"
    assert set(workbench.treebank(corpus)[0].upos[1:]) == {"NOUN"}
    app.selectbox(key=f"corpus_{corpus.id}_other").set_value("X").run()
    assert workbench.store.document(project, "tagging", str(corpus.id)) == {"text": "", "lists": []}
    app.selectbox(key=f"corpus_{corpus.id}_other").set_value("learnt").run()
    assert workbench.store.document(project, "tagging", str(corpus.id))["learnt"] is True


def test_a_word_to_be_tagged_stands_in_its_sentences(open_page, add):
    add("cats.txt", CATS)
    assert ":orange[**the**] cats ran quickly" in said(open_page(corpus="cats.txt").markdown)


def test_a_tag_of_no_known_tag_set_is_said_and_the_rest_works(open_page, workbench, add):
    corpus = add("cats.txt", CATS)
    save_tagging(workbench.store, corpus, Tagging("the WHAT\ncats NOUN\n", learnt=True), "typing")
    app = open_page(corpus="cats.txt")
    assert "The list gives “the” the tag WHAT" in app.error[0].value
    assert workbench.treebank(corpus)[0].upos[1:3] == ("WHAT", "NOUN")
    save_tagging(workbench.store, corpus, Tagging("the DET\ncats NOUN\n", learnt=True), "typing")
    assert not app.run().error


def test_an_ending_shows_the_words_that_it_tags(open_page, workbench, project, add):
    corpus = add("cats.txt", CATS)
    app = shown(open_page(corpus="cats.txt"), corpus_tag_view="endings")
    app.text_input(key="corpus_ending").set_value("-ly").run()
    assert table(app, "form")["form"].tolist() == ["quickly", "slowly"]
    pressed(app.selectbox(key="corpus_ending_tag").set_value("ADV").run(), "corpus_tag_ending")
    assert workbench.store.document(project, "tagging", str(corpus.id))["text"] == "-ly ADV\n"
    assert "No word without a tag ends in -ly" in said(app.run().caption)


def test_twenty_tagged_words_say_how_right_the_tags_are(open_page, workbench, add):
    corpus = add("cats.txt", CATS)
    app = shown(open_page(corpus="cats.txt"), corpus_tag_view="check")
    assert "No word has a tag yet" in said(app.caption)
    save_tagging(workbench.store, corpus, Tagging("the DET\n@other NOUN\n"), "typing")
    app.run()
    words = len(drawn_words(workbench.treebank(corpus), 0))
    for place in range(words):
        pressed(app, "tag_right" if place else "tag_wrong")
    low, high = wilson(words - 1, words)
    assert f"{words - 1} of {words} words (95 % interval {low:.0%} to {high:.0%})" in said(app.markdown)
    assert "Correct them on the left" in said(app.caption)
    assert "Word 1 of" in said(pressed(app, "tag_again").caption)


def test_what_cannot_be_read_is_one_sentence_and_nothing_is_kept(workbench, project):
    for data, encoding, why in (
        ("", "utf-8", "empty"),
        (GOOD.replace("cats", "cafés").encode("latin-1"), "utf-8", "a.conllu, line 1"),
        (GOOD.replace("0\troot", "1\tdep"), "utf-8", "line"),
        (GOOD.replace("2\tnsubj", "7\tnsubj"), "utf-8", "line 1"),
        (b"PK\x03\x04 and more", "utf-8", "zip"),
        (GOOD, "klingon", "klingon"),
    ):
        data = data if isinstance(data, bytes) else data.encode()
        with pytest.raises(WorkbenchError, match=f"(?i){why}") as raised:
            add_corpus(workbench.store, project, "a.conllu", data, "auto", encoding)
        assert "\n" not in str(raised.value) and ("a.conllu" in str(raised.value) or why in str(raised.value))
    assert len(workbench.store.corpora(project)) == 1


def test_a_corpus_whose_settings_no_longer_fit_says_so_on_its_page(open_page, workbench, add):
    workbench.store.change_corpus(add("cats.conllu", GOOD).id, format="mrg")
    assert open_page(corpus="cats.conllu").error


def test_sentences_of_one_word_and_of_300_are_drawn(open_page, add):
    for count in (1, 300):
        words = (f"{m}\tw{m}\t_\tX\t_\t_\t{m - 1}\t{'dep' if m > 1 else 'root'}\t_\t_\n" for m in range(1, count + 1))
        add(f"{count}.conllu", "".join([*words, "\n"]))
        assert open_page(corpus=f"{count}.conllu").get("bidi_component")
