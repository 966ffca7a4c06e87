"""Training a parser from constraints (druck2009), as a system: its text, its runs, and what is asked of them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np

from core.annotation.uncertainty import tree_entropies
from core.callbacks import Cancel
from core.constraints import Constraint, ConstraintDocument, Matcher, parse_constraints
from core.constraints.approximation import CovarianceComparison
from core.constraints.attribution import ArcAttribution, Attribution
from core.constraints.matching import Matches
from core.constraints.penalties import penalty_named
from core.constraints.preview import ArcModel, Preview, ScoredArcs, preview
from core.constraints.proposals import Proposal
from core.constraints.train import PRESETS, GETrainer
from core.errors import WorkbenchError
from core.parsers.crf.tree_crf import TreeCRF
from core.store import Corpus, Run
from core.threads import unless_cancelled
from core.treebank import Treebank
from core.trees.packed import PackedScores
from core.workspace.cache import BoundedCache
from core.workspace.constraints.ask import Ask, questions
from core.workspace.constraints.change import Change, compare
from core.workspace.constraints.checks import Checks
from core.workspace.constraints.documents import constraint_text
from core.workspace.constraints.gradient import gradient_comparison
from core.workspace.constraints.known_trees import KnownTrees, known_trees, trees_key
from core.workspace.constraints.mistakes import Mistakes, mistakes
from core.workspace.constraints.proposals import Known, known_heads, proposals, untrained_arcs
from core.workspace.constraints.settings import TRAINED, TrainingSettings, default_settings
from core.workspace.constraints.survey import conflicts
from core.workspace.constraints.takeaway import parser_files
from core.workspace.constraints.text import KIND, Text, TextOutcome, read_outcome, untrained
from core.workspace.constraints.training import new_trainer, other_settings, score_figure, training_work
from core.workspace.constraints.worth import KIND as WORTH
from core.workspace.constraints.worth import Worth, read_worth, worth_work
from core.workspace.corpora import tagged_sentences, text_brackets, training_text
from core.workspace.system import Citation, Kind, System, Work
from core.workspace.wording import accuracy
from core.workspace.workspace import Workspace

VERSION = "ge-version"  # runs that train a version to compare it: they are not what the page shows as trained
PATIENCE = 0.25  # seconds a page waits for what most often is known by then, rather than be drawn twice
MODEL = "A log-linear model of dependency trees was trained from expectation constraints"
SIZES = {  # of the caches: how many results are kept
    "texts": 6, "untagged": 16, "trees": 4, "trainers": 2, "changes": 16, "matches": 4, "attributions": 2, "arcs": 64,
    "scores": 1, "questions": 8, "views": 8, "checks": 16,
}  # fmt: skip


class Constraints(System[TrainingSettings, Text, TextOutcome]):
    """Constraints over the sentences of a corpus, and the parsers trained from them."""

    kind = KIND
    kinds: ClassVar[Mapping[str, Kind]] = {
        KIND: Kind("constraints", MODEL),
        VERSION: Kind("constraints, version", MODEL),
        WORTH: Kind(
            "worth of constraints",
            "The contribution of each expectation constraint to the model trained with it was measured",
        ),
    }
    page = "constraints"
    gives_entropies = True
    document = "training"
    plan_class = TrainingSettings
    citation = Citation(
        "Druck et al., 2009",
        "Gregory Druck, Gideon Mann and Andrew McCallum (2009). Semi-supervised Learning of Dependency Parsers using "
        "Generalized Expectation Criteria. ACL-IJCNLP.",
    )
    # the paper has several sets of tags and features
    paper: ClassVar[Mapping[str, object]] = {
        name: getattr(PRESETS["paper"], name) for name in TRAINED if name not in ("tags", "features")
    }

    def __init__(self, workspace: Workspace):
        super().__init__(workspace)
        self._caches = {name: BoundedCache(size) for name, size in SIZES.items()}

    def _kept(self, cache, key, make):
        return self._caches[cache].get(key, make)

    # Settings and texts

    def usual_plan(self, corpus: Corpus) -> TrainingSettings:
        """What suits a Corpus. Raises WorkbenchError where no word has a tag."""
        return default_settings(self.workspace.treebank(corpus))

    def save_settings(self, corpus: Corpus, settings: TrainingSettings) -> None:
        """Keep training settings with the project; can be undone."""
        self.save(corpus, "changing what is trained on", **settings.as_dict())

    def inputs(self, corpus: Corpus, plan: TrainingSettings) -> Text:
        """The Text that settings let in, with the constraints as they stand.

        Raises WorkbenchError where no sentence is short enough, or no word has a tag.
        """
        untagged = self.untagged_sentences(corpus, plan.tags)
        key = json.dumps([self.workspace.corpus_key(corpus), *plan.selection, *([untagged] if untagged else [])])

        def make():
            treebank = training_text(self.workspace.treebank(corpus), plan)
            return treebank, Matcher(treebank, plan.tags)

        treebank, matcher = self._kept("texts", key, make)
        return Text(
            corpus=corpus, key=key, treebank=treebank, settings=plan, matcher=matcher,
            constraint_text=self.source(corpus),
        )  # fmt: skip

    def text(self, corpus: Corpus, settings: TrainingSettings | None = None) -> Text:
        """The Text of a corpus under settings, by default its own. Raises as ``inputs``."""
        return self.inputs(corpus, settings or self.plan(corpus))

    def source(self, corpus: Corpus) -> str:
        """The constraint set of a Corpus as it stands now."""
        return constraint_text(self.store, corpus, self.workspace.treebank(corpus))

    def untagged_sentences(self, corpus: Corpus, tags: str) -> int:
        """How many sentences of a Corpus have no tag in the column ``tags`` and are left out of training."""

        def make():
            treebank = self.workspace.treebank(corpus)
            return len(treebank) - len(tagged_sentences(treebank, tags))

        return self._kept("untagged", (self.workspace.corpus_key(corpus), tags), make)

    def known_trees(self, text: Text) -> KnownTrees | None:
        """The trees to learn from beside the constraints, or None. Raises as ``known_trees.known_trees``."""
        key = trees_key(self.workspace, text)
        return None if key is None else self._kept("trees", key, lambda: known_trees(self.workspace, text))

    def brackets(self, text: Text) -> list:
        """The brackets of each sentence of a Text, as ``text_brackets`` finds them."""
        make = partial(text_brackets, text.treebank, text.corpus.reference)
        return self._kept("views", ("brackets", text.key), make)

    def matches(self, text: Text, source: str) -> Matches:
        """The Matches of all constraints of a set that can be read."""

        def make():
            return text.matcher.match(ConstraintDocument.from_text(source).constraints)

        return self._kept("matches", (text.key, source), make)

    def conflicts(self, text: Text, source: str) -> list | None:
        """Warnings that take decodings, made in the background: None until they are known."""
        key = (text.key, text.settings.projective, source)
        checks = self._kept("checks", text.corpus.id, Checks)  # a text's new question ends no other text's
        return checks.ask(key, lambda cancel: conflicts(text, source, cancel), PATIENCE)

    # Runs

    def train(self, text: Text, source: str) -> int:
        """Begin to train on a Text from a set, in place of a run under way; returns the run's id.

        Raises ConstraintError for the first thing that refuses to train, WorkbenchError for trees that cannot be
        learned.
        """
        return self.start(replace(text, constraint_text=source), text.settings)

    def prepared(self, inputs: Text, plan: TrainingSettings) -> tuple[Text, TrainingSettings]:
        """What refuses to train is said before a run is begun; the run to begin from is chosen."""
        constraints = parse_constraints(inputs.constraint_text, inputs.matcher)
        if not constraints:
            raise WorkbenchError("there are no constraints to train on; write at least one")
        penalty_named(plan.score, constraints)
        self.known_trees(inputs)
        if plan.brackets != "none" and not any(self.brackets(inputs)):
            raise WorkbenchError("this text has no mark-up to respect; in Settings, Trees, choose None for Brackets")
        last = self.newest(inputs) if plan.warm else None
        fits = last is not None and TrainingSettings.from_dict(last.settings).shape == plan.shape
        return replace(inputs, start=last.id if last is not None and fits else None), plan

    def recorded(self, inputs: Text, plan: TrainingSettings) -> dict:
        """The settings, the corpus, and the run to begin from."""
        return super().recorded(inputs, plan) | {"start": inputs.start}

    def work(self, inputs: Text, plan: TrainingSettings) -> Work:
        """Training on a Text from its set."""
        return training_work(self.workspace, inputs, self.trainer, self.known_trees)

    def repeated(self, run: Run) -> tuple[Work, dict[str, Treebank]]:
        """As of every system; of a run that worked out what lines are worth, on the text of the run it judged."""
        if run.kind != WORTH:
            return super().repeated(run)
        judged = self.store.run(run.settings["of"])
        text, _ = self.inputs_of(judged)
        return worth_work(text, partial(self.new_attribution, judged)), {"text": text.treebank}

    def inputs_of(self, run: Run) -> tuple[Text, TrainingSettings]:
        """The Text with the set that a run was trained from. Raises WorkbenchError where its sentences are others."""
        text, plan = super().inputs_of(run)
        return replace(text, constraint_text=run.constraint_text, start=run.settings.get("start")), plan

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
        return {"": "constraints"} if self.has_outcome(run) else {}

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

    def read(self, run: Run, inputs: Text, plan: TrainingSettings, data: bytes) -> TextOutcome:
        """The Outcome of a run."""
        outcome = read_outcome(data, run, inputs)
        return replace(outcome, files=parser_files(run, partial(self.parser, run)))

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

    def parser(self, run: Run) -> TreeCRF:
        """The parser that a finished run trained. Seconds where the text is large and not indexed yet."""
        text, _ = self.inputs_of(run)
        return self.trainer(text).model.with_weights(self.weights(run))

    def left_out(self, run: Run, whole: Treebank) -> np.ndarray:
        """The sentences with tags, however long, are parsed by ``parser``."""
        if not self.has_outcome(run):
            return super().left_out(run, whole)
        text, plan = self.inputs_of(run)
        able = training_text(whole, replace(plan, max_length=None))
        return np.isin(whole.picks, able.picks) & ~np.isin(whole.picks, text.treebank.picks)

    def entropies(self, run: Run) -> tuple[np.ndarray, np.ndarray]:
        """Of the distribution over the trees of each sentence that it was trained on."""
        text, plan = self.inputs_of(run)
        return text.treebank.picks, tree_entropies(self.scores(run), plan.distribution)

    def trainer(self, text: Text) -> GETrainer:
        """The trainer of a Text, indexed once. Takes seconds on a large corpus: for jobs, not for pages."""
        return self._kept("trainers", (text.key, text.settings.ge_settings()), lambda: new_trainer(text))

    def weights(self, run: Run) -> np.ndarray:
        """The feature weights that a finished run ended at, float64 (F,), in nats."""
        weights = self.load(run).weights
        assert weights is not None  # only the untrained model's outcome has none
        return weights

    def scores(self, run: Run) -> PackedScores:
        """Arc scores of a finished run on its text, in nats. Seconds where it is not indexed yet."""

        def make():
            return self.trainer(self.inputs_of(run)[0]).scores(self.weights(run))

        return self._kept("scores", run.id, make)

    def attribution(self, run: Run) -> Attribution:
        """The Attribution of a finished run. Takes seconds where the text is large and not indexed yet."""
        return self._kept("attributions", run.id, lambda: self.new_attribution(run))

    def new_attribution(self, run: Run, cancel: Cancel | None = None) -> Attribution:
        """The Attribution of a finished run, made anew: for jobs, that want to cancel it."""
        text, _ = self.inputs_of(run)
        constraints = parse_constraints(run.constraint_text, text.matcher)
        known, weights = self.known_trees(text), self.weights(run)
        trainer = unless_cancelled(lambda: self.trainer(text), cancel)
        return Attribution(trainer, constraints, weights, trees=known and known.treebank, cancel=cancel)

    def why(
        self, run: Run, sentence: int, head: int, modifier: int, against: int | None = None
    ) -> tuple[tuple, ArcAttribution]:
        """(constraints, ArcAttribution): what pulled an arc of a run's text in or out."""

        def make():
            attribution = self.attribution(run)
            return attribution.constraints, attribution.of_arc(sentence, head, modifier, against)

        return self._kept("arcs", (run.id, sentence, head, modifier, against), make)

    def gradient(
        self, text: Text, run: Run | None, source: str, sentence: int, line: int | None = None
    ) -> CovarianceComparison:
        """The gradient of a set on a sentence of a Text, as ``gradient_comparison``; None is the untrained model."""
        scores = None if run is None else lambda: self.scores(run)[sentence]

        def make():
            return gradient_comparison(text, self.outcome(text, run), source, sentence, line, scores)

        return self._kept("views", ("gradient", text.key, run and run.id, source, sentence, line), make)

    def known(self, text: Text) -> Known | None:
        """The trees that a model of a Text is compared with, or None."""
        return known_heads(self.workspace, text)

    def mistakes(self, known: Known, outcome: TextOutcome) -> Mistakes:
        """The Mistakes of an Outcome against what is Known of its Text."""
        key = ("mistakes", known.text.key, known.key, outcome.number, known.text.settings.projective)
        return self._kept("views", key, lambda: mistakes(known, outcome.heads))

    def proposals(self, known: Known, source: str, outcome: TextOutcome) -> list[Proposal]:
        """Lines that would have prevented errors of an Outcome, beside those of a set, in order."""
        key = ("proposals", known.text.key, known.key, source, outcome.number, known.text.settings.projective)
        return self._kept("views", key, lambda: proposals(known, source, outcome))

    def preview(self, text: Text, run: Run | None, line: Constraint) -> Preview:
        """What one more line would change in the trees of a run on a Text, or of the untrained model."""
        key = ("preview", text.key, run and run.id, line, text.settings.distribution)
        arcs = partial(untrained_arcs, text) if run is None else partial(self.arcs, run)
        return self._kept("views", key, lambda: preview(arcs(), text.matcher, line))

    def arcs(self, run: Run) -> ArcModel:
        """The model of a finished run, to which log-weights of arcs can be added. Takes as long as ``scores``."""
        return ScoredArcs(self.inputs_of(run)[1].distribution, self.scores(run))

    def questions(self, text: Text, source: str, outcome: TextOutcome) -> list[Ask]:
        """The Asks that would teach an Outcome most about a Text, in order."""
        key = (text.key, outcome.number, text.settings.distribution, source)
        return self._kept("questions", key, lambda: questions(text, source, outcome))

    def start_worth(self, run: Run) -> int:
        """Begin to work out what the lines of a finished run are worth; returns the job's run id."""
        text, _ = self.inputs_of(run)
        return self.workspace.jobs.start(
            run.project, WORTH, {"corpus": text.corpus.id, "of": run.id},
            worth_work(text, partial(self.new_attribution, run)),
            constraint_text=run.constraint_text, data_hash=run.data_hash, replace=True,
        )  # fmt: skip

    def worth(self, run: Run) -> tuple[Worth | None, Run | None]:
        """(Worth or None, the newest Run that works or worked it out or None) of a finished run."""
        jobs = (each for each in self.store.runs(run.project, WORTH) if each.settings.get("of") == run.id)
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
            found["objective"] = f"{figures['objective']:.4g}"
        if "iterations" in figures:
            end = f" ({figures['end']})" if figures.get("end") else ""
            found["iterations"] = f"{figures['iterations']}{end}"
        return found
