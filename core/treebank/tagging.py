"""Tags for text that has none: what a linguist knows about words, as lines of text.

A lexicon is plain text, one line an entry::

    the DET                 a form and its tags; the first is the default
    that SCONJ PRON DET
    -ly ADV                 a suffix rule: words of at least two more letters that end so; the longest rule wins
    @number CD              the tag of words by shape: @number, @punctuation, @symbol. @other is for all the rest.
    @capital PROPN          words with a capital letter, unless they only stand at the start of sentences.
    "#" SYM                 quotes around a form that would mean something else, or holds a space
    # a comment             at the start of a line or after a space

A word is looked up as it is, then in any case ("The" as "the", "PARIS" as "Paris"). Else its shape tells its tag, then
its capital letter, then its suffix. Everything works on types, not on tokens.
"""

import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from core.errors import FormatError, WorkbenchError
from core.files.assets import ASSETS
from core.languages import language_name
from core.treebank.retag import interned, with_column
from core.treebank.source import load_bytes
from core.treebank.tag_shares import without_tag_shares
from core.treebank.treebank import Treebank

FOLDER = ASSETS / "closed-classes"
UNKNOWN = "X"  # the tag of a word of which nothing is known
OTHER = "@other"  # every word that nothing else has a tag for
CAPITAL = "@capital"  # no rule about it unless one is written
SHAPES = {"@number": "NUM", "@punctuation": "PUNCT", "@symbol": "SYM", CAPITAL: "", OTHER: UNKNOWN}
NUMBER = re.compile(r"[+\-−]?[.,]?\d+(?:[.,:/\-–]\d+)*[.%]?")
SYMBOLS = frozenset("%#@*§†°")  # punctuation to Unicode, symbols to a grammarian
FIELD = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))')
STEM = 2  # letters before a suffix at the least
PLAIN_TAG = re.compile(r'[^\s"#]\S*')
PLAIN_FORM = re.compile(r'[^\s"#@-]\S*|-+')  # a form that needs no quotes


@dataclass(frozen=True)
class Lexicon:
    """Words, suffixes and shapes with their tags; made by ``parse_lexicon``, never changes.

    Attributes
    ----------
    entries : dict of str to tuple of str
        Tags of each form, the default first.
    suffixes : dict of str to tuple of str
    shapes : dict of str to str
        Tags of ``SHAPES``.
    """

    entries: dict = field(default_factory=dict)
    suffixes: dict = field(default_factory=dict)
    shapes: dict = field(default_factory=lambda: dict(SHAPES))

    @cached_property
    def _folded(self):
        folded = {}
        for form in sorted(self.entries, key=lambda form: form != form.lower()):  # lower-case entries first
            folded.setdefault(form.lower(), self.entries[form])
        return folded

    def tags(self, form: str, inner: bool = True) -> tuple[str, ...]:
        """The tags of a word, the default first; empty if nothing is known of it.

        ``inner``: whether it stands anywhere else than at the start of a sentence, where each word has a capital.
        """
        shape = shape_of(form)
        return self._entry(form) or ((self.shapes[shape],) if shape else self._by_rule(form, inner))

    def named(self, form: str, inner: bool = True) -> tuple[str, ...]:
        """The tags of a word that an entry, or a rule about capitals or suffixes, gives; whatever its shape."""
        return self._entry(form) or (() if shape_of(form) else self._by_rule(form, inner))

    def _entry(self, form):
        return self.entries.get(form) or self._folded.get(form.lower()) or ()

    def goes_by_capital(self, form: str) -> bool:
        """Whether the rule about capitals tags a word that stands within a sentence."""
        begins_so = bool(self.shapes[CAPITAL]) and form[:1] != form[:1].lower()
        return begins_so and not self._entry(form) and shape_of(form) is None

    def _by_rule(self, form, inner):
        if inner and self.goes_by_capital(form):
            return (self.shapes[CAPITAL],)
        form = form.lower()
        endings = (form[start:] for start in range(STEM, len(form)))  # the longest one first
        return next((tags for ending in endings if (tags := self.suffixes.get(ending))), ())

    def with_entry(self, form: str, *tags: str) -> "Lexicon":
        """A lexicon where ``form`` has these tags; none removes it."""
        if not form.strip() or any("\n" in text or not text.strip() for text in (form, *tags)):
            raise WorkbenchError(f"{form!r} with the tags {tags} is no entry; give a word and tags of one line each")
        entries = {**self.entries, form: tags}
        if not tags:
            del entries[form]
        return Lexicon(entries, self.suffixes, self.shapes)

    def over(self, other: "Lexicon") -> "Lexicon":
        """A lexicon that asks ``other``, such as a closed-class list, where this one has no such form or suffix."""
        shapes = {shape: other.shapes[shape] if tag == SHAPES[shape] else tag for shape, tag in self.shapes.items()}
        return Lexicon({**other.entries, **self.entries}, {**other.suffixes, **self.suffixes}, shapes)


@dataclass(frozen=True)
class UntaggedType:
    """A word that the lexicon does not know, in its most frequent spelling.

    ``count`` is of all spellings that differ in case only; ``coverage`` the share of tokens with a tag once this
    word and all more frequent ones have one.
    """

    form: str
    count: int
    coverage: float


@dataclass(frozen=True)
class TagCoverage:
    """The number of tokens and types (spellings) that have a tag, and of all."""

    tagged_tokens: int
    tokens: int
    tagged_types: int
    types: int

    @property
    def share(self) -> float:
        """The share of tokens with a tag; 1 if there are no tokens."""
        return self.tagged_tokens / self.tokens if self.tokens else 1.0


def parse_lexicon(text: str, path: str | None = None) -> Lexicon:
    """Read a lexicon.

    Parameters
    ----------
    text : str
        Lines as the top of this module shows; lines for the same form add up, in order.
    path : str, optional
        For messages.

    Raises
    ------
    FormatError : a form without a tag, quotes left open, a shape nobody knows; with line.
    """
    entries, suffixes, shapes = {}, {}, dict(SHAPES)
    for number, line in enumerate(text.split("\n"), start=1):
        fields = _fields(line, path, number)
        if not fields:
            continue
        (form, quoted), tags = fields[0], [tag for tag, _ in fields[1:]]
        if not tags:
            raise FormatError(f"{form!r} has no tag; write it after the word: {form} NOUN", path=path, line=number)
        if not quoted and form.startswith("@") and len(form) > 1:
            if form not in SHAPES or len(tags) > 1:
                known = ", ".join(SHAPES)
                message = f"{line.strip()!r} is no shape with one tag; shapes are {known}; quote a form that begins so"
                raise FormatError(message, path=path, line=number)
            shapes[form] = tags[0]
            continue
        is_suffix = not quoted and form.startswith("-") and form.strip("-")
        table, key = (suffixes, form[1:].lower()) if is_suffix else (entries, form)
        table.setdefault(key, {}).update(dict.fromkeys(tags))  # each once, in order
    entries, suffixes = ({key: tuple(tags) for key, tags in table.items()} for table in (entries, suffixes))
    return Lexicon(entries, suffixes, shapes)


def _fields(line, path, number):
    """[(text, whether quoted)] of a line, comments left out."""
    fields, position = [], 0
    while match := FIELD.match(line, position):
        quoted, plain = match.groups()
        if plain is not None and plain.startswith("#"):
            break
        if plain is not None and plain.startswith('"'):
            raise FormatError('the quotes are not closed; write "form" TAG', path=path, line=number)
        text = plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        if not text:
            raise FormatError("there is nothing between the quotes; write the word", path=path, line=number)
        fields.append((text, quoted is not None))
        position = match.end()
    return fields


def repeated_entries(text: str) -> list[tuple[int, int, str, tuple[str, ...]]]:
    """The lines of a lexicon that give other tags to a word or ending of an earlier line, whose first tag is used.

    Returns (number of the line, of the earlier one, what both begin with, the tags of the earlier one) in order. Lines
    that cannot be read are passed over. O(lines).
    """
    first, repeated = {}, []
    for number, line in enumerate(text.split("\n"), start=1):
        with suppress(FormatError):
            lexicon = parse_lexicon(line)
            endings = {f"-{ending}": tags for ending, tags in lexicon.suffixes.items()}
            for name, tags in (lexicon.entries | endings).items():
                earlier, known = first.setdefault(name, (number, tags))
                if tags[0] != known[0]:
                    repeated.append((number, earlier, name, known))
    return repeated


def format_lexicon(lexicon: Lexicon) -> str:
    """The lexicon as text that ``parse_lexicon`` reads back to an equal one."""
    lines = [f"{shape} {_joined([tag])}" for shape, tag in lexicon.shapes.items() if tag != SHAPES[shape]]
    lines += [f"-{suffix} {_joined(tags)}" for suffix, tags in lexicon.suffixes.items()]
    lines += [f"{quoted_form(form)} {_joined(tags)}" for form, tags in lexicon.entries.items()]
    return "".join(f"{line}\n" for line in lines)


def quoted_form(form: str) -> str:
    """A form as a line of a lexicon begins, in quotes where it would mean something else."""
    return _quoted(form, PLAIN_FORM)


def _joined(tags):
    return " ".join(_quoted(tag, PLAIN_TAG) for tag in tags)


def _quoted(text, plain):
    return text if plain.fullmatch(text) else '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def read_lexicon(source: str | Path | bytes, encoding: str = "utf-8") -> Lexicon:
    """Read a lexicon from a path or bytes; errors as in ``parse_lexicon``, and for files that cannot be read."""
    data, _, path = load_bytes(source)
    try:
        return parse_lexicon(data.decode("utf-8-sig" if encoding == "utf-8" else encoding), path)
    except (UnicodeDecodeError, LookupError) as error:
        raise FormatError(f"this is not {encoding} text ({error}); say which encoding it has", path=path) from None


def load_closed_classes(name: str = "english") -> Lexicon:
    """A list that comes with the workbench: "english", "english-suffixes". Raises WorkbenchError for others."""
    known = _closed_classes()
    if name not in known:
        raise WorkbenchError(f"there is no closed-class list {name!r}; choose one of {', '.join(known)}")
    return read_lexicon(FOLDER / f"{name}.txt")


def lists_of_language(language: str) -> list[str]:
    """Names of the lists that come along for a language, by its code; its closed classes first. Most have none."""
    language = language_name(language).casefold()
    return [name for name in _closed_classes() if name.partition("-")[0] == language]


def _closed_classes():
    return sorted(file.stem for file in FOLDER.glob("*.txt"))


def shape_of(form: str) -> str | None:
    """The shape of ``SHAPES`` that a word has; None for one that holds a letter."""
    if NUMBER.fullmatch(form):
        return "@number"
    if any(character.isalnum() for character in form):
        return None
    is_symbol = all(character in SYMBOLS or unicodedata.category(character)[0] == "S" for character in form)
    return "@symbol" if is_symbol and "`" not in form else "@punctuation"


def untagged_types(treebank: Treebank, lexicon: Lexicon, limit: int | None = None) -> list[UntaggedType]:
    """The words to tag next: those that the lexicon has no tag for, most frequent first.

    Parameters
    ----------
    treebank : Treebank
    lexicon : Lexicon
    limit : int, optional
        How many to return; all by default.

    Returns
    -------
    list of UntaggedType
        Ties in alphabetical order.

    Notes
    -----
    O(tokens) in numpy, O(types log types) in Python.
    """
    counts, known = _counts(treebank), _known(treebank, lexicon)
    spellings = {}
    for index in np.flatnonzero((counts > 0) & ~known).tolist():
        form = treebank.form.values[index]
        spellings.setdefault(form.lower(), []).append((-int(counts[index]), form))
    types = sorted((sum(count for count, _ in counted), lower, min(counted)[1]) for lower, counted in spellings.items())
    tokens, reached = int(counts.sum()), int(counts[known].sum())
    untagged = []
    for count, _, form in types[:limit]:
        reached -= count
        untagged.append(UntaggedType(form, -count, reached / tokens))
    return untagged


def coverage(treebank: Treebank, lexicon: Lexicon) -> TagCoverage:
    """The ``TagCoverage`` of a treebank's words by a lexicon."""
    counts, known = _counts(treebank), _known(treebank, lexicon)
    present = counts > 0
    tagged = int(counts[known].sum())
    return TagCoverage(tagged, int(counts.sum()), int((known & present).sum()), int(present.sum()))


def apply_lexicon(treebank: Treebank, lexicon: Lexicon, column: str = "upos", overwrite: bool = False) -> Treebank:
    """The treebank with tags from a lexicon.

    Parameters
    ----------
    treebank : Treebank
    lexicon : Lexicon
    column : str
        "upos" or "xpos".
    overwrite : bool
        Replace tags that are there already; by default they stay.

    Returns
    -------
    Treebank
        Every word has a tag: the default one of its form, or the tag of ``@other`` (``X``).

    Raises
    ------
    WorkbenchError : another column, or a tag that cannot be written in the treebank's format or encoding.
    """
    if column not in ("upos", "xpos"):
        raise WorkbenchError(f"tags go into upos or xpos, got {column!r}")
    old = getattr(treebank, column)
    by_form = [lexicon.tags(form, inner) for form, inner in _values(treebank)]
    tags = ["", *((tags or (lexicon.shapes[OTHER],))[0] for tags in by_form[1:])]
    ids = treebank.form.ids.astype(np.int64)
    if not overwrite:
        ids = np.where(old.ids == 0, ids, old.ids + len(tags))
        tags += old.values
    return with_column(treebank, column, interned(ids, tags))


def correct_tags(treebank: Treebank, lexicon: Lexicon, column: str = "upos") -> Treebank:
    """The treebank with the default tags of the words that an entry or a suffix rule names; all others keep theirs.

    How probable the former tags were (``TagProb`` in MISC) goes with them.

    Raises WorkbenchError as ``apply_lexicon``.
    """
    old = getattr(treebank, column)
    named = [lexicon.named(form, inner) if form else () for form, inner in _values(treebank)]
    tags = [tags[0] if tags else "" for tags in named]
    is_named = np.array([bool(tags) for tags in named])
    ids = np.where(is_named[treebank.form.ids], treebank.form.ids.astype(np.int64), old.ids + len(tags))
    corrected = with_column(treebank, column, interned(ids, [*tags, *old.values]))
    changed = getattr(corrected, column).strings() != old.strings()
    return without_tag_shares(corrected, np.flatnonzero(changed).tolist()) if column == "upos" else corrected


def capital_rows(treebank: Treebank, lexicon: Lexicon) -> np.ndarray:
    """bool (rows,): words that the rule about capitals tags."""
    ruled = [inner and lexicon.goes_by_capital(form) for form, inner in _values(treebank)]
    return np.array(ruled, bool)[treebank.form.ids]


def _counts(treebank):
    """The frequency of each value of the form column; 0 for the root's."""
    counts = np.bincount(treebank.form.ids, minlength=len(treebank.form.values))
    counts[0] = 0
    return counts


def _known(treebank, lexicon):
    """bool per value of the form column: whether the lexicon has a tag for it."""
    known = [bool(form) and bool(lexicon.tags(form, inner)) for form, inner in _values(treebank)]
    return np.array(known, bool)


def _values(treebank):
    """(value of the form column, whether it stands anywhere else than at the start of a sentence) of each."""
    later = treebank.is_word.copy()
    later[treebank.offsets[:-1][treebank.lengths > 0] + 1] = False
    inner = np.zeros(len(treebank.form.values), bool)
    inner[treebank.form.ids[later]] = True
    return zip(treebank.form.values, inner.tolist(), strict=True)
