"""Structural correspondence learning the slow way: dense matrices, one edge and one feature at a time."""

import numpy as np
from scipy.optimize import minimize


def context_words(forms, head, modifier):
    """The six words of shimizu2007, Table 2, in its order; ``forms[0]`` is the root."""
    padded = ["<boundary>", "<root>", *forms[1:], "<boundary>"]
    return [padded[1 + at + shift] for at in (head, modifier) for shift in (-1, 0, 1)]


def between(words, forms, one, other):
    """Whether one of the words stands strictly between two places."""
    return any(form.lower() in words for form in forms[min(one, other) + 1 : max(one, other)])


def logistic_weights(design, target, penalty):
    """Weights (F,) and intercept that minimise mean logistic loss + penalty / 2 · |weights|²."""
    signs = np.where(target, 1.0, -1.0)

    def loss(values):
        margins = signs * (design @ values[:-1] + values[-1])
        pull = -signs / (1 + np.exp(margins)) / len(signs)
        gradient = np.append(design.T @ pull + penalty * values[:-1], pull.sum())
        return np.mean(np.logaddexp(0, -margins)) + penalty / 2 * values[:-1] @ values[:-1], gradient

    found = minimize(loss, np.zeros(design.shape[1] + 1), jac=True, method="BFGS", options={"gtol": 1e-9})
    return found.x[:-1], found.x[-1]
