"""Consistency across sentences as a system of the workbench: its texts, its contexts, its runs."""

import json
from dataclasses import asdict
from functools import partial
from typing import ClassVar

import numpy as np

from core.consistency import ContextIndex, Contexts
from core.consistency.labels import TagCounts, shared_columns
from core.consistency.settings import NO_SETTINGS
from core.consistency.warming import CONSISTENCY
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads, learnt_sentences, without_trees_of
from core.parsers.mst.corpus import learnable, reasons
from core.store import Corpus, Run
from core.treebank import Treebank
from core.workspace.consensus.given_parser import given_parser, learnt_by, parser_run, parser_runs
from core.workspace.consensus.plan import ConsensusInputs, ConsensusPlan, parse_groups
from core.workspace.consensus.run import ConsensusOutcome, parse, read_outcome
from core.workspace.consensus.teaching import TaughtSystem, first_sentences
from core.workspace.corpora import language_of, words_digest
from core.workspace.system import Kind, Work
from core.workspace.texts import listed_texts


class Consensus(TaughtSystem[ConsensusPlan, ConsensusInputs, ConsensusOutcome]):
    """Parses a text so that similar contexts get similar heads; answers every move of a threshold from one count."""

    kind = "consensus"
    warming = CONSISTENCY
    invitation = "Parse so that similar contexts get similar trees, with a proof"
    kinds: ClassVar = {
        kind: Kind("consistent parsing", "Sentences were parsed consistently with each other, by dual decomposition")
    }
    document = "consensus"
    measured = ("UAS", "UAS of the baseline")
    plan_class = ConsensusPlan
    beside_settings = NO_SETTINGS

    def usual_plan(self, corpus: Corpus) -> ConsensusPlan:
        """A plan in which a text teaches itself: the sentences with trees teach, and the others are parsed.

        Where all have trees, the first three fifths teach, in tens where there are many. Where none has, another text
        of the project teaches that has trees, in the same language and tag set.
        """
        treebank = self.workspace.treebank(corpus)
        treed = int(has_heads(treebank).sum())
        if treed == len(treebank):
            return ConsensusPlan(first=first_sentences(len(treebank)))
        language, others = language_of(corpus), [] if treed else listed_texts(self.store, corpus.project)
        same = (other for other in others if other.id != corpus.id and language_of(other) == language)
        return ConsensusPlan(trees=next((other.id for other in same if self._teaches(other, treebank)), None))

    def _teaches(self, other, treebank):
        """Whether another Corpus has trees, and the tags of a treebank."""
        try:
            trees = self.workspace.treebank(other)
            return bool((trees.heads >= 0).any() and shared_columns(TagCounts.of(trees), TagCounts.of(treebank)))
        except WorkbenchError:  # a text that cannot be read teaches nothing
            return False

    def inputs(self, corpus: Corpus, plan: ConsensusPlan) -> ConsensusInputs:
        """The texts of a plan, their contexts counted.

        Raises WorkbenchError for what cannot be parsed so: one sentence alone, different tag sets, no trees or none
        that a parser can learn, no sentence left to parse, no tags, tags that are not there.
        """
        treebank = self.workspace.treebank(corpus)
        plan = plan.choosing(corpus, len(treebank))
        other = None if plan.trees is None else self.store.corpus(plan.trees)
        if other is None and len(treebank) < 2:
            raise WorkbenchError(
                f"{corpus.name} has only one sentence: none is left to parse if it teaches; "
                "choose other training trees under Texts"
            )
        chosen = [plan.first if other is None else None, plan.tags]
        source = None if other is None else self.workspace.corpus_key(other)
        content = [self.workspace.corpus_key(corpus), source, *chosen]
        run = None if plan.parser is None else parser_run(self.workspace, corpus, plan.parser)
        content += [] if run is None else [run.id]
        words = words_digest([self.workspace.words_key(corpus), other and self.workspace.words_key(other), *chosen])
        close = parse_groups(plan.close_tags)

        def make():
            treebank.tag_column(plan.tags)  # says so where it is empty
            if other is None:
                train, test = plan.divided(treebank, has_heads(treebank))
            else:
                train, test = self.workspace.treebank(other), treebank
            _require_learnable(train, test, corpus.name if other is None else other.name, run is None)
            test, learnt = self._without_learnt(corpus, train, test, run)
            index = ContextIndex(train, test, tags=plan.tags, close=close)
            columns = [plan.tags] if plan.tags else shared_columns(TagCounts.of(train), TagCounts.of(test))
            tags = columns[0] if len(columns) == 1 else "both"
            marked = self.workspace.settled(corpus).marked(test.picks[has_heads(test)])
            return {"train": train, "test": test, "index": index, "learnt": learnt, "marked": marked,
                    "parser_tags": tags}  # fmt: skip

        texts = self.cached("texts", json.dumps([*content, plan.close_tags]), make)
        given = None if run is None else partial(given_parser, self.workspace, corpus, run)
        return ConsensusInputs(corpus=corpus, key=json.dumps(content), words=words, given=given, **texts)

    def _without_learnt(self, corpus, train, test, run):
        """(the text to parse without the trees that were learnt from, by contexts or in a run, how many these are)."""
        learnt = learnt_sentences(test, train)
        if run is not None:
            learnt |= np.isin(test.picks, learnt_by(self.workspace, corpus, run))
        learnt &= has_heads(test)
        return without_trees_of(test, learnt), int(learnt.sum())

    def parser_runs(self, corpus: Corpus) -> list[Run]:
        """The runs of Constraints on a Corpus whose parser can be taken, newest first."""
        return parser_runs(self.workspace, corpus)

    def selection(self, inputs: ConsensusInputs, plan: ConsensusPlan) -> Contexts:
        """The contexts that a plan selects; milliseconds. Perhaps none: ``require_some`` says why."""
        settings = plan.settings.contexts
        key = (id(inputs.index), *asdict(settings).values())  # the selection keeps its index, so the id stays its own
        return self.cached("selections", key, lambda: inputs.index.select(settings))

    def prepared(self, inputs: ConsensusInputs, plan: ConsensusPlan) -> tuple[ConsensusInputs, ConsensusPlan]:
        """Both as given. Raises WorkbenchError where deltas are out of order or nothing is selected."""
        plan.checked()
        self.selection(inputs, plan).require_some()
        return inputs, plan

    def work(self, inputs: ConsensusInputs, plan: ConsensusPlan) -> Work:
        return partial(parse, inputs, plan)

    def read(self, run: Run, inputs: ConsensusInputs, plan: ConsensusPlan, data: bytes) -> ConsensusOutcome:
        return read_outcome(run, inputs, plan, self.selection(inputs, plan), data)

    def parts(self, run: Run) -> dict[str, str]:
        return {"": "consistent", "alone": "parser alone"}


def _require_learnable(train: Treebank, test: Treebank, name: str, parser_too: bool) -> None:
    """Raise WorkbenchError where contexts, or a parser too, have nothing to learn from, or nothing is to be parsed."""
    others = "or choose other training trees under Texts"
    if not len(train) or not (train.heads >= 0).any():
        raise WorkbenchError(
            f"none of the sentences of {name} that should teach has a tree: correct some in Annotate and mark them "
            f"done, {others}"
        )
    if not len(test):
        raise WorkbenchError(f"all sentences of {name} have trees and teach, none is left to parse; under Texts choose "
                             "its first sentences as training trees")  # fmt: skip
    usable, skipped = learnable(train, projective=True)
    if parser_too and not usable.any():
        raise WorkbenchError(
            f"no parser can learn from the trees of {name}: {reasons(skipped)}; complete some, {others}"
        )
