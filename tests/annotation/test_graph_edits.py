"""Changes of enhanced graphs: what a person does, what a change of the tree brings along, what is wrong."""

import random
from dataclasses import replace

import pytest

from core.annotation import SentenceAnnotation, attach, change, detach
from core.annotation.graph_edits import (
    add_empty_node,
    adopt_graph,
    change_arc,
    change_empty_node,
    delete_empty_node,
    drop_graph,
    graph_problems,
)
from core.annotation.graph_proposal import proposed_graph
from core.errors import WorkbenchError
from core.treebank import conllu_text, read_conllu
from core.treebank.graphs import SentenceGraph, arcs_in, brought_along, graph_of_values
from tests.annotation.official import official_faults

TEXT = """# text = Ann sings and Bo in bars
1	Ann	Ann	PROPN	_	_	2	nsubj	2:nsubj	_
2	sings	sing	VERB	_	_	0	root	0:root	_
3	and	and	CCONJ	_	_	4	cc	4:cc|4.1:cc	_
4	Bo	Bo	PROPN	_	_	2	conj	4.1:nsubj	_
4.1	sings	sing	VERB	_	_	_	_	2:conj:and	_
5-6	inbars	_	_	_	_	_	_	_	_
5	in	in	ADP	_	_	6	case	6:case	_
6	bars	bar	NOUN	_	_	2	obl	2:obl:in|4.1:obl:in	_

"""


@pytest.fixture
def annotation():
    return SentenceAnnotation.with_graph_of(read_conllu(TEXT.encode())[0])


def test_arcs_are_added_moved_relabelled_and_deleted(annotation):
    added = change_arc(annotation, "1", None, ("4.1", "nsubj"))
    assert added.graph.deps[1] == "2:nsubj|4.1:nsubj"
    moved = change_arc(added, "1", ("2", "nsubj"), ("6", "nsubj"))
    assert moved.graph.deps[1] == "4.1:nsubj|6:nsubj"
    relabelled = change_arc(moved, "4.1", ("2", "conj:and"), ("2", "conj"))
    assert relabelled.graph.empty[0][8] == "2:conj"
    assert change_arc(relabelled, "1", ("6", "nsubj")).graph.deps[1] == "4.1:nsubj"
    assert annotation.graph.deps[1] == "2:nsubj" and relabelled.heads == annotation.heads


@pytest.mark.parametrize(
    ("node", "was", "now", "message"),
    [
        ("7", None, ("1", "obj"), "there is no node '7'"),
        (1, None, ("1", "obj"), "there is no node 1"),
        ("1", None, ("9.1", "obj"), "there is no node '9.1'"),
        ("1", ("3", "obj"), None, "1 has no enhanced arc obj from 3"),
        ("4.1", None, ("4.1", "obj"), "4.1 cannot be its own head"),
        ("1", None, ("2", "nsubj"), "has the enhanced arc nsubj from 2 already"),
        ("1", None, ("2", ""), "nothing is no relation"),
        ("1", None, ("2", "obj|3:obl"), "is no relation of an enhanced arc"),
        ("1", None, ("2", "o bj"), "holds a space"),
    ],
)
def test_arcs_that_cannot_be(annotation, node, was, now, message):
    with pytest.raises(WorkbenchError, match=message):
        change_arc(annotation, node, was, now)


def test_a_graph_begins_with_the_tree(annotation):
    bare = drop_graph(annotation)
    assert bare.graph.is_bare and bare.graph.empty == ()
    for start in (bare, replace(annotation, graph=None)):
        begun = change_arc(start, "1", None, ("4", "nsubj"))
        assert begun.graph.deps == ("", "2:nsubj|4:nsubj", "0:root", "4:cc", "2:conj", "6:case", "2:obl")


def test_a_proposal_is_taken_for_one_word_or_all(annotation):
    proposed = proposed_graph(annotation)
    assert proposed.deps[4] == "2:conj:and"
    one = adopt_graph(annotation, {"4": proposed.deps[4]})
    assert (one.graph.deps[4], one.graph.deps[6]) == ("2:conj:and", annotation.graph.deps[6])
    every = adopt_graph(annotation, {str(word): field for word, field in enumerate(proposed.deps) if word})
    assert every.graph.deps == proposed.deps and every.graph.empty == annotation.graph.empty
    with pytest.raises(WorkbenchError, match="there is no node '9'"):
        adopt_graph(annotation, {"1": "9:obj"})
    with pytest.raises(WorkbenchError, match="DEPS of 1 must be text"):
        adopt_graph(annotation, {"1": 3})


def test_copies_of_basic_arcs_are_brought_along(annotation):
    moved = attach(annotation, 6, 1, "nmod")
    assert moved.graph.deps[6] == "1:nmod:in|4.1:obl:in"
    assert change(annotation, "deprels", 6, "advmod").graph.deps[6] == "2:advmod|4.1:obl:in"
    assert attach(annotation, 4, 1, "flat").graph.deps[4] == "4.1:nsubj"  # no arc of it was a copy
    assert detach(annotation, 6).graph.deps[6] == "4.1:obl:in"
    assert attach(detach(annotation, 6), 6, 2, "obl").graph.deps[6] == "2:obl|4.1:obl:in"
    turned = attach(annotation, 2, 1, "ccomp")  # the new head takes the root's place
    assert turned.graph.deps[1:3] == ("0:root", "1:ccomp")
    assert change(annotation, "upos", 6, "X").graph is annotation.graph
    assert brought_along("3:a", (3, "a"), (3, "a")) == "3:a"


def test_what_is_stored_is_what_was_drawn(annotation):
    original = annotation
    for after in (attach(annotation, 6, 1, "nmod"), change(annotation, "upos", 6, "X"), annotation):
        assert {"deps", "empty"}.isdisjoint(after.values(original))  # brought along, it need not be stored
        assert original.with_values(after.values(original)) == after
    for after in (change_arc(annotation, "1", None, ("4.1", "nsubj")), drop_graph(annotation)):
        assert original.with_values(after.values(original)) == after
    with pytest.raises(WorkbenchError, match="graph does not fit its words"):
        original.with_values({"deps": ["0:root"], "empty": []})
    assert graph_of_values({"deps": ["0:ro\tot"], "empty": []}, 1) is None
    assert graph_of_values({"deps": ["0:root"], "empty": [["1.1"]]}, 1) is None


def test_faults_of_a_graph(annotation):
    assert graph_problems(annotation) == ()
    assert graph_problems(drop_graph(annotation)) == () == graph_problems(replace(annotation, graph=None))
    lost = change_arc(annotation, "4.1", ("2", "conj:and"), ("4", "conj"))  # a cycle through an empty node
    (fault,) = graph_problems(lost)
    assert fault.test == "unconnected-egraph" and "from the root to 3, 4, 4.1" in fault.message
    named = change_arc(annotation, "1", None, ("2", "Nsubj"))
    assert [fault.test for fault in graph_problems(named)] == ["invalid-edeprel"]
    assert graph_problems(named, universal=False) == ()


def test_graphs_are_written_as_they_are_drawn():
    for end in ("\n", "\r\n"):
        text = TEXT.replace("\n", end) * 2
        treebank = read_conllu(text.encode())
        graph = treebank[0].graph
        assert conllu_text(treebank.with_graphs({0: graph, 1: graph})) == text
        drawn = change_arc(SentenceAnnotation.with_graph_of(treebank[1]), "1", None, ("4.1", "nsubj")).graph
        one = treebank.with_graphs({1: drawn})
        first, second = conllu_text(one).split(end * 2)[:2]
        assert first == TEXT.rstrip().replace("\n", end)
        assert second == first.replace("2:nsubj", "2:nsubj|4.1:nsubj", 1) and not one.is_untouched
        assert conllu_text(one.select([1, 0, 1])).split(end * 2)[:3] == [second, first, second]
        assert conllu_text(one.without_graphs()) == conllu_text(treebank.without_graphs())
        bare = treebank.with_graphs({0: SentenceGraph.bare(6)})
        assert bare[0].graph is None and bare[1].graph == graph


def test_drawn_graphs_go_or_stay_where_a_tree_changes_afterwards():
    treebank = read_conllu((TEXT * 2).encode())
    drawn = treebank.with_graphs({0: SentenceGraph(("", "6:x", *treebank[0].graph.deps[2:]), treebank[0].graph.empty)})
    heads, relations = drawn.heads.copy(), drawn.deprel.with_values({6: "nmod"})
    heads[6] = 1
    changed = drawn.with_heads(heads, relations)
    assert changed[0].graph is None and changed[1].graph == treebank[1].graph
    kept = drawn.keeping_graphs().with_heads(heads, relations)
    assert kept.select([0]).source.layout.brought == 8
    assert "6:x" in conllu_text(kept) and "1:nmod:in|4.1:obl:in" in conllu_text(kept)
    assert conllu_text(drawn.with_heads(drawn.heads, drawn.deprel)) == conllu_text(drawn)


def test_a_graph_that_does_not_fit_is_refused():
    treebank = read_conllu(TEXT.encode())
    with pytest.raises(WorkbenchError, match="sentence 1 has 6 words, its graph 2"):
        treebank.with_graphs({0: SentenceGraph.bare(2)})


def test_many_changes_and_back_leave_no_trace(annotation):
    """Random changes of tree and graph: what is stored always gives the annotation again, and a file that is read."""
    generator, original = random.Random(1), annotation
    for _ in range(300):
        word, head = generator.randint(1, 6), generator.randint(0, 6)
        try:
            if generator.random() < 0.5:
                annotation = attach(annotation, word, head, "dep")
            else:
                annotation = change_arc(annotation, str(word), None, (str(head), "dep" if head else "root"))
        except WorkbenchError:
            continue
        stored = annotation.values(original)
        assert original.with_values(stored) == annotation
        lines = annotation.graph.lines(TEXT.encode().split(b"\n"), "utf-8")
        assert SentenceGraph.of_lines(line.decode() for line in lines) == annotation.graph


def test_drawn_graphs_of_sentences_without_punctuation():
    comma = "1\ta\ta\tX\t_\t_\t0\troot\t0:root\t_\n2\t,\t,\tPUNCT\t_\t_\t1\tpunct\t1:punct\t_\n\n"
    treebank = read_conllu((comma + TEXT).encode())
    graph = SentenceGraph(("", "6:x", *treebank[1].graph.deps[2:]), treebank[1].graph.empty)
    drawn = treebank.with_graphs({0: SentenceGraph(("", "0:root", "1:dep")), 1: graph})
    words = drawn.without_punctuation()
    assert words[0].graph is None and words[1].graph == graph


def with_graph(annotation):
    return read_conllu(TEXT.encode()).with_graphs({0: annotation.graph})


def deps_of(annotation):
    return {node: annotation.graph.field(node) for node in annotation.graph.nodes}


def test_an_empty_node_is_added_behind_a_word_and_those_that_are_there(annotation):
    added = add_empty_node(annotation, "4", "plays")
    assert [row[:2] for row in added.graph.empty] == [("4.1", "sings"), ("4.2", "plays")]
    assert deps_of(added) == deps_of(annotation) | {"4.2": "2:dep"}
    assert deps_of(add_empty_node(annotation, "4.1", "_")) == deps_of(added)
    before = add_empty_node(annotation, "0", "so")
    assert before.graph.nodes[:2] == ("0.1", "1") and before.graph.empty[0][1] == "so"
    last = add_empty_node(annotation, "6", "_")
    assert last.graph.nodes[-1] == "6.1" and not graph_problems(last)
    assert conllu_text(with_graph(last)).splitlines()[-2] == "6.1\t_\t_\t_\t_\t_\t_\t_\t2:dep\t_"


def test_an_empty_node_is_relabelled_and_deleted(annotation):
    tagged = change_empty_node(add_empty_node(annotation, "4", "play"), "4.2", "upos", "VERB")
    tagged = change_empty_node(change_empty_node(tagged, "4.2", "forms", "plays"), "4.1", "lemmas", "")
    assert [row[1:4] for row in tagged.graph.empty] == [("sings", "_", "VERB"), ("plays", "_", "VERB")]
    linked = change_arc(tagged, "1", None, ("4.2", "nsubj"))
    without = delete_empty_node(linked, "4.1")
    assert [row[:2] for row in without.graph.empty] == [("4.1", "plays")]
    assert without.graph.deps[1] == "2:nsubj|4.1:nsubj" and without.graph.deps[3:] == (
        "4:cc", "2:conj", "6:case", "2:obl:in",
    )  # fmt: skip
    assert not graph_problems(without)
    bare = delete_empty_node(without, "4.1")
    assert bare.graph.empty == () and not graph_problems(bare)


def test_a_graph_is_begun_with_an_empty_node_also_in_an_unfinished_tree(annotation):
    started = add_empty_node(drop_graph(annotation), "2", "_")
    assert deps_of(started)["2.1"] == "2:dep" and deps_of(started)["4"] == "2:conj" and not graph_problems(started)
    nothing = add_empty_node(drop_graph(detach(detach(annotation, 2), 4)), "1", "_")
    assert deps_of(nothing)["1.1"] == deps_of(nothing)["2"] == "" and deps_of(nothing)["3"] == "4:cc"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda one: add_empty_node(one, "9", "x"), "there is no node '9'"),
        (lambda one: add_empty_node(one, None, "x"), "there is no node None"),
        (lambda one: add_empty_node(one, "4", " "), "needs a form that can be seen"),
        (lambda one: delete_empty_node(one, "4"), "4 is a word, not an empty node"),
        (lambda one: delete_empty_node(one, "4.2"), "there is no node '4.2'"),
        (lambda one: change_empty_node(one, "4.1", "heads", "2"), "an empty node has no 'heads'"),
        (lambda one: change_empty_node(one, "4.1", "upos", "a b"), "holds a space"),
        (lambda one: change_empty_node(one, "4.1", "forms", None), "forms must be text"),
    ],
)
def test_empty_nodes_that_cannot_be(annotation, edit, message):
    with pytest.raises(WorkbenchError, match=message):
        edit(annotation)


def test_random_edits_of_empty_nodes_leave_a_graph_without_new_faults(annotation):
    generator = random.Random(7)
    for _ in range(20):
        one = annotation
        for _ in range(15):
            empty = [row[0] for row in one.graph.empty]
            if empty and generator.random() < 0.45:
                one = delete_empty_node(one, generator.choice(empty))
            else:
                one = add_empty_node(one, generator.choice(["0", *one.graph.nodes]), "_")
                node, head = generator.choice(one.graph.nodes), generator.choice(one.graph.empty)[0]
                if node != head and (head, "dep") not in arcs_in(one.graph.field(node)):
                    one = change_arc(one, node, None, (head, "dep"))
            assert not graph_problems(one)
        bank = with_graph(one)
        assert bank[0].graph == one.graph and official_faults(conllu_text(bank), 2) == official_faults(TEXT, 2)
