"""The dependency model with valence (Klein & Manning 2004): grammar induction from tags, with or without brackets.

A generative model of tags and projective trees. Trained here from unparsed text, by expectation maximisation or by
Viterbi training, optionally only over trees that respect brackets (spitkovsky2010).
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.callbacks import Cancel, Progress
from core.errors import WorkbenchError
from core.parsers.constrained_completion import contradicting_arcs, without_crossing
from core.parsers.crf.tree_crf import with_trees
from core.parsers.dmv.corpus import EM, DMVPreprocessing, TrainingText, tags_of
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.symbols import tagged_throughout
from core.parsers.dmv.text import TaggedText, arc_marginals, best_trees, expected_counts
from core.parsers.dmv.training import DMVProgress, DMVSettings, Training
from core.parsers.weights import as_model, load_arrays, save_arrays, text_tuple
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.shards.parts import Parts
from core.treebank import Treebank
from core.trees.bracket_charts import require_brackets
from core.trees.brackets import NONE, Bracket, PackedBrackets, level_number
from core.trees.packed import PackedHeads, PackedScores
from core.trees.respecting import nearest_respecting

KIND = "dmv"
ADAPTATION_LENGTH = 45
SEEDS = 5  # spitkovsky2010, section 6, scores randomised best trees; ours is the mean of so many
Brackets = PackedBrackets | Sequence[Collection[Bracket]]  # one entry a sentence


class DMV:
    """A dependency model with valence over the tags of one column.

    Parameters
    ----------
    settings : DMVSettings, optional
        How ``fit`` trains.
    tags : {"xpos", "upos", None}
        Tag column to read; None takes the filled one.

    Attributes
    ----------
    tags : tuple of str
        The T tags of the training text, in the order of ``parameters``.
    column : {"xpos", "upos"}
    parameters : Events or None
        Probabilities; known after training.
    history : list of DMVProgress
    status : {"converged", "iteration limit", "cancelled"}
    skipped : int
        Sentences left out of training because a word has no tag.
    fallbacks : dict
        {level: sentences with brackets trained at it}, after the last stage.

    Examples
    --------
    >>> model = DMV(DMVSettings(level="loose")).fit(text, brackets)
    >>> model.accuracy(test)["uas"]
    """

    def __init__(self, settings: DMVSettings | None = None, *, tags: str | None = None):
        self.settings, self._asked_column = settings or DMVSettings(), tags
        self.tags, self.column = (), None
        self.parameters: Events | None = None
        self.history, self.status, self.skipped, self.fallbacks = [], "", 0, {}

    def fit(
        self,
        treebank: Treebank | Shards,
        brackets: Brackets | None = None,
        *,
        engine: Engine | None = None,
        start: "DMV | None" = None,
        resumed: "tuple[DMV, DMVProgress] | None" = None,
        init_from: Treebank | None = None,
        adapt_to: Treebank | None = None,
        watch: Treebank | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        threads: int | None = None,
    ) -> "DMV":
        """Train on the tags of a text. Its heads are not looked at.

        Parameters
        ----------
        treebank : Treebank, or Shards
            Sentences with a word without a tag are left out and counted in ``skipped``.
        brackets : PackedBrackets, or list of lists of Bracket, optional
            Of each sentence of the treebank; needed for a level other than "none", and to trim. Shards have their own.
        engine : Engine, optional
            Where shards are worked on; here by default. The result is the same to the last bit wherever they are.
        start : DMV, optional
            Begin with its parameters, in place of ``settings.init``. Tags it lacks begin like its average tag.
        resumed : (DMV, DMVProgress), optional
            Go on where ``progress`` was called with this while ``parameters`` were those of this model, to the same
            bits. The text and the settings are those of then, and ``settings.resumable``.
        init_from : Treebank, optional
            Estimate ``settings.init`` on this text, in place of the one that is trained on.
        adapt_to : Treebank, optional
            The text of the last stage, if the settings say so.
        watch : Treebank, optional
            Text with gold heads to score every iteration, for ``progress`` to tell.
        progress : callable, optional
            Called with a DMVProgress in every iteration, while ``parameters``, and so ``best_heads``, are those that
            it tells of.
        cancel : callable, optional
            Asked in every iteration; when it returns True training ends with the parameters so far.
        threads : int, optional

        Returns
        -------
        DMV
            This object.

        Raises
        ------
        WorkbenchError : no tags, nothing left to train on, brackets that do not fit the sentences, settings that
        cannot be resumed, a start of other tags.

        Notes
        -----
        An iteration costs O(sum of n^3) time, and O(rows) memory besides one chart a thread.
        """
        settings = self.settings
        _require_inputs(settings, isinstance(treebank, Shards) or brackets is not None, adapt_to, resumed)
        self.column = _column_of(treebank, self._asked_column)
        tags = set(start.tags if start else ())
        for text in (treebank, adapt_to if settings.adapt else None):
            tags |= set() if text is None else tags_of(text, self.column, engine)
        if init_from is not None:
            tags |= _tags_of_start(init_from, self.column, tags, settings.init)
        self.tags = tuple(sorted(tags))
        level = level_number(settings.level)
        text = self._training_text(treebank, brackets, level, settings.trim, engine)
        reached = (resumed[0]._parameters(), resumed[1]) if resumed else None
        training = Training(settings, progress, cancel, self._accuracy_of(watch), threads, reached)
        begin = start._parameters().over(start.tags, self.tags) if start else None
        if init_from is not None:
            begin = training.start(self._training_text(init_from, None, NONE, False, engine), len(self.tags))
        self.parameters = training.run(text, len(self.tags), begin)
        self.fallbacks = training.history[-1].fallbacks if training.history else resumed[0].fallbacks if resumed else {}
        if settings.adapt and training.status != "cancelled":
            training.settings = replace(settings, level="none", schedule="plain")
            other = self._training_text(adapt_to, None, NONE, False, engine)
            self.parameters = training.stages(other, self.parameters, (ADAPTATION_LENGTH,))
        self.history, self.status = training.history, training.status
        return self

    def best_heads(
        self, treebank: Treebank, *, brackets: Brackets | None = None, level: str = "none", seed: int = 0,
        threads: int | None = None,
    ) -> PackedHeads:  # fmt: skip
        """Heads of the most probable trees, that respect the brackets if given: PackedHeads.

        Ties are broken at random by ``seed``. Where no tree respects a sentence's brackets they fall back level by
        level. Where all that do are impossible, the nearest of them to the most probable tree is taken. Words whose tag
        training never saw count as an average tag.
        """
        text, parameters = self.read_text(treebank, brackets, level)
        values, rows = best_trees(text, parameters, seed, threads)
        heads, marked = PackedHeads(rows, treebank.offsets), np.diff(text.brackets.offsets) > 0
        if (text.levels[marked] == text.level).all():
            return heads
        # a sentence may have fallen back since no tree that respects its brackets has a probability above 0
        possible = zip(text.brackets.lists(), (values > -np.inf).tolist(), strict=True)
        respected = PackedBrackets.from_lists([marks if has_tree else [] for marks, has_tree in possible])
        return PackedHeads(nearest_respecting(heads, respected, level), heads.offsets)

    def parse(
        self, treebank: Treebank, *, brackets: Brackets | None = None, level: str = "none", seed: int = 0,
        threads: int | None = None,
    ) -> Treebank:  # fmt: skip
        """The treebank with every tree replaced by the most probable one; relations become "root" and "dep"."""
        heads = self.best_heads(treebank, brackets=brackets, level=level, seed=seed, threads=threads)
        return with_trees(treebank, heads.values)

    def completed_heads(self, treebank: Treebank, threads: int | None = None) -> np.ndarray:
        text, parameters = self.read_text(treebank)
        layout = treebank.lengths + 1, text.arcs
        known = without_crossing(treebank.heads, *layout)
        bonus = np.where(contradicting_arcs(known, *layout), 0.0, 1.0)
        return best_trees(text, parameters, threads=threads, bonus=bonus)[1]

    def accuracy(
        self, treebank: Treebank, *, seeds: int = SEEDS, brackets: Brackets | None = None, level: str = "none",
        threads: int | None = None,
    ) -> dict:  # fmt: skip
        """Attachment scores against the treebank's own trees, over several ways to break ties.

        The trees respect the brackets if given, as in ``best_heads``.

        Returns
        -------
        dict
            ``uas``, the mean in percent; ``lowest`` and ``highest``; ``words`` and ``seeds`` scored.

        Raises
        ------
        WorkbenchError : no word has a gold head.
        """
        known = treebank.heads >= 0
        if not known.any():
            raise WorkbenchError("no word of the text to score has a head; give a file with trees")
        scores = []
        for seed in range(seeds):
            heads = self.best_heads(treebank, brackets=brackets, level=level, seed=seed, threads=threads).values
            scores.append(100 * float((heads == treebank.heads)[known].mean()))
        return {
            "uas": float(np.mean(scores)),
            "lowest": min(scores),
            "highest": max(scores),
            "words": int(known.sum()),
            "seeds": seeds,
        }

    def log_likelihood(self, treebank: Treebank, *, threads: int | None = None) -> np.ndarray:
        """log P(tags) of each sentence, over all trees: float64 (S,), in nats; -inf for what cannot be."""
        text, parameters = self.read_text(treebank)
        return expected_counts(text, parameters, threads)[0]

    def cross_entropies(self, treebank: Treebank, *, threads: int | None = None) -> np.ndarray:
        """-log2 P(tags) / n of each sentence of n words: float64 (S,), in bits per token."""
        return -self.log_likelihood(treebank, threads=threads) / np.log(2) / treebank.lengths

    def cross_entropy(
        self, treebank: Treebank | Shards, *, engine: Engine | None = None, threads: int | None = None
    ) -> float:
        """-log2 P(tags) of the text by its number of words, in bits per token; of shards by ``engine``.

        Of shards, sentences with a word without a tag, and sentences that cannot be, do not count.
        """
        if isinstance(treebank, Shards):
            preprocessing = DMVPreprocessing(_column_of(treebank, self.column), self.tags)
            text = TrainingText(Parts.of(treebank, engine), preprocessing)
            return -text.count(self._parameters().with_unknown_tag(), EM, 0, threads)[0] / np.log(2) / text.token_count
        return float(-self.log_likelihood(treebank, threads=threads).sum() / np.log(2) / treebank.token_count)

    def marginals(
        self, treebank: Treebank, *, brackets: Brackets | None = None, level: str = "none", threads: int | None = None
    ) -> tuple[np.ndarray, PackedScores]:
        """(log-likelihoods float64 (S,), arc marginals PackedScores), over trees that respect the brackets if given."""
        text, parameters = self.read_text(treebank, brackets, level)
        log_likelihoods, values, offsets = arc_marginals(text, parameters, threads)
        return log_likelihoods, PackedScores(values, offsets)

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write the model to a path or binary file: probabilities, and tags and settings as JSON. No pickle."""
        settings = {"tags": list(self.tags), "column": self.column, "training": asdict(self.settings)}
        settings["fallbacks"] = self.fallbacks
        take, valence, root = self._parameters().arrays
        save_arrays(path, KIND, settings, take=take, valence=valence, root=root)

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "DMV":
        """Read a model that ``save`` wrote, from a path or binary file. Raises FormatError for any other file."""
        settings, arrays = load_arrays(path, KIND, required=("take", "valence", "root"))
        with as_model(path):
            training = settings["training"]
            model = cls(DMVSettings(**{**training, "lengths": tuple(training["lengths"])}), tags=settings["column"])
            model.tags, model.column = text_tuple(settings["tags"]), settings["column"]
            model.fallbacks = settings.get("fallbacks", {})
            model.parameters = Events.checked(arrays["take"], arrays["valence"], arrays["root"], len(model.tags))
            return model

    def reading(self, treebank: Treebank) -> "DMV":
        """This object, with the tags of a text and no parameters. Raises WorkbenchError for a word without a tag."""
        self.column = _column_of(treebank, self._asked_column)
        if not tagged_throughout(treebank, self.column).all():
            raise WorkbenchError("a word of the text has no tag; tag all words, or leave its sentence out")
        self.tags = tuple(sorted(tags_of(treebank, self.column, None)))
        return self

    def tagged_text(self, treebank: Treebank) -> TaggedText:
        """The TaggedText of a text without brackets; tags that the model does not know have the number T."""
        return TaggedText(self._numbers(treebank), treebank.offsets)

    def _parameters(self) -> Events:
        if self.parameters is None:
            raise WorkbenchError("this model has not been trained yet; call fit first")
        return self.parameters

    def _training_text(self, treebank, brackets, level, trim, engine):
        packed = None if isinstance(treebank, Shards) or brackets is None else _packed(brackets, treebank)
        preprocessing = DMVPreprocessing(_column_of(treebank, self.column), self.tags, level, trim)
        text, lengths = TrainingText(Parts.of(treebank, engine, packed), preprocessing), self.settings.lengths
        self.skipped += text.skipped
        if not text.sentence_count or (None not in lengths and min(text.lengths) > max(lengths)):
            raise WorkbenchError("no sentence is left to train on; allow longer ones, or do not trim")
        return text

    def read_text(
        self, treebank: Treebank, brackets: Brackets | None = None, level: str = "none"
    ) -> tuple[TaggedText, Events]:  # fmt: skip
        """(TaggedText, parameters that know unseen tags) to apply the model to."""
        parameters = self._parameters()
        text = TaggedText(self._numbers(treebank), treebank.offsets, _packed(brackets, treebank), level_number(level))
        return text, parameters.with_unknown_tag()

    def _numbers(self, treebank):
        assert self.column is not None  # since there are parameters, or training has begun
        return DMVPreprocessing(self.column, self.tags).numbers(treebank)

    def _accuracy_of(self, watched):
        """A function that takes over the parameters of an iteration: the percentage of right heads in a text, or None.

        The text is the watched one, without which there is nothing to score.
        """
        if watched:
            known = watched.heads >= 0
            if not known.any():
                raise WorkbenchError("no word of the text to watch has a head; give a file with trees")
            text = self.tagged_text(watched)

        def accuracy(parameters):
            self.parameters = parameters
            if not watched:
                return None
            heads = best_trees(text, parameters.with_unknown_tag())[1]
            return 100 * float((heads == watched.heads)[known].mean())

        return accuracy


def _require_inputs(settings, has_brackets, adapt_to, resumed):
    """Raise WorkbenchError for inputs that are missing, or that the settings forbid."""
    if settings.adapt and adapt_to is None:
        raise WorkbenchError("adaptation needs a text to adapt to; give adapt_to, or leave adapt out")
    if not has_brackets and (settings.trim or settings.level != "none"):
        raise WorkbenchError("a level, and trimming, need brackets; extract them from mark-up, or train without")
    if resumed and not settings.resumable:
        raise WorkbenchError("leapfrog and restarts cannot be resumed half-way; train from the start")


def _tags_of_start(treebank, column, tags, init):
    """The tags of a text that a start is estimated on. Raises WorkbenchError where that tells nothing of ``tags``."""
    if init == "uniform":
        raise WorkbenchError("a uniform start is estimated on no text; choose harmonic or adhoc, or give none")
    own = tags_of(treebank, column, None)
    if not own & tags:
        raise WorkbenchError(
            f"{treebank.name or 'the text for the start'} has none of the {column} tags that are trained on; choose a "
            "text with the same tags"
        )
    return own


def _column_of(text, asked):
    """The tag column of a text: the one asked for, else the filled one, XPOS if both are."""
    if isinstance(text, Shards):
        return text.tag_name(asked)
    return asked or text.tag_name()


def _packed(brackets, treebank):
    """PackedBrackets that fit the treebank; empty ones for None."""
    if brackets is None:
        brackets = [[]] * len(treebank)
    packed = brackets if isinstance(brackets, PackedBrackets) else PackedBrackets.from_lists(brackets)
    if len(packed) != len(treebank):
        raise WorkbenchError(f"{len(treebank)} sentences need as many lists of brackets, got {len(packed)}")
    require_brackets(packed, treebank.lengths)
    return packed
