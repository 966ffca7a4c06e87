"""Links to what no control holds: the number that is open, a count chosen; and links that say what cannot be."""

import json

import pytest

from core.treebank import load_sample
from core.workspace.compare.opening import is_opening
from tests.pages.reading import pressed, said

KNOWN = [("kind", "tag", "NOUN", "words"), ("cell", "relation", None, "a", "obj", "obl"), ("pair", "a", "b"),
         ("confused", "head", "a", "ADP", "VERB", "NOUN"), ("confused", "relation", "a", "nsubj", "obj"),
         ("score", "conll2006", "a", "UAS"), ("tally", "group", "short", "a"), None]  # fmt: skip
UNKNOWN = [("kind", "tag", "NOUN"), ("kind", "colour", "red", "words"), ("cell", "form", None, "a", "b", "c"),
           ("pair", ("a",), "b"), ("tally", "moon", "x", "y"), ("else", "a"), (), "kind", 7, {"kind": 1}]  # fmt: skip


def test_what_a_number_opens_is_known_by_its_form():
    assert [what for what in (*KNOWN, *UNKNOWN) if is_opening(what)] == KNOWN


def test_a_link_opens_the_words_behind_a_number(open_page):
    app = open_page("compare", cmp_open=json.dumps(["kind", "tag", "NOUN", "words"]))
    assert "Words of the tag NOUN" in said(app.markdown)
    pressed(app, "cmp_close")
    assert "cmp_open" not in app.query_params and "Words of the tag NOUN" not in said(app.markdown)


def test_a_number_that_was_opened_stands_in_the_address(open_page):
    app = pressed(open_page(), "corpus_number_kind_non-projective")
    link = dict(app.query_params)["only"]
    assert json.loads(link) == ["kind", "non-projective"]
    again = open_page(only=link)
    assert said(again.caption) == said(app.caption)
    assert "only" not in pressed(again, "corpus_clear").query_params


def test_a_link_opens_a_marked_sentence(open_page):
    marked = 4  # whose bracket is broken, from 0
    assert f"Sentence {marked + 1}" in said(open_page("markup", mk_open=f"[{marked},null]").caption)


@pytest.mark.parametrize(
    ("page", "keys"),
    [("corpus", ["only"]), ("compare", ["cmp_open", "cmp_trees", "cmp_sentence", "cmp_filter"]),
     ("markup", ["mk_open"]),
     ("induction", ["ind_run"]), ("consensus", ["cs_kind"]), ("constraints", ["ge_mistake"])],
)  # fmt: skip
def test_a_link_that_says_what_cannot_be_shows_the_usual(open_page, page, keys):
    usual = open_page(page, {"ge_results": "mistakes"})
    for value in ("no json", '["kind","none"]', "-3", "[[1],[2],{}]", "[" * 100_000):
        for key in keys:
            usual.query_params[key] = value
            if key in usual.session_state:
                del usual.session_state[key]
        usual.run()
        assert not usual.error


def test_every_amount_the_sample_has_a_link(open_page):
    app = open_page(only='["upos","INTJ"]')
    found = sum("INTJ" in sentence.upos for sentence in load_sample())
    assert f"{found} of 332 sentences" in [caption.value for caption in app.caption]
