"""Consistency across sentences as a system of the workbench: its texts, its contexts, its runs."""

import json
from dataclasses import asdict
from functools import partial
from typing import ClassVar

import numpy as np

from core.consistency import ContextIndex, Contexts
from core.consistency.warming import CONSISTENCY
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads, learnt_sentences, without_trees_of
from core.store import Corpus, Run
from core.workspace.consensus.plan import ConsensusInputs, ConsensusPlan, parse_groups
from core.workspace.consensus.run import ConsensusOutcome, parse, read_outcome
from core.workspace.corpora import source_key, words_digest
from core.workspace.system import Citation, Kind, System, Work
from core.workspace.wording import accuracy, p_value, share_in_text

TAUGHT = 0.6  # share of a text's sentences, the first, that teach by default


class Consensus(System[ConsensusPlan, ConsensusInputs, ConsensusOutcome]):
    """Parses a text so that similar contexts get similar heads; answers every move of a threshold from one count."""

    kind = "consensus"
    warming = CONSISTENCY
    invitation = "Parse so that similar contexts get similar trees, with a proof"
    kinds: ClassVar = {
        kind: Kind("consistent parsing", "Sentences were parsed consistently with each other, by dual decomposition")
    }
    page = "consensus"
    document = "consensus"
    plan_class = ConsensusPlan
    citation = Citation(
        "Rush et al., 2012",
        "Alexander M. Rush, Roi Reichart, Michael Collins and Amir Globerson (2012). Improved Parsing and POS Tagging "
        "Using Inter-Sentence Consistency Constraints. EMNLP-CoNLL.",
    )
    paper: ClassVar = {"threshold": 1.0}

    def usual_plan(self, corpus: Corpus) -> ConsensusPlan:
        """A plan in which the first three fifths of the sentences teach, in tens where there are many.

        Another text teaches where this one has no trees and there is one.
        """
        treebank = self.workspace.treebank(corpus)
        others = [other.id for other in self.store.corpora(corpus.project) if other.id != corpus.id]
        trees = others[0] if others and not self.workspace.standing(corpus).file_has_trees else None
        first = round(TAUGHT * len(treebank))
        return ConsensusPlan(trees=trees, first=max(1, round(first, -1) if len(treebank) > 50 else first))

    def inputs(self, corpus: Corpus, plan: ConsensusPlan) -> ConsensusInputs:
        """The texts of a plan, their contexts counted.

        Raises WorkbenchError for one sentence alone, different tag sets, no trees, no tags, tags that are not there.
        """
        treebank = self.workspace.treebank(corpus)
        other = None if plan.trees in (None, corpus.id) else self.store.corpus(plan.trees)
        if other is None and len(treebank) < 2:
            raise WorkbenchError(
                f"{corpus.name} has only one sentence: none is left to parse if it teaches; "
                "choose other training trees under Texts"
            )
        first = min(max(plan.first, 1), len(treebank) - 1)
        chosen = [first if other is None else None, plan.tags]
        source = None if other is None else self.workspace.corpus_key(other)
        content = [self.workspace.corpus_key(corpus), source, *chosen]
        words = words_digest([source_key(corpus), other and source_key(other), *chosen])
        close = parse_groups(plan.close_tags)

        def make():
            if other is None:
                train, test = treebank.limit(first), treebank.select(np.arange(first, len(treebank)))
            else:
                train, test = self.workspace.treebank(other), treebank
            learnt = learnt_sentences(test, train) & has_heads(test)
            test = without_trees_of(test, learnt)
            index = ContextIndex(train, test, tags=plan.tags, close=close)
            return {"train": train, "test": test, "index": index, "learnt": int(learnt.sum())}

        texts = self.cached("texts", json.dumps([*content, plan.close_tags]), make)
        return ConsensusInputs(corpus=corpus, key=json.dumps(content), words=words, **texts)

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

    def recorded(self, inputs: ConsensusInputs, plan: ConsensusPlan) -> dict:
        """The plan, with the number of sentences that do teach."""
        return super().recorded(inputs, plan) | {"first": len(inputs.train)}

    def work(self, inputs: ConsensusInputs, plan: ConsensusPlan) -> Work:
        return partial(parse, inputs, plan)

    def read(self, run: Run, inputs: ConsensusInputs, plan: ConsensusPlan, data: bytes) -> ConsensusOutcome:
        return read_outcome(run, inputs, plan, self.selection(inputs, plan), data)

    def has_outcome(self, run: Run) -> bool:
        """Whether a run left trees: it was done, or cancelled in its search."""
        return run.status in ("done", "cancelled") and "model" in run.figures

    def parts(self, run: Run) -> dict[str, str]:
        return {"": "consistent", "alone": "parser alone"}

    def figures(self, run: Run) -> dict[str, str]:
        figures = run.figures
        texts = {"UAS": accuracy(figures.get("model")), "UAS of the baseline": accuracy(figures.get("base"))}
        if figures.get("p_value") is not None:
            counts = f"{figures['corrected']:,} words corrected, {figures['harmed']:,} harmed"
            texts["sign test"] = f"{p_value(figures['p_value'])}, {counts}"
        if figures.get("sentences") is not None and figures.get("certified_sentences") is not None:
            texts["sentences proved optimal"] = share_in_text(figures["certified_sentences"], figures["sentences"])
        return texts
