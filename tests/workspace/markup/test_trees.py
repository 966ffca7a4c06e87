"""Marked sentences of a large text are parsed in the background, and what was parsed is kept."""

import threading

import numpy as np
import pytest

from core.errors import FormatError
from core.treebank import Column
from core.treebank.tagged import composed_treebank
from core.workspace.markup import trees as markup_trees
from core.workspace.markup.brackets import MarkupRoom
from core.workspace.markup.pages import add_pages
from core.workspace.markup.trees import MarkupParsing, parse_bytes, read_parse
from core.workspace.parse import Parse
from core.workspace.system import packed
from tests.workspace.running import PATIENCE

PAGE = "".join(f"<p>Boat {number} <b>sank in</b> the harbour. Nobody saw it.</p>" for number in range(30))


class Chain:
    """A parser that hangs each word below the one before, and waits at a gate before each batch."""

    def __init__(self):
        self.batches, self.arrived, self.gate = [], threading.Semaphore(0), threading.Semaphore(0)

    def tag(self, treebank):
        return treebank

    def parse(self, treebank):
        self.arrived.release()
        assert self.gate.acquire(timeout=PATIENCE)
        self.batches.append(len(treebank))
        heads = [head for n in treebank.lengths.tolist() for head in (-1, *range(n))]
        return treebank.with_heads(np.array(heads, np.int32))


@pytest.fixture
def chain(monkeypatch):
    parser = Chain()
    monkeypatch.setattr(markup_trees, "load_reader", lambda reader: parser)
    monkeypatch.setattr("core.workspace.markup.brackets.AT_ONCE", 5)
    monkeypatch.setattr(markup_trees, "BATCH", 10)
    return parser


def test_stopped_gone_on_with_and_kept(workspace, chain):
    corpus_id, _ = add_pages(workspace.store, workspace.store.default_project(), [("page.html", PAGE.encode())])
    corpus, room = workspace.store.corpus(corpus_id), MarkupRoom(workspace)
    text, parsing = room.text(corpus), MarkupParsing(workspace)
    assert text.unparsed == "english" and len(text.marks) == 30 and text.judged == 0
    run = parsing.follow(corpus, text.unparsed)
    assert parsing.follow(corpus, text.unparsed) == run, "a second tab joins in"
    chain.gate.release()
    assert all(chain.arrived.acquire(timeout=PATIENCE) for batch in (1, 2))
    assert workspace.jobs.snapshot(run).iteration == 10
    workspace.jobs.cancel(run)
    chain.gate.release()
    assert workspace.jobs.wait(run, PATIENCE).status == "cancelled" and parsing.follow(corpus, "english") == run
    done = sum(chain.batches)
    chain.gate.release(3)
    parsing.resume(workspace.store.run(run))
    workspace.jobs.wait(run, PATIENCE)
    assert sum(chain.batches) == 30 and done in (10, 20), "no sentence is parsed twice"
    for bench in (room, MarkupRoom(workspace)):
        text = bench.text(corpus)
        assert not text.unparsed and text.trees_by == "the English parser" and text.judged == 30
        marked = text.marks[0].sentence
        assert text.treebank[marked].heads[1:].tolist() == list(range(len(text.treebank[marked])))
        assert (text.treebank[marked + 1].heads[1:] < 0).all()
    assert parsing.latest(corpus, "english").id == run and parsing.latest(corpus, "lists") is None
    assert (workspace.treebank(corpus).heads < 0).all(), "the text itself has no trees"


def test_trees_of_before_are_read_and_what_is_cut_short_is_one_sentence():
    text = composed_treebank([{"forms": forms} for forms in (["one"], ["two", "three"], ["four"])], "")
    parse = Parse(np.array([-1, 0, 1], np.int32), Column.intern(["", "root", "obj"]), np.array([1]))
    before = packed(markup_trees.KIND, {}, heads=parse.heads, labels=parse.labels.astype(str))  # as they were kept
    for data in (parse_bytes(parse), before):
        found = read_parse(data, text, np.array([1, 2])).on(text)
        assert found.heads.tolist() == [-1, -1, -1, 0, 1, -1, -1]
        assert [sentence.deprels[1:] for sentence in found] == [("",), ("root", "obj"), ("",)]
    with pytest.raises(FormatError):
        read_parse(parse_bytes(parse)[:40], text, np.array([1, 2]))
