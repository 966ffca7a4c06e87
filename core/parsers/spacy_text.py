"""Raw text in a saved spaCy pipeline: cut into sentences and words, and tagged, as a text was in the workbench.

``workbench_tokenizer`` cuts and ``workbench_tagger`` sets ``token.pos_`` and ``token.tag_``; the parser follows. Where
this package is installed its entry points register them, elsewhere the import of ``core.parsers.spacy_component``.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import srsly
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch, registry
from spacy.vocab import Vocab

from core.errors import WorkbenchError
from core.parsers.text_tagging import TextTagging
from core.treebank import Treebank
from core.treebank.plain import cut_text
from core.treebank.spacy_docs import POS

ZERO_WIDTH = "\u200b"  # between words of scripts that have no spaces
TOKENIZER, TAGGER = "workbench_tokenizer", "workbench_tagger"
FORMS = "workbench_forms"  # in ``doc.user_data``: of each token, its form as a part of a contraction, or ""
MISC = "workbench_misc"  # in ``doc.user_data``: of each token, how probable its tags are, for parsers that read it


class TextTokenizer:
    """Cuts raw text into the sentences and words into which the workbench cuts plain text of a language.

    Words that line ends cut are joined first, so that ``doc.text`` is the text without these cuts; else it is the text.
    The parts of a contraction share its letters ("d", "el"); ``doc.user_data[FORMS]`` has their forms ("de", "el").
    ``contractions`` is a table, by which no word is one if it is empty.
    """

    def __init__(self, vocab: Vocab, language: str, contractions: str = ""):
        self.vocab, self.language, self.contractions = vocab, language, contractions

    def __call__(self, text: str) -> Doc:
        """The Doc of a text, with the starts of its sentences. O(characters)."""
        text, sentences = cut_text(text, self.language, self.contractions)
        words, spaces, starts, position = [], [], [], 0
        forms: dict[int, str] = {}
        for sentence in sentences:
            for number, (piece, form) in enumerate(sentence):
                begin, end = _place(text, position, piece)
                _add_space(text[position:begin], words, spaces, starts)
                if form != piece:
                    forms[len(words)] = form
                words.append(text[begin:end])
                spaces.append(False)
                starts.append(number == 0)
                position = end
        _add_space(text[position:], words, spaces, starts)
        if starts:
            first = starts.index(True) if True in starts else 0
            starts[0], starts[first] = True, first == 0
        doc = Doc(self.vocab, words=words, spaces=spaces, sent_starts=starts)
        if forms:
            doc.user_data[FORMS] = [forms.get(place, "") for place in range(len(words))]
        return doc

    def to_bytes(self, exclude: Iterable[str] = ()) -> bytes:
        """Nothing: the configuration of the pipeline has the language."""
        return b""

    def from_bytes(self, data: bytes, exclude: Iterable[str] = ()) -> "TextTokenizer":
        """Itself."""
        return self

    def to_disk(self, path: str | Path, exclude: Iterable[str] = ()) -> None:
        """Nothing is written, as ``to_bytes``."""

    def from_disk(self, path: str | Path, exclude: Iterable[str] = ()) -> "TextTokenizer":
        """Itself."""
        return self


def _place(text, position, form):
    """(begin, end) of the next word of a text, whose spaces may be other white space, or of no width, there."""
    while text[position].isspace() or text[position] == ZERO_WIDTH:
        position += 1
    if text.startswith(form, position):
        return position, position + len(form)
    found = re.compile(r"\s+".join(map(re.escape, form.split()))).match(text, position)
    if found is None:
        raise WorkbenchError(f"the word {form!r} is not in the text where it was cut; report this text")
    return found.span()


def _add_space(gap, words, spaces, starts):
    """Add the white space behind a word: a space goes with it, more is a token, as in spaCy's own pipelines."""
    if gap[:1] == " " and words:
        spaces[-1], gap = True, gap[1:]
    if gap:
        words.append(gap)
        spaces.append(False)
        starts.append(False)


@registry.tokenizers(TOKENIZER)
def make_tokenizer(language: str, contractions: str = "") -> Callable[[Language], TextTokenizer]:
    """What makes the tokeniser of a pipeline; ``language`` is a code, ``contractions`` a table."""
    return lambda nlp: TextTokenizer(nlp.vocab, language, contractions)


class TaggerComponent:
    """Tags documents as a text was tagged; tokens that have a tag keep it.

    A document that is tagged throughout is left alone.
    """

    def __init__(self, vocab: Vocab, name: str = TAGGER, tagging: TextTagging | None = None):
        self.vocab, self.name, self.tagging = vocab, name, tagging

    def __call__(self, doc: Doc) -> Doc:
        """Tag a document. Raises WorkbenchError without a saved tagger, or where its reader is not installed."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Yield documents tagged, ``batch_size`` at a time: the text of a word list is read once for all of these."""
        for batch in minibatch(stream, batch_size):
            self._tag([doc for doc in batch if any(map(_is_open, doc))])
            yield from batch

    def _tag(self, docs):
        if self.tagging is None:
            raise WorkbenchError(f"the component {self.name!r} has no tagger; load a pipeline that the workbench saved")
        parts = [doc_sentences(doc) for doc in docs]
        treebanks = [sentences for sentences, _ in parts]
        if not any(treebanks):
            return
        tagged = self.tagging.tag(Treebank.from_sentences(row for sentences in treebanks for row in sentences))
        values = {name: getattr(tagged, name).strings()[tagged.is_word].tolist() for name in ("upos", "xpos", "misc")}
        begin = 0
        for doc, (_, words) in zip(docs, parts, strict=True):
            own = {name: column[begin : begin + len(words)] for name, column in values.items()}
            begin += len(words)
            misc = [""] * len(doc)
            for place, upos, xpos, more in zip(words, *own.values(), strict=True):
                token, misc[place] = doc[place], more
                if upos in POS:
                    token.pos_ = upos
                if xpos:
                    token.tag_ = xpos
            doc.user_data[MISC] = misc

    def to_bytes(self, exclude: Iterable[str] = ()) -> bytes:
        """The files of its tagger."""
        return srsly.msgpack_dumps({} if self.tagging is None else self.tagging.to_files())

    def from_bytes(self, data: bytes, exclude: Iterable[str] = ()) -> "TaggerComponent":
        """Take the tagger from bytes that ``to_bytes`` returned."""
        files = srsly.msgpack_loads(data)
        self.tagging = TextTagging.from_files(files) if isinstance(files, dict) and files else None
        return self

    def to_disk(self, path: str | Path, exclude: Iterable[str] = ()) -> None:
        """Save into a folder, as ``nlp.to_disk`` asks for."""
        Path(path).mkdir(parents=True, exist_ok=True)
        for name, data in ({} if self.tagging is None else self.tagging.to_files()).items():
            (Path(path) / name).write_bytes(data)

    def from_disk(self, path: str | Path, exclude: Iterable[str] = ()) -> "TaggerComponent":
        """Load from a folder that ``to_disk`` wrote."""
        files = {file.name: file.read_bytes() for file in Path(path).iterdir()} if Path(path).is_dir() else {}
        self.tagging = TextTagging.from_files(files) if files else None
        return self


@Language.factory(TAGGER, assigns=["token.pos", "token.tag"])
def make_tagger(nlp: Language, name: str) -> TaggerComponent:
    """The spaCy factory; ``from_disk`` brings the tagger."""
    return TaggerComponent(nlp.vocab, name)


def _is_open(token):
    return not (token.is_space or token.pos_ or token.tag_)


def doc_sentences(doc: Doc) -> tuple[list[dict], list[int]]:
    """(sentences of a document for ``Treebank.from_sentences``, the places of their words in it).

    White space is no word. Without sentence boundaries, the whole document is one sentence. O(tokens).
    """
    sentences: list[dict] = []
    places: list[int] = []
    misc, begins = doc.user_data.get(MISC, ()), True
    misc = misc if len(misc) == len(doc) else [""] * len(doc)
    forms = doc.user_data.get(FORMS, ())
    forms = forms if len(forms) == len(doc) else [""] * len(doc)
    for token in doc:
        begins = begins or bool(token.is_sent_start)
        if token.is_space:
            continue
        if begins:
            sentences.append({name: [] for name in ("forms", "lemmas", "upos", "xpos", "misc")})
            begins = False
        values = forms[token.i] or token.text, token.lemma_, token.pos_, token.tag_, misc[token.i]
        for column, value in zip(sentences[-1].values(), values, strict=True):
            column.append(value)
        places.append(token.i)
    return sentences, places


def doc_heads(length: int, places: list[int], sentences: Treebank) -> np.ndarray:
    """int64 (tokens,): where each token's head stands from it, for trees of the sentences of ``doc_sentences``.

    White space hangs on the token before it, at the beginning on the one behind it; a root heads itself.
    """
    relative = np.full(length, -1)
    relative[: places[0]] = 1
    offsets = sentences.offsets[:-1] - np.arange(len(sentences))
    firsts = np.repeat(offsets, sentences.lengths)
    heads = sentences.heads[sentences.is_word]
    where = np.array(places)
    relative[where] = np.where(heads > 0, where[firsts + np.maximum(heads, 1) - 1] - where, 0)
    return relative
