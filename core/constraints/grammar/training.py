"""Training a grammar from constraints, and from known trees if there are any."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.callbacks import Cancel
from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.judging import TaughtParser, project_judged
from core.constraints.grammar.model import Grammar
from core.constraints.grammar.projected import Controls
from core.constraints.grammar.settings import WORDS, GrammarProgress, GrammarResult, GrammarSettings
from core.constraints.grammar.stacking import LEAST, KnownSentences, train_stacked, without_trees
from core.constraints.grammar.trainer import GrammarTrainer, Knowledge
from core.constraints.language.constraint import Constraint
from core.constraints.matching.matcher import choose_tag_column
from core.errors import WorkbenchError
from core.parsers.decoding import PosteriorParser
from core.rules.rule import Rule
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.treebank import Treebank
from core.trees import Bracket

__all__ = ["WORDS", "GrammarProgress", "GrammarResult", "GrammarSettings", "GrammarTrainer", "train_grammar"]


def train_grammar(
    treebank: Treebank | Shards, constraints: Sequence[Constraint], settings: GrammarSettings | None = None, *,
    brackets: Sequence[Sequence[Bracket]] | None = None, trees: np.ndarray | None = None, engine: Engine | None = None,
    start: PosteriorParser | None = None, prior: PosteriorParser | TaughtParser | None = None,
    rules: Mapping[Rule, float] | None = None,
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
    start : Grammar, ParserEnsemble or ProjectedParser, optional
        Where training begins after an edit of the constraints: only the last stage is run, for a few iterations. If
        its second-order parser has learnt trees, training begins from the grammar that had not seen them. A model of
        the other kind is not begun from.
    prior : PosteriorParser or TaughtParser, optional
        A parser that stays as it is, such as the universal one: the nearest trees to its that keep the constraints
        are sought in place of a grammar (``core.constraints.grammar.projected``). There may be no constraint then.
        Nothing but ``tags``, ``lengths``, ``price``, ``level``, ``trust`` and ``keep_all`` of the settings is read.
        With rules ``bound`` is, too.
    rules : mapping of Rule to float, optional
        The share of words that should keep each, 1 for a law. They need a prior that scores relations. A breach costs
        the settings' ``bound`` at most, in nats (``core.constraints.grammar.ruled``).
    progress : callable, optional
        Called with a GrammarProgress after each iteration.
    cancel : callable, optional
        Asked in every iteration; True ends training with the grammar as it is.

    Returns
    -------
    GrammarResult

    Raises
    ------
    ConstraintError : no constraint, or none that matches anything, and no prior; a rule about an unknown relation.
    WorkbenchError : no word has a tag, no sentence is short enough, a start that does not know a tag of the text, heads
        that are no forest. Rules without a prior, or as ``project`` refuses them. Shards take no trees, second-order
        parser or tree CRF, which look at whole texts.

    Notes
    -----
    An iteration costs ``ascents`` times O(sum of n^3). The same bits on any number of threads.
    """
    settings = settings or GrammarSettings()
    settings = replace(settings, tags=choose_tag_column(constraints, treebank, settings.tags))
    if prior is not None:
        if isinstance(treebank, Shards):
            raise WorkbenchError("constraints above a parser are on a whole text; give a file, or leave out the prior")
        known, controls = Knowledge(brackets, trees, rules or {}), Controls(progress, cancel, threads)
        return project_judged(treebank, constraints, settings, prior, known=known, start=start, controls=controls)
    if rules:
        raise WorkbenchError("rules are targets above a parser that scores relations; take the universal one as prior")
    former = start if isinstance(start, Grammar | ParserEnsemble) else None
    if settings.stacked and trees is not None and isinstance(treebank, Treebank):
        known = KnownSentences.of(treebank, trees, brackets)
        if len(known.sentences) >= LEAST:
            options = {"start": former, "progress": progress, "cancel": cancel, "threads": threads}
            return train_stacked(known, constraints, settings, **options)
    trainer = GrammarTrainer(treebank, constraints, settings, Knowledge(brackets, trees), threads, engine)
    return trainer.run(without_trees(former), progress, cancel)
