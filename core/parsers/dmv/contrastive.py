"""Contrastive estimation of the dependency model with valence: weights under which a text beats its neighbours.

Each event of a tree has a weight, theta. Each sentence x has a neighbourhood N(x) of sequences of tags that somebody
hardly says: x with one word left out, or with two words in each other's place; x is among them. With Z(x) the sum of
exp(theta . events(x, y)) over all trees y of x, weights are sought that maximise

    sum_x log(Z(x) / sum_{x' in N(x)} Z(x')) - |theta|^2 / (2 variance).

They say how probable trees are given the tags, and nothing of how probable the tags are.
Source: Smith & Eisner (2005), "Contrastive estimation: training log-linear models on unlabeled data", section 4, and
(2005), "Guiding unsupervised grammar induction using contrastive estimation"; what Figure 2 of druck2009 draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel
from core.errors import WorkbenchError
from core.offsets import offsets_of
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.text import TaggedText, count_events, expect
from core.parsers.optimize import minimize
from core.treebank import Treebank

NEIGHBOURHOODS = ("del1-or-trans1", "trans1")


@dataclass(frozen=True)
class ContrastiveSettings:
    """Settings of contrastive estimation.

    Attributes
    ----------
    neighbourhood : {"del1-or-trans1", "trans1"}
        One word left out or two neighbours in each other's place, 2n sequences of a sentence of n words at most; or the
        latter alone, n. Equal sequences count once, and no sequence is empty.
    variance : float
        Of the Gaussian prior of each weight; the larger, the less it holds.
    tolerance : float
    max_evaluations : int
        As in ``core.parsers.optimize.minimize``.
    """

    neighbourhood: str = "del1-or-trans1"
    variance: float = 1.0
    tolerance: float = 1e-5
    max_evaluations: int = 200

    def __post_init__(self):
        if self.neighbourhood not in NEIGHBOURHOODS:
            raise WorkbenchError(
                f"the neighbourhood must be one of {', '.join(NEIGHBOURHOODS)}, got {self.neighbourhood!r}"
            )
        if not self.variance > 0:
            raise WorkbenchError(f"the variance of weights must be positive, got {self.variance}")


@dataclass(frozen=True, eq=False)
class ContrastiveResult:
    """What contrastive estimation ends with.

    Attributes
    ----------
    model : DMV
        Its parameters are the exponentials of the weights, and no probabilities: trees are drawn by it, and its
        log-likelihoods mean nothing.
    objective : float
        In nats a sentence, the prior included.
    status : {"converged", "stopped", "cancelled"}
    evaluations : int
    """

    model: DMV
    objective: float
    status: str
    evaluations: int


def train_contrastive(
    treebank: Treebank, settings: ContrastiveSettings | None = None, *, tags: str | None = None,
    cancel: Cancel | None = None, threads: int | None = None,
) -> ContrastiveResult:  # fmt: skip
    """Train a DMV on the tags of a text against their neighbours. Its heads are not looked at.

    Parameters
    ----------
    treebank : Treebank
        Each of its words has a tag.
    settings : ContrastiveSettings, optional
    tags : {"xpos", "upos", None}
        The tag column; None takes the filled one.
    cancel : callable, optional
        Asked before every evaluation; True ends with the best weights so far.
    threads : int, optional

    Raises
    ------
    WorkbenchError : a word has no tag, or no word has one.

    Notes
    -----
    It begins with all trees alike, theta = 0. An evaluation costs O(sum of n^4): 2n neighbours of n^3 each.
    """
    settings = settings or ContrastiveSettings()
    model = DMV(tags=tags).reading(treebank)
    text = model.tagged_text(treebank)
    contrast = Contrast(text, len(model.tags), settings, threads)
    limits = {"tolerance": settings.tolerance, "max_evaluations": settings.max_evaluations}
    optimum = minimize(contrast, np.zeros(contrast.size), cancel=cancel, **limits)
    model.parameters = Events(*map(np.exp, contrast.events(optimum.weights).arrays))
    return ContrastiveResult(model, -optimum.value / len(text), optimum.status, optimum.evaluations)


def neighbours(tags: Sequence[int], neighbourhood: str) -> list[tuple[int, ...]]:
    """The sequences of a sentence's neighbourhood, the sentence first. O(n^2)."""
    sentence = tuple(tags)
    found = {sentence: None}
    if neighbourhood == "del1-or-trans1" and len(sentence) > 1:
        found |= dict.fromkeys(sentence[:i] + sentence[i + 1 :] for i in range(len(sentence)))
    swaps = ((*sentence[:i], sentence[i + 1], sentence[i], *sentence[i + 2 :]) for i in range(len(sentence) - 1))
    return list(found | dict.fromkeys(swaps))


class Contrast:
    """The negated objective of weights and its gradient, for ``minimize``.

    Parameters
    ----------
    text : TaggedText
    tag_count : int
        T.
    settings : ContrastiveSettings
    threads : int, optional

    Attributes
    ----------
    every : TaggedText
        The neighbours of all sentences.
    begins : ndarray of shape (S,), dtype int64
        Where those of each sentence begin, the sentence first.
    """

    def __init__(
        self, text: TaggedText, tag_count: int, settings: ContrastiveSettings, threads: int | None = None
    ):  # fmt: skip
        rows = [text.tags[begin + 1 : end].tolist() for begin, end in zip(text.offsets, text.offsets[1:], strict=False)]
        groups = [neighbours(row, settings.neighbourhood) for row in rows]
        every = [sentence for group in groups for sentence in group]
        lengths = np.array([len(sentence) + 1 for sentence in every])
        numbers = np.array([tag for sentence in every for tag in (0, *sentence)], np.int32)
        self.every = TaggedText(numbers, offsets_of(lengths))
        self.begins = offsets_of(np.array([len(group) for group in groups]))[:-1]
        self.variance, self.threads = settings.variance, threads
        self.like = Events(
            np.zeros((2, tag_count, tag_count)), np.zeros((4, 2, tag_count)), np.zeros(tag_count)
        )  # fmt: skip
        self.size = sum(part.size for part in self.like.arrays)

    def events(self, weights: np.ndarray) -> Events:
        """Weights, (F,), by event."""
        ends = np.cumsum([part.size for part in self.like.arrays])[:-1]
        parts = zip(np.split(weights, ends), self.like.arrays, strict=True)
        return Events(*(values.reshape(part.shape) for values, part in parts))

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray, dict]:
        summed = expect(self.every, Events(*map(np.exp, self.events(weights).arrays)), threads=self.threads)
        totals = summed.log_likelihoods
        of_groups = np.logaddexp.reduceat(totals, self.begins)
        sizes = np.diff(np.append(self.begins, len(totals)))
        shares = -np.exp(totals - np.repeat(of_groups, sizes))
        shares[self.begins] += 1.0
        counts = count_events(self.every, summed, self.like, self.threads, shares)
        value = float((totals[self.begins] - of_groups).sum() - weights @ weights / (2 * self.variance))
        gradient = np.concatenate([part.ravel() for part in counts.arrays]) - weights / self.variance
        return -value, -gradient, {}
