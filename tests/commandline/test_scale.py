"""What a corpus would take: measured on a few pages, and worked out by hand for others."""

import pytest

from core.experiments.scale import CORPORA, ROUNDS, Corpus, Stage, extrapolate
from tests.shards.crawl import folder, small_pages

STAGES = [
    Stage("extract", 1, seconds=10.0, words=1000, read=8000, written=500, memory=1),
    Stage("dmv", 1, seconds=2.0, words=1000, read=500, written=0, memory=1, model=300),
    Stage("extract", 2, seconds=1.0, words=1000, read=8000, written=500, memory=1),  # is not what one worker takes
]


def test_words_are_extrapolated():
    extraction, dmv = extrapolate(STAGES, Corpus("a", words=3_600_000))
    assert extraction["core_hours"] == pytest.approx(3_600_000 * 0.01 / 3600)
    assert extraction["disk"] == pytest.approx(3_600_000 / 2)
    assert dmv["core_hours"] == pytest.approx(3_600_000 * 0.002 / 3600 * ROUNDS["dmv"])
    assert dmv["network"] == pytest.approx(300 * 2 * 1000 * ROUNDS["dmv"])


def test_pages_are_extrapolated():
    """All of them are read, and those in the language learnt from."""
    extraction, dmv = extrapolate(STAGES, Corpus("a", pages=8e9, wanted=0.5))
    assert extraction["core_hours"] == pytest.approx(1e9 * 0.01 / 3600)
    assert extraction["disk"] == pytest.approx(0.5e9 / 2)
    assert dmv["core_hours"] == pytest.approx(0.5e9 * 0.002 / 3600 * ROUNDS["dmv"])


def test_a_few_pages_are_measured(run, tmp_path):
    pages = folder(tmp_path / "pages", small_pages(40))
    found = run("scale", pages, "--measure", "--workers", "1,2", "--part-size", "1000", "--json")
    assert [(stage["name"], stage["workers"]) for stage in found["stages"]] == [
        (name, count) for count in (1, 2) for name in ROUNDS
    ]
    for stage in found["stages"]:
        assert stage["seconds"] > 0 and stage["words"] == found["stages"][0]["words"] > 400
        assert stage["read"] > 0 and stage["memory"] > 50e6
        assert (stage["written"] > 0) == (stage["name"] in ("extract", "tag"))
        assert (stage["model"] > 0) == (stage["name"] in ("dmv", "lines"))
    assert set(found["corpora"]) == {corpus.name for corpus in CORPORA}
    assert found["assumptions"]


def test_what_is_measured_is_printed(run, tmp_path):
    pages = folder(tmp_path / "pages", small_pages(10))
    said = run("scale", pages, "--measure", "--workers", "1")
    assert "words/s" in said and "core-hours = words" in said
    assert all(corpus.name in said for corpus in CORPORA)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((), "scale needs --measure"),
        (("--measure", "--workers", "1,1"), "numbers of processes, such as 1,2,4"),
        (("--measure", "--workers", "none"), "numbers of processes, such as 1,2,4"),
    ],
)
def test_what_is_asked_wrongly_is_one_sentence(arguments, message, tmp_path, capsys):
    from core.__main__ import main

    try:
        code = main(["scale", str(tmp_path), *arguments])
    except SystemExit as end:
        code = end.code
    assert code == 2 and message in capsys.readouterr().err


def test_pages_without_text_are_one_sentence(run, tmp_path):
    pages = folder(tmp_path / "pages", {"a.html": b"<table><tr><td>1</table>"})
    assert "these pages hold no text to measure with" in run("scale", pages, "--measure", "--workers", "1", code=2)
