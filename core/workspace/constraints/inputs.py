"""The sentences that constraints match and that are trained on, and the outcome of a model on them."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from core.constraints import ConstraintDocument, Matcher
from core.constraints.authoring.preview import GrammarArcs
from core.constraints.matching.check import ConstraintSet
from core.files.unpacking import as_format_error
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.optimize import Checkpoint
from core.store import Run
from core.treebank import Column, Treebank
from core.treebank.unpunctuated import restore_punctuation, words_between
from core.trees.brackets import Bracket, PackedBrackets
from core.trees.packed import PackedScores
from core.workspace.constraints.plan import ConstraintPlan
from core.workspace.corpora import text_brackets
from core.workspace.kept_markup import PUNCT, marks_respecting
from core.workspace.parse import Parse
from core.workspace.system import File, Inputs, Kind, Outcome, packed, unpacked
from core.workspace.workspace import Workspace

KIND, GRAMMAR = "ge", "grammar"  # kinds of learners
LEARNT = {KIND: "weights", GRAMMAR: "model"}  # the array of each learner's outcomes, besides their trees


def learner_kinds(kind: str, name: str, method: str) -> Mapping[str, Kind]:
    """The kinds of a learner's runs: its own, those of versions, and those of ablation."""
    return {
        kind: Kind(name, method),
        f"{kind}-version": Kind(f"{name}, version", method),
        f"{kind}-worth": Kind(
            "worth of constraints",
            "The contribution of each expectation constraint to the model trained with it was measured",
        ),
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class ConstraintInputs(Inputs):
    """The sentences of a corpus that the settings let in.

    Attributes
    ----------
    treebank : Treebank
    read : str
        Names what a parser reads of the texts: words and tags.
    settings : ConstraintPlan
    matcher : Matcher
    whole : Treebank or None
        The same sentences with their punctuation, where the learner sees none; None where it does.
    constraint_set : ConstraintSet
        The set to learn from, over the treebank.
    start : int or None
        The run from whose model to begin, where it fits.
    """

    treebank: Treebank
    read: str
    settings: ConstraintPlan
    matcher: Matcher
    whole: Treebank | None = None
    constraint_set: ConstraintSet
    start: int | None = None

    @property
    def read_key(self) -> str:
        return self.read

    @property
    def constraint_text(self) -> str:
        return self.constraint_set.text

    @property
    def treebanks(self) -> dict[str, Treebank]:
        return {"training text": self.treebank}

    @property
    def has_no_punctuation(self) -> bool:
        """Whether the treebank has no punctuation, although the text may."""
        return self.whole is not None

    @property
    def sentences(self) -> Treebank:
        """The sentences with all their words."""
        return self.treebank if self.whole is None else self.whole

    def with_set(self, workspace: Workspace, source: str) -> "ConstraintInputs":
        """The same inputs with the constraint set ``source``."""
        same = source == self.constraint_text
        return self if same else replace(self, constraint_set=constraint_set(workspace, source, self.matcher))

    def heads_of_all(self, heads: np.ndarray) -> np.ndarray:
        """Heads of ``sentences`` from those of ``treebank``: punctuation gets heads that cross no arc. O(n^2)."""
        return heads if self.whole is None else restore_punctuation(self.whole, self.treebank, heads)

    def relations_of_all(self, relations: Column) -> Column:
        """Relations of ``sentences`` from those of ``treebank``: those of punctuation are "punct"."""
        if self.whole is None:
            return relations
        named = np.where(self.whole.is_word, PUNCT, "").astype(object)
        named[np.isin(self.whole.rows, self.treebank.rows)] = relations.strings()
        return Column.intern(named.tolist())

    @cached_property
    def brackets(self) -> list[list[Bracket]]:
        """The brackets of each sentence of ``treebank``, in the numbers of its words. Raises as ``text_brackets``."""
        brackets = text_brackets(self.sentences, self.corpus.reference)
        return words_between(self.sentences, brackets) if self.has_no_punctuation else brackets

    @property
    def respected(self) -> PackedBrackets | None:
        """The brackets that the trees of a trained model respect at ``settings.brackets``; None where none need be."""
        return None if self.settings.brackets == "none" else PackedBrackets.from_lists(self.brackets)

    @cached_property
    def tag_counts(self) -> dict[str, int]:
        """How many words have each tag of the column in use."""
        column = self.treebank.tag_column(self.settings.tags)
        counts = np.bincount(column.ids, minlength=len(column.values)).tolist()
        return {value: count for value, count in zip(column.values, counts, strict=True) if value and count}


def constraint_set(workspace: Workspace, source: str, matcher: Matcher) -> ConstraintSet:
    """A set over the treebank of a Matcher; a process reads its text once."""
    document = workspace.cache.get("documents", source, partial(ConstraintDocument.from_text, source))
    return ConstraintSet(source, matcher, document=document)


@dataclass(frozen=True, eq=False, kw_only=True)
class ConstraintOutcome(Outcome):
    """The outcome of a model on a text.

    Attributes
    ----------
    run : Run or None
        The run of the model; None for the untrained model.
    parse : Parse
        The parse of ``inputs.treebank``, with marginals, float32.
    weights : ndarray of shape (F,) or None
        The weights of a tree CRF.
    model : bytes or None
        The file of any other parser.
    files : tuple of File
    prior : hashable or None
        Names the prior whose parse it is, before anything is trained; None for a run, and where all trees are equally
        probable.
    """

    run: Run | None = None
    prior: Hashable = None
    inputs: ConstraintInputs
    plan: ConstraintPlan
    parse: Parse
    weights: np.ndarray | None = None
    model: bytes | None = None
    files: tuple[File, ...] = ()

    @property
    def heads(self) -> np.ndarray:
        """int32 (rows,): the heads of the parse."""
        return self.parse.heads

    @property
    def marginals(self) -> PackedScores:
        """The probability of every arc."""
        assert self.parse.marginals is not None  # learners from constraints give them
        return self.parse.marginals

    @property
    def number(self) -> int | None:
        """The number of the run; None for the untrained model."""
        return None if self.run is None else self.run.id

    @property
    def key(self) -> Hashable:
        """The cache key of the text and the model."""
        untrained = self.plan.distribution if self.prior is None else self.prior
        return self.inputs.key, untrained if self.run is None else (self.run.id, self.run.finished)

    @property
    def is_uniform(self) -> bool:
        """Whether nothing is known of the trees, so that all are equally probable."""
        return self.run is None and self.prior is None

    @property
    def parser(self) -> str:
        """What the parser is called where its figures stand."""
        if self.run is not None:
            return f"run {self.run.id}"
        return "the untrained model" if self.prior is None else "the universal parser"

    @property
    def parses(self) -> Mapping[str, Treebank]:
        relations = self.parse.relations
        relations = None if relations is None else self.inputs.relations_of_all(relations)
        return {"": Parse(self._heads_of_all(), relations).on(self.inputs.sentences)}

    def _heads_of_all(self):
        """Heads of all words; those of punctuation, too, keep to brackets as those of the words do."""
        text, heads = self.inputs, self.inputs.heads_of_all(self.heads)
        if text.whole is None or self.run is None or text.respected is None:
            return heads
        return marks_respecting(text.whole, heads, text_brackets(text.whole, text.corpus.reference), self.plan.brackets)

    def to_bytes(self) -> bytes:
        """The arrays, for the store."""
        model = None if self.model is None else np.frombuffer(self.model, np.uint8)
        kind, trees = KIND if model is None else GRAMMAR, self.parse.to_arrays()
        return packed(kind, {}, **trees, weights=self.weights, model=model)


def outcome_of(
    text: ConstraintInputs, distribution: TreeDistribution, scores: PackedScores, weights: np.ndarray | None = None
) -> ConstraintOutcome:
    """The ConstraintOutcome of arc scores, in nats. O(sum of n^3)."""
    brackets = None if weights is None else text.respected  # a model that has learnt nothing knows of none
    heads = distribution.best(scores, brackets=brackets, level=text.settings.brackets).values
    marginals = distribution.marginals(scores)[1]
    parse = Parse(heads, marginals=marginals.like(marginals.values.astype(np.float32)))
    return ConstraintOutcome(inputs=text, plan=text.settings, parse=parse, weights=weights)


def untrained(text: ConstraintInputs) -> ConstraintOutcome:
    """The ConstraintOutcome of the untrained model: all trees are equally probable. O(sum of n^3)."""
    scores = PackedScores.empty(text.treebank.lengths)
    scores.values[:] = 0.0
    return outcome_of(text, text.settings.distribution, scores)


def read_outcome(data: bytes, run: Run | None, text: ConstraintInputs, kind: str = KIND) -> ConstraintOutcome:
    """The ConstraintOutcome from the bytes of a run of a learner of ``LEARNT``.

    Raises FormatError, also where it belongs to another text.
    """
    _, arrays = unpacked(data, kind, ("heads", "marginals", LEARNT[kind]))
    model = arrays["model"].tobytes() if "model" in arrays else None
    parse = Parse.from_arrays(arrays, text.treebank.lengths)
    return ConstraintOutcome(
        run=run, inputs=text, plan=text.settings, parse=parse, weights=arrays.get("weights"), model=model
    )


def checkpoint_bytes(checkpoint: Checkpoint) -> bytes:
    """A Checkpoint of the search, for the store."""
    numbers, arrays = checkpoint.packed()
    return packed(KIND, {"search": numbers}, False, **arrays)


def read_checkpoint(data: bytes) -> Checkpoint:
    """The Checkpoint from the bytes of ``checkpoint_bytes``. Raises FormatError."""
    values, arrays = unpacked(data, KIND, ("weights",))
    with as_format_error("where this run stopped cannot be read; run it again"):
        return Checkpoint.unpacked(values["search"], arrays)


def read_weights(data: bytes) -> np.ndarray:
    """The weights (F,) of a finished run. Raises FormatError."""
    return unpacked(data, KIND, ("weights",))[1]["weights"]


def parsed(arcs: GrammarArcs) -> tuple[np.ndarray, PackedScores]:
    """(heads int32 (rows,), arc marginals) of a text under a model. O(parsers * sum of n^3)."""
    marginals = marginals_of(arcs)
    return arcs.trees(marginals), marginals


def marginals_of(arcs: GrammarArcs) -> PackedScores:
    """The marginals of the arcs of a text under a model. O(parsers * sum of n^3)."""
    return arcs.fixed.like(arcs.marginals(np.zeros(len(arcs.fixed.values))))
