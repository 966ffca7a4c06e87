"""Aligned words of two cuts of one text, by the words of the shared task's description. Imports nothing from core.

A cut is a list of sentences, each a list of tokens (form, words): a plain token has no words, a multiword token some.
"""

from functools import cache


def aligned_words(one, two):
    """How many words stand for each other."""
    first, second = _tokens(one), _tokens(two)
    stretches = _stretches([span for span, words in first + second if words])
    count = 0
    for begin, end in stretches:
        count += _longest(*(_words_within(tokens, begin, end) for tokens in (first, second)))
    for tokens in (first, second):
        tokens[:] = [
            (span, words)
            for span, words in tokens
            if all(span[1] <= begin or end <= span[0] for begin, end in stretches)
        ]
    return count + len({span for span, _ in first} & {span for span, _ in second})


def _tokens(cut):
    found, at = [], 0
    for sentence in cut:
        for form, words in sentence:
            found.append(((at, at + len(form), form), words))
            at += len(form)
    return found


def _stretches(spans):
    """The smallest stretches that cut no span: spans joined for as long as two of them overlap."""
    stretches = [(begin, end) for begin, end, *_ in spans]
    for _ in spans:
        for a in list(stretches):
            for b in list(stretches):
                if a != b and a in stretches and b in stretches and a[0] < b[1] and b[0] < a[1]:
                    stretches = [each for each in stretches if each not in (a, b)]
                    stretches.append((min(a[0], b[0]), max(a[1], b[1])))
    return sorted(set(stretches))


def _words_within(tokens, begin, end):
    found = []
    for (start, stop, form), words in tokens:
        if begin <= start and stop <= end:
            found += words or [form]
    return tuple(found)


def _longest(one, two):
    @cache
    def length(i, j):
        if i == len(one) or j == len(two):
            return 0
        both = 1 + length(i + 1, j + 1) if one[i].lower() == two[j].lower() else 0
        return max(both, length(i + 1, j), length(i, j + 1))

    return length(0, 0)
