"""Lists of words with tags, as a person would write them, read off tagged texts; and texts tagged by such lists."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.universal.text import TaggedWords
from core.treebank import Treebank
from core.treebank.retag import interned, tags_taken_over, with_column
from core.treebank.tag_sets import parts_of_speech
from core.treebank.tagging import Lexicon, untagged_types

LISTED = 200  # words


def tag_counts_of(text: Treebank) -> dict[str, Counter]:
    """The frequency of each word's tags in a text, words in lower case: universal tags, or XPOS where it has none.

    Tags that stand for no part of speech are passed over.
    """
    counts: dict[str, Counter] = {}
    column = text.coarse_tags
    known = [bool(parts_of_speech(tag)) for tag in column.values]
    for form, tag in zip(text.form.ids.tolist(), column.ids.tolist(), strict=True):
        if known[tag]:
            counts.setdefault(text.form.values[form].lower(), Counter())[column.values[tag]] += 1
    return counts


def lexicon_of(counts: Mapping[str, Counter], forms: Sequence[str], several: float = 1.0) -> Lexicon:
    """The words that have tags, with their commonest, and those that a share ``several`` of their tokens have."""
    entries = {}
    for form in (form for form in forms if form.lower() in counts):
        (usual, _), *others = counts[form.lower()].most_common()
        total = counts[form.lower()].total()
        entries[form] = (usual, *(tag for tag, count in others if count >= several * total))
    return Lexicon(entries)


def frequent_words(text: Treebank, count: int) -> list[str]:
    """The most frequent words of a text, the first most so."""
    return [word.form for word in untagged_types(text, Lexicon(), count)]


def without_tags(text: Treebank) -> Treebank:
    """A text whose words have no universal tags."""
    return with_column(text, "upos", interned(np.zeros(len(text.heads), np.int64), [""]))


def tagged_by_list(text: Treebank, tagger: DictionaryTagger, words: int = LISTED) -> Treebank:
    """A text with the tags that a list of its most frequent words leads to, and how probable these are in MISC.

    O(words + types), as ``DictionaryTagger.read``. Raises as ``DictionaryTagger.tag``.
    """
    tagged = tagger.tag(without_tags(text), lexicon_of(tag_counts_of(text), frequent_words(text, words)))
    return with_column(tags_taken_over(text, tagged, "upos"), "misc", tagged.misc)


def doubted(words: Treebank, relations: Sequence[str], tagger: DictionaryTagger) -> TaggedWords:
    """Words to learn from with their own tags, and as ``shares`` those that a list of words leads to.

    Parameters
    ----------
    words : Treebank
        Some words of a text, as ``usable_sentences`` chooses them: the tagger reads the text itself, up to the last of
        these sentences, punctuation and all.
    relations : sequence of str
        As in ``TaggedWords.of``.
    tagger : DictionaryTagger

    Raises
    ------
    WorkbenchError : as ``TaggedWords.of``.
    """
    tagged = TaggedWords.of(words, relations)
    text = Treebank(words.source).select(np.arange(words.picks.max() + 1))
    shares = TaggedWords.of(tagged_by_list(text, tagger)).probable_tags()
    return replace(tagged, shares=shares[words.rows])
