"""Training the network of ``core.parsers.universal.network`` with JAX and Optax (the extra "universal").

Cross-entropy of heads and half that of relations; Adam with a cosine decay; the mean of the last steps' weights
is kept. The same bits from the same seed, on the same number of cores.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from core.callbacks import Cancel
from core.errors import WorkbenchError
from core.parsers.universal.examples import Batch, Drawing, epoch
from core.parsers.universal.network import DIRECTIONS, LEAK, Network, Shape, weight_shapes
from core.parsers.universal.questions import QUESTIONS, arc_classes
from core.parsers.universal.text import TaggedWords

FORBIDDEN = -1e9  # the score of an impossible head, in float32
KEPT = 0.995  # decay of the mean weights at each step; the first steps forget the start
CLIPPED = 5.0  # the longest gradient
RELATIONS_WEIGHT = 0.5  # weight of the relations' cross-entropy

Weights = Mapping[str, jax.Array | np.ndarray]


@dataclass(frozen=True)
class UniversalSettings:
    """Settings by which a universal parser is trained.

    Attributes
    ----------
    epochs : int
    rate : float
        Of learning, at the beginning.
    dropout : float
        Share of numbers between layers that are left out at each step.
    seed : int
    shape : Shape
    drawing : Drawing
    """

    epochs: int = 8
    rate: float = 2e-3
    dropout: float = 0.2
    seed: int = 0
    shape: Shape = field(default_factory=Shape)
    drawing: Drawing = field(default_factory=Drawing)

    def __post_init__(self):
        if self.epochs < 1:
            raise WorkbenchError(f"training needs at least one epoch, got {self.epochs}")


class UniversalProgress(NamedTuple):
    """After an epoch: its number from 1, how many there are, the mean loss in nats a word."""

    epoch: int
    epochs: int
    loss: float


def train_network(
    sources: Sequence[TaggedWords], relations: Sequence[str], settings: UniversalSettings | None = None, *,
    progress: Callable[[UniversalProgress], object] | None = None, cancel: Cancel | None = None,
) -> Network:  # fmt: skip
    """Learn from treebanks of several languages.

    Parameters
    ----------
    sources : sequence of TaggedWords
        A treebank each, every sentence a tree; numbers of relations are places in ``relations``.
    relations : sequence of str
    settings : UniversalSettings, optional
    progress : callable, optional
        Called after each epoch.
    cancel : callable, optional
        Asked after each batch; True ends training with what has been learnt.

    Returns
    -------
    Network

    Raises
    ------
    WorkbenchError : there is no source, or too few sentences for a batch.
    """
    if not sources:
        raise WorkbenchError("there is no treebank to learn from")
    settings = settings or UniversalSettings()
    generator = np.random.default_rng(settings.seed)
    key = jax.random.key(settings.seed)
    batches = list(epoch(sources, relations, settings.drawing, generator))
    if not batches:
        least = settings.drawing.batch
        raise WorkbenchError(f"the treebanks are too small: {least} sentences of like length make a batch")
    weights = initial_weights(settings.shape, len(relations), generator)
    learner = _Learner(weights, settings, len(batches) * settings.epochs)
    for number in range(settings.epochs):
        losses = []
        if number:
            batches = list(epoch(sources, relations, settings.drawing, generator))
        for batch in batches:
            key, dropout = jax.random.split(key)
            losses.append(learner.step(batch, dropout))
            if cancel is not None and cancel():
                return learner.network()
        if progress is not None:
            progress(UniversalProgress(number + 1, settings.epochs, float(np.mean([float(loss) for loss in losses]))))
    return learner.network()


class _Learner:
    """Weights on their way."""

    def __init__(self, weights, settings, steps):
        self.shape, self.steps = settings.shape, 0
        self.most, self.settings = steps + 1, settings
        self.weights = self.means = weights
        self.state = _optimiser(settings.rate).init(weights)

    def step(self, batch, key):
        """Learn from a batch; its loss."""
        decay = np.float32(min(KEPT, (1 + self.steps) / (10 + self.steps)))
        how = decay, decayed(self.settings.rate, self.steps, self.most)
        learnt = _step(self.weights, self.means, self.state, batch, key, how, self.settings.dropout)
        self.weights, self.means, self.state, loss = learnt
        self.steps += 1
        return loss

    def network(self):
        """The network of the mean weights of the last steps."""
        return Network({name: np.asarray(values) for name, values in self.means.items()}, self.shape)


def decayed(rate: float, step: int, steps: int) -> np.float32:
    """The rate of learning at a step of so many: half a cosine from ``rate`` to 0."""
    return np.float32(rate * (1 + np.cos(np.pi * step / steps)) / 2)


def _optimiser(rate):
    return optax.chain(optax.clip_by_global_norm(CLIPPED), optax.adam(rate, b2=0.98))


@partial(jax.jit, static_argnames="dropout")  # compiled once for networks and texts of one shape, however many steps
def _step(weights, means, state, batch, key, how, dropout):
    decay, rate = how
    loss, gradient = jax.value_and_grad(network_loss)(weights, batch, dropout, key)
    updates, state = _optimiser(rate).update(gradient, state, weights)
    weights = optax.apply_updates(weights, updates)
    means = jax.tree.map(lambda mean, new: decay * mean + (1 - decay) * new, means, weights)
    return weights, means, state, loss


def initial_weights(shape: Shape, relations: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Random weights (Glorot & Bengio 2010) of a network that tells ``relations`` relations apart."""
    weights = {}
    for name, size in weight_shapes(shape, relations).items():
        if name.startswith("direction") or len(size) == 1 or name in ("relations_head", "relations_modifier"):
            weights[name] = np.zeros(size, np.float32)
        elif name == "tags":
            weights[name] = generator.normal(0, 0.3, size).astype(np.float32)
        else:
            bound = (0.3 if name in ("arcs", "relations") else 1) * np.sqrt(6 / (size[-2] + size[-1]))
            weights[name] = generator.uniform(-bound, bound, size).astype(np.float32)
        if name.startswith("bias_"):
            weights[name][shape.hidden : 2 * shape.hidden] = 1  # forget gates begin open
    weights["direction_classes"] += 0.5
    return weights


def network_loss(weights: Weights, batch: Batch, dropout: float = 0.0, key: jax.Array | None = None) -> jax.Array:
    """Mean cross-entropy of heads and half that of relations, in nats a word."""
    arcs, heads, modifiers = network_scores(weights, batch, dropout, key)
    counted = jnp.asarray(batch.present).at[:, 0].set(0)
    of_heads = jnp.take_along_axis(jax.nn.log_softmax(arcs, 1), batch.heads[:, None, :], 1)[:, 0]
    ends = jnp.take_along_axis(heads, batch.heads[:, :, None], 1)
    scores = jnp.einsum("bmi,rij,bmj->bmr", ends, weights["relations"], modifiers) + weights["relations_bias"]
    scores += ends @ weights["relations_head"] + modifiers @ weights["relations_modifier"]
    of_relations = jnp.take_along_axis(jax.nn.log_softmax(scores, 2), batch.relations[:, :, None], 2)[..., 0]
    return -((of_heads + RELATIONS_WEIGHT * of_relations) * counted).sum() / counted.sum()


def network_scores(
    weights: Weights, batch: Batch, dropout: float = 0.0, key: jax.Array | None = None
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """(scores of arcs (B, W, W), words as heads and as modifiers of relations (B, W, K)), as ``Network`` computes them.

    With a ``key`` numbers are left out by chance.
    """
    drop = _Dropout(dropout, key)
    shares, present = jnp.asarray(batch.shares), jnp.asarray(batch.present)
    both = (batch.answers, "answers"), (batch.statistics, "statistics")
    text_inputs = [jnp.tanh(values @ weights[name] + weights[f"{name}_bias"]) for values, name in both]
    spread = [jnp.broadcast_to(vectors[:, None], (*present.shape, vectors.shape[-1])) for vectors in text_inputs]
    read = shares @ weights["tags"] + batch.features @ weights["features"]
    states = jnp.concatenate([drop(read, 2, dropout / 2), *spread], axis=2)
    for layer in range(sum(name.startswith("input_forward") for name in weights)):
        states = drop(_layer(weights, states, present, layer), 1)
    arc_head, arc_modifier, head, modifier = (
        drop(jax.nn.leaky_relu(states @ weights[name] + weights[f"{name}_bias"], LEAK), 1)
        for name in ("arc_head", "arc_modifier", "relation_head", "relation_modifier")
    )
    scores = jnp.einsum("bhi,ij,bmj->bhm", arc_head, weights["arcs"], arc_modifier)
    scores += (arc_head @ weights["arcs_head"])[:, :, None]
    answers = batch.answers[:, : len(QUESTIONS)]
    by_answer = weights["direction_answers"] + weights["direction_classes"][:, None, None] * arc_classes()
    directions = weights["direction"] + jnp.einsum("bq,qhm->bhm", answers, by_answer)
    places = jnp.arange(present.shape[1])
    sides = jnp.where(places > places[:, None], 1.0, -1.0) * (places[:, None] > 0)
    scores += sides * jnp.einsum("bhi,bij,bmj->bhm", shares, directions, shares)
    possible = (present[:, :, None] > 0) & (places[:, None] != places)
    return jnp.where(possible, scores, FORBIDDEN), head, modifier


class _Dropout:
    """Leaves numbers out by chance, the same along some axis, and makes up for it; nothing without a key."""

    def __init__(self, rate, key):
        self.rate, self.keys = rate, None if key is None else iter(jax.random.split(key, 16))

    def __call__(self, values, axis, rate=None):
        rate = self.rate if rate is None else rate
        if self.keys is None or not rate:
            return values
        size = tuple(1 if number == axis else length for number, length in enumerate(values.shape))
        return values * jax.random.bernoulli(next(self.keys), 1 - rate, size) / (1 - rate)


def _layer(weights, states, present, layer):
    """(B, W, 2 H): both directions of a layer."""
    names = [f"{direction}_{layer}" for direction in DIRECTIONS]
    recurrent = [weights[f"recurrent_{name}"] for name in names]
    drives, masks = [], []
    for name, way in zip(names, (1, -1), strict=True):
        drive = states[:, ::way] @ weights[f"input_{name}"] + weights[f"bias_{name}"]
        drives.append(jnp.swapaxes(drive, 0, 1))
        masks.append(jnp.swapaxes(present[:, ::way], 0, 1)[..., None])
    nothing = jnp.zeros((len(states), len(recurrent[0])))

    def step(carried, inputs):
        new = [_cell(*inputs_of) for inputs_of in zip(carried, inputs[0], inputs[1], recurrent, strict=True)]
        return new, [state for state, _ in new]

    _, (forward, backward) = lax.scan(step, [(nothing, nothing)] * 2, (drives, masks), unroll=2)
    return jnp.concatenate([jnp.swapaxes(forward, 0, 1), jnp.swapaxes(backward, 0, 1)[:, ::-1]], axis=2)


def _cell(carried, drive, present, recurrent):
    """(state, cell) of one direction after a word; 0 where there is none."""
    state, cell = carried
    enter, keep, show, new = jnp.split(drive + state @ recurrent, 4, axis=1)
    cell = (jax.nn.sigmoid(keep) * cell + jax.nn.sigmoid(enter) * jnp.tanh(new)) * present
    return jax.nn.sigmoid(show) * jnp.tanh(cell) * present, cell
