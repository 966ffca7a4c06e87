"""Training a grammar from constraints, and from known trees if there are any."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from core.callbacks import Cancel
from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.settings import WORDS, GrammarProgress, GrammarResult, GrammarSettings
from core.constraints.grammar.stacking import LEAST, KnownSentences, train_stacked, without_trees
from core.constraints.grammar.trainer import GrammarTrainer, Knowledge
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import choose_tag_column
from core.parsers.prior import HeadProbabilities
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.treebank import Treebank
from core.trees import Bracket

__all__ = ["WORDS", "GrammarProgress", "GrammarResult", "GrammarSettings", "GrammarTrainer", "train_grammar"]


def train_grammar(
    treebank: Treebank | Shards, constraints: Sequence[Constraint], settings: GrammarSettings | None = None, *,
    brackets: Sequence[Sequence[Bracket]] | None = None, trees: np.ndarray | None = None, engine: Engine | None = None,
    start: Grammar | ParserEnsemble | None = None, prior: HeadProbabilities | None = None,
    progress: Callable[[GrammarProgress], object] | None = None, cancel: Cancel | None = None,
    threads: int | None = None,
) -> GrammarResult:  # fmt: skip
    """Train a grammar on unparsed sentences from constraints.

    Parameters
    ----------
    treebank : Treebank, or Shards
        The text; its heads are not read. Training sees no punctuation. Sums over shards are made where the shards are,
        have the same bits for any number of workers, and respect the brackets of the shards.
    constraints : list of Constraint
        Those that match nothing are left out; the result names them.
    settings : GrammarSettings, optional
        Without ``tags`` the column is the one that ``choose_tag_column`` finds.
    brackets : list of lists of Bracket, optional
        One entry a sentence; by default those of its ``# markup`` comments, where the settings' level asks for them.
    trees : int array of shape (rows,), optional
        Known heads of the text's words, -1 where unknown. A sentence whose known heads are in no projective tree is
        trained on without them, and named in ``crossing``. With ``settings.stacked`` a second-order parser learns
        the trees too (``core.constraints.grammar.stacking``), if at least two sentences have known heads.
    engine : Engine, optional
        Works on the shards; this process by default.
    start : Grammar or ParserEnsemble, optional
        Where training begins after an edit of the constraints: only the last stage is run, for a few iterations. If
        its second-order parser has learnt trees, training begins from the grammar that had not seen them.
    prior : UniversalParser, optional
        Its log-probabilities of arcs count beside the constraints, which may then be none. It names the relations.
    progress : callable, optional
        Called with a GrammarProgress after each iteration.
    cancel : callable, optional
        Asked in every iteration; True ends training with the grammar as it is.

    Returns
    -------
    GrammarResult

    Raises
    ------
    ConstraintError : no constraint, or none that matches anything, and no prior.
    WorkbenchError : no word has a tag, no sentence is short enough, a start that does not know a tag of the text, heads
        that are no forest. Shards take no trees, prior, second-order parser or tree CRF, which look at whole texts.

    Notes
    -----
    An iteration costs ``ascents`` times O(sum of n^3). The same bits on any number of threads.
    """
    settings = settings or GrammarSettings()
    settings = replace(settings, tags=choose_tag_column(constraints, treebank, settings.tags))
    if settings.stacked and trees is not None and isinstance(treebank, Treebank):
        known = KnownSentences.of(treebank, trees, brackets)
        if len(known.sentences) >= LEAST:
            options = {"start": start, "progress": progress, "cancel": cancel, "threads": threads}
            return train_stacked(replace(known, prior=prior), constraints, settings, **options)
    trainer = GrammarTrainer(treebank, constraints, settings, Knowledge(brackets, trees, prior), threads, engine)
    return trainer.run(without_trees(start), progress, cancel)
