"""What next? on its three pages: without trees, with corrected sentences, without tags; each piece of work begins."""

from dataclasses import asdict, replace

import pytest

from core.advice import ANSWER, KIN, LINE, QUESTIONS, TREEBANK, TREES, Advice, GainEstimates, MeasuredGain, TurnedArcs
from core.workspace.constraints.advice_record import points, records
from core.workspace.constraints.conditioning import stored_plan
from core.workspace.groups import groups
from core.workspace.registry import Systems
from core.workspace.system import packed
from tests.advising import SET, correct, longer_sentences, short_sentences, written_bare
from tests.pages.conftest import add_to
from tests.pages.reading import keys, pressed, said, shown, table, waited

PAGES = {"constraints": {"advice_open": True}, "annotate": {"annotate": "next"}, "runs": {"advice_open": True}}
TREES_TO_MAKE = Advice(TREES, "", 9.0, 2.0, 0.5, 3.5, sentences=(19, 14, 30))
TURNED = TurnedArcs(40, 17, 5.0, 200, 30)
OBJECT = Advice(ANSWER, "object", 1.0, turned=TURNED)
LINE_TO_ADD = Advice(LINE, "ADJ <- NOUN per modifier = 0.8..1.0", 5.0, reason="it matches too few words")


def keep(advised, corpus, estimate):
    """Keep GainEstimates as the run that asks for it does, with what there is to learn from now."""
    store, inputs = advised.store, advised.inputs(corpus, advised.plan(corpus))
    number = store.create_run(
        corpus.project, "advice", advised.recorded(inputs, advised.plan(corpus)), data_hash=inputs.hash
    )
    store.start_run(number)
    values = asdict(estimate) | {"advice": [each.as_dict() for each in estimate.advice]}
    store.finish_run(number, "cancelled" if estimate.stopped else "done", {"scored": 12}, packed("advice", values))


def prepared(workspace):
    """A text without trees; the same, corrected in part, with another text's trees and advice."""
    add_to(workspace, "none.conllu", written_bare(short_sentences()), SET)
    corpus = add_to(workspace, "bare.conllu", written_bare(short_sentences()), SET)
    correct(workspace, corpus, short_sentences(), range(12))
    trees = add_to(workspace, "trees.conllu", longer_sentences().limit(20))
    treebank = Advice(TREEBANK, "trees.conllu", 15.0, 1.0, -1.0, 3.0, source_corpus=trees.id)
    found = GainEstimates((TREES_TO_MAKE, LINE_TO_ADD, treebank), MeasuredGain(61.5, 50.0, 70.0), 12, 12)
    keep(Systems(workspace)["advised"], corpus, found)


@pytest.fixture
def advised(workbench):
    from pages.shared.session import session

    return session().systems["advised"]


@pytest.fixture
def bare(workbench, project):
    return next(each for each in workbench.store.corpora(project) if each.name == "bare.conllu")


def test_the_button_stands_there_with_what_it_does_and_a_click_asks(open_page, workbench):
    for page in reversed(PAGES):
        app = open_page(page, state=PAGES[page], corpus="none.conllu")
        assert app.button(key="advice_start").label == "Measure the gains"
        assert "points of accuracy for an hour of your work" in said(app.caption)
    pressed(app, "advice_start")
    waited(app, workbench, "advice")
    listed = table(app, "hour")
    is_question = listed["work"].str.startswith("Answer a question: ")
    assert is_question[0] and answers(app) is not None  # that on which most arcs hang
    assert listed["hour"][is_question].str.startswith("at most +").all()
    others = dict(zip(listed["work"][~is_question], listed["hour"][~is_question], strict=True))
    assert others.pop("Answer 5 questions of Ask me").startswith("at most +")
    assert others.pop("Correct 20 sentences").endswith("minutes") and set(others.values()) == {"not known"}
    app.session_state["advice_row"] = listed["work"].str.startswith("Correct").tolist().index(True)
    app.run()
    assert "no sentence has a known tree to score on; correct some under Check 20" in said(app.caption)
    assert " heads to be wrong, " in said(app.caption)


def test_a_gain_stands_there_with_its_interval_and_its_sentences_open_on_annotate(open_page, advised, bare):
    app = open_page("annotate", state=PAGES["annotate"] | {"advice_row": 0}, corpus="bare.conllu")
    assert points((2.0, 0.5, 3.5)) in table(app, "gain")["gain"].tolist()
    assert "**61.5%** of heads right" in said(app.markdown)
    pressed(app, "advice_begin")
    assert app.session_state["annotate"] == "tree" and "advice_go" not in app.session_state
    (group,) = groups(advised.store, bare)
    assert group.definition["sentences"] == [15, 20, 31]
    assert (app.session_state["ann_order"], app.session_state["sentence"]) == (group.key, 15)
    assert [record.advice for record in records(advised.store, bare)] == [TREES_TO_MAKE]
    app = open_page("annotate", state=PAGES["annotate"], corpus="bare.conllu")
    assert app.dataframe[-1].value["came"].tolist() == ["not measured yet"]
    app = open_page("constraints", state=PAGES["constraints"] | {"advice_row": 0}, corpus="bare.conllu")
    assert pressed(app, "advice_begin").header[0].value == "Annotate" and len(groups(advised.store, bare)) == 2
    assert (app.session_state["corpus_id"], app.session_state["sentence"]) == (bare.id, 15)


@pytest.mark.parametrize("follows", [False, True])
def test_a_line_is_added_to_what_was_just_typed_and_only_once(open_page, advised, bare, follows):
    app = open_page("constraints", state=PAGES["constraints"] | {"advice_row": 1}, corpus="bare.conllu")
    shown(app, ge_view="text")
    advised.store.remember(bare.project, "view", "follow", follows)
    typed = f"{SET}NOUN <- VERB per modifier = 0.2..0.9\n"
    app.session_state["ge_editor"] = {"edit": {"id": "typed-1", "text": typed}}  # in one message with the click
    for _ in range(2):
        pressed(app, "advice_begin")
        source = advised.inputs(bare, advised.plan(bare)).constraint_text
        assert source == f"{typed}{LINE_TO_ADD.what}\n" and "has changed since" in said(app.caption)
    assert "of the set says this already; ask for advice again" in said(app.error)
    assert [record.advice.kind for record in records(advised.store, bare)] == [LINE]


def test_another_treebank_is_learnt_from(open_page, workbench):
    app = open_page("constraints", state=PAGES["constraints"] | {"advice_row": 2}, corpus="bare.conllu")
    pressed(app, "advice_begin")
    waited(app, workbench, "advised")
    assert "Learnt from as well: **trees.conllu**" in said(app.markdown) and "advice_trees" in keys(app.button)


def answers(app):
    """The question that What next asks, whose key counts how often it was answered from elsewhere; None without one."""
    return next((each for each in app.get("segmented_control") if each.key.startswith("advice_order_")), None)


def test_a_question_is_answered_where_it_stands_and_says_so(open_page, workbench, bare, advised):
    keep(advised, bare, GainEstimates((OBJECT, TREES_TO_MAKE), None, 0, 12))
    app = open_page("annotate", state=PAGES["annotate"] | {"advice_row": 0}, corpus="bare.conllu")
    listed = table(app, "gain")
    assert listed["work"].tolist()[0] == "Answer a question: An object stands … its verb"
    assert listed["gain"].tolist()[0] == "at most +2.5" and listed["hour"].tolist()[0] == "at most +2.5 in 1 minute"
    assert "40 of 200 arcs depend on the answer, in 17 of 30 sentences; about 5 would change" in said(app.caption)
    assert answers(app).label == "An object stands … its verb"
    answers(app).set_value("before").run()
    plan = stored_plan(workbench, bare)
    assert plan is not None and plan.word_order == "object=before"
    assert table(app, "gain")["hour"].tolist()[0] == "answered: before" and answers(app).value == "before"
    assert "has changed since" in said(app.caption)
    pressed(app, "shared_undo")
    assert table(app, "gain")["hour"].tolist()[0] == "at most +2.5 in 1 minute"


@pytest.mark.parametrize("page", ["constraints", "runs"])
def test_questions_say_what_they_are_about_and_open_ask_me(open_page, bare, advised, page):
    turned = replace(TURNED, wrong=50.2)
    asked = Advice(QUESTIONS, "5", 5.0, turned=turned)
    trees = replace(TREES_TO_MAKE, gain=None, low=None, high=None, reason="too few trees", turned=turned)
    keep(advised, bare, GainEstimates((asked, trees), None, 0, 12))
    app = open_page(page, state=PAGES[page] | {"advice_row": 1}, corpus="bare.conllu")
    listed = table(app, "gain")
    assert listed["work"].tolist() == ["Answer 5 questions of Ask me", "Correct 3 sentences"]
    assert listed["hour"].tolist() == ["at most +2.5 in 5 minutes", "+2.5 by themselves in 9 minutes"]
    assert "expects 50 of 200 heads to be wrong, 5 of them in these sentences; an average sentence has 1.7." in said(
        app.caption
    )
    app.session_state["advice_row"] = 0
    assert "50 of 200 heads to be wrong; the next questions are about 5 of these, in 40 words." in said(
        app.run().caption
    )
    app = pressed(app, "advice_begin")
    assert app.header[0].value == "Constraints" and app.segmented_control(key="ge_view").value == "ask"
    assert records(advised.store, bare) == []


def test_languages_are_chosen_by_a_click_or_it_is_said_where(open_page, workbench, bare, advised):
    latin = Advice(KIN, "Latin", 1.0, turned=TURNED, languages=("Irish", "Latin"))
    far = Advice(KIN, "Irish, Latin", 1.0, turned=TURNED)
    keep(advised, bare, GainEstimates((latin, far), None, 0, 12))
    app = open_page("constraints", state=PAGES["constraints"] | {"advice_row": 1}, corpus="bare.conllu")
    assert "Choose similar ones in Settings, Languages" in said(app.caption)
    assert "advice_begin" not in keys(app.button)
    app = open_page("constraints", state=PAGES["constraints"] | {"advice_row": 0}, corpus="bare.conllu")
    assert "40 of 200 arcs would change, in 17 of 30 sentences" in said(app.caption)
    pressed(app, "advice_begin")
    plan = stored_plan(workbench, bare)
    assert plan is not None and plan.kin == ("Irish", "Latin")


def test_a_text_without_tags_is_one_sentence(open_page, add):
    add("words.txt", "the cat sleeps\n")
    app = open_page("annotate", state=PAGES["annotate"], corpus="words.txt")
    assert len(app.error) == 1 and "tag" in app.error[0].value


def test_what_was_stopped_half_way_is_said_to_be_partial(open_page, advised, bare):
    found, *_ = advised.advice.latest(bare)
    keep(advised, bare, replace(found, stopped=True))
    app = open_page("annotate", state=PAGES["annotate"], corpus="bare.conllu")
    assert "Stopped half-way: what was measured by then is listed" in said(app.caption)
    assert len(app.dataframe[0].value) == 3
