"""A small network over parts of speech that scores arcs and relations of any language.

Two layers of LSTM in both directions read the tag of each word and its morphology, if the text has any. Answers about
word order and statistics of the text's tags are inputs of every word. Biaffine scores choose heads and relations (Dozat
& Manning 2017, arXiv:1611.01734). A weight for each answer and pair of tags is added to arcs in the answer's direction:
so an answer acts also where the network has seen nothing like it.

Here it is run, in float32, with NumPy; ``core.parsers.universal.training`` makes it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from core.errors import FormatError
from core.parsers.universal.morphology import FEATURES
from core.parsers.universal.questions import QUESTIONS, arc_classes
from core.parsers.universal.statistics import COUNT
from core.parsers.universal.text import TAGS, TaggedWords
from core.threads import run_ranges
from core.trees import PackedScores

SCALES = " scales"  # beside the name of an array whose numbers are kept in a byte
LEAK = 0.1  # slope below 0 of the layers before the biaffine scores
MOST_ROWS = 2_048  # words that are read at a time
DIRECTIONS = ("forward", "backward")


@dataclass(frozen=True)
class Shape:
    """Sizes of a network's layers.

    Attributes
    ----------
    tags : int
        Numbers for a tag.
    beside : int
        For the answers, and as many for the statistics.
    layers, hidden : int
        Layers of LSTM, and numbers of one direction of each.
    arcs, relations : int
        Numbers of a word as end of an arc, and of a relation.
    """

    tags: int = 48
    beside: int = 16
    layers: int = 2
    hidden: int = 128
    arcs: int = 96
    relations: int = 48


def weight_shapes(shape: Shape, relations: int) -> dict[str, tuple[int, ...]]:
    """The arrays of a network that tells so many relations apart."""
    sides, questions, hidden = len(TAGS) + 1, len(QUESTIONS), shape.hidden
    shapes: dict[str, tuple[int, ...]] = {"tags": (sides, shape.tags), "features": (len(FEATURES), shape.tags)}
    for name, size in (("answers", 2 * questions), ("statistics", COUNT)):
        shapes |= {name: (size, shape.beside), f"{name}_bias": (shape.beside,)}
    for layer in range(shape.layers):
        size = 2 * hidden if layer else shape.tags + 2 * shape.beside
        for direction in DIRECTIONS:
            name = f"{direction}_{layer}"
            shapes |= {f"input_{name}": (size, 4 * hidden), f"bias_{name}": (4 * hidden,)}
            shapes[f"recurrent_{name}"] = (hidden, 4 * hidden)
    for name, size in (("arc", shape.arcs), ("relation", shape.relations)):
        for end in ("head", "modifier"):
            shapes |= {f"{name}_{end}": (2 * hidden, size), f"{name}_{end}_bias": (size,)}
    shapes |= {"arcs": (shape.arcs, shape.arcs), "arcs_head": (shape.arcs,)}
    shapes |= {"relations": (relations, shape.relations, shape.relations), "relations_bias": (relations,)}
    shapes |= {f"relations_{end}": (shape.relations, relations) for end in ("head", "modifier")}
    shapes |= {"direction": (sides, sides), "direction_classes": (questions,)}
    return shapes | {"direction_answers": (questions, sides, sides)}


def packed(weights: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Weights as a file keeps them: vectors in float16, others in a byte, each column in 127ths of its largest."""
    arrays: dict[str, np.ndarray] = {}
    for name, values in weights.items():
        if values.ndim == 1:
            arrays[name] = values.astype(np.float16)
            continue
        scales = np.abs(values).max(axis=tuple(range(values.ndim - 1))) / np.float32(127)
        arrays[name] = np.rint(values / np.where(scales > 0, scales, 1)).astype(np.int8)
        arrays[name + SCALES] = scales
    return arrays


def unpacked(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """float32 weights of what ``packed`` made. Raises FormatError for scales of another size, or not finite."""
    weights = {}
    for name, values in arrays.items():
        if name.endswith(SCALES):
            continue
        scales = arrays.get(name + SCALES, np.ones(1, np.float32))
        fits = scales.ndim == 1 and scales.size in (1, values.shape[-1] if values.ndim else 1)
        if not fits or not np.isfinite(scales).all():
            raise FormatError(f"the scales of {name} do not fit it; save it again")
        weights[name] = values.astype(np.float32) * scales.astype(np.float32)
    return weights


@dataclass(frozen=True, eq=False)
class ReadText:
    """A network's output for a text.

    Attributes
    ----------
    arcs : PackedScores
        Scores of arcs, for each word up to a constant.
    heads, modifiers : ndarray of shape (rows, K), dtype float32
        What relations are scored by: each word as head and as modifier.
    """

    arcs: PackedScores
    heads: np.ndarray
    modifiers: np.ndarray


class Network:
    """A trained network.

    Parameters
    ----------
    weights : mapping of str to ndarray
        Those of ``weight_shapes``.
    shape : Shape

    Raises FormatError for other arrays, and for numbers that are not finite.
    """

    def __init__(self, weights: Mapping[str, np.ndarray], shape: Shape):
        self.weights = {name: np.asarray(values, np.float32) for name, values in weights.items()}
        self.shape = shape
        for name, size in weight_shapes(shape, len(self.weights.get("relations_bias", ()))).items():
            if name not in self.weights:
                raise FormatError(f"the network lacks {name}; save it again")
            if self.weights[name].shape != size or not np.isfinite(self.weights[name]).all():
                raise FormatError(f"the numbers of {name} do not fit the network's shape; save it again")

    def read(
        self, words: TaggedWords, answers: np.ndarray, statistics: np.ndarray, threads: int | None = None
    ) -> ReadText:
        """The network's output for a text.

        Parameters
        ----------
        words : TaggedWords
        answers : ndarray of shape (Q,)
            From -1 to 1, NaN where open.
        statistics : ndarray of shape (N,)
            Of the text, or of a larger one in the same language; 0 where nothing is known.

        Notes
        -----
        O(rows + sum of n^2). The same bits on any number of threads.
        """
        lengths = np.diff(words.offsets)
        arcs = PackedScores.empty(lengths - 1)
        width = self.shape.relations
        heads, modifiers = (np.empty((len(words.tags), width), np.float32) for _ in range(2))
        text_inputs, directions = self._language(answers, statistics), self._directions(answers)
        groups = list(_alike(lengths))

        def work(begin, end):
            for sentences in groups[begin:end]:
                rows = words.offsets[sentences][:, None] + np.arange(int(lengths[sentences[0]]))
                tags = words.tags[rows]
                if words.shares is None:
                    states, by_side = self.weights["tags"][tags], directions[tags[:, :, None], tags[:, None, :]]
                else:  # means over the tags that a word may have
                    shares = words.shares[rows]
                    states = shares @ self.weights["tags"]
                    by_side = (shares @ directions) @ shares.transpose(0, 2, 1)
                states = states + words.features[rows].astype(np.float32) @ self.weights["features"]
                part, heads[rows], modifiers[rows] = self._scores(states, by_side, text_inputs)
                arcs.values[arcs.offsets[sentences][:, None] + np.arange(part[0].size)] = part.reshape(len(part), -1)

        run_ranges(work, np.array([len(some) * lengths[some[0]] for some in groups], np.int64), threads)
        return ReadText(arcs, heads, modifiers)

    def relation_scores(self, read: ReadText, heads: np.ndarray, modifiers: np.ndarray) -> np.ndarray:
        """float32 (M, R): scores of the relations of M arcs, given as rows of their ends, each up to a constant.

        O(M R K^2), some arcs at a time, since each takes R K numbers on the way.
        """
        weights, scores = self.weights, np.empty((len(heads), len(self.weights["relations_bias"])), np.float32)
        for begin in range(0, len(heads), MOST_ROWS):
            batch = slice(begin, begin + MOST_ROWS)
            head, modifier = read.heads[heads[batch]], read.modifiers[modifiers[batch]]
            both = np.einsum("mi,rij->mrj", head, weights["relations"], optimize=True)
            scores[batch] = np.einsum("mrj,mj->mr", both, modifier, optimize=True) + weights["relations_bias"]
            scores[batch] += head @ weights["relations_head"] + modifier @ weights["relations_modifier"]
        return scores

    def _language(self, answers, statistics):
        """(L,): the inputs of every word: answers and statistics."""
        open_ = np.isnan(answers)
        answered = np.concatenate([np.where(open_, 0, answers), ~open_]).astype(np.float32)
        both = (answered, "answers"), (np.asarray(statistics, np.float32), "statistics")
        weights = self.weights
        return np.concatenate([np.tanh(values @ weights[name] + weights[f"{name}_bias"]) for values, name in both])

    def _directions(self, answers):
        """(T + 1, T + 1): what an arc between two tags gains if it runs to the right, and loses if to the left."""
        answered, weights = np.where(np.isnan(answers), 0, answers).astype(np.float32), self.weights
        classes = arc_classes() * weights["direction_classes"][:, None, None]
        return weights["direction"] + np.tensordot(answered, weights["direction_answers"] + classes, 1)

    def _scores(self, states, by_side, text_inputs):
        """((B, n + 1, n + 1) scores of arcs, words as heads and as modifiers of relations) of sentences alike long."""
        weights = self.weights
        count, side = states.shape[:2]
        spread = np.broadcast_to(text_inputs, (count, side, len(text_inputs)))
        states = np.concatenate([states, spread], axis=2)
        for layer in range(self.shape.layers):
            states = np.concatenate([self._lstm(states, layer, direction) for direction in DIRECTIONS], axis=2)
        arc_head, arc_modifier, relation_head, relation_modifier = (
            _leaky(states @ weights[name] + weights[f"{name}_bias"])
            for name in ("arc_head", "arc_modifier", "relation_head", "relation_modifier")
        )
        scores = (arc_head @ weights["arcs"]) @ arc_modifier.transpose(0, 2, 1)
        scores += (arc_head @ weights["arcs_head"])[:, :, None]
        places = np.arange(side)
        sides = np.where(places[None, :] > places[:, None], 1, -1).astype(np.float32)
        sides[0] = 0  # a root stands on no side
        scores += sides * by_side
        return scores, relation_head, relation_modifier

    def _lstm(self, inputs, layer, direction):
        """(B, n + 1, H): the states of one direction of a layer."""
        name = f"{direction}_{layer}"
        drive = inputs @ self.weights[f"input_{name}"] + self.weights[f"bias_{name}"]
        recurrent = self.weights[f"recurrent_{name}"]
        state = cell = np.zeros((len(inputs), len(recurrent)), np.float32)
        states = np.empty((*inputs.shape[:2], len(recurrent)), np.float32)
        places = range(inputs.shape[1])
        width = len(recurrent)
        for position in places if direction == "forward" else reversed(places):
            drawn = drive[:, position] + state @ recurrent
            gates = 0.5 + 0.5 * np.tanh(0.5 * drawn[:, : 3 * width])  # the logistic function, which cannot overflow so
            enter, keep, show = gates[:, :width], gates[:, width : 2 * width], gates[:, 2 * width :]
            cell = keep * cell + enter * np.tanh(drawn[:, 3 * width :])
            state = states[:, position] = show * np.tanh(cell)
        return states


def _leaky(values):
    return np.where(values > 0, values, LEAK * values)


def _alike(lengths) -> Iterator[np.ndarray]:
    """Numbers of sentences of the same length, some at a time."""
    order = np.argsort(lengths, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1) if len(order) else ():
        most = max(1, MOST_ROWS // int(lengths[group[0]]))
        yield from (group[begin : begin + most] for begin in range(0, len(group), most))
