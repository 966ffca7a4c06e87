"""Inconsistencies of a text's trees, corrections by hand included, as a table for pages."""

from collections.abc import Collection
from dataclasses import dataclass

from core.consistency.outliers import Outlier, outliers, words_with_heads
from core.files.tables import columns_of
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.annotate.lists import ticks
from core.workspace.wording import around, word_name
from core.workspace.workspace import Workspace

COLUMNS = ("done", "sentence", "word", "relation", "has", "others", "share", "odds", "around", "context")
MOST = 400  # rows listed at once; pages show the total count beside the list


@dataclass(frozen=True, eq=False)
class TextOutliers:
    """The Outliers of a text, the highest odds first, and its trees as they were compared."""

    treebank: Treebank
    outliers: list[Outlier]

    @property
    def words(self) -> str:
        """How many words are looked at, in words."""
        return words_with_heads(self.treebank)

    @property
    def places(self) -> list[tuple[int, int]]:
        """(index of the sentence, number of the word) of those listed."""
        return [(outlier.sentence, outlier.word) for outlier in self.outliers[:MOST]]

    def columns(self, done: Collection[int] = (), most: int = MOST) -> dict[str, list]:
        """Columns of a table: the word, its relation and head, what others in its context have, the odds.

        Its head and the others' are said in the same terms, of ``Attachment``. Words of sentences that are ``done``,
        by their indices, are ticked.
        """
        rows, column = [], self.treebank.coarse_name
        for outlier in self.outliers[:most]:
            sentence, word = self.treebank[outlier.sentence], outlier.word
            head = f"{word_name(sentence, int(sentence.heads[word]), column)}: {outlier.has}"
            head = head if outlier.has.side else str(outlier.has)
            share = f"{outlier.agreeing:,} of {outlier.of:,}"
            rows.append((
                *ticks([outlier.sentence], done), outlier.sentence + 1, word_name(sentence, word, column),
                sentence.deprels[word], head, str(outlier.others), share, outlier.odds, around(sentence.forms, word),
                outlier.context,
            ))  # fmt: skip
        return columns_of(COLUMNS, rows)


def text_outliers(workspace: Workspace, corpus: Corpus) -> TextOutliers:
    """Those of a Corpus, kept by the process. Raises WorkbenchError where there are no trees or tags."""

    def make():
        treebank = workspace.standing(corpus).treebank
        return TextOutliers(treebank, outliers(treebank))

    return workspace.cache.get("outliers", workspace.shown_key(corpus), make)
