"""Annotations in the store: written once each and in order, undone together with their status, never overwritten."""

import sqlite3
import threading
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import StoreError, WorkbenchError
from core.parsers.english import English
from core.store import Command
from core.treebank import Treebank, conllu_text, load_sample
from core.trees.eisner_kbest import PackedTrees
from core.workspace.annotate.labels import OfferedLabels
from core.workspace.annotate.queue import Measuring, chosen_sentences, next_sentence
from core.workspace.annotate.steps import Answered, answer
from core.workspace.annotate.view import editor_data, relation_guesses
from core.workspace.annotations import Annotations, SentenceState, last_annotated, layers_of
from core.workspace.registry import Systems
from tests.workspace.running import PATIENCE


@pytest.fixture
def desk(workspace, add):
    bare = Treebank.from_sentences({"forms": sentence.forms[1:]} for sentence in load_sample().limit(3))
    return workspace, add("bare.conllu", conllu_text(bare))


class Tab:
    """What the editor in one browser tab does."""

    def __init__(self, desk, layer=""):
        self.workspace, self.corpus = desk
        self.answered, self.session, self.queue = Answered(), "here", []
        self.layer = Annotations(*desk, layer)
        self.look()

    def look(self):
        self.annotation, self.revision = self.layer.get(0)

    def step(self, do, sentence=0, **rest):
        after = self.queue[-1]["id"] if self.queue else None
        name = f"{id(self)}-{len(self.queue)}"
        self.queue.append(
            {"do": do, "id": name, "corpus": self.corpus.id, "sentence": sentence, "layer": self.layer.layer,
             "was": self.revision, "after": after, "session": "here"} | rest
        )  # fmt: skip

    def send(self):
        answer(self.workspace, self.corpus, self.queue, self.answered, self.session)
        return self.answered.refused

    def heads(self):
        """Of the sentence as it stands in the store."""
        return self.layer.get(0)[0].heads

    def labels(self):
        """Of all commands, the last one first."""
        return [entry.label for entry in self.workspace.store.history(self.corpus.project)]


def test_steps_are_carried_out_in_order_and_once(desk):
    tab = Tab(desk)
    tab.step("attach", word=1, head=2, relation="det")
    tab.step("attach", word=3, head=0)
    assert tab.send() is None
    tab.step("attach", word=2, head=3, relation="nsubj")
    assert tab.send() is None  # the first two come again with the third
    tab.look()
    assert tab.annotation.heads[:4] == (-1, 2, 3, 0)
    assert tab.annotation.deprels[:4] == ("", "det", "nsubj", "root")
    assert tab.labels()[:3] == ["attaching sea to came", "making came the root", "attaching The to sea"]
    assert tab.layer.state(0).status == "begun"


def test_what_was_sent_before_the_server_died_is_not_done_twice(desk):
    tab = Tab(desk)
    tab.step("attach", word=1, head=2, relation="det")
    tab.send()
    before = tab.labels()
    tab.answered = Answered()  # another process knows nothing of it
    assert tab.send() is None and tab.labels() == before


def test_a_second_tab_is_told_and_nothing_is_overwritten(desk):
    one, two = Tab(desk), Tab(desk)
    one.step("attach", word=1, head=2, relation="det")
    one.send()
    two.step("attach", word=1, head=3, relation="obj")
    two.step("attach", word=2, head=3, relation="obj")
    assert "sentence 1 has been changed since in another window" in two.send()[1]
    two.look()
    assert two.annotation.heads[1:3] == (2, -1)
    two.step("attach", word=2, head=3, relation="nsubj", after=None)
    two.answered.refused = None
    assert two.send() is None and two.heads()[1:3] == (2, 3)


def test_a_locked_store_is_told_and_the_steps_can_be_made_again(desk, tmp_path):
    tab = Tab(desk)
    with desk[0].store.database.write() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 20")  # of the one connection that the store uses
    tab.step("attach", word=1, head=2, relation="det")
    tab.step("attach", word=2, head=3, relation="nsubj")
    with closing(sqlite3.connect(tmp_path / "workbench.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "is locked by another program" in tab.send()[1]
        other.execute("ROLLBACK")
    assert tab.layer.get(0)[1] == tab.revision and tab.layer.state(0).status == "new"  # all or nothing, and said which
    tab.queue.clear()
    tab.answered.refused = None
    tab.step("attach", word=1, head=2, relation="det", id="again")
    assert tab.send() is None and tab.heads()[1] == 2


def test_undo_takes_back_a_step_with_all_it_brought(desk):
    tab = Tab(desk)
    tab.step("attach", word=3, head=0)
    tab.step("attach", word=2, head=0)  # and 3 under 2
    tab.step("undo")
    tab.step("attach", word=1, head=2, relation="det")  # typed before the undo was answered
    assert tab.send() is None
    assert tab.answered.message == "undid: making sea the root"
    assert tab.answered.index == 0
    tab.look()
    assert tab.annotation.heads[1:4] == (2, -1, 0)
    for _ in range(2):
        tab.step("undo")
    tab.send()
    assert set(tab.heads()) == {-1} and tab.layer.state(0) == SentenceState()


def test_an_undo_under_somebody_elses_change_is_refused_in_one_sentence(desk):
    workspace, corpus = desk
    tab = Tab(desk)
    tab.step("attach", word=3, head=0)
    tab.send()
    before = workspace.store.document(corpus.project, "tree", f"{corpus.id}/1")
    after = before | {"deprels": ["dep"] * len(tab.annotation), "command": "hers"}
    workspace.store.execute(corpus.project, Command("tree", f"{corpus.id}/1", before, after), author="Ann")
    tab.step("undo")
    message = tab.send()[1]
    assert "sentence 1 was changed by Ann" in message and "'" not in message
    assert tab.layer.get(0)[0].deprels[1] == "dep"


def test_an_undo_of_a_lost_connection_is_not_done(desk):
    tab = Tab(desk)
    tab.step("attach", word=3, head=0)
    tab.send()
    tab.session = "another"
    tab.step("undo")
    assert "connection was lost" in tab.send()[1] and tab.heads()[3] == 0


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"do": "attach", "word": 99, "head": 0}, "there is no word 99"),
        ({"do": "dance", "word": 1}, "not a change of a tree"),
        ({"do": "adopt", "values": {"heads": [0]}}, "words"),
        ({"do": "status", "status": "perfect"}, "no status"),
        ({"do": "attach", "word": 1, "head": 2, "corpus": 77}, "another text"),
        ({"do": "attach", "word": 1, "head": 2, "sentence": 9}, "no sentence 10"),
    ],
)
def test_what_cannot_be_is_one_sentence(desk, step, said):
    tab = Tab(desk)
    tab.step(**step)
    message = tab.send()[1]
    assert said in message and "\n" not in message
    assert tab.layer.get(0)[1] == tab.revision


def test_two_runs_of_a_page_that_overlap_carry_out_each_step_once(desk):
    """A run that is stopped goes on in its thread until it next draws; another one has begun with the same steps."""
    tab = Tab(desk)
    for word in range(1, len(tab.annotation.forms)):
        tab.step("attach", word=word, head=0 if word == 3 else 3, relation="dep")
    runs = [threading.Thread(target=tab.send) for _ in range(4)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert tab.answered.refused is None
    assert set(tab.heads()[1:]) == {0, 3}
    assert len([label for label in tab.labels() if "came" in label]) == len(tab.annotation.forms) - 1


@pytest.mark.parametrize("sent", [None, 3, "x", [None], [{}], [{"id": 3}]])
def test_what_is_no_step_is_passed_over(desk, sent):
    answered = Answered()
    answer(*desk, sent, answered)
    assert answered == Answered()


def test_layers_are_kept_apart_and_a_note_and_status_have_an_author(desk):
    workspace, corpus = desk
    mine, tab = Annotations(*desk), Tab(desk, "Ann")
    hers = tab.layer
    tab.step("attach", word=1, head=2, relation="det")
    assert tab.send() is None
    assert mine.annotations() == {} and set(hers.annotations()) == {0}
    hers.set_status(0, "doubtful")
    hers.set_note(0, "what is this?")
    state = hers.states()[0]
    assert (state.status, state.note, state.author) == ("doubtful", "what is this?", "Ann")
    assert state.time.startswith("20")
    assert layers_of(workspace.store, corpus) == ["", "Ann"]
    assert hers.set_status(0, "doubtful") is None
    with pytest.raises(WorkbenchError, match="cannot name an annotator"):
        Annotations(*desk, "a\nb")


def test_the_corpus_under_its_annotations(desk):
    tab = Tab(desk)
    tab.step("attach", word=1, head=2, relation="det")
    tab.step("change", column="upos", word=1, value="DET")
    tab.send()
    treebank = tab.layer.treebank()
    assert treebank[0].heads[1:3].tolist() == [2, -1]
    assert treebank[0].upos[1] == "DET"
    assert treebank[1].lines == tab.layer.source[1].lines


def test_a_conflict_in_between(desk):
    layer = Annotations(*desk)
    annotation, revision = layer.get(0)
    with pytest.raises(StoreError, match="has been changed since"):
        layer.write(0, annotation, "something else", "c1", "x")
    assert revision == layer.get(0)[1]


def test_what_the_editor_is_given(workspace, sample):
    guesses = relation_guesses(load_sample())
    assert guesses["DET NOUN right"] == "det"
    data = editor_data(Annotations(workspace, sample), 0, OfferedLabels.of(load_sample()), guesses)
    assert data["columns"]["heads"][:4] == [-1, 2, 3, 0]
    keys = [key for _, key in data["relations"] if key]
    assert len(keys) == len(set(keys)) and "root" not in dict(data["relations"])
    assert data["faults"] == []


def test_the_next_sentence_of_each_order():
    states = {1: SentenceState("done"), 2: SentenceState("doubtful"), 3: SentenceState("begun")}
    assert chosen_sentences("all", states, 4) == {0, 1, 2, 3}
    assert chosen_sentences("open", states, 4) == chosen_sentences("unsure", states, 4) == {0, 2, 3}
    assert chosen_sentences("doubtful", states, 4) == {2}
    assert chosen_sentences("drawn", states, 4, drawn=(3, 1)) == {3}
    assert next_sentence(0, 1, {0, 2, 3}, range(4)) == 2
    assert next_sentence(3, 1, {0, 2, 3}, range(4)) == 3
    assert next_sentence(3, -1, {0, 1}, range(4)) == 1
    assert next_sentence(3, 1, {0, 1, 2}, np.array([3, 0, 2, 1])) == 0
    assert next_sentence(0, 1, {2, 3}, [3, 2]) == 3  # from outside to the first


def test_uncertainty_is_measured_in_the_background(desk, monkeypatch):
    workspace, corpus = desk

    def kbest(treebank, k, errors):
        values = np.array([[0.0, -2.0], [0.0, -0.5], [0.0, -2.0]])
        return PackedTrees(np.zeros(0), np.zeros(1), values, np.full(len(treebank), 2))

    def english():
        return English(None, None, SimpleNamespace(kbest=kbest))

    monkeypatch.setattr(English, "tag_unknown", lambda self, treebank: treebank)
    measuring = Measuring(Systems(workspace), english)
    workspace.jobs.wait(measuring.start(measuring.inputs(corpus, "english"), "english"), PATIENCE)
    found, run = measuring.latest(corpus, "english")
    assert run.status == "done"
    assert found.order.tolist() == [1, 0, 2]
    assert measuring.latest(corpus, "run-1")[0] is None
    with pytest.raises(WorkbenchError, match="gives no uncertainty"):
        measuring.start(measuring.inputs(corpus, "corpus-1"), "corpus-1")


def test_a_proposal_fills_what_is_missing_or_x_and_is_remembered(desk):
    workspace, corpus = desk
    tab = Tab(desk)
    tags = {"upos": "DET", "xpos": "DT"}
    tab.step("attach", word=1, head=2, relation="det", tags=tags, proposal="english")
    tab.step("attach", word=2, head=3, relation="nsubj", proposal="not a parser")
    tab.step("attach", sentence=1, word=1, head=2, tags={"heads": "3"}, proposal="run-7-none")
    assert "no column 'heads' to change" in tab.send()[1]
    tab.look()
    assert (tab.annotation.heads[1], tab.annotation.upos[1], tab.annotation.xpos[1]) == (2, "DET", "DT")
    assert tab.layer.proposals() == {0: ["english"]}
    assert editor_data(tab.layer, 0, OfferedLabels.of(tab.layer.source), {}, (), "run-7")["proposal"] == "run-7"
    for _ in range(2):
        workspace.store.undo(corpus.project)
    assert tab.layer.proposals() == {}


def test_the_sentence_annotated_last_is_ones_own_before_that_of_others():
    def state(author, time):
        return SentenceState("begun", "", author, time)

    assert last_annotated({}, "Ann") is None and last_annotated({3: SentenceState()}, "Ann") is None
    states = {1: state("Ann", "2026-01-01"), 5: state("Bea", "2026-01-03"), 2: state("Ann", "2026-01-02")}
    assert last_annotated(states, "Ann") == 2 and last_annotated(states, "Cem") == 5
