"""Links to what no control holds: the number that is open, a count chosen; and links that say what cannot be."""

import json

import numpy as np
import pytest

from core.treebank import conllu_text, load_sample
from core.workspace import escape
from core.workspace.annotations import Annotations
from core.workspace.compare.opening import is_opening
from core.workspace.compare.side_by_side import MOST
from core.workspace.outliers import text_outliers
from core.workspace.parses import add_parse, offered_parses
from core.workspace.registry import Systems
from tests.pages.reading import keys, pressed, said, table

THRESHOLDS = "Share of the majority head", "Minimum count"
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


def test_a_fifth_parse_asks_which_to_leave_out(open_page, workbench, sample, add_parses):
    added = add_parses(MOST + 1)
    five = [offer.name for offer in offered_parses(Systems(workbench), sample) if offer.name in added]
    app = open_page("compare", parses=five)
    chosen = list(app.session_state["parses"])
    assert len(chosen) == MOST and f"Leave out which for **{escape(five[MOST])}**?" in said(app.markdown)
    pressed(app, f"cmp_leave_out_{chosen[1]}")
    now = app.session_state["parses"]
    assert len(now) == MOST and chosen[1] not in now and now[:3] == [chosen[0], *chosen[2:]]
    assert "Leave out which" not in said(app.markdown) and not app.error
    app = pressed(open_page("compare", parses=five), "cmp_leave_out")
    assert list(app.session_state["parses"]) == chosen and "Leave out which" not in said(app.markdown)


@pytest.fixture
def add_parses(workbench, sample):
    """add_parses(count) -> names of so many parses of the sample, each of which begins otherwise."""

    def add_parses(count):
        bank, names = workbench.treebank(sample), [f"mine {number}.conllu" for number in range(count)]
        for number, name in enumerate(names):
            heads = np.where(np.arange(len(bank.heads)) == number + 1, -1, bank.heads)
            add_parse(workbench, sample, name, conllu_text(bank.with_heads(heads, bank.deprel)).encode())
        return names

    return add_parses


def thresholds(app):
    return [slider.value for slider in app.slider if slider.label in THRESHOLDS]


def test_the_thresholds_of_consensus_stand_in_the_address_and_count_until_others_are_kept(open_page, workbench, sample):
    app = open_page("consensus")
    kept = json.loads(dict(app.query_params)["cs_thresholds"])
    link = json.dumps([0.8, 3])
    assert kept != [0.8, 3]
    app = open_page("consensus", cs_thresholds=link)
    assert thresholds(app) == [0.8, 3]
    assert workbench.store.document(sample.project, "consensus", str(sample.id)) is None  # a link changes no plan
    pressed(app, "cs_keep_thresholds")
    assert "cs_keep_thresholds" not in keys(app.button) and [
        slider.value for slider in app.slider if slider.label in THRESHOLDS
    ] == [0.8, 3]
    pressed(app, "shared_undo")
    assert thresholds(app) == kept
    assert json.loads(dict(app.query_params)["cs_thresholds"]) == kept
    for wrong in ('["x",3]', "7", "[2,3]", "[0.5,0]", "[1]"):
        app = open_page("consensus", cs_thresholds=wrong)
        assert len(app.toast) == 1 and thresholds(app) == kept


def test_a_word_that_is_not_listed_any_more_is_missed_in_one_sentence(open_page):
    app = open_page("consensus", {"cs_view": "outliers"}, odd_row="[2,0,1]")
    assert said(app.toast).startswith("Word 1 of sentence 1 is not among the inconsistencies any more")
    row, *place = json.loads(dict(app.query_params)["odd_row"])
    assert row == 2 and f"Sentence {place[0] + 1}" in said(app.caption)
    assert said(app.run().toast) == ""
    moved = json.dumps([0, *place])  # it stands in another row since
    app = open_page("consensus", {"cs_view": "outliers"}, odd_row=moved)
    assert said(app.toast) == "" and f"Sentence {place[0] + 1}" in said(app.caption)


def test_a_list_is_gone_through_in_its_own_order_and_ticks_what_is_done(open_page, workbench, sample):
    places = text_outliers(workbench, sample).places
    app = pressed(open_page("consensus", {"cs_view": "outliers"}), "odd_annotate")
    app.switch_page("pages/annotate.py")  # where it is already; AppTest does not follow
    assert app.session_state["sentence"] == places[0][0] + 1 and f"1 of {len(places)} · 0 done" in said(app.markdown)
    pressed(app, "ann_list_Next")
    assert app.session_state["sentence"] == places[1][0] + 1 and f"2 of {len(places)}" in said(app.markdown)
    Annotations(workbench, sample).set_status(places[1][0], "done")
    done = sum(sentence == places[1][0] for sentence, _ in places)
    assert f":material/check: **Inconsistencies** · 2 of {len(places)} · {done} done" in said(app.run().markdown)
    link = dict(app.query_params)
    again = open_page("annotate", **{key: link[key] for key in ("list", "list_row", "sentence")})
    assert f"2 of {len(places)}" in said(again.markdown)
    pressed(app, "ann_list_back")
    assert table(app, "odds")["done"].tolist()[:2] == ["", "✓"]
    assert json.loads(dict(app.query_params)["odd_row"]) == [1, *places[1]]


@pytest.mark.parametrize("link", ['["outliers","0123456789ab"]', '["outliers"]', "7", '["a/b","c"]'])
def test_a_link_to_a_list_that_is_gone_says_so_once(open_page, link):
    app = open_page("annotate", list=link, sentence="3")
    assert len(app.toast) == 1 and "list" in app.toast[0].value and app.session_state["sentence"] == 3
    assert "list" not in app.query_params and said(app.run().toast) == ""


def test_a_link_to_a_version_that_has_nothing_says_so(open_page, workbench, sample):
    app = open_page("annotate", by='"Ana"')
    assert "Ana’s version" in said(app.markdown) and "no correction of this text yet" in said(app.markdown)
    Annotations(workbench, sample, "Ana").set_status(0, "begun")
    assert "no correction of this text yet" not in said(open_page("annotate", by='"Ana"').markdown)
