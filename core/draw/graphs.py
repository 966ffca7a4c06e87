"""Sentences and their enhanced graphs made into drawings."""

from dataclasses import replace
from typing import TYPE_CHECKING

from core.draw.arc import Arc
from core.draw.drawing import Drawing
from core.draw.trees import draw_tree
from core.treebank.graphs import FORM, UPOS, arcs_in, plain

if TYPE_CHECKING:
    from core.annotation.edits import SentenceAnnotation
    from core.treebank.sentence import Sentence


def draw_graph(sentence: "Sentence | SentenceAnnotation") -> Drawing:
    """A sentence's tree above its words and, below them, the enhanced arcs that differ from it.

    Empty nodes stand in brackets after the last word. Without a graph it is the drawing of the tree. O(arcs).
    """
    drawing, graph = draw_tree(sentence), sentence.graph
    if graph is None or graph.is_bare:
        return drawing
    last = len(drawing)
    places = {str(word): word for word in range(last + 1)}
    places |= {row[0]: last + number for number, row in enumerate(graph.empty, start=1)}
    basic = {(arc.modifier, arc.head, arc.label) for arc in drawing.arcs}
    arcs = [
        Arc(places[head], places[node], relation, "third", below=True)
        for node in graph.nodes
        for head, relation in arcs_in(graph.field(node))
        if places.get(head, places[node]) != places[node] and (places[node], places[head], relation) not in basic
    ]
    return replace(
        drawing,
        words=(*drawing.words, *(f"[{row[0]} {row[FORM]}]" for row in graph.empty)),
        tags=(*drawing.tags, *(plain(row[UPOS]) for row in graph.empty)),
        arcs=(*drawing.arcs, *arcs),
        above="tree",
        below="graph",
        meanings=(("third", "enhanced"),),
        last=last,
    )
