"""The lines of one sentence in CoNLL-U, taken apart so that its words can change; what no edit changes stays as it is.

Nodes (words and empty nodes) stand in the order of the file and name each other by where they stood before an edit.
Numbers are given out anew when an edit is over, so that no edit counts words itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.errors import WorkbenchError
from core.treebank.graphs import arcs_in, place_of

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
NO_SPACE = "SpaceAfter=No"
EMPTY = "_"
ROOT, LOOSE = "0", "dep"  # a head, and the relation of an arc that somebody has to look at
GONE = ""  # in place of a DEPS field whose last arc is gone, until ``connected`` has seen it


@dataclass(frozen=True)
class Origin:
    """What stood where the parts of a split stand: the former node, and the forms of the parts."""

    node: "Node"
    forms: tuple[str, ...]


@dataclass(frozen=True)
class Node:
    """A word (``id`` such as ``3``) or an empty node (``3.1``): ten ``fields`` as in the file, the id first."""

    fields: tuple[str, ...]
    origin: Origin | None = field(default=None, compare=False)

    @property
    def id(self) -> str:
        return self.fields[ID]

    @property
    def is_word(self) -> bool:
        return "." not in self.id

    def having(self, **columns: str) -> "Node":
        """With other fields, named in small letters: ``having(head="3")``."""
        fields = list(self.fields)
        for name, value in columns.items():
            fields[NUMBERS[name]] = value
        return replace(self, fields=tuple(fields))


COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
NUMBERS = {name: number for number, name in enumerate(COLUMNS)}


@dataclass(frozen=True)
class MultiwordToken:
    """A token of several words: the ids of its ``first`` and ``last`` word, and the fields of its line.

    One that was made of words knows their ``spacing`` from before, the MISC field of each, while in memory.
    """

    first: str
    last: str
    fields: tuple[str, ...]
    spacing: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class SentenceBlock:
    """A sentence's comments, nodes and multiword tokens in order, and what ends its lines and follows the last.

    A block that came from splitting a sentence knows its ``whole``, and words their ``origin``, while in memory.
    """

    comments: tuple[str, ...]
    nodes: tuple[Node, ...]
    tokens: tuple[MultiwordToken, ...] = ()
    line_end: str = "\n"
    tail: str = "\n"
    whole: "WholeSentence | None" = field(default=None, compare=False)

    @property
    def words(self) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if node.is_word)

    def word(self, number: int) -> Node:
        """The word of a number, from 1. Raises WorkbenchError."""
        words = self.words
        if type(number) is not int or not 1 <= number <= len(words):
            raise WorkbenchError(f"there is no word {number!r}; this sentence has words 1 to {len(words)}")
        return words[number - 1]

    def token_of(self, number: int) -> MultiwordToken | None:
        """The multiword token that holds a word, or None."""
        return next((token for token in self.tokens if int(token.first) <= number <= int(token.last)), None)

    def comment(self, key: str) -> str | None:
        """The value of ``# key = value``, or None."""
        return next((value for name, value in map(named, self.comments) if name == key), None)

    def with_comment(self, key: str, value: str) -> "SentenceBlock":
        """With another value of a comment that is there."""
        comments = (f"# {key} = {value}" if named(line)[0] == key else line for line in self.comments)
        return replace(self, comments=tuple(comments))

    def surface(self) -> str:
        """Words and multiword tokens as they are written, with the spaces that MISC leaves between them."""
        pieces, until = [], 0
        starts = {int(token.first): token for token in self.tokens}
        for number, node in enumerate(self.words, start=1):
            if number <= until:
                continue
            token = starts.get(number)
            fields = node.fields if token is None else token.fields
            until = number if token is None else int(token.last)
            pieces += [fields[FORM], "" if has_no_space(fields[MISC]) else " "]
        return "".join(pieces).strip()

    def text(self) -> str:
        """The lines, as ``sentence_block`` reads them."""
        starts = {token.first: token for token in self.tokens}
        lines = list(self.comments)
        for node in self.nodes:
            if node.id in starts:
                lines.append("\t".join(starts[node.id].fields))
            lines.append("\t".join(node.fields))
        return self.line_end.join(lines) + self.tail


@dataclass(frozen=True)
class WholeSentence:
    """The sentence that was split, and its parts as they came from the split."""

    block: SentenceBlock
    parts: tuple[SentenceBlock, ...]


def sentence_block(text: str) -> SentenceBlock:
    """The SentenceBlock of a sentence's lines in CoNLL-U. Raises WorkbenchError for lines that are not."""
    body = text.rstrip("\r\n")
    tail = text[len(body) :]
    line_end = "\r\n" if "\r\n" in body and body.count("\n") == body.count("\r\n") else "\n"
    comments, nodes, tokens = [], [], []
    for line in body.split(line_end):
        if line.removeprefix("\ufeff").startswith("#"):  # one behind a word goes before the words
            comments.append(line)
            continue
        fields = tuple(line.split("\t"))
        if len(fields) != len(NUMBERS):
            raise WorkbenchError(f"{line[:40]!r} is no line of CoNLL-U; words are edited in files of that format alone")
        if "-" in fields[ID]:
            first, _, last = fields[ID].partition("-")
            tokens.append(MultiwordToken(first, last, fields))
        else:
            nodes.append(Node(fields))
    return SentenceBlock(tuple(comments), tuple(nodes), tuple(tokens), line_end, tail)


def renumbered(
    block: SentenceBlock, same: Mapping[str, str], mends_graph: bool
) -> tuple[SentenceBlock, dict[str, str]]:
    """(the block with ids in order, the new id of each former one).

    ``same`` says for ids that are gone which node stands for them. Arcs from others that are gone are dropped, also
    second ones of one name, and enhanced ones that have come to lead from a node to itself. With ``mends_graph`` the
    graph is ``connected`` again. O(fields).
    """
    ids, word, empty = {}, 0, 0
    for node in block.nodes:
        word, empty = (word + 1, 0) if node.is_word else (word, empty + 1)
        ids[node.id] = str(word) if node.is_word else f"{word}.{empty}"
    ids |= {gone: ids[kept] for gone, kept in same.items()}
    nodes = [_moved(node, ids) for node in block.nodes]
    tokens = [_token_at(token, ids[token.first], ids[token.last]) for token in block.tokens]
    nodes = connected(nodes) if mends_graph else (node.having(deps=node.fields[DEPS] or EMPTY) for node in nodes)
    return replace(block, nodes=tuple(nodes), tokens=tuple(tokens)), ids


def _token_at(token, first, last):
    return replace(token, first=first, last=last, fields=(f"{first}-{last}", *token.fields[1:]))


def _moved(node, ids):
    head = node.fields[HEAD]
    return node.having(
        id=ids[node.id],
        head=head if head == ROOT else ids.get(head, EMPTY),
        deps=_moved_arcs(node, ids),
    )


def _moved_arcs(node, ids):
    """The DEPS field of a node under new ids, in the order that CoNLL-U asks for as far as it was in it before."""
    arcs = arcs_of(node)
    gone = [arc for arc in arcs if arc[0] not in ids and arc[0] != ROOT]
    loops = [arc for arc in arcs if arc[0] != node.id and ids.get(arc[0]) == ids[node.id]]
    kept = [(ids.get(arc[0], arc[0]), arc[1]) for arc in arcs if arc not in gone + loops]
    if kept == arcs:
        return node.fields[DEPS]
    order = next((order for order in (_place_and_name, _place) if arcs == sorted(arcs, key=order)), None)
    return arcs_text(dict.fromkeys(kept), order) or GONE


def with_copied_arcs(nodes: Iterable[Node]) -> list[Node]:
    """Nodes of a sentence without an enhanced graph, with the copies of their basic arcs as one."""
    return [
        node.having(deps=f"{node.fields[HEAD]}:{node.fields[DEPREL]}") if node.fields[HEAD] != EMPTY else node
        for node in nodes
    ]


def arcs_of(node: Node) -> list[tuple[str, str]]:
    """The (head, relation) of each enhanced arc to a node."""
    return arcs_in(node.fields[DEPS])


def _place(arc):
    return place_of(arc[0].removeprefix("+"))


def _place_and_name(arc):
    return _place(arc), arc[1]


def arcs_text(arcs: Iterable[tuple[str, str]], order: Callable | None = _place_and_name) -> str:
    """The DEPS field of (head, relation) pairs, sorted by ``order``, a key; "" for none."""
    return "|".join(f"{head}:{relation}" for head, relation in (arcs if order is None else sorted(arcs, key=order)))


def is_connected(nodes: Iterable[Node]) -> bool:
    """Whether every word has enhanced arcs, and the root reaches all nodes by them. O(arcs)."""
    arcs = {node.id: arcs_of(node) for node in nodes}
    return all(arcs.values()) and len(_reached(arcs)) == len(arcs)


def connected(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Nodes of which the root reaches all: a word that it did not gets the copy of its basic arc as well.

    An empty node hangs from the root word then. O(arcs * nodes that were not reached).
    """
    arcs = {node.id: arcs_of(node) for node in nodes}
    basic = {node.id: (node.fields[HEAD], node.fields[DEPREL]) for node in nodes if node.is_word}
    top = next((word for word, (head, _) in basic.items() if head == ROOT), ROOT)
    for word in _downwards(basic):  # its head is reached already, so that its basic arc reaches it
        if word not in _reached(arcs):
            arcs[word].append(basic[word])
    for node in nodes:
        if not node.is_word and node.id not in _reached(arcs):
            arcs[node.id].append((top, LOOSE))
    changed = (arcs_of(node) != arcs[node.id] or node.fields[DEPS] == GONE for node in nodes)
    return tuple(
        node.having(deps=arcs_text(arcs[node.id]) or EMPTY) if new else node
        for node, new in zip(nodes, changed, strict=True)
    )


def _downwards(basic):
    """The words of a basic tree, heads before their modifiers."""
    below: dict[str, list[str]] = {}
    for word, (head, _) in basic.items():
        below.setdefault(head, []).append(word)
    order = list(below.get(ROOT, ()))
    for word in order:
        order += below.get(word, ())
    return order


def _reached(arcs):
    """The ids that arcs reach from the root."""
    below: dict[str, list[str]] = {}
    for node, heads in arcs.items():
        for head, _ in heads:
            below.setdefault(head, []).append(node)
    reached: set[str] = set()
    open_ids = [ROOT]
    while open_ids:
        for node in below.get(open_ids.pop(), ()):
            if node not in reached:
                reached.add(node)
                open_ids.append(node)
    return reached


def has_no_space(misc: str) -> bool:
    """Whether a MISC field says that no space follows."""
    return NO_SPACE in misc.split("|")


def without_spacing(misc: str) -> tuple[str, str]:
    """(a MISC field without what it says of the space after the word, that part of it alone)."""
    entries = [entry for entry in misc.split("|") if entry != EMPTY]
    spacing = [entry for entry in entries if entry.startswith(("SpaceAfter=", "SpacesAfter="))]
    own = [entry for entry in entries if entry not in spacing]
    return "|".join(own) or EMPTY, "|".join(spacing) or EMPTY


def joined_misc(*fields: str) -> str:
    """One MISC field of several: every entry once."""
    entries = dict.fromkeys(entry for misc in fields for entry in misc.split("|"))
    return "|".join(entry for entry in entries if entry != EMPTY) or EMPTY


def named(comment: str) -> tuple[str, str]:
    """(key, value) of a comment ``# key = value``; empty where it is another one."""
    name, equals, value = comment.removeprefix("\ufeff")[1:].partition("=")
    return (name.strip(), value.strip()) if equals else ("", "")
