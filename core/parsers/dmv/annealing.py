"""Structural annealing of the dependency model with valence: EM that first likes short arcs, then ever less.

In the E-step each arc from h to m weighs exp(bias * |h - m|) besides what the grammar gives it,

    p_bias(tree, tags) ~ p(tree, tags) exp(bias * sum_arcs |h - m|),

and the M-step estimates the grammar as EM does. A bias below 0 prefers short arcs. Once EM has converged the bias
grows by a step, and EM goes on from the grammar that it found, until the last bias. Trees are drawn without a bias.
Source: Smith & Eisner (2006), "Annealing structural bias in multilingual weighted grammar induction", section 4; what
Figure 2 of druck2009 draws.
"""

import math
from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel
from core.errors import WorkbenchError
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.parameters import Events, estimate, log_prior, uniform_parameters
from core.parsers.dmv.text import TaggedText, count_events, expect
from core.treebank import Treebank


@dataclass(frozen=True)
class AnnealingSettings:
    """Settings of structural annealing.

    Attributes
    ----------
    first, last, step : float
        The bias begins with the first and grows by steps until it passes the last, in nats a word between head and
        modifier. Smith & Eisner choose them on trees; none of them is chosen here.
    smoothing : float
        Added to every count, as in ``DMVSettings``.
    tolerance : float
        EM under a bias ends when the objective gains less than this share of itself.
    max_iterations : int
        Under each bias.
    """

    first: float = -0.6
    last: float = 0.0
    step: float = 0.1
    smoothing: float = 0.1
    tolerance: float = 1e-4
    max_iterations: int = 100

    def __post_init__(self):
        if not self.step > 0:
            raise WorkbenchError(f"the bias must grow by more than 0, got {self.step}")
        if not self.first <= self.last:
            raise WorkbenchError(f"the first bias must not be above the last, got {self.first} and {self.last}")
        if not self.smoothing >= 0:
            raise WorkbenchError(f"smoothing must be 0 or more, got {self.smoothing}")

    @property
    def biases(self) -> list[float]:
        """All biases, in order."""
        count = math.floor(round((self.last - self.first) / self.step, 9)) + 1  # .3 / .1 is a little below 3
        return [self.first + number * self.step for number in range(count)]


def train_annealed(
    treebank: Treebank, settings: AnnealingSettings | None = None, *, tags: str | None = None,
    cancel: Cancel | None = None, threads: int | None = None,
) -> DMV:  # fmt: skip
    """Train a DMV on the tags of a text. Its heads are not looked at.

    Parameters
    ----------
    treebank : Treebank
        Each of its words has a tag.
    settings : AnnealingSettings, optional
    tags : {"xpos", "upos", None}
        The tag column; None takes the filled one.
    cancel : callable, optional
        Asked in every iteration; True ends training with the parameters so far.
    threads : int, optional

    Raises
    ------
    WorkbenchError : a word has no tag, or no word has one.

    Notes
    -----
    Before the first E-step all trees are alike but for the bias. An iteration costs O(sum of n^3).
    """
    settings = settings or AnnealingSettings()
    model = DMV(tags=tags).reading(treebank)
    text = model.tagged_text(treebank)
    lengths, parameters = arc_lengths(text), uniform_parameters(len(model.tags))
    for bias in settings.biases:
        parameters = biased_em(text, parameters, np.exp(bias * lengths), settings, cancel, threads)
    model.parameters = parameters
    return model


def biased_em(
    text: TaggedText, parameters: Events, bonus: np.ndarray, settings: AnnealingSettings,
    cancel: Cancel | None = None, threads: int | None = None,
) -> Events:  # fmt: skip
    """The parameters that EM ends with whose E-step multiplies a weight of each arc in, (A,)."""
    before = -np.inf
    for _ in range(settings.max_iterations):
        if cancel is not None and cancel():
            break
        summed = expect(text, parameters, bonus=bonus, threads=threads)
        value = float(summed.log_likelihoods.sum()) + log_prior(parameters, settings.smoothing)
        if value - before < settings.tolerance * abs(value):
            break
        before = value
        parameters = estimate(count_events(text, summed, parameters, threads), settings.smoothing)
    return parameters


def arc_lengths(text: TaggedText) -> np.ndarray:
    """float64 (A,): |h - m| of each arc, as ``text.arcs`` lays them out; 0 for arcs from the root."""
    sides = text.lengths + 1
    within = np.arange(text.arcs[-1]) - np.repeat(text.arcs[:-1], sides**2)
    heads, modifiers = np.divmod(within, np.repeat(sides, sides**2))
    return np.where(heads > 0, np.abs(heads - modifiers), 0).astype(float)
