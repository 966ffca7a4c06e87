"""Damaged and hostile files of every format that comes from outside: they are read, or one sentence says why not.

``FUZZ=100 pytest tests/fuzz`` takes a hundred times as many; ``FUZZ_SEED=7`` takes others.
"""

import functools
import io
import os
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from core.constraints import GrammarSettings, train_grammar
from core.constraints.check import parse_constraints
from core.constraints.mallet import parse_mallet
from core.constraints.reading import ConstraintDocument
from core.constraints.spreadsheet import parse_csv
from core.errors import LONGEST_MESSAGE, WorkbenchError
from core.markup import extract_sentences
from core.markup.partial import Partial
from core.parsers import DMV, DMVSettings, MSTParser, Tagger, TreeCRF, load_parser
from core.search import parse_request, search
from core.search.budget import Budget
from core.store import Command, Store
from core.treebank import conllu_text, load_sample, read_treebank
from core.treebank.spacy_docs import to_docbin
from core.treebank.tagging import read_lexicon
from core.workspace.system import packed, unpacked
from tests.fuzz.mutators import mutated, mutated_backup, mutated_zip, mutated_zlib

TIMES, SEED = int(os.environ.get("FUZZ", "1")), int(os.environ.get("FUZZ_SEED", "0"))
PAGE = b"<html><body><p>The <b>old man</b> came. <a href='x'>He left</a> the <i>big house</i>.</p></body></html>"
CONLLU = b"""# sent_id = a-1
# text = The dogs can't
# markup = b 1-2 | i 2-3
1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_
2\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\t_
3-4\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3\tca\tcan\tAUX\tMD\t_\t2\tdep\t_\t_
4\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
4.1\tx\tx\tX\t_\t_\t_\t_\t2:dep\t_

1\tSo\tso\tADV\tRB\t_\t0\troot\t_\t_

"""


@dataclass(frozen=True)
class Format:
    """Files of a format: makes of ``seeds()``, what reads one, how often it is tried, and what is done to it."""

    seeds: Callable[[], list[bytes]]
    read: Callable[[bytes], object]
    count: int = 300
    mutate: Callable[..., bytes] = mutated


def treebank(name, *seeds):
    return Format(lambda: list(seeds), functools.partial(_read_treebank, name))


def _read_treebank(name, data):
    found = read_treebank(data, format=name)
    [sentence.deprels for sentence in found]
    conllu_text(found.to_conllu())


def small():
    """A few sentences with tags and trees."""
    return load_sample().limit(6)


LEARNT = parse_constraints("upos:DET <- upos:NOUN = 0.9\nROOT -> upos:VERB per head = 0.7")
QUICK = GrammarSettings(lengths=(None,), iterations=(1,), words="no", vote_iterations=1)


def saved(model):
    file = io.BytesIO()
    model.save(file)
    return file.getvalue()


@functools.cache
def models():
    text = small()
    return {
        "crf": [saved(TreeCRF().fit(text))],
        "dmv": [saved(DMV(DMVSettings("harmonic", lengths=(6, None))).fit(text))],
        "mst": [saved(MSTParser(bits=10, order=1).fit(text, epochs=1))],
        "tagger": [saved(Tagger().fit(text, epochs=1))],
        "grammar": [saved(train_grammar(text, LEARNT, QUICK).model)],
        "together": [saved(train_grammar(text, LEARNT, replace(QUICK, together=True, second_order=True)).model)],
    }


def _parse(data):
    load_parser(io.BytesIO(data)).parse(small())


def _tag(data):
    Tagger.load(io.BytesIO(data)).tag(small())


def pages_zip():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.html", "b/c.html", "d.txt"):
            archive.writestr(name, PAGE)
    return [file.getvalue()]


def warcs():
    found = []
    for gzip in (True, False):
        file = io.BytesIO()
        writer = WARCWriter(file, gzip=gzip)
        for number in range(2):
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            address = f"http://example.org/{number}"
            record = writer.create_warc_record(address, "response", payload=io.BytesIO(PAGE), http_headers=headers)
            writer.write_record(record)
        found.append(file.getvalue())
    return found


def backup(folder):
    """(a backup with a text and a line, a store to restore it to)."""
    store = Store.open(f"sqlite:///{folder / 'work.sqlite'}")
    project = store.default_project()
    corpus = store.add_corpus(project, "a.conllu", CONLLU, format="conllu")
    store.execute(project, Command("lines", str(corpus), None, "DET <- NOUN = 0.9"), label="a line")
    store.undo(project)
    run = store.create_run(project, "toy", {"corpus": corpus})
    store.start_run(run)
    store.append_trace(run, [{"iteration": 1, "uas": 1.0}])
    store.finish_run(run, "done", {"uas": 1.0}, b"result")
    file = io.BytesIO()
    store.backup_project(project, file)
    return file.getvalue(), store


LINES = b'DET <- NOUN dist 1..3 = 0.9..1.0 weight 2 # yes\nupos:VERB -> {ADP "x"} between only X per head = 0.5\n'
TABLE = b'constraint,low,high,weight,per,comment\nDET <- NOUN,0.9,1.0,2,modifier,"a, b"\n'
MALLET = b"VBD->TO edge:0.75 no:0.25\n"
REQUEST = b"""pattern { V [upos=VERB, !Case, lemma<>a|b]; e: V -[nsubj|re"o.*"]-> N; N << V; N.lemma = V.lemma }
without { N -[^det]-> D; N ->> * } commands { del_edge e; add_edge V -[iobj]-> N; N.upos = PROPN; del_feat N.Case }"""
FORMATS = {
    "conllu": treebank("conllu", CONLLU),
    "conllx": treebank("conllx", CONLLU),
    "conll2009": treebank("conll2009", b"1\tSo\tso\tso\tRB\tRB\t_\t_\t0\t0\troot\troot\t_\t_\n\n" * 2),
    "mrg": treebank("mrg", b"( (S (NP-SBJ (DT The) (NN dog)) (VP (VBZ is) (NP (-NONE- *T*-1))) (. .)) )\n" * 2),
    "tagged": treebank("tagged", b"The/DT dog/NN and\\/or/CC\nSo/RB ./.\n"),
    "toolbox": treebank(
        "toolbox", b"\\id a\n\\ref 1\n\\tx dogs   bark\n\\mb dog -s bark\n\\ge dog PL bark\n\\ps n   sfx v\n\n"
    ),
    "flextext": treebank(
        "flextext",
        b'<document version="2"><interlinear-text><paragraphs><paragraph><phrases><phrase><words><word>'
        b'<item type="txt" lang="en">dogs</item><item type="pos" lang="en">n</item></word></words></phrase></phrases>'
        b"</paragraph></paragraphs></interlinear-text></document>",
    ),
    "text": Format(lambda: [b"The old man came. He left!\n\nA new day."], lambda data: read_treebank(data, "text"), 20),
    "auto": treebank("auto", CONLLU, b"( (S (NN dog) (VB barks)) )\n", b"The/DT dog/NN\nSo/RB ./.\n"),
    "docbin": Format(lambda: [to_docbin(small())], functools.partial(_read_treebank, "docbin"), 60, mutated_zlib),
    "lexicon": Format(lambda: [b'# words\nthe DET\n"a b" NOUN VERB\n-ing VERB\n'], read_lexicon),
    "lines": Format(lambda: [LINES], lambda data: parse_constraints(data.decode("utf-8", "replace"))),
    "document": Format(lambda: [LINES], lambda data: ConstraintDocument.from_text(data.decode("utf-8", "replace"))),
    "table": Format(lambda: [TABLE], lambda data: parse_csv(data.decode("utf-8", "replace"))),
    "mallet": Format(lambda: [MALLET], lambda data: parse_mallet(data.decode("utf-8", "replace"))),
    "request": Format(
        lambda: [REQUEST],
        lambda data: search(small(), parse_request(data.decode("utf-8", "replace")), Budget(seconds=0.2)),
        200,
    ),
    "html": Format(lambda: [PAGE], lambda data: extract_sentences([data]), 60),
    "crf": Format(lambda: models()["crf"], _parse, 60, mutated_zip),
    "dmv": Format(lambda: models()["dmv"], _parse, 60, mutated_zip),
    "mst": Format(lambda: models()["mst"], _parse, 60, mutated_zip),
    "tagger": Format(lambda: models()["tagger"], _tag, 60, mutated_zip),
    "grammar": Format(lambda: models()["grammar"], _parse, 60, mutated_zip),
    "together": Format(lambda: models()["together"], _parse, 60, mutated_zip),
    "partial": Format(lambda: [Partial(1, [CONLLU], seen={b"12345678"}).to_bytes()], Partial.from_bytes),
    "result": Format(
        lambda: [packed("toy", {"a": 1}, heads=small().heads)],
        lambda data: unpacked(data, "toy", ("heads",)),
        200,
        mutated_zip,
    ),
}  # fmt: skip


def inputs(name, format):
    """Its seeds, which are read as they are, then as many others as are asked for."""
    seeds = format.seeds()
    yield from seeds
    for number in range(format.count * TIMES):
        chance = random.Random(f"{name} {SEED} {number}")
        yield format.mutate(chance.choice(seeds), chance, seeds)


def said(read, data):
    """The message of the WorkbenchError that reading raises, or ""."""
    try:
        read(data)
    except WorkbenchError as error:
        message = str(error)
        assert message and "\n" not in message and len(message) <= LONGEST_MESSAGE
        return message
    return ""


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_file_is_read_or_one_sentence(name):
    format = FORMATS[name]
    messages = [said(format.read, data) for data in inputs(name, format)]
    assert not any(messages[: len(format.seeds())])
    assert name in ("text", "html", "document") or any(messages)


@pytest.mark.parametrize(("ending", "make"), [(".zip", pages_zip), (".warc.gz", warcs), (".warc", warcs)])
def test_a_damaged_archive_costs_what_is_damaged(tmp_path, ending, make):
    format = Format(make, bytes, 60, mutated_zip if ending == ".zip" else mutated)
    path = tmp_path / f"pages{ending}"
    for number, data in enumerate(inputs(ending, format)):
        path.write_bytes(data)
        result = extract_sentences([path])
        assert number or len(result.treebank)
        assert all(each.reason and "\n" not in each.reason for each in result.report.skipped)


def test_a_damaged_backup_restores_nothing_or_a_project(tmp_path):
    good, store = backup(tmp_path)
    format = Format(lambda: [good], lambda data: store.restore_backup(io.BytesIO(data)), 150, mutated_backup)
    for number, data in enumerate(inputs("backup", format)):
        before = len(store.projects())
        message = said(format.read, data)
        assert number or not message
        assert len(store.projects()) == before + (not message)
    store.close()
