"""One tag set for treebanks that have different ones: a tagger learnt on one of them tags all (zhou2013, section 3).

The paper's tagger came from a third corpus; ours learns on one of the treebanks. The sentences it learnt from are
tagged by taggers that did not see them, so that tags are as good, and as bad, everywhere.
"""

from collections.abc import Sequence

import numpy as np

from core.callbacks import Cancel
from core.errors import WorkbenchError
from core.joint.training import sentence_keys
from core.parsers import Tagger
from core.treebank import Treebank
from core.treebank.retag import interned, with_column

FOLDS = 5
MOST_FOREIGN = 0.2  # share of words in tags that the other treebank does not have, up to which tag sets count as one


def foreign_tags(one: Treebank, other: Treebank, tags: str | None = None) -> tuple[float, tuple[str, ...]]:
    """(share of the words of ``other`` whose tags ``one`` does not have, these tags sorted)."""
    column, known = other.tag_column(tags), _used(one.tag_column(tags))
    unknown = tuple(sorted(set(_used(column)) - set(known)))
    if not other.token_count:
        return 0.0, unknown
    return float(column.mask(set(unknown).__contains__).sum() / other.token_count), unknown


def same_tag_set(treebanks: Sequence[Treebank], tags: str | None = None) -> bool:
    """Whether all treebanks are tagged alike: few words have a tag that another treebank does not know."""
    try:
        return all(
            foreign_tags(one, other, tags)[0] <= MOST_FOREIGN
            for one in treebanks
            for other in treebanks
            if one is not other
        )
    except WorkbenchError:  # a treebank without tags, or without those asked for
        return False


def shared_tags(treebanks: Sequence[Treebank], texts: Sequence[Treebank] = (), tags: str | None = None) -> str | None:
    """The columns in which all are tagged alike: "both", "upos" or "xpos"; None if there is none.

    Of ``texts`` to parse, few words may have a tag that a treebank does not know; they need not have all of its tags.
    ``tags`` allows one column alone.
    """
    shared = []
    for column in ("upos", "xpos") if tags is None else (tags,):
        if not all(getattr(bank, column).filled for bank in (*treebanks, *texts)):
            continue
        known = (foreign_tags(bank, text, column)[0] <= MOST_FOREIGN for bank in treebanks for text in texts)
        if same_tag_set(treebanks, column) and all(known):
            shared.append(column)
    return "both" if len(shared) > 1 else next(iter(shared), None)


class UniversalTags:
    """A layer of tags for all treebanks, in their UPOS column.

    Parameters
    ----------
    treebank : Treebank
        Whose tags the tagger learns.
    tags : {"xpos", "upos", None}
        Its column; None takes the filled one, XPOS if both are.
    cancel : callable, optional

    Raises
    ------
    WorkbenchError : no tags.
    """

    def __init__(self, treebank: Treebank, tags: str | None = None, cancel: Cancel | None = None):
        self.keys = sentence_keys(treebank)
        self.tagger = Tagger().fit(treebank, tags=tags, cancel=cancel)
        self.folds = []
        for fold in range(FOLDS):
            others = self.keys % FOLDS != fold
            seen_all = others.all() or not others.any()
            self.folds.append(
                self.tagger if seen_all else Tagger().fit(treebank.select(others), tags=tags, cancel=cancel)
            )

    def __call__(self, treebank):
        """The treebank with UPOS of this layer. Trees are untouched."""
        treebank = treebank.to_conllu()
        names = self.tagger.tags
        numbers = {name: at for at, name in enumerate(names, start=1)}
        numbered = _numbers(self.tagger, treebank, numbers)
        keys = sentence_keys(treebank)
        seen = np.isin(keys, self.keys)
        for fold, tagger in enumerate(self.folds):
            chosen = np.flatnonzero(seen & (keys % FOLDS == fold))
            if len(chosen) and tagger is not self.tagger:
                rows = np.concatenate([np.arange(*treebank.offsets[s : s + 2]) for s in chosen.tolist()])
                numbered[rows] = _numbers(tagger, treebank.select(chosen), numbers)
        return with_column(treebank, "upos", interned(numbered, ("", *names)))


def _numbers(tagger, treebank, numbers):
    """int64 (rows,): the layer's numbers of a tagger's tags."""
    tagging, _ = tagger.decode(treebank)
    translated = np.array([numbers[name] for name in tagger.tags])
    tags = translated[np.maximum(tagging, 0)]
    tags[treebank.offsets[:-1]] = 0
    return tags


def _used(column):
    return [column.values[value] for value in np.unique(column.ids).tolist() if column.values[value]]
