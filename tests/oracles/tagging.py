"""Taggings by enumeration, and a tagger's features of a word spelled out as text."""

from itertools import product


def tagging_score(local, pairs, trigram, tagging):
    """The score of a tagging; ``pairs[i]`` (T + 1, T + 1) and ``trigram``; index T is the boundary.

    ``pairs[i][a, b]`` is for tag b at word i after tag a; ``pairs[n]`` is for the boundary after the last word.
    """
    n, boundary = len(local), len(trigram) - 1
    padded = [boundary, boundary, *tagging, boundary]
    total = 0.0
    for i in range(n + 1):
        left, middle, tag = padded[i : i + 3]
        total += trigram[left, middle, tag] + pairs[i][middle, tag]
        if i < n:
            total += local[i, tag]
    return total


def best_tagging(local, pairs, trigram):
    """(value, tagging): the best of all; of equals, the smallest read from its end."""
    tags = len(trigram) - 1
    found = []
    for tagging in product(range(tags), repeat=len(local)):
        found.append((-tagging_score(local, pairs, trigram, tagging), tagging[::-1]))
    value, reverse = min(found)
    return -value, reverse[::-1]


def _shape(form):
    signs = ["d" if c.isdigit() else ("x" if c == c.lower() else "X") if c.isalpha() else c for c in form]
    return "".join(sign for i, sign in enumerate(signs) if i == 0 or signs[i - 1] != sign)


def _own_features(form):
    lower = form.lower()
    names = {"bias", f"form {form}", f"lower {lower}", f"shape {_shape(form)}"}
    names |= {f"prefix {lower[:k]}" for k in range(1, 6) if len(lower) >= k}
    names |= {f"suffix {lower[-k:]}" for k in range(1, 6) if len(lower) >= k}
    digit, capital = any(c.isdigit() for c in form), form != form.lower()
    names |= {"initial capital"} if form[0] != form[0].lower() else set()
    names |= {"all capitals"} if capital and form == form.upper() else set()
    names |= {"digit"} if digit else set()
    names |= {"hyphen"} if "-" in form else set()
    names |= {"capital, digit and hyphen"} if capital and digit and "-" in form else set()
    names |= {"no letter or digit"} if not any(c.isalnum() for c in form) else set()
    return names


def word_features(forms, i):
    """Names of the features of word i (from 0) of a sentence."""

    def word(offset):
        place = i + offset
        return forms[place] if 0 <= place < len(forms) else ""

    names = _own_features(forms[i])
    names |= {f"word {offset:+d} {word(offset).lower()}" for offset in (-2, -1, 1, 2)}
    for offset in (-1, 1):
        if len(word(offset).lower()) >= 3:
            names.add(f"suffix {offset:+d} {word(offset).lower()[-3:]}")
        names.add(f"shape {offset:+d} {_shape(word(offset))}")
    if i == 0:
        names.add(f"opening shape {_shape(forms[0])}")
    for left, right in ((-1, 0), (0, 1), (-1, 1)):
        names.add(f"words {left:+d} {right:+d} {word(left).lower()}\t{word(right).lower()}")
    return names
