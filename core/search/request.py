"""The request language: the part of Grew's that linguists use most, read into plain data.

::

    pattern { V [upos=VERB]; N [upos=NOUN|PROPN, Number=Sing]; e: V -[nsubj|obj]-> N; N << V; N.lemma = V.lemma }
    without { N -[det]-> D }
    global { is_projective; sent_id = re"news.*" }

    commands { del_edge e; add_edge V -[iobj]-> N; N.upos = PROPN; N.Case = Nom }

=====================  =====================================================================================
``X [clauses]``        a word; ``key=value|value``, ``key<>value``, ``key`` (has one), ``!key`` (has none).
                       Keys are form, lemma, upos, xpos, deprel, or a feature of FEATS or else of MISC, layers
                       too: ``Number[psor]``; ``misc.Gloss`` is MISC's. ``re"..."`` matches the whole value, and
                       ``re"..."i``, or ``/.../i``, whatever the capitals.
``X -> Y``             X heads Y; ``X -[nsubj|obj]-> Y`` by these relations, ``X -[^punct]-> Y`` by any other.
                       ``e: X -> Y`` names the arc, so that clusters and commands can speak of ``e.label``.
``X ->> Y``            X dominates Y, at any depth.
``X < Y``, ``X << Y``  X stands right before Y, anywhere before Y (also ``>`` and ``>>``).
``X.key = Y.key``      both have the same value (``<>``: different ones)
``*``                  in place of a name: some word, whichever; ``ROOT -> X``: X is a root word
=====================  =====================================================================================

Words of one request are different words. ``without`` blocks remove hits that can be extended so; several are allowed.
``global`` blocks keep sentences: ``is_projective``, ``is_tree``, ``is_not_projective``, ``is_not_tree``; or, with the
clauses of words, by comments: ``sent_id``, ``text`` or any other. Values are compared in Unicode's composed form (NFC).
Commands: ``del_edge e``, ``add_edge X -[rel]-> Y``, ``e.label = rel``, ``X.key = value``, ``del_feat X.Key``.
``%`` opens a comment. Relations match exactly, save ``nsubj:*``, any subtype of ``nsubj`` and itself.
"""

from dataclasses import dataclass, field

from core.errors import WorkbenchError

COLUMNS = ("form", "lemma", "upos", "xpos", "deprel")
ROOT = "ROOT"


class RequestError(WorkbenchError):
    """A request that cannot be read; ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, *, line: int, column: int):
        self.line, self.column = line, column
        super().__init__(f"line {line}, column {column}: {message}")


@dataclass(frozen=True)
class Clause:
    """One test of a word's value: ``kind`` is "is", "not", "has" or "lacks"; ``values`` are (text, is regex)."""

    key: str
    kind: str
    values: tuple = ()


@dataclass(frozen=True)
class ArcPattern:
    """``head -> modifier``; ``labels`` are (text, is regex), None is any; ``deep``: dominance; ``name`` may be None."""

    head: str
    modifier: str
    labels: tuple | None = None
    negated: bool = False
    deep: bool = False
    name: str | None = None

    ends = property(lambda self: (self.head, self.modifier))


@dataclass(frozen=True)
class Order:
    """``first`` stands before ``second``, right before it if ``adjacent``."""

    first: str
    second: str
    adjacent: bool

    ends = property(lambda self: (self.first, self.second))


@dataclass(frozen=True)
class ValueComparison:
    """``left.left_key`` equals (or, ``negated``, differs from) ``right.right_key``."""

    left: str
    left_key: str
    right: str
    right_key: str
    negated: bool

    ends = property(lambda self: (self.left, self.right))


@dataclass
class PatternBlock:
    """The conditions of one ``pattern`` or ``without``; ``words`` maps names to their clauses, in order of mention."""

    words: dict = field(default_factory=dict)
    arcs: list = field(default_factory=list)
    orders: list = field(default_factory=list)
    comparisons: list = field(default_factory=list)


@dataclass(frozen=True)
class RewriteCommand:
    """One change: ``kind`` is "delete", "attach", "relabel", "set" or "unset"."""

    kind: str
    word: str | None = None
    head: str | None = None
    key: str | None = None
    value: str = ""


@dataclass(frozen=True)
class Request:
    """A whole request."""

    pattern: PatternBlock
    without: tuple
    commands: tuple
    sentences: tuple = ()  # clauses of the global blocks, which all must hold

    @property
    def words(self) -> tuple:
        """Names of the pattern's words, anonymous ones left out."""
        return tuple(name for name in self.pattern.words if not name.startswith("*") and name != ROOT)

    @property
    def arcs(self) -> dict:
        """The named arcs: dict from name to Arc."""
        return {arc.name: arc for arc in self.pattern.arcs if arc.name}
