"""Rules by example on Annotate: what is proposed from corrections, and its dry run under Corpus, Search."""

import pytest

from core.search import parse_request, propose
from core.treebank import load_sample
from core.workspace.annotations import Annotations
from core.workspace.corpus.search import KIND
from tests.pages.reading import keys, pressed, said

OPEN = {"ann_example": True}


@pytest.fixture
def layer(workbench, sample):
    """The project's own annotations of the sample."""
    return Annotations(workbench, sample)


def rename(layer, index, old, new):
    """Give a relation of a sentence another name."""
    annotation, was = layer.get(index)
    relations = tuple(new if relation == old else relation for relation in annotation.deprels)
    layer.write(index, annotation.under(annotation.heads, relations), was, f"{index}-{new}", "relabelling")


def having(relation):
    """Indices of the sentences of the sample that have a relation."""
    return [index for index, sentence in enumerate(load_sample()) if relation in sentence.deprels]


def test_nothing_is_asked_before_it_is_opened_and_nothing_corrected_is_said(open_page):
    app = open_page("annotate")
    assert "ann_examples" not in keys(app.multiselect)
    app = open_page("annotate", state=OPEN)
    assert "No tree or tag of this text’s file has been corrected" in said(app.info)


def test_the_last_corrections_propose_a_request_which_is_tried(open_page, workbench, sample, layer):
    first, second, *_ = having("iobj")
    for index in (first, second):
        rename(layer, index, "iobj", "obl:arg")
    app = open_page("annotate", state=OPEN)
    assert sorted(app.multiselect(key="ann_examples").value) == sorted([first, second])
    for opened in (False, True):
        app.session_state["ann_example"] = opened
        app.run()
    assert sorted(app.multiselect(key="ann_examples").value) == sorted([first, second])
    request = app.code[0].value
    assert "deprel=iobj" in request and "W.deprel = obl:arg" in request
    hits, _ = propose(load_sample(), parse_request(request))
    rest = len(hits) - sum(load_sample()[index].deprels.count("iobj") for index in (first, second))
    assert f"{rest} more places in " in said(app.caption)
    app = pressed(app, "ann_example_try_0")
    assert workbench.store.document(sample.project, KIND, str(sample.id)) == request
    assert app.button(key="search_rewrite").label == f"Rewrite {rest} of {rest} hits"
    pressed(app, "search_rewrite")
    names = [corpus.name for corpus in workbench.store.corpora(sample.project)]
    assert sum("rewritten 1" in name for name in names) == 1
    workbench.store.undo(sample.project)
    assert not any("rewritten" in corpus.name for corpus in workbench.store.corpora(sample.project))


def test_a_wider_one_is_chosen_and_a_sentence_without_the_change_left_out(open_page, layer):
    first, second, *_ = having("iobj")
    other = next(index for index in having("nmod:desc") if index != first)
    rename(layer, first, "iobj", "obl:arg")
    rename(layer, other, "nmod:desc", "nmod")
    app = open_page("annotate", state=OPEN)
    assert app.multiselect(key="ann_examples").value == [other]
    app.multiselect(key="ann_examples").set_value([other, first]).run()
    assert "no change in common" in said(app.error)
    app.multiselect(key="ann_examples").set_value([]).run()
    assert "Choose one to three corrected sentences" in said(app.error)
    app.multiselect(key="ann_examples").set_value([first]).run()
    levels = app.segmented_control(key="ann_example_level_0")
    before = app.code[0].value
    assert [option.partition(" ·")[0] for option in levels.options][:3] == ["Narrower", "Best guess", "Wider"]
    app.segmented_control(key="ann_example_level_0").set_value("wider").run()
    assert app.code[0].value != before
    rename(layer, second, "iobj", "obl:arg")
    app = app.run()
    assert set(app.multiselect(key="ann_examples").value) == {first, second}  # chosen anew after a correction
