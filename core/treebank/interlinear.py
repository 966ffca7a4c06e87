r"""Interlinear text of field linguists: Toolbox (standard format markers); FLEx is in ``flextext``, ELAN in ``elan``.

A word keeps its part of speech as XPOS. Its morphemes and their glosses stand in MISC as ``MSeg`` and ``Gloss``, joined
by the hyphens they are written with. A sentence keeps its free translations as comments ``text_en``, or ``text_`` and
the language that the file names, and Toolbox's other lines as comments under their markers. Neither format has trees.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from types import MappingProxyType

from core.errors import FormatError, quoted
from core.treebank.tagged import composed_treebank, load_text
from core.treebank.treebank import Treebank

# Names of the same line in the two layouts that Toolbox sets up, and their usual variants.
MARKERS = {
    "text": ("tx", "t", "txt"),
    "morphemes": ("mb", "m", "mr", "mor"),
    "gloss": ("ge", "g", "gl", "gn", "gls"),
    "tag": ("ps", "p", "pos"),
    "translation": ("ft", "f", "fte", "fe", "fn", "ftn", "fr", "ftr", "trs"),
    "document": ("id",),
    "name": ("ref",),
    "note": ("nt", "cmt"),
}
MEANINGS = {marker: meaning for meaning, markers in MARKERS.items() for marker in markers}
MARKED = re.compile(r"\\([\w-]+)(?:@\S*)?(?:\s(.*))?")  # ELAN writes the speaker behind the marker: tx@Ana
RESERVED = ("text", "sent_id", "newpar", "newdoc", "lang")  # comments of CoNLL-U
SHOWN = 6  # markers of a file that are named where none is known
TOKEN = re.compile(r"\S+")
LANGUAGES = MappingProxyType({"n": "national", "r": "regional"})  # last letter of a marker of a translation
AFFIX = "-="
BOUNDARY = re.compile(r"[-=]")
AFFIXAL = re.compile(  # names of the tags of what is no stem
    r"(?:sfx|suff?|suffix|pfx|pref?|prefix|ifx|infix|aff?|affix|cl|clit|clitic|encl?|enclitic|procl?|proclitic|infl|"
    r"deriv?|.*:.*)\.?",
    re.IGNORECASE,
)
MARK = "PUNCT"  # the tag of punctuation, which these formats do not tag
OPENING, CLOSING = '([{"“«¿¡', '.,;:!?…)]}"”»'
TURNS = {'"': '"', "'": "'", "“": "„“", "”": "“„”", "„": "", "‘": "‚", "’": "‘‚", "‚": ""}  # marks that each may close
NO_SPACE = "SpaceAfter=No"
EMPTY: Mapping = MappingProxyType({})


def read_toolbox(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    r"""Read Toolbox text: records of lines ``\ref \tx \mb \ge \ps \ft``, or ``\ref \t \m \g \p \f``.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.

    Returns
    -------
    Treebank
        Without trees. Punctuation written onto a word is a word of its own.

    Raises
    ------
    FormatError : the file cannot be read, a line stands before any marker, or there is no ``\tx`` or ``\t`` line.

    Notes
    -----
    A record's interlinear lines may be wrapped into several blocks. Morphemes belong to words by the hyphens they are
    joined with where that comes out even, else by the column they stand in. O(bytes).
    """
    text, name, path = load_text(source, encoding, name)
    sentences, wordless, crooked, document = [], [], [], []
    for record in _records(text, path):
        words = [word for block in record["blocks"] for word in _toolbox_words(block)]
        label, document = " ".join(record["name"]), record["document"] or document
        if words:
            about = _translations(record) | {"note": " ".join(record["note"])} | _others(record)
            rows = [row for word in words for row in word_rows(*word)]
            sentence = interlinear_sentence(rows, label, about)
            sentence["comments"] = [*(f"newdoc id = {' '.join(document)}" for _ in document[:1]), *sentence["comments"]]
            sentences.append(sentence)
            crooked += [label or sentence["comments"][0]] if not all(map(_is_aligned, record["blocks"])) else []
            document = []
        elif label or record["translations"]:
            wordless.append(label or record["translations"][0][1])
    if not sentences:
        raise FormatError(f"there is no line \\tx or \\t with words{_markers_of(text)}", path=path)
    return composed_treebank(sentences, name, notes=_notes(wordless, crooked))


def _markers_of(text):
    """What to do about a file without words of which the markers are known."""
    found = dict.fromkeys(match[0] for match in re.finditer(r"^\\[^\W_][\w-]*", text, re.MULTILINE))
    if r"\lx" in found:
        return "; this is a dictionary, so choose interlinear text"
    names = ", ".join(list(found)[:SHOWN])
    return f"; the file has {names}: write \\tx for the marker of the text, \\mb, \\ge and \\ps for those below it"


def _notes(wordless, crooked):
    """What is said of records without words, and of lines that do not stand under the words they belong to."""
    several = "s" * (len(wordless) != 1)
    notes = [f"left out: {len(wordless):,} record{several} without words (first: {wordless[0]})"] if wordless else []
    if crooked:
        many = f"{len(crooked):,} sentences" if len(crooked) > 1 else "1 sentence"
        notes.append(
            f"in {many} morphemes, glosses or tags do not begin below a word, so that it is not sure to which they "
            f"belong: align them, or check MSeg and Gloss (first: {quoted(crooked[0])})"
        )
    return notes


def _others(record):
    """The comments of lines of other markers; one that means something else in CoNLL-U is written with "marker_"."""
    named = ((f"marker_{marker}" if marker in RESERVED else marker, words) for marker, words in record["others"])
    return {marker: " ".join(words) for marker, words in named}


def _translations(record):
    """The comments of the translations of a record: into English, a national and a regional language, and further ones.

    A marker that comes again begins another translation.
    """
    comments: dict[str, str] = {}
    for marker, words in record["translations"]:
        name = f"text_{LANGUAGES.get(marker[-1], 'en')}"
        while name in comments:
            name = f"text_{len(comments) + 1}"
        comments[name] = " ".join(words)
    return comments


def _records(text, path):
    """One dict a record: its interlinear ``blocks`` (each a dict of lines), name, translations, note and others.

    In a file without names of records a blank line ends one that has its translation, or is in a file without them.
    """
    record, meanings = None, {MEANINGS.get(match[1]) for match in map(MARKED.match, text.split("\n")) if match}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            if record and "name" not in meanings and _is_whole(record, meanings):
                yield record
                record = None
            continue
        marked = MARKED.fullmatch(line.rstrip())
        if marked is None:
            if record is None:
                raise FormatError(
                    f"{line.strip()[:40]!r} stands before any marker such as \\ref", path=path, line=number
                )
            _wrap(record, line.strip())
            continue
        meaning, value = MEANINGS.get(marked[1]), marked[2] or ""
        if record is None or _begins(meaning, record):
            if record is not None:
                yield record
            record = {"blocks": [], "last": [], "name": [], "translations": [], "note": []}
            record |= {"document": [], "others": []}
        _take(record, marked[1], value)
    if record is not None:
        yield record


def _begins(meaning, record):
    """Whether a line begins a record: with a name, or with the text where one has its text and a translation."""
    is_full = record["blocks"] and record["translations"]
    return meaning in ("name", "document") or (meaning == "text" and is_full)


def _is_whole(record, meanings):
    """Whether a record has all that records of the file have, which has lines of these meanings."""
    return bool(record["blocks"]) and ("translation" not in meanings or bool(record["translations"]))


def _wrap(record, rest):
    """Add the rest of a line that was wrapped."""
    last = record["last"]
    if isinstance(last, str):
        record["blocks"][-1][last] += f" {rest}"
    else:
        last += rest.split()


def _take(record, marker, value):
    """Put a line into a record, in which ``last`` is then the list of its words, or what an interlinear line is."""
    meaning, words = MEANINGS.get(marker), value.split()
    record["last"] = words
    if meaning == "text" or (meaning in ("morphemes", "gloss", "tag") and not record["blocks"]):
        record["blocks"].append({})
    if meaning in ("text", "morphemes", "gloss", "tag"):
        record["blocks"][-1][meaning], record["last"] = value, meaning
    elif meaning == "translation":
        record["translations"].append((marker, words))
    elif meaning is not None:
        record[meaning] += words
        record["last"] = record[meaning]
    elif words and not marker.startswith("_"):  # those are settings of Toolbox
        record["others"].append((marker, words))


def _toolbox_words(block):
    """(form, segments, glosses, tag) of each word and mark of one block of aligned lines; most marks stand alone."""
    tokens = [(match.start(), match.group()) for match in TOKEN.finditer(block.get("text", ""))]
    aligned = zip(*(_under(tokens, block, meaning) for meaning in ("morphemes", "gloss", "tag")), strict=True)
    for (_, form), (segments, glosses, tags) in zip(tokens, aligned, strict=True):
        stems = [tag for tag in tags if not is_affix(tag)]
        tag = (stems or tags or [""])[0].strip(AFFIX)
        if is_word(form):
            yield form, joined_morphemes(segments), joined_morphemes(glosses), _stem_tag(tag, segments)
        else:  # a pause may have a gloss and a tag; other marks are repeated at most
            glossed = [gloss for gloss in glosses if is_word(gloss)]
            yield form, "", joined_morphemes(glossed), tag if is_word(tag) else ""


def _stem_tag(tag, segments):
    """The tag of the stem where morphemes are written without blanks, ``n-sfx=clit`` under ``house-PL=there``."""
    tags = BOUNDARY.split(tag)
    if len(segments) != 1 or len(tags) == 1 or len(tags) != len(BOUNDARY.split(segments[0].strip(AFFIX))):
        return tag
    return next((part for part in tags if not AFFIXAL.fullmatch(part)), tags[0])


def _under(tokens, block, meaning):
    """The tokens of a line that stand under each word or mark of the text, which are (place, form)."""
    line = block.get(meaning, "")
    groups = _joined_by_hyphens(line)
    words = [number for number, (_, form) in enumerate(tokens) if is_word(form)]
    for owners in (words, range(len(tokens))):
        if len(owners) == len(groups):
            shares = dict(zip(owners, groups, strict=True))
            return [shares.get(number, []) for number in range(len(tokens))]
    return _by_columns(tokens, block.get("text", ""), line)


def _joined_by_hyphens(line):
    """The tokens of a line, those together that hyphens join."""
    groups: list[list[str]] = []
    for token in TOKEN.findall(line):
        before = groups[-1][-1] if groups else ""
        if (token[0] in AFFIX or before[-1:] in AFFIX) and token.strip(AFFIX) and before.strip(AFFIX):
            groups[-1].append(token)
        else:
            groups.append([token])
    return groups


def _by_columns(tokens, text, line):
    """The tokens of a line under the words and marks of the text in whose columns they stand."""
    shares: list[list[str]] = [[] for _ in tokens]
    below = list(TOKEN.finditer(line)) if tokens else []
    places = [match.start() for match in below]
    counted = [
        (_columns(text, [start for start, _ in tokens], in_bytes), _columns(line, places, in_bytes))
        for in_bytes in (True, False)  # Toolbox counts bytes, and editors signs: what more columns agree with
    ]
    edges, columns = max(counted, key=lambda both: len({*both[0]} & {*both[1]}))
    for match, column in zip(below, columns, strict=True):
        shares[max(bisect_right(edges, column) - 1, 0)].append(match.group())
    return shares


def _is_aligned(block):
    """Whether each line below the text has as many words, or begins below each word that it has something for."""
    tokens = [(match.start(), match.group()) for match in TOKEN.finditer(block.get("text", ""))]
    counts = {len(tokens), sum(is_word(form) for _, form in tokens)}
    for meaning in ("morphemes", "gloss", "tag"):
        line = block.get(meaning, "")
        if len(_joined_by_hyphens(line)) in counts:
            continue
        places = [match.start() for match in TOKEN.finditer(line)]
        starts = [start for start, _ in tokens]
        if not any(_stand_below(block, line, starts, places, in_bytes) for in_bytes in (True, False)):
            return False
    return True


def _stand_below(block, line, starts, places, in_bytes):
    edges, columns = _columns(block.get("text", ""), starts, in_bytes), _columns(line, places, in_bytes)
    firsts = {bisect_right(edges, column) - 1: column for column in reversed(columns)}
    return all(place >= 0 and edges[place] == column for place, column in firsts.items())


def _columns(line, places, in_bytes):
    """The columns of ascending places of a line. O(characters)."""
    if not in_bytes:
        return places
    return list(accumulate(len(line[begin:end].encode()) for begin, end in pairwise([0, *places])))


def is_word(form: str) -> bool:
    """Whether a form has a letter or digit."""
    return any(sign.isalnum() for sign in form)


def is_affix(token: str) -> bool:
    """Whether a morpheme is written with a hyphen at one of its ends."""
    return token[0] in AFFIX or token[-1] in AFFIX


def joined_morphemes(tokens: Iterable[str]) -> str:
    """Morphemes as one text: ``dog -s`` is ``dog-s``; a hyphen between two that have none."""
    joined = ""
    for token in tokens:
        needs = joined and joined[-1] not in AFFIX and token[0] not in AFFIX
        joined += ("-" if needs else "") + token
    return joined


def interlinear_sentence(rows: Iterable[tuple[str, str, list]], label: str, about: Mapping[str, str]) -> dict:
    """A sentence as ``compose`` takes it, of what ``_rows`` makes of words."""
    text = "".join(form + ("" if NO_SPACE in misc else " ") for form, _, misc in rows).strip()
    comments = [f"text = {text}", *(f"{key} = {value}" for key, value in about.items() if value)]
    sentence = {
        "forms": [form for form, _, _ in rows],
        "xpos": [tag or None for _, tag, _ in rows],
        "misc": ["|".join(misc) for _, _, misc in rows],
        "comments": comments,
    }
    return sentence | ({"sent_id": re.sub(r"\s+", "-", label)} if label else {})


def word_rows(
    form: str, segments: str, glosses: str, tag: str, others: Mapping[str, str] = EMPTY
) -> list[tuple[str, str, list]]:
    """(form, tag, entries of MISC) of a word and of the marks written onto it."""
    before = form[: len(form) - len(form.lstrip(OPENING))]
    core = form[len(before) :].rstrip(CLOSING)
    after = form[len(before) + len(core) :]
    if not core:
        before, core, after = "", form, ""
    about = [("MSeg", segments), ("Gloss", glosses), *others.items()]
    about = [name + "=" + value.replace("|", "\\p") for name, value in about if value]  # a bar would end the value
    tag = tag.replace(" ", "_") or ("" if is_word(core) else MARK)
    rows = [*((mark, MARK, []) for mark in before), (core, tag, about), *((mark, MARK, []) for mark in after)]
    for _, _, misc in rows[:-1]:
        misc.append(NO_SPACE)
    return rows


def makes_trees(heads: Sequence[int | None]) -> bool:
    """Whether heads, 0 for a root and None for none, are words of the sentence and never lead in a circle. O(n)."""
    walk = [0] * (len(heads) + 1)  # by which walk from word to head each word was reached first
    for number in range(1, len(heads) + 1):
        at = number
        while at and not walk[at]:
            walk[at] = number
            at = heads[at - 1] or 0
            if at > len(heads):
                return False
        if at and walk[at] == number:
            return False
    return True


def spaced(rows: Sequence[tuple[str, str, list]], text: str) -> list[tuple[str, str, list]]:
    """The rows with ``SpaceAfter=No`` where the phrase's own text has no space, or where marks stand as usual."""
    forms = [form for form, _, _ in rows]
    if "".join(forms) == "".join(text.split()):
        position, joined = 0, []
        for form in forms:
            while text[position : position + 1].isspace():
                position += 1
            position = _end(text, position, form)
            joined.append(not text[position : position + 1].isspace())
    else:
        joined = list(_joined_by_marks(rows))
    placed = []
    for (form, tag, misc), is_joined in zip(rows, [*joined[:-1], False], strict=True):
        rest = [entry for entry in misc if entry != NO_SPACE]
        placed.append((form, tag, [*rest, NO_SPACE] if is_joined or NO_SPACE in misc else rest))
    return placed


def _end(text, position, form):
    """Where a form that stands at a place of a text ends, blanks in the text passed over."""
    for sign in form:
        while not sign.isspace() and text[position : position + 1].isspace():
            position += 1
        position += 1
    return position


def _joined_by_marks(rows):
    """Whether each row is joined to the next: after what opens, before what closes; quotation marks take turns."""
    opened, sides = set(), []
    for form, tag, _ in rows:
        side = "" if tag != MARK else "opens" if form[0] in OPENING else "closes" if form[0] in CLOSING else ""
        if tag == MARK and form[0] in TURNS:
            closed = opened & set(TURNS[form[0]])
            side = "closes" if closed else "opens"
            opened = opened - closed if closed else opened | {form[0]}
        sides.append(side)
    yield from (one == "opens" or two == "closes" for one, two in pairwise([*sides, ""]))
