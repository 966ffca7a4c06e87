"""The results of a run of adaptation as comma-separated text, and the table of changed arcs."""

from collections.abc import Mapping, Sequence

from core.evaluation import AttachmentScores
from core.files.tables import columns_of, separated
from core.treebank import Sentence, Treebank
from core.workspace.wording import word_name


def scores_csv(scores: Mapping[str, Mapping[str, Sequence[AttachmentScores]]]) -> str:
    """Scores by system and text after every iteration: counts, not shares."""
    rows = [
        (text, name, iteration, score.words, score.both if score.labelled else "", score.heads, score.labels)
        for name, texts in scores.items()
        for text, series in texts.items()
        for iteration, score in enumerate(series, start=1)
    ]
    return separated(("text", "system", "iteration", "words", "both right", "heads right", "labels right"), rows)


def pivots_csv(findings: Mapping[str, Sequence[Mapping]]) -> str:
    """Pivots and directions with their strongest features."""
    rows = []
    for pivot in findings["pivots"]:
        rows += [("pivot", pivot["name"], *feature) for feature in (*pivot["strongest"], *pivot["weakest"])]
    for direction in findings["directions"]:
        rows += [
            ("direction", direction["number"], *feature) for feature in (*direction["positive"], *direction["negative"])
        ]
    return separated(("of", "name", "feature", "weight"), rows)


def changed_csv(edges: Sequence[Mapping], text: Treebank) -> str:
    """The columns of ``changed_table`` as comma-separated text."""
    table = changed_table(edges, text)
    return separated(table, zip(*table.values(), strict=True))


def changed_table(edges: Sequence[Mapping], text: Treebank) -> dict[str, list]:
    """Columns of a table over words of a text that adaptation attached or named otherwise, as ``ChangedEdge`` has them.

    Scores are differences, those of the arc after adaptation less those of the arc before; shares are per cent.
    """
    names = ("sentence", "word", "before", "after", "own", "difference", "induced", "share", "verdict")
    rows = []
    for edge in edges:
        sentence = text[edge["sentence"]]
        ends = (("head_before", "relation_before"), ("head_after", "relation_after"), ("gold_head", "gold_relation"))
        arcs = (_attached(sentence, edge[head], edge[relation]) for head, relation in ends)
        share = None if edge["margin_share"] is None else 100 * edge["margin_share"]
        scores = edge["margin"], edge["induced_margin"], share
        number = int(text.picks[edge["sentence"]]) + 1
        rows.append((number, word_name(sentence, edge["word"]), *arcs, *scores, edge["verdict"]))
    return columns_of(names, rows)


def _attached(sentence: Sentence, head: int, relation: str) -> str:
    return "" if head < 0 else f"{word_name(sentence, head)} {relation}".strip()
