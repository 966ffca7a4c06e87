"""What a hostile page may hold: nothing of it is run or asked for, what it says as prose stays, memory is bounded."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.markup import extract_sentences
from core.treebank import conllu_text
from tests.filled import filled

pytestmark = pytest.mark.usefixtures("no_network")
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


@pytest.mark.parametrize("value", VALUES)
def test_attributes_of_every_element_are_never_run_fetched_or_kept(value):
    hostile = "".join(f' {event}="{value}"' for event in EVENTS) + f' src="{value}" href="{value}" style="{value}"'
    page = "".join(f"<div><{name}{hostile}></{name}>The old <b{hostile}>man</b> came home.</div>" for name in NAMES)
    treebank = extract_sentences(page, name="page", repeats=True).treebank
    assert [sentence.text for sentence in treebank] == ["The old man came home."] * len(NAMES)
    text = conllu_text(treebank)
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
    for sentence, brackets in filled(zip(result.treebank, result.brackets, strict=True)):
        assert all(1 <= one.start < one.end <= len(sentence) + 1 for one in brackets)


PIECES = ["<b>", "word ", "<p>", "a", "&amp;", "<a href=x>", "\0"]
MEASURE = """
import json, sys, tracemalloc
from core.markup import extract_sentences
extract_sentences(b"<p>What is imported late counts for no page.")
found = {}
for piece in json.load(sys.stdin):
    page = ("<p>It is <b>so</b> here." + piece * (2**16 // len(piece))).encode()
    tracemalloc.start()
    result = extract_sentences(page)
    found[piece] = [result.report.bytes, len(page), tracemalloc.get_traced_memory()[1]]
    tracemalloc.stop()
print(json.dumps(found))
"""


def test_a_large_page_takes_memory_in_proportion():
    process = subprocess.run(  # in which nothing else runs
        [sys.executable, "-c", MEASURE], input=json.dumps(PIECES), capture_output=True, text=True, check=True, cwd=ROOT
    )
    measured = json.loads(process.stdout)
    assert [piece for piece in PIECES if measured[piece][0] != measured[piece][1]] == []
    assert [piece for piece, (_, given, peak) in measured.items() if peak >= 100 * given + 4 * MEGA] == []
