"""Every format that a treebank can be written in: one table, where a new writer plugs in; reading is ``formats``.

CoNLL-U and DocBin read back as they were; the word table and displaCy's JSON hold what one looks at.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from core.errors import WorkbenchError
from core.files.packed import plain_name, write_packed
from core.files.tables import separated
from core.treebank.conllu import as_treebank
from core.treebank.detection import READ_ENDINGS
from core.treebank.refused_files import ENDINGS, OTHER_ENDINGS
from core.treebank.render import treebank_bytes
from core.treebank.treebank import Sentence, Treebank

AS_CONLLU = (".conllu", ".conll")
COLUMNS = ("sentence", "sent_id", "word", "form", "lemma", "upos", "xpos", "feats", "head", "relation")


@dataclass(frozen=True)
class Writer:
    """``suffix`` of its files, what people call it, its MIME type, and ``write(treebank)`` -> bytes."""

    suffix: str
    title: str
    mime: str
    write: Callable[[Treebank], bytes]


def conllu_bytes(treebank: Treebank) -> bytes:
    """CoNLL-U, byte for byte as it was read where nothing has changed."""
    return treebank_bytes(treebank.to_conllu())


def docbin_bytes(treebank: Treebank) -> bytes:
    """spaCy's ``DocBin``, one document a sentence, as ``spacy train`` reads it."""
    from core.treebank.spacy_docs import to_docbin  # spaCy takes a second to load

    return to_docbin(treebank)


def table_bytes(treebank: Treebank) -> bytes:
    """A CSV table with a row a word; what a spreadsheet would take for a formula begins with an apostrophe.

    UTF-8 with a byte order mark, which spreadsheets need to tell the encoding.
    """
    rows = []
    for number, sentence in enumerate(treebank, start=1):
        heads = sentence.heads.tolist()
        for word in range(1, len(sentence) + 1):
            texts = (sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats)
            shown = [column[word] for column in texts]
            head = "" if heads[word] < 0 else heads[word]
            rows.append([number, sentence.sent_id or "", word, *shown, head, sentence.deprels[word]])
    return separated(COLUMNS, rows).encode("utf-8-sig")


def displacy_bytes(treebank: Treebank) -> bytes:
    """A JSON list with what ``displacy.render(each, style="dep", manual=True)`` takes, one entry a sentence."""
    return json.dumps([displacy_tree(sentence) for sentence in treebank], ensure_ascii=False, indent=1).encode()


def displacy_tree(sentence: Sentence) -> dict:
    """One Sentence as displaCy's dict of ``words`` and ``arcs``, words counted from 0; a root has no arc."""
    tags = [upos or xpos for upos, xpos in zip(sentence.upos[1:], sentence.xpos[1:], strict=True)]
    words = [{"text": form, "tag": tag} for form, tag in zip(sentence.forms[1:], tags, strict=True)]
    arcs = []
    for word, head in enumerate(sentence.heads.tolist()):
        if head > 0:
            start, end = sorted((word - 1, head - 1))
            direction = "left" if word < head else "right"
            arcs.append({"start": start, "end": end, "label": sentence.deprels[word], "dir": direction})
    return {"words": words, "arcs": arcs}


WRITERS = (
    Writer(".conllu", "CoNLL-U", "text/plain", conllu_bytes),
    Writer(".spacy", "spaCy DocBin", "application/octet-stream", docbin_bytes),
    Writer(".csv", "Table of words (CSV)", "text/csv", table_bytes),
    Writer(".json", "displaCy (JSON)", "application/json", displacy_bytes),
)


def writer_of(path: str | Path) -> Writer:
    """The Writer of the format that a file's name ends in; CoNLL-U where it ends in none that is known.

    Raises WorkbenchError for the ending of another format, which is read, or refused, and not written.
    """
    suffix = Path(plain_name(str(path))).suffix.lower()
    writer = next((known for known in WRITERS if known.suffix == suffix), None)
    is_other = suffix in {*READ_ENDINGS, *ENDINGS} or OTHER_ENDINGS.fullmatch(suffix)
    if writer is None and suffix not in AS_CONLLU and is_other:
        endings = ", ".join(known.suffix for known in WRITERS[:-1])
        raise WorkbenchError(
            f"{path}: the ending {suffix} is that of a format which is not written; end the name in {endings} or "
            f"{WRITERS[-1].suffix}"
        )
    return writer or WRITERS[0]


def write_treebank(treebank: Sentence | Iterable[Sentence], path: str | Path | IO) -> None:
    """Write a treebank, or sentences, in the format that the file's name ends in; into an open file CoNLL-U.

    It is packed where that ends in .gz, .xz, .zst or .zip. Raises WorkbenchError where the file cannot be written, and
    as ``writer_of``.
    """
    writer = writer_of(path) if isinstance(path, (str, Path)) else WRITERS[0]
    try:
        write_packed(path, writer.write(as_treebank(treebank)))
    except OSError as error:
        raise WorkbenchError(f"{path} cannot be written ({error.strerror}); name another file") from error
