"""Damaged and hostile files of every format that comes from outside: they are read, or one sentence says why not.

``FUZZ=100 pytest tests/fuzz`` takes a hundred times as many; ``FUZZ_SEED=7`` takes others.
"""

import functools
import io
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.constraints.authoring.mallet import parse_mallet
from core.constraints.authoring.spreadsheet import parse_csv
from core.constraints.language.reading import ConstraintDocument
from core.constraints.matching.check import parse_constraints
from core.errors import LONGEST_MESSAGE, WorkbenchError
from core.markup import extract_sentences
from core.markup.partial import Partial
from core.parsers import Tagger, load_parser
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.universal.sources import read_languages, read_sources, source_languages, tagged_sentences
from core.search import parse_request, search
from core.search.budget import Budget
from core.treebank import conllu_text, read_treebank
from core.treebank.language import text_language
from core.treebank.spacy_docs import to_docbin
from core.treebank.tagging import parse_lexicon, read_lexicon
from core.workspace.system import packed, unpacked
from tests.filled import filled
from tests.fuzz import seeds
from tests.fuzz.mutators import mutated, mutated_backup, mutated_json, mutated_zip, mutated_zlib
from tests.fuzz.seeds import small
from tests.treebank.eaf_files import FILES

TIMES, SEED = int(os.environ.get("FUZZ", "1")), int(os.environ.get("FUZZ_SEED", "0"))
FAULTLESS = frozenset(("text", "html", "document", "scripts"))  # whatever is done to them, they are read


@dataclass(frozen=True)
class Format:
    """Files of a format: makes of ``seeds()``, what reads one, how often it is tried, and what is done to it."""

    seeds: Callable[[], list[bytes]]
    read: Callable[[bytes], object]
    count: int = 300
    mutate: Callable[..., bytes] = mutated


def treebank(name, *seeds, **settings):
    return Format(lambda: list(seeds), functools.partial(_read_treebank, name), **settings)


def _read_treebank(name, data):
    found = read_treebank(data, format=name)
    [sentence.deprels for sentence in found]
    conllu_text(found.to_conllu())


def model(name, read, count=60):
    return Format(lambda: [seeds.model(name)], read, count, mutated_zip)


def _parse(data):
    load_parser(io.BytesIO(data)).parse(small())


def _tag(data):
    Tagger.load(io.BytesIO(data)).tag(small())


def _tag_by_words(data):
    DictionaryTagger.load(io.BytesIO(data)).tag(seeds.untagged(), parse_lexicon("the DET\nof ADP\n-ing VERB\n"))


def _cut(data):
    """By rules for any language, to save time; many inputs are cut by the rules of theirs."""
    read_treebank(data, "text", language=None if TIMES > 1 else "unknown")


def _parse_shares(data):
    """A text that says how probable its tags are, and which language it is in."""
    found = read_treebank(data, "conllu")
    text_language(found)
    load_parser(io.BytesIO(seeds.model("universal"))).parse(found)


def _learn(data):
    """What ``universal train`` and ``universal tagger`` read before they learn."""
    with TemporaryDirectory() as folder:
        Path(folder, "a.conllu").write_bytes(data)
        source_languages(read_sources(folder))
        read_languages(folder, tagged_sentences, "sentences are tagged")


def text(read):
    """What reads a str, of bytes."""
    return lambda data: read(data.decode("utf-8", "replace"))


FORMATS = {
    "conllu": treebank("conllu", seeds.CONLLU),
    "conllx": treebank("conllx", seeds.CONLLU),
    "conll2003": treebank("conll2003", *seeds.CONLL2003),
    "conll2008": treebank("conll2008", seeds.CONLL2008),
    "conll2009": treebank("conll2009", seeds.CONLL2009),
    "conll2012": treebank("conll2012", seeds.CONLL2012),
    "conllup": treebank("conllup", *seeds.CONLLUP),
    "vertical": treebank("vertical", *seeds.VERTICAL),
    "cg3": treebank("cg3", *seeds.CG3),
    "json": treebank("json", *seeds.JSON, mutate=mutated_json),
    "json of spaCy": treebank("json", *seeds.JSON_OF_SPACY, count=30, mutate=mutated_json),
    "json lines": treebank("json", seeds.JSON_LINES),
    "mrg": treebank("mrg", seeds.MRG, *seeds.MRG_WITH_REMARKS),
    "tagged": treebank("tagged", seeds.TAGGED),
    "toolbox": treebank("toolbox", seeds.TOOLBOX),
    "flextext": treebank("flextext", seeds.FLEXTEXT),
    "elan": treebank("elan", *FILES.values()),
    "text": Format(lambda: [b"The old man came. He left!\n\nA new day."], lambda data: read_treebank(data, "text"), 20),
    "scripts": Format(lambda: seeds.SCRIPTS, _cut, 60),
    "auto": treebank("auto", *seeds.ANY),
    "docbin": Format(lambda: [to_docbin(small())], functools.partial(_read_treebank, "docbin"), 60, mutated_zlib),
    "tag shares": Format(lambda: [seeds.TAG_SHARES], _parse_shares, 40),
    "sources": Format(lambda: [seeds.SOURCES], _learn, 30),
    "lexicon": Format(lambda: [b'# words\nthe DET\n"a b" NOUN VERB\n-ing VERB\n'], read_lexicon),
    "lines": Format(lambda: [seeds.LINES], text(parse_constraints)),
    "document": Format(lambda: [seeds.LINES], text(ConstraintDocument.from_text)),
    "table": Format(lambda: [seeds.TABLE], text(parse_csv)),
    "mallet": Format(lambda: [seeds.MALLET], text(parse_mallet)),
    "request": Format(
        lambda: [seeds.REQUEST], text(lambda asked: search(small(), parse_request(asked), Budget(seconds=0.2))), 200
    ),
    "html": Format(lambda: seeds.HTML, lambda data: extract_sentences([data]), 100),
    "crf": model("crf", _parse),
    "dmv": model("dmv", _parse),
    "mst": model("mst", _parse),
    "tagger": model("tagger", _tag),
    "grammar": model("grammar", _parse),
    "together": model("together", _parse),
    "universal": model("universal", _parse, 20),
    "dictionary": model("dictionary", _tag_by_words, 20),
    "partial": Format(lambda: [Partial(1, [seeds.CONLLU], seen={b"12345678"}).to_bytes()], Partial.from_bytes),
    "result": Format(
        lambda: [packed("toy", {"a": 1}, heads=small().heads)], lambda data: unpacked(data, "toy", ("heads",)), 200,
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
    assert name in FAULTLESS or any(messages)


@pytest.mark.parametrize(
    ("ending", "make"),
    [
        (".zip", seeds.pages_zip),
        (".warc.gz", seeds.warcs),
        (".warc", seeds.warcs),
        (".warc.zst", seeds.zstd_warcs),
        (".arc.gz", seeds.arcs),
    ],
)
def test_a_damaged_archive_costs_what_is_damaged(tmp_path, ending, make):
    format = Format(make, bytes, 60, mutated_zip if ending == ".zip" else mutated)
    path = tmp_path / f"pages{ending}"
    for number, data in enumerate(filled(inputs(ending, format))):
        path.write_bytes(data)
        result = extract_sentences([path])
        assert number or len(result.treebank) or make is seeds.arcs
        assert all(each.reason and "\n" not in each.reason for each in result.report.skipped)


def test_a_damaged_backup_restores_nothing_or_a_project(tmp_path):
    good, store = seeds.backup(tmp_path)
    format = Format(lambda: [good], lambda data: store.restore_backup(io.BytesIO(data)), 150, mutated_backup)
    for number, data in enumerate(filled(inputs("backup", format))):
        before = len(store.projects())
        message = said(format.read, data)
        assert number or not message
        assert len(store.projects()) == before + (not message)
    store.close()
