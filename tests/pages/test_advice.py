"""What next? on its three pages: without trees, with corrected sentences, without tags; each piece of work begins."""

import shutil
from dataclasses import asdict

import pytest

from core.advice import LINE, TREEBANK, TREES
from core.workspace import add_corpus
from core.workspace.constraints.advised_record import points, records
from core.workspace.constraints.documents import save_text
from core.workspace.groups import groups
from core.workspace.registry import Systems
from core.workspace.system import packed
from tests.advising import SET, ask, correct, longer_sentences, short_sentences, written, written_bare
from tests.pages.reading import said

PAGES = {"constraints": {"advice_open": True}, "annotate": {"annotate": "next"}, "runs": {"advice_open": True}}


def add(workspace, name, data):
    project = workspace.store.default_project()
    return workspace.store.corpus(add_corpus(workspace.store, project, name, data.encode())[0])


def untreed(workspace):
    """Forty sentences without trees, under a set."""
    corpus = add(workspace, "bare.conllu", written_bare(short_sentences()))
    save_text(workspace.store, corpus, SET, "typing")
    return corpus


def asked_elsewhere(workspace):
    """The same, and advice about another text."""
    corpus = untreed(workspace)
    advised = Systems(workspace)["advised"]
    ask(advised, workspace.store.corpora(corpus.project)[0], sentences=2)


def asked_with_trees(workspace):
    """The same twelve of them corrected, and advice."""
    corpus = untreed(workspace)
    correct(workspace, corpus, short_sentences(), range(12))
    ask(Systems(workspace)["advised"], corpus, sentences=5)


def asked_with_a_treebank(workspace):
    """Twenty-four corrected, another text with trees, and advice."""
    corpus = untreed(workspace)
    correct(workspace, corpus, short_sentences(), range(24))
    add(workspace, "trees.conllu", written(longer_sentences().limit(20)))
    ask(Systems(workspace)["advised"], corpus, sentences=5)


@pytest.fixture
def prepared(home, made):
    """prepared(prepare) -> (the text of forty sentences, the advice over it), in the store that prepare filled."""

    def prepared(prepare):
        from pages.shared.state import systems

        shutil.copytree(made(prepare), home, dirs_exist_ok=True)  # before anybody has opened it
        advised = systems()["advised"]
        corpora = advised.store.corpora(advised.store.default_project())
        return next(each for each in corpora if each.name.startswith("bare")), advised

    return prepared


def place_of(found, kind):
    return next(k for k, each in enumerate(found.advice) if each.kind == kind)


@pytest.mark.parametrize("page", PAGES)
def test_before_anything_was_asked_the_button_and_what_it_does_stand_there(open_page, prepared, page):
    prepared(asked_elsewhere)  # so that the Runs page has a run
    app = open_page(page, state=PAGES[page], corpus="bare.conllu")
    assert app.button(key="advice_start").label == "What would help most?"
    assert "points of accuracy for an hour of your work" in said(app.caption)


def test_without_trees_it_is_said_and_a_click_asks(open_page, prepared):
    bare, advised = prepared(untreed)
    workbench = advised.workspace
    app = open_page("constraints", state=PAGES["constraints"], corpus="bare.conllu")
    app.button(key="advice_start").click().run()
    (run,) = [each for each in workbench.store.runs(bare.project, "advice")]
    workbench.jobs.wait(run.id, timeout=120)
    app.run()
    assert "no sentence has a known tree to score on; correct some under Check 20" in said(app.caption)
    assert set(app.dataframe[-1].value["hour"]) == {"not known"}


def test_a_gain_stands_there_with_its_interval_and_sentences_open_on_annotate(open_page, prepared):
    bare, advised = prepared(asked_with_trees)
    found, *_ = advised.advice(bare)
    app = open_page("annotate", state=PAGES["annotate"] | {"advice_row": place_of(found, TREES)}, corpus="bare.conllu")
    trees = found.advice[place_of(found, TREES)]
    table = app.dataframe[0].value
    assert points((trees.gain, trees.low, trees.high)) in table["gain"].tolist()
    assert f"**{found.accuracy.value:.1f}%** of heads right" in said(app.markdown)
    app.button(key="advice_begin").click().run()
    assert not app.exception and app.session_state["annotate"] == "tree"
    (group,) = groups(advised.store, bare)
    assert group.definition["sentences"] == sorted(place + 1 for place in trees.sentences)
    assert app.session_state["ann_order"] == group.key
    assert app.session_state["sentence"] == min(group.definition["sentences"])
    (record,) = records(advised.store, bare)
    assert record.advice.gain == trees.gain and "advice_go" not in app.session_state
    app = open_page("annotate", state=PAGES["annotate"], corpus="bare.conllu")
    assert app.dataframe[-1].value["came"].tolist() == ["not measured yet"]


def test_sentences_open_on_annotate_from_another_page(open_page, prepared):
    bare, advised = prepared(asked_with_trees)
    found, *_ = advised.advice(bare)
    state = PAGES["constraints"] | {"advice_row": place_of(found, TREES)}
    app = open_page("constraints", state=state, corpus="bare.conllu")
    app.button(key="advice_begin").click().run()
    assert not app.exception and app.session_state["annotate"] == "tree" and "advice_go" not in app.session_state
    assert "ann_order" in app.session_state


@pytest.mark.parametrize("follows", [False, True])
def test_a_line_is_added_and_a_treebank_trained_with(open_page, prepared, follows):
    bare, advised = prepared(asked_with_a_treebank)
    workbench = advised.workspace
    found, *_ = advised.advice(bare)
    line = place_of(found, LINE)
    app = open_page("constraints", state=PAGES["constraints"] | {"advice_row": line}, corpus="bare.conllu")
    app.segmented_control(key="ge_view").set_value("text").run()
    workbench.store.remember(bare.project, "view", "follow", follows)
    typed = f"{SET}NOUN <- VERB per modifier = 0.2..0.9\n"
    app.session_state["ge_editor"] = {"edit": {"id": "typed-1", "text": typed}}  # in one message with the click
    app.button(key="advice_begin").click().run()
    source = advised.inputs(bare, advised.plan(bare)).constraint_text
    assert source == f"{typed}{found.advice[line].what}\n" and "has changed since" in said(app.caption)
    app.button(key="advice_begin").click().run()
    assert "of the set says this already; ask for advice again" in said(app.error)
    assert advised.inputs(bare, advised.plan(bare)).constraint_text == source
    names = [each.what for each in found.advice]
    app.session_state["advice_row"] = names.index("trees.conllu")
    app.run()
    app.button(key="advice_begin").click().run()
    (run,) = workbench.store.runs(bare.project, "advised")
    assert workbench.jobs.wait(run.id, timeout=120).status == "done"
    app.run()
    assert "Learnt from as well: **trees.conllu**" in said(app.markdown) and app.button(key="advice_trees")
    assert [each.advice.kind for each in records(workbench.store, bare)] == [LINE, TREEBANK]


def test_a_text_without_tags_is_one_sentence(open_page, workbench):
    add(workbench, "words.txt", "the cat sleeps\n")
    app = open_page("annotate", state=PAGES["annotate"], corpus="words.txt")
    assert len(app.error) == 1 and "tag" in app.error[0].value and not app.exception


def test_what_was_stopped_half_way_is_said_to_be_partial(open_page, prepared):
    bare, advised = prepared(asked_with_trees)
    found, *_ = advised.advice(bare)
    values = asdict(found) | {"advice": [each.as_dict() for each in found.advice], "stopped": True}
    _, run, _ = advised.advice(bare)
    half = advised.store.create_run(bare.project, "advice", run.settings, data_hash=run.data_hash)
    advised.store.start_run(half)
    advised.store.finish_run(half, "cancelled", run.figures, packed("advice", values))
    app = open_page("annotate", state=PAGES["annotate"], corpus="bare.conllu")
    assert "Stopped half-way: what was measured by then is listed" in said(app.caption)
    assert len(app.dataframe[0].value) == len(found.advice)
