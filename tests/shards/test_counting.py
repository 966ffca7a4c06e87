"""What is counted where shards are is what is counted of the text in one piece."""

import dataclasses

import pytest

from core.errors import WorkbenchError
from core.markup import agreement, markup_statistics
from core.shards import LocalEngine
from core.shards.counting import shards_agreement, shards_statistics
from core.treebank import statistics
from tests.filled import filled
from tests.shards.corpora import in_memory
from tests.shards.crawl import extract, folder


@pytest.mark.parametrize("longest", [None, 12])
def test_statistics_are_those_of_the_text(parsed_shards, longest):
    text = in_memory(parsed_shards) if longest is None else in_memory(parsed_shards).max_length(longest)
    found, expected = shards_statistics(parsed_shards, longest), statistics(text)
    assert found.sentences and len(parsed_shards) > 3
    for name, value in filled(dataclasses.asdict(expected).items()):
        assert getattr(found, name) == value, name


def test_statistics_of_a_text_without_trees(plain_shards):
    found = shards_statistics(plain_shards)
    assert found == statistics(in_memory(plain_shards)) and found.with_heads == 0 and found.upos == {}


@pytest.mark.parametrize(("longest", "tag"), [(None, None), (12, None), (None, "i")])
def test_agreement_and_tables_are_those_of_the_text(parsed_shards, longest, tag):
    text = in_memory(parsed_shards) if longest is None else in_memory(parsed_shards).max_length(longest)
    found, tables = shards_agreement(parsed_shards, longest, tag=tag)
    assert found == agreement(text) and found.sentences > 5 and len(found.by_source) == 1
    assert tables == markup_statistics(text, tag=tag) and tables.sequences and tables.spawns


def test_workers_count_the_same(cluster, parsed_shards):
    assert shards_statistics(parsed_shards, engine=cluster) == shards_statistics(parsed_shards)
    assert shards_agreement(parsed_shards, engine=cluster) == shards_agreement(parsed_shards, engine=LocalEngine())


def test_without_brackets_nothing_is_judged(tmp_path):
    pages = folder(tmp_path / "pages", {"a.html": b"<p>The old man came home in the end."})
    shards = extract([pages], tmp_path / "shards").shards
    with pytest.raises(WorkbenchError, match=f"{shards.folder} has no brackets; extract some"):
        shards_agreement(shards)
