"""Domain adaptation as a system of the workbench: its target texts and its runs."""

import hashlib
import io
import json
from dataclasses import replace
from typing import ClassVar, cast

from core.adaptation.pivots import usual_pivots
from core.adaptation.settings import NO_SETTINGS
from core.adaptation.systems import NONE, SCL
from core.adaptation.warming import ADAPTATION
from core.errors import StoreError, WorkbenchError
from core.extras import require
from core.parsers import load_parser
from core.parsers.protocols import SavedParser
from core.store import Corpus, Run
from core.treebank import load_sample
from core.treebank.sample import FOLDER
from core.workspace.adaptation.outcome import AdaptationOutcome, read_outcome
from core.workspace.adaptation.plan import OWN, AdaptationInputs, AdaptationPlan
from core.workspace.adaptation.run import adaptation_work
from core.workspace.corpora import add_corpus, language_of, words_digest
from core.workspace.scoring import recorded_accuracy
from core.workspace.system import Citation, Kind, System, Work
from core.workspace.texts import listed_texts
from core.workspace.wording import p_value

QUESTIONS, QUESTIONS_NAME = "questions", "sample: questions"  # the target by default


class DomainAdaptation(System[AdaptationPlan, AdaptationInputs, AdaptationOutcome]):
    """Structural correspondence learning from the trees of a source to the words of a target, which its runs parse."""

    kind = "scl"
    warming = ADAPTATION
    invitation = "Adapt a parser to a text of another kind"
    kinds: ClassVar = {
        "scl": Kind(
            "adaptation", "A dependency parser was adapted to another domain by structural correspondence learning"
        )
    }
    page = document = "adaptation"
    counts_punctuation = True
    plan_class = AdaptationPlan
    citation = Citation(
        "Shimizu and Nakagawa, 2007",
        "Nobuyuki Shimizu and Hiroshi Nakagawa (2007). Structural Correspondence Learning for Dependency Parsing. "
        "EMNLP-CoNLL.",
    )
    beside_settings = NO_SETTINGS

    def usual_plan(self, corpus: Corpus) -> AdaptationPlan:
        """A plan that adapts to the sample's questions, with pivots of the text's language."""
        language, between = usual_pivots(self.workspace.treebank(corpus), language_of(corpus))
        return AdaptationPlan.of(language=language, between=between)

    def plan(self, corpus: Corpus) -> AdaptationPlan:
        """The plan stored for a source Corpus, else the usual one. A removed target is replaced by the questions or by
        another text."""
        plan, targets = super().plan(corpus), self.targets(corpus)
        if plan.target not in targets and (questions := self._questions(corpus.project)) is not None:
            plan = replace(plan, target=questions.id)
        return plan if plan.target in targets or not targets else replace(plan, target=next(iter(targets)))

    def targets(self, corpus: Corpus) -> dict[int, str]:
        """Names of the texts that a parser of a source Corpus can be adapted to, by corpus id; OWN for questions."""
        others = {other.id: other.name for other in listed_texts(self.store, corpus.project) if other.id != corpus.id}
        return others if self._questions(corpus.project) is not None else {OWN: QUESTIONS_NAME, **others}

    def inputs(self, corpus: Corpus, plan: AdaptationPlan) -> AdaptationInputs:
        """The texts of a plan.

        Raises WorkbenchError where the source has no trees, the target is gone or too small, or tags differ.
        """
        if plan.target == corpus.id:
            raise WorkbenchError(f"{corpus.name} is source and target; choose another text under Target")
        target = None if plan.target == OWN else self.store.corpus(plan.target)
        further = None if plan.unlabelled in (OWN, plan.target) else self._unlabelled(plan.unlabelled)
        key, words = (
            json.dumps([of(corpus), target and of(target), further and of(further), plan.few])
            for of in (self.workspace.corpus_key, self.workspace.words_key)
        )

        def make() -> AdaptationInputs:
            treebank = self.workspace.treebank
            return AdaptationInputs.divided(
                treebank(corpus),
                load_sample(QUESTIONS) if target is None else treebank(target),
                None if further is None else treebank(further),
                plan.few,
                corpus=corpus,
                target=target,
                target_name=QUESTIONS_NAME if target is None else target.name,
                key=key,
                words=words_digest(words),
                settled=None if target is None else self.workspace.settled(target),
            )

        return self.cached("texts", (corpus.id, plan.target, key), make)

    def prepared(self, inputs: AdaptationInputs, plan: AdaptationPlan) -> tuple[AdaptationInputs, AdaptationPlan]:
        """The same with a target that is a text of the project: the questions are added as one, undoably."""
        require("adaptation")
        plan.correspondence()
        if plan.target != OWN:
            return inputs, plan
        data = (FOLDER / f"{QUESTIONS}.conllu").read_bytes()
        target, _ = add_corpus(self.store, inputs.corpus.project, QUESTIONS_NAME, data, "conllu")
        plan = replace(plan, target=target)
        return self.inputs(inputs.corpus, plan), plan

    def work(self, inputs: AdaptationInputs, plan: AdaptationPlan) -> Work:
        return adaptation_work(inputs, plan)

    def read(self, run: Run, inputs: AdaptationInputs, plan: AdaptationPlan, data: bytes) -> AdaptationOutcome:
        return read_outcome(run, inputs, plan, data)

    @staticmethod
    def parsed_corpus(run: Run) -> int | None:
        target = run.settings.get("target")
        return target if type(target) is int else None

    def parser(self, run: Run) -> SavedParser:
        """The adapted parser."""
        return self.cached("models", run.id, lambda: cast(SavedParser, load_parser(io.BytesIO(self.load(run).parser))))

    def parts(self, run: Run) -> dict[str, str]:
        return {"": "adapted", NONE: "not adapted"}

    def figures(self, run: Run) -> dict[str, str]:
        figures = run.figures
        names = {"UAS, with punctuation": "model", "UAS of the baseline, with punctuation": "base"}
        texts = {name: recorded_accuracy(figures.get(key)) for name, key in names.items()}
        test = figures.get("tests", {}).get(SCL, {}).get("heads")
        if test:
            texts["sign test"] = f"{p_value(test['p_value'])}, {test['better']:,} words better, {test['worse']:,} worse"
        return texts

    def _questions(self, project) -> Corpus | None:
        """The Corpus that holds the sample's questions, or None."""
        digest = hashlib.sha256((FOLDER / f"{QUESTIONS}.conllu").read_bytes()).hexdigest()
        return next((corpus for corpus in self.store.corpora(project) if corpus.hash == digest), None)

    def _unlabelled(self, number: int) -> Corpus:
        try:
            return self.store.corpus(number)
        except StoreError as error:
            raise WorkbenchError("the unlabelled text was removed; choose another under Settings") from error
