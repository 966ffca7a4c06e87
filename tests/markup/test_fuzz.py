"""HTML made at random: no error, no request, sound results. ``MARKUP_FUZZ=50000 pytest tests/markup/test_fuzz.py``."""

import os
import random

import pytest

from core.markup import extract_sentences, format_brackets, read_brackets
from core.markup.blocks import read_blocks
from core.markup.comments import read_places
from core.treebank import conllu_text, read_conllu

pytestmark = pytest.mark.usefixtures("no_network")
INPUTS = int(os.environ.get("MARKUP_FUZZ", "300"))
CHUNK = 100  # inputs an extraction, and a step of the seed
NAMES = """a b strong i em u p div li ul ol table tr td br hr h1 nav pre code sup span script style svg title textarea
    body html head img x-y font noscript iframe plaintext option select dl dt dd q button form footer""".split()  # noqa: SIM905
ATTRIBUTES = [
    "", "", ' href="x"', " href=javascript:alert(1)", ' class="menu"', " hidden", ' onerror="alert(1)"',
    " style='display:none'", ' href="', " =", " a=b c='d", ' href="data:text/html,<b>x</b>"',
    ' src="http://127.0.0.1:9/x.png"', "/", " \0", ' id="nav"',
]  # fmt: skip
TEXTS = [
    "It is so. ", "The old man", " came ", "Mr. Smith ", "3.5", "U.S. ", '"What?" ', "she said. ", "un", "s ", " ",
    "\n\n", "\t", "&amp;", "&lt;b&gt;", "&#0;", "&#x110000;", "&nbsp;", "&copy 2026 ", "&", "<", ">", "</", "<!--",
    "-->", "<!", "<?x", "]]>", "\0", "\ud800", "\u202e", "\u200b", "e\u0301", "日本語。", "שלום. ", "😀 ", "\ufb01",
    "\r", "\x0c", "\x1c", "\u2028", "'", '"', "( ", ") ", "|", "_", "#", "- ", "... ", "x" * 400, "word " * 30,
    "\u00a0", "\x85",
]  # fmt: skip


def page(chance):
    """HTML of random pieces, often nested, seldom well."""
    pieces, open_names = [], []
    for _ in range(chance.randrange(1, 60)):
        kind = chance.random()
        if kind < 0.3:
            open_names.append(chance.choice(NAMES))
            pieces.append(f"<{open_names[-1]}{chance.choice(ATTRIBUTES)}>")
        elif kind < 0.5:
            name = open_names.pop() if open_names and chance.random() < 0.7 else chance.choice(NAMES)
            pieces.append(f"</{name}>")
        elif kind < 0.55 and pieces:
            piece = pieces[-1]
            pieces[-1] = piece[: chance.randrange(len(piece) + 1)]
        else:
            pieces.append(chance.choice(TEXTS))
    text = "".join(pieces)
    if chance.random() < 0.3:
        data = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(chance.randrange(4)):
            begin, end = sorted(chance.choices(range(len(data) + 1), k=2))
            data[begin : min(end, begin + 9)] = chance.randbytes(chance.randrange(3))
        return bytes(data)
    return text + "\n"  # a str with a line end is a page, whatever is in it


@pytest.mark.parametrize("seed", range(0, INPUTS, CHUNK))
def test_any_page_is_read(seed):
    chance = random.Random(seed)
    pages = [page(chance) for _ in range(CHUNK)]
    result = extract_sentences(
        pages, repeats=True, headings=seed % 200 == 0, boilerplate=seed % 300 == 0,
        punctuation=("quote", "paren")[: seed % 3],
    )  # fmt: skip
    report, treebank = result.report, result.treebank
    assert report.pages + len(report.skipped) == CHUNK
    assert len(treebank) == len(result.brackets) == report.sentences
    again = read_conllu(conllu_text(treebank).encode()) if len(treebank) else treebank
    for one in result.pages:
        for index in range(one.first, one.last):
            check(again[index], result.brackets[index], one.text)


@pytest.mark.parametrize("seed", range(0, INPUTS, CHUNK))
def test_any_page_is_read_with_selectors(seed):
    chance = random.Random(seed + 1)
    pages = [page(chance) for _ in range(CHUNK)]
    drop = [":--furniture, span, pre:empty", "td > p, :has(> br)", ":-soup-contains(Smith), [href]"][seed // CHUNK % 3]
    result = extract_sentences(
        pages, repeats=True, language="en", places=True, select=["", "*:not(script)"][seed // CHUNK % 2], drop=drop,
        marks="q, font, x-y",
    )  # fmt: skip
    assert result.report.pages + len(result.report.skipped) == CHUNK and result.report.pages
    for one in result.pages:
        for index in range(one.first, one.last):
            sentence, brackets = result.treebank[index], result.brackets[index]
            check(sentence, brackets, one.text)
            places = read_places(sentence)
            assert {(bracket.start, bracket.end) for bracket in brackets} == set(places)
            tags = {span: sorted({tag for tag, _, _ in found}) for span, found in places.items()}
            assert tags == {(bracket.start, bracket.end): bracket.tag.split("+") for bracket in brackets}
            assert all(source.startswith("<") for found in places.values() for _, _, source in found)


def check(sentence, brackets, text):
    """A sentence's words stand in its page's text, and its brackets are what the clean-up promises."""
    places = [dict(item.split("=") for item in misc.split("|")) for misc in sentence.misc[1:]]
    for word, (form, place) in enumerate(zip(sentence.forms[1:], places, strict=True), start=1):
        names = {name for one in brackets if one.start <= word < one.end for name in one.tag.split("+")}
        assert set(place.get("Markup", "").split(",")) - {""} == names
        assert text[int(place["start_char"]) : int(place["end_char"])] == form
    assert sentence.text == text[int(places[0]["start_char"]) : int(places[-1]["end_char"])]
    assert tuple(read_brackets(sentence)) == brackets
    spans = [(one.start, one.end) for one in brackets]
    assert len(set(spans)) == len(spans) and all(one.tag for one in brackets)
    for start, end in spans:
        inside, outside = sentence.forms[start:end], sentence.forms[1:start] + sentence.forms[end:]
        assert any(map(str.isalnum, "".join(inside))) and any(map(str.isalnum, "".join(outside)))
    assert (format_brackets(brackets) is None) == (not brackets)


@pytest.mark.parametrize("seed", range(0, INPUTS, CHUNK))
def test_all_text_is_kept_or_said_to_be_dropped(seed):
    chance = random.Random(-seed - 1)
    for _ in range(CHUNK // 4):
        words = [f"w{number}" for number in range(chance.randrange(1, 30))]
        tags = [f"<{chance.choice('/ ').strip()}{chance.choice(NAMES[:20])}>" for _ in words]
        text = "".join(f"{tag} {word} " for tag, word in zip(tags, words, strict=True))
        found = " ".join(block.text for block in read_blocks(text)).split()
        assert sorted(found) == sorted(words)
