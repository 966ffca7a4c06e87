"""A treebank under the annotations of some of its sentences."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.annotation.edits import ENTRIES, TAGS, SentenceAnnotation
from core.annotation.label_inventories import with_entry
from core.treebank import Treebank
from core.treebank.retag import with_column
from core.treebank.tag_shares import without_tag_shares

NAMES = {"deprels": "deprel", "upos": "upos", "xpos": "xpos", "lemmas": "lemma", "feats": "feats"}


def annotated(treebank: Treebank, annotations: dict[int, SentenceAnnotation]) -> Treebank:
    """A treebank of the same words, with the trees and tags of annotations in some sentences.

    Parameters
    ----------
    treebank : Treebank
    annotations : dict of int to Annotation
        By the sentence's index, of the same number of words.

    Returns
    -------
    Treebank
        Other sentences, and columns without a difference, are unchanged; of MISC, what is no gloss or transliteration.

    Raises
    ------
    WorkbenchError : heads that are no forest, a value that the file's format or encoding cannot hold.

    Notes
    -----
    O(rows) and, for each tag column that differs, O(bytes).
    """
    heads = treebank.heads.copy()
    for index, annotation in annotations.items():
        begin = int(treebank.offsets[index])
        heads[begin + 1 : begin + 1 + len(annotation)] = annotation.heads[1:]
    columns = {index: {name: getattr(tree, name)[1:] for name in NAMES} for index, tree in annotations.items()}
    relations = _differing(treebank, "deprels", columns)
    treebank = with_tags(treebank, columns)
    misc = _other_entries(treebank, annotations)
    if misc:
        treebank = with_column(treebank, "misc", treebank.misc.with_values(misc))
    if relations or (heads != treebank.heads).any():
        treebank = treebank.with_heads(heads.astype(np.int32), treebank.deprel.with_values(relations))
    return treebank


def with_tags(treebank: Treebank, columns: Mapping[int, Mapping[str, Sequence[str]]]) -> Treebank:
    """A treebank of the same trees, with other tags, lemmas and features in some sentences.

    ``columns`` maps a sentence's index to {name of TAGS: values of words 1 to n}. A missing name and a value None leave
    the treebank's values. How probable a word's tag was (``TagProb`` in MISC) goes with the tag. Raises WorkbenchError
    for a value that the file's format or encoding cannot hold. O(bytes) for each column that differs.
    """
    for name in TAGS:
        new = _differing(treebank, name, columns)
        if new:
            treebank = with_column(treebank, NAMES[name], getattr(treebank, NAMES[name]).with_values(new))
        if name == "upos":
            treebank = without_tag_shares(treebank, new)
    return treebank


def _other_entries(treebank, annotations):
    """{row: MISC} of the words that have another gloss or transliteration in their annotation."""
    new = {}
    for index, annotation in annotations.items():
        columns = zip(*(getattr(annotation, name)[1:] for name in ENTRIES), strict=True)
        for row, values in enumerate(columns if annotation.misc else (), start=int(treebank.offsets[index]) + 1):
            text = before = treebank.misc[row]
            for entry, value in zip(ENTRIES.values(), values, strict=True):
                text = with_entry(text, entry, value)
            if text != before:
                new[row] = text
    return new


def _differing(treebank, name, columns):
    """{row: value} of the words whose value in ``columns`` differs from the treebank's."""
    old, new = getattr(treebank, NAMES[name]), {}
    for index, values in columns.items():
        begin = int(treebank.offsets[index])
        for row, value in enumerate(values.get(name, ()), start=begin + 1):
            if value is not None and old[row] != value:
                new[row] = value
    return new
