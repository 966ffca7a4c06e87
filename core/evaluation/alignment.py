"""Which words of two cuts of one text stand for each other, by the rules of CoNLL 2018 (Zeman et al. 2018).

A token is what stands in the text: a word, or a multiword token, which has several. Tokens spell the text, white space
aside, so that tokens and sentences are spans of its characters; two are the same where their spans are. Words that are
tokens stand for each other where the tokens are the same. Where a multiword token comes, on either side, the shortest
stretch of text is taken that cuts no multiword token. Its words are aligned by a longest common subsequence of their
forms, capitals aside. Of several, the one that gives up words of gold first.

Where such a stretch begins or ends within a plain token of the other side, its words are those that the task's own
script takes (conll18_ud_eval.py 1.2). The published figures are the script's.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.languages.normal_form import composed
from core.treebank import Treebank
from core.treebank.multiword import multiword_tokens

# the message, after the name of a parse, if it has the text of gold but other words
OTHER_WORDS = (
    "divides this text into other sentences or words, and only trees over the same words can be compared here; "
    "`python -m core evaluate --rules conll2018` aligns and scores such files"
)


@dataclass(frozen=True, eq=False)
class Alignment:
    """The words, tokens and sentences that two cuts have in common.

    Attributes
    ----------
    gold, system : ndarray of shape (aligned,), dtype int64
        Rows of the words that stand for each other, ascending in both.
    tokens, sentences : tuple of int
        How many are the same, how many gold has and how many the system.
    """

    gold: np.ndarray
    system: np.ndarray
    tokens: tuple
    sentences: tuple


def align(gold: Treebank, system: Treebank) -> Alignment:
    """The Alignment of two treebanks of one text, in whatever sentences, tokens and words.

    Texts of which one has accents apart (NFD) are compared composed (NFC). O(words), and in a stretch with multiword
    tokens O(words of gold times words of the system).

    Raises
    ------
    WorkbenchError : the texts are not of the same characters; says where they part.
    """
    one, two = _Cut(gold), _Cut(system)
    if one.text != two.text:
        one, two = _Cut(gold, composed), _Cut(system, composed)
    if one.text != two.text:
        shorter = min(len(one.text), len(two.text))
        at = next((i for i in range(shorter) if one.text[i] != two.text[i]), shorter)
        raise WorkbenchError(
            f"gold and system are not of one text: they part at gold's {one.location(at)} and the system's "
            f"{two.location(at)}; give both the same text"
        )
    pairs = np.array(list(_pairs(one, two)), np.int64).reshape(-1, 2)
    return Alignment(
        one.rows[pairs[:, 0]], two.rows[pairs[:, 1]], _same(one.tokens, two.tokens), _same(one.sentences, two.sentences)
    )


def same_words(treebank: Treebank) -> Alignment:
    """The Alignment of a treebank with one that has the same words in the same sentences and tokens."""
    first, last, _ = multiword_tokens(treebank)
    tokens = treebank.token_count - int((last - first).sum())
    rows = np.flatnonzero(treebank.is_word)
    return Alignment(rows, rows, (tokens,) * 3, (len(treebank),) * 3)


def sentences_of_words(text: Treebank, system: Treebank) -> np.ndarray:
    """int64 (rows of system,): the sentence of the text in which each word begins. Both spell the same text."""
    one, two = _Cut(text, composed), _Cut(system, composed)
    begins = np.zeros(len(system.heads), np.int64)
    begins[two.rows] = two.begins
    return np.minimum(np.searchsorted(one.sentences[:, 1], begins, side="right"), len(text) - 1)


def spell_the_same(one: Treebank, other: Treebank) -> bool:
    """Whether the tokens of two treebanks spell the same text, white space aside."""
    return _Cut(one, composed).text == _Cut(other, composed).text


class _Cut:
    """A treebank as spans of its characters.

    ``text`` is what its tokens spell; ``tokens`` and ``sentences`` are int64 (.., 2), where each begins and ends. Of
    each word: ``rows``, its token's ``begins`` and ``ends``, ``spanned``, whether that has several words, ``forms``.
    """

    def __init__(self, treebank, change: Callable[[str], str] = str):
        self.treebank = treebank
        form, ids = treebank.form, treebank.form.ids
        spelt = np.array([change(_unspaced(value)) for value in form.values], dtype=object)[ids]  # nothing at a root
        forms = spelt.copy()
        first = np.arange(len(ids))  # the first row of each row's token
        for begin, end, token in zip(*multiword_tokens(treebank), strict=True):
            forms[begin : end + 1] = [change(form[row]) for row in range(begin, end + 1)]
            spelt[begin : end + 1] = ""
            spelt[begin] = change(_unspaced(token))
            first[begin : end + 1] = begin
        lengths = np.fromiter(map(len, spelt), np.int64, len(spelt))
        after = np.cumsum(lengths)
        begins = (after - lengths)[first]
        starts = treebank.is_word & (first == np.arange(len(ids)))
        self.text = "".join(spelt)
        self.tokens = np.column_stack((begins[starts], after[starts]))
        self.sentences = np.column_stack((after[treebank.offsets[:-1]], after[treebank.offsets[1:] - 1]))
        self.rows = np.flatnonzero(treebank.is_word)
        self.begins, self.ends = begins[self.rows].tolist(), after[first][self.rows].tolist()
        self.spanned = (np.bincount(first)[first] > 1)[self.rows].tolist()
        self.forms = [form.lower() for form in forms[self.rows]]

    def beyond(self, word, end):
        """Whether a word is not within a stretch that ends at ``end``, or there is no such word."""
        if word >= len(self.rows):
            return True
        return self.begins[word] >= end if self.spanned[word] else self.ends[word] > end

    def location(self, character):
        """The word, or multiword token, of the character with this number, from 0, in words; or the end of the text."""
        word = int(np.searchsorted(self.ends, character, side="right"))
        if word == len(self.rows):
            return "end"
        row, treebank = self.rows[word], self.treebank
        for first, last, token in zip(*multiword_tokens(treebank), strict=True) if self.spanned[word] else ():
            if first <= row <= last:
                words = f"words {treebank.numbers[first]}-{treebank.numbers[last]}"
                return f"sentence {treebank.sentence_rows[row] + 1}, {words} ({token})"
        return f"sentence {treebank.sentence_rows[row] + 1}, word {treebank.numbers[row]} ({treebank.form[row]})"


def _pairs(one, two):
    """(word of gold, word of the system), in order, that stand for each other."""
    g = s = 0
    while g < len(one.rows) and s < len(two.rows):
        if one.spanned[g] or two.spanned[s]:
            g, s, g_end, s_end = _stretch(one, two, g, s)
            for i, j in _common(one.forms[g:g_end], two.forms[s:s_end]):
                yield g + i, s + j
            g, s = g_end, s_end
        elif (one.begins[g], one.ends[g]) == (two.begins[s], two.ends[s]):
            yield g, s
            g, s = g + 1, s + 1
        elif one.begins[g] <= two.begins[s]:
            g += 1
        else:
            s += 1


def _stretch(one, two, g, s):
    """(g, s, end of gold's words, end of the system's): the words around the multiword token at g or s."""
    end = one.ends[g] if one.spanned[g] else two.ends[s]
    if not two.spanned[s] and two.begins[s] < one.begins[g]:
        s += 1
    elif not one.spanned[g] and one.begins[g] < two.begins[s]:
        g += 1
    g_end, s_end = g, s
    while not (one.beyond(g_end, end) and two.beyond(s_end, end)):
        behind = s_end == len(two.rows) or (g_end < len(one.rows) and one.begins[g_end] <= two.begins[s_end])
        cut, word = (one, g_end) if behind else (two, s_end)
        if cut.spanned[word]:
            end = max(end, cut.ends[word])
        g_end, s_end = (g_end + 1, s_end) if behind else (g_end, s_end + 1)
    return g, s, g_end, s_end


def _common(one, two):
    """(i, j) of a longest common subsequence of two lists."""
    longest = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]  # lengths for the rests from i and j on
    for i in reversed(range(len(one))):
        for j in reversed(range(len(two))):
            both = longest[i + 1][j + 1] + (one[i] == two[j])
            longest[i][j] = max(both, longest[i + 1][j], longest[i][j + 1])
    i = j = 0
    while i < len(one) and j < len(two):
        if one[i] == two[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1


def _same(one, two):
    """(how many spans are in both, in the first, in the second)."""
    width = 1 + max(one.max(initial=0), two.max(initial=0))
    same = np.isin(one @ (width, 1), two @ (width, 1))
    return int(same.sum()), len(one), len(two)


def _unspaced(form):
    return "".join(sign for sign in form if unicodedata.category(sign) != "Zs")
