"""A named group is walked through on every page, and what a page found is kept as one."""

import re

import pytest

from core.treebank import load_sample
from core.workspace.groups import (
    by_lengths,
    by_sentences,
    group_mask,
    group_sentences,
    groups,
    remove_group,
    save_group,
)
from pages.shared.group_choice import ALL, GROUP

PICKED = [3, 8, 20, 41]
NAME = "picked"


@pytest.fixture
def group(workbench, corpus):
    return save_group(workbench, corpus, NAME, by_sentences(PICKED))


def numbers(app):
    """The numbers of the sentences that captions speak of."""
    said = [caption.value for caption in app.caption if caption.value.startswith("Sentence ")]
    return [int(value.split()[1].rstrip(":").replace(",", "")) for value in said]


@pytest.mark.parametrize(("page", "key"), [(None, "sentence"), ("constraints", "place"), ("induction", "place")])
def test_the_sentences_of_a_group_are_walked_through(open_page, group, page, key):
    app = open_page(page, group=NAME)
    for place, number in ((1, PICKED[0]), (4, PICKED[3])):
        app.session_state[key] = place
        app.run()
        assert not app.exception
        assert numbers(app) == [number]
    app.selectbox(key=GROUP).select(ALL).run()
    assert app.session_state[key] == 1
    assert numbers(app) == [1]


@pytest.mark.parametrize("page", [None, "constraints", "markup", "induction", "consensus", "joint", "teach"])
def test_without_groups_there_is_no_choice(open_page, page):
    app = open_page(page)
    assert not any(box.key == GROUP for box in app.selectbox)


def test_a_link_to_a_group_that_is_gone_says_so(open_page, workbench, corpus, group):
    remove_group(workbench.store, corpus, group.key)
    app = open_page(group=NAME)
    assert any("has no group 'picked'" in toast.value for toast in app.toast)
    assert numbers(app) == [1]
    app.run()
    assert not app.toast


def test_marked_sentences_of_a_group_are_listed(open_page, workbench, corpus):
    from core.workspace.markup.brackets import MarkupRoom

    marked = sorted(MarkupRoom(workbench).text(corpus).of_sentence)[2:5]
    save_group(workbench, corpus, NAME, by_sentences([index + 1 for index in marked]))
    app = open_page("markup", group=NAME)
    assert any(f"in {len(marked)} sentences" in caption.value for caption in app.caption)
    assert numbers(app)[0] == marked[0] + 1


def test_teach_offers_the_sentences_of_a_group(open_page, workbench, corpus):
    group = save_group(workbench, corpus, "short", by_lengths(3, 5))
    short = (group_sentences(load_sample(), group) + 1).tolist()
    app = open_page("teach", group="short")
    options = app.selectbox(key="teach_sentence").options
    assert [int(option.split()[0]) for option in options] == short


def test_what_compare_opened_is_kept_as_a_group(open_page, workbench, corpus):
    app = open_page("compare")
    assert "cmp_words_conllu" in [button.key for button in app.get("download_button")]
    app.text_input(key="cmp_words_group_name").set_value("disputed").run()
    app.button(key="cmp_words_group_keep").click().run()
    assert not app.exception
    (kept,) = groups(workbench.store, corpus)
    said = next(caption.value for caption in app.caption if " words in " in caption.value)
    words, sentences = (int(said.split()[place].replace(",", "")) for place in (0, 3))
    treebank = workbench.treebank(corpus)
    assert group_mask(treebank, kept).sum() == words  # these and no others of their sentences
    assert len(group_sentences(treebank, kept)) == sentences < words


def test_words_behind_an_error_count_are_kept_as_a_group(open_page, workbench, corpus):
    app = open_page("constraints")
    app.segmented_control(key="ge_results").set_value("mistakes").run()
    app.text_input(key="ge_arcs_group_name").set_value("errors").run()
    app.button(key="ge_arcs_group_keep").click().run()
    assert not app.exception
    (kept,) = groups(workbench.store, corpus)
    said = next(caption.value for caption in app.caption if " words in " in caption.value)
    words = int(re.search(r"([\d,]+) words in", said)[1].replace(",", ""))
    assert group_mask(workbench.treebank(corpus), kept).sum() == len(kept.definition["words"]) == words
