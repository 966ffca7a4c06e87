"""Multiword tokens: what stands in the text for several words, as CoNLL-U's lines with a range of numbers say."""

import re
from collections import Counter

import numpy as np

from core.treebank.treebank import Treebank

RANGE = re.compile(rb"^(?:\xef\xbb\xbf)?(\d+)-(\d+)\t([^\t\r\n]*)", re.MULTILINE)

# a line of a table of contractions: a word and two parts or more, each with a letter at its beginning or behind a mark
PART = r"[-'’]?[^\W\d_][^\s=#{}]*"
LINE = re.compile(rf"[^\W\d_][^\s=#{{}}]* = {PART}(?: {PART})+")


def multiword_tokens(treebank: Treebank) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """(first, last, forms) of the tokens that have several of a treebank's words.

    ``first`` and ``last`` are int64 (tokens,), rows of the treebank, ascending; ``forms`` is a list of str. A token
    some of whose words were taken away has those that are left, where there are two. O(bytes).
    """
    source = treebank.source
    token = np.full(len(source.lines), -1, np.int64)  # of each row of the source
    forms = []
    for token_range in RANGE.finditer(source.data):
        start = source.offsets[np.searchsorted(source.blocks, token_range.start(1), side="right") - 1]
        token[start + int(token_range[1]) : start + int(token_range[2]) + 1] = len(forms)
        forms.append(token_range[3].decode(source.encoding))
    token = token[treebank.rows]
    changes = np.flatnonzero(np.diff(token, prepend=-1, append=-1))  # root rows are in no token: none goes on past one
    begins, ends = changes[:-1], changes[1:]
    whole = (token[begins] >= 0) & (ends - begins > 1)
    return begins[whole], ends[whole] - 1, [forms[index] for index in token[begins[whole]].tolist()]


def table_of_contractions(treebank: Treebank) -> str:
    """A table for ``core.languages.contractions``, read off a treebank's multiword tokens.

    It has the forms that are multiword tokens more often than not, each with its most frequent parts, the most
    frequent form first. Forms and parts that a table cannot hold, such as marks, are left out. O(rows).
    """
    firsts, lasts, forms = multiword_tokens(treebank)
    words, within = treebank.form.strings(), treebank.is_word.copy()
    parts: dict[str, Counter] = {}
    for first, last, form in zip(firsts.tolist(), lasts.tolist(), forms, strict=True):
        parts.setdefault(form.lower(), Counter())[" ".join(words[first : last + 1]).lower()] += 1
        within[first : last + 1] = False
    alone = Counter(word.lower() for word in words[within].tolist())
    usual = sorted((-sum(counts.values()), form) for form, counts in parts.items())
    lines = (f"{form} = {parts[form].most_common(1)[0][0]}" for count, form in usual if -count > alone[form])
    return "".join(f"{line}\n" for line in lines if LINE.fullmatch(line))
