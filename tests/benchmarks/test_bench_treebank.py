"""Reading CoNLL-U into arrays, beside other readers of the same text in the same run."""

import tracemalloc
from time import perf_counter

import conllu
import numpy as np
import pytest

from core.treebank import read_conllu, statistics
from core.treebank.render import treebank_bytes


@pytest.fixture(scope="module")
def text(shared_data, most):
    sentences = (shared_data / "en-ewt" / "ewt-test.conllu").read_bytes().split(b"\n\n")
    return b"\n\n".join([*sentences[: most(10_000, 40)], b""])


def read_arrays(data):
    """Heads, spans of all columns, and tag ids: what the goal speaks of."""
    treebank = read_conllu(data)
    return treebank, treebank.upos, treebank.xpos, treebank.deprel


def read_plainly(data):
    sentences = []
    for block in data.decode().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and line[0] != "#"]
        rows = [row for row in rows if row[0].isdigit()]
        sentences.append(([row[1] for row in rows], [row[3] for row in rows], [int(row[6]) for row in rows]))
    return sentences


def read_with_library(data):
    return conllu.parse(data.decode())


def read_with_udpipe(data):
    udpipe = pytest.importorskip("ufal.udpipe")
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(data.decode())
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence):  # parsed into the same sentence again and again, the fastest way
        pass


def seconds(function, repeats=5):
    best = float("inf")
    for _ in range(repeats):
        begin = perf_counter()
        function()
        best = min(best, perf_counter() - begin)
    return best


@pytest.mark.parametrize(
    ("peer", "repeats"),
    [(read_plainly, 5), (read_with_udpipe, 5), (read_with_library, 1)],
    ids=["plainly", "udpipe", "library"],
)
def test_reading_into_arrays(benchmark, text, peer, repeats):
    other = seconds(lambda: peer(text), repeats)
    read_arrays(text)  # compile
    benchmark(read_arrays, text)
    ours = benchmark.stats.stats.min
    megabytes = len(text) / 1e6
    print(f"\n{peer.__name__}: {megabytes / other:.0f} MB/s; ours {megabytes / ours:.0f} MB/s, {other / ours:.1f} x")


def test_a_million_tokens(benchmark, text, most):
    """Reading, interning all columns, counting, pruning and writing; and how much memory the arrays take."""
    data = text * most(40, 1)
    read_arrays(text)
    treebank = benchmark.pedantic(read_conllu, (data,), rounds=3)
    timed = {
        "columns": lambda: [getattr(treebank, name) for name in ("form", "lemma", "upos", "xpos", "feats", "deprel")],
        "statistics": lambda: statistics(treebank),
        "without punctuation": treebank.without_punctuation,
        "max_length(10)": lambda: treebank.max_length(10),
        "write with new heads": lambda: treebank_bytes(treebank.with_heads(np.minimum(treebank.heads, 0))),
    }
    print(f"\n{treebank.token_count:,} words, {len(data) / 1e6:.0f} MB: read in {benchmark.stats.stats.min:.2f} s")
    for name, function in timed.items():
        print(f"{name}: {seconds(function, 1):.2f} s")
    tracemalloc.start()
    read_arrays(data)
    print(f"memory beside the text: {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB")
    tracemalloc.stop()
