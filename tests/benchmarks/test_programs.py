"""The programs beside the benchmarks, each on very little."""

import contextlib
import os
import subprocess
import sys

import pytest

from core.markup.warc import address_of, records
from core.shards import LocalEngine
from core.treebank import read_treebank
from tests.benchmarks import archives, classroom, damage, load, proportion, shard_kills, store_kills
from tests.benchmarks.odd_texts import RUNNING
from tests.shards.crawl import folder, small_pages


def test_an_archive_takes_pages_again_with_a_salt_until_it_is_large_enough(tmp_path):
    (tmp_path / "page.html").write_bytes(b"<p>The boat sank.</p>")
    path = tmp_path / "pages.warc.gz"
    assert archives.write(path, archives.pages(tmp_path), 50)[0] == 3
    with path.open("rb") as file:
        found = list(records(file, 1 << 20))
    assert [address_of(record) for record in found] == [f"http://docs.example/{n}/page.html" for n in range(3)]


def test_pages_of_the_load_differ(shared_data):
    pages = load.pages(0, 1 << 20)
    assert sum(len(data) for _, data in pages) >= 1 << 20
    assert len({data for _, data in pages}) == len(pages)


def test_the_load_tells_a_process_from_those_that_it_started():
    before = len(load.memory(os.getpid()))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE):
        sizes = load.memory(os.getpid())
    assert len(sizes) == before + 1 and min(sizes) > 0


def test_workers_that_are_killed_leave_the_same_files(tmp_path, monkeypatch):
    monkeypatch.setattr(shard_kills, "WORKERS", 1)
    pages = folder(tmp_path / "pages", small_pages(6))
    shard_kills.undisturbed(pages, tmp_path / "whole", 500, LocalEngine())
    shard_kills.with_workers_killed(pages, tmp_path / "killed", 500, kills=1, pause=0.1)
    assert shard_kills.files(tmp_path / "killed") == shard_kills.files(tmp_path / "whole")


def test_a_damaged_byte_costs_words_and_no_page():
    text = "Сегодня мы пошли в парк и увидели там много людей. «Это — хорошо», сказала она. "
    pages = {f"p{number}": f"<title>{number}</title><p>{text * 20}".encode() for number in range(10)}
    share, wrong, poor = damage.measure(pages, 2, 1, as_archive=False)
    assert share >= damage.LEAST and (wrong, poor) == (0, [])
    share, wrong, poor = damage.measure(pages, 2, 1, as_archive=True)
    assert wrong == 0 and 1 - share == pytest.approx(sum(1 - kept for _, _, kept in poor) / 20, abs=0.01)


def test_every_odd_text_is_read_or_refused_and_all_are_of_a_size():
    assert len(RUNNING) > 100
    for name, make in RUNNING.items():
        assert len(make(500)) > 250, name
    for case in proportion.cases():
        if case.text not in RUNNING and "together" not in case.reader:
            proportion.timed(case.read, case.make(300))


def test_a_measurement_tells_what_is_refused():
    case = proportion.Case(
        "tagged", "no tags", lambda size: "a " * size, lambda text: read_treebank(text.encode(), "tagged")
    )
    measured = proportion.measure(case, 100)
    assert measured.refused and measured.whole >= 0 <= measured.wait


def test_a_writer_that_is_killed_loses_no_step(tmp_path):
    acknowledged, lost = store_kills.api(f"sqlite:///{tmp_path / 'work.sqlite'}", 2)
    assert acknowledged > 1 and lost == 0


def test_a_server_that_is_killed_loses_no_project(tmp_path):
    assert store_kills.pages(f"sqlite:///{tmp_path / 'work.sqlite'}", tmp_path, 1)[1] == 0


def test_a_class_loses_no_answer_when_its_server_is_killed(tmp_path):
    url = f"sqlite:///{tmp_path / 'work.sqlite'}"
    figures = classroom.lesson(url, 2, 0.03, 0.2, tmp_path, watch=contextlib.nullcontext)
    assert figures["answers"] > 1 and figures["refused"] == figures["lost"] == 0


def test_a_lost_step_would_be_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(store_kills, "settled", lambda store: {1})
    acknowledged, lost = store_kills.api(f"sqlite:///{tmp_path / 'work.sqlite'}", 1)
    assert acknowledged == 1 + lost
