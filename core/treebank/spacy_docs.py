r"""Treebanks as spaCy ``Doc`` objects and ``DocBin`` files, and back.

What spaCy has a place for goes there: words and spaces, lemmas, UPOS as ``pos``, XPOS as ``tag``, FEATS as ``morph``,
heads and relations, sentence starts, entities. A root is its own head, with the relation ``ROOT``. Entities stand in
MISC word by word, ``Entity=B-PER`` and ``Entity=I-PER``; spaces as ``SpaceAfter=No`` and, where spaCy has whitespace
tokens, which CoNLL-U has not, ``SpacesAfter=\n`` as UDPipe writes it.

The CoNLL-U text of the sentences travels in ``doc.user_data["conllu"]``. Reading back, each value that still is what
the text made of it is taken from the text. So comments, multiword tokens, empty nodes, enhanced dependencies and
MISC survive. A value that a pipeline or a person has changed since is taken from spaCy.
"""

import re
import zlib
from collections.abc import Iterable
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.symbols import IDS
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from core.errors import FormatError, WorkbenchError
from core.files.unpacking import as_format_error, most_of, unpack
from core.languages.guessing import guess_language
from core.languages.sentences import SentenceEnds
from core.languages.tokenisers import cutting_of
from core.treebank.compose import compose, numbered_id
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.punctuation import UNIVERSAL
from core.treebank.render import sentence_bytes
from core.treebank.retag import with_column
from core.treebank.source import BOM, Column, ScannedText, load_bytes
from core.treebank.treebank import Treebank

KEY = "conllu"  # in user_data
POS = frozenset(tag for tag in UNIVERSAL if tag in IDS)
FEATURES = re.compile(r"[^=|]+=[^=|]+(\|[^=|]+=[^=|]+)*")
ENTITY = re.compile(r"(?:^|\|)Entity=([BI]-[^|]+)")
CUT_ONE = "1 document does not say where its sentences end, and is"
SPACES = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r", "|": r"\p", "\\": "\\\\"}
COLUMNS = ("lemma", "upos", "xpos", "feats", "misc")


def to_docs(treebank: Treebank, vocab: Vocab | None = None, sentences_per_doc: int = 1) -> list:
    """spaCy documents.

    Parameters
    ----------
    treebank : Treebank
    vocab : spacy.vocab.Vocab, optional
        That of the pipeline the documents are for; a new one by default.
    sentences_per_doc : int

    Returns
    -------
    list of spacy.tokens.Doc
        A sentence of several roots has the others below the first, as spaCy ends a sentence with its tree. A document
        with unknown heads has none at all. ``from_docs`` gives the treebank back all the same.

    Raises
    ------
    WorkbenchError : ``sentences_per_doc`` below 1.

    Notes
    -----
    O(words). Treebanks in other formats are made CoNLL-U first.
    """
    if sentences_per_doc < 1:
        raise WorkbenchError(f"a document needs 1 sentence or more, got sentences_per_doc={sentences_per_doc}")
    treebank = treebank.to_conllu()
    vocab = spacy.blank("xx").vocab if vocab is None else vocab
    blocks = [sentence_bytes(treebank, index).decode() for index in range(len(treebank))]
    if treebank.source.data.startswith(BOM) and blocks:
        blocks[0] = BOM.decode() + blocks[0]
    docs = []
    for begin in range(0, len(treebank), sentences_per_doc):
        end = min(begin + sentences_per_doc, len(treebank))
        doc = _doc([treebank[index] for index in range(begin, end)], vocab)
        doc.user_data[KEY] = blocks[begin:end]
        docs.append(doc)
    return docs


def _doc(sentences, vocab):
    """One document of some sentences."""
    words = [form for sentence in sentences for form in sentence.forms[1:]]
    flat: dict[str, Any] = {
        name: [] for name in ("lemmas", "pos", "tags", "morphs", "heads", "deps", "ents", "spaces", "sent_starts")
    }
    for sentence in sentences:
        begin = len(flat["tags"])
        flat["lemmas"] += sentence.lemmas[1:]
        flat["pos"] += [tag if tag in POS else "" for tag in sentence.upos[1:]]
        flat["tags"] += sentence.xpos[1:]
        flat["morphs"] += [feats if FEATURES.fullmatch(feats) else "" for feats in sentence.feats[1:]]
        heads, deps = _tree(sentence)
        flat["heads"] += [begin + head - 1 for head in heads]
        flat["deps"] += deps
        flat["ents"] += _entities(sentence)
        flat["spaces"] += _spaces(sentence)
        flat["sent_starts"] += [True, *[False] * (len(sentence) - 1)]
    if not all((sentence.heads[1:] >= 0).all() for sentence in sentences):
        del flat["heads"], flat["deps"]
    return Doc(vocab, words=words, **flat)


def _tree(sentence):
    """(heads, relations) of words 1..n with a single root that is its own head."""
    heads, deps = sentence.heads[1:].tolist(), list(sentence.deprels[1:])
    root = heads.index(0) + 1 if 0 in heads else 1
    for index, head in enumerate(heads):
        deps[index] = deps[index] or "dep"  # without a relation spaCy takes the head for unknown
        if head <= 0:
            heads[index] = root
    deps[root - 1] = "ROOT"
    return heads, deps


def _entities(sentence):
    """BIO tags of words 1..n; no entity starts with I."""
    tags = [match[1] if (match := ENTITY.search(misc)) else "O" for misc in sentence.misc[1:]]
    for index, tag in enumerate(tags):
        before = tags[index - 1] if index else "O"
        if tag.startswith("I-") and before[1:] != tag[1:]:
            tags[index] = f"B-{tag[2:]}"
    return tags


def _spaces(sentence):
    """Whether a space follows words 1..n; within a multiword token one does where its form has a blank."""
    spaces = ["SpaceAfter=No" not in misc.split("|") for misc in sentence.misc[1:]]
    for line in sentence.lines:
        fields = line.split("\t")
        first, hyphen, last = fields[0].partition("-")
        if hyphen and first.isdigit() and not line.startswith("#"):
            words = sentence.forms[int(first) : int(last) + 1]
            spaces[int(first) - 1 : int(last)] = _spaces_within(fields[1], words)
            spaces[int(last) - 1] = "SpaceAfter=No" not in fields[-1].split("|")
    return spaces


def _spaces_within(form, words):
    """Whether the form of a multiword token has a blank after each of its words; False after the last."""
    parts = form.split()
    if len(parts) == len(words):
        return [*[True] * (len(words) - 1), False]
    spaces, position = [], 0
    for word in words:  # where the form is its words, one after another
        position += len(word) if form.startswith(word, position) else len(form) + 1
        spaces.append(form[position : position + 1] == " ")
        position += spaces[-1]
    return spaces if position == len(form) else [False] * len(words)


def from_docs(docs: Iterable, name: str = "") -> Treebank:
    """A treebank of spaCy documents, from whatever pipeline.

    Parameters
    ----------
    docs : iterable of spacy.tokens.Doc
    name : str

    Returns
    -------
    Treebank
        CoNLL-U; heads of -1 where spaCy has no parse. Documents without sentence starts are cut into sentences after
        stops, by the rules for any language, and ``warnings`` say so.

    Raises
    ------
    FormatError : a word or label holds a tab or line end.

    Notes
    -----
    O(words).
    """
    docs = list(docs)
    blocks, readings, cut = [], [], 0  # (what the text says, what spaCy says) of each sentence
    for doc, (texts, sentences) in zip(docs, _stored(docs), strict=True):
        if sentences:
            before, now = _readings(_doc(sentences, doc.vocab), spaces=True), _readings(doc, spaces=True)
            if [reading["forms"] for reading in before] == [reading["forms"] for reading in now]:
                blocks += texts
                readings += zip(before, now, strict=True)
                continue
        without_text = _readings(doc, spaces=False)
        cut += len(without_text) > 1 and not doc.has_annotation("SENT_START")
        for index, reading in enumerate(without_text):
            sent_id = numbered_id(name, len(blocks) + 1)
            comments = [*(["newdoc"] if index == 0 else []), f"text = {reading['text']}"]
            columns = {name: reading[name] for name in reading if name not in ("text", "lemma")}
            columns |= {"lemmas": reading["lemma"], "sent_id": sent_id, "comments": comments}
            blocks.append(compose([columns]).decode())
            readings.append((reading, reading))
    count = f"{cut:,} documents say not where their sentences end, and are" if cut > 1 else CUT_ONE
    notes = [f"{count} cut into sentences after stops"] if cut else []
    treebank = Treebank(ScannedText.scanned(_joined(blocks).encode(), SEVERAL_ROOTS_CONLLU, notes=notes), name=name)
    if any(before != now for before, now in readings):
        return _updated(treebank, readings)
    return treebank


def _stored(docs):
    """(texts, Sentence views of them) that each document was made of; empty lists for documents from elsewhere."""
    texts = [list(doc.user_data.get(KEY) or ()) for doc in docs]
    texts = [blocks if all(isinstance(block, str) for block in blocks) else [] for blocks in texts]
    try:
        treebank = Treebank(ScannedText.scanned(_joined(chain.from_iterable(texts)).encode(), SEVERAL_ROOTS_CONLLU))
    except FormatError:
        treebank = ()
    if len(treebank) == sum(map(len, texts)):
        sentences = iter(treebank)
        return [(blocks, list(islice(sentences, len(blocks)))) for blocks in texts]
    if len(docs) == 1:  # someone else's use of the same key
        return [([], [])]
    return [pair for doc in docs for pair in _stored([doc])]


def _readings(doc, spaces):
    """spaCy's annotation of each sentence: a dict of lists over its words, heads counted 1..n as in CoNLL-U.

    With ``spaces`` tokens of whitespace are words: a treebank may hold such words, as a no-break space.
    """
    spans = doc.sents if doc.has_annotation("SENT_START") else [doc[:]] if spaces else _cut(doc)
    is_word = [spaces or not token.text.isspace() for token in doc]
    return [_reading(words, span, is_word) for span in spans if (words := [word for word in span if is_word[word.i]])]


def _cut(doc):
    """Spans of a document that does not say where its sentences end, by the stops of the language it seems to be in."""
    words = [token for token in doc if not token.text.isspace()]
    language = guess_language(doc.text).answer
    ends = SentenceEnds(language, cutting_of(language).common).of(
        [word.text for word in words], [word.idx for word in words]
    )
    starts = [0, *(words[end].i for end in ends[:-1]), len(doc)]
    return [doc[begin:end] for begin, end in pairwise(starts)]


def _reading(words, span, is_word):
    heads, relations = _heads_of(words)
    return {
        "forms": [token.text for token in words],
        "lemma": [token.lemma_ for token in words],
        "upos": ["" if token.pos_ in ("", "SPACE", "EOL") else token.pos_ for token in words],
        "xpos": [token.tag_ for token in words],
        "feats": [str(token.morph) for token in words],
        "misc": ["|".join(filter(None, (_entity(token), _spaces_after(token, is_word)))) for token in words],
        "heads": heads,
        "deprels": relations,
        "text": " ".join(span.text.split()),
    }


def _entity(token):
    return f"Entity={token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else ""


def _heads_of(words):
    """(heads, relations) of a sentence's words. Where its root is no word, the first of those below it takes its place.

    The others below it are attached to that one and keep their relations.
    """
    numbers = {token.i: number for number, token in enumerate(words, start=1)}
    heads = [_head(token, numbers) for token in words]
    roots = [
        number
        for number, head in enumerate(heads, start=1)
        if head == 0 and words[number - 1].head.i == words[number - 1].i
    ]
    root = next(iter(roots), heads.index(0) + 1 if 0 in heads else 0)
    relations = []
    for number, token in enumerate(words, start=1):
        if heads[number - 1] == 0 and number != root and number not in roots:
            heads[number - 1] = root
        is_root = token.dep_ == "ROOT" or (number == root and number not in roots)
        relations.append("" if heads[number - 1] < 0 else "root" if is_root and heads[number - 1] == 0 else token.dep_)
    return heads, relations


def _head(token, numbers):
    """The number of the nearest head that is a word; 0 of a root, -1 if there is none."""
    if not token.has_head():
        return -1
    head = token.head
    while head.i not in numbers and head.head.i != head.i:
        head = head.head
    return 0 if token.head.i == token.i else numbers.get(head.i, 0)


def _spaces_after(token, is_word):
    """The MISC entry for what stands between a word and the next; a single space is nothing special."""
    space, index, doc = token.whitespace_, token.i + 1, token.doc
    while index < len(doc) and not is_word[index]:
        space += doc[index].text_with_ws
        index += 1
    if space == "":
        return "SpaceAfter=No"
    return "" if space == " " else "SpacesAfter=" + "".join((SPACES.get(character) or character) for character in space)


def _joined(blocks):
    """One text of all blocks; only a last one may lack its blank line, only a first one have a byte-order mark."""
    blocks, mark, pieces = list(blocks), BOM.decode(), []
    for index, block in enumerate(blocks):
        block = block.removeprefix(mark) if index else block
        if index < len(blocks) - 1:
            newline = "\r\n" if "\r\n" in block else "\n"
            block += newline * (not block.endswith("\n"))
            block += newline * bool(block[:-1].rsplit("\n", 1)[-1].strip())
        pieces.append(block)
    return "".join(pieces)


def _updated(treebank, readings):
    """The treebank with the values that spaCy has changed; (reading before, reading now) a sentence."""
    changed = {name: {} for name in (*COLUMNS, "heads", "deprels")}
    for offset, (before, now) in zip(treebank.offsets[:-1].tolist(), readings, strict=True):
        for name, values in changed.items():
            for row, (old, new) in enumerate(zip(before[name], now[name], strict=True), start=offset + 1):
                if old != new:
                    values[row] = new
    heads, deprels = treebank.heads.copy(), treebank.deprel
    for row, head in changed.pop("heads").items():
        heads[row] = head
    if relations := changed.pop("deprels"):
        deprels = _replaced(deprels, relations)
    treebank = treebank.with_heads(heads, deprels)
    for name, values in changed.items():
        if values and name == "misc":
            misc = [entry for sentence in treebank for entry in sentence.misc]
            column = Column.intern(_merged_misc(entry, values.get(row)) for row, entry in enumerate(misc))
            treebank = with_column(treebank, name, column)
        elif values:
            treebank = with_column(treebank, name, _replaced(getattr(treebank, name), values))
    return treebank


def _replaced(column, values):
    strings = np.array(column.values, dtype=object)[column.ids]
    for row, value in values.items():
        strings[row] = value
    return Column.intern(strings.tolist())


def _merged_misc(old, new):
    """MISC with spaCy's entries in place of those of the same keys."""
    if new is None:
        return old
    kept = [part for part in old.split("|") if part and not part.startswith(("Entity=", "SpaceAfter=", "SpacesAfter="))]
    return "|".join([*kept, *filter(None, new.split("|"))])


def to_docbin(treebank: Treebank, vocab: Vocab | None = None, sentences_per_doc: int = 1) -> bytes:
    """The bytes of a ``.spacy`` file, as spaCy trains on; see ``to_docs``."""
    docs = to_docs(treebank, vocab, sentences_per_doc)
    return DocBin(store_user_data=True, docs=docs).to_bytes()


def read_docbin(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """``from_docbin`` as one of ``FORMATS``; the encoding is passed over, the file holds its own."""
    return from_docbin(source, name=name)


def from_docbin(source: str | Path | bytes, vocab: Vocab | None = None, name: str | None = None) -> Treebank:
    """A treebank of a ``.spacy`` file.

    Parameters
    ----------
    source : path, or bytes
    vocab : spacy.vocab.Vocab, optional
    name : str, optional
        The file's name by default.

    Raises
    ------
    FormatError : the file cannot be read, is no DocBin or unpacks to too much; and as in ``from_docs``.
    """
    data, name, path = load_bytes(source, name)
    with as_format_error("this is no spaCy DocBin; save one with DocBin.to_disk", path):
        plain = zlib.compress(unpack(data, most_of(len(data))), 0)
        docs = list(DocBin().from_bytes(plain).get_docs(Vocab() if vocab is None else vocab))
        return from_docs(docs, name)
