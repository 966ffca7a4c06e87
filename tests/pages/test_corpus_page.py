"""The Corpus page: numbers that open their sentences, search, tagging, files that cannot be read."""

import pytest

from core.errors import WorkbenchError
from core.languages.names import find_language
from core.markup import wilson
from core.parsers.readers import tagger_names
from core.treebank import load_sample, statistics
from core.workspace import Tagging, add_corpus
from core.workspace.annotate.labels import OfferedLabels
from core.workspace.annotate.view import editor_data
from core.workspace.annotations import Annotations
from core.workspace.corpus.tag_check import drawn_words
from core.workspace.languages import TAGGING, change_language, value_of
from core.workspace.rules import write_rules
from core.workspace.texts import PARSE_OF
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
    assert value_of(workbench.store, corpus, TAGGING)["text"] == "the DET\n"
    tagged = workbench.treebank(corpus)
    assert [sentence.upos[1] for sentence in tagged] == ["DET", "DET"] and all(tagged[0].upos[1:])  # others are learnt
    assert ":gray[:small[DET]]" in said(app.markdown) and app.button(key="corpus_tag_DET").label == "DET"
    pressed(app, "shared_undo")
    assert value_of(workbench.store, corpus, TAGGING) is None
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
    assert value_of(workbench.store, corpus, TAGGING)["text"] == "@other NOUN\n"
    assert set(workbench.treebank(corpus)[0].upos[1:]) == {"NOUN"}
    app.selectbox(key=f"corpus_{corpus.id}_other").set_value("X").run()
    assert value_of(workbench.store, corpus, TAGGING) == {"text": "", "lists": []}
    app.selectbox(key=f"corpus_{corpus.id}_other").set_value("learnt").run()
    assert value_of(workbench.store, corpus, TAGGING)["learnt"] is True


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
    assert value_of(workbench.store, corpus, TAGGING)["text"] == "-ly ADV\n"
    assert "No word without a tag ends in -ly" in said(app.run().caption)


def test_twenty_tagged_words_say_how_right_the_tags_are(open_page, workbench, add):
    corpus = add("cats.txt", CATS)
    app = shown(open_page(corpus="cats.txt"), corpus_tag_view="check")
    assert "No word has a tag yet" in said(app.caption)
    save_tagging(workbench.store, corpus, Tagging("the DET\n@other NOUN\n"), "typing")
    app.run()
    words = len(drawn_words(workbench.treebank(corpus), "any"))
    for place in range(words):
        pressed(app, "tag_right" if place else "tag_wrong")
    low, high = wilson(words - 1, words)
    assert f"{words - 1} of {words} words (95% interval {low:.0%} to {high:.0%})" in said(app.markdown)
    assert "Correct them on the left" in said(app.caption)
    assert "Word 1 of" in said(pressed(app, "tag_again").caption)


def test_after_tagging_other_words_are_drawn_to_check(open_page, workbench, add):
    """The same words once more, some of them repaired, would make the share of right tags too high."""
    corpus = add("many.txt", "\n".join(f"word{number}" for number in range(400)))
    save_tagging(workbench.store, corpus, Tagging("@other NOUN\n"), "typing")
    app = shown(open_page(corpus="many.txt"), corpus_tag_view="check")

    def judged():
        forms = []
        while "tag_right" in [button.key for button in app.button]:
            forms.append(next(text.value for text in app.markdown if text.value.endswith(": NOUN")))
            pressed(app, "tag_right")
        return set(forms)

    first = judged()
    assert len(first) == 20
    save_tagging(workbench.store, corpus, Tagging("word1 VERB\n@other NOUN\n"), "typing")
    app.run()
    assert len(first & judged()) < 10  # of 20 drawn from 399; the same draw again had 19 or 20 in common
    save_tagging(workbench.store, corpus, Tagging("@other NOUN\n"), "typing")
    assert {
        f"**{word.form}**: NOUN" for word in drawn_words(workbench.treebank(corpus), workbench.corpus_key(corpus))
    } == first


def test_the_tagging_step_says_what_its_list_leaves_of_the_text(open_page, workbench, add):
    corpus = add("cats.txt", CATS)
    assert "this text has none" in said(open_page(corpus="cats.txt").caption)
    save_tagging(workbench.store, corpus, Tagging("the DET\n", learnt=True), "typing")
    captions_now = said(open_page(corpus="cats.txt").caption)
    assert "this text came without any" in captions_now and "the one that fits" in captions_now
    save_tagging(workbench.store, corpus, Tagging("the DET PRON\n@other NOUN\n"), "typing")
    captions_now = said(open_page(corpus="cats.txt").caption)
    assert "all others are NOUN" in captions_now and "the first is used" in captions_now


def test_endings_of_the_text_itself_are_offered(open_page, add):
    add("cats.txt", "the cats ran quickly\nthe dogs walk slowly\nbirds fly badly\nhe sings loudly\n")
    app = shown(open_page(corpus="cats.txt"), corpus_tag_view="endings")
    offered = [button.label for button in app.button if button.key.startswith("corpus_ending_")]
    assert offered == ["-ly"] and app.text_input(key="corpus_ending").placeholder == "-ly"
    assert table(pressed(app, "corpus_ending_ly"), "form")["form"].tolist() == ["badly", "loudly", "quickly", "slowly"]
    add("gats.txt", "els gats dormen\nels gossos corren\nels nens mengen\n")
    app = shown(open_page(corpus="gats.txt"), corpus_tag_view="endings")
    assert app.text_input(key="corpus_ending").placeholder == "-en"
    add("two.txt", "one two\n")
    app = shown(open_page(corpus="two.txt"), corpus_tag_view="endings")
    assert not app.text_input(key="corpus_ending").placeholder


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


FAULTY = "".join(
    f"1\tsoon\t_\tADV\t_\t_\t2\tdet\t_\t_\n2\t{verb}\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    for verb in ("rains", "snows", "hails")
)


def test_faults_are_counted_by_rule_and_fewer_after_a_correction_and_each_opens_its_word(open_page, workbench, add):
    corpus = add("faulty.conllu", FAULTY + GOOD.replace("nsubj", "obj:X"))
    app = shown(open_page(corpus="faulty.conllu"), corpus_view="faults")
    assert "**4 faults** in 4 of 4 sentences" in said(app.markdown)
    assert "no sentence has sent_id, text" in said(app.caption)
    rules = table(app, "test")
    assert rules["test"].tolist() == ["rel-upos-det", "invalid-deprel"] and rules["faults"].tolist() == [3, 1]
    assert table(app, "message")["word"].tolist() == ["1 soon ADV"] * 3
    version = Annotations(workbench, corpus)
    annotation, was = version.get(1)
    version.write(1, annotation.with_values({"deprels": ["advmod", "root"]}), was, "one", "correcting")
    app.run()
    assert "**3 faults** in 3 of 4 sentences" in said(app.markdown)
    assert table(app, "message")["sentence"].tolist() == [1, 3]
    pressed(app, "faults_annotate")
    assert app.session_state["sentence"] == 1
    assert "**Tag and relation** · 1 of 2 · 0 done" in said(app.markdown)
    assert app.segmented_control(key="ann_status")  # Annotate is open


def test_a_link_opens_the_words_of_a_rule_and_one_whose_rule_holds_now_the_first(open_page, add):
    add("faulty.conllu", FAULTY + GOOD.replace("nsubj", "obj:X"))
    view = {"corpus": "faulty.conllu", "corpus_view": "Validation"}
    app = open_page(**view, rule='["relation","invalid-deprel"]')
    assert table(app, "message")["sentence"].tolist() == [4]
    app = open_page(**view, rule='["relation","other"]', fault="9")
    assert table(app, "message")["sentence"].tolist() == [1, 2, 3] and "Sentence 3 " in said(app.caption)


def test_a_text_without_faults_says_so(open_page, add):
    add("good.conllu", GOOD)
    assert "No fault in 1 sentence." in said(open_page(corpus="good.conllu", corpus_view="Validation").caption)


def test_rules_of_ones_own_are_written_and_what_breaks_them_is_listed_and_shown_on_annotate(open_page, workbench, add):
    corpus = add("good.conllu", GOOD)
    app = open_page(corpus="good.conllu", corpus_view="Validation")

    assert "A rule is a law" in said(app.caption)

    def write(text):
        write_rules(workbench.store, corpus, text, workbench.treebank(corpus))
        app.run()

    write("VERB has no nsub")
    assert "Line 1: there is no relation nsub; did you mean nsubj?" in said(app.caption)
    assert "No fault in 1 sentence." in said(app.caption) and "in use once each line can be read" in said(app.caption)
    write("VERB has no nsubj")
    assert "**1 fault** in 1 of 1 sentence" in said(app.markdown) and "in use once" not in said(app.caption)
    assert table(app, "test")["rule"].tolist() == ["VERB has no nsubj"]
    counts = table(app, "broken")
    assert counts["words"].tolist() == counts["broken"].tolist() == [1]
    assert "Counted in the text’s own trees." in said(app.caption) and "**Line 1**" in said(app.markdown)
    assert "Sentence 1 · 1 cats is attached as nsubj to 2 sleep" in said(app.caption)
    write("VERB has no nsubj\nVERB has at least 1 nsubj")
    assert "Line 2: contradicts line 1, VERB has no nsubj: no tree keeps both" in said(app.caption)
    app.session_state["corpus_rule_line"] = 2
    app.run()
    assert "**Line 2**" in said(app.markdown) and "Sentence 1" in said(app.caption)
    pressed(app.run(), "corpus_rule_annotate")
    assert app.session_state["sentence"] == 1
    write("VERB has no nsubj")
    data = editor_data(Annotations(workbench, corpus), 0, OfferedLabels.of(workbench.treebank(corpus)), {})
    rows = data["faults"]
    assert any("the rule is: VERB has no nsubj" in message for _, _, message in rows)


def test_rules_are_counted_in_a_parse_where_the_text_has_no_trees(open_page, workbench, add):
    bare = add("bare.conllu", GOOD.replace("2\tnsubj", "_\t_").replace("0\troot", "_\t_"))
    write_rules(workbench.store, bare, "VERB has no nsubj", workbench.treebank(bare))
    app = open_page(corpus="bare.conllu", corpus_view="Validation")
    assert "no trees, own or of a parse" in said(app.caption)
    parse = add("good.conllu", GOOD)
    workbench.store.change_corpus(parse.id, settings={**parse.settings, PARSE_OF: bare.id})
    app = open_page(corpus="bare.conllu", corpus_view="Validation")
    assert "Counted in the trees of good.conllu, for the text has none." in said(app.caption)
    assert table(app, "broken")["broken"].tolist() == [1]


def test_an_enhanced_graph_is_drawn_on_request(open_page, add):
    add("graph.conllu", GOOD.replace("nsubj\t_", "nsubj\t2:nsubj").replace("root\t_", "root\t0:root"))
    app = open_page(corpus="graph.conllu")
    assert app.toggle(key="corpus_graph").value is False
    app.toggle(key="corpus_graph").set_value(True).run()
    assert not app.exception and app.get("bidi_component")
    assert "corpus_graph" not in [toggle.key for toggle in open_page().toggle]
