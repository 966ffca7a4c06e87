"""``reproduce --pages``: the same runs from pages as they are found and from shards of them, in place of the data's."""

import pytest

from core.__main__ import main
from core.errors import WorkbenchError
from core.experiments import EXPERIMENTS, run_experiment
from core.experiments.spitkovsky2010 import best, grids
from core.experiments.spitkovsky2010.texts import Journal, Marked
from core.treebank import load_sample
from tests.shards.crawl import extract, folder, small_pages, warc, zipped

GRIDS, TABLE = "spitkovsky2010-grids", "spitkovsky2010-table8"


@pytest.fixture(autouse=True)
def sample_in_place_of_the_journal(tmp_path, monkeypatch):
    """Twenty sentences of the sample to train and score on, few draws; results in a folder of the test's own."""
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "home"))
    words = load_sample("sample").limit(20).without_punctuation()
    part = Marked(words, [()] * len(words))
    monkeypatch.setattr(grids, "journal", lambda env: Journal(part, part, part, part))
    monkeypatch.setattr(best, "CHOICE_DRAWS", (1, 2))
    monkeypatch.setattr(best, "REPORT_DRAWS", (6, 7))


PAGES = small_pages(30)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return folder(tmp_path_factory.mktemp("source") / "pages", PAGES)


@pytest.fixture(scope="module")
def shards(source, tmp_path_factory):
    found = extract([source], tmp_path_factory.mktemp("shards"), part_size=1000).shards
    assert len(found) > 1
    return found


def test_pages_and_shards_of_them_give_the_same_runs(tmp_path, source, shards):
    places = [source, zipped(tmp_path / "pages.zip", PAGES), warc(tmp_path / "pages.warc.gz", PAGES), shards.folder]
    said = []
    found = [run_experiment(GRIDS, pages=place, quick=True, say=said.append) for place in places[:3]]
    whole = [run_experiment(TABLE, pages=place, quick=False, say=said.append) for place in places[::3]]
    assert found[0]["rows"] == found[1]["rows"] == found[2]["rows"]
    assert whole[0]["rows"] == whole[1]["rows"] and whole[0]["tables"] == whole[1]["tables"]
    assert len([line for line in said if line.startswith("run 1 of ")]) == 3  # of each text once: the rest was known
    names = {row["name"] for row in whole[0]["rows"]}
    assert {"pages-best", "best with pages", "the same pages without brackets"} <= names and "blog-best" not in names
    assert whole[0]["notes"][0].startswith("pages stands for the paper's sets of pages: ")


def test_shards_in_a_glance_are_the_first(tmp_path, shards):
    found = run_experiment(GRIDS, pages=shards.folder, quick=True)
    assert f": {shards.rows[0]['sentences']:,} sentences" in found["notes"][0]


def test_what_is_no_text_is_refused(tmp_path, capsys):
    plain = folder(tmp_path / "plain", {"a.html": b"<p>The old man came home. It was the third time."})
    short = folder(tmp_path / "short", {"a.html": b"<p>The old <b>man</b> came home. It was the third time."})
    empty = folder(tmp_path / "empty", {})
    begun = folder(tmp_path / "begun", {"settings.json": b"{}"})
    other = folder(tmp_path / "other", {"a.pdf": b"%PDF"})
    for place, message in (
        (plain, r"in .*plain no stretch of several words is a link, bold or in italics; name pages with mark-up"),
        (short, r"in .*short no stretch of several words is a link"),
        (empty, r"no sentence was found in .*empty: there is no page; name other pages"),
        (other, r"no sentence was found in .*other: other/a\.pdf: no page by its ending; name other pages"),
        (begun, r"its shards are not all there yet"),
        (tmp_path / "nowhere", r"there are no pages .*nowhere; give a page, a folder, an archive or"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            run_experiment(TABLE, pages=place)
    for name in ("druck2009-table1", "spitkovsky2010-table1"):
        with pytest.raises(WorkbenchError, match=f"{name} takes no pages of yours; {TABLE} and {GRIDS} do"):
            run_experiment(name, pages=plain)
    assert {each.name for each in EXPERIMENTS if each.takes_pages} == {TABLE, GRIDS}
    assert main(["reproduce", GRIDS, "--pages", str(plain)]) == 2
    assert "no stretch of several words" in capsys.readouterr().err
