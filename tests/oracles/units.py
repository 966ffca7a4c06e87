"""Where the shapes of a change stand in a tree, by their definition; changes of convention to plant."""

import itertools


def places_of_shape(name, heads):
    """Set of tuples: numbers of the words of a shape, W first, by trying all words. ``heads`` are over 0..n."""
    words = range(1, len(heads))
    if name in ("relabel", "retag"):
        return {(word, heads[word]) for word in words}
    if name == "swap":
        return {(word, heads[word]) for word in words if heads[word]}
    if name in ("previous", "next"):
        step = 1 if name == "next" else -1
        pairs = ((word, heads[word], word + step) for word in words if heads[word] and word + step in words)
        return {place for place in pairs if place[2] != place[1]}
    ups = {"grandparent": 2, "sister": 1, "great-grandparent": 3, "aunt": 2, "niece": 1}[name]
    downs = {"sister": 1, "aunt": 1, "niece": 2}.get(name, 0)
    found = set()
    for place in itertools.product(words, repeat=ups + 1):
        if all(heads[below] == above for below, above in itertools.pairwise(place)):
            found |= set(_down(place, downs, heads, words))
    return found


def _down(place, downs, heads, words):
    if not downs:
        yield place
        return
    for below in itertools.product(words, repeat=downs):
        chain = (place[-1], *below)
        if below[0] != place[-2] and all(heads[low] == high for high, low in itertools.pairwise(chain)):
            yield (*place, *below)


def relabelled(old, new, holds):
    """A planter: the words of a relation for which ``holds(sentence, word)`` get another."""

    def plant(sentence):
        relations = [
            new if relation == old and holds(sentence, word) else relation
            for word, relation in enumerate(sentence.deprels)
        ]
        return sentence.heads.tolist(), relations

    return plant


def swapped(relation, new):
    """A planter: the first dependent of that relation takes the place of its head, which gets the relation ``new``."""

    def plant(sentence):
        heads, relations = sentence.heads.tolist(), list(sentence.deprels)
        for head in range(1, len(heads)):
            of_head = [word for word in range(1, len(heads)) if sentence.heads[word] == head]
            word = next((word for word in of_head if sentence.deprels[word] == relation), None)
            if word:
                heads[word], relations[word] = heads[head], relations[head]
                heads[head], relations[head] = word, new
        return heads, relations

    return plant
