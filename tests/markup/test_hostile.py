"""What a hostile page may hold: nothing of it is run or asked for, what it says as prose stays, memory is bounded."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import WorkbenchError
from core.markup import Limits, extract_sentences
from core.treebank import conllu_text
from core.workspace.markup.pages import write_files

ROOT = Path(__file__).resolve().parents[2]
MEGA = 1 << 20
EVENTS = ["onerror", "onload", "onclick", "onmouseover", "onfocus", "onanimationstart", "ontoggle"]
VALUES = [
    "alert(1)", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "data:image/svg+xml;base64,PHN2Zz4=",
    "http://127.0.0.1:9/x.png", "//example.org/x.js", "file:///etc/passwd", "&#106;avascript:alert(1)",
]  # fmt: skip
NAMES = [
    "p", "a", "b", "i", "u", "em", "strong", "img", "svg", "object", "embed", "iframe", "video", "audio", "source",
    "link", "meta", "base", "form", "input", "button",
]  # fmt: skip


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*arguments, **options):
        raise AssertionError("a page asked for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize("value", VALUES)
def test_attributes_of_every_element_are_never_run_fetched_or_kept(value):
    hostile = "".join(f' {event}="{value}"' for event in EVENTS) + f' src="{value}" href="{value}" style="{value}"'
    page = "".join(f"<div><{name}{hostile}></{name}>The old <b{hostile}>man</b> came home.</div>" for name in NAMES)
    result = extract_sentences(page, name="page", repeats=True)
    assert {sentence.text for sentence in result.treebank} == {"The old man came home."}
    assert len(result.treebank) == len(NAMES)
    text = conllu_text(result.treebank)
    assert "alert" not in text and "127.0.0.1" not in text and "base64" not in text and "passwd" not in text


@pytest.mark.parametrize(
    "page",
    [
        "<svg><script>alert(1)</script><a href=x><text>Say it. Do it.</text></a></svg>",
        "<svg><foreignObject><p>It is <b>so</b> here.</p></foreignObject></svg>",
        "<math><mtext><p>It is <b>so</b> here.</p></mtext></math><style>p{}</style>",
        "<noscript><p>It is <b>so</b> here.</p></noscript><template><p>It was so.</p></template>",
        "<title>It is so.</title><textarea>It is <b>so</b> here.</textarea>",
        "<nav><a href=x>Home</a></nav><footer>Imprint</footer>",
        "",
        "\0\0\0\0",
        "<!-- <p>It is so.</p>",
        "<![CDATA[ It is so. ]]>",
    ],
)
def test_pages_without_prose_say_so(page):
    report = extract_sentences(page + "\n").report
    assert report.sentences == 0
    assert [skipped.reason for skipped in report.skipped] == ["it holds no prose; see what was dropped"]


@pytest.mark.parametrize(
    "page",
    [
        "<p>It is <b>so here.</p></b><p>And <i>there.",
        "<b><i><u>It is so</b> here</i> and there.",
        "</p></b></a>It is so <a href=x>here</a.",
        "<p>It is <b <i>so</i> here.</p>",
        "<p>It is <a href='x\">so</a> here.</p>",
        "<table><p>It is so <b>here.</table></p></b>",
    ],
)
def test_broken_markup_loses_no_words(page):
    result = extract_sentences(page + "\n")
    said = " ".join(sentence.text for sentence in result.treebank)
    assert "It is" in said and "so" in said
    for sentence, brackets in zip(result.treebank, result.brackets, strict=True):
        assert all(1 <= one.start < one.end <= len(sentence) + 1 for one in brackets)


PIECES = ["<b>", "word ", "<p>", "a", "&amp;", "<a href=x>", "\0"]
MEASURE = """
import json, sys, tracemalloc
from core.markup import extract_sentences
extract_sentences(b"<p>What is imported late counts for no page.")
found = {}
for piece in json.load(sys.stdin):
    page = ("<p>It is <b>so</b> here." + piece * (2**17 // len(piece))).encode()
    tracemalloc.start()
    result = extract_sentences(page)
    found[piece] = [result.report.bytes, len(page), tracemalloc.get_traced_memory()[1]]
    tracemalloc.stop()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def measured():
    """{piece: (bytes read, bytes given, bytes of memory at most)}, in a process in which nothing else runs."""
    process = subprocess.run(
        [sys.executable, "-c", MEASURE], input=json.dumps(PIECES), capture_output=True, text=True, check=True, cwd=ROOT
    )
    return json.loads(process.stdout)


@pytest.mark.parametrize("piece", PIECES)
def test_a_large_page_takes_memory_in_proportion(piece, measured):
    read, given, peak = measured[piece]
    assert read == given
    assert peak < 100 * given + 4 * MEGA


def test_fifty_megabytes_are_refused_in_a_sentence_and_cut_off(tmp_path):
    big = b"<p>" + b"word " * (10 * MEGA)
    with pytest.raises(WorkbenchError, match=r"big.html has 50.0 MB, and a page may have 5 MB here; cut it into parts"):
        write_files(tmp_path, [("big.html", big)])
    (tmp_path / "big.html").write_bytes(big)
    (tmp_path / "small.html").write_bytes(b"<p>It is <b>so</b> here.")
    report = extract_sentences(tmp_path, limits=Limits(page_bytes=5 * MEGA)).report
    assert report.pages == 1 and [skipped.reason for skipped in report.skipped] == [
        "the page is larger than 5,242,880 bytes; cut it into parts"
    ]


def test_a_sentence_of_four_hundred_words_stays_and_a_longer_one_is_named():
    page = "<p>" + "word " * 399 + "ends <b>here now</b>.</p><p>" + "word " * 1200 + "and ends.</p>"
    report = extract_sentences(page, name="page").report
    assert report.sentences == 1 and report.tokens == 403
    assert report.dropped["too long"].pieces == 1 and "the longest sentence has 403 words" in report.notes[0]
