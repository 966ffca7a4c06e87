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
``X -[E:nsubj]-> Y``   X heads Y in the enhanced graph, as above; ``E:*`` by any relation. X and Y are words or ROOT.
``X -[1=comp, 2=obj, deep=x]-> Y``
                       by a relation like ``comp:obj@x``, part by part: ``=``, ``<>``, ``key``, ``!key`` as of words.
                       With ``enhanced=yes`` the arc is one of the enhanced graph.
``X ->> Y``            X dominates Y, at any depth.
``X < Y``, ``X << Y``  X stands right before Y, anywhere before Y (also ``>`` and ``>>``).
``X.key = Y.key``      both have the same value (``<>``: different ones)
``*``                  in place of a name: some word, whichever; ``ROOT -> X``: X is a root word
=====================  =====================================================================================

Words of one request are different words. ``without`` blocks remove hits that can be extended so; several are allowed.
``global`` blocks keep sentences: ``is_projective``, ``is_tree``, ``is_not_projective``, ``is_not_tree``; or, with the
clauses of words, by comments: ``sent_id``, ``text`` or any other. Values are compared in Unicode's composed form (NFC).
Commands: ``del_edge e``, ``add_edge X -[rel]-> Y``, ``e.label = rel``, ``X.key = value``, ``del_feat X.Key``.
``add_edge e: X -> Y`` and ``f.label = e.label`` take the relation of an arc of the pattern. ``shift_in X ==> Y`` gives
Y the head and relation of X, ROOT too. ``shift_out X ==> Y`` moves the dependents of X that the pattern does not name;
``shift_out X =[obj|punct]=> Y`` those with such relations, ``=[^obj]=>`` those with any other.
``add_edge X -[E:rel]-> Y`` and ``del_edge X -[E:rel]-> Y`` add and delete an enhanced arc, and leave the tree.
On words: ``split X "d" "el"``, ``merge X Y`` with what stands between, ``X.form = "el"``, ``del_node X``. New ones:
``add_node N :> X`` (after X, ``:<`` before); its ``N.form`` and other values follow. With ``split_sentence X`` the word
X begins a sentence of its own; then ``merge_sentence X`` merges its sentence, or the last part of it, with the next.
``%`` opens a comment. Relations match as they are written. ``nsubj:*`` is what ``nsubj`` means in rules: itself and its
subtypes, save ``nsubj:outer``. ``core.search.subtypes`` counts the arcs that this adds.
"""

from dataclasses import dataclass, field

from core.errors import WorkbenchError

COLUMNS = ("form", "lemma", "upos", "xpos", "deprel")
ROOT = "ROOT"
ENHANCED, REDUCED = "enhance", "reduce"  # kinds of commands that add and delete an enhanced arc
SUBTYPES = ":*"  # after a relation that has its subtypes too
ENHANCED_MARK = "E:"  # before the relation of such an arc, and of one in a pattern
TAKE, HAND = "take", "hand"  # kinds of commands that move a word's own arc, or its dependents, to another word
BEGIN = "begin"  # kind of commands that split the sentence before a word
JOIN = "join"  # kind of commands that merge a word's sentence with the next one
SENTENCE_CHANGES = (BEGIN, JOIN)
WORD_KINDS = ("split", "merge", "remove", "insert", "rewrite", *SENTENCE_CHANGES)  # that change the words themselves


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
    """``head -> modifier``; ``labels`` are (text, is regex), None is any; ``deep``: dominance; ``name`` may be None.

    An ``enhanced`` arc is one of the graph, else it is one of the tree.
    """

    head: str
    modifier: str
    labels: tuple | None = None
    negated: bool = False
    deep: bool = False
    name: str | None = None
    enhanced: bool = False

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
    """One change: ``kind`` is "delete", "attach", "relabel", "set" or "unset", TAKE, HAND, ENHANCED, REDUCED or one of
    WORD_KINDS.

    ``like`` is the word whose relation is taken in place of ``value``. With TAKE ``word`` gets the head and relation of
    ``head``; with HAND it gets the dependents of ``head``, those that ``labels`` and ``negated`` name as in an
    ArcPattern. ``forms`` are the parts of a split. ``head`` is also the last word of a merge, or the word that a new
    one follows, where ``key`` is ">", or precedes, "<".
    """

    kind: str
    word: str | None = None
    head: str | None = None
    key: str | None = None
    value: str = ""
    forms: tuple = ()
    like: str | None = None
    labels: tuple | None = None
    negated: bool = False


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
    def changes_words(self) -> bool:
        """Whether some command changes the words themselves."""
        return any(command.kind in WORD_KINDS for command in self.commands)

    @property
    def arcs(self) -> dict:
        """The named arcs: dict from name to Arc."""
        return {arc.name: arc for arc in self.pattern.arcs if arc.name}
