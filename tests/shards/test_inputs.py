"""Inputs and their parts: what is found, how it is cut, and that a part's digest is of bytes and names."""

import os
import shutil
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from core.errors import WorkbenchError
from core.markup.sources import Document, Limits
from core.shards import PageBatch, find_inputs
from core.shards.inputs import Input, batches_of, cut
from tests.filled import filled
from tests.shards.crawl import folder, member, record, small_pages, warc, zipped

PAGES = small_pages(12)
ALL = list(PAGES.values())


def packed(place, pages):
    """{kind: path} of the same pages in three kinds of archives."""
    return {
        "zip": zipped(place / "pages.zip", pages),
        "gzip": warc(place / "pages.warc.gz", pages),
        "plain": warc(place / "pages.warc", pages, packed=False),
    }


@pytest.fixture
def archives(tmp_path):
    return packed(tmp_path, PAGES)


def names(sources):
    return [one.name for one in find_inputs(sources)]


def parts(sources, size):
    return [part for group in cut(find_inputs(sources), size) for part in batches_of(group, size)]


def data(part):
    return [one.data for one in part.documents(Limits()) if isinstance(one, Document)]


def test_a_folder_gives_what_is_a_page_or_an_archive_in_order(tmp_path):
    site = folder(tmp_path / "site", {"b.html": b"b", "a.md": b"a", "x.png": b"x", "notes": b"n"})
    folder(site / "deep", {"c.TXT": b"c", "d.zip": b"no zip"})
    folder(site / "deeper", {"e.warc.gz": b"no archive"})
    (site / "way").symlink_to(folder(tmp_path / "secret", {"s.html": b"s"}), target_is_directory=True)  # not followed
    assert names([site]) == ["site/a.md", "site/b.html", "site/deep/c.TXT", "d.zip", "e.warc.gz"]
    assert [one.path for one in find_inputs([site])][2] == str(site / "deep" / "c.TXT")


def test_patterns_are_matched_in_order_and_may_match_folders_or_be_names(tmp_path):
    folder(tmp_path / "one", {"b.html": b"b", "a.html": b"a", "c.txt": b"c"})
    folder(tmp_path / "two", {"d.html": b"d"})
    assert names([tmp_path / "one" / "*.html"]) == ["a.html", "b.html"]
    assert names([str(tmp_path / "*")]) == ["one/a.html", "one/b.html", "one/c.txt", "two/d.html"]
    assert names([str(tmp_path / "**" / "*.html")]) == ["a.html", "b.html", "d.html"]
    folder(tmp_path, {"a[1].html": b"a", "a1.html": b"b"})
    assert names([tmp_path / "a[1].html"]) == ["a[1].html"]


def test_files_are_found_through_fsspec(tmp_path):
    folder(tmp_path, {"b.html": b"b", "a.html": b"a"})
    found = find_inputs([f"file://{tmp_path}/*.html"])
    assert [one.name for one in found] == ["a.html", "b.html"]
    assert data(PageBatch(tuple(found))) == [b"a", b"b"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("absent.html", "there is no file .*absent.html; check the path"),
        ("absent/*.html", r"no file matches .*absent/\*.html; check the pattern"),
        ("http://example.org/", "web pages are not read into shards; save them and name the files"),
        ("https://example.org/a.warc.gz", "web pages are not read into shards"),
        ("nowhere://example/a.warc.gz", "nowhere://example/a.warc.gz cannot be read: Protocol not known"),
    ],
)
def test_what_cannot_be_an_input_is_one_sentence(source, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WorkbenchError, match=message) as caught:
        find_inputs([source])
    assert "\n" not in str(caught.value)


def test_pages_are_grouped_by_size_and_archives_stand_alone(tmp_path):
    sizes = {"a.html": 40, "b.html": 40, "c.html": 40, "d.zip": 500, "e.html": 10, "f.html": 10, "g.html": 200}
    folder(tmp_path / "s", {name: b"x" * size for name, size in sizes.items()})
    groups = list(cut(find_inputs([tmp_path / "s"]), 80))
    shown = [group.name if isinstance(group, Input) else [one.name[2:] for one in group] for group in groups]
    assert shown == [["a.html", "b.html"], ["c.html"], "d.zip", ["e.html", "f.html", "g.html"]]


@pytest.mark.parametrize("kind", ["zip", "gzip", "plain"])
@pytest.mark.parametrize("size", [1, 150, 600, 4000, 1 << 20])
def test_the_parts_of_an_archive_cover_it_without_overlap(archives, kind, size):
    found = parts([archives[kind]], size)
    assert [page for part in found for page in data(part)] == ALL
    assert found[0].begin == 0 and all(before.end == after.begin for before, after in pairwise(found))
    assert len({part.digest() for part in found}) == len(found)
    if size in (1, 1 << 20):
        assert len(found) == {1: 12, 1 << 20: 1}[size]


def test_entries_that_are_no_pages_belong_to_a_part_and_are_named(tmp_path):
    path = zipped(tmp_path / "p.zip", {"a.html": b"a", "b.css": b"b", "../c.html": b"c"})
    found = [list(part.documents(Limits())) for part in parts([path], 1)]
    reasons = [getattr(one, "reason", None) for documents in found for one in documents]
    assert reasons == [None, "no page by its ending", "its path leads out of the archive"]


@pytest.mark.parametrize("name", ["bad.zip", "empty.zip", "bad.warc.gz", "empty.warc.gz"])
def test_an_archive_that_cannot_be_read_is_one_part(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"" if name.startswith("empty") else b"neither the one nor the other")
    (part,) = parts([path], 100)
    assert part.inputs == (Input(str(path), name),) and len(part.digest()) == 32
    (skipped,) = part.documents(Limits())
    readable = name == "bad.warc.gz"  # it is read as far as it goes
    assert skipped.reason == (
        "no record begins here" if readable else "this archive cannot be read, or holds nothing; pack it again"
    )


def test_a_page_that_goes_or_is_too_large_is_said_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # messages quote so many characters, and this path may be long
    site = folder(Path("s"), {"a.html": b"aaaa", "b.html": b"b"})
    (part,) = parts([site], 100)
    large, small = part.documents(Limits(page_bytes=3))
    assert large.reason == "the page is larger than 3 bytes; cut it into parts" and small.data == b"b"
    (site / "b.html").unlink()
    _, gone = part.documents(Limits())
    assert (gone.source, gone.reason) == ("s/b.html", "it cannot be read: No such file or directory; check its rights")
    with pytest.raises(WorkbenchError, match=r"b.html: it cannot be read: .*; check it and its rights"):
        part.digest()


def digests(*sources, size=1 << 20):
    return [part.digest() for part in parts(sources, size)]


def test_a_digest_does_not_depend_on_the_place(tmp_path, archives):
    for path in filled(archives.values()):
        other = folder(tmp_path / "elsewhere", {}) / path.name
        shutil.copy(path, other)
        os.utime(other, (0, 0))
        assert digests(path, size=300) == digests(other, size=300)
    here, there = (folder(tmp_path / place / "site", PAGES) for place in ("here", "there"))
    assert digests(here, size=300) == digests(there, size=300)


def test_a_digest_depends_on_names(tmp_path, archives):
    for path in filled(archives.values()):
        other = path.with_name(f"other-{path.name}")
        shutil.copy(path, other)
        assert set(digests(path, size=300)).isdisjoint(digests(other, size=300))
    one, two = folder(tmp_path / "one", {"a.html": b"a", "b.html": b"b"}), folder(tmp_path / "two", {"a.html": b"a"})
    assert digests(one / "a.html") == digests(two / "a.html")
    assert digests(one) != digests(two)
    assert digests(one / "a.html", one / "b.html") != digests(one / "b.html", one / "a.html")
    assert digests(folder(tmp_path / "x", {"a.html": b"ab"})) != digests(folder(tmp_path / "y" / "x", {"a.html": b"a"}))


def test_a_digest_depends_on_every_byte_of_its_own_part_alone(tmp_path, archives):
    changed = {**PAGES, "p07.html": PAGES["p07.html"].replace(b"old", b"new")}
    others = packed(folder(tmp_path / "o", {}), changed)
    for kind, path in filled(archives.items()):
        before, after = digests(path, size=1), digests(others[kind], size=1)
        differing = [number for number, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
        assert 7 in differing and set(range(7)).isdisjoint(differing)
    pages = digests(folder(tmp_path / "a" / "s", PAGES), size=1), digests(folder(tmp_path / "b" / "s", changed), size=1)
    assert [before == after for before, after in zip(*pages, strict=True)] == [number != 7 for number in range(12)]


def test_what_stands_between_two_parts_is_in_neither(tmp_path):
    """The same pages in a zip file whose entries are stored in another order have the same digests."""
    first, second = tmp_path / "first" / "a.zip", tmp_path / "second" / "a.zip"
    zipped(folder(first.parent, {}) / "a.zip", PAGES)
    folder(second.parent, {})
    with zipfile.ZipFile(second, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in PAGES.items():
            archive.writestr(zipfile.ZipInfo(name), page)
        archive.comment = b"made later"
    assert digests(first, size=300) == digests(second, size=300)


def test_a_damaged_record_is_part_of_a_part_and_costs_itself(tmp_path):
    path = tmp_path / "a.warc.gz"
    good = [member(record(number, page)) for number, page in enumerate(ALL)]
    path.write_bytes(b"".join(one[:60] if number % 3 == 0 else one for number, one in enumerate(good)))
    for size in (1, 300, 1 << 20):
        found = parts([path], size)
        assert [page for part in found for page in data(part)] == [ALL[n] for n in range(12) if n % 3]
        assert sum(len(list(part.documents(Limits()))) for part in found) == 12
