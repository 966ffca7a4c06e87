r"""Vertical text of corpus tools (Sketch Engine, the Corpus Workbench, TreeTagger): one word a line, with its tag and
lemma behind it, and lines of structure such as ``<s>`` and ``<doc id="1">`` between. Some have trees: the number of the
word in its sentence, its head and relation, as the WaCky corpora, or the columns of a CoNLL format.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from core.errors import FormatError
from core.files.entities import unescape
from core.treebank.tagged import composed_treebank, load_text, with_universal_tags
from core.treebank.treebank import Treebank

TAG = re.compile(r"<(/?)([A-Za-z_][\w.:-]*)((?:\s[^<>]*)?)/?>")
LINE = re.compile(
    r"\s*+(?:</?[A-Za-z_][\w.:-]*+(?:\s[^<>]*+)?+/?>\s*+)++"
)  # nothing is given back, for there is no other way
REMARK = re.compile(r"\s*<!--(.*)-->\s*")
NAMED = re.compile(r"#vrt\s+positional-attributes:(.*)")  # the line that names the columns in Kielipankki's files
ENTITY = re.compile(r"&#?\w+;")
ATTRIBUTE = re.compile(r"""(?<![\w.:-])([\w.:-]++)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
SENTENCES, PARAGRAPHS, DOCUMENTS = ("s", "sent", "sentence"), ("p", "par", "paragraph"), ("doc", "text", "file")
STOPS, STOP_TAGS = (".", "!", "?", "…", "。", "！", "？", "।", "؟"), ("SENT", "$.", "Fs", "PON")  # used without <s>
ID, MOST_COLUMNS = re.compile(r"\d+(?:[-.]\d+)?"), 7  # with more, a file whose words have numbers is of CoNLL's
MEANINGS = {"word": "form", "form": "form", "lemma": "lemma", "pos": "xpos", "tag": "xpos", "msd": "feats"}


def read_vertical(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read vertical text: words with their tags and lemmas, one a line.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.

    Returns
    -------
    Treebank
        The first column is the word, behind its number where one counts the words. Of the next two, the one that is
        more often like the word is the lemma and the other the tag: UPOS if all tags are universal ones, else XPOS.
        Where a column counts words, one behind it of such numbers holds the heads, and the next the relations. Further
        columns stand in MISC as ``Column4=value``. ``<g/>`` takes the space away. The id of ``<s>`` names a sentence.

    Raises
    ------
    FormatError : a line with another number of columns than most, with its number; heads that are no tree; no word.

    Notes
    -----
    Sentences are what ``<s>`` holds, or else end at blank lines, at the end of a paragraph, or after a stop. Where the
    first column numbers the words, they begin at 1 instead. O(bytes).
    """
    text, name, path = load_text(source, encoding, name)
    reader = _Reader(path, has_sentences=re.search(r"^[^\S\n]*+<(?:s|sent|sentence)\b", text, re.MULTILINE) is not None)
    reader.is_numbered = is_numbered(text.split("\n"))
    for number, line in enumerate(text.split("\n"), start=1):
        reader.take(line, number)
    reader.end()
    if not reader.sentences:
        raise FormatError("there is no word between the lines of structure; choose another file", path=path)
    return composed_treebank(
        _composed(reader.sentences, reader.names, path), name, path=path,
        line_of=lambda sentence, word: reader.sentences[sentence - 1][0][word - 1][1],
    )  # fmt: skip


def is_numbered(lines: Sequence[str]) -> bool:
    """Whether the words of lines, those with a tab, have their numbers in the first column, from 1 in each sentence."""
    numbers = [line.partition("\t")[0].strip() for line in lines if "\t" in line and not LINE.fullmatch(line)]
    if len(numbers) < 2 or numbers[0] != "1" or not all(map(str.isdecimal, numbers)):
        return False
    return all(two in ("1", str(int(one) + 1)) for one, two in pairwise(numbers))


class _Reader:
    """Sentences as lists of (cells, line number, whether a space follows), and comments about them."""

    def __init__(self, path, has_sentences):
        self.path, self.has_sentences, self.is_numbered = path, has_sentences, False
        self.sentences, self.words, self.about, self.pending, self.names = [], [], [], [], None

    def take(self, line, number):
        """One line of the file."""
        remark = REMARK.fullmatch(line)
        if remark:
            named = NAMED.search(remark[1])
            self.names = named[1].split() if named else self.names
        elif LINE.fullmatch(line):
            for closes, tag, attributes in TAG.findall(line):
                self._structure(closes == "/", tag.lower(), attributes)
        elif not line.strip():
            self.end(unless_marked=True)
        else:
            cells = line.rstrip().split("\t") if "\t" in line else line.split()
            cells = [ENTITY.sub(lambda match: unescape(match[0]), cell.strip()) for cell in cells]
            if self.is_numbered and cells[0] == "1":
                self.end(unless_marked=True)
            self.words.append([cells, number, True])
            is_stop = cells[0] in STOPS or any(cell in STOP_TAGS for cell in cells[1:])
            if is_stop and not self.is_numbered:
                self.end(unless_marked=True)

    def _structure(self, closes, tag, attributes):
        if tag == "g":
            if self.words:
                self.words[-1][2] = False
        elif tag in SENTENCES + PARAGRAPHS + DOCUMENTS:
            self.end()
            if not closes:
                values = {key: double or single for key, double, single in ATTRIBUTE.findall(attributes)}
                self._comment(tag, unescape(values.get("id", "")))

    def _comment(self, tag, number):
        if tag in SENTENCES:
            self.about = [f"sent_id = {number}"] if number else []
        else:
            self.pending.append(("newpar" if tag in PARAGRAPHS else "newdoc") + (f" id = {number}" if number else ""))

    def end(self, unless_marked=False):
        """The end of a sentence, if it has a word; where ``<s>`` marks sentences, nothing else ends one."""
        if self.words and not (unless_marked and self.has_sentences):
            self.sentences.append((self.words, self.pending + self.about))
            self.words, self.about, self.pending = [], [], []


def _composed(sentences, names, path):
    """Dicts as ``compose`` takes them."""
    words = [word for words, _ in sentences for word in words]
    width = Counter(len(cells) for cells, _, _ in words).most_common(1)[0][0]
    for cells, number, _ in words:
        if len(cells) != width or not cells[0]:
            raise FormatError(
                f"{len(cells)} column{'s' * (len(cells) != 1)} where other words have {width}; is the line broken?",
                path=path,
                line=number,
            )
    ids = [cells[0] for cells, _, _ in words]
    if width > MOST_COLUMNS and all(map(ID.fullmatch, ids)) and not all(map(str.isdecimal, ids)):
        raise FormatError(
            "these are words of CoNLL-U between lines of structure such as <s>; put blank lines in place of those",
            path=path, line=words[0][1],
        )  # fmt: skip
    columns = _columns([cells for cells, _, _ in words], width, names)
    columns = _with_heads(columns, [[cells for cells, _, _ in words] for words, _ in sentences], width)
    return with_universal_tags([_sentence(words, about, columns) for words, about in sentences])


def _columns(rows, width, names):
    """Place -> what the column is; a str that is no column of CoNLL-U is a key of MISC."""
    if names and len(names) == width:
        return {column: MEANINGS.get(name) or name for column, name in enumerate(names)}
    meanings = {0: "form"} | {column: f"Column{column + 1}" for column in range(1, width)}
    if width == 2:
        meanings[1] = "xpos"
    elif width > 2:
        alike = [sum(row[column][:1].lower() == row[0][:1].lower() for row in rows) for column in (1, 2)]
        lemma = 1 if alike[0] > alike[1] else 2
        meanings |= {lemma: "lemma", 3 - lemma: "xpos"}
    return meanings


def _with_heads(columns, sentences, width):
    """The columns, where one counts the words: with heads and relations; words stand second where it is the first."""
    counts = next((place for place in range(width) if all(map(partial(_counts, place), sentences))), None)
    if counts is None or max(map(len, sentences)) < 2 or not {f"Column{width}"} & {*columns.values()}:
        return columns
    heads = next((place for place in range(counts + 1, width) if _are_heads(place, sentences)), None)
    if counts == 0:
        rows = [row[1:] for rows in sentences for row in rows]
        columns = {0: "id"} | {place + 1: name for place, name in _columns(rows, width - 1, None).items()}
        columns |= {place: f"Column{place + 1}" for place, name in columns.items() if name.startswith("Column")}
    if heads is not None:
        columns |= {counts: "id", heads: "head"} | ({heads + 1: "deprel"} if heads + 1 < width else {})
    return columns


def _counts(place, rows):
    return all(row[place] == str(number) for number, row in enumerate(rows, start=1))


def _are_heads(place, sentences):
    """Whether a column has the number of a word, or 0, for each word, and a 0 in each sentence."""
    for rows in sentences:
        numbers = [int(row[place]) if row[place].isdecimal() and len(row[place]) < 6 else -1 for row in rows]
        if min(numbers) != 0 or max(numbers) > len(rows):
            return False
    return True


def _entry(key, value):
    """What stands in MISC of a column that CoNLL-U has not."""
    return f"{key}={value.replace('|', chr(92) + 'p')}" if value not in ("", "_") else ""


def _sentence(words, about, columns):
    values = {meaning: [] for meaning in ("lemma", "xpos", "upos", "feats", "deprel", "head")}
    form_column = next((column for column, meaning in columns.items() if meaning == "form"), 0)
    misc = []
    for cells, _, spaced in words:
        named = dict(zip(columns.values(), cells, strict=True))
        for meaning, column in values.items():
            column.append(named.get(meaning) if named.get(meaning) not in ("", "_", "<unknown>") else None)
        entries = [_entry(key, value) for key, value in named.items() if key not in ("form", "id", *values)]
        misc.append("|".join(filter(None, ["" if spaced else "SpaceAfter=No", *entries])))
    forms = [cells[form_column] for cells, _, _ in words]
    text = "".join(form + " " * spaced for form, (_, _, spaced) in zip(forms, words, strict=True)).strip()
    names = [comment.removeprefix("sent_id = ") for comment in about if comment.startswith("sent_id = ")]
    comments = [comment for comment in about if not comment.startswith("sent_id = ")]
    sentence = {"forms": forms, "lemmas": values["lemma"], "xpos": values["xpos"], "upos": values["upos"]}
    sentence |= {"feats": values["feats"], "misc": misc, "comments": [*comments, f"text = {text}"]}
    sentence |= {"deprels": values["deprel"], "heads": [None if head is None else int(head) for head in values["head"]]}
    return sentence | ({"sent_id": names[0]} if names else {})
