"""CoNLL-U, CoNLL-X (2007 too) and CoNLL-2009 in and out."""

from pathlib import Path

from core.errors import FormatError
from core.treebank.layouts import CONLL2009, CONLLU, CONLLX
from core.treebank.render import treebank_bytes
from core.treebank.source import ScannedText, load_bytes
from core.treebank.treebank import Treebank


def read_conllu(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read CoNLL-U.

    Parameters
    ----------
    source : path, or bytes
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

    There is no ``upos``. Several roots are kept, with a warning. Otherwise like ``read_conllu``.
    """
    return _read(source, CONLL2009, encoding, name)


def _read(source, layout, encoding, name):
    data, name, path = load_bytes(source, name)
    return Treebank(ScannedText.read(data, layout, encoding, path), name=name)


def conllu_text(treebank: Treebank) -> str:
    """The treebank as ``write_conllu`` writes it, a str."""
    return treebank_bytes(treebank).decode(treebank.source.encoding)


def write_conllu(treebank: Treebank, path: str | Path) -> None:
    """Write a treebank in the layout and encoding it came in, byte for byte where nothing changed.

    For CoNLL-U from a treebank in another layout write ``treebank.to_conllu()``. Raises FormatError if the file
    cannot be written.
    """
    try:
        Path(path).write_bytes(treebank_bytes(treebank))
    except OSError as error:
        raise FormatError(f"the file cannot be written: {error.strerror}; choose another place", path=path) from error
