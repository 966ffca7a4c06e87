"""Structural correspondence learning for edges: shimizu2007 section 3, after Blitzer, McDonald & Pereira (2006).

1. Pivots are asked of pairs of words in unlabelled text of both domains. 2. A linear predictor of each learns which
words go with it. 3. The singular vectors U of the predictors' weights span a space that both domains share.
4. U^T applied to an edge's features gives new features, appended to the parser's own in training and parsing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy  # its parts load when first used, not on the way to the first page

from core.adaptation.drawn_pairs import Questions, draw
from core.adaptation.pivots import Pivot, between_words, frequent_features, load_pivots
from core.adaptation.predictors import (
    ITERATIONS,
    Predictors,
    principal_directions,
    sum_predictors,
    train_predictors,
)
from core.adaptation.settings import MOST_DIMENSIONS, CorrespondenceSettings
from core.callbacks import Cancel, Progress
from core.errors import WorkbenchError
from core.features.edges import EdgeFeatures, WordVocabulary
from core.features.packed import PackedDense, PackedSparse
from core.parsers.mst.adapted import Projection
from core.shards.engine import Engine, pairwise_sum
from core.shards.folder import Shards
from core.treebank import Treebank

TEXTS = ("source", "target")


@dataclass(frozen=True, eq=False)
class Correspondence(Projection):
    """A trained correspondence; never changes.

    Attributes
    ----------
    pivots : tuple
        The P pivots that occur.
    columns : tuple of str
        What decided each: "form", "upos" or "xpos".
    counts : ndarray of shape (2, P), dtype int64
        Of the sampled edges of source and target, how many each pivot holds of.
    sampled : ndarray of shape (2,), dtype int64
        Sampled edges of source and target.
    predictors : Predictors
    singular_values : ndarray (K,)
    loadings : ndarray (K, P)
        V: how each pivot's predictor is made of the directions.
    """

    pivots: tuple
    columns: tuple
    counts: np.ndarray
    sampled: np.ndarray
    predictors: Predictors
    singular_values: np.ndarray
    loadings: np.ndarray


class StructuralCorrespondence:
    """Features of edges that mean the same in two domains, learnt from their unlabelled text.

    Parameters
    ----------
    pivots : sequence of Pivot, optional
        Those of ``language`` where left out: preposition, determiner, helping verb.
    language : str, default="en"
        Which word lists: a file of ``assets/pivots``.
    **settings
        Of ``CorrespondenceSettings``.

    Attributes
    ----------
    model : Correspondence or None
        Known after ``fit``.
    notes : tuple of str
        What could not be done as asked: pivots that never occur, fewer directions, missing tags.

    Examples
    --------
    >>> learnt = StructuralCorrespondence().fit(source, unlabelled)
    >>> parser = MSTParser(projective=False, labels="joint").fit(source, extra=learnt.features)
    >>> parsed = parser.parse(text, extra=learnt.features)
    """

    def __init__(self, pivots: Sequence[Pivot] | None = None, *, language: str = "en", **settings: Any):
        self.pivots = load_pivots(language) if pivots is None else tuple(pivots)
        self.settings = CorrespondenceSettings(**settings)
        between, frequent = self.settings.between, self.settings.frequent
        if min(between, frequent) < 0 or not len(self.pivots) + between + frequent:
            raise WorkbenchError("there must be at least one pivot; give pivots, between or frequent")
        self.model, self.notes = None, ()

    def fit(
        self, source: Treebank, target: Treebank | Shards, progress: Progress | None = None,
        cancel: Cancel | None = None, *, engine: Engine | None = None,
    ) -> "StructuralCorrespondence":  # fmt: skip
        """Learn from the words of two texts; their trees are not looked at.

        Parameters
        ----------
        source : Treebank
        target : Treebank or Shards
            Of shards the predictors must be "logistic": their loss is a sum. Each shard draws its part of the pairs.
        progress : callable, optional
            Called with (trained predictors, all of them).
        cancel : callable, optional
            Asked before every predictor; raises ``core.errors.Cancelled`` when it returns True.
        engine : Engine, optional
            Where shards are worked on; here by default.

        Returns
        -------
        StructuralCorrespondence
            This object.

        Raises
        ------
        WorkbenchError : a text without two words in a sentence; none of the pivots occurs.
        """
        if isinstance(target, Shards) and self.settings.predictor != "logistic":
            raise WorkbenchError(
                "stochastic gradient descent goes from pair to pair, which is no sum over shards; choose the logistic "
                "predictor"
            )
        notes = []
        drawn = draw((source, target), self.settings.edges, self.settings.seed, engine, cancel)
        for name, text in zip(TEXTS, drawn, strict=True):
            if not len(text):
                raise WorkbenchError(f"the {name} text {text.name!r} has no sentence of two words; give more text")
        texts = [text.counts for text in drawn]
        features = self._features(texts, notes)
        questions, counts = self._pivots(texts, features, drawn, notes)
        sampled, pivots = np.array([len(text) for text in drawn]), len(questions.pivots)
        learn = self._summed if isinstance(target, Shards) else self._trained
        predictors, moments = learn([text.answers(questions) for text in drawn], progress, cancel)
        if not predictors.converged:
            notes.append(
                f"the search for predictors stopped at its limit of {ITERATIONS:,}, before it converged; give a larger "
                "penalty"
            )
        wanted = self._dimensions(pivots, int(sampled.sum()), notes)
        directions, values, loadings = principal_directions(predictors.weights, wanted)
        if len(values) < wanted:
            notes.append(f"the predictors of {pivots} pivots span {len(values)} dimensions, not {wanted}")
        if not len(values):
            raise WorkbenchError("no predictor learnt anything; give more text or other pivots")
        mean, deviation = moments(directions)
        self.model = Correspondence(
            features=features,
            pivots=questions.pivots,
            columns=questions.columns,
            counts=counts,
            sampled=sampled,
            predictors=predictors,
            directions=directions,
            singular_values=values,
            loadings=loadings,
            mean=mean,
            deviation=np.where(deviation > 0, deviation, 1.0),
            standardize=self.settings.standardize,
            scale=self.settings.scale,
            directed=self.settings.directed,
        )
        self.notes = tuple(notes)
        return self

    def features(self, treebank: Treebank) -> PackedSparse | PackedDense:
        """The induced features of a text, as ``Correspondence.induced`` has them: ``extra`` of an ``MSTParser``."""
        return self.trained().induced(treebank)

    def scaled(self, scale: float) -> "StructuralCorrespondence":
        """A copy whose induced features are scaled otherwise; nothing is learnt again."""
        other = StructuralCorrespondence.__new__(StructuralCorrespondence)
        settings = replace(self.settings, scale=float(scale))
        other.__dict__.update(self.__dict__, settings=settings, model=replace(self.trained(), scale=float(scale)))
        return other

    def trained(self) -> Correspondence:
        """The Correspondence; WorkbenchError before ``fit``."""
        if self.model is None:
            raise WorkbenchError("no correspondence has been learnt yet; call fit with text of both domains")
        return self.model

    def _features(self, texts, notes):
        forms = [text.form for text in texts]
        vocabularies = [WordVocabulary.counted("form", forms, self.settings.minimum_count, self.settings.lowercase)]
        if self.settings.tags:
            column = next((name for name in ("upos", "xpos") if all(getattr(text, name) for text in texts)), None)
            if column is None:
                notes.append("predictors read words alone: not all text has tags in one column; tag it to read them")
            else:
                vocabularies.append(WordVocabulary.counted(column, [getattr(text, column) for text in texts]))
        return EdgeFeatures(tuple(vocabularies), self.settings.distance)

    def _pivots(self, texts, features, drawn, notes):
        """(Questions of the pivots that occur, of how many pairs of each text they hold (2, P))."""
        frequent, sizes, wanted = (), list(map(len, drawn)), self.settings.between + self.settings.frequent
        if self.settings.frequent:
            vocabulary = features.vocabularies[0]
            words = [text.words(vocabulary) for text in drawn]
            frequent = frequent_features(vocabulary, words, sizes, self.settings.frequent)
        source, target = texts
        pivots = [*self.pivots, *between_words(source, target, self.settings.between), *frequent]
        shared = len(pivots) - len(self.pivots)
        if shared < wanted:
            notes.append(f"the texts share {shared} of the {wanted} frequent pivots asked for")
        asked = [(pivot, pivot.column_for(texts)) for pivot in pivots]
        known = _questions(features, [(pivot, column) for pivot, column in asked if column is not None])
        counts = np.stack([text.held(known) for text in drawn]) if known.pivots else np.empty((2, 0), np.int64)
        usable = []
        notes += [
            f"pivot {pivot.name} is left out: it names tags only, which not all text has; add words"
            for pivot, column in asked if column is None
        ]  # fmt: skip
        for number, (pivot, held) in enumerate(zip(known.pivots, counts.T, strict=True)):
            if held.all() and (held < sizes).any():
                usable.append(number)
            elif held.all():
                notes.append(f"pivot {pivot.name} is left out: it holds of every word pair")
            else:
                where = " and ".join(np.array(TEXTS)[held == 0].tolist())
                notes.append(f"pivot {pivot.name} is left out: it never holds of a word pair of the {where} text")
        if not usable:
            raise WorkbenchError(f"none of the {len(pivots)} pivots can be used: {'; '.join(notes)}; give other pivots")
        chosen = [(known.pivots[number], known.columns[number]) for number in usable]
        return _questions(features, chosen), counts[:, usable]

    def _trained(self, answers, progress, cancel):
        """(Predictors, function from directions to the mean and deviation of their features) of pairs in memory."""
        known = [part for pairs in answers for part in pairs.known()]
        targets = np.concatenate([part.targets for part in known])
        design = scipy.sparse.vstack([part.design for part in known], format="csr")
        # the predictors need 32-bit indices where they fit
        design.indices, design.indptr = design.indices.astype(np.int32), design.indptr.astype(np.int32)
        hidden = known[0].hidden
        predictors = train_predictors(design, targets, hidden, self.settings, progress=progress, cancel=cancel)

        def moments(directions):
            seen = design @ directions
            return seen.mean(axis=0), seen.std(axis=0)

        return predictors, moments

    def _summed(self, answers, progress, cancel):
        """Predictors and moments as ``_trained`` returns them, by sums over texts."""
        predictors = sum_predictors(answers, penalty=self.settings.penalty, cancel=cancel)
        size, pivots = sum(map(len, answers)), len(predictors.intercepts)
        if progress is not None:
            progress(pivots, pivots)

        def moments(directions):
            mean = pairwise_sum(pairs.moments(directions) for pairs in answers) / size
            return mean, np.sqrt(pairwise_sum(pairs.moments(directions, mean) for pairs in answers) / size)

        return predictors, moments

    def _dimensions(self, pivots, edges, notes):
        wanted = self.settings.dimensions
        if wanted is None:
            return min(pivots, edges, MOST_DIMENSIONS)
        if edges < wanted:
            notes.append(f"{edges} word pairs give at most {edges} dimensions, not {wanted}")
        if pivots < wanted:
            give = "pivot gives" if pivots == 1 else "pivots give"
            notes.append(f"{pivots} {give} at most {pivots} dimension{'s' * (pivots > 1)}, not {wanted}")
        return min(wanted, pivots, edges)


def _questions(features, asked):
    """Questions about pivots, and the column that decides each."""
    return Questions(features, tuple(pivot for pivot, _ in asked), tuple(column for _, column in asked))
