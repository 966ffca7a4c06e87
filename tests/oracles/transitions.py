"""Every derivation of a transition system, and what it can still reach, by enumeration."""

import numpy as np

from core.parsers.transitions.systems import start_configuration


def derivations(system, configuration):
    """Yield (names of the moves, final configuration) of every derivation from here."""
    if system.is_final(configuration):
        yield (), configuration
        return
    for move in system.allowed(configuration):
        for names, final in derivations(system, move.apply(configuration)):
            yield (move.name, *names), final


def all_derivations(system, n):
    """The same from the beginning of n words."""
    return derivations(system, start_configuration(n))


def enumerated_loss(system, configuration, heads):
    """The fewest known heads that the trees of all derivations from here miss."""
    return min(
        sum(known >= 0 and known != head for known, head in zip(heads[1:], final.heads[1:], strict=True))
        for _, final in derivations(system, configuration)
    )


def averaged_perceptron(system, sentences, learner, passes, seed):
    """Algorithm 3 of Goldberg & Nivre (2012) with weights in dictionaries, and their mean over all states.

    {(feature, name of the move): weight}. ``sentences`` are (codes, oracle) pairs; ``learner`` has what is not asked
    here: ``ids(codes, configuration)`` and ``explored``, how many of its own wrong moves are followed.
    """
    random, now, total, states = np.random.default_rng(seed), {}, {}, 1
    for number in range(passes):
        for at in random.permutation(len(sentences)).tolist():
            codes, oracle = sentences[at]
            configuration = start_configuration(len(codes) - 2)
            while not system.is_final(configuration):
                ids, costs = learner.ids(codes, configuration), oracle.costs(configuration)
                scores = {name: sum(now.get((one, name), 0.0) for one in ids) for name in costs}
                taken = max(scores, key=lambda name: scores[name])
                if costs[taken]:
                    right = max((name for name in scores if not costs[name]), key=lambda name: scores[name])
                    for one in ids:
                        now[one, right] = now.get((one, right), 0.0) + 1
                        now[one, taken] = now.get((one, taken), 0.0) - 1
                    if number == 0 or random.random() >= learner.explored:
                        taken = right
                for key, weight in now.items():
                    total[key] = total.get(key, 0.0) + weight
                states += 1
                configuration = system.named(taken).apply(configuration)
    return {key: weight / states for key, weight in total.items()}
