"""Commands of a request on enhanced graphs, which leave the tree: ``add_edge X -[E:rel]-> Y``, and ``del_edge`` so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.annotation import SentenceAnnotation
from core.annotation.graph_edits import change_arc, graph_to_change
from core.errors import WorkbenchError
from core.search.request import ENHANCED, REDUCED, RewriteCommand
from core.treebank import Treebank
from core.treebank.graphs import Arc, arcs_in


@dataclass(frozen=True)
class GraphChange:
    """One enhanced arc more in a hit, or one less where it is ``deleted``.

    ``row`` is the word's, ``arc`` the head, as in DEPS, and the relation; ``old`` and ``new`` are the word's DEPS
    field before and after.
    """

    row: int
    arc: Arc
    deleted: bool
    old: str
    new: str
    field = "deps"


def graph_changes(
    treebank: Treebank, sentence: int, commands: Sequence[RewriteCommand], rows: Mapping[str, int]
) -> tuple[tuple[GraphChange, ...], str | None]:
    """(GraphChanges of commands in a hit of a sentence, whose words have these ``rows``; why they cannot be, or None).

    To add an arc that is there already, or delete one that is not, is no change.
    """
    about = [command for command in commands if command.kind in (ENHANCED, REDUCED)]
    if not about:
        return (), None
    start, changes = int(treebank.offsets[sentence]), []
    annotation = SentenceAnnotation.with_graph_of(treebank[sentence])
    for command in about:
        row, arc = rows[str(command.word)], (str(rows[str(command.head)] - start), command.value)
        is_deleted = command.kind == REDUCED
        try:
            after = with_arc(annotation, row - start, arc, is_deleted)
        except WorkbenchError as error:
            return (), str(error)
        old, new = (graph_to_change(each).deps[row - start] for each in (annotation, after))
        if old != new:
            changes.append(GraphChange(row, arc, is_deleted, old, new))
        annotation = after
    return tuple(changes), None


def with_arc(annotation: SentenceAnnotation, word: int, arc: Arc, is_deleted: bool) -> SentenceAnnotation:
    """The annotation with an enhanced arc more or less; the same where that is so already.

    A word whose last arc is deleted gets the copy of its basic one, so that the graph stays whole.
    """
    if is_deleted and (annotation.graph is None or annotation.graph.is_bare):
        return annotation
    if (arc in arcs_in(graph_to_change(annotation).deps[word])) != is_deleted:
        return annotation
    if not is_deleted:
        return change_arc(annotation, str(word), None, arc)
    head = annotation.heads[word]
    is_last = arcs_in(graph_to_change(annotation).deps[word]) == [arc] and head >= 0
    basic = (str(head), annotation.deprels[word]) if is_last else None
    return annotation if basic == arc else change_arc(annotation, str(word), arc, basic)


def with_changed_graphs(treebank: Treebank, changes: Iterable[tuple[int, Iterable[object]]]) -> Treebank:
    """The treebank, as CoNLL-U, after the GraphChanges among (index of the sentence, changes). O(bytes) if any is."""
    by_sentence: dict[int, list[GraphChange]] = {}
    for sentence, several in changes:
        for change in several:
            if isinstance(change, GraphChange):
                by_sentence.setdefault(sentence, []).append(change)
    if not by_sentence:
        return treebank
    bank, graphs = treebank.to_conllu(), {}
    for sentence, own in by_sentence.items():
        start, after = int(bank.offsets[sentence]), SentenceAnnotation.with_graph_of(bank[sentence])
        for change in own:
            after = with_arc(after, change.row - start, change.arc, change.deleted)
        if after.graph is not None:
            graphs[sentence] = after.graph
    return bank.with_graphs(graphs)
