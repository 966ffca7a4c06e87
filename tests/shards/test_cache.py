"""What an engine keeps: each thing once, as long as there is room, and of the folder as it is now."""

import shutil

import numpy as np

from core.shards import LocalEngine, Shards
from core.shards.cache import Cache, cached, caching_in
from tests.shards.crawl import extract, folder, small_pages


def test_without_an_engine_nothing_is_cached():
    made = []
    for _ in range(2):
        cached("owner", "key", lambda: made.append(1) or 0, lambda _: 1)
    assert len(made) == 2


def test_a_thing_is_made_once_for_each_owner_key_and_cache():
    made = []

    def ask(owner, key):
        return cached(owner, key, lambda: made.append((owner, key)) or len(made), lambda _: 1)

    for one in (Cache(), Cache()):
        with caching_in(one):
            assert ask("a", 1) == ask("a", 1)
            assert ask("a", 2) == ask("a", 2)
            assert ask("b", 1) == ask("b", 1)
    assert made == [("a", 1), ("a", 2), ("b", 1)] * 2


def test_room_is_made_at_the_cost_of_others():
    made = []

    def ask(owner, key, size):
        return cached(owner, key, lambda: made.append((owner, key)), lambda _: size)

    with caching_in(Cache(10)):
        ask("a", 1, 6)
        ask("b", 1, 6)  # a's goes
        ask("b", 2, 6)  # no room, and all is b's
        ask("b", 1, 6)
        ask("b", 2, 6)
        ask("a", 1, 6)
    assert made == [("a", 1), ("b", 1), ("b", 2), ("b", 2), ("a", 1)]


def first_forms(piece):
    return cached("forms", piece, lambda: len(piece.columns().lengths), lambda _: 1)


def test_a_folder_that_was_made_anew_is_read_anew(tmp_path):
    """The same shard, in the same place: but what of it stands in the shard before is something else now."""
    engine, found = LocalEngine(), []
    for both in (True, False):
        pages = small_pages(2)
        first = pages if both else {"p00.html": b"<p>Something else stands here now, of seven words."}
        sources = [folder(tmp_path / str(both) / name, each) for name, each in (("a", first), ("b", pages))]
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        shards = extract(sources, tmp_path / "out", part_size=100).shards
        counts = dict(engine.each(first_forms, Shards(shards.folder).pieces))
        assert counts == {number: row["sentences"] for number, row in enumerate(shards.rows)}
        found.append(sum(counts.values()))
    assert np.diff(found)[0] != 0
