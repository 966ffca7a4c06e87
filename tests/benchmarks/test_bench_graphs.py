"""Enhanced graphs proposed from gold trees, against those of the treebank, and how long that takes.

Run with ``python -m pytest tests/benchmarks/test_bench_graphs.py --benchmark-enable --benchmark-only -s``. The rules
were written with the trees of ``ewt-dev`` in view.
"""

from collections import Counter

import pytest

from core.annotation import SentenceAnnotation
from core.annotation.graph_proposal import proposed_graph
from core.treebank import read_conllu
from core.treebank.graphs import SentenceGraph, arcs_in

LEAST = {"ewt-dev": 0.95, "ewt-test": 0.90}  # F1 of arcs that are no copies of basic ones


def other_arcs(annotation, graph):
    """{(word, head, relation)} of the arcs to words that differ from their basic arcs."""
    basic = list(zip(map(str, annotation.heads), annotation.deprels, strict=True))
    return {
        (word, *arc) for word, field in enumerate(graph.deps) for arc in arcs_in(field) if arc != basic[word]
    }  # fmt: skip


@pytest.mark.parametrize("name", LEAST)
def test_proposed_graphs(benchmark, shared_data, most, name):
    sentences = list(read_conllu(shared_data / "en-ewt" / f"{name}.conllu").limit(most(10_000, 200)))
    annotations = [SentenceAnnotation.of(sentence) for sentence in sentences]
    proposed = benchmark.pedantic(lambda: [proposed_graph(each) for each in annotations], rounds=3)
    counts = Counter()
    for sentence, annotation, graph in zip(sentences, annotations, proposed, strict=True):
        gold, ours = (other_arcs(annotation, each) for each in (SentenceGraph.of_lines(sentence.lines), graph))
        counts.update(right=len(gold & ours), gold=len(gold), proposed=len(ours))
    precision, recall = (counts["right"] / counts[of] for of in ("proposed", "gold"))
    f1 = 2 * counts["right"] / (counts["gold"] + counts["proposed"])
    print(
        f"\n{name}, {len(sentences):,} sentences, arcs that differ from basic ones: precision {100 * precision:.1f}, "
        f"recall {100 * recall:.1f}, F1 {100 * f1:.1f} of {counts['gold']:,}; "
        f"{1e6 * benchmark.stats.stats.min / len(sentences):.0f} us a sentence"
    )
    assert f1 >= LEAST[name]
