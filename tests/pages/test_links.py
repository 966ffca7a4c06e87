"""Links to what no control holds: the number that is open, a count chosen; and links that say what cannot be."""

import json

import pytest

from core.treebank import load_sample
from core.workspace.compare.tallies import is_opening
from tests.pages.reading import said

KNOWN = [("kind", "tag", "NOUN", "words"), ("cell", "relation", None, "a", "obj", "obl"), ("pair", "a", "b"),
         ("score", "conll2006", "a", "UAS"), ("tally", "group", "short", "a"), None]  # fmt: skip
UNKNOWN = [("kind", "tag", "NOUN"), ("kind", "colour", "red", "words"), ("cell", "form", None, "a", "b", "c"),
           ("pair", ("a",), "b"), ("tally", "moon", "x", "y"), ("else", "a"), (), "kind", 7, {"kind": 1}]  # fmt: skip


@pytest.mark.parametrize("what", KNOWN)
def test_what_a_number_opens_is_known_by_its_form(what):
    assert is_opening(what)


@pytest.mark.parametrize("what", UNKNOWN, ids=str)
def test_what_no_number_opens_is_told_apart(what):
    assert not is_opening(what)


def test_a_link_opens_the_words_behind_a_number(open_page):
    app = open_page()
    app.query_params["cmp_open"] = json.dumps(["kind", "tag", "NOUN", "words"])
    app.switch_page("pages/compare.py").run()
    assert "Words of the tag NOUN" in said(app.markdown)
    app.button(key="cmp_close").click().run()
    assert "cmp_open" not in app.query_params and "Words of the tag NOUN" not in said(app.markdown)


def test_a_number_that_was_opened_stands_in_the_address(open_page):
    app = open_page()
    app.button(key="corpus_number_kind_non-projective").click().run()
    link = dict(app.query_params)
    assert json.loads(link["only"]) == ["kind", "non-projective"]
    again = open_page(only=link["only"])
    assert said(again.caption) == said(app.caption)
    again.button(key="corpus_clear").click().run()
    assert "only" not in again.query_params


def test_a_link_opens_a_marked_sentence(open_page):
    marked = 4  # whose bracket is broken, from 0
    app = open_page("markup", mk_open=f"[{marked},null]")
    assert f"Sentence {marked + 1}" in said(app.caption)


@pytest.mark.parametrize(
    ("page", "keys"),
    [("corpus", ["only"]), ("compare", ["cmp_open", "cmp_trees", "cmp_sentence"]), ("markup", ["mk_open"]),
     ("induction", ["ind_run"]), ("consensus", ["cs_kind"]), ("constraints", ["ge_mistake"])],
)  # fmt: skip
@pytest.mark.parametrize("value", ["no json", '["kind","none"]', "-3", "[[1],[2],{}]", "[" * 100_000], ids=range(5))
def test_a_link_that_says_what_cannot_be_shows_the_usual(open_page, page, keys, value):
    app = open_page(state={"ge_results": "mistakes"})
    for key in keys:
        app.query_params[key] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, app.exception
    assert not app.error


def test_every_amount_the_sample_has_a_link(open_page):
    app = open_page(only='["upos","INTJ"]')
    found = sum("INTJ" in sentence.upos for sentence in load_sample())
    assert f"{found} of 332 sentences" in [caption.value for caption in app.caption]
