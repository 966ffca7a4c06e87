"""Consensus nodes label by label: what each label of a context is worth, and what it pays. Kernels.

``theta`` (L + 1, L + 1) has what an edge pays a word's label under a consensus label. The last of each, -1, is a word
without a label, and NULL.
"""

import numpy as np

from core.compilation.kernels import inner_kernel, kernel
from core.consistency.mrf import Nodes


@kernel
def label_values(
    contexts: np.ndarray, nodes: Nodes, theta: np.ndarray, multipliers: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(bounds (C + 1,), labels, values): under multipliers, what contexts are worth with each label, NULL first."""
    bounds = np.zeros(len(contexts) + 1, np.int64)
    for number, context in enumerate(contexts):
        bounds[number + 1] = bounds[number] + 1 + nodes.label_offsets[context + 1] - nodes.label_offsets[context]
    labels, values = np.empty(bounds[-1], np.int64), np.zeros(bounds[-1])
    for number, context in enumerate(contexts):
        for k in range(bounds[number], bounds[number + 1]):
            labels[k] = -1
            if k > bounds[number]:
                labels[k] = nodes.candidates[nodes.label_offsets[context] + k - bounds[number] - 1]
            values[k] = _votes(context, labels[k], nodes, theta)
            for place in range(nodes.word_offsets[context], nodes.word_offsets[context + 1]):
                word, best = nodes.words[place], -np.inf
                for at in range(nodes.offsets[word], nodes.offsets[word + 1]):
                    entry = nodes.entries[at]
                    best = max(best, multipliers[entry] + theta[nodes.labels[entry], labels[k]])
                values[k] += best
    return bounds, labels, values


@kernel
def values_at(
    contexts: np.ndarray, nodes: Nodes, theta: np.ndarray, multipliers: np.ndarray, choice: np.ndarray
) -> np.ndarray:
    """float64 (C,): what some contexts are worth with their best label when words choose ``choice`` (V,)."""
    values = np.full(len(contexts), -np.inf)
    for number, context in enumerate(contexts):
        for k in range(nodes.label_offsets[context] - 1, nodes.label_offsets[context + 1]):
            label = -1 if k < nodes.label_offsets[context] else nodes.candidates[k]
            value = _votes(context, label, nodes, theta)
            for place in range(nodes.word_offsets[context], nodes.word_offsets[context + 1]):
                entry = choice[nodes.words[place]]
                value += multipliers[entry] + theta[nodes.labels[entry], label]
            values[number] = max(values[number], value)
    return values


@kernel
def pay_label(context: int, label: int, nodes: Nodes, theta: np.ndarray, paid: np.ndarray) -> float:
    """Write what a consensus label pays each outcome of a context's words; returns what it pays the observed ones."""
    for place in range(nodes.word_offsets[context], nodes.word_offsets[context + 1]):
        word = nodes.words[place]
        for at in range(nodes.offsets[word], nodes.offsets[word + 1]):
            paid[nodes.entries[at]] = theta[nodes.labels[nodes.entries[at]], label]
    return _votes(context, label, nodes, theta)


@inner_kernel
def _votes(context, label, nodes, theta):
    """What a consensus label pays the observed words of a context."""
    value = 0.0
    for place in range(nodes.observed_offsets[context], nodes.observed_offsets[context + 1]):
        value += nodes.observed_counts[place] * theta[nodes.observed_labels[place], label]
    return value
