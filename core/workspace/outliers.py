"""Inconsistencies of a text's trees, corrections by hand included, as a table for pages."""

from dataclasses import dataclass

from core.consistency.outliers import Outlier, outliers
from core.files.tables import columns_of
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.wording import word_name
from core.workspace.workspace import Workspace

MOST = 400  # rows listed at once; pages show the total count beside the list


@dataclass(frozen=True, eq=False)
class TextOutliers:
    """The Outliers of a text, the highest odds first, and its trees as they were compared."""

    treebank: Treebank
    outliers: list[Outlier]

    def columns(self, most: int = MOST) -> dict[str, list]:
        """Columns of a table: the word, its relation and head, what others in its context have, the odds."""
        rows, column = [], self.treebank.coarse_name
        for outlier in self.outliers[:most]:
            sentence, word = self.treebank[outlier.sentence], outlier.word
            head = word_name(sentence, int(sentence.heads[word]), column)
            share = f"{outlier.agreeing:,} of {outlier.of:,}"
            rows.append((
                outlier.sentence + 1, word_name(sentence, word, column), sentence.deprels[word], head,
                str(outlier.others), share, outlier.odds, outlier.context,
            ))  # fmt: skip
        return columns_of(("sentence", "word", "relation", "has", "others", "share", "odds", "context"), rows)


def text_outliers(workspace: Workspace, corpus: Corpus) -> TextOutliers:
    """Those of a Corpus, kept by the process. Raises WorkbenchError where there are no trees or tags."""

    def make():
        treebank = workspace.standing(corpus).treebank
        return TextOutliers(treebank, outliers(treebank))

    return workspace.cache.get("outliers", workspace.shown_key(corpus), make)
