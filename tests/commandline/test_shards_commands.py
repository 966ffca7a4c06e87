"""Pages to a grammar by way of shards: ``markup extract``, ``tag``, ``parse`` and ``dmv train`` on folders."""

import pytest

from core.__main__ import main
from core.commandline import common
from core.parsers import DMV
from core.shards import Shards, engine, extract_shards
from core.treebank import load_sample, read_treebank, write_conllu
from tests.shards.crawl import folder, small_pages, warc

ALONE, TWO = (), ("--workers", "2")


@pytest.fixture
def line(run):
    """The one line of a command that fails."""

    def call(*arguments):
        error = run(*arguments, code=2)
        assert error.startswith("error: ") and error.count("\n") == 1 and "Traceback" not in error
        return error

    return call


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    place = tmp_path_factory.mktemp("crawl")
    warc(place / "pages.warc.gz", small_pages(9))
    return folder(place, {"extra.html": b"<p>The <a href=x>young woman</a> came home too."})


def files(place):
    return {path.name: path.read_bytes() for path in place.iterdir()}


def test_pages_become_a_grammar_with_and_without_workers(run, crawl, tmp_path):
    found = {}
    for name, workers in (("alone", ALONE), ("two", TWO)):
        place = tmp_path / name
        plain, tagged, parsed, model = (place / each for each in ("plain", "tagged", "parsed", "m.npz"))
        place.mkdir()
        options = ("--part-size", "300", *workers, "--json")
        data = run("markup", "extract", crawl, "--out", plain, *options)
        assert (data["pages"], data["sentences"], data["brackets"], data["kept"]) == (10, 19, 19, 0)
        assert data["shards"] > 3 and data["out"] == str(plain) and data["skipped"] == []
        count = data["shards"]
        if name == "alone":
            assert run("markup", "extract", crawl, "--out", plain, *options)["kept"] == count
        data = run("tag", plain, "--model", "english", "--out", tagged, *workers, "--json")
        assert (data["sentences"], data["shards"], data["out"]) == (19, count, str(tagged))
        training = ("--init", "harmonic", "--em", "--level", "loose", "--out", model, *workers, "--json")
        data = run("dmv", "train", tagged, *training)
        assert (data["sentences"], data["skipped"], data["column"]) == (19, 0, "xpos")
        assert sum(data["fallbacks"].values()) == 19 and data["cross_entropy"] > 0 and "uas" not in data
        history = data["history"]
        if name == "alone":
            assert run("parse", tagged, "--model", model, "--out", parsed, "--json")["tokens"] == data["tokens"]
            assert "head" in Shards(parsed).columns
            assert run("markup", "agree", parsed, "--json")["all"]["brackets"] == 19
            data = run("consistency", "contexts", parsed, "--minimum-count", "1", "--json")
            assert data["contexts"] > 5 and data["words"] == data["observed"] > 19
        data = run("corpus", "stats", tagged, *workers, "--json")
        assert data["sentences"] == 19 and data["xpos"]["DT"] == 19 and data["warnings"] == []
        lines, parser = place / "lines.txt", place / "crf.npz"
        lines.write_text("DT <- NN per modifier = 0.9..1.0\nVBD -> NN = 0.2\n")
        options = ("--preset", "text", "--out", parser, *workers, "--json")
        data = run("ge", "train", tagged, "--constraints", lines, *options)
        assert (data["sentences"], len(data["expectations"]), list(data["systems"])) == (19, 2, ["full"])
        found[name] = files(plain), files(tagged), parser.read_bytes(), DMV.load(model).parameters.arrays, history
    (*alone, arrays, history), (*two, others, theirs) = found.values()
    assert alone == two and history == theirs
    assert [array.tobytes() for array in arrays] == [array.tobytes() for array in others]


def test_a_parser_is_adapted_to_a_text_in_shards(run, plain, tmp_path):
    source = tmp_path / "source.conllu"
    write_conllu(load_sample().limit(20).to_conllu(), source)
    command = ("scl", source, plain, source, "--epochs", "1", "--edges", "500")
    data = run(*command, "--predictor", "logistic", "--workers", "1", "--json")
    assert set(data["systems"]) == {"none", "scl"} and data["dimensions"] > 0
    assert "self-training is left out: it needs a text in memory, and this one is in shards" in data["notes"]
    assert "choose the logistic predictor" in run(*command, code=2)
    assert "--max-length is of files; leave it out for shards" in run(*command, "--max-length", "9", code=2)


def test_how_many_shards_are_done_is_said(capsys, monkeypatch, parsed_shards, tmp_path):
    monkeypatch.setattr(common, "every_second", lambda report, line: lambda *state: report(line(*state)))
    source, count = tmp_path / "source.conllu", len(parsed_shards)
    write_conllu(load_sample().limit(20).to_conllu(), source)
    for command in (
        ("consistency", "contexts", parsed_shards.folder, "--minimum-count", "1"),
        ("scl", source, parsed_shards.folder, source, "--epochs", "1", "--edges", "500", "--predictor", "logistic"),
    ):
        assert main([*map(str, command)]) == 0
        said = capsys.readouterr().err
        assert f"1 of {count} shards done" in said and f"{count} of {count} shards done" in said


def test_what_was_done_is_said_in_words(run, crawl, tmp_path):
    plain, tagged = tmp_path / "plain", tmp_path / "tagged"
    text = run("markup", "extract", crawl, "--out", plain)
    assert "10 pages, 19 sentences" in text and "2 shards, 0 of them there before; 0 sentences left out" in text
    assert "19 sentences" in run("tag", plain, "--model", "english", "--out", tagged)
    shown = run("dmv", "train", tagged, "--iterations", "2")
    assert "19 sentences" in shown and "bits per token on training text" in shown


@pytest.fixture(scope="module")
def plain(crawl, tmp_path_factory):
    return extract_shards([crawl], tmp_path_factory.mktemp("plain")).shards.folder


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("evaluate", "FOLDER", "FOLDER"), "is a folder of shards, and this reads a file; give one"),
        (("markup", "agree", "FOLDER"), "no word has a head; parse the shards first"),
        (("markup", "agree", "FOLDER", "--model", "english"), "--model is of files; leave it out for shards"),
        (("corpus", "stats", "FOLDER", "--limit", "3"), "--limit is of files; leave it out for shards"),
        (("tagger", "train", "FOLDER"), "is a folder of shards, and this reads a file; give one"),
        (("dmv", "train", "FOLDER"), "no word has a tag; tag the shards first"),
        (("dmv", "train", "FOLDER", "--dev", "FOLDER"), "is a folder of shards, and this reads a file; give one"),
        (("tag", "FOLDER", "--model", "absent.npz", "--out", "OUT"), "absent.npz"),
        (("tag", "FOLDER", "--model", "english", "--out", "OUT", "--limit", "3"), "--limit is of files; leave it out"),
        (("tag", "FOLDER", "--model", "english", "--out", "OUT", "--encoding", "latin-1"), "--encoding is of files"),
        (("dmv", "train", "FOLDER", "--no-punctuation"), "--no-punctuation is of files; leave it out for shards"),
        (("parse", "FOLDER", "--model", "english", "--out", "OUT", "--scheme", "2"), "--scheme is of files; leave it"),
        (("parse", "FOLDER", "--model", "english", "--out", "OUT.conllu"), "give --out a name without .conllu"),
        (("tag", "EMPTY", "--model", "english", "--out", "OUT"), "there is no file"),
        (
            ("markup", "extract", "CRAWL", "--out", "OUT.conllu", "--workers", "2"),
            "several processes write shards, not",
        ),
        (("markup", "extract", "CRAWL", "--out", "OUT.conllu", "--cluster", "tcp://a:1"), "several processes write"),
        (("markup", "extract", "CRAWL", "--out", "OUT", "--urls"), "--trees and --urls read into one file; give --out"),
        (("markup", "extract", "CRAWL", "--out", "OUT", "--trees", "x"), "--trees and --urls read into one file"),
        (("markup", "extract", "CRAWL", "--out", "FOLDER", "--headings"), "was begun with other settings (headings)"),
        (("markup", "extract", "CRAWL", "--out", "CRAWL"), "holds other files; choose an empty or a new folder"),
        (("markup", "extract", "absent/*.zip", "--out", "OUT"), "no file matches absent/*.zip; check the pattern"),
        (("markup", "extract", "http://a.example/", "--out", "OUT"), "web pages are not read into shards"),
        (("markup", "extract", "CRAWL", "--out", "OUT", "--cluster", "tcp://127.0.0.1:1"), "no cluster with a worker"),
        (("markup", "extract", "CRAWL", "--out", "OUT", "--language", "qq"), "spaCy cannot tokenise 'qq'"),
    ],
)
def test_what_cannot_be_done_is_one_line(line, crawl, plain, tmp_path, monkeypatch, command, message):
    monkeypatch.setattr("core.shards.engine.PATIENCE", 0.3)
    (tmp_path / "empty").mkdir()
    places = {"FOLDER": plain, "CRAWL": crawl, "OUT": tmp_path / "out", "OUT.conllu": tmp_path / "out.conllu"}
    places["EMPTY"] = tmp_path / "empty"
    assert message in line(*(places.get(word, word) for word in command))
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.conllu").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("tag", "FILE", "--model", "english", "--out", "OUT"),
        ("parse", "FILE", "--model", "english", "--out", "OUT"),
        ("dmv", "train", "FILE"),
        ("corpus", "stats", "FILE"),
        ("ge", "train", "FILE", "--constraints", "LINES"),
        ("markup", "agree", "FILE"),
    ],
)
def test_workers_are_for_shards(line, tmp_path, command):
    path = tmp_path / "text.conllu"
    path.write_text("1\ta\t_\tX\tA\t_\t_\t_\t_\t_\n\n")
    places = {"FILE": path, "OUT": tmp_path / "out.conllu"}
    message = f"{path} is no folder of shards; leave out --workers and --cluster, or give one"
    for option in (("--workers", "2"), ("--cluster", "tcp://a:1")):
        assert message in line(*(places.get(word, word) for word in command), *option)


@pytest.mark.parametrize(
    "options", [("--workers", "0"), ("--workers", "2", "--cluster", "tcp://a:1"), ("--part-size", "many")]
)
def test_options_that_mean_nothing_are_refused(capsys, crawl, tmp_path, options):
    with pytest.raises(SystemExit) as ended:
        main(["markup", "extract", str(crawl), "--out", str(tmp_path / "out"), *options])
    assert ended.value.code == 2 and options[0] in capsys.readouterr().err


def test_shards_become_one_file(run, line, crawl, tmp_path):
    whole, plain, out = tmp_path / "whole.conllu", tmp_path / "plain", tmp_path / "out.conllu"
    run("markup", "extract", crawl, "--out", whole)
    run("markup", "extract", crawl, "--out", plain, "--part-size", "300")
    data = run("corpus", "convert", plain, "--out", out, "--json")
    found, expected = read_treebank(out), read_treebank(whole)
    assert data["sentences"] == len(found) == len(expected) == 19
    assert [sentence.text for sentence in found] == [sentence.text for sentence in expected]
    assert [sentence.sent_id for sentence in found] == [sentence.sent_id for sentence in expected]
    assert ".conllu" in line("corpus", "convert", plain, "--out", tmp_path / "out.spacy")
    assert "--limit is of files" in line("corpus", "convert", plain, "--out", out, "--limit", "3")
    assert "cannot write" in line("corpus", "convert", plain, "--out", tmp_path / "none" / "out.conllu")
    assert not list(tmp_path.glob(".writing-*"))


def test_cluster_of_the_environment(run, line, crawl, tmp_path, monkeypatch):
    """It is asked for shards alone, and not where the command line says where to work."""
    monkeypatch.setattr(engine, "PATIENCE", 1)
    run("markup", "extract", crawl, "--out", tmp_path / "plain")
    monkeypatch.setenv("WORKBENCH_CLUSTER", "tcp://127.0.0.1:9")
    assert "tcp://127.0.0.1:9" in line("corpus", "stats", tmp_path / "plain")
    run("markup", "extract", crawl, "--out", tmp_path / "pages.conllu")
    run("corpus", "stats", tmp_path / "pages.conllu")
    write_conllu(load_sample().limit(5).to_conllu(), tmp_path / "few.conllu")
    run("dmv", "train", tmp_path / "few.conllu", "--em", "--iterations", "1", "--tags", "upos")
