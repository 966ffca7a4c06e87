"""Online learning of a graph-based parser: single-best MIRA, and the averaged perceptron.

Sentence by sentence the best tree under the weights so far is sought. Where it is wrong, the weights move from its
features towards those of the gold tree. The perceptron moves them by one (Collins 2002). MIRA moves them just so far
that the gold tree wins by the number of wrong heads. (Crammer & Singer 2003; McDonald, Crammer & Pereira 2005, section
2.3, with one constraint a sentence.) The weights kept are the averages over all steps.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel, Progress
from core.features.packed import PackedParts, PackedSparse, arc_offsets_of
from core.parsers.mst import kernels, label_kernels, update_kernels
from core.parsers.mst.model import LONGEST, NO_TREE, MSTModel
from core.parsers.scores import ParserScores
from core.treebank import Treebank
from core.trees import PackedScores, PackedTriples

LEARNERS = ("mira", "perceptron")
TRAINED, CANCELLED = "trained", "cancelled"
REPORT_SECONDS = 0.25
LARGEST_LABEL_STEP = 0.1
LABELLED_AT_ONCE = 200  # sentences between two looks at ``cancel``


@dataclass(frozen=True)
class ParserProgress:
    """The progress of training.

    ``epoch`` counts from 1; ``fraction`` is of all work. ``dev_uas`` stands in the report that ends an epoch, where
    there is a development text. ``stage`` is "trees", or "labels" for relations.
    """

    epoch: int
    fraction: float
    seconds: float
    dev_uas: float | None = None
    stage: str = "trees"


class TreeTrainer:
    """Weights in training on sentences with complete trees.

    Parameters
    ----------
    model : MSTModel
        Its weights are where training begins; they are not modified.
    treebank : Treebank
    learner : {"mira", "perceptron"}
    largest_step : float
        No sentence moves the weights further than so many times its difference in features.
    extra : PackedSparse or None
        The caller's own features.
    importance : ndarray of shape (S,), optional
        What each sentence's step is multiplied by.
    first_learnt : int
        Weights before this place stay as they are.

    Attributes
    ----------
    bonus : ndarray of shape (arcs,), dtype float64, or None
        What each arc scores beside its features, packed as scores are; nothing at first. It may be set between steps.
    """

    def __init__(
        self, model: MSTModel, treebank: Treebank, learner: str, largest_step: float, extra: PackedSparse | None = None,
        importance: np.ndarray | None = None, first_learnt: int = 0,
    ):  # fmt: skip
        self.model = model.with_weights(model.weights.copy())
        self.treebank, self.learner, self.largest_step, self.extra = treebank, learner, largest_step, extra
        self.importance = np.ones(len(treebank)) if importance is None else importance
        self.first_learnt, self.bonus, self._arc_offsets = first_learnt, None, arc_offsets_of(treebank.lengths)
        self.fields = model.fields(treebank)
        self.sums = np.zeros(len(model.weights))
        self.step = 0
        self.relations = model.relation_ids(treebank)
        self.merged = np.zeros(len(model.weights), np.float32)
        self._workspace = _Workspace(int(treebank.lengths.max()), model)

    def averaged(self) -> MSTModel:
        """The model with the averages of all weights so far."""
        weights = self.model.weights - self.sums / max(self.step, 1)
        return self.model.with_weights(weights.astype(np.float32))

    def learn(self, sentence: int) -> int:
        """Decode a sentence and update; returns how many heads were wrong."""
        model, rows = self.model, self.treebank.offsets[sentence : sentence + 2]
        gold = label_kernels.LabelledTree(self.treebank.heads[rows[0] : rows[1]], self.relations[rows[0] : rows[1]])
        goal = gold if self.learner == "mira" else NO_TREE
        if model.order > 1 and len(gold[0]) - 1 > LONGEST:
            scores = model.score_pruned(rows, self.fields, self.extra, sentence, goal)
        else:
            scores = self._workspace.scores(len(gold[0]) - 1)
            model.fill(rows, self.fields, (0, 1), scores, self.extra, sentence, goal)
        if (bonus := self._bonus_of(sentence)) is not None:
            scores.arcs.values[:] += bonus
        heads = scores.decode(threads=1).values
        wrong = loss = int(np.count_nonzero(heads[1:] != gold[0][1:]))
        decoded = heads, gold[1]
        if model.joint:
            decoded = heads, scores.chosen_labels(heads)
            loss = int(np.count_nonzero((heads[1:] != gold[0][1:]) | (decoded[1][1:] != gold[1][1:])))
        if loss:
            weights, size = self.model.weights, 1.0
            places, values = self.difference(sentence, decoded)
            missing = loss - (0.0 if bonus is None else _advantage(bonus, gold.heads, heads))
            if self.first_learnt:
                fixed = places < self.first_learnt
                missing -= float(weights[places[fixed]] @ values[fixed])
                places, values = places[~fixed], values[~fixed]
            count = len(places)
            if self.learner == "mira":
                size = update_kernels.step_size(weights, places, values, count, float(missing), self.largest_step)
            size *= float(self.importance[sentence])
            update_kernels.update(weights, self.sums, places, values, count, size, float(self.step))
        self.step += 1
        return wrong

    def _bonus_of(self, sentence):
        """The bonuses of a sentence's arcs, a view; None if there are none."""
        return None if self.bonus is None else self.bonus[slice(*self._arc_offsets[sentence : sentence + 2])]

    def difference(self, sentence: int, other: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """The features of a sentence's gold tree minus those of another: (places, values), places distinct."""
        model, extra = self.model, self.extra
        begin, end = self.treebank.offsets[sentence : sentence + 2]
        words, nothing = self.fields[begin:end], self.fields[-1]
        gold = label_kernels.LabelledTree(self.treebank.heads[begin:end], self.relations[begin:end])
        other = label_kernels.LabelledTree(*other)
        trees, room = (gold.heads, other.heads), update_kernels.Difference(*self._buffers(sentence, gold[0], other[0]))
        count = kernels.collect_parts(words, nothing, model.table, model.order, *trees, *room)
        if model.joint:
            table = model.label_table, model.first_label
            count = label_kernels.collect_arcs(words, nothing, *table, gold, other, room, count)
        if extra is not None:
            arcs = update_kernels.ArcFeatures(extra.arc_offsets, extra.offsets, extra.ids, extra.values), sentence
            count = update_kernels.collect_sparse(model.first_extra, *arcs, *trees, room, count)
            if model.joint:
                table = model.first_extra_label, len(model.relations), *arcs
                count = label_kernels.collect_extra(*table, gold, other, room, count)
            if (packed := self._parts(gold.heads)) is not None:
                parts = update_kernels.PartFeatures(
                    packed.part_offsets, packed.parts, packed.part_feature_offsets, packed.part_ids, packed.part_values
                )
                kinds = model.order - 1
                count = update_kernels.collect_parts(model.first_extra, parts, sentence, kinds, *trees, room, count)
        count = update_kernels.merge(*room, count, self.merged)
        return room.places[:count], room.values[:count]

    def _parts(self, tree):
        """The caller's own features of siblings and grandparents where they were part of a tree's scores, or None."""
        return self.extra if isinstance(self.extra, PackedParts) and len(tree) - 1 <= LONGEST else None

    def _buffers(self, sentence, gold, other):
        used, side = self.model.templates, len(gold)
        arc = 2 * (len(used.arcs) + len(used.between) * side)
        outer = 2 * (len(used.pairs) + len(used.triples)) * (self.model.order - 1)
        wrong = int(np.count_nonzero(gold != other))
        size = 2 * (wrong * arc + side * outer)
        if self.model.joint:
            size += 2 * side * len(self.model.label_templates.parts)
        if self.extra is not None:
            begin = self.extra.arc_offsets[sentence]
            arcs = np.concatenate(
                [begin + tree[1:].astype(np.int64) * side + np.arange(1, side) for tree in (gold, other)]
            )
            size += (1 + self.model.joint) * int((self.extra.offsets[arcs + 1] - self.extra.offsets[arcs]).sum())
            if (parts := self._parts(gold)) is not None:
                begin, end = parts.part_feature_offsets[parts.part_offsets[sentence : sentence + 2]]
                size += int(end - begin)
        return np.empty(size, np.int64), np.empty(size, np.float32)


def _advantage(values, gold, other):
    """By how much more the arcs of a gold tree are worth than those of another; ``values`` are those of all arcs."""
    arcs, words = values.reshape(len(gold), -1), np.arange(1, len(gold))
    return float(arcs[gold[1:], words].sum() - arcs[other[1:], words].sum())


class _Workspace:
    """Score arrays for one sentence at a time, as views into memory for the longest."""

    def __init__(self, longest, model):
        self.model, self.arcs = model, np.zeros((longest + 1) ** 2)
        self.labels = np.zeros((longest + 1) ** 2, np.int16) if model.joint else None
        self.cubes = [np.zeros((min(longest, LONGEST) + 1) ** 3) for _ in range(model.order - 1)]

    def scores(self, length):
        square, cube = (length + 1) ** 2, (length + 1) ** 3
        cubes = [PackedTriples(values[:cube], np.array((0, cube))) for values in self.cubes]
        siblings, grandparents = (*cubes, None, None)[:2]
        arcs = PackedScores(self.arcs[:square], np.array((0, square)))
        labels = None if self.labels is None else self.labels[:square]
        return ParserScores(arcs, siblings, grandparents, self.model.projective, labels)


def train_trees(
    trainer: TreeTrainer, epochs: int, seed: int | np.random.Generator, *, share: float = 1.0,
    evaluate: Callable[[MSTModel], float | None] | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> str:  # fmt: skip
    """Run a TreeTrainer over its sentences; "trained", or "cancelled" when ``cancel()`` was True between two sentences.

    A generator in place of a ``seed`` goes on where an earlier call has left it.
    ``evaluate(model)`` gives the accuracy on a development text after each epoch; ``share`` is the share of all
    work, the last part of it.
    """
    began, random = time.perf_counter(), np.random.default_rng(seed)
    count = len(trainer.treebank)
    for epoch in range(epochs):
        reported = time.perf_counter()
        for at, sentence in enumerate(random.permutation(count).tolist(), start=1):
            if cancel is not None and cancel():
                return CANCELLED
            trainer.learn(sentence)
            time_now = time.perf_counter()
            last = at == count
            if progress is not None and (last or time_now - reported >= REPORT_SECONDS):
                reported = time_now
                dev = evaluate(trainer.averaged()) if last and evaluate is not None else None
                fraction = 1 - share * (1 - (epoch + at / count) / epochs)
                progress(ParserProgress(epoch + 1, fraction, time.perf_counter() - began, dev))
    return TRAINED


def train_labels(
    model: MSTModel, treebank: Treebank, epochs: int, seed: int, *, done: float, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> tuple[MSTModel, str]:  # fmt: skip
    """(model, status): learn the relations of words in their gold trees, the weights of trees unchanged."""
    began, random = time.perf_counter(), np.random.default_rng(seed)
    trained = model.with_weights(model.weights.copy())
    table = trained.label_table
    sums, step, status = np.zeros(len(table.weights)), 0, TRAINED
    fields, gold = model.fields(treebank), model.relation_ids(treebank)
    for epoch in range(epochs):
        order = random.permutation(len(treebank))
        for begin in range(0, len(order), LABELLED_AT_ONCE):
            if cancel is not None and cancel():
                status = CANCELLED
                break
            chunk = order[begin : begin + LABELLED_AT_ONCE]
            learning = label_kernels.Learning(sums, LARGEST_LABEL_STEP, float(step))
            label_kernels.learn_trees(treebank.offsets, fields, table, learning, treebank.heads, gold, chunk)
            step += int(treebank.lengths[chunk].sum())
        if status == CANCELLED:
            break
        if progress is not None:
            seconds, fraction = time.perf_counter() - began, done * (epoch + 1) / epochs
            progress(ParserProgress(epoch + 1, fraction, seconds, stage="labels"))
    table.weights[:] -= sums / max(step, 1)
    return trained, status
