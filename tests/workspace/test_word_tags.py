"""Tags by hand feed every learner once their sentence is done; runs, records and undo keep to what was there then."""

from dataclasses import replace

import pytest

from core.errors import WorkbenchError
from core.workspace import Tagging
from core.workspace.annotations import Annotations
from core.workspace.constraints.plan import default_settings
from core.workspace.constraints.record import repeat_record, run_record
from core.workspace.constraints.training_scope import tagged_share
from core.workspace.parses import load_parse
from core.workspace.registry import Systems
from core.workspace.word_tags import save_tagging
from tests.workspace.running import ended

TAGS = {"il": "DET", "la": "DET", "gatto": "NOUN", "luna": "NOUN", "dorme": "VERB", "sorge": "VERB", "lenta": "ADJ"}
LINE = "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"


def bare(words):
    return "".join(f"{number}\t{word}" + "\t_" * 8 + "\n" for number, word in enumerate(words.split(), 1)) + "\n"


@pytest.fixture
def italian(add):
    """200 sentences without a tag, the first two about the cat and the moon."""
    return add("italian.conllu", bare("il gatto dorme") + bare("la luna sorge lenta") + bare("piove sempre qui") * 198)


def tag(workspace, corpus, index, status="done", layer="", **tags):
    """Tag a sentence as the tree editor does, each step a command."""
    layer = Annotations(workspace, corpus, layer)
    annotation, was = layer.get(index)
    upos = ("", *((TAGS | tags).get(form, "") for form in annotation.forms[1:]))
    layer.write(index, replace(annotation, upos=upos), was, f"tag-{index}-{sorted(tags)}", "tagging")
    layer.set_status(index, status)


def test_tags_of_sentences_that_are_done_are_the_texts_own_for_learners(workspace, ge, italian):
    with pytest.raises(WorkbenchError, match=r"no tags yet.*Annotate page and mark them done"):
        ge.plan(italian)
    key = workspace.corpus_key(italian)
    tag(workspace, italian, 0, status="begun")
    tag(workspace, italian, 1, layer="Ann")
    assert workspace.corpus_key(italian) == key and workspace.treebank(italian) is workspace.source(italian)
    Annotations(workspace, italian).set_status(0, "done")
    treebank = workspace.treebank(italian)
    assert treebank[0].upos == ("", "DET", "NOUN", "VERB") and not any(treebank[1].upos)
    assert workspace.corpus_key(italian) != key
    assert workspace.treebank(italian) is treebank
    workspace.store.undo(italian.project)
    assert workspace.corpus_key(italian) == key
    workspace.store.redo(italian.project)
    assert workspace.treebank(italian)[0].upos[1:] == ("DET", "NOUN", "VERB")
    assert not any(Annotations(workspace, italian).original(0).upos)  # to the editor, the file is what it was
    assert type(workspace)(workspace.store).corpus_key(italian) == workspace.corpus_key(italian)  # another process


HEADS = [-1, 2, 3, 0, -1, 2, 3, 0, 3]  # of both


def test_a_closed_class_list_and_tags_by_hand_train_a_language_without_a_tagger(workspace, ge, italian):
    save_tagging(workspace.store, italian, Tagging("il DET\nla DET\nqui ADV\n"), "closed classes")
    for index in (0, 1):
        tag(workspace, italian, index)
    treebank = workspace.treebank(italian)
    assert treebank[1].upos[1:] == ("DET", "NOUN", "VERB", "ADJ")
    assert treebank[2].upos[1:] == ("X", "X", "ADV")
    text = ge.text(italian)
    assert tagged_share(ge, text) == "" and len(text.treebank) == 200
    ended(ge, ge.train(text, LINE))
    # X in a sentence by hand gives way to what the list learns later
    tag(workspace, italian, 2, piove="X", sempre="X", qui="ADV")
    save_tagging(workspace.store, italian, Tagging("il DET\nla DET\nqui ADV\npiove VERB\n"), "one more")
    assert workspace.treebank(italian)[2].upos[1:] == ("VERB", "X", "ADV")


def test_what_a_run_left_is_opened_with_the_tags_it_was_trained_on(workspace, ge, italian):
    for index in (0, 1):
        tag(workspace, italian, index)
    text = ge.text(italian)
    assert len(text.treebank) == 2 and ge.untagged_sentences(italian, "upos") == 198
    assert tagged_share(ge, text) == "2 of 200 sentences have tags; training leaves the others out"
    run = ended(ge, ge.train(text, LINE))
    record = run_record(ge, run)
    tag(workspace, italian, 2, piove="VERB", sempre="ADV", qui="ADV")
    tag(workspace, italian, 0, gatto="PROPN")
    assert len(ge.text(italian).treebank) == 3 and ge.outcome(text, run).heads.tolist() == HEADS
    then = ge.inputs_of(run)[0]
    assert [sentence.upos[2] for sentence in then.treebank] == ["NOUN", "NOUN"]
    assert load_parse(Systems(workspace), italian, f"run-{run.id}").heads.tolist() == HEADS
    assert run_record(ge, run) == record
    result, treebank = repeat_record(record, workspace.source(italian))
    assert treebank.content_hash == then.treebank.content_hash
    assert result.optimum.value == pytest.approx(record["figures"]["objective"])


def test_an_edit_reads_what_was_written_since_and_no_more(workspace, italian, monkeypatch):
    tag(workspace, italian, 0)
    workspace.corpus_key(italian)
    with monkeypatch.context() as patch:
        patch.setattr(workspace.store, "documents", None)
        changes, seen = workspace.store.changes, []

        def keep(*given, **named):
            seen.append(changes(*given, **named))
            return seen[-1]

        patch.setattr(workspace.store, "changes", keep)
        layer = Annotations(workspace, italian)
        annotation, was = layer.get(1)
        layer.write(1, replace(annotation, upos=("", "DET", "", "", "")), was, "step", "tagging")
        key = workspace.corpus_key(italian)
        layer.set_status(1, "done")
        assert workspace.corpus_key(italian) != key
        assert [len(each) for each in seen] == [2, 1]  # the tree with its status, then the status


def test_a_format_without_the_column_is_read_as_conllu(workspace, add):
    corpus = add("tagged.txt", "the/DET cat/NOUN sleeps/VERB\n")
    layer = Annotations(workspace, corpus)
    annotation, was = layer.get(0)
    layer.write(0, replace(annotation, xpos=("", "DT", "NN", "VBZ")), was, "step", "tagging")
    layer.set_status(0, "done")
    assert workspace.treebank(corpus)[0].xpos[1:] == ("DT", "NN", "VBZ")
    assert default_settings(workspace.treebank(corpus)).tags == "upos"
