"""Text that nobody reads aloud: code, settings, logs, numbers, data. It must not become sentences.

A kind has patterns of whole lines. Most lines must match one of them, and some a pattern that prose never does. So
verse, chat, formulae and lists of words remain text.
"""

import csv
import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from core.treebank.prose import ENDS

MOST, HALF = 0.8, 0.5  # shares of lines
LEAST = 3  # lines
NUMBERS = 10  # numbers, at the least, of a text that holds little else
FEW_WORDS = 2  # of a value in a file of settings


class Kind(NamedTuple):
    """``share`` of the lines match ``lines``, and one line in ten at the least ``surely``."""

    name: str
    share: float
    lines: re.Pattern
    surely: re.Pattern


def _kind(name, share, lines, surely=None):
    return Kind(name, share, re.compile(lines), re.compile(surely or lines))


WORD = r"[A-Za-z_$][\w$]*"
DECLARED = (
    "const|let|var|val|auto|int|float|double|char|bool|void|static|final|public|private|protected|package|using|"
    "namespace|function|func|fn|struct|enum|interface|export|local"
)
QUERY = r"select\b.*\bfrom|insert into|create (?:table|index|view)|update \w+ set|delete from|drop table|alter table"
STATEMENT = (
    rf"\s*(?:def {WORD}\(.*|class {WORD}\b.*[:{{]|(?:from [\w.]+ )?import [\w.*{{}}, ]+;?|import .+ from ['\"].*|"
    r"#\s*(?:include|define|ifdef|ifndef|endif|pragma)\b.*|#!/.*|return\b[^.]*;|"
    r"(?:if|for|while|switch|catch)\s?\(.*\)\s*[{;]?|(?:elif|if|for|while|with|except)\b.*[^\s]:|"
    rf"(?:else|try|finally|do|then|fi|done|esac|end)[:{{;]?|(?:{DECLARED})\b.*[;{{(=].*|(?i:{QUERY})\b.*)"
)
SURELY_CODE = rf"{STATEMENT}|.*\w\(.*\)+\s*;|.*\S\s?=.*;|{WORD};|.*; (?:do|then)|.*[{{]\s*|\s*[}}\])]+[;,)]*\s*"
LINE_OF_CODE = (
    rf"{SURELY_CODE}|\s*(?://|/\*|\*/|\* |#|--).*|\s*[\w.$\[\]\"']+\s*[-+*/|&:]?=+\s*\S.*|"
    rf"\s*(?:await )?{WORD}(?:\.{WORD})*\(.*\)?[;:,]?|"
    r"\s*[\w.'\"$-]+\s*:\s*\S.*[,;{\[(]|\s*@\w[\w.]*(?:\(.*\))?"
)
CODE_MARKS = re.compile(r"[(){}\[\]=<>;$]|::|->|\w\.\w")
LETTERS = r"[A-Za-z0-9+/]{40,}={0,2}"
DAY, HOUR = r"\d{4}-\d\d-\d\d", r"\d\d:\d\d"
LEVEL = "INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE"
LOGGED = (
    rf"(?:\[?{DAY}[T ]{HOUR}.*\b(?:{LEVEL})\b.*|\d+\.\d+\.\d+\.\d+ .*\"[A-Z]+ .*|"
    rf"[A-Z][a-z]{{2}} [ \d]\d {HOUR}:\d\d \S+ [\w./-]+(?:\[\d+\])?:.*)"
)
CALL = r"\s*at [\w.$<>]+\(.*\)|\s*File \".*\", line \d+.*"
KINDS = (
    _kind("a list of DNA or protein sequences (FASTA)", MOST, r">\S.*|[A-Z*-]{20,}", r">\S.*"),
    _kind("a BibTeX file", MOST, r"\s*@\w+\s*\{.*|\s*[\w-]+\s*=\s*[{\"\d].*|.*\},?", r"\s*@\w+\s*\{\S*,\s*"),
    _kind("a calendar or address card", MOST, r"[A-Z][A-Z0-9-]*(?:;[^:]*)?:.*|[ \t].*", r"(?:BEGIN|END):V[A-Z]+"),
    _kind("a key, or bytes written as letters", HALF, rf"-----(?:BEGIN|END) .*|{LETTERS}",
          rf"-----BEGIN .*|(?=.*\d)(?=.*[a-z])(?=.*[A-Z]){LETTERS}"),
    _kind("a dump of bytes", MOST, r"(?:0x)?[0-9A-Fa-f]{6,}[:\s]\s*(?:[0-9A-Fa-f]{2,4}\s+){4}.*|[0-9A-Fa-f]{6,}"),
    _kind("a log", MOST, LOGGED),
    _kind("a patch", MOST, r"[-+ @\\].*|(?:diff|index|Index:) .*", r"@@ -\d+.*@@.*"),
    _kind("a report of an error in a program", HALF, rf"{CALL}|Traceback .*|\s{{4}}.*|.*Exception.*", CALL),
)  # fmt: skip
CODE = _kind("program code", HALF, LINE_OF_CODE, SURELY_CODE)
SETTING = re.compile(r"\s*(?:- )?([A-Za-z_][\w.-]*)\s*[:=]\s*(\S.*)?")
SECTION = re.compile(r"\[\[?[\w .\"-]+\]\]?|---|\s*[#;].*")
SUMS = re.compile(r"[*+^/\\∑∫√]|\d\s*-\s*\d")
NUMBER = re.compile(r"[-+(]?[\d.,:/%$€£°-]*\d[\d.,:/%$€£°)-]*(?:[eE][-+]?\d+)?")
GAP = re.compile(r" {2,}")
MANY, SENTENCES = 0.8, 0.5  # shares of lines of a table that are alike, and that may end as sentences do
DECIMAL = re.compile(r"(?<=\d),(?=\d)")
QUOTED_ROW = re.compile(r'"[^"]*"([,;\t|]"[^"]*"){2,}')


def kind_of_data(lines: Sequence[str], text: str) -> str | None:
    """What text is that is no prose, such as "program code"; None of what may be prose. O(characters).

    ``lines`` are those that are not blank, ``text`` all of it.
    """
    if text.lstrip()[:1] == "[" and _is_json(text):
        return "JSON"
    if text.startswith("#!/"):
        return CODE.name
    if len(lines) >= LEAST:
        for kind in KINDS:
            if _matches(lines, kind):
                return kind.name
        if _matches(lines, CODE) and _has_marks(lines):
            return CODE.name
        if _are_settings(lines):
            return "a file of settings"
        if _is_aligned(lines):
            return "a table, its columns below each other"
    words = text.split()
    if len(words) >= NUMBERS and sum(bool(NUMBER.fullmatch(word)) for word in words) > MOST * len(words):
        return "a list of numbers"
    return None


def _matches(lines, kind):
    if 10 * sum(bool(kind.surely.fullmatch(line)) for line in lines) < len(lines):
        return False
    return sum(bool(kind.lines.fullmatch(line)) for line in lines) > kind.share * len(lines)


def _has_marks(lines):
    """Whether most lines hold marks of code: verse and letters may have lines that end in a semicolon."""
    return sum(bool(CODE_MARKS.search(line)) for line in lines) > HALF * len(lines)


def _are_settings(lines):
    """Names, each with a short value: no speakers, who come again, and no formulae."""
    pairs = [match for line in lines if (match := SETTING.fullmatch(line))]
    sections = sum(bool(SECTION.fullmatch(line)) for line in lines)
    if len(pairs) < LEAST or len(pairs) + sections < MOST * len(lines):
        return False
    names = {match[1] for match in pairs}
    if 2 * len(names) <= len(pairs) or 2 * sum(map(_is_name, names)) <= len(names):
        return False
    values = [match[2] or "" for match in pairs]
    return sum(map(_is_short, values)) >= MOST * len(values) and 2 * sum(map(_is_sum, values)) < len(values)


def _is_name(name):
    return len(name) > FEW_WORDS and name == name.lower()


def _is_short(value):
    return len(value.split()) <= FEW_WORDS


def _is_sum(value):
    return SUMS.search(value) is not None and "://" not in value


def _is_aligned(lines):
    """Whether the lines are rows of three cells or more with blanks between, and half of them hold numbers."""
    rows = [GAP.split(line.strip()) for line in lines]
    width = max(map(len, rows))
    alike = sum(len(row) == width for row in rows)
    numbers = sum(any(NUMBER.fullmatch(cell) for cell in row) for row in rows)
    return width >= LEAST and alike >= MOST * len(rows) and numbers > HALF * len(rows)


def _is_json(text):
    try:
        return isinstance(json.loads(text), list) and any(sign in text for sign in '",:')  # not a note, [2]
    except (ValueError, RecursionError):
        return False


def separator_of(lines: Sequence[str]) -> str | None:
    """What stands between the columns of a table, such as "tabs"; None of lines that are none. O(characters)."""
    lines = [line.strip().replace("||", "") for line in lines]
    if sum(bool(ENDS.search(line)) for line in lines) > SENTENCES * len(lines):
        return None
    for mark, name in (("\t", "tabs"), (";", "semicolons"), (",", "commas"), ("|", "bars")):
        if _is_table([DECIMAL.sub("", line).rstrip(mark) for line in lines], mark):  # a verse may end in a comma
            return name
    return None


def _is_table(lines, mark):
    cells = [len(next(csv.reader([line], delimiter=mark), [])) - 1 for line in lines]
    is_quoted = sum(line[:1] == line[-1:] == '"' and f'"{mark}' in line for line in lines) >= MANY * len(lines)
    spaced = sum(line.count(f"{mark} ") for line in lines)  # as in prose
    if not cells[0] or (2 * spaced >= sum(cells) and not is_quoted and mark != "|"):
        return False
    same = sum(count == cells[0] for count in cells)
    return same >= MANY * len(lines) and (len(lines) > 1 or QUOTED_ROW.fullmatch(lines[0]) is not None)
