"""The Annotate page: what stands there at once, links, proposals, notes, and what cannot be."""

import contextvars
import json
import threading
from types import SimpleNamespace

import pytest

from core.annotation import attach, change, detach
from core.constraints.ge.baselines import attach_right
from core.treebank import Treebank, conllu_text, load_sample
from core.workspace.annotate.check import draw
from core.workspace.annotate.proposals import remember_proposal
from core.workspace.annotate.steps import Answered
from core.workspace.annotations import Annotations
from core.workspace.corrections import CountedCorrections, choose_counted
from core.workspace.groups import by_sentences, save_group
from core.workspace.parses import add_parse
from core.workspace.random_sample import drawn
from core.workspace.registry import Systems
from pages.shared import session as pages_session
from pages.shared.annotate import editor
from pages.shared.annotate.editor import carry_out_sent_steps
from pages.shared.annotate.view_state import AnnotateView
from tests.pages.reading import pressed, said, waited
from tests.workspace.running import ended

GOOD = "1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def layer(workbench, sample):
    """The project's own annotations of the sample."""
    return Annotations(workbench, sample)


def test_the_first_sentence_is_there_and_status_and_note_are_kept_and_undone(open_page, layer):
    app = open_page("annotate")
    assert "Sentence 1 of 332" in said(app.caption) and app.get("bidi_component")
    assert app.get_by_key("ann_status").value == "new"
    app.text_area(key="ann_note_0").set_value("x" * 5001).run()  # too long
    assert layer.state(0).note == ""
    app.get_by_key("ann_status").set_value("doubtful").run()
    app.text_area(key="ann_note_0").set_value("why obl?").run()
    assert (layer.state(0).status, layer.state(0).note) == ("doubtful", "why obl?")
    pressed(pressed(app, "shared_undo"), "shared_undo")
    assert app.get_by_key("ann_status").value == "new"
    assert "Sentence 7 of 332" in said(open_page("annotate", sentence="7").caption)


def test_steps_from_the_editor_are_carried_out_and_lead_on(open_page, layer, sample):
    step = {"id": "a-1", "corpus": sample.id, "sentence": 0, "layer": "", "was": layer.get(0)[1], "after": None}
    queue = [step | {"do": "attach", "word": 1, "head": 3, "relation": "obj"}, {"id": "a-2", "do": "go", "by": 1}]
    app = open_page("annotate", state={"ann_editor": {"steps": {"view": "a", "queue": queue}}})
    assert layer.get(0)[0].heads[1] == 3 and "Sentence 2 of 332" in said(app.caption)
    for sent in (3, {"queue": 3}, {"queue": [3, None, {"id": [1]}, {}]}):  # what the browser should never send
        app = open_page("annotate", state={"ann_editor": {"steps": sent}})
        assert "Sentence 1 of 332" in said(app.caption)


def test_one_button_trains_on_the_trees_made_here(open_page, workbench, add):
    text = "the/DET cat/NOUN sleeps/VERB\na/DET dog/NOUN barks/VERB\nthe/DET dog/NOUN sees/VERB a/DET cat/NOUN\n"
    layer = Annotations(workbench, add("cats.txt", text, "DET <- NOUN per modifier = 0.9..1\n"))
    app = pressed(open_page("annotate", corpus="cats.txt"), "ann_learn")
    assert "No tree of this text is corrected and marked done yet" in app.error[0].value
    for index in range(2):
        annotation, revision = layer.get(index)
        for word, head in enumerate((2, 3, 0), start=1):
            annotation = attach(annotation, word, head)
        layer.write(index, annotation, revision, f"h{index}", "heads")
    pressed(app.run(), "ann_learn")
    assert "mark done what is right of the 2 trees begun" in app.error[0].value
    for index in range(2):
        layer.set_status(index, "done")
    pressed(app.run(), "ann_learn")
    assert waited(app, workbench).figures["trees"]["complete"] == 2 and not app.error


def test_long_sentences_glosses_and_translations_are_shown(open_page, add):
    words = [f"{m}\tw{m}\t_\tNOUN\t_\t_\t{m - 1}\t{'dep' if m > 1 else 'root'}\t_\t_\n" for m in range(1, 301)]
    add("long.conllu", "".join([*words, "\n"]))
    assert open_page("annotate", corpus="long.conllu").get("bidi_component")
    add("gloss.conllu", "# text_en = The cats sleep.\n" + GOOD.replace("_\t_\n", "_\tGloss=cats\n"))
    assert "text\\_en: *The cats sleep.*" in said(open_page("annotate", corpus="gloss.conllu").caption)


def test_twenty_sentences_are_drawn_and_judge_the_english_parser(open_page, workbench, sample, layer):
    app = open_page("annotate", state={"annotate": "check"})
    assert "Pick 20 sentences at random" in app.info[0].value
    pressed(app, "ann_draw")
    chosen = workbench.store.document(sample.project, "annotation-check", str(sample.id))["sentences"]
    assert len(chosen) == 20
    for index in chosen[:3]:
        layer.set_status(index, "done")
    assert "Select the parsers to score" in said(app.run().caption)
    app.multiselect(key="ann_check_parsers").set_value(["english"]).run()
    of = len(layer.source)
    basis = f"Without punctuation, in 3 sentences corrected by hand, drawn at random from {of}."
    assert basis in said(app.caption)
    score = app.dataframe[0].value.iloc[0, 1]
    assert "%" in score and " of " in score and not app.warning
    for index, parser in zip(chosen, ("english", "run-7"), strict=False):
        annotation, revision = layer.get(index)
        layer.write(index, detach(annotation, 1), revision, f"c{index}", "x", proposal=parser)
        layer.set_status(index, "done")
    began = "English parser: 1 sentence began from its own trees, so its score is too high."
    assert began in said(app.run().caption)


def test_a_proposal_that_was_sought_among_likely_arcs_alone_says_so(open_page, workbench, add):
    long = {"forms": ["go"] * 201, "upos": ["VERB"] * 201, "sent_id": "long"}
    text = add("long.conllu", Treebank.from_sentences([{"forms": ["Go"], "upos": ["VERB"]}, long]))
    remember_proposal(workbench.store, text, "english")
    note = "Sentence long has 201 words: only the 20 likeliest heads"
    assert note in said(open_page("annotate", corpus=text.name, sentence="2").caption)
    assert note not in said(open_page("annotate", corpus=text.name, sentence="1").caption)


def test_check_twenty_begins_with_the_newest_parse_of_the_text(open_page, workbench, sample, layer):
    draw(workbench.store, sample, 40, 3)
    for index in drawn(workbench.store, sample)["sentences"]:
        layer.set_status(index, "done")
    data = conllu_text(attach_right(load_sample()).to_conllu()).encode()
    key = add_parse(workbench, sample, "mine.conllu", data)
    app = open_page("annotate", state={"annotate": "check"})
    assert app.multiselect(key="ann_check_parsers").value == [key]
    assert app.dataframe[0].value["parser"].tolist() == ["mine.conllu"]


def test_begun_trees_count_in_check_twenty_by_choice(open_page, workbench, sample, layer):
    draw(workbench.store, sample, 40, 3)
    for index in drawn(workbench.store, sample)["sentences"][:2]:
        layer.set_status(index, "begun")
    add_parse(workbench, sample, "mine.conllu", conllu_text(attach_right(load_sample()).to_conllu()).encode())
    app = open_page("annotate", state={"annotate": "check"})
    assert "0 of 3 sentences done. Scores appear once two sentences are done." in said(app.caption)
    choose_counted(workbench.store, sample, CountedCorrections(begun=True))
    assert "in 2 sentences corrected by hand, 2 of them only begun" in said(app.run().caption)


def test_a_parser_is_not_scored_on_what_it_learnt_from(open_page, workbench, sample, layer, monkeypatch):
    draw(workbench.store, sample, 40, 5)
    chosen = drawn(workbench.store, sample)["sentences"]
    state = {"annotate": "check", "ann_check_parsers": ["english"]}
    for index in chosen:
        layer.set_status(index, "done")
    for learnt, score, note in (
        (chosen[:2], "%", "drawn at random from 40, without 2 sentences learnt from."),
        (chosen[:4], "", "no score: it was trained on 4 of the 5 sentences; pick others"),
    ):
        monkeypatch.setattr("core.workspace.annotate.check.learnt_from", lambda *_, learnt=learnt: learnt)
        layer.set_note(chosen[0], note)  # a score is kept until something is saved
        app = open_page("annotate", state=state)
        (row,) = app.dataframe[0].value.to_dict("records")
        assert score in row["UAS"] and bool(score) == bool(row["UAS"])
        assert note in (said(app.caption) if score else row["note"])


def test_whose_proposals_a_text_shows_is_remembered(open_page, workbench, sample, add):
    def shown(**query):
        return open_page("annotate", **query).selectbox(key="ann_proposal")

    assert shown().value == "none"
    shown().select("english").run()
    add("other.conllu", GOOD)
    assert (shown(corpus="sample").value, shown(corpus="other.conllu").value) == ("english", "none")
    remember_proposal(workbench.store, sample, "run-99")  # gone since
    assert shown(corpus="sample").value == "none"


def test_a_run_that_ends_proposes_in_place_of_the_one_chosen_before(open_page, workbench, sixty):
    corpus, crf = sixty("DET <- NOUN = 0.9\n"), Systems(workbench)["ge"]
    first = ended(crf, crf.train(crf.text(corpus), "DET <- NOUN = 0.9\n"))
    app = open_page("annotate", corpus="sixty.conllu")
    app.selectbox(key="ann_proposal").select(f"run-{first.id}").run()
    second = ended(crf, crf.train(crf.text(corpus), "DET <- NOUN = 0.8\n"))
    app.run()
    assert app.selectbox(key="ann_proposal").value == f"run-{second.id}"
    assert "proposes now, for it is newer" in app.toast[0].value
    app.selectbox(key="ann_proposal").select(f"run-{first.id}").run()
    assert app.run().selectbox(key="ann_proposal").value == f"run-{first.id}"
    assert open_page("annotate", corpus="sixty.conllu").selectbox(key="ann_proposal").value == f"run-{first.id}"


def test_two_versions_are_compared(open_page, workbench, sample):
    for name, head, relation in (("Ann", 3, "obj"), ("Ben", 2, "det")):
        layer = Annotations(workbench, sample, name)
        annotation, revision = layer.get(0)
        layer.write(0, attach(annotation, 1, head, relation), revision, "c", "x")
    annotation, revision = layer.get(0)
    layer.write(0, change(annotation, "upos", 1, "X"), revision, "d", "x")
    app = open_page("annotate", state={"annotate": "agree"})
    assert "Sentence 1: solid arcs are the project’s tree" in said(app.caption) and "Krippendorff" in said(app.caption)
    (editor,) = [each for each in app.get("bidi_component") if each.proto.component_name.endswith("annotate")]
    assert json.loads(editor.proto.json)[0]["annotators"] == ["Ann", "Ben"]  # whom a change of words concerns
    app = open_page("annotate", state={"annotate": "agree", "ann_versions": []})
    assert "Select two or more versions" in app.info[0].value


def test_the_sentences_of_a_group_come_next_unless_it_is_gone(open_page, workbench, sample):
    group = save_group(workbench, sample, "three", by_sentences([4, 9]))
    for order, shown in ((group.key, group.key), ("7/1", "all")):  # the other is gone
        assert open_page("annotate", state={"ann_order": order}).session_state["ann_order"] == shown


def test_enhanced_dependencies_can_be_left_behind(open_page, add):
    def downloads(**query):
        return [each.proto.label for each in open_page("annotate", **query).get("download_button")]

    add("graph.conllu", "1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_\n\n")
    assert "Without DEPS" in downloads(corpus="graph.conllu") and "Without DEPS" not in downloads()


def test_a_text_opens_at_the_sentence_annotated_last_unless_a_link_says_another(open_page, layer):
    for index in (4, 8):
        layer.set_status(index, "begun")
    app = open_page("annotate")
    assert "Sentence 9 of 332" in said(app.caption)
    assert "Sentence 2 of 332" in said(app.get_by_key("sentence").set_value(2).run().caption)
    assert "Sentence 1 of 332" in said(open_page("annotate", sentence="1").caption)
    assert "Sentence 3 of 332" in said(open_page("annotate", sentence="3").caption)


def test_how_many_sentences_to_pick_is_what_was_picked(open_page, workbench, sample):
    draw(workbench.store, sample, 332, 7, seed=1)
    app = open_page("annotate", annotate="Check 20")
    assert app.number_input(key="ann_check_size").value == 7
    app.number_input(key="ann_check_size").set_value(9).run()
    app.get_by_key("annotate").set_value("tree").run()
    assert app.get_by_key("annotate").set_value("check").run().number_input(key="ann_check_size").value == 9


def test_a_run_sees_what_the_run_before_it_wrote_of_the_same_keys(workbench, project, monkeypatch):
    """A run that is stopped goes on until it next draws; the one in its place may have begun to read before that."""
    monkeypatch.setattr(pages_session, "get_script_run_ctx", lambda: SimpleNamespace(cursors="this run"))
    monkeypatch.setattr(editor, "st", SimpleNamespace(session_state={}))
    answered = Answered(steps={"a key": None})
    editor.st.session_state |= {editor.KEY: {"steps": {"queue": [{"id": "a key"}]}}, editor.ANSWERED: answered}
    pages_session.forget()
    store = pages_session.session().store
    assert store.document(project, "view", "place") is None

    def other_run():
        contextvars.Context().run(workbench.store.remember, project, "view", "place", 7)

    writer = threading.Thread(target=other_run)
    writer.start()
    writer.join()
    assert pages_session.session().store.document(project, "view", "place") is None  # as this run began
    editor.carry_out_steps(workbench.store.corpora(project)[0], lambda by, index: None)
    assert pages_session.session().store.document(project, "view", "place") == 7
    pages_session.forget()


def test_keys_that_are_faster_than_the_page_stay_in_the_sentence_they_led_to(monkeypatch):
    state = {AnnotateView.sentence: 1}
    monkeypatch.setattr("streamlit.session_state", state)

    def keys(browser_has, goes):
        def carried_out(*_):
            if goes:
                AnnotateView().sentence = AnnotateView().placed = AnnotateView().sentence + goes

        monkeypatch.setattr("pages.shared.annotate.editor.carry_out_steps", carried_out)
        state[AnnotateView.sentence] = browser_has
        carry_out_sent_steps(None, None)
        return AnnotateView().sentence

    assert [keys(1, 1), keys(1, 0), keys(1, 1), keys(3, 0)] == [2, 2, 3, 3]
    assert keys(1, 0) == 1  # somebody clicked on it


def test_keys_that_stop_the_run_of_those_before_stay_in_the_sentence_that_a_link_opened(open_page, monkeypatch):
    app = open_page("annotate", sentence="7")
    assert app.session_state[AnnotateView.placed] == 7

    def keys(placed):
        state = {AnnotateView.sentence: 7, AnnotateView.placed: placed}
        monkeypatch.setattr("streamlit.session_state", state)
        stopped = [False, True]

        def carried_out(*_):
            if stopped.pop():
                raise InterruptedError  # as Streamlit ends a run in whose place it begins another

        monkeypatch.setattr("pages.shared.annotate.editor.carry_out_steps", carried_out)
        with pytest.raises(InterruptedError):
            carry_out_sent_steps(None, None)
        carry_out_sent_steps(None, None)
        return AnnotateView().sentence

    assert [keys(7), keys(1)] == [7, 7]  # 1: what the session has before the page is drawn
