"""The tree editor's steps on the enhanced graph of a sentence, and what it gets to draw of it."""

from collections.abc import Mapping
from typing import cast

from core.annotation import SentenceAnnotation
from core.annotation.graph_edits import (
    add_empty_node,
    adopt_graph,
    change_arc,
    change_empty_node,
    delete_empty_node,
    drop_graph,
)
from core.annotation.graph_proposal import proposed_graph
from core.errors import WorkbenchError
from core.languages.direction import bidi_isolate
from core.treebank.graphs import FORM, ID, UPOS, plain

EMPTY_VALUES = {"forms": "form", "lemmas": "lemma", "upos": "UPOS", "xpos": "XPOS", "feats": "features"}
SHOWN = (FORM, UPOS, 2, 4, 5)  # fields of an empty node's line: also its lemma, XPOS and features
STEPS = ("arc", "graph", "no graph", "empty")


def editor_graph(annotation: SentenceAnnotation) -> dict[str, object]:
    """What the editor draws of an annotation's graph.

    ``fields`` has the DEPS of each node, or is None where there is no graph. ``proposed`` has the DEPS of words 1..n
    by rule. ``empty`` has the (id, form, UPOS, lemma, XPOS, features) of empty nodes.
    """
    graph = annotation.graph
    drawn = None if graph is None or graph.is_bare else graph
    return {
        "fields": None if drawn is None else {node: drawn.field(node) for node in drawn.nodes},
        "proposed": {str(word): field for word, field in enumerate(proposed_graph(annotation).deps) if word},
        "empty": [] if drawn is None else [[row[ID], *(plain(row[at]) for at in SHOWN)] for row in drawn.empty],
    }


def carry_out_on_graph(annotation: SentenceAnnotation, step: Mapping) -> tuple[SentenceAnnotation, str]:
    """(annotation, label) after one step on the graph, a dict; WorkbenchError for one that cannot be.

    ``{"do": "arc", "node", "old", "new"}``, two arcs [head, relation] or None; ``{"do": "graph", "fields"}``, DEPS by
    node; ``{"do": "no graph"}``; ``{"do": "empty", "edit", "node", "value"}``, whose ``edit`` of an empty node is add
    (behind a node, with a form), delete, or a column.
    """
    kind = step.get("do")
    if kind == "no graph":
        return drop_graph(annotation), "removing the enhanced graph"
    if kind == "graph":
        fields = step.get("fields")
        if not isinstance(fields, dict) or not all(isinstance(node, str) for node in fields):
            raise WorkbenchError("the editor sent no graph; reload the page")
        return adopt_graph(annotation, fields), "accepting the proposed graph"
    if kind == "empty":
        return _of_empty_node(annotation, step.get("edit"), cast(str, step.get("node")), cast(str, step.get("value")))
    node, was, now = cast(str, step.get("node")), _arc(step.get("old")), _arc(step.get("new"))
    after = change_arc(annotation, node, was, now)
    form = bidi_isolate(annotation.forms[int(node)] if "." not in node else node)
    if now is None:
        return after, f"deleting an enhanced arc of {form}"
    return after, f"{'adding' if was is None else 'changing'} an enhanced arc of {form}"


def _of_empty_node(annotation, edit, node, value):
    """(annotation, label) after an edit of an empty node."""
    if edit == "add":
        return add_empty_node(annotation, node, value), "adding an empty node"
    if edit == "delete":
        return delete_empty_node(annotation, node), f"deleting the empty node {node}"
    after = change_empty_node(annotation, node, cast(str, edit), value)
    return after, f"setting the {EMPTY_VALUES[cast(str, edit)]} of the empty node {node} to {value or 'nothing'}"


def _arc(value):
    """An arc as the editor sends it, or None."""
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value):
        return value[0], value[1]
    raise WorkbenchError(f"{value!r} is no enhanced arc; it has a head and a relation")
