"""The evidence for a tag: sentences of a word, words of an ending, and a check of words drawn at random."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.markup import wilson
from core.treebank import Treebank
from core.treebank.tagging import STEM, UNKNOWN, Lexicon
from core.workspace.wording import amount, marked_words

DRAWN = 20  # words of a check
ENDINGS, LETTERS, FEWEST = 8, (2, 3, 4), 3  # endings offered, their letters, words that have one at the least
SAME = 0.8  # share of an ending's words from which on a longer ending is offered in its place


@dataclass(frozen=True)
class TaggedWord:
    """A word of a text, its tag, and its sentence as Markdown with the word marked."""

    form: str
    tag: str
    text: str


def word_sentences(treebank: Treebank, form: str, most: int = 3) -> list[str]:
    """The first sentences of a word in any case, as Markdown with the word marked, tags beside the words. O(rows)."""
    lower = form.lower()
    rows = np.flatnonzero(treebank.form.mask(lambda value: value.lower() == lower))
    return [_marked(treebank, row, treebank.upos.filled) for row in rows[:most].tolist()]


def words_of_ending(treebank: Treebank, lexicon: Lexicon, ending: str) -> dict[str, int]:
    """The words that a line ``-ending TAG`` would tag, with their counts, the most frequent first.

    They are at least two letters longer than the ending, and have neither a line of their own nor a longer ending's.
    """
    ending = ending.strip().lstrip("-").lower()
    counts = {}
    for form, count in treebank.form.counts().items() if ending else ():
        lower = form.lower()
        if lower.endswith(ending) and len(lower) >= len(ending) + STEM and not lexicon.tags(form):
            counts[lower] = counts.get(lower, 0) + count
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def frequent_endings(treebank: Treebank, lexicon: Lexicon, most: int = ENDINGS) -> dict[str, int]:
    """Endings that many words without a tag share, with the number of these words, the most first.

    They have LETTERS letters, and at least FEWEST words, as in ``words_of_ending``. An ending is left out where nearly
    all of its words have the same longer one.
    """
    words: dict[str, set[str]] = {}
    for form in treebank.form.counts():
        lower = form.lower()
        if lower.isalpha() and not lexicon.tags(form):
            for size in LETTERS:
                if len(lower) >= size + STEM:
                    words.setdefault(lower[-size:], set()).add(lower)
    counts = {ending: len(found) for ending, found in words.items() if len(found) >= FEWEST}
    for ending, count in list(counts.items()):
        if counts.get(ending[1:], 0) and count >= SAME * counts[ending[1:]]:
            counts[ending[1:]] = 0  # the longer one says more
    kept = {ending: len(words[ending]) for ending, count in counts.items() if count}
    return dict(sorted(kept.items(), key=lambda item: (-item[1], item[0]))[:most])


def drawn_words(treebank: Treebank, content: str, draw: int = 0, count: int = DRAWN) -> list[TaggedWord]:
    """Words with a tag, drawn at random without those that hold no letter; fewer than ``count`` where there are few.

    Each occurrence is as likely as another, so that the share of right tags is that of the text's words. ``content``
    names the text and its tags, and ``draw`` numbers the draws from them: other tags, other words. The same words once
    more, repaired meanwhile, would make the share too high.
    """
    seed = int.from_bytes(hashlib.sha256(f"{draw} {content}".encode()).digest()[:16])
    column = treebank.coarse_tags
    letters = treebank.form.mask(lambda value: any(character.isalpha() for character in value))
    rows = np.flatnonzero(letters & column.mask(lambda value: value not in ("", UNKNOWN)))
    chosen = np.random.default_rng(seed).permutation(rows)[:count].tolist()
    return [
        TaggedWord(treebank.form.values[treebank.form.ids[row]], column.values[column.ids[row]], _marked(treebank, row))
        for row in chosen
    ]


def check_verdict(answers: Sequence[bool]) -> str:
    """The accuracy of the tags by the answers so far, as Markdown, with a 95% interval (Wilson)."""
    low, high = wilson(sum(answers), len(answers))
    if low is None or high is None:
        return "No word is judged yet."
    share = f"**{sum(answers) / len(answers):.0%}** of the tags are right"
    return f"{share}: {sum(answers)} of {amount(len(answers), 'word')} (95% interval {low:.0%} to {high:.0%})"


def _marked(treebank, row, has_tags=False):
    number = int(np.searchsorted(treebank.offsets, row, side="right")) - 1
    sentence = treebank[number]
    return marked_words(sentence, set(), {int(row - treebank.offsets[number])}, sentence.upos if has_tags else ())
