"""A named group is walked through on every page, and what a page found is kept as one."""

import pytest

from core.treebank import load_sample
from core.workspace.groups import (
    by_lengths,
    by_sentences,
    group_mask,
    group_sentences,
    groups,
    save_group,
)
from core.workspace.markup.brackets import MarkupRoom
from pages.shared.group_choice import ALL
from pages.shared.view_state import ViewState
from tests.pages.reading import keep_group, keys, said

PICKED = [3, 8, 20, 41]


@pytest.fixture
def keep(workbench, corpus):
    """keep(definition) -> the group ``picked``."""
    return lambda definition: save_group(workbench, corpus, "picked", definition)


def numbers(app):
    """The numbers of the sentences that captions speak of."""
    found = [caption.value for caption in app.caption if caption.value.startswith("Sentence ")]
    return [int(value.split()[1].rstrip(":").replace(",", "")) for value in found]


@pytest.mark.parametrize(("page", "key"), [("corpus", "sentence"), ("constraints", "place"), ("induction", "place")])
def test_the_sentences_of_a_group_are_walked_through(open_page, keep, page, key):
    keep(by_sentences(PICKED))
    app = open_page(page, group="picked")
    for place in (1, 4):
        app.session_state[key] = place
        assert numbers(app.run()) == [PICKED[place - 1]]
    app.selectbox(key=ViewState.group).select(ALL).run()
    assert app.session_state[key] == 1 and numbers(app) == [1]


def test_without_groups_there_is_no_choice_and_a_link_to_one_that_is_gone_says_so(open_page, workbench, corpus, keep):
    app = open_page()
    for page in ("corpus", "constraints", "markup", "induction", "consensus", "joint", "teach"):
        assert ViewState.group not in keys(app.switch_page(f"pages/{page}.py").run().selectbox)
    keep(by_sentences(PICKED))
    workbench.store.undo(corpus.project)
    app = open_page(group="picked")
    assert "has no group 'picked'" in said(app.toast) and numbers(app) == [1]
    assert not app.run().toast


def test_mark_up_and_teach_show_the_sentences_of_a_group(open_page, workbench, corpus, keep):
    marked = sorted(MarkupRoom(workbench).text(corpus).of_sentence)[2:5]
    keep(by_sentences([index + 1 for index in marked]))
    app = open_page("markup", group="picked")
    assert f"in {len(marked)} sentences" in said(app.caption) and numbers(app)[0] == marked[0] + 1
    short = save_group(workbench, corpus, "short", by_lengths(3, 5))
    options = open_page("teach", group="short").selectbox(key="teach_sentence").options
    assert [int(option.split()[0]) for option in options] == (group_sentences(load_sample(), short) + 1).tolist()


@pytest.mark.parametrize(("page", "key"), [("compare", "cmp_words"), ("constraints", "ge_arcs")])
def test_the_words_that_a_page_opened_are_kept_as_a_group(open_page, workbench, corpus, page, key):
    app = open_page(page, {"ge_results": "mistakes"})
    assert f"{key}_conllu" in keys(app.get("download_button"))
    keep_group(app, f"{key}_group")
    (kept,) = groups(workbench.store, corpus)
    told = next(caption.value for caption in app.caption if " words in " in caption.value).partition(" sentences")[0]
    before, _, sentences = told.rpartition(" words in ")
    words, sentences = (int(each.split()[-1].replace(",", "")) for each in (before, sentences))
    treebank = workbench.treebank(corpus)
    assert group_mask(treebank, kept).sum() == len(kept.definition["words"]) == words  # these and no others
    assert len(group_sentences(treebank, kept)) == sentences < words
