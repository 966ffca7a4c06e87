"""CoNLL-U, CoNLL-X (2007 too), CoNLL-2008 and CoNLL-2009 in and out."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO

from core.errors import FormatError
from core.files.packed import write_packed
from core.treebank.layouts import CONLL2008, CONLL2009, CONLLU, CONLLX, PREDICTED, TAGS_2008, UNSPLIT
from core.treebank.render import treebank_bytes
from core.treebank.source import ScannedText, load_bytes
from core.treebank.treebank import Sentence, Treebank


def read_conllu(source: str | Path | bytes | IO, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read CoNLL-U.

    Parameters
    ----------
    source : path, bytes, an open file, or text
        A str with a line break is text.
    encoding : str
        An encoding whose ASCII characters are single bytes.
    name : str, optional
        What to call the treebank; the file's name by default.

    Returns
    -------
    Treebank
        ``write_conllu`` gives back the same bytes. Trees may be missing: heads of ``_`` are -1.

    Raises
    ------
    FormatError
        The first thing wrong, with file, line, sentence and word, and how many more sentences have errors.

    Notes
    -----
    Multiword tokens, empty nodes and comments are kept in the text and have no rows. O(bytes).
    """
    return _read(source, CONLLU, encoding, name)


def read_conllx(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read CoNLL-X or CoNLL-2007: CPOSTAG is ``upos``, POSTAG ``xpos``; several roots are kept, with a warning.

    Eight to ten columns. Otherwise like ``read_conllu``.
    """
    return _read(source, CONLLX, encoding, name)


def read_conll2009(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read CoNLL-2009: the gold LEMMA, POS, FEAT, HEAD and DEPREL; the other columns are kept for writing.

    A gold column that is empty throughout gives way to the predicted one, HEAD and DEPREL together. There is no
    ``upos``. Several roots are kept, with a warning. Otherwise like ``read_conllu``.
    """
    treebank = _read(source, CONLL2009, encoding, name)
    filled = {column for column in ("lemma", "xpos", "feats", "deprel") if getattr(treebank, column).filled}
    if "deprel" in filled or (treebank.heads >= 0).any():
        filled |= {"head", "deprel"}
    predicted = {column: position for column, position in PREDICTED.items() if column not in filled}
    references = (8, 10) if "head" in predicted else CONLL2009.references  # the column of another tree's heads
    return _with_positions(treebank, predicted, references)


def read_conll2008(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read CoNLL-2008: SPLIT_FORM and SPLIT_LEMMA, which heads count, HEAD, DEPREL, and GPOS or else PPOSS as ``xpos``.

    The first column of tags that all words have is taken, else the one that most have. The other columns are kept for
    writing. There is no ``upos``. Several roots are kept, with a warning. Otherwise like ``read_conllu``.
    """
    treebank = _read(source, CONLL2008, encoding, name)
    split = set(treebank.form.values) - {"", "_"}
    positions = {} if split else dict(UNSPLIT)
    counts = {}
    for position in TAGS_2008:
        tags = _with_positions(treebank, {"xpos": position}, ()).xpos
        counts[position] = int((tags.ids > 0).sum())
    return _with_positions(treebank, positions | {"xpos": max(counts, key=counts.__getitem__)}, ())


def _with_positions(treebank, positions, references):
    """The treebank with some columns read from other places of its lines."""
    old = treebank.source.layout
    if positions.items() <= old.positions.items():
        return treebank
    layout = replace(old, positions=old.positions | positions, references=references)
    source = treebank.source
    return Treebank(ScannedText.scanned(source.data, layout, source.encoding, source.path), name=treebank.name)


def _read(source, layout, encoding, name):
    data, name, path = load_bytes(source, name)
    return Treebank(ScannedText.read(data, layout, encoding, path), name=name)


def as_treebank(sentences: Sentence | Iterable[Sentence]) -> Treebank:
    """A treebank as it is, and one of a sentence, or of several."""
    if isinstance(sentences, Treebank):
        return sentences
    return Treebank.from_sentences([sentences] if isinstance(sentences, Sentence) else sentences)


def conllu_text(treebank: Sentence | Iterable[Sentence]) -> str:
    """The treebank, or the sentences, as ``write_conllu`` writes them, a str."""
    treebank = as_treebank(treebank)
    return treebank_bytes(treebank).decode(treebank.source.encoding)


def write_conllu(treebank: Sentence | Iterable[Sentence], path: str | Path | IO) -> None:
    """Write a treebank, or sentences, in the layout and encoding it came in, byte for byte where nothing changed.

    ``path`` may be an open file, binary or text. A file is packed where its name ends in .gz, .xz, .zst or .zip. For
    CoNLL-U from a treebank in another layout write ``treebank.to_conllu()``. Raises FormatError if the file cannot be
    written.
    """
    try:
        write_packed(path, treebank_bytes(as_treebank(treebank)))
    except OSError as error:
        raise FormatError(f"the file cannot be written: {error.strerror}; choose another place", path=path) from error
