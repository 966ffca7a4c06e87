"""Running text with tags, ``word/TAG word/TAG``; and what every reader of running text needs."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from core.errors import FormatError
from core.treebank.compose import compose, numbered_id
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.problems import require_text
from core.treebank.punctuation import UNIVERSAL
from core.treebank.source import UTF8, ScannedText, load_bytes, plain_line_starts
from core.treebank.treebank import Treebank

SEPARATORS = "/_"
CHUNK = re.compile(r"\s*\[ (.*) \]\s*")  # a chunk in the Penn Treebank's files of tags: [ The/DT dog/NN ]
RULE = re.compile(r"^={5,}\s*$")  # between their sentences
BLANKS = re.compile(r"[ \t]+")  # a no-break space is part of its word


def read_tagged(
    source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None, separator: str | None = None
) -> Treebank:
    r"""Read tagged text: one sentence a line, words and their tags joined by a slash.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.
    separator : str, optional
        What stands between word and tag: the more frequent of ``/`` and ``_`` by default.

    Returns
    -------
    Treebank
        Without trees. The tags are UPOS if all of them are universal ones, else XPOS.

    Raises
    ------
    FormatError : a word without a tag, a tag without a word; with file, line, sentence and word.

    Notes
    -----
    The last separator splits (``and/or/CC``) that has no backslash before it; ``\/`` in a word is a slash. Blank
    lines are skipped, and so are the brackets and rules of the Penn Treebank's files of tags. O(bytes).
    """
    text, name, path = load_text(source, encoding, name)
    separator = separator or max(SEPARATORS, key=text.count)
    pattern, split, sentences = re.compile(rf"(.*)(?<!\\){re.escape(separator)}(.*)"), {}, []
    for number, line in enumerate(text.split("\n"), start=1):
        phrase = CHUNK.fullmatch(line)
        words = [word for word in BLANKS.split(phrase[1] if phrase else RULE.sub("", line)) if word]
        for position, word in enumerate(words, start=1):
            if word not in split:
                context = {"path": path, "line": number, "sentence": len(sentences) + 1, "word": position}
                split[word] = _split(word, separator, pattern, context)
        sentences += [[split[word] for word in words]] if words else []
    columns = [{"forms": [form for form, _ in words], "xpos": [tag for _, tag in words]} for words in sentences]
    return composed_treebank(with_universal_tags(columns), name)


def _split(word, separator, pattern, context):
    """(form, tag) of a word."""
    match = pattern.fullmatch(word)
    if not match:
        raise FormatError(f"{word!r} has no tag; write word{separator}TAG", **context)
    form, tag = (part.replace(f"\\{separator}", separator) for part in match.groups())
    if not form or not tag:
        missing = "a tag" if form else "a word"
        raise FormatError(f"{word!r} lacks {missing}; write word{separator}TAG", **context)
    return form, tag


def load_text(source: str | Path | bytes, encoding: str, name: str | None) -> tuple[str, str, str | None]:
    """(text with plain line ends, name, path) of a file or bytes. Raises FormatError where it is no text."""
    data, name, path = load_bytes(source, name)
    require_text(data, path, encoding)
    text = plain_line_starts(data, encoding).decode("utf-8-sig" if encoding.lower() in UTF8 else encoding)
    return text.replace("\r\n", "\n"), name, path


def with_universal_tags(sentences: list[dict]) -> list[dict]:
    """The sentences, as ``compose`` takes them, with their ``xpos`` under ``upos`` if all are universal tags."""
    tags = {tag for sentence in sentences for tag in sentence.get("xpos", ()) if tag}
    for sentence in sentences if tags and tags <= UNIVERSAL else ():
        if "xpos" in sentence:
            sentence["upos"] = sentence.pop("xpos")
    return sentences


def composed_treebank(
    sentences: Iterable[dict], name: str, *, notes: Sequence[str] = (), path: str | None = None,
    line_of: Callable[[int, int], int] | None = None,
) -> Treebank:  # fmt: skip
    """A Treebank of sentences as ``compose`` takes them; one without ``sent_id`` gets its number.

    ``notes``, on what was done to the text or is unsure, are among its ``warnings``. A FormatError has the file's
    ``path`` and, by ``line_of`` the numbers of sentence and word, the line in it.
    """
    for number, sentence in enumerate(sentences, start=1):
        sentence.setdefault("sent_id", numbered_id(name, number))
    try:
        return Treebank(ScannedText.scanned(compose(sentences), SEVERAL_ROOTS_CONLLU, notes=notes), name=name)
    except FormatError as error:  # its line is that of the text made here
        place = {"sentence": error.sentence, "word": error.word}
        if line_of:
            sentence, word = (number if isinstance(number, int) else 1 for number in place.values())
            place |= {"line": line_of(sentence, word), "word": word}
        raise FormatError(error.message, path=path, **place) from None
