"""Enhanced dependencies as a file has them: heads that they name and that are no word of the sentence."""

from collections.abc import Iterator

from core.treebank.treebank import Treebank


def missing_heads(treebank: Treebank) -> Iterator[tuple[int, int, str]]:
    """(index of the sentence, word 1..n, head) for each head in DEPS that the sentence has no word or empty node for.

    A fault of an empty node, which is no word, is told at the word before it. O(bytes).
    """
    source = treebank.source
    column, encoding = source.layout.graph, source.encoding
    if column is None or not source.has_graphs:
        return
    for index, pick in enumerate(treebank.picks.tolist()):
        block = source.data[source.blocks[pick] : source.blocks[pick + 1]].decode(encoding)
        rows = [line.split("\t") for line in block.splitlines() if "\t" in line and not line.startswith("#")]
        known = {"0", *(row[0] for row in rows if "-" not in row[0])}
        for row in rows:
            graph = row[column] if len(row) > column else "_"
            for arc in graph.split("|") if graph not in ("_", "") else ():
                head = arc.partition(":")[0]
                if head not in known:
                    yield index, max(int(row[0].partition(".")[0].partition("-")[0]), 1), head
