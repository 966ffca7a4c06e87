"""Training the networks of a ``DictionaryTagger`` with JAX and Optax (the extra "universal").

Of each language, texts and lists of words are drawn several times: longer and shorter ones, with the usual tag of a
word or all its tags. A second round of networks reads the tags that the first predicts. Those of a training language
come from networks that did not see it, so that they are as uncertain as in a new language.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import jax
import numpy as np
import optax

from core.errors import WorkbenchError
from core.parsers.dictionary.evidence import COUNT, knowledge_of, word_inputs
from core.parsers.dictionary.network import SHAPES, TagNetwork, tag_shares
from core.parsers.dictionary.types import WordTypes
from core.parsers.universal.text import TAGS, part_numbers
from core.parsers.universal.training import decayed
from core.treebank import Treebank

ROUNDS = 2
SENTENCES = (100, 200, 350, 500, 800)  # sizes of the drawn parts of a text
LISTED = (30, 500)  # words of a list
SHUFFLED = (0.0, 0.3, 0.8)  # deviations of a list's words from the most frequent ones
ALL_TAGS, RARE = 0.3, 0.1  # share of lists with all tags of a word, and of a word's tokens that make a tag one of them
OTHER_CAPITALS = 0.2  # share of lists whose text is read as if it were written otherwise
NOUN = TAGS.index("NOUN")
WORDS = 2500  # words of a text that are learnt from
BATCH, RATE, DECAY = 512, 1e-3, 1e-4
INPUT_DROPOUT, DROPOUT = 0.1, 0.3
SPREAD = 1e-3  # added to what inputs are divided by
TEMPERATURES = np.linspace(0.8, 2.0, 25)


@dataclass(frozen=True)
class DictionarySettings:
    """Settings of training: lists drawn of each language, passes over their words, networks of a round."""

    lists: int = 4
    epochs: int = 6
    networks: int = 2
    seed: int = 0

    def __post_init__(self):
        if min(self.lists, self.epochs, self.networks) < 1:
            raise WorkbenchError("training needs at least one list, one epoch and one network")


class Trained(NamedTuple):
    """Networks of each round, the temperature of the last, and the share of words in no list that are right.

    The last two are of networks that did not see the language.
    """

    rounds: list[list[TagNetwork]]
    temperature: float
    right: float


class _Case:
    """A text with a list, of which the tags are known."""

    def __init__(self, types, gold, knowledge):
        self.types, self.gold, self.knowledge = types, gold, knowledge
        self.words = np.flatnonzero(~knowledge.settled[types.numbers])
        self.allowed = knowledge.allowed[types.numbers[self.words]]

    def inputs(self, chosen=slice(None)):
        return word_inputs(self.types, self.knowledge, self.words[chosen])

    def read_by(self, networks):
        self.shares = tag_shares(networks, self.inputs(), self.allowed)
        self.knowledge = self.knowledge.after(self.types, self.words, self.shares)

    def right(self):
        """(how many words that were tagged have the right tag, how many were tagged)."""
        return (self.shares.argmax(axis=1) == self.gold[self.words]).sum(), len(self.words)


def train_tagger(
    sources: Mapping[str, Treebank], settings: DictionarySettings | None = None, *,
    progress: Callable[[str], object] | None = None,
) -> Trained:  # fmt: skip
    """Learn from tagged texts of several languages.

    Parameters
    ----------
    sources : mapping of str to Treebank
        A language each, with universal tags, punctuation and all.
    settings : DictionarySettings, optional
    progress : callable, optional
        Called with a sentence after each round.

    Raises
    ------
    WorkbenchError : there are fewer than two languages, or too few words for a batch.
    """
    if len(sources) < 2:
        raise WorkbenchError("a tagger for other languages needs tagged texts of two languages at the least")
    settings, rounds, temperature = settings or DictionarySettings(), [], 1.0
    right, words = 0, 1
    generator = np.random.default_rng(settings.seed)
    cases = {name: [_case(text, generator) for _ in range(settings.lists)] for name, text in sources.items()}
    order = generator.permutation(list(cases)).tolist()
    halves = [{name: cases[name] for name in order[half::2]} for half in (0, 1)]
    for number in range(ROUNDS):
        seeds = [settings.seed + 1000 * number + member for member in range(settings.networks)]
        rounds.append([_fitted(*_examples(cases.values(), generator), settings.epochs, seed) for seed in seeds])
        unseen = _held_out(halves, generator, settings.epochs, seeds[0])
        if number == ROUNDS - 1:
            temperature = _temperature(unseen)
        for case, network in unseen:
            case.read_by([network])
        right, words = np.sum([case.right() for case, _ in unseen], axis=0)
        if progress is not None:
            progress(f"round {number + 1} of {ROUNDS}: {100 * right / words:.1f}% of words in no list right")
    return Trained(rounds, temperature, float(right / words))


def _held_out(halves, generator, epochs, seed):
    """(case, a network that did not see its language) of all cases."""
    pairs = []
    for half, other in (halves, halves[::-1]):
        network = _fitted(*_examples(other.values(), generator), epochs, seed)
        pairs += [(case, network) for of_text in half.values() for case in of_text]
    return pairs


def _case(text, generator):
    """Part of a text, with a list."""
    count = min(len(text), int(generator.choice(SENTENCES)))
    begin = int(generator.integers(0, len(text) - count + 1))
    part = text.select(np.arange(begin, begin + count))
    types = WordTypes.of(part)
    gold = part_numbers(part, "upos")[types.rows]
    types = _in_other_capitals(types, gold, generator)
    size = int(np.exp(generator.uniform(*np.log(LISTED))))
    order = np.log(types.counts) + generator.choice(SHUFFLED) * generator.gumbel(size=len(types))
    listed = np.argsort(np.where(types.lettered, -order, np.inf), kind="stable")[: min(size, int(types.lettered.sum()))]
    tallies = np.zeros((len(types), COUNT), np.float32)
    np.add.at(tallies, (types.numbers, gold), 1)
    rare = RARE * types.counts if generator.random() < ALL_TAGS else types.counts
    by_count = np.argsort(-tallies, axis=1, kind="stable")
    tags = {number: [tag for rank, tag in enumerate(by_count[number].tolist())
                     if not rank or tallies[number, tag] > rare[number]] for number in listed.tolist()}  # fmt: skip
    return _Case(types, gold, knowledge_of(types, tags))


def _in_other_capitals(types, gold, generator):
    """A text as it is; now and then as if all nouns were written with a capital letter, or nothing were."""
    drawn = generator.random()
    if not types.capitals.any() or drawn > OTHER_CAPITALS:
        return types
    nouns = types.capitals | (gold == NOUN)
    return replace(types, capitals=nouns if drawn < OTHER_CAPITALS / 2 else np.zeros_like(nouns))


def _examples(cases, generator):
    """(inputs, tags) of words without one tag that is given, so many of each text at the most."""
    inputs, tags = [], []
    for case in (case for of_text in cases for case in of_text):
        chosen = generator.permutation(len(case.words))[:WORDS]
        inputs.append(case.inputs(chosen))
        tags.append(case.gold[case.words[chosen]])
    return np.concatenate(inputs), np.concatenate(tags)


def _fitted(inputs, tags, epochs, seed):
    """A TagNetwork that learnt from examples."""
    if len(inputs) < BATCH:
        raise WorkbenchError(f"the texts are too small: {len(inputs):,} words without a tag, {BATCH} make a batch")
    centre, spread = inputs.mean(axis=0), inputs.std(axis=0) + SPREAD
    generator, key = np.random.default_rng(seed), jax.random.key(seed)
    steps = len(inputs) // BATCH
    weights = _initial(generator)
    state = _optimiser(RATE).init(weights)
    for number in range(epochs):
        order = generator.permutation(len(inputs))
        for batch in range(steps):
            key, dropout = jax.random.split(key)
            rows = order[batch * BATCH : (batch + 1) * BATCH]
            rate = decayed(RATE, number * steps + batch, steps * epochs)
            weights, state = _step(weights, state, (inputs[rows] - centre) / spread, tags[rows], dropout, rate)
    return TagNetwork(
        {name: np.asarray(values) for name, values in weights.items()} | {"centre": centre, "spread": spread}
    )


def _optimiser(rate):
    return optax.adamw(rate, weight_decay=DECAY)


@jax.jit  # compiled once for all networks
def _step(weights, state, inputs, tags, key, rate):
    updates, state = _optimiser(rate).update(jax.grad(tag_loss)(weights, inputs, tags, key), state, weights)
    return optax.apply_updates(weights, updates), state


def _initial(generator):
    """Random weights of both layers (He et al. 2015); zeros for biases."""
    return {
        name: np.zeros(shape, np.float32) if len(shape) == 1
        else generator.normal(0, np.sqrt(2 / shape[0]), shape).astype(np.float32)
        for name, shape in SHAPES.items() if name not in ("centre", "spread")
    }  # fmt: skip


def tag_loss(weights: Mapping[str, jax.Array], inputs: jax.Array, tags: jax.Array, key: jax.Array) -> jax.Array:
    """Mean cross-entropy of tags, in nats a word, some numbers left out by chance."""
    keys = iter(jax.random.split(key, 3))

    def drop(values, rate):
        return values * jax.random.bernoulli(next(keys), 1 - rate, values.shape) / (1 - rate)

    hidden = jax.nn.relu(drop(inputs, INPUT_DROPOUT) @ weights["first"] + weights["first_bias"])
    hidden = jax.nn.relu(drop(hidden, DROPOUT) @ weights["second"] + weights["second_bias"])
    scores = drop(hidden, DROPOUT) @ weights["tags"] + weights["tags_bias"]
    return optax.softmax_cross_entropy_with_integer_labels(scores, tags).mean()


def _temperature(unseen):
    """The one of TEMPERATURES at which tags of languages held out are most probable."""
    losses = np.zeros(len(TEMPERATURES))
    for case, network in unseen:
        inputs, gold = case.inputs(), case.gold[case.words]
        possible = case.allowed[np.arange(len(gold)), gold]  # a list does not name every tag of a word
        for index, temperature in enumerate(TEMPERATURES):
            shares = tag_shares([network], inputs, case.allowed, float(temperature))
            losses[index] -= np.log(np.maximum(shares[np.arange(len(gold)), gold][possible], 1e-9)).sum()
    return float(TEMPERATURES[losses.argmin()])
