"""Rules of UD for the lines of a CoNLL-U file: comments, blanks, ranges of words, features, enhanced dependencies.

They are those of UD's validator at levels 1 and 2 (``udtools`` 0.2.9), whose test names the faults have. Faults that
the reader refuses, such as a line of nine columns, are not repeated here. ``# parallel_id`` is not checked.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import regex

from core.annotation.faults import Fault
from core.annotation.graph_rules import GraphOutline, GraphsOfFile, graph_faults, graph_outline
from core.annotation.label_inventories import UPOS
from core.languages.direction import bidi_isolate
from core.languages.normal_form import composed

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
ID, FORM, LEMMA, TAG, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
SPACED = (FORM, LEMMA, MISC)  # columns that may contain blanks
SENT_ID = regex.compile(r"#\s*sent_id\s*=\s*(\S+)")
TEXT = regex.compile(r"#\s*text\s*=\s*(.*)")
NEW = {name: regex.compile(rf"#\s*{name}(?:\s+(\S+))?") for name in ("newdoc", "newpar")}
FEATURE = regex.compile(r"([A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?)=([A-Z0-9][A-Za-z0-9]*(?:,[A-Z0-9][A-Za-z0-9]*)*)")
ONCE = ("SpaceAfter", "Lang", "Translit", "LTranslit", "Gloss", "LId", "LDeriv", "Ref")  # once in MISC


def feature_fault(word: int, text: str, universal: bool = True) -> Fault | None:
    """The Fault in the spelling of a word's features, or None; ``universal`` requires UD's spelling."""
    pairs = text.split("|")
    names = [pair.partition("=")[0] for pair in pairs]
    if not all(name and value for name, _, value in (pair.partition("=") for pair in pairs)):
        message, test = f"{text} is no list of features; write Name=Value|Name=Value", "invalid-feature"
    elif universal and (odd := next((pair for pair in pairs if not FEATURE.fullmatch(pair)), "")):
        message = f"{odd} is not spelt as a feature; names and values begin with a capital, such as Number=Plur"
        test = "invalid-feature"
    elif len(set(names)) < len(names):
        message, test = f"{text} names a feature twice", "repeated-feature"
    elif [pair.lower() for pair in pairs] != sorted(pair.lower() for pair in pairs):
        message, test = f"{text} is not in alphabetical order", "unsorted-features"
    else:
        return _values_fault(word, pairs) if universal else None
    return Fault(word, "features", message, test=test)


def _values_fault(word, pairs):
    """The Fault in the values of a feature that has several, or None."""
    for pair in pairs:
        values = pair.partition("=")[2].split(",")
        if len(set(values)) < len(values):
            return Fault(word, "features", f"{pair} names a value twice", test="repeated-feature-value")
        if [value.lower() for value in values] != sorted(value.lower() for value in values):
            message = f"the values of {pair} are not in alphabetical order"
            return Fault(word, "features", message, test="unsorted-feature-values")
    return None


class Outline(NamedTuple):
    """What the rules across the sentences of a file ask of one.

    Attributes
    ----------
    sent_id : str or None
        None where it has none, or several.
    begins : bool
        Whether a document or paragraph begins with it.
    is_open : bool or None
        Whether SpaceAfter=No follows its last token; None where it has no text to compare.
    graph : GraphOutline
    """

    sent_id: str | None = None
    begins: bool = False
    is_open: bool | None = None
    graph: GraphOutline = GraphOutline()


class FileRules:
    """Compares the sentences of a file, in its order; ``universal`` as for ``LineRules``."""

    def __init__(self, universal: bool = True):
        self._sent_ids: set[str] = set()
        self._graphs = GraphsOfFile(universal)
        self._open = False  # whether the last token has SpaceAfter=No

    def faults(self, outline: Outline) -> Iterator[Fault]:
        """The faults of the next sentence, given its Outline."""
        if outline.sent_id is not None:
            if outline.sent_id in self._sent_ids:
                message = f"its sent_id {bidi_isolate(outline.sent_id)} is that of a sentence before it; name it anew"
                yield Fault(0, "sent_id", message, test="non-unique-sent-id")
            self._sent_ids.add(outline.sent_id)
        if outline.begins and self._open:
            message = "begins a document or paragraph, but the token before it says SpaceAfter=No; remove that"
            yield Fault(0, "comments", message, test="spaceafter-newdocpar")
        if outline.is_open is not None:
            self._open = outline.is_open
        yield from self._graphs.faults(outline.graph)


class LineRules:
    """Checks the lines of one sentence.

    ``absent`` has the comments that no sentence of the file has ("sent_id", "text"), which are not reported.
    """

    def __init__(self, universal: bool = True, absent: Collection[str] = ()):
        self.universal, self.absent = universal, absent

    def check(self, lines: Sequence[str]) -> tuple[list[Fault], Outline]:
        """(faults of a sentence, its Outline), given its lines without line ends."""
        comments = [line for line in lines if line.startswith("#")]
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        names = [match[1] for match in map(SENT_ID.fullmatch, comments) if match]
        breaks = {name: sum(map(bool, map(pattern.fullmatch, comments))) for name, pattern in NEW.items()}
        texts = [match[1] for match in map(TEXT.fullmatch, comments) if match]
        faults = [*_place_faults(lines), *self._character_faults(comments, rows)]
        for row in rows:
            faults += self._row_faults(row)
        faults += self._id_faults(comments, names)
        for name, count in breaks.items():
            if count > 1:
                message = f"has {count} lines of # {name}; keep one"
                faults.append(Fault(0, "comments", message, test=f"multiple-{name}"))
        of_text, is_open = self._text_faults(texts, rows)
        faults += [*of_text, *graph_faults(rows, self.universal)]
        name = names[0] if len(names) == 1 else None
        return faults, Outline(name, any(breaks.values()), is_open, graph_outline(rows))

    def _character_faults(self, comments, rows):
        fields = [(0, "a comment", comment) for comment in comments]
        fields += [(word_of(row), name, field) for row in rows for name, field in zip(COLUMNS, row, strict=False)]
        for word, name, text in fields:
            if text.isascii():
                continue
            if composed(text) != text:
                message = f"{name} has letters and accents apart (it is not in Unicode's NFC); compose them"
                yield Fault(word, "characters", message, test="unicode-normalization")
            if "\ufffd" in text:
                message = f"{name} has a character that could not be read (U+FFFD); mend it"
                yield Fault(word, "characters", message, test="invalid-utf")

    def _row_faults(self, row):
        word, is_range, is_empty = word_of(row), "-" in row[ID], "." in row[ID]
        yield from blank_faults(word, row, is_range)
        yield from _misc_faults(word, row[MISC])
        if is_range:
            for column in range(LEMMA, MISC):
                if row[column] != "_" and (column, row[column]) != (FEATS, "Typo=Yes"):
                    message = f"the range {row[ID]} has {row[column]} in {COLUMNS[column]}; write _ and tell its words"
                    yield Fault(word, "range of words", message, test="mwt-nonempty-field")
        elif is_empty:
            for column in (HEAD, DEPREL):
                if row[column] != "_":
                    message = f"the empty node {row[ID]} has {row[column]} in {COLUMNS[column]}; write _"
                    yield Fault(word, "empty node", message, test="empty-node-nonempty-field")
            if self.universal:
                yield from _empty_node_faults(word, row)

    def _id_faults(self, comments, names):
        odd = [line for line in comments if line.startswith(("# sent_id", "#sent_id")) and not SENT_ID.fullmatch(line)]
        for comment in odd:
            message = f"{bidi_isolate(comment)} is no sent_id; write # sent_id = NAME, without blanks in the name"
            yield Fault(0, "sent_id", message, test="invalid-sent-id")
        if not names and "sent_id" not in self.absent:
            yield Fault(0, "sent_id", "has no # sent_id, as other sentences have; name it", test="missing-sent-id")
        elif len(names) > 1:
            yield Fault(0, "sent_id", f"has {len(names)} lines of # sent_id; keep one", test="multiple-sent-id")
        elif names and names[0].count("/") > 1:
            message = f"its sent_id {bidi_isolate(names[0])} has several slashes; use none"
            yield Fault(0, "sent_id", message, test="slash-in-sent-id")

    def _text_faults(self, texts, rows):
        """(faults, whether the last token is open or None): compares the text with the words and their blanks."""
        if not texts and "text" not in self.absent:
            return [Fault(0, "text", "has no # text, as other sentences have; write it", test="missing-text")], None
        if len(texts) > 1:
            return [Fault(0, "text", f"has {len(texts)} lines of # text; keep one", test="multiple-text")], None
        if not texts:
            return [], None
        text, faults = texts[0], []
        if not text:
            faults.append(Fault(0, "text", "its # text is empty; write it", test="empty-text"))
        elif text[-1].isspace():
            faults.append(Fault(0, "text", "its # text ends with a blank; remove it", test="text-trailing-whitespace"))
        of_words, is_open = _compare(text, rows)
        return faults + of_words, is_open


def _compare(text, rows):
    """(faults, whether the last token found is open or None): goes through the text along the words."""
    faults, covered, differs, position, is_open = [], 0, False, 0, None
    for row in rows:
        word, misc = word_of(row), row[MISC]
        faults += _space_faults(word, row, covered)
        first, _, last = row[ID].partition("-")
        if "." in first or (not last and int(first) <= covered):
            continue
        covered = int(last or first)
        form, rest = bidi_isolate(row[FORM]), text[position : position + len(row[FORM]) + 20]
        if not text.startswith(row[FORM], position):
            if not differs:
                message = f"the text goes on {bidi_isolate(rest)!r} where the words have {form}; mend one of them"
                faults.append(Fault(word, "text", message, test="text-form-mismatch"))
            differs = True
            continue
        position += len(row[FORM])
        is_open = "SpaceAfter=No" in misc.split("|")
        if not is_open:
            if position < len(text) and not text[position].isspace():
                message = f"no blank follows {form} in the text; write SpaceAfter=No in MISC"
                faults.append(Fault(word, "text", message, test="missing-spaceafter"))
            while position < len(text) and text[position].isspace():
                position += 1
    if position < len(text):
        message = f"no words are left for the end of the text, {bidi_isolate(text[position:])!r}; mend one of them"
        faults.append(Fault(0, "text", message, test="text-extra-chars"))
    return faults, is_open


def word_of(row: Sequence[str]) -> int:
    """The word for faults of a row: the first of a range, the one before an empty node."""
    return max(int(row[ID].partition(".")[0].partition("-")[0]), 1)


def _place_faults(lines):
    """A comment behind the first word."""
    first = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
    if late := [line for line in lines[first:] if line.startswith("#")]:
        message = f"{bidi_isolate(late[0])} stands behind the first word; put comments before it"
        yield Fault(0, "comments", message, test="misplaced-comment")


def blank_faults(word: int, row: Sequence[str], is_range: bool) -> Iterator[Fault]:
    """Faults of blanks in the fields of a row, and of empty fields."""
    for column, (name, field) in enumerate(zip(COLUMNS, row, strict=True)):
        if not field:
            yield Fault(word, "blanks", f"{name} is empty; write _", test="empty-column")
        elif field.isalnum():
            continue
        elif column not in SPACED or (is_range and column != MISC):
            if regex.search(r"\s", field):
                test = "invalid-whitespace-mwt" if column in SPACED else "invalid-whitespace"
                yield Fault(word, "blanks", f"{name} has a blank in {field!r}; remove it", test=test)
        else:
            if field[0].isspace():
                yield Fault(word, "blanks", f"{name} begins with a blank, {field!r}", test="leading-whitespace")
            if field[-1].isspace():
                yield Fault(word, "blanks", f"{name} ends with a blank, {field!r}", test="trailing-whitespace")
            if regex.search(r"\s\s", field):
                yield Fault(word, "blanks", f"{name} has two blanks in a row, {field!r}", test="repeated-whitespace")


def _misc_faults(word, misc):
    if misc in ("_", ""):
        return
    names = [pair.partition("=")[0] for pair in misc.split("|")]
    for name in ONCE:
        if names.count(name) > 1:
            yield Fault(word, "MISC", f"MISC names {name} twice; keep one", test="repeated-misc")


def _space_faults(word, row, covered):
    """Faults in the value and position of SpaceAfter."""
    misc = row[MISC]
    if "Space" not in misc:
        return
    if "NoSpaceAfter=Yes" in misc:
        yield Fault(word, "MISC", "NoSpaceAfter=Yes is written SpaceAfter=No", test="nospaceafter-yes")
    if any(pair.startswith("SpaceAfter=") and pair != "SpaceAfter=No" for pair in misc.split("|")):
        message = "SpaceAfter is No or left out; what the blanks are is in SpacesAfter"
        yield Fault(word, "MISC", message, test="spaceafter-value")
    if "SpaceAfter=No" in misc:
        if "." in row[ID]:
            message = f"the empty node {row[ID]} is not written, so remove its SpaceAfter=No"
            yield Fault(word, "empty node", message, test="spaceafter-empty-node")
        elif "-" not in row[ID] and int(row[ID]) <= covered:
            message = "is part of a range of words, whose line says what follows; remove its SpaceAfter=No"
            yield Fault(word, "range of words", message, test="spaceafter-mwt-node")


def _empty_node_faults(word, row):
    if row[TAG] not in ("_", *UPOS):
        yield Fault(word, "UPOS", f"{row[TAG]}, of the empty node {row[ID]}, is no universal tag", test="unknown-upos")
    fault = feature_fault(word, row[FEATS]) if row[FEATS] not in ("_", "") else None
    if fault:
        yield fault
