"""Shards with tags and trees: those that the same model gives the same text in memory, and kept when begun again."""

import shutil

import pytest

from core.errors import WorkbenchError
from core.parsers import DMV, English, load_parser
from core.parsers import sharded as module
from core.parsers.sharded import Annotation, annotate_shards
from core.parsers.tagger.tagger import Tagger
from core.shards import LocalEngine
from core.treebank import conllu_text
from core.treebank.sample import load_sample
from tests.shards.crawl import extract, folder, small_pages


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    place = tmp_path_factory.mktemp("plain")
    pages = {**small_pages(8), "none.html": b"<p>12 34"}
    return extract([folder(place / "pages", pages)], place / "shards", part_size=100).shards


@pytest.fixture(scope="module")
def tagged(plain, tmp_path_factory):
    return annotate_shards(plain, tmp_path_factory.mktemp("tagged"), Annotation("tag", "english"))


@pytest.fixture(scope="module")
def tagger(tmp_path_factory):
    path = tmp_path_factory.mktemp("tagger") / "tagger.npz"
    Tagger().fit(load_sample(), epochs=1).save(path)
    return str(path)


@pytest.fixture(scope="module")
def parser(tagged, tmp_path_factory):
    path = tmp_path_factory.mktemp("parser") / "dmv.npz"
    DMV().fit(tagged).save(path)
    return str(path)


def texts(shards):
    return [conllu_text(piece.treebank()) for piece in shards]


def files(place):
    return {path.name: path.read_bytes() for path in place.iterdir()}


def test_shards_are_tagged_as_the_text_in_memory(plain, tagged):
    english = English.load()
    assert texts(tagged) == [conllu_text(english.tag(piece.treebank())) for piece in plain]
    assert tagged.columns == {"upos", "xpos"} and len(tagged) == len(plain) > 3
    assert (tagged.sentences, tagged.words) == (plain.sentences, plain.words) == (16, plain.words)
    assert [row["brackets"] for row in tagged.rows] == [row["brackets"] for row in plain.rows]


def test_a_large_shard_is_tagged_a_few_sentences_at_a_time(plain, tmp_path, monkeypatch):
    (one,) = [extract([plain.folder.parent / "pages"], tmp_path / "one").shards]
    whole = annotate_shards(one, tmp_path / "whole", Annotation("tag", "english"))
    monkeypatch.setattr(module, "AT_ONCE", 20)
    parts = annotate_shards(one, tmp_path / "parts", Annotation("tag", "english"))
    assert len(one) == 1 and one.words > 100
    assert texts(parts) == texts(whole) and parts.rows == whole.rows


def test_a_tagger_of_ones_own_takes_its_column(plain, tagger, tmp_path):
    found = annotate_shards(plain, tmp_path, Annotation("tag", tagger, "upos"))
    own = Tagger.load(tagger)
    assert found.columns == {"upos"}
    assert texts(found) == [conllu_text(own.tag(piece.treebank(), column="upos")) for piece in plain]


@pytest.mark.parametrize("case", ["english", "own", "english without tags"])
def test_shards_are_parsed_as_the_text_in_memory(plain, tagged, parser, tmp_path, case):
    path, shards = parser if case == "own" else "english", plain if case == "english without tags" else tagged
    found = annotate_shards(shards, tmp_path, Annotation("parse", path))
    loaded = load_parser(path)
    assert texts(found) == [
        conllu_text(loaded.parse(piece.treebank())) if row["sentences"] else ""
        for piece, row in zip(shards, shards.rows, strict=True)
    ]
    assert found.columns >= {"head", "deprel"} | shards.columns


def test_begun_again_all_is_kept_and_what_is_damaged_made_anew(plain, tagged, tmp_path, monkeypatch):
    for name, data in files(tagged.folder).items():
        (tmp_path / name).write_bytes(data)
    applied, apply = [], Annotation.apply
    monkeypatch.setattr(Annotation, "apply", lambda self, text: applied.append(text.name) or apply(self, text))
    told = []
    again = annotate_shards(plain, tmp_path, Annotation("tag", "english"), engine=LocalEngine(),
                            progress=lambda *state: told.append(state))  # fmt: skip
    assert applied == [] and again.rows == tagged.rows and told[-1] == (len(plain), len(plain))
    bad = tmp_path / tagged.rows[2]["file"]
    bad.write_bytes(bad.read_bytes()[:500])
    (tmp_path / tagged.rows[0]["file"]).unlink()
    annotate_shards(plain, tmp_path, Annotation("tag", "english"))
    assert applied == [plain.rows[0]["file"], plain.rows[2]["file"]]
    assert files(tmp_path) == files(tagged.folder)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"model": "own"}, "model"),
        ({"column": "xpos"}, "column"),
        ({"action": "parse"}, "action"),
        ({"limit": 3}, "limit"),
        ({}, "shards"),
    ],
)
def test_anything_else_in_the_same_folder_is_one_sentence(plain, tagged, tagger, change, named):
    settings = {"action": "tag", "model": "english", **change}
    settings["model"] = tagger if settings["model"] == "own" else settings["model"]
    before, source = files(tagged.folder), tagged if named == "shards" else plain
    with pytest.raises(WorkbenchError, match=rf"was begun with other settings \({named}\); choose another folder"):
        annotate_shards(source, tagged.folder, Annotation(**settings))
    assert files(tagged.folder) == before


def test_a_model_that_is_none_is_said_before_anything_is_written(plain, tmp_path):
    (tmp_path / "bad.npz").write_bytes(b"no model")
    for action in ("tag", "parse"):
        for name, message in (("bad.npz", "this is not a model"), ("absent.npz", "absent.npz")):
            with pytest.raises(WorkbenchError, match=message):
                annotate_shards(plain, tmp_path / "out", Annotation(action, str(tmp_path / name)))
    assert not (tmp_path / "out").exists()


def test_a_model_that_was_trained_anew_is_loaded_anew(plain, tagger, tmp_path):
    """Workers outlive a command: they once went on with the model that had been at its path before."""
    path, engine, text = tmp_path / "tagger.npz", LocalEngine(), load_sample().limit(40)
    shutil.copy(tagger, path)
    first = annotate_shards(plain, tmp_path / "first", Annotation("tag", str(path), "upos"), engine=engine)
    later = Tagger().fit(text, tags="upos", epochs=1)
    later.save(path)
    again = annotate_shards(plain, tmp_path / "again", Annotation("tag", str(path), "upos"), engine=engine)
    assert texts(again) == [conllu_text(later.tag(piece.treebank(), column="upos")) for piece in plain]
    assert texts(again) != texts(first)


def test_shards_do_not_tell_where_the_model_lay(plain, tagger, tmp_path):
    shutil.copy(tagger, tmp_path / "elsewhere.npz")
    for name, path in (("a", tagger), ("b", tmp_path / "elsewhere.npz")):
        annotate_shards(plain, tmp_path / name, Annotation("tag", str(path), "upos"))
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_model_that_changes_meanwhile_is_one_sentence(plain, tagger, tmp_path):
    path = tmp_path / "tagger.npz"
    shutil.copy(tagger, path)

    class Changing(LocalEngine):
        def each(self, *arguments, **options):
            Tagger().fit(load_sample().limit(40), tags="upos", epochs=1).save(path)
            return super().each(*arguments, **options)

    with pytest.raises(WorkbenchError, match=r"tagger\.npz changed, or is another file on a worker"):
        annotate_shards(plain, tmp_path / "out", Annotation("tag", str(path), "upos"), engine=Changing())
