"""Rules of UD for enhanced dependencies: for the graph of a sentence in DEPS, and across the sentences of a file."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from core.annotation.faults import Fault
from core.annotation.label_inventories import RELATIONS
from core.treebank.relations import base

ID, HEAD, DEPREL, DEPS = 0, 6, 7, 8
KIND = "enhanced graph"
LONGEST = 20  # characters of a node; Python does not parse very long numbers
_PART = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:_[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)*"
RELATION = regex.compile(rf"[a-z]+(:[a-z]+)?(:{_PART})?(:[a-z]+)?")  # with an adposition or conjunction, and a case


class GraphOutline(NamedTuple):
    """What the rules across the sentences of a file ask of one.

    Attributes
    ----------
    has_graph : bool
    elisions : tuple of (int, str)
        In the order of the lines: (word, ID) of each empty node with an arc, (word, "") of each orphan.
    """

    has_graph: bool = False
    elisions: tuple[tuple[int, str], ...] = ()


def graph_outline(rows: Sequence[Sequence[str]]) -> GraphOutline:
    """The GraphOutline of a sentence, given the fields of its lines."""
    nodes = [row for row in rows if "-" not in row[ID]]
    if not _has_graph(nodes):
        return GraphOutline()
    elisions = []
    for row in nodes:
        arcs = _arcs(row[DEPS])
        if "." in row[ID] and arcs:
            elisions.append((_word(row), row[ID]))
        if any(base(relation) == "orphan" for _, relation in arcs):
            elisions.append((_word(row), ""))
    return GraphOutline(True, tuple(elisions))


def graph_faults(rows: Sequence[Sequence[str]], universal: bool = True) -> Iterator[Fault]:
    """The faults of one sentence's graph, given the fields of its lines; its relations only if ``universal``."""
    nodes = [row for row in rows if "-" not in row[ID]]
    if not _has_graph(nodes):
        return
    arcs = {row[ID]: _arcs(row[DEPS]) for row in nodes}
    known, is_sound = {"0", *arcs}, True
    for row in nodes:
        word = _word(row)
        for fault in (*_head_faults(word, arcs[row[ID]], known), *_form_faults(word, row[DEPS])):
            is_sound = False
            yield fault
    for row in nodes:
        yield from _arc_faults(_word(row), row, arcs[row[ID]], universal)
    if is_sound:
        yield from _unreachable(nodes, arcs)


class GraphsOfFile:
    """The rules across sentences, in the order of the file; those on elisions only if the scheme is ``universal``."""

    def __init__(self, universal: bool = True):
        self.universal = universal
        self._with_graph = self._without_graph = False
        self._orphans = self._empty_nodes = False

    def faults(self, outline: GraphOutline) -> Iterator[Fault]:
        """The faults of the next sentence."""
        yield from self._all_or_none(outline.has_graph)
        if self.universal:
            yield from self._orphan_faults(outline.elisions)

    def _all_or_none(self, has_graph):
        """All sentences of a file have graphs, or none; one fault for the file."""
        message = "others before it have none; give all sentences one, or none"
        if has_graph and not self._with_graph and self._without_graph:
            yield Fault(0, KIND, f"has an enhanced graph (DEPS), and {message}", test="edeps-only-sometimes")
        if not has_graph and not self._without_graph and self._with_graph:
            message = "has no enhanced graph (DEPS), and others before it have one; give all sentences one, or none"
            yield Fault(0, KIND, message, test="edeps-only-sometimes")
        self._with_graph |= has_graph
        self._without_graph |= not has_graph

    def _orphan_faults(self, elisions):
        """A file with empty nodes for elided words has no orphan relations in its graphs."""
        for word, node in elisions:
            if node and not self._empty_nodes and self._orphans:
                message = f"has the empty node {node} for what is left out, but words before it are orphan in DEPS"
                yield Fault(word, KIND, message, test="empty-node-after-eorphan")
            if not node and self._empty_nodes:
                message = "is orphan in DEPS, and this text has empty nodes for what is left out; attach it to one"
                yield Fault(word, KIND, message, test="eorphan-after-empty-node")
            self._empty_nodes |= bool(node)
            self._orphans |= not node


def _has_graph(nodes):
    return any("." in row[ID] or row[DEPS] not in ("_", "") for row in nodes)


def _arc_faults(word, row, arcs, universal):
    heads = [_number(head) for head, _ in arcs]
    if heads != sorted(heads):
        yield Fault(word, KIND, f"DEPS is not in the order of its heads: {row[DEPS]}", test="unsorted-deps")
    elif len(set(arcs)) < len(arcs):
        yield Fault(word, KIND, f"DEPS has an arc twice: {row[DEPS]}", test="repeated-deps")
    elif arcs != sorted(arcs, key=lambda arc: (_number(arc[0]), arc[1])):
        message = f"DEPS has relations of one head out of alphabetical order: {row[DEPS]}"
        yield Fault(word, KIND, message, test="unsorted-deps-2")
    if _number(row[ID]) in heads:
        yield Fault(word, KIND, f"DEPS makes {row[ID]} its own head", test="deps-self-loop")
    if universal:
        yield from _relation_faults(word, arcs)
        yield from _goeswith_faults(word, row)


def _arcs(text):
    """(head, relation) for each arc in DEPS."""
    parts = (arc.partition(":") for arc in text.split("|") if text not in ("_", ""))
    return [(head, relation) for head, _, relation in parts]


def _number(node):
    """A node's number as a pair for sorting: 1.10 comes after 1.9."""
    major, _, minor = node.partition(".")
    is_number = major.isdecimal() and (minor or "0").isdecimal() and len(node) <= LONGEST
    return (int(major), int(minor or 0)) if is_number else (-1, 0)


def _word(row):
    return max(int(row[ID].partition(".")[0]), 1)


def _head_faults(word, arcs, known):
    for head, _ in arcs:
        if head not in known:
            message = f"its enhanced dependencies (DEPS) name the head {head}, which is not there; mend or remove them"
            yield Fault(word, "missing head in DEPS", message, test="unknown-ehead")


def _form_faults(word, text):
    if text not in ("_", "") and not all(":" in arc for arc in text.split("|")):
        yield Fault(word, KIND, f"DEPS is {text}; write head:relation|head:relation", test="invalid-deps")


def _relation_faults(word, arcs):
    for head, relation in arcs:
        if not RELATION.fullmatch(relation):
            message = f"{relation} in DEPS is no relation of UD's form; write small letters"
            yield Fault(word, KIND, message, test="invalid-edeprel")
        elif base(relation) not in (*RELATIONS, "ref"):
            message = f"{relation} in DEPS is no relation of Universal Dependencies"
            yield Fault(word, KIND, message, test="unknown-eudeprel")
        if (head == "0") != (base(relation) == "root"):
            message = f"DEPS has {head}:{relation}; root, and nothing else, has the head 0"
            test = "enhanced-0-is-not-root" if head == "0" else "enhanced-root-is-not-0"
            yield Fault(word, KIND, message, test=test)


def _goeswith_faults(word, row):
    """A later part of a split word has no other enhanced arc."""
    if base(row[DEPREL]) == "goeswith" and row[DEPS] not in ("_", f"{row[HEAD]}:{row[DEPREL]}"):
        message = f"is a later part of a word (goeswith); DEPS has only {row[HEAD]}:{row[DEPREL]}"
        yield Fault(word, KIND, message, test="goeswith-edeps")


def _unreachable(nodes, arcs):
    """Nodes that cannot be reached from the root; one fault, at the first."""
    children: dict[str, list[str]] = {}
    for node, heads in arcs.items():
        for head, _ in heads:
            children.setdefault(head, []).append(node)
    reached, waiting = {"0"}, ["0"]
    while waiting:
        new = [node for node in children.get(waiting.pop(), ()) if node not in reached]
        reached.update(new)
        waiting += new
    unreached = [row for row in nodes if row[ID] not in reached]
    if unreached:
        names = ", ".join(row[ID] for row in unreached)
        message = f"no path of the enhanced graph leads from the root to {names}; attach them in DEPS"
        yield Fault(_word(unreached[0]), KIND, message, test="unconnected-egraph")
