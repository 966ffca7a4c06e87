"""Sentences in an answer of a language model or another tool, however it writes them down.

Rows of words are read wherever they stand: CoNLL-U with blanks for tabs or with fewer columns, tables of Markdown,
lists such as ``3. dog/NOUN -> 4 nsubj``, objects of JSON, one a word. Code fences and prose around them are passed
over. A sentence ends where the numbers of words begin again, or at an empty line before a number that does not follow.
"""

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from core.annotation.label_inventories import UPOS
from core.errors import FormatError

EXAMPLE = "example"  # begins the names of sentences that a prompt shows, which are no part of an answer
LONGEST = 20_000_000  # characters of an answer
ROOTS = frozenset({"0", "root", "-1", "none", "null"})  # what a root word has as its head
NAMES = {  # what columns and keys are called; the first of each is ours
    "id": ("id", "index", "idx", "#", "no", "no.", "nr", "number", "i", "token_id", "position"),
    "form": ("form", "word", "token", "text", "wordform", "surface"),
    "upos": ("upos", "pos", "tag", "upostag", "part of speech"),
    "head": ("head", "head_id", "head id", "parent", "governor", "gov", "head_index"),
    "relation": ("deprel", "relation", "dep", "rel", "label", "dependency", "deprel_label"),
}
ROLES = {name: role for role, names in NAMES.items() for name in names}
CONLL = {10: (6, 7), 8: (6, 7)}  # columns of CoNLL-U and its kin: the places of head and relation
FENCE = re.compile(r"\s*(```|~~~)")
RULE = re.compile(r"[\s|:+=-]*")  # the line below the heading of a table
LISTED = re.compile(
    r"[\s*-]*(\d+)[.):]?\s+(\S+?)(?:\s*/\s*(\S+))?\s*(?:->|=>|→|<-|←)\s*(?:head\s*[=:]?\s*)?([^\s(,:]+)[\s(,:]*([^\s)]*)"
)
NUMBER = re.compile(r"(\d+)[.):]?")
PART = re.compile(r"\d+[-.]\d+")  # a multiword token or an empty node
RELATION = re.compile(r"[^\W\d_][\w:/-]*")
COMMENT = re.compile(r"#\s*(sent_id|text)\s*=\s*(.*)")
STRING = r'"(?:[^"\\\n]++|\\.)*+"'
OBJECT = re.compile(  # an object, with at most objects of plain values in it
    r'\{(?:[^{}"]++|STRING|\{(?:[^{}"]++|STRING)*+\})*+\}'.replace("STRING", STRING)
)
LATE_COMMA = re.compile(r",(\s*[}\]])")


@dataclass(frozen=True)
class ProposedWord:
    """A word as an answer has it: its number, form and tag, the number of its head, None where unknown, its relation.

    ``head`` is 0 for a root. Numbers are the answer's own: some may be missing, or stand twice.
    """

    number: int
    form: str
    head: int | None
    relation: str = ""
    upos: str = ""


@dataclass(frozen=True)
class ProposedSentence:
    """The words of a sentence in an answer, and what its comments call it."""

    words: tuple[ProposedWord, ...]
    sent_id: str = ""


@dataclass
class _Row:
    """A word before its head is known to be a number of the sentence."""

    number: int | None
    form: str
    head: str = ""
    relation: str = ""
    upos: str = ""
    after_gap: bool = False  # whether something stands before it that may end a sentence


def read_answer(text: str) -> list[ProposedSentence]:
    """The sentences of an answer, in its order.

    Parameters
    ----------
    text : str
        Of at most ``LONGEST`` characters.

    Returns
    -------
    list of ProposedSentence

    Raises
    ------
    FormatError : no word with a head is in it, or it is too long.

    Notes
    -----
    O(characters).
    """
    if len(text) > LONGEST:
        raise FormatError(f"the answer has more than {LONGEST:,} characters; read it in parts")
    sentences = [_sentence(rows, comments) for rows, comments in _divided(_json_rows(text) or _line_rows(text))]
    sentences = [sentence for sentence in sentences if not re.fullmatch(rf"{EXAMPLE} \d+", sentence.sent_id)]
    if not any(word.head is not None for sentence in sentences for word in sentence.words):
        raise FormatError(
            "the answer has no word with a head; ask for CoNLL-U, a line for each word: number, word, head, relation"
        )
    return sentences


def _divided(rows: Iterable[_Row | tuple[str, str]]) -> Iterator[tuple[list[_Row], dict]]:
    """(the rows of a sentence, its comments) of rows with comments between them; rows without numbers get some."""
    sentence: list[_Row] = []
    comments: dict[str, str] = {}
    waiting: dict[str, str] = {}  # comments of the sentence to come
    for row in rows:
        if isinstance(row, tuple):
            waiting[row[0]] = row[1]
            continue
        last = sentence[-1].number or 0 if sentence else 0
        if row.number is None:
            row.number = 1 if row.after_gap or waiting else last + 1
        if sentence and (waiting or _begins(row, last)):
            yield sentence, comments
            sentence, comments = [], {}
        comments, waiting = comments | waiting, {}
        sentence.append(row)
    if sentence:
        yield sentence, comments


def _begins(row, last):
    """Whether a row begins a sentence after one whose last number is ``last``; a number that stands twice does not."""
    return row.number < last or row.number == last <= 1 or (row.after_gap and row.number != last + 1)


def _sentence(rows, comments):
    """The ProposedSentence of rows; words numbered from 0 are numbered from 1."""
    shift = int(rows[0].number == 0)
    by_form: dict[str, list[int]] = {}
    for row in rows:
        by_form.setdefault(row.form, []).append(row.number)
    words = []
    for row in rows:
        head = _head(row, by_form)
        if shift and head is not None:
            is_root = head < 0 or head == row.number or row.relation.lower() == "root"
            head = 0 if is_root else head + 1
        words.append(ProposedWord(row.number + shift, row.form, head and max(head, 0), row.relation, row.upos))
    return ProposedSentence(tuple(words), comments.get("sent_id", ""))


def _head(row, by_form):
    """The number that a row has as head, -1 for a root of words counted from 0; None where it is not known."""
    text = row.head.strip().rstrip(".")
    if re.fullmatch(r"-?\d{1,6}", text):
        return int(text)
    if text.lower() in ROOTS and (text.lower() == "root" or row.relation.lower() == "root"):
        return -1
    match = re.fullmatch(r"(\S+?)-(\d{1,6})|(\d{1,6})\W.*", text)  # dog-4, and 4:dog
    if match:
        return int(match[2] or match[3])
    places = by_form.get(text, ())
    return places[0] if len(places) == 1 else None


def _json_rows(text: str) -> list[_Row | tuple[str, str]]:
    """The rows of all JSON objects that are words, in order; none where there are none.

    An answer that was cut off has those before the cut.
    """
    rows, end = [], 0
    for begin, after, row in _json_objects(LATE_COMMA.sub(r"\1", text)):
        row.after_gap = bool(rows) and any(sign in text[end:begin] for sign in "[]")
        rows.append(row)
        end = after
    return rows if any(row.head for row in rows) else []


def _json_objects(text: str, begin: int = 0, end: int = sys.maxsize) -> Iterator[tuple[int, int, _Row]]:
    """(where it begins, where it ends, its row) of the objects that are words; of others those within."""
    for match in OBJECT.finditer(text, begin, end):
        try:
            value = json.loads(match[0])
        except ValueError:
            continue
        if (row := _json_row(value)) is not None:
            yield match.start(), match.end(), row
        elif match.start() + 1 < match.end() - 1:
            yield from _json_objects(text, match.start() + 1, match.end() - 1)


def _json_row(value: Mapping) -> _Row | None:
    """The word that an object is, by its keys; None where it has no form, or no head nor relation."""
    cells = {}
    for key, cell in value.items():
        role = ROLES.get(str(key).strip().lower())
        if role and not isinstance(cell, dict | list):
            cells.setdefault(role, "" if cell is None else str(cell).strip())
    if "form" not in cells or not ({"head", "relation"} & cells.keys()):
        return None
    return _row(cells)


def _row(cells: Mapping[str, str]) -> _Row | None:
    number = NUMBER.fullmatch(cells.get("id", ""))
    if PART.fullmatch(cells.get("id", "")):
        return None
    head, relation, upos = (cells.get(role, "").removeprefix("_") for role in ("head", "relation", "upos"))
    return _Row(None if number is None else int(number[1]), cells["form"], head, relation, upos)


def _line_rows(text: str) -> Iterator[_Row | tuple[str, str]]:
    """The rows and comments of lines."""
    columns: dict[str, int] | None = None
    gap = False
    for line in text.splitlines():
        if not line.strip() or FENCE.match(line):
            gap = True
            continue
        if comment := COMMENT.match(line.strip()):
            yield comment[1], comment[2].strip()
            continue
        cells = _cells(line)
        roles = {ROLES[cell.lower().strip("*` ")]: at for at, cell in enumerate(cells)
                 if cell.lower().strip("*` ") in ROLES}  # fmt: skip
        if len(cells) > 1 and {"form", "head"} <= roles.keys():
            columns, gap = roles, True
            continue
        if RULE.fullmatch(line):
            continue
        row = _line_row(line, cells, columns)
        if row is not None:
            yield replace(row, after_gap=gap)
            gap = False


def _cells(line: str) -> list[str]:
    """The cells of a line: between bars, tabs, or else blanks; of values with commas between commas."""
    if line.lstrip().startswith("|"):
        return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
    if line.count("\t") >= 2:
        return [cell.strip() for cell in line.strip("\r\n").split("\t")]
    by_commas = next(iter(re.findall(r"^\s*(?:\d+|id)([,;])", line, re.IGNORECASE)), None)
    if by_commas:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=by_commas))]
    return line.split()


def _line_row(line: str, cells: list[str], columns: Mapping[str, int] | None) -> _Row | None:
    """The word of a line; None for a line of anything else."""
    if columns is not None and len(cells) > max(columns.values()):
        given = {role: cells[at].strip("*` ") or cells[at] for role, at in columns.items()}
        if "id" not in columns or given["id"].rstrip(".").isdecimal():
            return _row(given) if given["form"] else None
    if listed := LISTED.match(line):
        number, form, upos, head, relation = listed.groups(default="")
        return _row({"id": number, "form": form, "upos": upos, "head": head, "relation": relation})
    if len(cells) < 3 or not NUMBER.fullmatch(cells[0]) or not cells[1]:
        return None
    head, relation = _places(cells)
    if head is None:
        return None
    upos = next((cell for cell in cells[2:] if cell in UPOS), "")
    return _row({"id": cells[0], "form": cells[1], "head": cells[head], "relation": relation, "upos": upos})


def _places(cells: list[str]) -> tuple[int | None, str]:
    """(the place of the head among cells without a heading, the relation); (None, "") where no cell can be a head."""
    if len(cells) in CONLL:
        head, relation = CONLL[len(cells)]
        if cells[head] == "_" or cells[head].lstrip("-").isdecimal():
            return head, cells[relation]
    numbers = [at for at in range(2, len(cells)) if re.fullmatch(r"-?\d{1,6}", cells[at])]
    for at in reversed(numbers):
        if at + 1 < len(cells) and RELATION.fullmatch(cells[at + 1]):
            return at, cells[at + 1]
    for at in reversed(numbers):
        if at > 2 and RELATION.fullmatch(cells[at - 1]):
            return at, cells[at - 1]
    blank = next((at for at in range(len(cells) - 2, 1, -1) if cells[at] == "_" and RELATION.fullmatch(cells[at + 1])),
                 None)  # fmt: skip
    return (numbers[-1], "") if numbers else (blank, cells[blank + 1] if blank is not None else "")
