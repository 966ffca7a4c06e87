"""The Annotate page: what stands there at once, links, proposals, notes, and what cannot be."""

import pytest

from core.annotation import attach, change, detach
from core.constraints.ge.baselines import attach_right
from core.treebank import conllu_text, load_sample
from core.workspace.annotate.check import draw, drawn
from core.workspace.annotate.proposals import remember_proposal
from core.workspace.annotations import Annotations
from core.workspace.groups import by_sentences, save_group
from core.workspace.parses import add_parse
from tests.pages.reading import pressed, said, waited

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
    assert waited(app, workbench).figures["stacked"] == 2 and not app.error


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
    assert "From the 3 of 20 sentences that are done" in said(app.caption)
    score = app.dataframe[0].value.iloc[0, 1]
    assert "%" in score and " of " in score and not app.warning
    for index, parser in zip(chosen, ("english", "run-7"), strict=False):
        annotation, revision = layer.get(index)
        layer.write(index, detach(annotation, 1), revision, f"c{index}", "x", proposal=parser)
        layer.set_status(index, "done")
    assert said(app.run().warning) == (
        "English parser: 1 of the 3 sentences began from its proposal, so its score here is too high."
    )


def test_check_twenty_begins_with_the_newest_parse_of_the_text(open_page, workbench, sample, layer):
    draw(workbench.store, sample, 40, 3)
    for index in drawn(workbench.store, sample)["sentences"]:
        layer.set_status(index, "done")
    data = conllu_text(attach_right(load_sample()).to_conllu()).encode()
    key = add_parse(workbench, sample, "mine.conllu", data)
    app = open_page("annotate", state={"annotate": "check"})
    assert app.multiselect(key="ann_check_parsers").value == [key]
    assert app.dataframe[0].value["parser"].tolist() == ["mine.conllu"]


def test_a_parser_is_not_scored_on_what_it_learnt_from(open_page, workbench, sample, layer, monkeypatch):
    draw(workbench.store, sample, 40, 5)
    chosen = drawn(workbench.store, sample)["sentences"]
    state = {"annotate": "check", "ann_check_parsers": ["english"]}
    for index in chosen:
        layer.set_status(index, "done")
    for learnt, score, note in (
        (chosen[:2], "%", "on 3 of the 5 sentences: it was trained on the others"),
        (chosen[:4], "", "no score: it was trained on 4 of the 5 sentences; pick others"),
    ):
        monkeypatch.setattr("pages.shared.annotate.check.learnt_from", lambda *_, learnt=learnt: learnt)
        (row,) = open_page("annotate", state=state).dataframe[0].value.to_dict("records")
        assert score in row["UAS"] and bool(score) == bool(row["UAS"]) and row["note"] == note


def test_whose_proposals_a_text_shows_is_remembered(open_page, workbench, sample, add):
    def shown(**query):
        return open_page("annotate", **query).selectbox(key="ann_proposal")

    assert shown().value == "none"
    shown().select("english").run()
    add("other.conllu", GOOD)
    assert (shown(corpus="sample").value, shown(corpus="other.conllu").value) == ("english", "none")
    remember_proposal(workbench.store, sample, "run-99")  # gone since
    assert shown(corpus="sample").value == "none"


def test_two_versions_are_compared(open_page, workbench, sample):
    for name, head, relation in (("Ann", 3, "obj"), ("Ben", 2, "det")):
        layer = Annotations(workbench, sample, name)
        annotation, revision = layer.get(0)
        layer.write(0, attach(annotation, 1, head, relation), revision, "c", "x")
    annotation, revision = layer.get(0)
    layer.write(0, change(annotation, "upos", 1, "X"), revision, "d", "x")
    app = open_page("annotate", state={"annotate": "agree"})
    assert "Sentence 1: solid arcs are the project’s tree" in said(app.caption) and "Krippendorff" in said(app.caption)
    app = open_page("annotate", state={"annotate": "agree", "ann_versions": []})
    assert "Select two or more versions" in app.info[0].value


def test_the_sentences_of_a_group_come_next_unless_it_is_gone(open_page, workbench, sample):
    group = save_group(workbench, sample, "three", by_sentences([4, 9]))
    for order, shown in ((group.key, group.key), ("7/1", "all")):  # the other is gone
        assert open_page("annotate", state={"ann_order": order}).session_state["ann_order"] == shown


def test_enhanced_dependencies_can_be_taken_along(open_page, add):
    def downloads(**query):
        return [each.proto.label for each in open_page("annotate", **query).get("download_button")]

    add("graph.conllu", "1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_\n\n")
    assert "With DEPS" in downloads(corpus="graph.conllu") and "With DEPS" not in downloads()
