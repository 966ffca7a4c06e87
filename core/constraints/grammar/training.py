"""Training a grammar from lines, and from trees beside them where there are any."""

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
    """Train a grammar on unparsed sentences from lines.

    Parameters
    ----------
    treebank : Treebank, or Shards
        The text; its heads are not looked at. Training sees no punctuation. Shards are added up where they are, with
        the same bits for any number of workers, and with the brackets that stand in them.
    constraints : list of Constraint
        Lines that match nothing are left out, and said.
    settings : GrammarSettings, optional
        Without ``tags`` the column is the one that ``choose_tag_column`` finds.
    brackets : list of lists of Bracket, optional
        One entry a sentence; by default those of its ``# markup`` comments, where the settings' level asks for them.
    trees : int array of shape (rows,), optional
        Known heads of the text's words, -1 where unknown. Where no projective tree has those of a sentence, they are
        not used, and the sentence is named in ``crossing``. With ``settings.stacked`` a second-order parser learns
        them too (``core.constraints.grammar.stacking``), if they are of two sentences or more.
    engine : Engine, optional
        Where shards are worked on; here by default.
    start : Grammar or ParserEnsemble, optional
        Begin from it, after an edit of the lines: the last stage alone is run, for a few iterations. One whose
        second-order parser has learnt trees gives way to the grammar that had not seen them.
    prior : UniversalParser, optional
        What it knows of the text's arcs weighs beside the lines, which may be none then; its relations are the model's.
    progress : callable, optional
        Called with a GrammarProgress after each iteration.
    cancel : callable, optional
        Asked in every iteration; True ends training with what has been learnt.

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
            how = {"start": start, "progress": progress, "cancel": cancel, "threads": threads}
            return train_stacked(replace(known, prior=prior), constraints, settings, **how)
    trainer = GrammarTrainer(treebank, constraints, settings, Knowledge(brackets, trees, prior), threads, engine)
    return trainer.run(without_trees(start), progress, cancel)
