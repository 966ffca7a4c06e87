"""``corpus search``: counts, clusters, rewriting, bad requests."""

import json

import pytest

from core.__main__ import main
from core.treebank import read_conllu, write_conllu
from core.treebank.sample import load_sample


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = main([*map(str, arguments)])
        return code, capsys.readouterr()

    return call


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    place = tmp_path_factory.mktemp("search") / "sample.conllu"
    write_conllu(load_sample(), place)
    return place


def test_counts_equal_the_trees(run, path):
    treebank = read_conllu(path)
    expected = sum(
        sentence.deprels[word] == "obj" and sentence.upos[word] == "NOUN"
        for sentence in treebank
        for word in range(1, len(sentence) + 1)
    )
    code, said = run("corpus", "search", path, "e: V -[obj]-> N; N [upos=NOUN]", "--by", "e.label", "--json")
    data = json.loads(said.out)
    assert code == 0
    assert data["hits"] == expected > 100
    assert data["clusters"] == [{"values": ["obj"], "count": expected}]


def test_a_rewriting_is_written(run, path, tmp_path):
    out = tmp_path / "out.conllu"
    request = "pattern { V -[obj]-> N } commands { N.deprel = dobj }"
    code, said = run("corpus", "search", path, request, "--out", out, "--json")
    data = json.loads(said.out)
    assert code == 0
    assert data["rewritten"] == data["hits"]
    assert not data["skipped"]
    assert out.read_text("utf-8").count("\tdobj\t") == data["hits"]
    assert run("corpus", "search", path, request)[0] == 2


def test_a_bad_request_is_one_line(run, path):
    code, said = run("corpus", "search", path, "X [upos=")
    assert code == 2
    assert said.err == "error: line 1, column 9: expected a value, not the end\n"
