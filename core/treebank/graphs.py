"""Enhanced dependencies as a file has them: heads that they name and that are no word of the sentence."""

from collections.abc import Iterator

from core.treebank.render import drops_graphs
from core.treebank.treebank import Treebank


def missing_heads(treebank: Treebank) -> Iterator[tuple[int, int, str]]:
    """(index of the sentence, word 1..n, head) for each head in DEPS that the sentence has no word or empty node for.

    A fault of an empty node, which is no word, is told at the word before it. None where a tree has changed, as these
    dependencies then are written no more. O(bytes).
    """
    source = treebank.source
    column = source.layout.graph
    if column is None or not source.has_graphs or drops_graphs(treebank):
        return
    for index, pick in enumerate(treebank.picks.tolist()):
        lines = source.block(pick).decode(source.encoding).replace("\r\n", "\n").split("\n")
        rows = [line.split("\t") for line in lines if "\t" in line and not line.startswith("#")]
        known = {"0", *(row[0] for row in rows if "-" not in row[0])}
        for row in rows:
            graph = row[column] if len(row) > column else "_"
            for arc in graph.split("|") if graph not in ("_", "") else ():
                head = arc.partition(":")[0]
                if head not in known:
                    yield index, max(int(row[0].partition(".")[0].partition("-")[0]), 1), head
