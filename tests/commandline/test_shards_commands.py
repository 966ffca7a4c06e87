"""Pages to a grammar: ``markup extract`` and ``agree``, and on folders of shards ``tag``, ``parse``, ``dmv train``."""

import pytest

from core.commandline import texts
from core.parsers import DMV
from core.shards import Shards, engine
from core.treebank import load_sample, read_conllu, read_treebank, write_conllu
from core.treebank.sample import FOLDER
from tests.shards.apart import ApartEngine
from tests.shards.crawl import ENGINE, extract, folder, small_pages, warc

PAGE = '<p>The <a href="x">old man</a> <b>came home</b>. He said "<i>not now</i>" to <u>us</u>.<nav>Go home. Go.</nav>'
NOBODY = "tcp://127.0.0.1:1"
ENGLISH = ("--model", "english", "--out", "OUT")
EXTRACT = ("markup", "extract", "CRAWL", "--out")


def test_pages_become_conllu(run, write, tmp_path):
    page, out = write("page.html", PAGE), tmp_path / "out.conllu"
    data = run("markup", "extract", page, tmp_path / "absent.html", "--out", out, "--json")
    assert (data["pages"], data["sentences"], data["brackets"], data["multiword"]) == (1, 2, 4, 3)
    assert data["marks"]["a"]["kept"] == 1 and data["dropped"]["navigation"]["examples"] == ["Go home. Go."]
    absent = {"source": str(tmp_path / "absent.html"), "reason": "there is no such file; check the path"}
    assert data["skipped"] == [absent]
    treebank = read_conllu(out)
    assert [sentence.comment("markup") for sentence in treebank] == ["a 2-3 | b 4-5", "i 4-5 | u 8-8"]
    assert "SpaceAfter=No" in treebank[0].misc[5]
    text = run("markup", "extract", page, "--out", out, "--tags", "a,u", "--punctuation", "quote", "--boilerplate")
    assert [sentence.comment("markup") for sentence in read_conllu(out)][:2] == ["a 2-3", "quote 4-5 | u 8-8"]
    assert "4 sentences" in text and "bracket of at least" in text


def test_selectors_choose_what_is_read_and_marked(run, write, tmp_path):
    page, out = write("page.html", PAGE), tmp_path / "out.conllu"
    chosen = ("--select", "p", "--drop", ":--furniture, b", "--marks", "p > u, dfn", "--tags", "i")
    data = run("markup", "extract", page, "--out", out, *chosen, "--places", "--json")
    assert data["chosen"] == {"p": 1, "b": 1, "p > u": 1, "dfn": 0}
    assert data["notes"] == ["the selector 'dfn' chose nothing on any page"]
    first, second = read_conllu(out)
    assert first.text == "The old man ." and second.comment("markup") == "i 4-5 | u 8-8"
    assert second.comment("places").startswith('[["i", 4, 5, "html > body > p > i", "<i>not now</i>')
    text = run("markup", "extract", page, "--out", tmp_path / "shards", *chosen)
    assert "elements chosen" in text and "note: the selector 'dfn' chose nothing on any page" in text


def test_brackets_of_the_sample_meet_its_trees(run, tmp_path):
    out, trees = tmp_path / "out.conllu", FOLDER / "sample.conllu"
    data = run("markup", "extract", FOLDER / "pages", "--out", out, "--trees", trees, "--json")
    assert data["trees"] == {"found": 332, "strange": 78, "split": 0}
    data = run("markup", "agree", out, "--json", "--tags", "upos")
    shares = [data["all"][level]["share"] for level in ("strict", "loose", "sprawl", "tear")]
    assert shares == sorted(shares) and shares[0] < 50 < 85 < shares[1]
    assert data["all"]["loose"]["low"] < shares[1] < data["all"]["loose"]["high"]
    assert {"a", "b", "i", "em", "u"} == set(data["by_tag"])
    assert data["statistics"]["phrases"] == "dependencies" and data["statistics"]["sequences"][0]["count"] > 10
    text = run("markup", "agree", out, "--tag", "em")
    assert "two words or more" in text and "head-outward spawn" in text


def test_a_parser_stands_in_for_missing_trees(run, write, conllu, tmp_path):
    model = tmp_path / "m.npz"
    trees = write("trees.conllu", conllu("The//DT/2 cat//NN/3 sat//VBD/0 .//./3", "It//PRP/2 slept//VBD/0 .//./2"))
    run("ge", "train", trees, "--constraints", write("c.txt", "DT <- NN = 0.9\n"), "--out", model)
    marked = write("x.conllu", conllu("The//DT cat//NN sat//VBD .//.", marks="a 1-2 | i 2-3"))
    for options, by in (
        ((), "english (1 of 1 marked sentences)"),
        (("--scheme", "function-heads"), "english (1 of 1 marked sentences)"),
        (("--model", model), str(model)),
    ):
        found = run("markup", "agree", marked, *options, "--json")
        assert found["all"]["brackets"] == 2 and found["parsed_by"] == by


@pytest.fixture(autouse=True)
def one_engine(monkeypatch):
    """One process reads the pages of all commands."""
    monkeypatch.setattr(engine, "LocalEngine", lambda: ENGINE)


@pytest.fixture
def clusters(monkeypatch):
    """The clusters that were asked for, each of them in this process."""
    made = []

    def cluster(*where):
        made.append(ApartEngine(*where, ENGINE.cache))
        return made[-1]

    monkeypatch.setattr(engine, "Cluster", cluster)
    return made


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    place = tmp_path_factory.mktemp("crawl")
    warc(place / "pages.warc.gz", small_pages(9))
    return folder(place, {"extra.html": b"<p>The <a href=x>young woman</a> came home too."})


@pytest.fixture(scope="module")
def plain(crawl, tmp_path_factory):
    """Its pages in shards."""
    return extract([crawl], tmp_path_factory.mktemp("plain"), part_size=300).shards.folder


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """A few sentences of the sample."""
    place = tmp_path_factory.mktemp("few") / "few.conllu"
    write_conllu(load_sample().limit(20).to_conllu(), place)
    return place


def files(place):
    return {path.name: path.read_bytes() for path in place.iterdir()}


def test_pages_become_a_grammar_here_and_on_workers(run, crawl, clusters, tmp_path):
    found, lines = {}, tmp_path / "lines.txt"
    lines.write_text("DT <- NN per modifier = 0.9..1.0\nVBD -> NN = 0.2\n")
    for name, where in (("here", ()), ("workers", ("--cluster", NOBODY))):
        place = tmp_path / name
        plain, tagged, model, parser = (place / each for each in ("plain", "tagged", "m.npz", "crf.npz"))
        place.mkdir()
        data = run("markup", "extract", crawl, "--out", plain, "--part-size", "300", *where, "--json")
        assert (data["pages"], data["sentences"], data["brackets"], data["kept"]) == (10, 19, 19, 0)
        assert data["shards"] > 3 and data["out"] == str(plain) and data["skipped"] == []
        count = data["shards"]
        data = run("tag", plain, "--model", "english", "--out", tagged, *where, "--json")
        assert (data["sentences"], data["shards"], data["out"]) == (19, count, str(tagged))
        training = ("--init", "harmonic", "--em", "--level", "loose", "--out", model, *where, "--json")
        data = run("dmv", "train", tagged, *training)
        assert (data["sentences"], data["skipped"], data["column"]) == (19, 0, "xpos")
        assert sum(data["fallbacks"].values()) == 19 and data["cross_entropy"] > 0 and "uas" not in data
        history = data["history"]
        data = run("corpus", "stats", tagged, *where, "--json")
        assert data["sentences"] == 19 and data["xpos"]["DT"] == 19 and data["warnings"] == []
        options = ("--preset", "text", "--out", parser, *where, "--json")
        data = run("ge", "train", tagged, "--constraints", lines, *options)
        assert (data["sentences"], len(data["expectations"]), list(data["systems"])) == (19, 2, ["full"])
        arrays = [array.tobytes() for array in DMV.load(model).parameters.arrays]
        found[name] = files(plain), files(tagged), parser.read_bytes(), arrays, history
    assert found["here"] == found["workers"] and [each.asked for each in clusters] == [(NOBODY, None)] * 5
    place = tmp_path / "here"
    again = run("markup", "extract", crawl, "--out", place / "plain", "--part-size", "300", "--json")
    assert again["kept"] == again["shards"] == count
    parsed = place / "parsed"
    assert run("parse", place / "tagged", "--model", place / "m.npz", "--out", parsed, "--json")["tokens"] > 19
    assert "head" in Shards(parsed).columns
    assert run("markup", "agree", parsed, "--json")["all"]["brackets"] == 19
    data = run("consistency", "contexts", parsed, "--minimum-count", "1", "--json")
    assert data["contexts"] > 5 and data["words"] == data["observed"] > 19


def test_rules_on_shards_give_the_answers_of_one_piece(run, write, plain, few, clusters, tmp_path):
    rules = "NOUN has no {det case}\nNOUN has at least 1 case\nPRON has no * = 0.9 price 0.2\n"
    rules, whole, shared = write("rules.txt", rules), tmp_path / "whole.conllu", write("s.txt", "VERB has no obj = 0.9")
    run("corpus", "convert", plain, "--out", whole)
    parse = "--model", "english", "--json", "--rules", rules, "--out"
    one = run("parse", whole, *parse, tmp_path / "one.conllu")["rules"]
    assert one["searched"] > len(Shards(plain)) > 3 and any(row["clash"] for row in one["sentences"])
    parsed = read_conllu(tmp_path / "one.conllu")
    for name, where in (("here", ()), ("workers", ("--workers", "1"))):
        found = run("parse", plain, *parse, tmp_path / name, *where)["rules"]
        assert found == one
        assert run("parse", plain, *parse, tmp_path / name, *where)["rules"] == found  # kept shards say it again
        run("corpus", "convert", tmp_path / name, "--out", tmp_path / f"{name}.conllu")
        again = read_conllu(tmp_path / f"{name}.conllu")
        assert again.heads.tolist() == parsed.heads.tolist()
        assert again.deprel.strings().tolist() == parsed.deprel.strings().tolist()
    assert [each.asked for each in clusters] == [(None, 1)] * 2
    said = run("parse", plain, "--model", "english", "--rules", rules, "--out", tmp_path / "here")
    assert f"3 rules: the best trees of {one['searched']} sentences broke some" in said
    parse = "--model", "english", "--json", "--rules", shared, "--prices-from", few, "--out"
    one, found = (run("parse", text, *parse, tmp_path / f"of {text.name}")["rules"] for text in (whole, plain))
    assert found == one and found["prices"]


def test_rules_that_shards_cannot_keep_are_refused_before_anything_is_written(run, write, plain, tmp_path):
    rules = {
        "VERB has at most 1 obj = 0.9": "r.txt: the price of VERB has at most 1 obj = 0.9 is found in a whole text",
        "VERB has no nsub": "r.txt: line 1: there is no relation nsub; did you mean nsubj?",
        "VERB has at least 1 clf": "the parser has learnt none of the relations of the rule VERB has at least 1 clf",
    }
    for line, message in rules.items():
        parse = "parse", plain, "--model", "english", "--rules", write("r.txt", line), "--out", tmp_path / "none"
        assert message in run(*parse, code=2)
    assert not (tmp_path / "none").exists()


def test_a_parser_is_adapted_to_a_text_in_shards(run, plain, few, clusters):
    command = ("scl", few, plain, few, "--epochs", "1", "--edges", "500")
    data = run(*command, "--predictor", "logistic", "--workers", "1", "--json")
    assert set(data["systems"]) == {"none", "scl"} and data["dimensions"] > 0
    assert [each.asked for each in clusters] == [(None, 1)]
    assert "self-training is left out: it needs a text in memory, and this one is in shards" in data["notes"]
    assert "choose the logistic predictor" in run(*command, code=2)
    assert "--max-length is of files; leave it out for shards" in run(*command, "--max-length", "9", code=2)


def test_how_many_shards_are_done_is_said(run, capsys, monkeypatch, parsed_shards, few):
    said, count = [], len(parsed_shards)
    monkeypatch.setattr(texts, "every_second", lambda report, line: lambda *state: said.append(line(*state)))
    contexts = ("consistency", "contexts", parsed_shards.folder, "--minimum-count", "1")
    options = ("--epochs", "1", "--edges", "500", "--predictor", "logistic")
    for command in (contexts, ("scl", few, parsed_shards.folder, few, *options)):
        said.clear()
        run(*command)
        assert {f"1 of {count} shards done", f"{count} of {count} shards done"} <= set(said)


def test_what_was_done_is_said_in_words(run, crawl, tmp_path):
    plain, tagged = tmp_path / "plain", tmp_path / "tagged"
    text = run("markup", "extract", crawl, "--out", plain)
    assert "10 pages, 19 sentences" in text and "2 shards, 0 of them there before; 0 sentences left out" in text
    assert "19 sentences" in run("tag", plain, "--model", "english", "--out", tagged)
    shown = run("dmv", "train", tagged, "--iterations", "2")
    assert "19 sentences" in shown and "bits per token on training text" in shown


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("markup", "extract", "absent.html", "--out", "ONE"), "no sentence was found: absent.html: there is no such"),
        (("markup", "extract", "EMPTY", "--out", "ONE"), "no sentence was found: there is no page"),
        (("markup", "extract", "CRAWL", "--out", "/nowhere/x.conllu"), "/nowhere/x"),
        ((*EXTRACT, "ONE", "--punctuation", "dash"), "there are no brackets from 'dash'"),
        ((*EXTRACT, "ONE", "--language", "qq"), "there is no language 'qq'"),
        (("markup", "extract", "http://127.0.0.1/", "--out", "ONE"), "fetched only when asked"),
        (("markup", "extract", "http://127.0.0.1/", "--out", "ONE", "--urls"), "private address 127.0.0.1"),
        ((*EXTRACT, "ONE", "--drop", "p >"), "'p >' of drop is no CSS selector: Expected a selector"),
        ((*EXTRACT, "OUT", "--marks", "::before"), "of marks is no CSS selector: Pseudo-element found"),
        ((*EXTRACT, "ONE", "--select", ".absent"), "'.absent' chooses nothing on it"),
        ((*EXTRACT, "ONE", "--places", "--trees", "x"), "the trees of a file have no --places; leave out one of"),
        ((*EXTRACT, "OUT", "--places"), "shards keep no --places; give --out a name that ends in .conllu"),
        (("markup", "agree", "FEW"), "has no brackets"),
        (("markup", "agree", "absent.conllu"), "there is no file absent.conllu"),
        (("evaluate", "FOLDER", "FOLDER"), "is a folder of shards, and this reads a file; give one"),
        (("markup", "agree", "FOLDER"), "no word has a head; parse the shards first"),
        (("markup", "agree", "FOLDER", "--model", "english"), "--model is of files; leave it out for shards"),
        (("corpus", "stats", "FOLDER", "--limit", "3"), "--limit is of files; leave it out for shards"),
        (("tagger", "train", "FOLDER"), "is a folder of shards, and this reads a file; give one"),
        (("dmv", "train", "FOLDER"), "no word has a tag; tag the shards first"),
        (("dmv", "train", "FOLDER", "--dev", "FOLDER"), "is a folder of shards, and this reads a file; give one"),
        (("dmv", "train", "FOLDER", "--no-punctuation"), "--no-punctuation is of files; leave it out for shards"),
        (("tag", "FOLDER", "--model", "absent.npz", "--out", "OUT"), "absent.npz"),
        (("tag", "FOLDER", *ENGLISH, "--limit", "3"), "--limit is of files; leave it out"),
        (("tag", "FOLDER", *ENGLISH, "--encoding", "latin-1"), "--encoding is of files"),
        (("tag", "EMPTY", *ENGLISH), "there is no file"),
        (("parse", "FOLDER", *ENGLISH, "--scheme", "2"), "--scheme is of files; leave it"),
        (("parse", "FOLDER", "--model", "english", "--out", "ONE"), "give --out a name without .conllu"),
        ((*EXTRACT, "ONE", "--workers", "2"), "several processes write shards, not"),
        ((*EXTRACT, "ONE", "--cluster", NOBODY), "several processes write shards, not"),
        ((*EXTRACT, "OUT", "--urls"), "--trees and --urls read into one file; give --out"),
        ((*EXTRACT, "OUT", "--trees", "x"), "--trees and --urls read into one file"),
        ((*EXTRACT, "FOLDER", "--headings"), "was begun with other settings (headings, part_size)"),
        ((*EXTRACT, "OUT", "--cluster", NOBODY), "no cluster with a worker"),
        ((*EXTRACT, "OUT", "--workers", "0"), "--workers"),
        ((*EXTRACT, "OUT", "--workers", "2", "--cluster", NOBODY), "--cluster: not allowed with argument --workers"),
        ((*EXTRACT, "OUT", "--part-size", "many"), "--part-size"),
        (("corpus", "convert", "FOLDER", "--out", "OUT.spacy"), "give --out a name that ends in .conllu"),
        (("corpus", "convert", "FOLDER", "--out", "ONE", "--limit", "3"), "--limit is of files"),
        (("corpus", "convert", "FOLDER", "--out", "/nowhere/out.conllu"), "cannot write"),
    ],
)
def test_what_cannot_be_done_is_one_line(run, crawl, plain, few, tmp_path, monkeypatch, command, message):
    monkeypatch.setattr(engine, "PATIENCE", 0.3)
    (tmp_path / "empty").mkdir()
    places = {"FOLDER": plain, "CRAWL": crawl, "FEW": few, "EMPTY": tmp_path / "empty"}
    places |= {"OUT": tmp_path / "out", "ONE": tmp_path / "out.conllu"}
    assert message in run(*(places.get(word, word) for word in command), code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


@pytest.mark.parametrize(
    "command",
    [
        ("tag", "FEW", *ENGLISH),
        ("parse", "FEW", *ENGLISH),
        ("dmv", "train", "FEW"),
        ("corpus", "stats", "FEW"),
        ("ge", "train", "FEW", "--constraints", "LINES"),
        ("markup", "agree", "FEW"),
    ],
)
def test_workers_are_for_shards(run, few, command):
    message = f"{few} is no folder of shards; leave out --workers and --cluster, or give one"
    for option in (("--workers", "2"), ("--cluster", NOBODY)):
        assert message in run(*(few if word == "FEW" else word for word in command), *option, code=2)


def test_shards_become_one_file(run, crawl, plain, tmp_path):
    whole, out = tmp_path / "whole.conllu", tmp_path / "out.conllu"
    run("markup", "extract", crawl, "--out", whole)
    data = run("corpus", "convert", plain, "--out", out, "--json")
    found, expected = read_treebank(out), read_treebank(whole)
    assert data["sentences"] == len(found) == len(expected) == 19
    assert [sentence.text for sentence in found] == [sentence.text for sentence in expected]
    assert [sentence.sent_id for sentence in found] == [sentence.sent_id for sentence in expected]
    assert not list(tmp_path.glob(".writing-*"))


def test_cluster_of_the_environment(run, write, plain, few, tmp_path, monkeypatch):
    """It is asked for shards alone, and not where the command line says where to work."""
    monkeypatch.setattr(engine, "PATIENCE", 0.3)
    monkeypatch.setenv("WORKBENCH_CLUSTER", NOBODY)
    assert NOBODY in run("corpus", "stats", plain, code=2)
    run("markup", "extract", write("page.html", PAGE), "--out", tmp_path / "pages.conllu")
    run("corpus", "stats", few)
    run("dmv", "train", few, "--em", "--iterations", "1", "--tags", "upos")
