"""Enhanced graphs of a text in a project: drawn by steps of the editor, brought along, undone, written and refused."""

import pytest

from core.store import Command
from core.treebank import conllu_text
from core.workspace.annotate.labels import OfferedLabels
from core.workspace.annotate.steps import Answered, answer
from core.workspace.annotate.view import editor_data
from core.workspace.annotate.word_steps import change_words
from core.workspace.annotations import Annotations
from tests.workspace.annotate.conftest import changed

TEXT = """# sent_id = g1
# text = She wants to sing
1	She	she	PRON	_	_	2	nsubj	2:nsubj	_
2	wants	want	VERB	_	_	0	root	0:root	_
3	to	to	PART	_	_	4	mark	4:mark	_
4	sing	sing	VERB	_	_	2	xcomp	2:xcomp	_

# sent_id = g2
# text = I do
1	I	I	PRON	_	_	2	nsubj	2:nsubj	_
2	do	do	VERB	_	_	0	root	0:root	_
2.1	it	it	PRON	_	_	_	_	2:obj	_

"""


@pytest.fixture
def layer(workspace, add):
    return Annotations(workspace, add("graph.conllu", TEXT))


def written(layer):
    return conllu_text(layer.treebank())


def test_an_arc_is_drawn_stored_written_and_undone(layer):
    changed(layer, 0, do="arc", node="1", old=None, new=["4", "nsubj:xsubj"])
    wanted = TEXT.replace("2:nsubj\t", "2:nsubj|4:nsubj:xsubj\t", 1)
    assert written(layer) == wanted
    changed(layer, 1, do="arc", node="2.1", old=["2", "obj"], new=["2", "obl"])
    assert written(layer) == wanted.replace("2:obj", "2:obl")
    changed(layer, 1, do="no graph")
    assert "2.1" not in written(layer) and written(layer).count("nsubj:xsubj") == 1
    for _ in range(3):
        layer.store.undo(layer.corpus.project)
    assert written(layer) == TEXT


def test_where_a_head_changes_only_the_graph_of_this_sentence_does(layer):
    changed(layer, 0, do="arc", node="1", old=None, new=["4", "nsubj:xsubj"])
    changed(layer, 0, do="attach", word=1, head=4, relation="nsubj")
    assert layer.get(0)[0].graph.deps[1] == "4:nsubj|4:nsubj:xsubj"
    assert written(layer).split("\n\n")[1] == TEXT.split("\n\n")[1]
    changed(layer, 1, do="attach", word=1, head=2, relation="expl")
    assert "2:expl" in written(layer) and "2.1\tit" in written(layer)
    other = Annotations(layer.workspace, layer.corpus, "Ann")
    assert written(other) == TEXT


def test_the_proposal_is_shown_and_taken(layer):
    data = editor_data(layer, 0, OfferedLabels.of(layer.source), {})
    assert data["graph"]["proposed"]["1"] == "2:nsubj|4:nsubj:xsubj"
    assert data["graph"]["fields"]["1"] == "2:nsubj" and data["graph"]["empty"] == []
    assert editor_data(layer, 1, OfferedLabels.of(layer.source), {})["graph"]["empty"] == [
        ["2.1", "it", "PRON", "it", "", ""]
    ]
    changed(layer, 0, do="graph", fields=data["graph"]["proposed"])
    assert "2:nsubj|4:nsubj:xsubj" in written(layer)
    changed(layer, 0, do="no graph")
    assert editor_data(layer, 0, OfferedLabels.of(layer.source), {})["graph"]["fields"] is None


def test_a_graph_is_begun_in_a_text_without_any(workspace, add):
    rows = [line.split("\t") for line in TEXT.splitlines() if "2.1" not in line]
    bare = "".join("\t".join([*row[:8], "_", "_"] if len(row) > 1 else row) + "\n" for row in rows)
    layer = Annotations(workspace, add("bare.conllu", bare))
    assert layer.get(0)[0].graph is None and written(layer) == bare
    changed(layer, 0, do="arc", node="1", old=None, new=["4", "nsubj:xsubj"])
    assert written(layer) == bare.replace("nsubj\t_", "nsubj\t2:nsubj|4:nsubj:xsubj", 1).replace(
        "root\t_", "root\t0:root", 1
    ).replace("mark\t_", "mark\t4:mark", 1).replace("xcomp\t_", "xcomp\t2:xcomp", 1)
    changed(layer, 0, do="attach", word=3, head=2, relation="dep")
    assert "3\tto\tto\tPART\t_\t_\t2\tdep\t2:dep\t_" in written(layer)
    layer.store.undo(layer.corpus.project)
    layer.store.undo(layer.corpus.project)
    assert written(layer) == bare


def test_empty_nodes_are_added_relabelled_deleted_and_undone(layer):
    changed(layer, 1, do="empty", edit="add", node="2", value="them")
    changed(layer, 1, do="empty", edit="upos", node="2.2", value="PRON")
    for column, value in (("lemmas", "they"), ("xpos", "PRP"), ("feats", "Number=Plur|Case=Acc")):
        changed(layer, 1, do="empty", edit=column, node="2.2", value=value)
    changed(layer, 1, do="empty", edit="forms", node="2.1", value="_")
    line = "2.2\tthem\tthey\tPRON\tPRP\tCase=Acc|Number=Plur\t_\t_\t2:dep\t_"
    assert written(layer) == TEXT.replace("2.1\tit\tit", "2.1\t_\tit").replace("2:obj\t_\n", f"2:obj\t_\n{line}\n")
    assert editor_data(layer, 1, OfferedLabels.of(layer.source), {})["graph"]["empty"][1] == [
        "2.2", "them", "PRON", "they", "PRP", "Case=Acc|Number=Plur",
    ]  # fmt: skip
    changed(layer, 1, do="empty", edit="delete", node="2.1")
    assert written(layer).split("\n\n")[1].endswith(line.replace("2.2", "2.1"))
    changed(layer, 0, do="empty", edit="add", node="1", value="_")
    assert "1.1\t_\t_\t_\t_\t_\t_\t_\t2:dep\t_" in written(layer)
    for _ in range(8):
        layer.store.undo(layer.corpus.project)
    assert written(layer) == TEXT


def test_the_keys_of_a_text_name_its_graphs(layer):
    before = layer.workspace.standing(layer.corpus).corrections
    changed(layer, 0, do="arc", node="1", old=None, new=["4", "nsubj:xsubj"])
    after = layer.workspace.standing(layer.corpus).corrections
    assert before.shown_key("x") != after.shown_key("x")
    assert before.key("x") == after.key("x")  # nothing is learnt from it


def test_faults_of_a_graph_stand_under_the_tree(layer):
    changed(layer, 1, do="arc", node="2.1", old=["2", "obj"], new=["1", "obj"])
    changed(layer, 1, do="arc", node="1", old=["2", "nsubj"], new=["2.1", "nsubj"])  # a cycle through the empty node
    rows = editor_data(layer, 1, OfferedLabels.of(layer.source), {})["faults"]
    assert any("no path of the enhanced graph leads from the root to 1, 2.1" in message for _, _, message in rows)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"do": "arc", "node": "9", "old": None, "new": ["1", "obj"]}, "there is no node '9'"),
        ({"do": "arc", "node": None, "old": None, "new": ["1", "obj"]}, "there is no node None"),
        ({"do": "arc", "node": "1", "old": None, "new": ["1", "obj"]}, "cannot be its own head"),
        ({"do": "arc", "node": "1", "old": None, "new": "4:obj"}, "is no enhanced arc"),
        ({"do": "arc", "node": "1", "old": ["4", "x"], "new": None}, "has no enhanced arc x from 4"),
        ({"do": "empty", "edit": "add", "node": "9", "value": "x"}, "there is no node '9'"),
        ({"do": "empty", "edit": "add", "node": "1", "value": ""}, "needs a form that can be seen"),
        ({"do": "empty", "edit": "delete", "node": "1"}, "1 is a word, not an empty node"),
        ({"do": "empty", "edit": "heads", "node": "1", "value": "2"}, "1 is a word, not an empty node"),
        ({"do": "graph", "fields": ["2:obj"]}, "the editor sent no graph"),
        ({"do": "graph", "fields": {"1": "77:obj"}}, "there is no node '77'"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_nothing_is_lost(layer, step, message):
    answered, revision = Answered(), layer.get(0)[1]
    sent = step | {"id": "a", "corpus": layer.corpus.id, "sentence": 0, "layer": "", "was": revision, "after": None}
    answer(layer.workspace, layer.corpus, [sent], answered)
    assert message in answered.refused[1] and answered.refused[1].count(". ") == 0
    assert layer.get(0)[1] == revision and written(layer) == TEXT


def test_a_damaged_graph_leaves_the_sentence_as_it_was(layer):

    key = layer.key(0)
    value = {"deps": ["0:root"], "empty": [], "command": None}
    layer.store.execute(layer.corpus.project, Command("tree", key, None, value), label="damaging")
    assert written(layer) == TEXT and layer.workspace.standing(layer.corpus).misfits == {0}


def test_graph_and_gloss_follow_words_that_are_changed(layer):
    changed(layer, 0, do="arc", node="1", old=None, new=["4", "nsubj:xsubj"])
    changed(layer, 0, do="change", word=4, column="gloss", value="canter")
    before = written(layer)
    change_words(layer, 0, {"edit": "split", "word": 2, "forms": ["want", "s"], "id": "a"})
    now = Annotations(layer.workspace, layer.corpus)
    after = written(now)
    assert "2:nsubj|5:nsubj:xsubj" in after and "Gloss=canter" in after.split("\n5\tsing")[1].split("\n")[0]
    assert now.get(0)[0].gloss[5] == "canter"
    hers = written(Annotations(layer.workspace, layer.corpus, "Ann"))
    assert "nsubj:xsubj" not in hers and "\n5\tsing" in hers
    layer.store.undo(layer.corpus.project)
    assert written(Annotations(layer.workspace, layer.corpus)) == before
    change_words(Annotations(layer.workspace, layer.corpus), 0, {"edit": "merge", "word": 3, "forms": [], "id": "b"})
    assert "2:nsubj|3:nsubj:xsubj" in written(Annotations(layer.workspace, layer.corpus))
