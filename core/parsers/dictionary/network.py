"""The network that predicts a word's tag from ``word_inputs``, with two hidden layers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import FormatError
from core.parsers.dictionary.evidence import COUNT, INPUTS

HIDDEN = 128
SHAPES = {
    "centre": (INPUTS,), "spread": (INPUTS,),
    "first": (INPUTS, HIDDEN), "first_bias": (HIDDEN,), "second": (HIDDEN, HIDDEN), "second_bias": (HIDDEN,),
    "tags": (HIDDEN, COUNT), "tags_bias": (COUNT,),
}  # fmt: skip
Weights = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class TagNetwork:
    """Weights by the names of ``SHAPES``, float32. Inputs are read less ``centre``, over ``spread``.

    Raises FormatError for other arrays and for numbers that are not finite.
    """

    weights: Weights

    def __post_init__(self):
        for name, shape in SHAPES.items():
            if name not in self.weights or self.weights[name].shape != shape:
                raise FormatError(f"the numbers of {name} do not fit a tagger's network; train it again")
            if not np.isfinite(self.weights[name]).all():
                raise FormatError(f"{name} has numbers that are not finite; train the tagger again")
        if not (self.weights["spread"] > 0).all():
            raise FormatError("inputs are divided by numbers above 0; train the tagger again")

    def scores(self, inputs: np.ndarray) -> np.ndarray:
        """float32 (M, 17): the score of each tag of M words. O(M INPUTS HIDDEN)."""
        weights = self.weights
        inputs = (inputs - weights["centre"]) / weights["spread"]
        hidden = np.maximum(inputs @ weights["first"] + weights["first_bias"], 0)
        hidden = np.maximum(hidden @ weights["second"] + weights["second_bias"], 0)
        return hidden @ weights["tags"] + weights["tags_bias"]


def tag_shares(
    networks: Sequence[TagNetwork], inputs: np.ndarray, allowed: np.ndarray, temperature: float = 1.0
) -> np.ndarray:
    """float32 (M, 17): the mean probability of each tag that a word may have.

    Parameters
    ----------
    networks : sequence of TagNetwork
    inputs : ndarray of shape (M, INPUTS)
    allowed : ndarray of shape (M, 17), dtype bool
        At least one of each word.
    temperature : float
        What scores are divided by.
    """
    shares = np.zeros(allowed.shape, np.float32)
    for network in networks:
        scores = np.where(allowed, network.scores(inputs) / temperature, -np.inf)
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares += raised / raised.sum(axis=1, keepdims=True)
    return shares / len(networks)
