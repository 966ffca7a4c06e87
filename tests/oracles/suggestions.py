"""What to ask next, the slow way: every arc looked at by itself. Imports nothing from core.

A sentence is its tags, entry 0 unused ("" is no tag); ``marginals[i][h][m]`` its arc marginals.
"""

from math import exp, log

ANSWERS = (0.0, 0.1, 0.5, 0.75, 1.0)


def entropy(p):
    """Of a coin, in nats."""
    return 0.0 if p in (0, 1) else -p * log(p) - (1 - p) * log(1 - p)


def name(head, modifier, right):
    """A pattern as the constraint language writes it."""
    return f"{head} -> {modifier}" if right else f"{modifier} <- {head}"


def kinds(sentences, marginals, closed):
    """dict from pattern to [pairs, sum of marginals, entropy of open arcs, tags]; closed holds (sentence, h, m)."""
    found = {}
    for i, tags in enumerate(sentences):
        for h in range(len(tags)):
            for m in range(1, len(tags)):
                head = "ROOT" if h == 0 else tags[h]
                if h == m or not head or not tags[m]:
                    continue
                figures = found.setdefault(name(head, tags[m], h < m), [0, 0.0, 0.0, (head, tags[m])])
                figures[0] += 1
                figures[1] += marginals[i][h][m]
                figures[2] += 0.0 if (i, h, m) in closed else entropy(marginals[i][h][m])
    return found


def answer_distribution(mean):
    """The distribution over ANSWERS of highest entropy with this mean, by halving the interval of its slope."""
    low, high = -1e4, 1e4
    for _ in range(200):
        middle = (low + high) / 2
        top = max(middle, 0.0)
        weights = [exp(middle * answer - top) for answer in ANSWERS]
        expected = sum(w * answer for w, answer in zip(weights, ANSWERS, strict=True)) / sum(weights)
        low, high = (low, middle) if expected > mean else (middle, high)
    return [w / sum(weights) for w in weights]


def gain(total, mean):
    """What an answer is expected to tell of arcs with a total entropy and a mean marginal."""
    expected = sum(p * entropy(answer) for p, answer in zip(answer_distribution(mean), ANSWERS, strict=True))
    return total * (1 - expected / entropy(mean))
