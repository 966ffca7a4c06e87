"""A parser learnt from lines, as a system: what each learner has in common, and which of them a text is trained with.

The set of a text, the words that it speaks of, what its runs changed, the questions and lines that would teach more:
all of it is asked in the same way of whatever learnt. A learner says how its texts are cut, how it trains, and what a
trained model makes of arcs.
"""

import json
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar, TypeVar, cast

import numpy as np

from core.constraints import Constraint, ConstraintDocument, Matcher, parse_constraints
from core.constraints.matching import Matches
from core.constraints.preview import ArcModel, Preview, preview
from core.constraints.proposals import Proposal
from core.errors import WorkbenchError
from core.store import Command, Corpus, Run, Store
from core.treebank import Treebank
from core.treebank.marks import words_between
from core.workspace.annotations import Annotations
from core.workspace.cache import BoundedCache
from core.workspace.constraints.arcs import Why
from core.workspace.constraints.ask import Ask, questions
from core.workspace.constraints.change import Change, compare
from core.workspace.constraints.checks import Checks
from core.workspace.constraints.documents import constraint_text
from core.workspace.constraints.known_trees import KnownTrees, known_trees, trees_key
from core.workspace.constraints.line_plan import LinePlan
from core.workspace.constraints.mistakes import Mistakes, mistakes
from core.workspace.constraints.proposals import Known, known_heads, proposals, untrained_arcs
from core.workspace.constraints.survey import conflicts
from core.workspace.constraints.takeaway import parser_files
from core.workspace.constraints.text import Text, TextOutcome, read_outcome, untrained
from core.workspace.constraints.training import other_settings, score_figure
from core.workspace.constraints.worth import Worth, read_worth
from core.workspace.corpora import short_sentences, text_brackets
from core.workspace.system import Kind, System, Work
from core.workspace.wording import accuracy
from core.workspace.workspace import Workspace

PATIENCE = 0.25  # seconds a page waits for what most often is known by then, rather than be drawn twice
CHOICE = "learner"  # kind of the document that says with which learner a text is trained
SIZES = {  # of the caches: how many results are kept
    "texts": 6, "usable": 6, "trees": 4, "trainers": 2, "changes": 16, "matches": 4, "attributions": 2, "arcs": 64,
    "scores": 1, "questions": 8, "views": 8, "checks": 16, "models": 4,
}  # fmt: skip
PlanT = TypeVar("PlanT", bound=LinePlan)


def choose_learner(store: Store, corpus: Corpus, kind: str) -> None:
    """Train a Corpus with the learner of this kind from now on; can be undone."""
    was = store.document(corpus.project, CHOICE, str(corpus.id))
    store.execute(corpus.project, Command(CHOICE, str(corpus.id), was, kind), label="choosing a learner")


def chosen_learner(store: Store, corpus: Corpus) -> str | None:
    """The kind of the learner that was chosen for a Corpus, or None."""
    return store.document(corpus.project, CHOICE, str(corpus.id))


class Learner(System[PlanT, Text, TextOutcome]):
    """Constraints over the sentences of a corpus, and the parsers trained from them.

    Attributes
    ----------
    name : str
        What people call it.
    version, worth_kind : str
        Kinds of runs that train a version to compare it, which are not what the page shows as trained, and of those
        that work out what lines are worth.
    objective : str
        What training optimises, in words.
    has_gradient : bool
        Whether ``gradient`` can be asked.
    keeps_learnt : bool
        Whether what a line is worth is told of a model that has learnt from it all the same.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    worth_kind: ClassVar[str]
    objective: ClassVar[str] = "objective"
    has_gradient: ClassVar[bool] = False
    keeps_learnt: ClassVar[bool] = False
    plan_class: ClassVar[type[LinePlan]]
    _cut: ClassVar[tuple[str, ...]] = ()  # names how sentences are cut, in the key of a text
    page = "constraints"
    gives_entropies = True

    def __init__(self, workspace: Workspace):
        super().__init__(workspace)
        self._caches = {name: BoundedCache(size) for name, size in SIZES.items()}

    def _kept(self, cache, key, make):
        return self._caches[cache].get(key, make)

    # What each learner says

    @staticmethod
    @abstractmethod
    def usable(treebank: Treebank, tags: str) -> Treebank:
        """The sentences that tags of that column let be learnt from, as the learner sees them.

        Raises WorkbenchError where there is none.
        """

    @abstractmethod
    def arcs(self, run: Run) -> ArcModel:
        """The model of a finished run, to which log-weights of arcs can be added. Seconds where the text is large."""

    @abstractmethod
    def why(self, run: Run, sentence: int, head: int, modifier: int, against: int | None = None) -> Why:
        """What pulled an arc of a run's text in or out, against another head of the same word."""

    @abstractmethod
    def _worth_work(self, run: Run) -> Work:
        """Works out what the lines of a finished run are worth, on the text it was trained on."""

    # Settings and texts

    def save_settings(self, corpus: Corpus, settings: PlanT) -> None:
        """Keep training settings with the project; can be undone."""
        self.save(corpus, "changing what is trained on", **settings.as_dict())

    def inputs(self, corpus: Corpus, plan: PlanT) -> Text:
        """The Text that settings let in, with the constraints as they stand.

        Raises WorkbenchError where no sentence is short enough, or no word has a tag.
        """
        untagged = self.untagged_sentences(corpus, plan.tags)
        key = json.dumps(
            [self.workspace.corpus_key(corpus), *plan.selection, *([untagged] if untagged else []), *self._cut]
        )

        def make():
            treebank = short_sentences(self.sentences(corpus, plan.tags), plan.max_length)
            return treebank, Matcher(treebank, plan.tags), self.whole(self.workspace.treebank(corpus), treebank)

        treebank, matcher, whole = self._kept("texts", key, make)
        return Text(
            corpus=corpus, key=key, treebank=treebank, settings=plan, matcher=matcher, whole=whole,
            constraint_text=self.source(corpus),
        )  # fmt: skip

    @staticmethod
    def whole(bank: Treebank, treebank: Treebank) -> Treebank | None:
        """``Text.whole`` of the sentences ``treebank``, which ``usable`` took from ``bank``; None without any."""
        return None

    def text(self, corpus: Corpus, settings: PlanT | None = None) -> Text:
        """The Text of a corpus under settings, by default its own. Raises as ``inputs``."""
        return self.inputs(corpus, settings or self.plan(corpus))

    def source(self, corpus: Corpus) -> str:
        """The constraint set of a Corpus as it stands now."""
        return constraint_text(self.store, corpus, self.workspace.treebank(corpus))

    def sentences(self, corpus: Corpus, tags: str) -> Treebank:
        """The ``usable`` sentences of a Corpus, kept."""
        make = partial(self.usable, self.workspace.treebank(corpus), tags)
        return self._kept("usable", (self.workspace.corpus_key(corpus), tags), make)

    def untagged_sentences(self, corpus: Corpus, tags: str) -> int:
        """How many sentences of a Corpus lack tags and are left out of training."""
        return len(self.workspace.treebank(corpus)) - len(self.sentences(corpus, tags))

    def known_trees(self, text: Text) -> KnownTrees | None:
        """The trees to learn from beside the constraints, or None. Raises as ``known_trees.known_trees``."""
        key = trees_key(self.workspace, text)
        return None if key is None else self._kept("trees", key, lambda: known_trees(self.workspace, text))

    def brackets(self, text: Text) -> list:
        """The brackets of each sentence of a Text, in the numbers of its words, as ``text_brackets`` finds them."""

        def make():
            found = text_brackets(text.sentences, text.corpus.reference)
            return words_between(text.sentences, found) if text.is_bare else found

        return self._kept("views", ("brackets", text.key), make)

    def matches(self, text: Text, source: str) -> Matches:
        """The Matches of all constraints of a set that can be read."""

        def make():
            return text.matcher.match(ConstraintDocument.from_text(source).constraints)

        return self._kept("matches", (text.key, source), make)

    def conflicts(self, text: Text, source: str) -> list | None:
        """Warnings that take decodings, made in the background: None until they are known."""
        key = (text.key, text.settings.distribution, source)
        checks = self._kept("checks", text.corpus.id, Checks)  # a text's new question ends no other text's
        return checks.ask(key, lambda cancel: conflicts(text, source, cancel), PATIENCE)

    # Runs

    def train(self, text: Text, source: str) -> int:
        """Begin to train on a Text from a set, in place of a run under way; returns the run's id.

        Raises ConstraintError for the first thing that refuses to train, WorkbenchError for trees that cannot be
        learned.
        """
        return self.start(replace(text, constraint_text=source), cast(PlanT, text.settings))

    def prepared(self, inputs: Text, plan: PlanT) -> tuple[Text, PlanT]:
        """What refuses to train is said before a run is begun; the run to begin from is chosen."""
        self._check(parse_constraints(inputs.constraint_text, inputs.matcher), plan)
        self.known_trees(inputs)
        if plan.brackets != "none" and not any(self.brackets(inputs)):
            raise WorkbenchError("this text has no mark-up to respect; in Settings, Trees, choose None for Brackets")
        last = self.newest(inputs) if plan.warm else None
        fits = last is not None and self.plan_class.from_dict(last.settings).shape == plan.shape
        return replace(inputs, start=last.id if last is not None and fits else None), plan

    def _check(self, constraints, plan):
        if not constraints:
            raise WorkbenchError("there are no constraints to train on; write at least one")

    def recorded(self, inputs: Text, plan: PlanT) -> dict:
        """The settings, the corpus, and the run to begin from."""
        return super().recorded(inputs, plan) | {"start": inputs.start}

    def repeated(self, run: Run) -> tuple[Work, dict[str, Treebank]]:
        """As of every system; of a run that worked out what lines are worth, on the text of the run it judged."""
        if run.kind != self.worth_kind:
            return super().repeated(run)
        judged = self.store.run(run.settings["of"])
        text, _ = self.inputs_of(judged)
        return self._worth_work(judged), {"text": text.treebank}

    def inputs_of(self, run: Run) -> tuple[Text, PlanT]:
        """The Text with the set that a run was trained from. Raises WorkbenchError where its sentences are others."""
        text, plan = super().inputs_of(run)
        return replace(text, constraint_text=run.constraint_text, start=run.settings.get("start")), plan

    def train_on_corrections(self, corpus: Corpus) -> int:
        """Train on a Corpus from its set and the sentences annotated by hand, and keep that they are learnt from.

        Returns the run's id. Raises as ``train``; WorkbenchError where none is annotated.
        """
        plan = self.plan(corpus)
        chosen = replace(plan, corrections=True)
        if not Annotations(self.workspace, corpus).annotations():
            raise WorkbenchError("no sentence of this text is annotated by hand yet; correct a tree first")
        number = self.train(self.text(corpus, chosen), self.source(corpus))
        if chosen != plan:
            self.save_settings(corpus, chosen)
        return number

    def follow(self, text: Text, source: str) -> int | None:
        """Train anew where ``is_behind``; returns the run's id, or None. Raises as ``train``."""
        return self.train(text, source) if self.is_behind(text, source) else None

    def is_behind(self, text: Text, source: str) -> bool:
        """Whether the newest run on a Text, however it stands, was begun with another set or with other settings.

        So too where there is none.
        """
        newest = next(iter(self.runs(text.corpus.project, text)), None)
        return newest is None or newest.constraint_text != source or bool(other_settings(newest, text))

    def newest(self, text: Text, before: int | None = None) -> Run | None:
        """The newest run on a Text that left trees (older than run ``before``), or None."""
        return next((run for run in self.finished(text) if before is None or run.id < before), None)

    def has_outcome(self, run: Run) -> bool:
        """Whether a run left trees: it was done, or cancelled after it had begun."""
        return run.status in ("done", "cancelled") and "expectations" in run.figures

    def parts(self, run: Run) -> dict[str, str]:
        """One parse."""
        return {"": self.name} if self.has_outcome(run) else {}

    def with_score(self, run: Run) -> Run:
        """A Run whose figures hold its score, as runs record it; worked out here for one made before they did.

        As it is where there is nothing to score, or the text has changed since.
        """
        if "model" in run.figures or not self.has_outcome(run):
            return run
        try:
            outcome = self.load(run)
        except WorkbenchError:
            return run
        return replace(run, figures=run.figures | score_figure(outcome.inputs, outcome))

    # What runs left

    def read(self, run: Run, inputs: Text, plan: PlanT, data: bytes) -> TextOutcome:
        """The Outcome of a run."""
        return replace(read_outcome(data, run, inputs, self.kind), files=parser_files(run, partial(self.parser, run)))

    def outcome(self, text: Text, run: Run | None = None) -> TextOutcome:
        """What a finished run left, or what the untrained model makes of a Text."""
        if run is not None:
            return self.load(run)
        return self._kept("changes", (text.key, text.settings.distribution), lambda: untrained(text))

    def change(self, text: Text, run: Run | None, former: Run | None = None) -> Change:
        """The Change that a run made, from run ``former`` or else from the run before it or the untrained model;
        without a run, none."""
        former = former or (run and self.newest(text, before=run.id))
        key = ("change", text.key, run and run.id, former and former.id, text.settings.distribution)
        return self._kept("changes", key, lambda: compare(text, self.outcome(text, former), self.outcome(text, run)))

    def left_out(self, run: Run, whole: Treebank) -> np.ndarray:
        """The sentences that are usable, however long, are parsed by ``parser``."""
        if not self.has_outcome(run):
            return super().left_out(run, whole)
        text, plan = self.inputs_of(run)
        return np.isin(whole.picks, self.usable(whole, plan.tags).picks) & ~np.isin(whole.picks, text.treebank.picks)

    def known(self, text: Text) -> Known | None:
        """The trees that a model of a Text is compared with, or None."""
        return known_heads(self.workspace, text)

    def mistakes(self, known: Known, outcome: TextOutcome) -> Mistakes:
        """The Mistakes of an Outcome against what is Known of its Text."""
        key = ("mistakes", known.text.key, known.key, outcome.number, known.text.settings.distribution)
        return self._kept("views", key, lambda: mistakes(known, outcome.heads))

    def proposals(self, known: Known, source: str, outcome: TextOutcome) -> list[Proposal]:
        """Lines that would have prevented errors of an Outcome, beside those of a set, in order."""
        key = ("proposals", known.text.key, known.key, source, outcome.number, known.text.settings.distribution)
        model = partial(self._arcs_of, known.text, outcome.run)
        return self._kept("views", key, lambda: proposals(known, source, outcome, model))

    def preview(self, text: Text, run: Run | None, line: Constraint) -> Preview:
        """What one more line would change in the trees of a run on a Text, or of the untrained model."""
        key = ("preview", text.key, run and run.id, line, text.settings.distribution)
        return self._kept("views", key, lambda: preview(self._arcs_of(text, run), text.matcher, line))

    def _arcs_of(self, text, run):
        return untrained_arcs(text) if run is None else self.arcs(run)

    def questions(self, text: Text, source: str, outcome: TextOutcome) -> list[Ask]:
        """The Asks that would teach an Outcome most about a Text, in order."""
        key = (text.key, outcome.number, text.settings.distribution, source)
        return self._kept("questions", key, lambda: questions(text, source, outcome))

    def start_worth(self, run: Run) -> int:
        """Begin to work out what the lines of a finished run are worth; returns the job's run id."""
        text, _ = self.inputs_of(run)
        return self.workspace.jobs.start(
            run.project, self.worth_kind, {"corpus": text.corpus.id, "of": run.id}, self._worth_work(run),
            constraint_text=run.constraint_text, data_hash=run.data_hash, replace=True,
        )  # fmt: skip

    def worth(self, run: Run) -> tuple[Worth | None, Run | None]:
        """(Worth or None, the newest Run that works or worked it out or None) of a finished run."""
        jobs = (each for each in self.store.runs(run.project, self.worth_kind) if each.settings.get("of") == run.id)
        job = next(jobs, None)
        if job is None or job.status != "done":
            return None, job
        make = partial(read_worth, self.store.result_bytes(job.id) or b"", job.constraint_text)
        return self._kept("views", ("worth", job.id), make), job

    def figures(self, run: Run) -> dict[str, str]:
        """Score, objective, iterations."""
        figures = self.with_score(run).figures
        found = {"UAS, no punctuation": accuracy(figures.get("model"))}
        if "objective" in figures:
            found[self.objective] = f"{figures['objective']:.4g}"
        if "iterations" in figures:
            end = f" ({figures['end']})" if figures.get("end") else ""
            found["iterations"] = f"{figures['iterations']}{end}"
        return found


def learner_kinds(kind: str, name: str, method: str) -> Mapping[str, Kind]:
    """The kinds of a learner's runs: its own, those of versions, and those that work out what lines are worth."""
    return {
        kind: Kind(name, method),
        f"{kind}-version": Kind(f"{name}, version", method),
        f"{kind}-worth": Kind(
            "worth of constraints",
            "The contribution of each expectation constraint to the model trained with it was measured",
        ),
    }
