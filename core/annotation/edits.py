"""One sentence under annotation, and the changes that a person makes to it.

n is the number of words; every column has n + 1 entries and entry 0 stands for the root. A change that would break the
tree also repairs it, so that both are one step to undo:

- A new root word becomes the head of the former root words, with the relation ``dep``.
- If the new head is a descendant of the word, it first gets the head and relation of the word.

The enhanced graph of the sentence, where it has one, is brought along: copies of basic arcs change with them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.annotation.label_inventories import value_of, with_entry
from core.errors import WorkbenchError
from core.treebank import Sentence
from core.treebank.graphs import SentenceGraph, graph_of_values

TAGS = ("upos", "xpos", "lemmas", "feats")
ENTRIES = {"gloss": "Gloss", "translit": "Translit"}  # columns that are entries of MISC, and their names there
COLUMNS = ("heads", "deprels", *TAGS, *ENTRIES)
GRAPH = ("deps", "empty")  # what is stored of an enhanced graph
ROOT, LOOSE = "root", "dep"  # relations of a root word, and of a former root word
LONGEST = 500  # characters of a value


@dataclass(frozen=True)
class SentenceAnnotation:
    """The words of a sentence with their annotation; entry 0 of each column is the root's.

    ``heads`` are int, 0 the root and -1 unknown; the other columns are str, ``""`` where unknown. ``gloss`` and
    ``translit`` are read off ``misc``.
    """

    forms: tuple
    heads: tuple
    deprels: tuple
    upos: tuple
    xpos: tuple
    lemmas: tuple
    feats: tuple
    sent_id: str | None = None
    misc: tuple = field(default=(), compare=False)  # changed in its ENTRIES alone; empty where unknown
    graph: SentenceGraph | None = None  # the enhanced graph; None where there is none, or nobody asks for it

    @classmethod
    def of(cls, sentence: Sentence) -> "SentenceAnnotation":
        """The annotation of a Sentence, without its graph."""
        columns = {name: getattr(sentence, name) for name in ("forms", "deprels", *TAGS, "sent_id", "misc")}
        return cls(heads=(-1, *sentence.heads[1:].tolist()), **columns)

    @classmethod
    def with_graph_of(cls, sentence: Sentence) -> "SentenceAnnotation":
        """The annotation of a Sentence with its enhanced graph. O(bytes of the sentence)."""
        return replace(cls.of(sentence), graph=sentence.graph)

    def __len__(self):
        return len(self.forms) - 1

    @property
    def gloss(self) -> tuple[str, ...]:
        """The gloss of each word, ``Gloss`` in MISC."""
        return self._entries("gloss")

    @property
    def translit(self) -> tuple[str, ...]:
        """The transliteration of each word, ``Translit`` in MISC."""
        return self._entries("translit")

    def _entries(self, column):
        return tuple(value_of(text, ENTRIES[column]) for text in self.misc) or ("",) * len(self.forms)

    @property
    def complete(self) -> bool:
        """Whether every word has a head."""
        return min(self.heads[1:]) >= 0

    def values(self, original: "SentenceAnnotation") -> dict[str, list]:
        """The columns that differ from another Annotation's, as lists over words 1..n for JSON.

        The graph is among them where it is not the other's, brought along.
        """
        names = [name for name in COLUMNS if getattr(self, name) != getattr(original, name)]
        graph = self.graph if self.graph != original.under(self.heads, self.deprels).graph else None
        return {name: list(getattr(self, name)[1:]) for name in names} | ({} if graph is None else graph.values())

    def under(self, heads: Sequence[int], deprels: Sequence[str]) -> "SentenceAnnotation":
        """The annotation under another tree, given over 0..n, with its graph brought along."""
        graph = self.graph
        if graph is not None:
            graph = graph.under((self.heads, self.deprels), (heads, deprels))
        return replace(self, heads=tuple(heads), deprels=tuple(deprels), graph=graph)

    def with_values(self, values: Mapping[str, Sequence]) -> "SentenceAnnotation":
        """The annotation with stored ``values`` of another one. Raises WorkbenchError for misfits."""
        columns, entries = {}, {}
        for name in COLUMNS:
            if name in values:
                if not _is_column(name, values[name]):
                    raise WorkbenchError(f"what was kept of a sentence's {name} is no annotation; annotate it anew")
                if len(values[name]) != len(self):
                    raise WorkbenchError(
                        f"the annotation has {len(values[name])} {name} and the sentence {len(self)} words; the text"
                        " was changed under it: undo that change, or annotate the sentence anew"
                    )
                whole = entries if name in ENTRIES else columns
                whole[name] = (-1 if name == "heads" else "", *values[name])
        tree = self.under(columns.pop("heads", self.heads), columns.pop("deprels", self.deprels))
        if "deps" in values:
            columns["graph"] = graph_of_values(values, len(self))
            if columns["graph"] is None:
                raise WorkbenchError("what was kept of a sentence's graph does not fit its words; draw it anew")
        return replace(tree, **columns, misc=self._misc_with(entries)) if entries else replace(tree, **columns)

    def _misc_with(self, entries):
        """MISC with other values of ENTRIES, columns by name."""
        misc = self.misc or ("",) * len(self.forms)
        for name, column in entries.items():
            misc = tuple(with_entry(text, ENTRIES[name], value) for text, value in zip(misc, column, strict=True))
        return misc


def _is_column(name, values):
    """Whether values are those of a column: heads within the sentence, or text."""
    if not isinstance(values, list | tuple):
        return False
    if name == "heads":
        return all(type(value) is int and -1 <= value <= len(values) for value in values)
    return all(isinstance(value, str) for value in values)


def attach(annotation: SentenceAnnotation, word: int, head: int, relation: str | None = None) -> SentenceAnnotation:
    """The SentenceAnnotation with ``word`` under ``head`` (0 is the root), repaired to a tree.

    Without ``relation`` the word's relation stays. Raises WorkbenchError for unknown words.
    """
    _require_word(annotation, word)
    if head != 0:
        _require_word(annotation, head)
    if head == word:
        raise WorkbenchError(f"word {word} cannot be its own head; choose another word, or the root")
    heads, deprels = list(annotation.heads), list(annotation.deprels)
    if head == 0:
        for other in range(1, len(heads)):
            if heads[other] == 0 and other != word:
                heads[other], deprels[other] = word, LOOSE
    elif word in _path(heads, head):
        heads[head], deprels[head] = heads[word], deprels[word]
    if relation is None:
        former = annotation.deprels[word]
        relation = LOOSE if former in ("", ROOT) else former
    heads[word] = head
    deprels[word] = ROOT if head == 0 else checked_value("deprels", relation)
    return annotation.under(heads, deprels)


def detach(annotation: SentenceAnnotation, word: int) -> SentenceAnnotation:
    """The SentenceAnnotation in which ``word`` has no head and no relation."""
    _require_word(annotation, word)
    heads, deprels = list(annotation.heads), list(annotation.deprels)
    heads[word], deprels[word] = -1, ""
    return annotation.under(heads, deprels)


def change(annotation: SentenceAnnotation, column: str, word: int, value: str) -> SentenceAnnotation:
    """The SentenceAnnotation with another value of a word in ``deprels``, one of TAGS or of ENTRIES."""
    _require_word(annotation, word)
    if column not in COLUMNS[1:]:
        raise WorkbenchError(f"there is no column {column!r} to change; choose one of {', '.join(COLUMNS[1:])}")
    return _with(annotation, column, word, checked_value(column, value))


def adopt(annotation: SentenceAnnotation, values: Mapping[str, Sequence]) -> SentenceAnnotation:
    """The SentenceAnnotation with whole columns of another, such as a parser's; heads must be a forest."""
    for name in values:
        if name not in COLUMNS:
            raise WorkbenchError(f"there is no column {name!r} to adopt; choose one of {', '.join(COLUMNS)}")
        if name == "heads":
            n, whole = len(annotation), (-1, *values[name])
            if not all(type(head) is int and -1 <= head <= n for head in whole):
                raise WorkbenchError(f"heads must be numbers of words from 0 to {n}, or -1 where unknown")
            for word in range(1, len(whole)):
                if whole[_path(whole, word)[-1]] > 0:
                    raise WorkbenchError(f"the heads from word {word} run in a cycle; give a tree")
        else:
            for value in values[name]:
                checked_value(name, value)
    return annotation.with_values(values)


def checked_value(column: str, value: str) -> str:
    """The value in the form for files. Raises WorkbenchError for one that no file can hold."""
    if not isinstance(value, str):
        raise WorkbenchError(f"{column} must be text, got {value!r}")
    value = value.strip()
    value = "" if value == "_" else value
    if len(value) > LONGEST or not set(value).isdisjoint("\t\n\r\0"):
        raise WorkbenchError(f"{value[:40]!r} holds a tab or line end, or is longer than {LONGEST} characters")
    if column in ("deprels", "upos", "xpos") and any(character.isspace() for character in value):
        raise WorkbenchError(f"{value[:40]!r} holds a space, which no tag or relation may; write it as one word")
    if column in ENTRIES and "|" in value:
        raise WorkbenchError(f"{value[:40]!r} holds a bar, which separates entries of MISC; write it without")
    return _checked_features(value) if column == "feats" and value else value


def _checked_features(text):
    """Features in alphabetical order."""
    pairs = [pair.partition("=") for pair in text.split("|")]
    if not all(name.strip() and equals and rest.strip() for name, equals, rest in pairs):
        raise WorkbenchError(f"{text[:60]!r} is no list of features; write them as Case=Nom|Number=Sing")
    return "|".join(sorted(text.split("|"), key=str.lower))


def _with(annotation, column, word, value):
    values = list(getattr(annotation, column))
    values[word] = value
    if column == "deprels":
        return annotation.under(annotation.heads, values)
    if column in ENTRIES:
        return annotation.with_values({column: values[1:]})
    return replace(annotation, **{column: tuple(values)})


def _path(heads, word):
    """The words from ``word`` up to a root word, or to one without a head."""
    path = []
    while word > 0 and word not in path:
        path.append(word)
        word = heads[word]
    return path


def _require_word(annotation, word):
    if type(word) is not int or not 1 <= word <= len(annotation):  # True is an int, too
        raise WorkbenchError(f"there is no word {word!r}; this sentence has words 1 to {len(annotation)}")
