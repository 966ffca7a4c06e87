"""Plain text as it was written: running text, cut into sentences, or one sentence per line."""

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import FormatError, WorkbenchError
from core.treebank.hyphenation import join_cut_words
from core.treebank.tagged import load_text, without_trees

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokenizer import Tokenizer
    from spacy.tokens import Doc

    from core.treebank.treebank import Treebank

SPLITS, OLDER = ("sentences", "lines"), "sentencizer"
LONGEST = 300  # characters without a space that spaCy's rules are applied to at once: they take their square in time
LONG = re.compile(rf"\S{{{LONGEST + 1}}}")
PIECE = re.compile(rf"(?P<run>(\S)\2{{{LONGEST},}})(?P<space> ?)|\s*\S{{,{LONGEST}}}\s*", re.DOTALL)
OPENERS = "¿¡"  # open a sentence, whatever Unicode takes them for


def read_text(
    source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None, language: str = "en",
    split: str = "sentences", join_hyphens: bool = True,
) -> "Treebank":  # fmt: skip
    """Read plain text, tokenised by spaCy's rules for the language.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.
    language : str
        A code that ``spacy.blank`` knows: en, de, zh ...; "xx" for any language written with spaces.
    split : str
        "sentences": paragraphs, with blank lines between them, are split into sentences after ``.``, ``!``, ``?``
        and their like; "lines": each line is a sentence; "sentencizer": as "sentences", by spaCy's own rule, which
        leaves a quotation mark or bracket that opens a sentence with the sentence before.
    join_hyphens : bool
        Whether words that line ends cut are joined, and soft hyphens left out; ``warnings`` say how many.

    Returns
    -------
    Treebank
        Without tags and trees; ``# text`` and ``SpaceAfter=No`` keep the spaces, ``# newpar`` the paragraphs.

    Raises
    ------
    FormatError : the file cannot be read.
    WorkbenchError : a language that spaCy does not know or whose tokeniser needs a package; another ``split``.
    """
    if split not in (*SPLITS, OLDER):
        raise WorkbenchError(f"split must be one of {', '.join(SPLITS)}, got {split!r}")
    text, name, path = load_text(source, encoding, name)
    notes = []
    if join_hyphens and split != OLDER:
        alone = "\n\n" if split == "lines" else "\n"  # a sentence a line: no word goes on in the next
        text, notes = join_cut_words(text.replace("\n", alone))
    pipeline, cut = _pipeline(language, split)
    if split == "lines":
        parts = [line for line in text.split("\n") if line.strip()]
    else:
        parts = [part for part in re.split(r"\n[^\S\n]*\n\s*", text) if part.strip()]
    sentences = []
    for document in pipeline.pipe(" ".join(part.split()) for part in parts):
        for index, span in enumerate(cut(document)):
            words = [token for token in span if not token.is_space]
            if words:
                sentences.append(_plain_sentence(words, is_first=index == 0 and split != "lines"))
    if not sentences:
        raise FormatError("this file holds no word; choose one with text", path=path)
    return without_trees(sentences, name, notes)


def read_lines(
    source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None, language: str = "en",
    join_hyphens: bool = True,
) -> "Treebank":  # fmt: skip
    """Read plain text with one sentence per line; blank lines are skipped. As ``read_text`` in all else."""
    return read_text(source, encoding, name, language, split="lines", join_hyphens=join_hyphens)


def blank_pipeline(language: str) -> "Language":
    """spaCy's pipeline of a language with its tokeniser and nothing else; WorkbenchError if there is none.

    Where the tokeniser works by rules, it is a ``BoundedTokenizer``.
    """
    import spacy  # takes a second, and most corpora come in words already
    from spacy.tokenizer import Tokenizer

    try:
        pipeline = spacy.blank(language)
        if isinstance(pipeline.tokenizer, Tokenizer):
            pipeline.tokenizer = BoundedTokenizer(pipeline.tokenizer)
        return pipeline
    except ImportError as error:
        reason = str(error).split("\n")[0]
        raise WorkbenchError(
            f"spaCy cannot tokenise {language!r}: {reason}; use xx for text with spaces between words"
        ) from None


class BoundedTokenizer:
    """A spaCy Tokenizer in linear time: a long run of one character is a word, other long stretches are cut up first.

    Up to ``LONGEST`` characters without a space, which all words of a language have, its words are the Tokenizer's.
    """

    def __init__(self, inner: "Tokenizer"):
        self.inner = inner

    def __call__(self, text: str) -> "Doc":
        """The spaCy Doc of a text."""
        if not LONG.search(text):
            return self.inner(text)
        from spacy.tokens import Doc

        words, spaces = [], []
        for piece in PIECE.finditer(text):
            if piece["run"]:
                words.append(piece["run"])
                spaces.append(bool(piece["space"]))
                continue
            for token in self.inner(piece[0]):
                words.append(token.text)
                spaces.append(bool(token.whitespace_))
        return Doc(self.inner.vocab, words=words, spaces=spaces)


def _pipeline(language, split):
    """(a tokeniser, what cuts its documents into sentences)."""
    pipeline = blank_pipeline(language)
    pipeline.max_length = 2**31 - 1  # its limit is for models, which take memory
    if split == OLDER:
        pipeline.add_pipe("sentencizer")
        return pipeline, lambda document: document.sents
    if split == "lines":
        return pipeline, lambda document: [document]
    from spacy.pipeline import Sentencizer

    stops = frozenset(Sentencizer.default_punct_chars)
    return pipeline, lambda document: _sentences(document, stops)


def _sentences(document, stops):
    """Spans that end after a stop and the marks that close after it; a mark that opens begins the next one."""
    begin, ended = 0, False
    for token in document:
        if token.text in stops:
            ended = True
        elif ended and (not token.is_punct or _opens(token)):
            yield document[begin : token.i]
            begin, ended = token.i, False
    yield document[begin:]


def _opens(token):
    """Whether a mark after a stop opens a sentence: brackets say so themselves, quotation marks by the spaces around.

    The same mark opens in one language and closes in another: “ in English and German, » in French and Danish.
    """
    document, kind = token.doc, unicodedata.category(token.text[0])
    if kind == "Ps" or token.text in OPENERS:
        return True
    if kind == "Pe" or token.i + 1 == len(document):
        return False
    if document[token.i - 1].whitespace_:
        return not token.whitespace_ or kind in ("Pi", "Pd")
    return kind == "Pi" and not token.whitespace_ and not document[token.i + 1].is_punct  # where no spaces are written


def _plain_sentence(words, is_first):
    spaces = [bool(word.whitespace_) for word in words]
    text = "".join(word.text + " " * space for word, space in zip(words, spaces, strict=True)).strip()
    misc = [None if space or word is words[-1] else "SpaceAfter=No" for word, space in zip(words, spaces, strict=True)]
    comments = [*(["newpar"] if is_first else []), f"text = {text}"]
    return {"forms": [word.text for word in words], "misc": misc, "comments": comments}
