r"""Vertical text of corpus tools (Sketch Engine, the Corpus Workbench, TreeTagger): one word a line, with its tag and
lemma behind it, and lines of structure such as ``<s>`` and ``<doc id="1">`` between.
"""

import re
from collections import Counter
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
        Without trees. The first column is the word. Of the second and third, the one that is more often like the word
        is the lemma and the other the tag: UPOS if all tags are universal ones, else XPOS. Further columns stand in
        MISC as ``Column4=value``. ``<g/>`` takes the space away; ``<s id="...">`` names a sentence.

    Raises
    ------
    FormatError : a line with another number of columns than most, with its number; no word.

    Notes
    -----
    Sentences are what ``<s>`` holds, or else end at blank lines, at the end of a paragraph, or after a stop. O(bytes).
    """
    text, name, path = load_text(source, encoding, name)
    reader = _Reader(path, has_sentences=re.search(r"^[^\S\n]*+<(?:s|sent|sentence)\b", text, re.MULTILINE) is not None)
    for number, line in enumerate(text.split("\n"), start=1):
        reader.take(line, number)
    reader.end()
    if not reader.sentences:
        raise FormatError("there is no word between the lines of structure; choose another file", path=path)
    return composed_treebank(_composed(reader.sentences, reader.names, path), name)


class _Reader:
    """Sentences as lists of (cells, line number, whether a space follows), and comments about them."""

    def __init__(self, path, has_sentences):
        self.path, self.has_sentences = path, has_sentences
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
            self.words.append([cells, number, True])
            is_stop = cells[0] in STOPS or any(cell in STOP_TAGS for cell in cells[1:])
            if is_stop:
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
    columns = _columns([cells for cells, _, _ in words], width, names)
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


def _sentence(words, about, columns):
    values = {meaning: [] for meaning in ("lemma", "xpos", "upos", "feats")}
    form_column = next((column for column, meaning in columns.items() if meaning == "form"), 0)
    misc = []
    for cells, _, spaced in words:
        named = dict(zip(columns.values(), cells, strict=True))
        for meaning, column in values.items():
            column.append(named.get(meaning) if named.get(meaning) not in ("", "_", "<unknown>") else None)
        entries = [] if spaced else ["SpaceAfter=No"]
        entries += [
            f"{key}={value.replace('|', chr(92) + 'p')}"
            for key, value in named.items()
            if key not in ("form", *values) and value not in ("", "_")
        ]
        misc.append("|".join(entries))
    forms = [cells[form_column] for cells, _, _ in words]
    text = "".join(form + " " * spaced for form, (_, _, spaced) in zip(forms, words, strict=True)).strip()
    names = [comment.removeprefix("sent_id = ") for comment in about if comment.startswith("sent_id = ")]
    comments = [comment for comment in about if not comment.startswith("sent_id = ")]
    sentence = {"forms": forms, "lemmas": values["lemma"], "xpos": values["xpos"], "upos": values["upos"]}
    sentence |= {"feats": values["feats"], "misc": misc, "comments": [*comments, f"text = {text}"]}
    return sentence | ({"sent_id": names[0]} if names else {})
