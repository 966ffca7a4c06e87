"""Scores on a text of a project, told with their conditions: ``scoring.Score`` of any parse, on any of its pages."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.evaluation.learnt import has_heads
from core.evaluation.scores import same_strings
from core.parsers import UNIVERSAL
from core.parsers.prior import NONE as NO_PRIOR
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.annotations import Annotations
from core.workspace.random_sample import drawn, population
from core.workspace.scoring import Score, ScoreConditions
from core.workspace.standing import Standing
from core.workspace.workspace import Workspace

NONE = np.zeros(0, np.int64)  # no sentences


@dataclass(frozen=True, eq=False)
class ScoredText:
    """What is known of a version of a text, by which the conditions of scores on it are told.

    Attributes
    ----------
    settled : Standing
        The text under the corrections that are done.
    before : Treebank
        The same sentences before any correction, of tags too.
    sample : mapping or None
        The sentences drawn at random, as ``random_sample.drawn`` gives them.
    taken : mapping of int to sequence of str
        The keys of the parsers from whose proposals a sentence's tree began, and of the runs trained above these.
    """

    settled: Standing
    before: Treebank
    sample: Mapping | None
    taken: Mapping[int, Collection[str]]

    def score(
        self, gold: Treebank, parse: Treebank, *, parser: str = "", learnt: np.ndarray = NONE,
        labels: bool = False, **told: object,
    ) -> Score:  # fmt: skip
        """The Score of a parse against known trees.

        Parameters
        ----------
        gold, parse : Treebank
            The same sentences of the text, in the same order; ``parse`` has the tags that the parser read.
        parser : str
            The key of the parse, as ``parses.available_trees`` gives it.
        learnt : int64 array
            Sentences of the text, from 0, that the parser learnt from, which are left out.
        labels : bool, default=False
            Whether a word's relation must be right too.
        told
            Other fields of ScoreConditions.
        """
        known = has_heads(gold)
        left_out = known & np.isin(gold.picks, learnt)
        scored = known & ~left_out
        conditions = replace(self.conditions(parse.select(scored), parser), learnt=int(left_out.sum()), **told)
        counted = (gold.heads >= 0) & np.repeat(scored, gold.lengths + 1)
        if not conditions.punctuation:
            counted &= ~gold.punctuation()
        right = gold.heads == parse.heads
        if labels:
            right &= same_strings(gold.deprel, parse.deprel)
        return Score(right & counted, counted, gold.offsets, conditions)

    def conditions(self, parse: Treebank, parser: str = "") -> ScoreConditions:
        """The ScoreConditions of a parser on all sentences of a parse, with the tags that it read. O(words)."""
        picks, marked = parse.picks, self.settled.marked(parse.picks)
        name, former, by_hand = self.settled.treebank.coarse_name, 0, 0
        if parser and len(picks):
            banks = parse, self.settled.treebank.select(picks), self.before.select(picks)
            read, now, before = (getattr(bank, name) for bank in banks)
            is_read = same_strings(read, now)
            former = int((now.mask(bool) & ~is_read).sum())  # a tagger of its own fills what has no tag
            by_hand = int((is_read & ~same_strings(now, before)).sum())
        return ScoreConditions(
            sentences=len(picks),
            by_hand=marked["by_hand"],
            only_begun=marked["only_begun"],
            drawn_from=self._drawn_from(picks),
            began=sum(parser in self.taken.get(index, ()) for index in picks.tolist()) if parser else 0,
            former_tags=former,
            tags_by_hand=by_hand,
            which=hashlib.sha256(picks.astype(np.int64).tobytes()).hexdigest()[:16],
        )

    def _drawn_from(self, picks):
        """Of how many sentences these were drawn; None where nobody drew them, or all were taken, so none by chance."""
        if self.sample is None or not len(picks) or not np.isin(picks, self.sample["sentences"]).all():
            return None
        of = population(self.sample, len(self.before))
        return of if len(self.sample["sentences"]) < of else None


def scored_text(workspace: Workspace, corpus: Corpus, layer: str = "") -> ScoredText:
    """The ScoredText of a Corpus, in the project's version or in that of a person. Raises as ``Workspace.source``."""
    version = Annotations(workspace, corpus, layer)
    settled = workspace.of_version(layer).settled(corpus)
    sample, taken = drawn(workspace.store, corpus), _with_runs_above(workspace.store, corpus, version.proposals())
    return ScoredText(settled, workspace.treebank_before_hand(corpus), sample, taken)


def _with_runs_above(store, corpus, taken):
    """``taken`` with the runs that were trained above the universal parser beside it: they keep most of its trees."""
    if not any(UNIVERSAL in keys for keys in taken.values()):
        return taken
    runs = [run.id for run in store.runs(corpus.project) if run.settings.get("prior", NO_PRIOR) != NO_PRIOR]
    above = {f"{begin}{run}" for run in runs for begin in ("run-", "by-")}  # of this text, or of another one
    return {index: above.union(keys) if UNIVERSAL in keys else keys for index, keys in taken.items()}
