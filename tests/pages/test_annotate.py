"""The Annotate page: what stands there at once, links, proposals, notes, and what cannot be."""

import pytest

from core.annotation import attach, change, detach
from core.treebank import load_sample
from core.workspace import add_corpus
from core.workspace.annotate.check import draw, drawn
from core.workspace.annotate.proposals import remember_proposal
from core.workspace.annotate.queue import chosen_sentences, next_sentence
from core.workspace.annotations import Annotations
from core.workspace.constraints.documents import save_text
from core.workspace.groups import by_sentences, save_group


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def test_the_first_sentence_is_there_to_be_annotated(open_page):
    app = open_page("annotate")
    assert "Sentence 1 of 332" in captions(app)
    assert app.get("bidi_component")
    assert app.get_by_key("ann_status").value == "new"


def test_a_link_opens_its_sentence_and_one_beyond_the_last_the_last(open_page):
    assert "Sentence 7 of 332" in captions(open_page("annotate", sentence="7"))


def test_status_and_note_are_kept_and_undone(open_page, workbench, sample):
    app = open_page("annotate")
    app.get_by_key("ann_status").set_value("doubtful").run()
    app.text_area(key="ann_note_0").set_value("why obl?").run()
    state = Annotations(workbench, sample).state(0)
    assert (state.status, state.note) == ("doubtful", "why obl?")
    app.button(key="shared_undo").click().run()
    app.button(key="shared_undo").click().run()
    assert app.get_by_key("ann_status").value == "new"
    assert not app.exception


def test_steps_from_the_editor_are_carried_out_and_lead_on(open_page, workbench, sample):
    revision = Annotations(workbench, sample).get(0)[1]
    step = {"id": "a-1", "corpus": sample.id, "sentence": 0, "layer": "", "was": revision, "after": None}
    queue = [step | {"do": "attach", "word": 1, "head": 3, "relation": "obj"}, {"id": "a-2", "do": "go", "by": 1}]
    app = open_page("annotate", state={"ann_editor": {"steps": {"view": "a", "queue": queue}}})
    assert Annotations(workbench, sample).get(0)[0].heads[1] == 3
    assert "Sentence 2 of 332" in captions(app)


def test_a_note_too_long_and_a_name_that_is_none_are_one_sentence(open_page, workbench, sample):
    app = open_page("annotate")
    app.text_area(key="ann_note_0").set_value("x" * 5001).run()
    assert not app.exception
    assert Annotations(workbench, sample).state(0).note == ""


def test_one_button_trains_on_the_trees_made_here(open_page, workbench):
    project = workbench.store.default_project()
    text = b"the/DET cat/NOUN sleeps/VERB\na/DET dog/NOUN barks/VERB\nthe/DET dog/NOUN sees/VERB a/DET cat/NOUN\n"
    corpus = workbench.store.corpus(add_corpus(workbench.store, project, "cats.txt", text)[0])
    app = open_page("annotate", corpus="cats.txt")
    app.button(key="ann_learn").click().run()
    assert "no sentence of this text is annotated by hand yet" in app.error[0].value and not app.exception
    save_text(workbench.store, corpus, "DET <- NOUN per modifier = 0.9..1\n", "typing")
    layer = Annotations(workbench, corpus)
    for index, heads in enumerate(([2, 3, 0], [2, 3, 0])):
        annotation, revision = layer.get(index)
        for word, head in enumerate(heads, start=1):
            annotation = attach(annotation, word, head)
        layer.write(index, annotation, revision, f"h{index}", "heads")
    app.run()
    app.button(key="ann_learn").click().run()
    assert not app.exception and not app.error
    run = workbench.store.runs(project)[0]
    workbench.jobs.wait(run.id, timeout=600)
    assert workbench.store.run(run.id).figures["stacked"] == 2


def test_a_sentence_of_300_words(open_page, workbench):
    lines = [f"{m}\tw{m}\t_\tNOUN\t_\t_\t{m - 1}\t{'dep' if m > 1 else 'root'}\t_\t_\n" for m in range(1, 301)]
    add_corpus(workbench.store, workbench.store.default_project(), "long.conllu", "".join([*lines, "\n"]).encode())
    app = open_page("annotate", corpus="long.conllu")
    assert app.get("bidi_component") and not app.exception


def test_glosses_and_translations_are_shown(open_page, workbench):
    data = "# text_en = The cats sleep.\n1\tkatzen\t_\tNOUN\t_\t_\t2\tnsubj\t_\tGloss=cats\n2\tschlafen\t_\tVERB\t_\t_\t0\troot\t_\tGloss=sleep\n\n"  # noqa: E501
    add_corpus(workbench.store, workbench.store.default_project(), "gloss.conllu", data.encode())
    app = open_page("annotate", corpus="gloss.conllu")
    assert "text\\_en: *The cats sleep.*" in captions(app) or "The cats sleep." in captions(app)


def test_a_link_to_a_text_that_is_gone_opens_another(open_page, workbench):
    name, _ = add_corpus(workbench.store, workbench.store.default_project(), "gone.conllu", GOOD)
    workbench.store.remove_corpus(name)
    app = open_page("annotate", corpus="gone.conllu")
    assert f"of {len(load_sample())}" in captions(app)


GOOD = b"1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def test_twenty_sentences_are_drawn_and_judge_the_english_parser(open_page, workbench, sample):
    app = open_page("annotate", state={"annotate": "check"})
    assert "Draw twenty sentences" in app.info[0].value
    app.button(key="ann_draw").click().run()
    chosen = workbench.store.document(sample.project, "annotation-check", str(sample.id))["sentences"]
    assert len(chosen) == 20
    layer = Annotations(workbench, sample)
    for index in chosen[:3]:
        layer.set_status(index, "done")
    app.run()
    assert not app.exception
    assert "From the 3 of 20 sentences that are done" in captions(app)
    said = app.dataframe[0].value.iloc[0, 1]
    assert "%" in said and " of " in said
    assert not app.warning
    for number, index in enumerate(chosen[:2]):
        annotation, revision = layer.get(index)
        parser = ("english", "run-7")[number]
        layer.write(index, detach(annotation, 1), revision, f"c{number}", "x", proposal=parser)
        layer.set_status(index, "done")
    app.run()
    assert [each.value for each in app.warning] == [
        "English parser: 1 of the 3 sentences began from its proposal. Starting from a parser’s proposal inflates its "
        "score."
    ]


def test_a_parser_that_learnt_from_corrected_sentences_is_said_to_score_too_well(
    open_page, workbench, sample, monkeypatch
):
    asked = []
    monkeypatch.setattr("pages.shared.annotate.check.learnt_by_hand", lambda _, key: not asked.append(key))
    draw(workbench.store, sample, 40, 2)
    for index in drawn(workbench.store, sample)["sentences"]:
        Annotations(workbench, sample).set_status(index, "done")
    app = open_page("annotate", state={"annotate": "check"})
    (warning,) = app.warning
    assert asked == ["english"] and "English parser: it learnt from sentences annotated by hand" in warning.value


def test_whose_proposals_a_text_shows_is_remembered(open_page, workbench, sample):
    app = open_page("annotate")
    assert app.selectbox(key="ann_proposal").value == "none"
    app.selectbox(key="ann_proposal").select("english").run()
    assert not app.exception
    workbench.store.add_corpus(sample.project, "other.conllu", GOOD, format="conllu")
    assert open_page("annotate").selectbox(key="ann_proposal").value == "english"
    assert open_page("annotate", corpus="other.conllu").selectbox(key="ann_proposal").value == "none"
    remember_proposal(workbench.store, sample, "run-99")  # gone since
    assert open_page("annotate").selectbox(key="ann_proposal").value == "none"


def test_two_versions_are_compared_and_one_decides(open_page, workbench, sample):
    for name, head in (("Ann", 3), ("Ben", 2)):
        layer = Annotations(workbench, sample, name)
        annotation, revision = layer.get(0)
        layer.write(0, attach(annotation, 1, head, "det" if name == "Ben" else "obj"), revision, "c", "x")
    layer = Annotations(workbench, sample, "Ben")
    annotation, revision = layer.get(0)
    layer.write(0, change(annotation, "upos", 1, "X"), revision, "d", "x")
    app = open_page("annotate", state={"annotate": "agree"})
    assert not app.exception
    assert "Sentence 1: solid arcs are the project’s tree" in captions(app)
    assert "Krippendorff" in captions(app)


def test_agreement_needs_two(open_page):
    app = open_page("annotate", state={"annotate": "agree", "ann_versions": []})
    assert "Select two or more versions" in app.info[0].value


@pytest.mark.parametrize("sent", [3, {"queue": 3}, {"queue": [3, None, {"id": [1]}, {}]}])
def test_what_the_browser_should_never_send_is_passed_over(open_page, sent):
    app = open_page("annotate", state={"ann_editor": {"steps": sent}})
    assert "Sentence 1 of 332" in captions(app)


def test_a_group_is_annotated_one_sentence_after_the_other(open_page, workbench, sample):
    group = save_group(workbench, sample, "three", by_sentences([4, 9]))
    app = open_page("annotate", state={"ann_order": group.key})
    assert not app.exception and app.session_state["ann_order"] == group.key
    steps = [next_sentence(here, 1, chosen_sentences(group.key, {}, 12, [3, 8]), [3, 8]) for here in (0, 3, 8)]
    assert steps == [3, 8, 8]
    app = open_page("annotate", state={"ann_order": "7/1"})  # a group that is gone
    assert app.session_state["ann_order"] == "all"
