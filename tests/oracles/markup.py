"""Slow, obvious versions of what is told of brackets; imports nothing from core."""


def yields(heads):
    """For each word 0..n the set of words below it, itself included."""
    found = [{word} for word in range(len(heads))]
    for word in range(1, len(heads)):
        above = heads[word]
        while True:
            found[above].add(word)
            if above == 0:
                break
            above = heads[above]
    return found


def lowest_dominating(heads, start, end):
    """The word whose yield is the smallest that holds words start..end-1."""
    below = yields(heads)
    holding = [word for word in range(len(heads)) if set(range(start, end)) <= below[word]]
    return min(holding, key=lambda word: len(below[word]))


def spawn(heads, start, end):
    """Words kept when dependents that lie with all below them on their head's side are clipped off."""
    below = yields(heads)

    def side(word):
        return "left" if word < start else "right" if word >= end else "inside"

    def kept(word):
        return {side(other) for other in below[word]} != {side(heads[word])} or heads[word] == 0

    top, found = lowest_dominating(heads, start, end), []
    waiting = [top] if top else [word for word in range(1, len(heads)) if heads[word] == 0]
    while waiting:
        word = waiting.pop()
        if word == top or kept(word):
            found.append(word)
            waiting += [child for child in range(1, len(heads)) if heads[child] == word]
    return sorted(found)
