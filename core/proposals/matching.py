"""Which sentences and words of an answer stand for which of a text, by edit distance.

Sentences are matched by the words that they share, whatever their order. Words are aligned by the least cost. It is 0
for the same word whatever its case, GAP for one that was lost or added, and between them for other spellings.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.languages.normal_form import composed
from core.proposals.answers import ProposedSentence
from core.treebank import Treebank
from core.treebank.multiword import multiword_tokens

LEAST = 0.5  # share of words in common, of those of both sentences, from which they are the same
RARE = 4  # words of a sentence, its rarest in the text, by which sentences are looked for
MOST_JOINED = 4  # words that one word of the other side may stand for
JOINED, RESPELT, GAP = 0.25, 0.5, 1.0  # costs; of a respelling, with the share of other pairs of letters
ALIKE = 0.5  # share of pairs of letters in common from which a word is another spelling


class Link(NamedTuple):
    """Words of a text and of an answer that stand for each other, both as places from 0, ends exclusive.

    One of both is a single word. A word that was lost has none of the answer, a word that was added none of the text.
    """

    text: range
    answer: range


def match_sentences(text: Treebank, answer: Sequence[ProposedSentence]) -> dict[int, int]:
    """Sentence of the text -> sentence of the answer that stands for it; each at most once.

    Those with most words in common are matched first; of equal ones those that keep the order, then those whose
    comments name the sentence. O(words + pairs of sentences that share a rare word and are not the same).
    """
    found: dict[int, int] = {}
    used = set()
    for *_, index, number in sorted(_similar(text, answer)):
        if index not in found and number not in used:
            found[index] = number
            used.add(number)
    return found


def _similar(text, answer) -> Iterator[tuple[float, int, bool, int, int]]:
    """(minus what they share, how far from the same place, whether of another name, sentence, number in the answer)."""
    words = [tuple(map(_folded, sentence.forms[1:])) for sentence in text]
    bags, same, having = [Counter(each) for each in words], defaultdict(list), defaultdict(list)
    for index, bag in enumerate(bags):
        same[words[index]].append(index)
        for word in bag:
            having[word].append(index)
    named = {sentence.sent_id: index for index, sentence in enumerate(text)}
    for number, sentence in enumerate(answer):
        given = tuple(_folded(word.form) for word in sentence.words)
        bag, own = Counter(given), named.get(sentence.sent_id, -1)
        rarest = sorted((word for word in bag if word in having), key=lambda word: len(having[word]))[:RARE]
        for index in same.get(given) or {index for word in rarest for index in having[word]}:
            both = len(given) + len(words[index])
            if 2 * min(len(given), len(words[index])) >= LEAST * both:
                common = 2 * (bag & bags[index]).total() / both
                if common >= LEAST:
                    yield -common, abs(index - number), index != own, index, number


def align_words(forms: Sequence[str], answer: Sequence[str], tokens: Sequence[tuple[int, int, str]] = ()) -> list[Link]:
    """The Links of least cost between the words of a sentence and those of an answer, in order.

    Parameters
    ----------
    forms, answer : sequences of str
    tokens : sequence of (int, int, str)
        Multiword tokens of the sentence: places of the first word and behind the last, and what is written.

    Notes
    -----
    O(n m), a comparison of pairs of letters for each two words that differ; what both begin with is not looked at.
    """
    one, two = [_folded(form) for form in forms], [_folded(form) for form in answer]
    same = next((k for k, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    tokens = [(first - same, end - same, _folded(form)) for first, end, form in tokens if first >= same]
    rest = _least(one[same:], two[same:], tokens)
    links = [Link(range(k, k + 1), range(k, k + 1)) for k in range(same)]
    return links + [
        Link(*(range(places.start + same, places.stop + same) for places in link)) for link in rest
    ]  # fmt: skip


def tokens_of(text: Treebank) -> dict[int, list[tuple[int, int, str]]]:
    """Sentence -> its multiword tokens as ``align_words`` takes them. O(bytes)."""
    found: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for first, last, form in zip(*multiword_tokens(text), strict=True):
        numbers = text.numbers[first], text.numbers[last]
        found[int(text.sentence_rows[first])].append((int(numbers[0]) - 1, int(numbers[1]), form))
    return found


def _least(one, two, tokens):
    """The Links of two lists of words by dynamic programming over their beginnings."""
    letters = [[_pairs_of_letters(word) for word in words] for words in (one, two)]
    written = {(first, end): form for first, end, form in tokens}
    best: list[list[tuple[float, int, int]]] = []  # (cost, words of the text, words of the answer in the last link)
    for i in range(len(one) + 1):
        best.append([])
        for j in range(len(two) + 1):
            steps = _steps(one, two, letters, written, i, j)
            best[i].append(min((best[i - a][j - b][0] + cost, a, b) for cost, a, b in steps) if i or j else (0.0, 0, 0))
    links, i, j = [], len(one), len(two)
    while i or j:
        _, a, b = best[i][j]
        links.append(Link(range(i - a, i), range(j - b, j)))
        i, j = i - a, j - b
    return links[::-1]


def _steps(one, two, letters, written, i, j) -> Iterator[tuple[float, int, int]]:
    """(cost, words of the text, words of the answer) of all links that may end at i and j."""
    if i:
        yield GAP, 1, 0
    if j:
        yield GAP, 0, 1
    if not (i and j):
        return
    if one[i - 1] == two[j - 1]:
        yield 0.0, 1, 1
        return
    first, second = letters[0][i - 1], letters[1][j - 1]
    likeness = 2 * len(first & second) / (len(first) + len(second))
    if likeness >= ALIKE:
        yield RESPELT + 1 - likeness, 1, 1
    for k in range(2, MOST_JOINED + 1):
        if k <= i and two[j - 1] in ("".join(one[i - k : i]), written.get((i - k, i))):
            yield JOINED, k, 1
        if k <= j and "".join(two[j - k : j]) == one[i - 1]:
            yield JOINED, 1, k


def _pairs_of_letters(word):
    """The pairs of neighbouring letters of a word, its beginning and end included."""
    return frozenset(zip(f" {word}", f"{word} ", strict=True))


def _folded(form):
    return composed(form).casefold()
