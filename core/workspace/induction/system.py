"""Induction as a system: its texts, runs of one grammar and of the grid, and what a run left."""

import io
import json
from dataclasses import replace
from typing import ClassVar

from core.errors import WorkbenchError
from core.markup import marked_sentences
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import HARMONIC_LENGTH, NO_SETTINGS
from core.parsers.warming import INDUCTION
from core.store import Corpus, Run
from core.workspace.corpora import words_digest
from core.workspace.induction.grid import grid_work
from core.workspace.induction.outcome import Induced
from core.workspace.induction.plan import InductionInputs, InductionPlan, OtherTexts
from core.workspace.induction.run import induction_work
from core.workspace.system import Citation, File, FurtherTask, Kind, System, Work, file_bytes

GRID = "induction-grid"


class Induction(System[InductionPlan, InductionInputs, Induced]):
    """Grammars learnt from tags and mark-up (spitkovsky2010)."""

    kind = "induction"
    kinds: ClassVar = {
        kind: Kind("induction", "A dependency grammar (DMV) was induced from tags and mark-up"),
        GRID: Kind("induction, table", "Dependency grammars (DMV) were induced for every start and constraint level"),
    }
    warming = INDUCTION
    invitation = "Train a grammar from tags and mark-up alone"
    beside_settings = NO_SETTINGS
    page = "induction"
    document = "induction"
    plan_class = InductionPlan
    citation = Citation(
        "Spitkovsky et al., 2010",
        "Valentin I. Spitkovsky, Daniel Jurafsky and Hiyan Alshawi (2010). Profiting from Mark-Up: Hyper-Text "
        "Annotations for Guided Parsing. ACL.",
    )

    def usual_plan(self, corpus: Corpus) -> InductionPlan:
        """The usual plan, with the level of the paper's best grammar where the text has mark-up."""
        return InductionPlan() if any(self.workspace.brackets(corpus)) else InductionPlan.of(level="none")

    def save(self, corpus: Corpus, label: str, **changes: object) -> InductionPlan:
        """Store a plan as every System does. Raises WorkbenchError, and stores nothing, for invalid settings."""
        self.plan(corpus).with_values(**changes).dmv_settings()
        return super().save(corpus, label, **changes)

    def inputs(self, corpus: Corpus, plan: InductionPlan) -> InductionInputs:
        """The text of a plan. Raises WorkbenchError where it has no tags, or no word is left."""
        key = (self.workspace.corpus_key(corpus), plan.punctuation)
        cached = self.cached("texts", key, lambda: self._read_text(corpus, *key))
        return replace(cached, corpus=corpus)  # another one may have the same content

    def _read_text(self, corpus, corpus_key, punctuation):
        treebank = self.workspace.marked(corpus)
        treebank.tag_column(None)  # says so where there are no tags
        if not punctuation:
            treebank = treebank.without_punctuation()
        if not len(treebank):
            raise WorkbenchError("no word is left without punctuation; switch Keep punctuation on in the settings")
        return InductionInputs(
            corpus=corpus,
            key=json.dumps([corpus_key, punctuation, treebank.content_hash]),
            words=words_digest([self.workspace.words_key(corpus), punctuation], treebank),
            treebank=treebank,
            brackets=tuple(marked_sentences(treebank)),
            whole=self.workspace.treebank(corpus),
        )

    def prepared(self, inputs: InductionInputs, plan: InductionPlan) -> tuple[InductionInputs, InductionPlan]:
        """Both as they are. Raises WorkbenchError for what training does not take."""
        settings = plan.dmv_settings()
        if not inputs.marked and (settings.level != "none" or settings.trim):
            raise WorkbenchError(
                "levels and Only sentences with mark-up need mark-up, and this text has none; switch them off"
            )
        shortest = int(inputs.treebank.lengths.min())
        if None not in settings.lengths and max(settings.lengths) < shortest:
            raise WorkbenchError(f"the shortest sentence has {shortest} words; raise the maximum length of a stage")
        return inputs, plan

    @property
    def grid(self) -> "Grid":
        """The table of every start at every level."""
        return Grid(self, GRID)

    @property
    def further(self) -> tuple["Grid"]:
        return (self.grid,)

    def work(self, inputs: InductionInputs, plan: InductionPlan) -> Work:
        return induction_work(self.workspace, inputs, plan, lambda: self.other_texts(plan))

    def other_texts(self, plan: InductionPlan) -> OtherTexts:
        """The texts besides its own that a plan reads."""
        texts: OtherTexts = {}
        if plan.init_from:
            texts["init_from"] = self.inputs(self.store.corpus(plan.init_from), plan).treebank
        if plan.adapt_to:
            texts["adapt_to"] = self.inputs(self.store.corpus(plan.adapt_to), plan).treebank
        return texts

    def read(self, run: Run, inputs: InductionInputs, plan: InductionPlan, data: bytes) -> Induced:
        name = f"{inputs.corpus.name.removesuffix('.conllu')}-run-{run.id}.npz"
        file = File("Parser, weights", name, lambda: file_bytes(self.labelled_parser(run)))
        return replace(Induced.of(DMV.load(io.BytesIO(data)), inputs, plan, run), files=(file,))

    def parser(self, run: Run) -> DMV:
        return self.load(run).model

    def has_outcome(self, run: Run) -> bool:
        """Whether a run left a grammar: it is done, or was cancelled after its first iteration."""
        return run.kind == self.kind and run.status in ("done", "cancelled") and "bits" in run.figures

    def parts(self, run: Run) -> dict[str, str]:
        return {"": "induced"} if run.kind == self.kind else {}

    def figures(self, run: Run) -> dict[str, str]:
        if run.kind == GRID:
            cells = [cell for cell in run.figures.get("cells", []) if cell.get("accuracy")]
            best = max(cells, key=lambda cell: cell["accuracy"]["uas"], default=None)
            of = f"best of {len(cells)} grammars"
            return {"UAS": f"{_share(best)}, {of} (start {best['init']}, level {best['level']})"} if best else {}
        bits, iterations = run.figures.get("bits"), run.figures.get("iterations")
        return {
            "bits per tag": "" if bits is None else f"{bits:.4g}",
            "UAS": _share(run.figures),
            "iterations": "" if iterations is None else str(iterations),
        }

    def untrained(self, inputs: InductionInputs, plan: InductionPlan) -> Induced:
        """The grammar that training begins from. Raises WorkbenchError where words lack tags."""
        settings = replace(plan.dmv_settings(), trim=False, adapt=False, schedule="plain", restarts=1)
        if settings.init == "adhoc":
            settings = replace(settings, init="harmonic", lengths=(HARMONIC_LENGTH,))  # where its own training begins
        if None not in settings.lengths and max(settings.lengths) < inputs.treebank.lengths.min():
            settings = replace(settings, lengths=(None,))
        key = (inputs.hash, settings.init, settings.lengths, settings.smoothing, settings.level, plan.tags)
        start = self.other_texts(replace(plan, adapt_to=0)).get("init_from")

        def make():
            model = DMV(settings, tags=plan.tags or None)
            model.fit(inputs.treebank, inputs.brackets, cancel=lambda: True, init_from=start)
            return Induced.of(model, inputs, plan)

        return self.cached("untrained", (*key, start and start.content_hash), make)

    def newest(self, corpus: Corpus) -> Induced | None:
        """The outcome of the newest run on a Corpus as it is now, with punctuation or without; None without any."""
        for run in self.runs(corpus.project):
            plan = InductionPlan.from_dict(run.settings)
            of_corpus = self.has_outcome(run) and run.corpus == corpus.id
            if of_corpus and self.is_on(run, self.inputs(corpus, plan)):
                return self.load(run)
        return None


class Grid(FurtherTask[InductionPlan, InductionInputs]):
    """Trains every start at every level, else as the plan says."""

    system: Induction

    def prepared(self, inputs: InductionInputs, plan: InductionPlan) -> tuple[InductionInputs, InductionPlan]:
        """Both as given. Raises WorkbenchError for a text without mark-up, and for invalid settings."""
        if not inputs.marked:
            raise WorkbenchError("the table compares levels, and this text has no mark-up; open one that has")
        plan.dmv_settings()
        return inputs, plan

    def work(self, inputs: InductionInputs, plan: InductionPlan) -> Work:
        return grid_work(inputs, plan, lambda: self.system.other_texts(plan))


def _share(figures):
    """Heads right in per cent, with how many words and ways to break ties; "" if unknown."""
    scores = figures.get("accuracy")
    if not scores:
        return ""
    return f"{scores['uas']:.1f}% of {scores['words']:,} words, mean of {scores['seeds']} ways to break ties"
