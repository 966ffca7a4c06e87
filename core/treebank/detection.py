"""Which format a file is in: by the ending of its name, its first lines, its columns and the share of lines alike.

One place decides, for pages and commands. Nothing that has a form is read as running text: it is a format that is
read, or a FormatError says what it looks like.
"""

import json
import re
from collections import Counter
from functools import cached_property
from pathlib import PurePath

from core.errors import FormatError
from core.treebank.no_prose import kind_of_data, separator_of
from core.treebank.penn import LINE_REMARK, REMARK
from core.treebank.problems import refuse_foreign
from core.treebank.prose import is_line_by_line
from core.treebank.punctuation import PENN, UNIVERSAL
from core.treebank.refused_files import AS_LINES, AS_TEXT, ENDINGS, ROOTS, WEB_PAGE, sentence_of, text_refusal
from core.treebank.source import BOM, plain_line_starts
from core.treebank.vertical import is_numbered

HEAD = 1 << 16  # bytes looked at
ZLIB = (b"\x78\x9c", b"\x78\xda")  # a DocBin is compressed
MARKER = re.compile(rb"\\[\w-]+(@\S*)?(\s|$)")  # a marker of Toolbox, at the start of a line
BRACKETED = re.compile(rb"\s*+\(\s*+[^\s()]*+\s*+\(")  # a parenthesis opens in the first one: no remark in parentheses
REMARKS = re.compile(f"{LINE_REMARK}|{REMARK}".encode(), re.MULTILINE)
LINE_REMARKS = re.compile(LINE_REMARK.encode(), re.MULTILINE)
MOST, MANY, SOME = 0.9, 0.8, 0.2  # shares of lines, or of words, that are alike
WIDEST = 20  # columns of any file of words with tags
NUMBERED = (5, 6, 7)  # columns
PROBABILITY = re.compile(rb"[01](?:\.\d+)?(?:e-\d+)?")
COLUMNS = range(8, 15)  # columns of a line of a treebank whose tabs became spaces
READ_ENDINGS = {  # endings of file names, for files whose content does not show the format
    ".conllu": "conllu", ".conll": "conllu", ".conllx": "conllx", ".conllup": "conllup", ".vert": "vertical",
    ".vrt": "vertical", ".cg3": "cg3", ".mrg": "mrg", ".psd": "mrg", ".ptb": "mrg", ".json": "json", ".jsonl": "json",
    ".flextext": "flextext", ".iob": "conll2003", ".bio": "conll2003", ".iob2": "conll2003", ".spacy": "docbin",
    ".dp": "malttab", ".eaf": "elan",
}  # fmt: skip
GLOBAL_COLUMNS = re.compile(rb"#\s*global\.columns\s*=\s*(.*)")
STANDARD = b"ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC".split()
HEADER = {b"FORM", b"WORD", b"TOKEN"}  # one of these and HEAD or ID name the columns in a first line
IOB = re.compile(rb"O|[BIESLUM]-\S+")
TAG = re.compile(r"[A-Z][A-Z0-9$&*_:+=.|-]*([.:|][\w.:|=]+)?|[!-/:-@\[-`{-~]+")  # most tag sets have capitals only
LONGEST_TAG = 500  # characters
FIRST_IDS = (b"0", b"1", b"1-2")
TAGGED = re.compile(r".*[^\\][/_](?!_+$)(.+)")  # a word and what stands behind its last separator
SMALL_SET = 200  # tags of any tag set
FEW = 0.34  # share of different tags among words: with more, they are no tag set
TAG_NAMES = frozenset(tag.lower() for tag in UNIVERSAL | PENN)
STRUCTURE = re.compile(rb"(?:</?[A-Za-z_][\w.:-]*+(?:\s[^<>]*+)?+/?>\s*+)++|<!--.*-->")  # tags alone on their line
BEFORE_ROOT = ((b"<?", b"?>"), (b"<!--", b"-->"), (b"<!", b">"))  # XML's parts before the root: begin and end
ROOT = re.compile(rb"<([A-Za-z_][\w.:-]*)[\s/>]")
SMALL, BEFORE_XML = 1 << 10, b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"  # marks and blanks at the beginning
ELAN_ROOT = "<ANNOTATION_DOCUMENT"
DEPENDENCY = re.compile(rb"[\w:&$.-]+\s?\(\s?\S+-\d+'*\s?,\s+\S+-\d+'*\s?\)")
DEPENDENCIES = re.compile(rb"\s*\[?" + DEPENDENCY.pattern + rb"(?:,\s+" + DEPENDENCY.pattern + rb")*\]?\s*")
TAGS = re.compile(
    rb"</?(?:a|abbr|article|b|blockquote|body|br|center|cite|code|dd|div|dl|dt|em|figure|font|h[1-6]|head|hr|html|i|img|"
    rb"li|main|meta|ol|p|pre|s|script|section|small|span|strong|style|sub|sup|table|tbody|td|th|title|tr|tt|u|ul)"
    rb"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)


def guess_format(data: bytes, encoding: str = "utf-8", name: str = "") -> str:
    """As ``detect_format``, but what is no treebank is "lines", one sentence per line, or "text", running text.

    Parameters
    ----------
    data : bytes
    encoding : str
    name : str
        The file's, whose ending tells what the content does not.

    Raises
    ------
    FormatError : a file of another kind, which would be read as words that nobody wrote.

    Notes
    -----
    Where lines hold several sentences they are paragraphs; where they end in a stop they are sentences. Lines without
    stops are sentences too, unless they are wrapped: followed by a small letter, or all about as long as the longest.
    """
    if is_elan(data):
        return "elan"
    head = _Head(data, name)
    detected = _detected(head)
    if detected or not head.lines:
        return detected or "conllu"
    try:
        text = data[:HEAD].decode(encoding, "replace")
    except LookupError:  # the reader says so
        text = data[:HEAD].decode("utf-8", "replace")
    return "lines" if is_line_by_line(text.removeprefix("\ufeff")) else "text"


def detect_format(data: bytes, name: str = "") -> str:
    """The name of the format that bytes look like; "conllu", whose reader says what is wrong, if they look like none.

    Ten columns without comments and ranges are CoNLL-X where a coarse tag is not universal or PHEAD is filled.
    Raises FormatError for files of other kinds.
    """
    return "elan" if is_elan(data) else _detected(_Head(data, name)) or "conllu"


def is_elan(data: bytes) -> bool:
    """Whether bytes begin as an ELAN file does, which may be in UTF-16."""
    if not data[:SMALL].lstrip(BEFORE_XML).startswith(b"<"):
        return False
    return any(ELAN_ROOT.encode(codec) in data[:HEAD] for codec in ("utf-8", "utf-16-le", "utf-16-be"))


class _Head:
    """The lines, rows and tokens at the beginning of a file."""

    def __init__(self, data, name):
        refuse_foreign(data)
        self.data, self.start = data, plain_line_starts(data[:HEAD].removeprefix(BOM))
        lines = [line.rstrip(b"\r") for line in self.start.split(b"\n")]
        if len(data) > HEAD and len(lines) > 1:
            lines.pop()  # cut short
        self.lines = [line for line in lines if line.strip()]
        suffixes = (suffix.lower() for suffix in reversed(PurePath(name).suffixes))  # "a.conllu.txt" has two
        self.ending = next((suffix for suffix in suffixes if suffix in READ_ENDINGS or suffix in ENDINGS), "")

    @cached_property
    def rows(self):
        """The lines that are no comments, their columns between tabs."""
        return [line.strip(b" ").split(b"\t") for line in self.lines if not line.startswith(b"#")]

    @cached_property
    def tokens(self):
        """The lines split at tabs, where they have any, or at blanks."""
        lines = [line for line in self.lines if not line.startswith((b"#", b"-DOCSTART-"))]
        return [line.split(b"\t") if b"\t" in line else line.split() for line in lines]

    def share(self, predicate):
        """The share of the lines for which a predicate is true."""
        return sum(map(bool, map(predicate, self.lines))) / max(len(self.lines), 1)


def _detected(head):
    """The format of what has one; None of running text. Raises FormatError."""
    if head.data.startswith(ZLIB):
        return "docbin"
    if not head.lines:
        return None
    if reason := text_refusal(head.lines):
        raise FormatError(reason)
    looks = (
        _json, _interlinear, _cg3, _stanford, _malt_tab, _vertical, _ontonotes, _named_columns, _iob, _numbered,
        _tabular, _trees,
    )  # fmt: skip
    if detected := next((name for look in looks if (name := look(head))), None):
        return detected
    _refuse_markup(head)
    if detected := READ_ENDINGS.get(head.ending):
        return detected
    _refuse_data(head)
    if detected := _columns(head):
        return detected
    _refuse_tables(head)
    if head.ending:
        raise FormatError(f"by its name {sentence_of(ENDINGS[head.ending])}")
    return _tagged(head)


def _json(head):
    """JSON, whole or begun; also one value a line."""
    if not re.match(rb"\s*[\[{]", head.start):
        return None
    first = head.lines[0].strip()
    for text in (head.data, first):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], (dict, list, str))):
            return "json"
    return "json" if re.match(rb"\s*(\{\s*\"[^\"\n]*\"\s*:|\[\s*\{\s*\")", head.start) else None


def _interlinear(head):
    """FLEx and Toolbox."""
    if b"<interlinear-text" in head.start:
        return "flextext"
    return "toolbox" if MARKER.match(head.lines[0]) or head.share(MARKER.match) > MANY else None


def _cg3(head):
    """Constraint Grammar: word forms in angle brackets and quotes, each with indented readings below, or behind it."""
    nice = head.share(re.compile(rb"\S[^\t]*\t *\[[^\]]+\] .*|\$\S+(?:\s+#\d+->\d+)?").fullmatch)
    if nice > 0.5 and re.search(rb"\t *\[", head.start):
        return "cg3"
    cohorts = head.share(re.compile(rb"\"<.*>\"").match)
    readings = head.share(re.compile(rb";?[ \t]+\"").match)
    return "cg3" if cohorts > SOME and (cohorts + readings > 0.5) else None


def _stanford(head):
    """Typed dependencies, one a line or all of a sentence in brackets; also below bracketed trees."""
    share = head.share(DEPENDENCIES.fullmatch)
    below_trees = share > 0 and share + head.share(re.compile(rb"\s*\(.*").fullmatch) > MOST
    return "stanford" if share > MANY or (below_trees and BRACKETED.match(head.start)) else None


def _malt_tab(head):
    """A word, its tag and its head a line: a number that words of a sentence have, and 0 of one."""
    width, share = _usual_width(head.tokens)
    if width not in (3, 4) or share < MOST:
        return None
    heads, words, longest = [], 0, 0
    for line in head.start.split(b"\n"):
        cells = line.split(b"\t") if b"\t" in line else line.split()
        words = words + 1 if line.strip() else 0
        longest = max(longest, words)
        if len(cells) == width and not cells[0].isdigit() and not cells[1].isdigit():
            heads.append(cells[2].strip())
    numbers = [int(head) for head in heads if head.isdigit() and len(head) < 5]
    is_tree = len(numbers) >= MOST * len(head.tokens) and 0 in numbers and max(numbers) <= longest
    return "malttab" if is_tree and len(set(numbers)) > 1 else None


def _vertical(head):
    """One word a line, its tag and lemma behind it, between lines of structure; or with tags and no structure."""
    words = [line for line in head.lines if not STRUCTURE.fullmatch(line.strip())]
    if not words or any(TAGS.search(line) for line in words if b"\t" not in line):
        return None
    if len(words) < len(head.lines) and not head.start.startswith(b"<?xml"):
        tabs = sum(b"\t" in line for line in words)
        single = sum(len(line.split()) == 1 for line in words)
        named = re.search(rb"^[^\S\n]*+</?(s|sentence|p|g|text|doc)\b", head.start, re.MULTILINE)
        if tabs > MANY * len(words) or (named and single > MANY * len(words)):
            return "vertical"
    return None


def _numbered(head):
    """A numbered word a line, in fewer columns than any other format of trees has; CoreNLP writes seven."""
    width, share = _usual_width(head.tokens)
    if share < MOST or width not in NUMBERED or not is_numbered([line.decode("latin-1") for line in head.lines]):
        return None
    return "vertical" if any(_are_heads(head.tokens, column) for column in (width - 1, width - 2)) else None


def _columns(head):
    """A word and its tag a line, between tabs or blanks, without anything else: vertical text too."""
    width, share = _usual_width(head.tokens)
    rows = [row for row in head.tokens if len(row) == width]
    if not 2 <= width < 8 or share < MOST or len(head.lines) < 4:
        return None

    def tags(column):
        return sum(_is_tag(row[column].decode("latin-1")) for row in rows) >= MOST * len(rows)

    probable = [width == 4 and PROBABILITY.fullmatch(row[3]) is not None for row in rows]  # FreeLing's fourth column
    tagged = all(probable) or any(tags(column) and _repeats(rows, column) for column in range(1, width))
    is_word = not tags(0) and not any(b" " in row[0].strip() for row in rows)
    return "vertical" if tagged and is_word else None


def _repeats(rows, column):
    return len({row[column] for row in rows}) < len(rows)


def _ontonotes(head):
    """CoNLL-2012: documents begin and end, or the columns are its."""
    if any(re.match(rb"#\s*begin document", line) for line in head.lines):
        return "conll2012"
    rows = [row for row in (line.split() for line in head.lines) if len(row) >= 11]
    alike = sum(row[1].isdigit() and row[2].isdigit() and (b"*" in row[5]) for row in rows)
    return "conll2012" if alike > MANY * len(head.lines) else None


def _named_columns(head):
    """CoNLL-U Plus, or a first line that names the columns."""
    named = next((match[1].split() for line in head.lines if (match := GLOBAL_COLUMNS.match(line))), STANDARD)
    if named != STANDARD:
        return "conllup"
    cells = {cell.strip().upper() for cell in head.rows[0]} if head.rows else set()
    return "conllup" if cells & HEADER and cells & {b"HEAD", b"ID"} and len(head.rows[0]) >= 3 else None


def _iob(head):
    """CoNLL-2000, 2002, 2003 and their like: a word and its tags a line, chunks or entities as B, I and O."""
    width, share = _usual_width(head.tokens)
    if not 2 <= width < WIDEST or share < MANY:  # a line of prose is wider
        return None
    rows = [row for row in head.tokens if len(row) == width]
    if len(rows) == 1 and width > len(STANDARD) // 2:
        return None
    columns = range(width - 1, 0, -1)[: None if len(rows) > 1 else 1]  # of one word, the last
    if any(_are_marks([row[column] for row in rows]) for column in columns):
        return "conll2003"
    is_named = any(line.startswith(b"-DOCSTART-") for line in head.lines)
    return "conll2003" if is_named or (head.ending in (".iob", ".bio", ".iob2")) else None


def _are_marks(cells):
    """Whether cells are marks of chunks or entities."""
    marked = sum(bool(IOB.fullmatch(cell)) for cell in cells)
    return marked > MOST * len(cells) and any(b"-" in cell for cell in cells)


def _tabular(head):
    """The CoNLL format of files some of whose lines are words of a treebank; a broken one is still CoNLL-U."""
    rows = [row for row in head.rows if row[0][:1].isdigit() and len(row) > 1]
    wide = [row for row in rows if len(row) >= 8]
    if len(wide) >= max(1, SOME * len(head.rows)):
        widths = Counter(map(len, wide))
        usual = max(widths, key=lambda width: (widths[width], width))
        width = 10 if head.ending == ".conllu" and 10 in widths else usual
        rows = [row for row in wide if len(row) == width]
        return _wide_layout(rows, width) if width > 10 else _narrow_layout(head, rows, width)
    is_spaced = sum(map(_is_spaced_row, head.lines)) > MANY * len(head.rows)
    is_spaced &= len(head.lines) > 1 or head.lines[0].split()[0] in FIRST_IDS  # not a sentence that begins with a year
    is_numbered = sum(len(row) > 2 for row in rows) > MANY * len(head.rows) and rows[0][0] in FIRST_IDS
    return "conllu" if head.rows and (is_spaced or is_numbered) else None


def _narrow_layout(head, rows, width):
    """CoNLL-X has fewer columns, another parser's head, or coarse tags of its own; only CoNLL-U has comments."""
    has_comments = len(head.rows) < len(head.lines)
    if not _are_heads(rows, 6) or has_comments or not all(row[0].isdigit() for row in rows):
        return "conllu"
    has_phead = any(len(row) > 8 and row[8].isdigit() for row in rows)
    if width < 10 or has_phead:
        return "conllx"
    coarse = {row[3].decode("utf-8", "replace") for row in rows} - {"_"}
    return "conllu" if head.ending == ".conllu" or coarse <= UNIVERSAL else "conllx"


def _wide_layout(rows, width):
    """The layout of rows of more than ten columns: CoNLL-2008 has a relation behind the head, CoNLL-2009 a second
    head."""
    is_conllu = width < 14 and _are_heads(rows, 6) and any(row[6] != b"_" for row in rows)
    if is_conllu or not _are_heads(rows, 8):
        return "conll2009" if width >= 14 else "conllu"
    relations = sum(row[9] != b"_" and not row[9].isdigit() for row in rows)
    if relations > SOME * len(rows):
        return "conll2008"
    return "conll2009" if width >= 12 else "conllu"


def _are_heads(rows, column):
    """Whether a column holds numbers, or nothing."""
    cells = [row[column] for row in rows if len(row) > column and b"-" not in row[0] and b"." not in row[0]]
    return sum(cell.isdigit() or cell == b"_" for cell in cells) >= MANY * len(cells)


def _is_spaced_row(line):
    """Whether a line is a word of a treebank, its columns between blanks."""
    cells = line.split()
    return line[:1].isdigit() and len(cells) in COLUMNS and (cells[6] == b"_" or cells[6].isdigit())


def _trees(head):
    """Bracketed trees, remarks before them left out."""
    last = head.start.rfind(b"*/")  # behind it remarks of several lines have no end, and each would be looked for
    end = 0 if last < 0 else head.start.find(b"\n", last) + 1 or len(head.start)
    text = REMARKS.sub(b"", head.start[:end]) + LINE_REMARKS.sub(b"", head.start[end:])
    return "mrg" if BRACKETED.match(text) else None


def _refuse_markup(head):
    """Raise FormatError for HTML, whole or in part, and XML."""
    start = head.start.lstrip()
    if re.match(rb"(<\?xml[^>]*>\s*)?(<!doctype html|<html|<head|<body)", start, re.IGNORECASE):
        raise FormatError(sentence_of(WEB_PAGE))
    root = ROOT.match(start, _root_place(start))
    is_xml = start.startswith(b"<?xml") or (root and head.data.rstrip().endswith(b"</" + root[1] + b">"))
    named = root[1].split(b":")[-1].decode("ascii", "replace").lower() if root else ""
    if is_xml and named in ROOTS:
        raise FormatError(sentence_of(ROOTS[named]))
    begins = bool(TAGS.match(start))
    if not start.startswith(b"<?xml") and ((begins and b"</" in start) or head.share(TAGS.search) > SOME):
        raise FormatError(sentence_of(WEB_PAGE))
    if is_xml:
        raise FormatError(sentence_of(("an XML file, and of these only texts of FLEx and ELAN are read", AS_TEXT)))


def _root_place(start):
    """The position of XML's first element, behind instructions, comments and declarations. O(bytes)."""
    position, endless = 0, set()
    while True:
        openings = (pair for pair in BEFORE_ROOT if pair not in endless and start.startswith(pair[0], position))
        if not (pair := next(openings, None)):
            return position
        end = start.find(pair[1], position + len(pair[0]))
        if end < 0:
            endless.add(pair)  # so that the rest is looked through once
            continue
        position = end + len(pair[1])
        while start[position : position + 1].isspace():
            position += 1


def _refuse_tables(head):
    """Raise FormatError where most lines have as many cells as the first, and few end as sentences do."""
    if name := separator_of([line.decode("utf-8", "replace") for line in head.lines]):
        raise FormatError(sentence_of((f"a table, with {name} between its columns, and no treebank", AS_LINES)))


def _refuse_data(head):
    """Raise FormatError where text is no prose: code, settings, logs, numbers."""
    text = head.start.decode("utf-8", "replace")
    lines = [line.decode("utf-8", "replace") for line in head.lines]
    if kind := kind_of_data(lines, text):
        raise FormatError(sentence_of((f"{kind}, and no running text", AS_LINES)))


def _tagged(head):
    """Text with tags behind its words: nearly all have one, and the tags are a small set.

    Where only half of the words have tags, those are still no running text: the reader names a word without.
    """
    words = [word for word in head.start.decode("latin-1").split() if word not in "[]" and word.strip("=")]
    tags = [match[1] for word in words if (match := TAGGED.fullmatch(word))]
    different = len(set(tags))
    if not tags or different > SMALL_SET or _is_name(words):
        return None
    like_tags = sum(map(_is_tag, tags)) > MOST * len(tags)
    like_tags |= sum(tag.lower().split("-")[0] in TAG_NAMES for tag in tags) > MANY * len(tags)
    repeat = different <= FEW * len(tags) and len(tags) > 9
    if len(tags) >= MOST * len(words):
        return "tagged" if like_tags or repeat else None
    return "tagged" if 2 * len(tags) > len(words) and like_tags and different < len(tags) else None


def _is_name(words):
    """Whether text is a single word, the name of a file or an address, and no tag in capitals stands behind it."""
    return len(words) == 1 and not words[0].replace("_", "/").rpartition("/")[2].isupper()


def _is_tag(text):
    """Whether text looks like a tag of most tag sets."""
    return len(text) <= LONGEST_TAG and TAG.fullmatch(text) is not None


def _usual_width(rows):
    """(columns of most rows, their share)."""
    if not rows:
        return 0, 0.0
    width, count = Counter(map(len, rows)).most_common(1)[0]
    return width, count / len(rows)
