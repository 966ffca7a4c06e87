"""A word a line with its tag, its head and perhaps its relation: Malt-TAB, and NLTK's dependency treebank."""

from pathlib import Path

from core.errors import FormatError
from core.treebank.tagged import composed_treebank, load_text, with_universal_tags
from core.treebank.treebank import Treebank

WIDTHS = (3, 4)


def read_malt_tab(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read trees whose lines are FORM, TAG, HEAD and, in Malt-TAB, DEPREL, with a blank line between sentences.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.

    Returns
    -------
    Treebank
        The tags are UPOS if all of them are universal ones, else XPOS.

    Raises
    ------
    FormatError : a line of other columns, a head that is no number, heads that are no tree, with the line; no word.
    """
    text, name, path = load_text(source, encoding, name)
    blocks = list(_blocks(text, path))
    sentences: list[dict] = [_sentence(rows) for _, rows in blocks]
    if not sentences:
        raise FormatError("there is no word; choose a file of words with tags and heads", path=path)
    return composed_treebank(
        with_universal_tags(sentences), name, path=path,
        line_of=lambda sentence, word: blocks[sentence - 1][0] + word - 1,
    )  # fmt: skip


def _blocks(text, path):
    """Yield (number of the first line, cells of each line) of the sentences."""
    rows = []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        cells = line.rstrip().split("\t") if "\t" in line else line.split()
        if not line.strip():
            if rows:
                yield number - len(rows), rows
            rows = []
        elif len(cells) not in WIDTHS or not cells[2].isdecimal():
            raise FormatError("a line needs a word, its tag and the number of its head", path=path, line=number)
        else:
            rows.append(cells)


def _sentence(rows):
    return {
        "forms": [row[0] for row in rows],
        "xpos": [row[1] for row in rows],
        "heads": [int(row[2]) for row in rows],
        "deprels": [row[3] if len(row) > 3 else "root" if row[2] == "0" else "" for row in rows],
    }
