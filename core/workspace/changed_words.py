"""Sentences of a text whose words people have changed: a document for each, the same for every version of the trees.

The document has the sentence as it is now in CoNLL-U. It stands in place of that of the file, or is one more where a
sentence was split. Sentences are named as ``sentence_order.py`` says.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NotRequired, TypedDict

from core.annotation.sentence_block import FORM, MISC, Node, Origin, SentenceBlock, has_no_space, sentence_block
from core.errors import WorkbenchError
from core.store import DocumentKind, SentenceKey
from core.store.shapes import WORDS
from core.treebank import Treebank, conllu_text
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.replaced_blocks import with_blocks
from core.treebank.source import ScannedText
from core.workspace.sentence_order import SentenceOrder


class OriginValues(TypedDict):
    """The word that stood where the parts of a split stand, now from word ``at`` on, and the forms of the parts."""

    at: int
    fields: list[str]
    forms: list[str]


class WordsValues(TypedDict):
    """A sentence whose words were changed.

    ``block`` has its lines in CoNLL-U, and ``file`` names the words that it has in the file. ``unchecked`` are the
    numbers of the words that came from a split or were inserted. ``origins`` are what merging the parts brings back.
    ``command`` is the step of an editor that changed it last. A part split off stands ``after`` a sentence, from 0; its
    ``file`` is that of the first part. A sentence merged ``into`` another has an empty ``block``. As long as both parts
    of a split are as they came, ``whole`` has the former document, or None.
    """

    block: str
    command: str | None
    file: str
    unchecked: list[int]
    origins: list[OriginValues]
    after: NotRequired[int]
    into: NotRequired[int]
    whole: NotRequired[list]


STORED = (DocumentKind(WORDS, SentenceKey, WordsValues),)


def words_values(block: SentenceBlock, file: str, unchecked: Iterable[int], command: str | None) -> WordsValues:
    """The document of a sentence that is a SentenceBlock now; ``file`` is what ``words_name`` gives for the file's."""
    origins = [
        OriginValues(at=number, fields=list(word.origin.node.fields), forms=list(word.origin.forms))
        for number, word in enumerate(block.words, start=1)
        if word.origin is not None
    ]
    unlooked = sorted(unchecked)
    return WordsValues(block=block.text(), command=command, file=file, unchecked=unlooked, origins=origins)


def with_origins(block: SentenceBlock, values: WordsValues | None) -> SentenceBlock:
    """A SentenceBlock of the words of a document, which know again what their parts were split from."""
    words, origins = block.words, {}
    for origin in values["origins"] if values is not None else ():
        if 1 <= origin["at"] <= len(words):
            node = Node(tuple(origin["fields"]))
            origins[words[origin["at"] - 1].id] = Origin(node, tuple(origin["forms"]))
    return replace(block, nodes=tuple(replace(node, origin=origins.get(node.id, node.origin)) for node in block.nodes))


def sentence_text(treebank: Treebank, index: int) -> str:
    """The lines of one sentence as CoNLL-U in UTF-8. O(its words), where the treebank is CoNLL-U."""
    return conllu_text(treebank.select([index]).to_conllu())


def words_name(forms: Sequence[str]) -> str:
    """Names the words of a sentence; ``forms`` are as a Sentence has them, the root's first."""
    return hashlib.sha256("\t".join(forms[1:]).encode()).hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class SplicedText:
    """A text of a file, ``base``, with the sentences of documents of ``words`` in place: ``treebank``."""

    base: Treebank
    words: Mapping[int, WordsValues]
    treebank: Treebank


def spliced(treebank: Treebank, words: Mapping[int, WordsValues], former: SplicedText | None = None) -> Treebank:
    """A text with changed sentences in place of its own: CoNLL-U; itself where none is changed.

    ``words`` maps the name of a sentence to its document. A document is left aside where the text has other words
    there than the file had, and where its lines are no sentence. A sentence that is the same but for tags and trees
    keeps those: a tagger has read the changed words. ``former`` is another result for the same text: then only the
    sentences in which the two differ are read, unless they stand in another order. O(bytes).
    """
    if former is None or former.base is not treebank:
        former = SplicedText(treebank, {}, treebank)
    changed = [name for name in {*words, *former.words} if words.get(name) != former.words.get(name)]
    bank, order = former.treebank.to_conllu(), SentenceOrder.of(words)
    if not bank.is_untouched:
        bank = one_text(conllu_text(bank), bank.name)
    blocks = {}
    for name in changed:
        new = _replacement(treebank, name, words.get(name), bank.source)
        if new is not None:
            blocks[name] = new
        elif name in former.words and name < len(treebank):  # the file's own again
            blocks[name] = _scanned(sentence_text(treebank, name), bank.source)
    was = SentenceOrder.of(former.words)
    if order != was:
        blocks = {name: new.data for name, new in blocks.items()}
        blocks |= {name: words[name]["block"].encode() for name in words if "after" in words[name]}
        return Treebank(_in_order(bank.source, blocks, was, order.names(len(treebank))), name=treebank.name)
    blocks = {place: new for place, new in order.moved(blocks).items() if place < len(former.treebank)}
    if not blocks:
        return former.treebank
    return Treebank(_with_blocks(bank.source, blocks), name=treebank.name)


def over_tagged(
    tagged: SplicedText, source: Treebank, words: Mapping[int, WordsValues], count: int
) -> Treebank:  # fmt: skip
    """The text that a tagger gave back, with the sentences of ``source`` that have other words by now.

    ``tagged.treebank`` has the tagger's tags under the documents ``tagged.words``; ``source`` has the words of a file
    of ``count`` sentences under those of now. O(bytes).
    """
    bank, then, now = tagged.treebank, SentenceOrder.of(tagged.words), SentenceOrder.of(words)
    blocks = {}
    for name in {*words, *tagged.words}:
        was, place = then.place(name), now.place(name)
        if place is None:
            continue
        text = sentence_text(source, place)
        if was is None or surface(text) != surface(sentence_text(bank, was)):
            blocks[name] = text.encode()
    if now != then:
        return Treebank(_in_order(bank.source, blocks, then, now.names(count)), name=bank.name)
    scanned = {place: _scanned(text.decode(), bank.source) for place, text in now.moved(blocks).items()}
    return Treebank(_with_blocks(bank.source, scanned), name=bank.name) if scanned else bank


def _in_order(source, blocks, was, names):
    """The text of the sentences of these names: of new blocks, by name, else of those of a text in another order."""
    end = (b"\r\n" if source.data.endswith(b"\r\n") else b"\n") * 2
    data = [source.data[: source.blocks[0]]]
    for name in names:
        block = blocks[name] if name in blocks else source.block(was.place(name))
        if len(data) > 1 and not data[-1].endswith((b"\n\n", b"\n\r\n")):
            data[-1] = data[-1].rstrip(b"\r\n") + end
        data.append(block)
    return _read_again(source, data)


class SplicedReader:
    """The sentences of one text with changed words in place, kept current; many threads may ask."""

    def __init__(self):
        self._last: SplicedText | None = None

    def read(self, treebank: Treebank, words: Mapping[int, WordsValues]) -> Treebank:
        """As ``spliced``, from the last result."""
        result = spliced(treebank, words, self._last)
        self._last = SplicedText(treebank, words, result)
        return result


def _replacement(treebank, index, values, source):
    """The scanned sentence of a document; None where it is left aside, or there is none."""
    if values is None or not values["block"]:
        return None
    try:
        new = _scanned(values["block"], source)
    except WorkbenchError:
        return None
    if "after" in values:
        return new
    if index >= len(treebank):
        return None
    named = words_name(treebank[index].forms), words_name(Treebank(new)[0].forms) if len(new.blocks) == 2 else ""
    is_known = named[1] and named[0] in (values["file"], named[1])
    return new if is_known and surface(sentence_text(treebank, index)) != surface(values["block"]) else None


def _scanned(text, source):
    return ScannedText.scanned(text.encode(), source.layout, source.encoding)


def _with_blocks(source, blocks):
    """``with_blocks`` for any sentence; a text that may end otherwise is read anew."""
    last = len(source.blocks) - 2
    if last not in blocks:
        return with_blocks(source, blocks)
    data = [source.block(index) if index not in blocks else blocks[index].data for index in range(last + 1)]
    data[0] = source.data[: source.blocks[0]] + data[0]
    return _read_again(source, data)


def _read_again(source, data):
    return replace(ScannedText.read(b"".join(data), source.layout, source.encoding, source.path), notes=source.notes)


def one_text(text: str, name: str = "") -> Treebank:
    """The Treebank of CoNLL-U that may have several roots in a sentence. Raises FormatError."""
    return Treebank(ScannedText.read(text.encode(), SEVERAL_ROOTS_CONLLU), name=name)


def surface(text: str) -> tuple[list, list]:
    """What edits of words change in a sentence of CoNLL-U, apart from tags and trees: forms, spaces, tokens."""
    block = sentence_block(text)
    tokens = [(*token.fields[:2], has_no_space(token.fields[MISC])) for token in block.tokens]
    return [(node.id, node.fields[FORM], has_no_space(node.fields[MISC])) for node in block.nodes], tokens
