"""Statistics of a folder of shards, and the agreement of its mark-up with its trees, counted where the shards are."""

from dataclasses import dataclass

import numpy as np

from core.callbacks import Cancel, Progress
from core.markup.agreement import AgreementTally, BracketAgreement
from core.markup.statistics import MarkupStatistics, markup_statistics
from core.shards.engine import Engine, LocalEngine
from core.shards.folder import Shards
from core.shards.shard import bracket_list
from core.treebank import Statistics
from core.treebank.statistics import TreebankTally


def shards_statistics(
    shards: Shards, longest: int | None = None, *, engine: Engine | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Statistics:  # fmt: skip
    """The statistics of the sentences of at most ``longest`` words, as ``treebank.statistics`` has them.

    Raises FormatError for a damaged shard; Cancelled. O(words + sum of arc lengths).
    """
    tallies = (engine or LocalEngine()).sum(_tally, shards.pieces, longest, progress=progress, cancel=cancel)
    return tallies.statistics(str(shards.folder))


def shards_agreement(
    shards: Shards, longest: int | None = None, *, tags: str | None = None, tag: str | None = None,
    engine: Engine | None = None, progress: Progress | None = None, cancel: Cancel | None = None,
) -> tuple[BracketAgreement, MarkupStatistics]:  # fmt: skip
    """As ``markup.agreement`` and ``markup.markup_statistics``, of the sentences of at most ``longest`` words.

    Raises WorkbenchError where no bracket can be judged, FormatError for a damaged shard; Cancelled.
    """
    judged = (engine or LocalEngine()).sum(_judged, shards.pieces, longest, tags, tag, progress=progress, cancel=cancel)
    return judged.tally.agreement(str(shards.folder)), judged.tables


@dataclass(frozen=True)
class _Judged:
    tally: AgreementTally
    tables: MarkupStatistics

    def __add__(self, other: "_Judged") -> "_Judged":
        return _Judged(self.tally + other.tally, self.tables + other.tables)


def _tally(piece, longest):
    return TreebankTally.of(piece.text(longest))


def _judged(piece, longest, tags, tag):
    columns = piece.columns(longest)
    treebank, brackets = columns.bare_treebank(piece.file), bracket_list(columns)
    pages = np.array(columns.sources.values, object)[columns.sources.ids].tolist()
    tables = markup_statistics(treebank, brackets, tags=tags, tag=tag)
    return _Judged(AgreementTally.of(treebank, brackets, pages), tables)
