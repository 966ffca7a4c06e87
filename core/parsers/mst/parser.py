"""Graph-based parsers: the tree of the highest total score of its parts, learnt sentence by sentence.

McDonald, Crammer & Pereira (2005), P05-1012. Non-projective trees: McDonald, Pereira, Ribarov & Hajic (2005), H05-1066.
Siblings: McDonald & Pereira (2006), E06-1011. Grandparents: Koo & Collins (2010), Model 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.callbacks import Cancel, Progress
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.parsers.mst.brackets import BracketedParse, bracketed_trees
from core.parsers.mst.corpus import learnable, reasons, tag_columns
from core.parsers.mst.decoding import best_trees, completed_trees, kbest_trees
from core.parsers.mst.features import Templates, frequent_forms
from core.parsers.mst.labelled_scores import scored_words
from core.parsers.mst.model import KIND, LONGEST, NO_WEIGHTS, Extra, ExtraOf, MSTModel
from core.parsers.mst.training import LEARNERS, TRAINED, ParserProgress, TreeTrainer, train_labels, train_trees
from core.parsers.scores import ParserScores, ScoredWords
from core.parsers.weights import as_model
from core.treebank import Column, Treebank
from core.trees import PackedHeads, PackedTrees
from core.trees.brackets import Bracket, PackedBrackets, fallbacks, level_counts, level_number

LABELS = (True, False, "joint")
LABELLER_BITS = 8  # bits of the table for trees of a parser that only labels
SCORED_AT_ONCE = 200  # sentences of the development text between two looks at ``cancel``
LABEL_SHARE = 0.05  # share of training time for relations, where they are learnt apart


class MSTParser:
    """A graph-based dependency parser.

    Parameters
    ----------
    order : {1, 2}, default=1
        1 scores arcs; 2 also neighbouring siblings.
    grandparents : bool, default=False
        With order 2, score chains of three words too; decoding then takes O(n^4).
    learner : {"mira", "perceptron"}, default="mira"
        Single-best MIRA against the tree of the highest score plus loss, the number of words with a wrong head; or the
        averaged perceptron.
    projective : bool, default=True
        Search projective trees; False is possible with order 1 only. Trees have one root either way.
    labels : {True, False, "joint"}, default=True
        True chooses relations in the finished tree. "joint" chooses one for each arc beforehand and adds its score to
        the arc's, as shimizu2007 section 2 does. False writes ``root`` and ``dep``.
    features : {"lexicalized", "unlexicalized"}
        With or without forms, prefixes and suffixes.
    tags : {"both", "xpos", "upos", None}
        Tag columns to read; None takes those that are filled.
    bits : int, default=22
        The table of weights for trees has 2 ** bits numbers.
    label_bits : int, default=20
        The table for relations has 2 ** label_bits numbers, and one more for each relation.
    minimum_count : int, default=2
        Forms that occur less often in training share their features.
    largest_step : float, default=1
        Bound on MIRA's step for one sentence, C of Crammer et al. (2006), PA-I.

    Attributes
    ----------
    model : MSTModel or None
        Known after training.
    skipped : dict of str to int
        Sentences left out of training, by reason. Non-projective trees cannot be learnt by a projective parser, and
        are left out, not changed.
    status : {"trained", "cancelled"}

    Examples
    --------
    Scores may be changed before the best trees are sought. Here 2 -> 1 of the first sentence becomes likelier.

    >>> parser = MSTParser(order=2).fit(treebank, dev=development)
    >>> parsed = parser.parse(text)
    >>> scored = parser.score(text)
    >>> scored.arcs[0][2, 1] += 0.5
    >>> heads = scored.select([0]).decode()
    """

    def __init__(
        self,
        order: int = 1,
        grandparents: bool = False,
        *,
        learner: str = "mira",
        projective: bool = True,
        labels: bool | str = True,
        features: str = "lexicalized",
        tags: str | None = None,
        bits: int = 22,
        label_bits: int = 20,
        minimum_count: int = 2,
        largest_step: float = 1.0,
    ):
        if order not in (1, 2):
            raise WorkbenchError(f"order must be 1 or 2, got {order!r}")
        if learner not in LEARNERS:
            raise WorkbenchError(f"no learner called {learner!r}: choose {' or '.join(LEARNERS)}")
        if not projective and order > 1:
            raise WorkbenchError("siblings need projective trees; choose order=1 for non-projective ones")
        if grandparents and order < 2:
            raise WorkbenchError("grandparents come on top of siblings; choose order=2")
        if labels not in LABELS:
            raise WorkbenchError(f'labels must be True, False or "joint", got {labels!r}')
        if tags not in (None, "both", "xpos", "upos"):
            raise WorkbenchError(f"tags must be both, xpos or upos, got {tags!r}")
        if not largest_step > 0:
            raise WorkbenchError(f"the largest step must be positive, got {largest_step}")
        Templates.of(features, ())  # raises if there is no such set
        self.order, self.grandparents, self.projective = order, bool(grandparents), bool(projective)
        self.learner, self.labels, self.features, self.tags = learner, labels, features, tags
        self.bits, self.label_bits, self.minimum_count = _table_bits(bits), _table_bits(label_bits), int(minimum_count)
        self.largest_step = float(largest_step)
        self.model: MSTModel | None = None
        self.skipped, self.status = {}, ""

    def fit(
        self,
        treebank: Treebank,
        dev: Treebank | None = None,
        epochs: int = 10,
        seed: int = 0,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        extra: ExtraOf | None = None,
        evaluate: "Callable[[MSTParser], float | None] | None" = None,
        sentence_weights: np.ndarray | None = None,
    ) -> "MSTParser":
        """Train on the trees of a treebank.

        Parameters
        ----------
        treebank : Treebank
            Sentences without a complete tree, with several roots or, if the parser is projective, with crossing arcs
            are left out and counted in ``skipped``.
        dev : Treebank, optional
            Trees to score after every epoch; they do not change what is learnt.
        epochs : int, default=10
            Passes over the text.
        seed : int, default=0
            Of the order of sentences. The same seed gives the same weights.
        progress : callable, optional
            Called with a ParserProgress a few times a second and at the end of every epoch.
        cancel : callable, optional
            Asked before every sentence; when it returns True training ends with the averages so far, ``status``
            "cancelled".
        extra : PackedSparse, PackedParts, PackedDense or callable, optional
            Features of arcs, or of parts too, of the caller's own (``core.features.packed``). With ``dev`` it is a
            function that makes them from a treebank. They get weights of their own, learnt together with the others.
            ``score`` and ``parse`` must be given the same features of their texts.
        evaluate : callable, optional
            Called with this parser, at its averages so far, after every epoch, in place of scoring ``dev``. The
            report's ``dev_uas`` is the value that it returns.
        sentence_weights : ndarray of shape (S,), optional
            How much of its step each sentence may move the weights of trees. 1 by default; less for trees that another
            parser has drawn. Relations learnt apart from trees do not look at it.

        Returns
        -------
        MSTParser
            This object.

        Raises
        ------
        WorkbenchError : no sentence to learn from (says why), no tags, no epochs, ``extra`` of another shape,
            weights that are negative or not one a sentence.

        Notes
        -----
        One thread. An epoch costs O(sum of n^2) looks into the table for arcs, O(sum of n^3) with siblings, and one
        decoding a sentence.
        """
        if epochs < 1:
            raise WorkbenchError(f"training needs at least one epoch, got {epochs}")
        extra_of, extra = (extra, extra(treebank)) if callable(extra) else (None, extra)
        scored = self._scoring(dev if progress else None, extra_of, evaluate, cancel)
        progress = progress or (lambda report: None)
        trainer = self.begin(treebank, epochs, seed, extra, sentence_weights, progress, cancel)
        share = 1 - LABEL_SHARE if trainer.model.relations and not trainer.model.joint else 1.0
        if self.status == TRAINED:
            self.status = train_trees(
                trainer, epochs, seed, share=share, evaluate=scored, progress=progress, cancel=cancel
            )
            self.model = trainer.averaged()
        return self

    def begin(
        self, treebank: Treebank, epochs: int, seed: int = 0, extra: Extra | None = None,
        sentence_weights: np.ndarray | None = None, progress: Progress | None = None, cancel: Cancel | None = None,
    ) -> TreeTrainer:  # fmt: skip
        """Learn relations, where they are learnt apart, and leave trees to the TreeTrainer that is returned.

        Parameters and errors are those of ``fit``. ``status`` is "cancelled" where ``cancel`` returned True. What the
        trainer has learnt becomes the parser's with ``parser.model = trainer.averaged()``.
        """
        importance = _checked_weights(sentence_weights, treebank)
        usable, self.skipped = learnable(treebank, self.projective, self.labels == "joint" and treebank.deprel.filled)
        if not usable.any():
            raise WorkbenchError(f"none of the {len(treebank)} sentences can be learnt from: {reasons(self.skipped)}")
        chosen = treebank if usable.all() else treebank.select(usable)
        model = self._empty(chosen, 0 if extra is None else extra.count)
        extra = model.checked_extra(extra, treebank)
        if extra is not None and not usable.all():
            extra = extra.select(np.flatnonzero(usable))
        self.status = TRAINED
        if model.relations and not model.joint:
            model, self.status = train_labels(
                model, chosen, epochs, seed, done=LABEL_SHARE, progress=progress, cancel=cancel
            )
        self.model = model
        return TreeTrainer(model, chosen, self.learner, self.largest_step, extra, importance[usable])

    @classmethod
    def labeller(cls, treebank: Treebank, tags: str | None = None, epochs: int = 10, seed: int = 0) -> "MSTParser":
        """A parser that has learnt the relations of whole trees and no weights of trees: for ``label`` alone."""
        parser = cls(order=1, projective=False, tags=tags, bits=LABELLER_BITS)
        parser.model, parser.status = train_labels(parser._empty(treebank, 0), treebank, epochs, seed, done=1.0)
        return parser

    def _scoring(self, dev, extra_of, evaluate, cancel):
        """A function from a model to its accuracy after an epoch; None if no accuracy is asked for."""

        def scored(model):
            if evaluate is None:
                return _accuracy(model, dev, extra_of, cancel)
            self.model = model
            return evaluate(self)

        return None if dev is None and evaluate is None else scored

    def _empty(self, treebank, extra_count):
        """A model of the words, tags and relations of a text, without weights."""
        columns = tag_columns(treebank, self.tags)
        tags = {column: tuple(sorted(getattr(treebank, column).counts())) for column in columns}
        relations = tuple(sorted(treebank.deprel.counts())) if self.labels else ()
        model = MSTModel(
            order=self.order + self.grandparents,
            projective=self.projective,
            features=self.features,
            bits=self.bits,
            tags=tags,
            known_forms=frequent_forms(treebank, self.minimum_count),
            relations=relations,
            joint=self.labels == "joint" and bool(relations),
            label_bits=self.label_bits,
            extra_count=int(extra_count),
            weights=NO_WEIGHTS,
        )
        return model.with_weights(np.zeros(model.size, np.float32))

    def score(self, treebank: Treebank, extra: ExtraOf | None = None, threads: int | None = None) -> ParserScores:
        """The scores of all parts of all trees of a text: a ParserScores, to add to and to decode.

        Parameters
        ----------
        treebank : Treebank
            Its trees are not looked at.
        extra : PackedSparse, PackedDense or callable, optional
            The caller's own features of this text, where training had such.

        Raises
        ------
        WorkbenchError : untrained; missing tags, or tags of another tag set, which are named.

        Notes
        -----
        Siblings take (n + 1) ** 3 numbers a sentence: 25,000 words of English about 150 MB. ``parse``, ``heads`` and
        ``kbest`` hold few sentences at once.
        """
        model = self.trained()
        extra = model.checked_extra(extra, treebank)
        return model.score(treebank.offsets, model.fields(treebank), extra, threads=threads)

    def heads(self, treebank: Treebank, extra: ExtraOf | None = None, threads: int | None = None) -> np.ndarray:
        """Heads of the best trees of a text, int32 in the layout of ``Treebank.heads``."""
        return best_trees(self.trained(), treebank, extra, threads)[0]

    def kbest(
        self, treebank: Treebank, k: int, extra: ExtraOf | None = None, threads: int | None = None,
        errors: str = "raise",
    ) -> PackedTrees:  # fmt: skip
        """The k best projective trees of each sentence, best first: PackedTrees, as ``eisner_kbest`` returns them."""
        return kbest_trees(self.trained(), treebank, k, extra, threads, errors)

    def label(
        self, treebank: Treebank, heads: np.ndarray | PackedHeads, extra: ExtraOf | None = None,
        threads: int | None = None,
    ) -> Column:  # fmt: skip
        """A Column of relations for given trees of a text: int (rows,) or PackedHeads.

        ``extra`` is looked at only where relations are chosen arc by arc.
        """
        model = self.trained()
        heads = np.asarray(getattr(heads, "values", heads), dtype=np.int32)
        if not model.relations:
            return Column(np.where(heads < 0, 0, np.where(heads == 0, 1, 2)).astype(np.int32), ("", "root", "dep"))
        if model.joint:
            extra = model.checked_extra(extra, treebank)
            arcs_only = replace(model, order=1)
            scores = arcs_only.score(treebank.offsets, model.fields(treebank), extra, threads=threads)
            return Column(scores.chosen_labels(heads).astype(np.int32) + 1, ("", *model.relations))
        labels = model.label(treebank, model.fields(treebank), heads, threads)
        return Column(labels.astype(np.int32) + 1, ("", *model.relations))

    def parse(
        self, treebank: Treebank, extra: ExtraOf | None = None, threads: int | None = None, cancel: Cancel | None = None
    ) -> Treebank:
        """The treebank with every tree and relation replaced by the parser's; relations are ``root`` and ``dep``
        where it has learnt none. ``cancel`` is asked every few sentences; Cancelled is raised when it returns True."""
        model = self.trained()
        heads, labels = best_trees(model, treebank, extra, threads, cancel)
        if labels is None:
            return treebank.with_heads(heads, self.label(treebank, heads, threads=threads))
        return treebank.with_heads(heads, Column(labels.astype(np.int32) + 1, ("", *model.relations)))

    def completed_heads(
        self, treebank: Treebank, extra: ExtraOf | None = None, threads: int | None = None
    ) -> np.ndarray:
        return completed_trees(self.trained(), treebank, extra, threads)

    def completed_kbest(
        self, treebank: Treebank, k: int, extra: ExtraOf | None = None, threads: int | None = None
    ) -> PackedTrees:
        return kbest_trees(self.trained(), treebank, k, extra, threads, "mark", around=True)

    def parse_bracketed(
        self, treebank: Treebank, brackets: Sequence[Sequence[Bracket]], level: str = "loose",
        threads: int | None = None,
    ) -> BracketedParse:  # fmt: skip
        """A text with, for each sentence, the tree of the highest score among those that satisfy all its brackets.

        Parameters, errors and complexity are those of ``mst_brackets.bracketed_trees``; brackets come from
        ``core.markup.marked_sentences(treebank)``, for example.

        Returns
        -------
        BracketedParse
        """
        heads, levels, changed = bracketed_trees(self.trained(), treebank, brackets, level, threads)
        parsed = treebank.with_heads(heads, self.label(treebank, heads, threads=threads))
        counts = level_counts(levels, PackedBrackets.from_lists(brackets))
        return BracketedParse(parsed, levels, len(changed), fallbacks(counts, level_number(level)))

    def unknown_tags(self, treebank: Treebank) -> dict[str, tuple[str, ...]]:
        """Tags of a text that training never saw, by column; ``score`` refuses texts with mostly such."""
        return self.trained().unknown_tags(treebank)

    def scored_words(self, treebank: Treebank) -> ScoredWords:
        """A text under the parser's trees, and the scores of all labelled trees of it."""
        return scored_words(self.trained(), self.parse(treebank))

    @property
    def labelled(self) -> bool:
        """Whether the parser has learnt relations."""
        return bool(self.model and self.model.relations)

    @property
    def searched_whole(self) -> int | None:
        """As ``Pruner`` has it: siblings and grandparents of long sentences are those of surviving arcs."""
        return LONGEST if self.model and self.model.order > 1 else None

    def save(self, path: str | Path | BinaryIO, *, half: bool = False) -> None:
        """Write the parser to an ``.npz`` file: numbers and settings, no words of the text, no pickle.

        ``half`` keeps weights as float16: a smaller file whose scores differ in the fourth digit.
        """
        settings = {"learner": self.learner, "minimum_count": self.minimum_count, "largest_step": self.largest_step}
        self.trained().save(path, settings, half)

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "MSTParser":
        """Read a parser that ``save`` wrote. Raises FormatError for any other file."""
        model, settings = MSTModel.load(path)
        with as_model(path):
            labels = "joint" if model.joint else bool(model.relations)
            shape = {name: getattr(model, name) for name in ("projective", "features", "bits", "label_bits")}
            tags = "both" if len(model.columns) > 1 else model.columns[0]
            parser = cls(min(model.order, 2), model.order > 2, labels=labels, tags=tags, **shape, **settings)
            parser.model, parser.status = model, TRAINED
            return parser

    def trained(self) -> MSTModel:
        """The trained model; WorkbenchError where there is none."""
        if self.model is None:
            raise WorkbenchError("this parser has not been trained yet; call fit, or load a saved one")
        return self.model


def _checked_weights(weights, treebank):
    if weights is None:
        return np.ones(len(treebank))
    weights = np.asarray(weights, np.float64)
    if weights.shape != (len(treebank),) or not (np.isfinite(weights) & (weights >= 0)).all():
        raise WorkbenchError(f"sentence weights must be {len(treebank)} numbers of at least 0, one for each sentence")
    return weights


def _table_bits(bits):
    if bits not in range(4, 32):  # places are 32 bits, and the lowest four hold direction and distance
        raise WorkbenchError(f"a table has 2 ** bits numbers, bits from 4 to 31; got {bits!r}")
    return int(bits)


def _accuracy(model, treebank, extra, cancel):
    """Unlabelled attachment of a model's trees, in percent; None where it was cancelled."""
    extra, right, words = model.checked_extra(extra, treebank), 0, 0
    for chunk in np.array_split(np.arange(len(treebank)), 1 + len(treebank) // SCORED_AT_ONCE):
        if cancel is not None and cancel():
            return None
        part = treebank.select(chunk)
        heads, _ = best_trees(model, part, None if extra is None else extra.select(chunk))
        scores = attachment_scores(part, part.with_heads(heads))
        right, words = right + scores.heads, words + scores.words
    return 100 * right / words if words else None


__all__ = ["KIND", "MSTParser", "ParserProgress"]
