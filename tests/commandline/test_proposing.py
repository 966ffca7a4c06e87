"""``corpus propose``: from a text and its corrected copy to requests, rules and constraints."""

import pytest

from core.search import parse_request
from core.treebank import Treebank, write_conllu

WORDS = {"forms": ["a", "cat", "sleeps"], "upos": ["DET", "NOUN", "VERB"], "heads": [2, 3, 0]}
OLD, NEW = (WORDS | {"deprels": [name, "nsubj", "root"]} for name in ("det", "det:a"))


@pytest.fixture
def paths(tmp_path):
    """paths(sentences, ...) -> the names of files that hold them."""

    def paths(*texts):
        names = [str(tmp_path / f"{number}.conllu") for number in range(len(texts))]
        for name, sentences in zip(names, texts, strict=True):
            write_conllu(Treebank.from_sentences(sentences), name)
        return names

    return paths


def test_a_request_is_proposed_and_can_be_carried_out(run, paths, tmp_path):
    before, after = paths([OLD] * 4, [NEW, OLD, OLD, NEW])
    report = run("corpus", "propose", before, after, "--json")
    best = report["proposals"][0]
    assert (best["level"], best["hits"], best["sentences"], best["examples"]) == ("best", 2, 2, [1, 4])
    assert best["places"] == [{"sentence": 2, "word": 1}, {"sentence": 3, "word": 1}]
    assert parse_request(best["request"]).commands
    edited = run("corpus", "edit", before, best["request"], "--out", str(tmp_path / "out.conllu"), "--json")
    assert edited["rewritten"] == 4


@pytest.mark.parametrize(
    ("after", "message"),
    [
        ([OLD, OLD], "nothing was corrected"),
        ([NEW], "has 2 sentences, "),
        ([NEW | {"forms": ["the", "cat", "sleeps"]}, OLD], "words of sentence 1 have changed"),
    ],
)
def test_what_cannot_be_compared_is_said(run, paths, after, message):
    assert message in run("corpus", "propose", *paths([OLD, OLD], after), code=2)
