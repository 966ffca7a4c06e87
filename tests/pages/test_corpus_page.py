"""The Corpus page: numbers that open their sentences, search, tagging, files that cannot be read."""

import pytest

from core.errors import WorkbenchError
from core.treebank import load_sample, statistics
from core.workspace import add_corpus

GOOD = b"1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def captions(app):
    return [caption.value for caption in app.caption]


def test_the_sample_is_counted_and_drawn_at_once(open_page):
    app = open_page()
    labels = [button.label for button in app.button]
    sample = load_sample()
    assert f"**{len(sample)}** sentences" in labels
    assert any(f"**{sample.token_count:,}** words" in markdown.value for markdown in app.markdown)
    assert app.get("bidi_component")
    assert "332 of 332 sentences" in captions(app)


def test_a_number_opens_its_sentences(open_page):
    app = open_page()
    app.button(key="corpus_number_kind_non-projective").click().run()
    assert f"{statistics(load_sample()).non_projective} of 332 sentences" in captions(app)
    app.button(key="corpus_clear").click().run()
    assert "332 of 332 sentences" in captions(app)
    assert not app.exception


def test_words_are_found_and_a_link_finds_them_again(open_page):
    app = open_page(find="quay street")
    found = [caption for caption in captions(app) if caption.endswith("of 332 sentences")]
    assert found and not found[0].startswith("332")
    app.text_input(key="find").set_value("no such words").run()
    assert "No sentence matches" in app.info[0].value


def test_a_link_opens_its_sentence(open_page):
    app = open_page(sentence="3")
    assert any(caption.startswith("Sentence 3 ") for caption in captions(app))


def test_text_without_tags_opens_with_the_tagging_step(open_page, workbench, project):
    corpus_id, _ = add_corpus(workbench.store, project, "plain.txt", b"the cats sleep\nthe dogs bark\n")
    app = open_page(corpus="plain.txt")
    assert app.subheader[0].value == "Tag the words"
    app.selectbox(key="corpus_tag").set_value("DET").run()
    app.button(key="corpus_tag_it").click().run()
    assert not app.exception
    saved = workbench.store.document(project, "tagging", str(corpus_id))
    assert saved["text"] == "the DET\n"
    assert workbench.treebank(workbench.store.corpus(corpus_id)).upos.values.count("DET") == 1
    app.button(key="shared_undo").click().run()
    assert workbench.store.document(project, "tagging", str(corpus_id)) is None


def test_a_lexicon_line_that_cannot_be_read_is_named_and_the_rest_counts(open_page, workbench, project):
    from core.workspace import Tagging
    from core.workspace.word_tags import save_tagging

    corpus_id, _ = add_corpus(workbench.store, project, "plain.txt", b"the cats sleep\n")
    save_tagging(workbench.store, workbench.store.corpus(corpus_id), Tagging("the DET\ncats\n"), "typing")
    app = open_page(corpus="plain.txt")
    assert "line 2" in app.error[0].value
    assert not app.exception


@pytest.mark.parametrize(
    ("name", "data", "encoding", "said"),
    [
        ("empty.conllu", b"", "utf-8", "empty"),
        ("latin.conllu", GOOD.replace(b"cats", b"caf\xe9s"), "utf-8", "latin.conllu, line 1"),
        ("cycle.conllu", GOOD.replace(b"0\troot", b"1\tdep"), "utf-8", "line"),
        ("range.conllu", GOOD.replace(b"2\tnsubj", b"7\tnsubj"), "utf-8", "line 1"),
        ("zip.conllu", b"PK\x03\x04 and more", "utf-8", "zip"),
        ("odd.conllu", GOOD, "klingon", "klingon"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_nothing_is_kept(workbench, project, name, data, encoding, said):
    with pytest.raises(WorkbenchError, match="(?i)" + said) as raised:
        add_corpus(workbench.store, project, name, data, "auto", encoding)
    assert "\n" not in str(raised.value)
    assert name in str(raised.value) or said in str(raised.value)
    assert len(workbench.store.corpora(project)) == 1


def test_a_corpus_whose_settings_no_longer_fit_says_so_on_its_page(open_page, workbench, project):
    corpus_id, _ = add_corpus(workbench.store, project, "cats.conllu", GOOD)
    workbench.store.change_corpus(corpus_id, format="mrg")
    app = open_page(corpus="cats.conllu")
    assert app.error and not app.exception


def test_a_sentence_of_one_word_is_drawn(open_page, workbench, project):
    add_corpus(workbench.store, project, "one.conllu", b"1\tYes\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n")
    app = open_page(corpus="one.conllu")
    assert app.get("bidi_component")
    assert not app.exception


def test_a_sentence_of_300_words_is_drawn(open_page, workbench, project):
    lines = [f"{m}\tw{m}\t_\tNOUN\t_\t_\t{m - 1}\t{'dep' if m > 1 else 'root'}\t_\t_\n" for m in range(1, 301)]
    add_corpus(workbench.store, project, "long.conllu", "".join([*lines, "\n"]).encode())
    app = open_page(corpus="long.conllu")
    assert app.get("bidi_component")
    assert not app.exception
