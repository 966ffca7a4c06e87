"""Which words to tag next: those whose tags are expected to settle most of a text's words.

The tag of a word settles its tokens, as far as they are in doubt, and a part of the doubt of words with its ending.
The more words of an ending are known, the smaller that part is. To choose by the doubt of a word alone is far worse
(Chaudhary et al. 2021).
"""

from dataclasses import dataclass

import numpy as np

from core.parsers.dictionary.tagger import DictionaryTagger, known_types
from core.parsers.dictionary.types import SUFFIXES, WordTypes
from core.parsers.universal.text import TAGS
from core.treebank import Treebank
from core.treebank.tagging import Lexicon

ENDINGS = {2: 0.4, 3: 0.6, 4: 0.4}  # by their length: what part of the doubt of such words a first tag settles, scaled
AGAIN = 0.6  # the share of an ending's words that the next tag decides too
SHOWN = 3  # occurrences shown of a word
AROUND = 6  # words on each side of a word that is shown


@dataclass(frozen=True)
class WordWorth:
    """A word to be tagged.

    Attributes
    ----------
    form : str
        Its most frequent spelling.
    count : int
        Of all spellings that differ in case only.
    settles : float
        How many words its tag is expected to settle.
    rows : tuple of int
        Rows in the treebank of its first words.
    likeliest : str
        The part of speech that it has for now; "" where nothing is known.
    """

    form: str
    count: int
    settles: float
    rows: tuple[int, ...]
    likeliest: str


def words_worth_tagging(
    treebank: Treebank, lexicon: Lexicon, count: int, column: str = "upos", tagger: DictionaryTagger | None = None
) -> list[WordWorth]:
    """Words of a text that have no tag yet, the worthiest first.

    Parameters
    ----------
    treebank : Treebank
    lexicon : Lexicon
        What is known: its words are left out. Where it is empty, every tag is in doubt alike.
    count : int
        How many to return at the most.
    column : str
        "upos" or "xpos"; words that have a tag there are left out.
    tagger : DictionaryTagger, optional
        Says how much tags are in doubt; by default the one that comes with the workbench.

    Notes
    -----
    Each word is chosen as if the tags of those before it were known. With the real tags, asked for some words at a
    time, later words are better. O(count types).
    """
    types = WordTypes.of(treebank)
    doubt, listed, likeliest = _doubt(types, treebank, lexicon, column, tagger)
    groups = [types.groups[SUFFIXES.index(length)].tocsr() for length in ENDINGS]
    known = [group.T @ listed.astype(np.float64) for group in groups]  # types of each ending
    open_types = types.lettered & ~listed & (doubt > 0)
    chosen = []
    for _ in range(min(count, int(open_types.sum()))):
        gains = doubt.copy()
        for group, counts, share in zip(groups, known, ENDINGS.values(), strict=True):
            gains += group @ (share * (1 - AGAIN) * AGAIN**counts * (group.T @ doubt))
        best = int(np.where(open_types, gains, -np.inf).argmax())
        rows = types.rows[types.numbers == best]
        shown = tuple(rows[:SHOWN].tolist())
        chosen.append(WordWorth(types.spellings[best], len(rows), float(gains[best]), shown, likeliest[best]))
        open_types[best], doubt[best] = False, 0
        for group, counts in zip(groups, known, strict=True):
            counts[group[[best]].indices] += 1
    return chosen


def _doubt(types, treebank, lexicon, column, tagger):
    """(expected tokens of each type with a wrong tag, whether the tag of a type is given, its likeliest tag)."""
    listed_tags = known_types(types, treebank, lexicon, column)
    listed = np.isin(np.arange(len(types)), list(listed_tags))
    if not listed_tags:
        return types.counts * types.lettered, listed, [""] * len(types)
    tagged = (tagger or DictionaryTagger.load()).read(treebank, lexicon, column)
    wrong = 1 - tagged.shares.max(axis=1, initial=0)
    doubt = np.bincount(types.numbers[tagged.words], wrong, len(types)) * ~listed
    return doubt, listed, [TAGS[best] for best in tagged.knowledge.best.argmax(axis=1).tolist()]


def word_in_context(treebank: Treebank, row: int) -> str:
    """Some words around one of a treebank, which stands in square brackets."""
    sentence = treebank.sentence_rows[row]
    first, end = int(treebank.offsets[sentence]) + 1, int(treebank.offsets[sentence + 1])
    shown = range(max(first, row - AROUND), min(end, row + AROUND + 1))
    words = [treebank.form.values[treebank.form.ids[position]] for position in shown]
    words[row - shown.start] = f"[{words[row - shown.start]}]"
    return ("… " if shown.start > first else "") + " ".join(words) + (" …" if shown.stop < end else "")
