"""Every derivation of a transition system, and what it can still reach, by enumeration."""

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
