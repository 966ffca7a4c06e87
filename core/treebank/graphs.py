"""Enhanced graphs of sentences: their arcs as DEPS has them, and what becomes of them where a tree changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

ID, FORM, UPOS, DEPS = 0, 1, 3, 8
NONE = "_"
COLUMNS = 10
ALIKE = (("obl", "nmod"), ("advcl", "acl"))  # relations that are named by the same words

Arc = tuple[str, str]  # the head, such as "3", "3.1" or "0", and the relation


@dataclass(frozen=True)
class SentenceGraph:
    """The enhanced graph of a sentence of n words; never changes.

    Attributes
    ----------
    deps : tuple of str
        The DEPS field of the root and of words 1..n, "" where there is no arc.
    empty : tuple of tuple of str
        The ten fields of each empty node, in order.
    """

    deps: tuple[str, ...]
    empty: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> "SentenceGraph | None":
        """The graph in a sentence's lines of CoNLL-U; None where no node has an arc."""
        rows = [tuple(line.split("\t")) for line in lines if not line.startswith("#")]
        rows = [row for row in rows if len(row) == COLUMNS and "-" not in row[ID]]
        words = [plain(row[DEPS]) for row in rows if "." not in row[ID]]
        empty = tuple(row for row in rows if "." in row[ID])
        return cls(("", *words), empty) if any(words) or empty else None

    @classmethod
    def bare(cls, n: int) -> "SentenceGraph":
        """That of n words without any arc."""
        return cls(("",) * (n + 1))

    @property
    def is_bare(self) -> bool:
        """Whether there is neither an arc nor an empty node."""
        return not self.empty and not any(self.deps)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The ids of all nodes but the root, in the order of the file. O(nodes)."""
        words = [str(number) for number in range(1, len(self.deps))]
        return tuple(sorted([*words, *(row[ID] for row in self.empty)], key=place_of))

    def field(self, node: str) -> str:
        """The DEPS field of one of ``nodes``."""
        if "." not in node:
            return self.deps[int(node)]
        return next(plain(row[DEPS]) for row in self.empty if row[ID] == node)

    def with_field(self, node: str, field: str) -> "SentenceGraph":
        """The graph with another DEPS field of a node."""
        return self.with_fields({node: field})

    def with_fields(self, fields: Mapping[str, str]) -> "SentenceGraph":
        """The graph with other DEPS fields of some of ``nodes``. O(nodes)."""
        deps = tuple(fields.get(str(node), field) for node, field in enumerate(self.deps))
        empty = tuple(
            (*row[:DEPS], fields[row[ID]] or NONE, *row[DEPS + 1 :]) if row[ID] in fields else row for row in self.empty
        )
        return replace(self, deps=deps, empty=empty)

    def under(self, old: tuple[Sequence, Sequence], new: tuple[Sequence, Sequence]) -> "SentenceGraph":
        """The graph brought along where a tree changes: only copies of basic arcs become others.

        ``old`` and ``new`` are (heads, relations) over 0..n. A graph without arcs stays so. O(words).
        """
        if self.is_bare:
            return self
        arcs = list(zip(self.deps, zip(*old, strict=True), zip(*new, strict=True), strict=True))[1:]
        return replace(self, deps=("", *(brought_along(field, was, now) for field, was, now in arcs)))

    def lines(self, lines: Iterable[bytes], encoding: str) -> list[bytes]:
        """A sentence's lines of CoNLL-U with this graph in place of theirs; other fields stay as they are."""
        written, word = [], 0
        waiting = ["\t".join(row).encode(encoding) for row in self.empty][::-1]
        for line in lines:
            fields = line.removesuffix(b"\r").split(b"\t")
            is_node = len(fields) == COLUMNS and not line.startswith(b"#")
            if is_node and b"." in fields[ID]:
                continue
            ending = b"\r" if line.endswith(b"\r") else b""
            while waiting and (not is_node or _stands_before(waiting[-1], fields[ID])) and not line.startswith(b"#"):
                written.append(waiting.pop() + ending)
            if is_node and b"-" not in fields[ID]:
                word += 1
                fields[DEPS] = (self.deps[word] or NONE).encode(encoding)
                line = b"\t".join(fields) + ending
            written.append(line)
        return written

    def values(self) -> dict[str, list]:
        """The graph for JSON: ``deps`` over words 1..n and ``empty``."""
        return {"deps": list(self.deps[1:]), "empty": [list(row) for row in self.empty]}


def graph_of_values(values: Mapping[str, object], n: int) -> SentenceGraph | None:
    """The SentenceGraph of n words that ``SentenceGraph.values`` gave; None for anything else."""
    deps, empty = values.get("deps"), values.get("empty", [])
    if not isinstance(deps, list) or len(deps) != n or not isinstance(empty, list):
        return None
    rows = all(isinstance(row, list) and len(row) == COLUMNS and _are_fields(row) and "." in row[ID] for row in empty)
    if not rows or not _are_fields(deps):
        return None
    return SentenceGraph(("", *deps), tuple(tuple(row) for row in empty))


def arcs_in(field: str) -> list[Arc]:
    """The (head, relation) pairs of a DEPS field."""
    arcs = (arc.partition(":") for arc in field.split("|") if arc not in ("", NONE))
    return [(head, relation) for head, _, relation in arcs]


def deps_field(arcs: Iterable[Arc]) -> str:
    """The DEPS field of arcs: each once, in the order of their heads; "" for none."""
    return "|".join(
        f"{head}:{relation}" for head, relation in sorted(set(arcs), key=lambda arc: (place_of(arc[0]), arc[1]))
    )


def place_of(node: str) -> tuple[int, int]:
    """Where a node stands, for sorting: 3.10 comes after 3.9."""
    major, _, minor = node.partition(".")
    is_number = major.isdecimal() and (minor or "0").isdecimal() and len(node) < 20
    return (int(major), int(minor or 0)) if is_number else (-1, 0)


def brought_along(field: str, old: tuple[int, str], new: tuple[int, str]) -> str:
    """A word's DEPS field where its basic (head, relation) is another one; a head of -1 is none.

    The copy of the old arc becomes that of the new one, still named by the same word where that can be: ``obl:in``
    becomes ``nmod:in``. The others stay. Where no arc is a copy, as that of a relative pronoun, all stay.
    """
    if old == new:
        return field
    arcs = arcs_in(field)
    copy = basic_copy(arcs, old)
    if copy is None and old[0] >= 0:
        return field
    arcs = [arc for arc in arcs if arc != copy]
    if new[0] >= 0:
        arcs.append((str(new[0]), _renamed("" if copy is None else copy[1], old[1], new[1])))
    return deps_field(arcs)


def basic_copy(arcs: Iterable[Arc], basic: tuple[int, str]) -> Arc | None:
    """Which of a word's enhanced arcs is its basic one, (head, relation), perhaps with more in its relation."""
    head, relation = basic
    own = [arc for arc in arcs if arc[0] == str(head)]
    same = [arc for arc in own if arc[1] == relation] + [arc for arc in own if arc[1].startswith(relation + ":")]
    return same[0] if same else None


def _renamed(enhanced, old, new):
    """The relation ``new`` with what an enhanced relation adds to the ``old`` one, if that fits it."""
    is_alike = old == new or any(old in kinds and new in kinds for kinds in ALIKE)
    return new + enhanced.removeprefix(old) if enhanced.startswith(old) and is_alike else new


def plain(field: str) -> str:
    """A field of a line, "" where it is left empty."""
    return "" if field == NONE else field


def _are_fields(values):
    return all(isinstance(value, str) and set(value).isdisjoint("\t\n\r") for value in values)


def _stands_before(empty, node):
    """Whether the line of an empty node stands before that of a word or multiword token."""
    first = node.split(b"-")[0].decode("ascii", "replace")
    return place_of(empty.split(b"\t", 1)[0].decode()) < place_of(first)
