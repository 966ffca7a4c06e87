"""Changes that a person makes to the enhanced graph of a sentence under annotation, and what is wrong with it.

A node is named as in the file: "3" for a word, "3.1" for an empty node, "0" for the root. In a sentence without a graph
the first change begins one with the copies of the basic arcs. All changes raise WorkbenchError where they cannot be.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.annotation import word_edits
from core.annotation.edits import SentenceAnnotation, checked_value
from core.annotation.faults import Fault
from core.annotation.graph_rules import graph_faults
from core.annotation.sentence_block import Node, SentenceBlock
from core.errors import WorkbenchError
from core.treebank.graphs import NONE, Arc, SentenceGraph, arcs_in, deps_field

WORD_COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats")


def graph_to_change(annotation: SentenceAnnotation) -> SentenceGraph:
    """The graph of an annotation, or the copies of its basic arcs where it has none."""
    if annotation.graph is not None and not annotation.graph.is_bare:
        return annotation.graph
    pairs = zip(annotation.heads, annotation.deprels, strict=True)
    return SentenceGraph(tuple(deps_field([(str(head), relation)]) if head >= 0 else "" for head, relation in pairs))


def change_arc(
    annotation: SentenceAnnotation, node: str, was: Arc | None = None, now: Arc | None = None
) -> SentenceAnnotation:
    """The annotation with another arc to a node: moved or relabelled, added without ``was``, deleted without ``now``.

    Arcs are (head, relation). O(nodes).
    """
    graph = graph_to_change(annotation)
    nodes = set(graph.nodes)
    _require_node(nodes, node)
    arcs = arcs_in(graph.field(node))
    if was is not None and was not in arcs:
        raise WorkbenchError(f"{node} has no enhanced arc {was[1]} from {was[0]}; look at the graph as it is now")
    kept = [arc for arc in arcs if arc != was]
    if now is not None:
        now = _checked_arc(nodes, node, now)
        if now in kept:
            raise WorkbenchError(f"{node} has the enhanced arc {now[1]} from {now[0]} already; choose another relation")
        kept.append(now)
    return replace(annotation, graph=graph.with_field(node, deps_field(kept)))


def adopt_graph(annotation: SentenceAnnotation, fields: Mapping[str, str]) -> SentenceAnnotation:
    """The annotation whose nodes have the DEPS fields of another graph, such as a proposal's, by node. O(arcs)."""
    graph, checked = graph_to_change(annotation), {}
    nodes = set(graph.nodes)
    for node, field in fields.items():
        _require_node(nodes, node)
        if not isinstance(field, str):
            raise WorkbenchError(f"DEPS of {node} must be text, got {field!r}")
        checked[node] = deps_field(_checked_arc(nodes, node, arc) for arc in arcs_in(field))
    return replace(annotation, graph=graph.with_fields(checked))


def drop_graph(annotation: SentenceAnnotation) -> SentenceAnnotation:
    """The annotation without enhanced arcs and empty nodes."""
    return replace(annotation, graph=SentenceGraph.bare(len(annotation)))


def add_empty_node(annotation: SentenceAnnotation, node: str, form: str) -> SentenceAnnotation:
    """The annotation with an empty node behind a word, "0" for none, and behind those that are there; or behind one.

    It hangs from the root word, if there is one, until somebody says otherwise. Its number is the next, such as 3.2.
    ``form`` is "_" for an unknown one. O(nodes).
    """
    graph = graph_to_change(annotation)
    if node != "0":
        _require_node(graph.nodes, node)
    word = int(node.partition(".")[0])
    return _with_nodes(annotation, graph, partial(word_edits.insert_empty_node, after=word, part=form))


def delete_empty_node(annotation: SentenceAnnotation, node: str) -> SentenceAnnotation:
    """The annotation without an empty node and its arcs; those behind it move up, so that 3.2 becomes 3.1.

    Where the root reached all nodes it does so still: a word that hung from that node alone gets its basic arc, an
    empty node one from the root word. O(nodes).
    """
    graph = graph_to_change(annotation)
    _require_empty(graph, node)
    return _with_nodes(annotation, graph, partial(word_edits.delete_empty_node, node_id=node))


def change_empty_node(annotation: SentenceAnnotation, node: str, column: str, value: str) -> SentenceAnnotation:
    """The annotation with another value of a column of WORD_COLUMNS for an empty node; "" is unknown. O(nodes)."""
    graph = graph_to_change(annotation)
    _require_empty(graph, node)
    if column not in WORD_COLUMNS:
        raise WorkbenchError(f"an empty node has no {column!r}; name one of {', '.join(WORD_COLUMNS)}")
    at, value = 1 + WORD_COLUMNS.index(column), checked_value(column, value) or NONE
    rows = ((*row[:at], value, *row[at + 1 :]) if row[0] == node else row for row in graph.empty)
    return replace(annotation, graph=replace(graph, empty=tuple(rows)))


def _with_nodes(annotation, graph, edit):
    """The annotation whose graph is another one after an edit of the nodes of its block."""
    block = edit(SentenceBlock((), tuple(map(Node, _rows(annotation, graph))))).blocks[0]
    return replace(annotation, graph=SentenceGraph.of_lines(block.text().splitlines()))


def graph_problems(annotation: SentenceAnnotation, universal: bool = True) -> tuple[Fault, ...]:
    """What UD's rules find wrong with an annotation's graph; relations are judged only if ``universal``."""
    graph = annotation.graph
    if graph is None or graph.is_bare:
        return ()
    return tuple(graph_faults(_rows(annotation, graph), universal))


def _rows(annotation, graph):
    """The fields of the line of each node, in order."""
    empty = {row[0]: row for row in graph.empty}
    return [empty[node] if node in empty else _row(annotation, graph, int(node)) for node in graph.nodes]


def _row(annotation, graph, word):
    """The fields of a word's line; MISC is left out."""
    fields = [getattr(annotation, name)[word] or NONE for name in WORD_COLUMNS]
    head = annotation.heads[word]
    tree = (NONE if head < 0 else str(head), annotation.deprels[word] or NONE)
    return (str(word), *fields, *tree, graph.deps[word] or NONE, NONE)


def _require_node(nodes, node):
    if not isinstance(node, str) or node not in nodes:
        raise WorkbenchError(f"there is no node {node!r} in the graph of this sentence; look at the graph as it is now")


def _require_empty(graph, node):
    _require_node(graph.nodes, node)
    if "." not in node:
        raise WorkbenchError(f"{node} is a word, not an empty node; G gives the keys back to words")


def _checked_arc(nodes, node, arc):
    """An arc to a node as it stands in DEPS."""
    head, relation = arc
    if head != "0":
        _require_node(nodes, head)
    if head == node:
        raise WorkbenchError(f"{node} cannot be its own head; choose another node, or the root")
    relation = checked_value("deprels", relation)
    if not relation or "|" in relation:
        raise WorkbenchError(f"{relation or 'nothing'} is no relation of an enhanced arc; write one, such as nsubj")
    return head, relation
