"""The part of a tree around a bracket: its lowest dominating phrase, spelt out (spitkovsky2010, section 5.2)."""

from core.treebank.head_rules import plain_label
from core.trees import Bracket

LEFT, INSIDE, RIGHT = range(3)


def dependency_parts(heads: list, tags: list, bracket: Bracket) -> tuple[str, str, str]:
    """(label, production, spawn) of a bracket in a dependency tree.

    Parameters
    ----------
    heads : list of int (n + 1,)
    tags : list of str (n + 1,)
    bracket : Bracket

    Returns
    -------
    label : str
        Tag of the lowest word that dominates the bracket; "ROOT" if only the root does.
    production : str
        That word and its dependents, a dependent with words below it in parentheses. One that straddles a bound of
        the bracket is replaced by its own parts, and so on. The marked part stands in square brackets.
    spawn : str
        The same word and those below it that are attached across a bound: dependents whose words all lie on their
        head's side are clipped off.

    Notes
    -----
    O(n).
    """
    children = [[] for _ in heads]
    for word in range(1, len(heads)):
        children[heads[word]].append(word)
    region = _regions(len(heads), bracket)
    order = [0]
    for word in order:  # every word before those below it
        order += children[word]
    regions, marked = [1 << side for side in region], [int(side == INSIDE) for side in region]
    size = [1] * len(heads)
    for word in reversed(order[1:]):  # every word after those below it
        regions[heads[word]] |= regions[word]
        marked[heads[word]] += marked[word]
        size[heads[word]] += size[word]
    top = 0
    while lower := [child for child in children[top] if marked[child] == len(bracket)]:
        top = lower[0]

    def straddles(word):
        return bool(regions[word] & (regions[word] - 1))  # words on more than one side

    def crosses(word):
        return regions[word] != 1 << region[heads[word]] or heads[word] == 0

    whole = [(top, tags[top])] * bool(top)
    parts, spawn = (_opened(children, top, is_open) for is_open in (straddles, crosses))
    parts = [(word, tags[word] if size[word] == 1 or straddles(word) else f"({tags[word]})") for word in parts]
    spawn = [(word, tags[word]) for word in spawn if crosses(word)]
    return tags[top], _written(whole + parts, region), _written(whole + spawn, region)


def _opened(children, top, is_open):
    """The words below ``top``; those below one of them only where it ``is_open``."""
    words, waiting = [], list(children[top])
    while waiting:
        word = waiting.pop()
        words.append(word)
        if is_open(word):
            waiting += children[word]
    return words


def _regions(rows, bracket):
    """The side of a bracket on which the root and each word lie."""
    return [LEFT] * bracket.start + [INSIDE] * len(bracket) + [RIGHT] * (rows - bracket.end)


def _written(parts, region):
    """Parts in the order of the sentence, the marked ones in square brackets."""
    pieces, is_open = [], False
    for word, text in sorted(parts):
        inside = region[word] == INSIDE
        if inside and not is_open:
            text = f"[{text}"
        if is_open and not inside:
            pieces[-1] += "]"
        is_open = inside
        pieces.append(text)
    return " ".join(pieces) + ("]" if is_open else "")


def phrase_parts(phrases: list, tags: list, bracket: Bracket) -> tuple[str, str]:
    """(label, production) of a bracket among constituents.

    Parameters
    ----------
    phrases : list of (start, end, label)
        In preorder, as ``Constituents`` has them.
    tags : list of str (n + 1,)
    bracket : Bracket

    Returns
    -------
    label : str
        Of the lowest phrase that holds the bracket, without function tags; "ROOT" if none does.
    production : str
        Its daughters, those that straddle a bound of the bracket expanded; the marked part in square brackets.
    """
    start, end = bracket.start, bracket.end
    holding = [k for k, phrase in enumerate(phrases) if phrase[0] <= start and end <= phrase[1]]
    top = holding[-1] if holding else -1  # in preorder the last of those that hold it is the lowest
    first, last = phrases[top][:2] if holding else (1, len(tags))
    begin, parts, word = top + 1, [], first
    for from_word, to_word, label in phrases[begin:]:
        if from_word >= last:
            break
        if from_word < word:  # below a daughter that is written already
            continue
        if (from_word < start < to_word) or (from_word < end < to_word):
            continue  # straddles: its daughters follow in preorder
        parts += [(number, tags[number]) for number in range(word, from_word)]
        parts.append((from_word, plain_label(label)))
        word = to_word
    parts += [(number, tags[number]) for number in range(word, last)]
    region = _regions(len(tags), bracket)
    return plain_label(phrases[top][2]) if holding else "ROOT", _written(parts, region)
