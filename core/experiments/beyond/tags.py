"""Texts with tags that were predicted: by taggers of their other parts, or by word lists."""

import numpy as np

from core.parsers import Tagger
from core.parsers.dictionary.lists import lexicon_of, tag_counts_of
from core.treebank import Treebank
from core.treebank.retag import tags_taken_over, with_values
from core.treebank.tagging import Lexicon, apply_lexicon, load_closed_classes, untagged_types

FOLDS = 5
BY_HAND = 300  # words


def cross_tagged(text: Treebank, column: str) -> Treebank:
    """The text with each fifth tagged by a Tagger of the other four; sentence i is of fold i modulo five."""
    fold, values = np.arange(len(text)) % FOLDS, np.full(len(text.heads), "", dtype=object)
    of_row = np.repeat(fold, text.lengths + 1)
    for held_out in range(min(FOLDS, len(text))):
        tagger = Tagger().fit(text.select(fold != held_out), tags=column)
        tagged = tagger.tag(text.select(fold == held_out), column=column)
        values[of_row == held_out] = _values(getattr(tagged, column))
    return with_values(text, column, values)


def with_tags(text: Treebank, tagged: Treebank, column: str) -> tuple[Treebank, float]:
    """(``tags_taken_over``, percent of the words' tags that are right)."""
    other, is_word = tags_taken_over(text, tagged, column), ~text.punctuation() & text.is_word
    gold, taken = _values(getattr(text, column)), _values(getattr(other, column))
    return other, 100.0 * float((taken == gold)[is_word].mean())


def by_hand(text: Treebank, closed_classes: str) -> Treebank:
    """The text with universal tags of a closed-class list, and of the most frequent other words by hand.

    What a person says of a frequent word is its commonest tag in the text; other words are taken for nouns.
    """
    lexicon = load_closed_classes(closed_classes)
    answers = lexicon_of(tag_counts_of(text), [word.form for word in untagged_types(text, lexicon, BY_HAND)])
    for form, tags in answers.entries.items():
        lexicon = lexicon.with_entry(form, tags[0])
    rest = Lexicon(lexicon.entries, lexicon.suffixes, {**lexicon.shapes, "@other": "NOUN"})
    return apply_lexicon(text, rest, overwrite=True)


def _values(column):
    return np.array(column.values, dtype=object)[column.ids]
