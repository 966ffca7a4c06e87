"""A treebank under the annotations of some of its sentences."""

import numpy as np

from core.treebank.retag import with_column

NAMES = {"deprels": "deprel", "upos": "upos", "xpos": "xpos", "lemmas": "lemma", "feats": "feats"}


def annotated(treebank, annotations):
    """The same words under other trees and tags in some sentences.

    Parameters
    ----------
    treebank : Treebank
    annotations : dict of int to Annotation
        By the sentence's index; of as many words as the sentence has.

    Returns
    -------
    Treebank
        Sentences that are not mentioned, and columns in which nothing differs, are as they were.

    Raises
    ------
    WorkbenchError : heads that are no forest, a value that the file's format or encoding cannot hold.

    Notes
    -----
    O(rows) and, for each tag column that differs, O(bytes).
    """
    heads, new = treebank.heads.copy(), {name: {} for name in NAMES}
    for index, annotation in annotations.items():
        begin = int(treebank.offsets[index])
        heads[begin + 1 : begin + 1 + len(annotation)] = annotation.heads[1:]
        for name, column in NAMES.items():
            old = getattr(treebank, column)
            for word, value in enumerate(getattr(annotation, name)[1:], start=1):
                if old[begin + word] != value:
                    new[name][begin + word] = value
    for name, column in NAMES.items():
        if new[name] and name != "deprels":
            treebank = with_column(treebank, column, getattr(treebank, column).with_values(new[name]))
    if new["deprels"] or (heads != treebank.heads).any():
        treebank = treebank.with_heads(heads.astype(np.int32), treebank.deprel.with_values(new["deprels"]))
    return treebank
