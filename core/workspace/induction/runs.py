"""Grammar induction from tags and mark-up as a background job, and what a run leaves: a parser and its trees."""

import hashlib
import json
import math
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from core.draw import compare_trees, draw_tree
from core.errors import WorkbenchError
from core.markup import marked_sentences
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import HARMONIC_LENGTH, DMVSettings
from core.treebank import Treebank, conllu_text
from core.workspace.cache import BoundedCache
from core.workspace.markup.brackets import marked_text
from core.workspace.plan import Plan
from core.workspace.scope import scope
from core.workspace.word_tags import as_of

KIND = "induction"
LIVE_SECONDS = 0.3  # trees to look at while training, so often and not more
SETTINGS = "induction"  # kind of the document that holds the plan of a corpus
LEFT = ("punctuation", "stages", "adapt_to", "tags")  # fields of a plan that DMVSettings say otherwise


@dataclass(frozen=True)
class InductionPlan(Plan):
    """What a person can choose about a run, small and plain enough to be kept; the paper's names in capitals.

    ``stages`` are the longest sentences of each stage, ``15, 45`` (SCOPE), empty for all lengths at once;
    ``tags`` the column, "" the filled one, XPOS if both are;
    ``adapt_to`` is another corpus to train on last, without brackets (ADAPT), or 0; ``punctuation`` keeps it. The
    others are those of ``DMVSettings``.
    """

    init: str = "adhoc"
    level: str = "loose"
    tags: str = ""
    stages: str = "15, 45"
    schedule: str = "plain"
    algorithm: str = "viterbi"
    trim: bool = False
    adapt_to: int = 0
    punctuation: bool = False
    smoothing: float = 1.0
    max_iterations: int = 40
    restarts: int = 1
    seed: int = 0

    def settings(self):
        """DMVSettings. Raises WorkbenchError for what training does not take."""
        fields = {name: value for name, value in asdict(self).items() if name not in LEFT}
        return DMVSettings(**fields, lengths=stage_lengths(self.stages), adapt=bool(self.adapt_to))


@dataclass(frozen=True, eq=False)
class InductionText:
    """What is trained on: a MarkedText's sentences, without punctuation unless it is kept. ``hash`` names them."""

    corpus: object
    treebank: Treebank
    brackets: tuple
    hash: str

    @cached_property
    def gold(self):
        """How many words have a head to score against; training never looks at it."""
        return int((self.treebank.heads >= 0).sum())

    def scope(self, plan):
        """The Scope of what a plan trains on: the sentences that are short enough for one of its stages."""
        lengths = stage_lengths(plan.stages)
        if plan.schedule != "plain" or None in lengths:
            return scope(self.treebank, self.treebank, None)
        return scope(self.treebank, self.treebank.max_length(max(lengths)), max(lengths))

    @property
    def marked(self):
        """How many sentences have brackets."""
        return sum(bool(found) for found in self.brackets)


@dataclass(frozen=True, eq=False)
class Induced:
    """A grammar and the trees it gives a text: ``run`` is None where nothing is trained yet, the start only."""

    run: object
    model: DMV
    heads: np.ndarray
    cross_entropy: float
    right: int | None


class InductionDesk:
    """Texts and grammars of one Workspace, kept while they are in use; ``markup`` is its MarkupDesk."""

    def __init__(self, workspace, markup):
        self.workspace, self.markup = workspace, markup
        self._texts, self._induced, self._judged = BoundedCache(4), BoundedCache(12), BoundedCache(4)

    @property
    def store(self):
        """The store of the workspace."""
        return self.workspace.store

    def plan(self, corpus):
        """The InductionPlan kept with a corpus, else what suits it."""
        saved = self.store.document(corpus.project, SETTINGS, str(corpus.id))
        usual = InductionPlan() if self.markup.text(corpus).marks else InductionPlan(level="none")
        return usual if saved is None else InductionPlan.from_dict(saved)

    def save_plan(self, corpus, plan):
        """Keep an InductionPlan. Raises WorkbenchError for what training does not take."""
        plan.settings()
        self.store.remember(corpus.project, SETTINGS, str(corpus.id), plan.as_dict())

    def text(self, corpus, punctuation=False):
        """The InductionText of a corpus. Raises WorkbenchError where it has no tags, or no word is left."""
        key = (self.workspace.corpus_key(corpus), punctuation)
        return self._texts.get(key, lambda: _text(self.markup.text(corpus), key))

    def start(self, text, plan):
        """The Induced that a plan begins from, before any training."""
        settings = replace(plan.settings(), trim=False, adapt=False, schedule="plain", level="none", restarts=1)
        if settings.init == "adhoc":
            settings = replace(settings, init="harmonic", lengths=(HARMONIC_LENGTH,))  # where its own training begins
        key = (text.hash, settings.init, settings.lengths, settings.smoothing, plan.tags)
        return self._induced.get(key, lambda: _induced(text, _begun(text, settings, plan.tags or None)))

    def induced(self, text, run):
        """The Induced of a finished Run on a text."""
        return self._induced.get((text.hash, run.id), lambda: _induced(text, self.model(run), run))

    def judged(self, corpus):
        """The MarkedText of a corpus under the trees that its newest grammar draws, or None where it has none."""
        kinds = {bool(run.settings["punctuation"]) for run in self._runs_of(corpus)}
        texts = [self.text(corpus, kept) for kept in kinds]
        found = [(run, text) for text in texts for run in self.finished(text)[:1]]
        if not found:
            return None
        run, text = max(found, key=lambda pair: pair[0].id)
        return self._judged.get((text.hash, run.id), lambda: _judged(text, self.induced(text, run)))

    def _runs_of(self, corpus):
        return [run for run in self.store.runs(corpus.project, KIND) if run.settings["corpus"] == corpus.id]

    def model(self, run):
        """The DMV that a run left."""
        return _model(self.store.result_bytes(run.id))

    def runs(self, text):
        """Runs on these very sentences, newest first."""
        return [run for run in self.store.runs(text.corpus.project, KIND) if run.data_hash == text.hash]

    def finished(self, text):
        """Those of them that left a grammar, newest first."""
        return [run for run in self.runs(text) if run.status in ("done", "cancelled") and "bits" in run.figures]


def stage_lengths(text):
    """Lengths of stages from ``15, 45``; (None,) of nothing. Raises WorkbenchError for what is no such list."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise WorkbenchError(f"stages are whole numbers separated by commas, as in 15, 45; got {text!r}")
    return tuple(int(part) for part in parts) or (None,)


def start_induction(desk, text, plan):
    """Begin to train in the background, in place of a run under way; returns the run's id. Raises WorkbenchError."""
    _require(text, plan)
    settings = plan.as_dict() | {"corpus": text.corpus.id}
    work = induction_work(desk, text, plan)
    return desk.workspace.jobs.start(text.corpus.project, KIND, settings, work, data_hash=text.hash, replace=True)


def resume_induction(desk, run_id):
    """Go on with a run that stopped half-way, from its last checkpoint. Raises WorkbenchError."""
    text, plan = text_of(desk, desk.store.run(run_id))
    return desk.workspace.jobs.resume(run_id, induction_work(desk, text, plan))


def text_of(desk, run):
    """(InductionText, InductionPlan) of a Run, a table's too. Raises WorkbenchError where its text is another now."""
    plan = InductionPlan.from_dict(run.settings)
    then = as_of(desk, run)
    then.markup = as_of(desk.markup, run)
    text = then.text(desk.store.corpus(run.settings["corpus"]), plan.punctuation)
    if text.hash != run.data_hash:
        raise WorkbenchError(f"the text of run {run.id} has changed since; train again")
    return text, plan


def induction_work(desk, text, plan):
    """``work(job)`` for ``Jobs``: trains, reports every iteration, keeps checkpoints, returns figures and a model."""

    def work(job):
        settings, start = _remaining(plan.settings(), job.resumed, desk.workspace.jobs.trace(job.run))
        adapt_to = None
        if plan.adapt_to:
            adapt_to = desk.text(desk.store.corpus(plan.adapt_to), plan.punctuation).treebank
        model = DMV(settings, tags=plan.tags or None)
        watch = _Watch(desk.workspace, job, text, model)
        try:
            model.fit(
                text.treebank, list(text.brackets), start=start, adapt_to=adapt_to,
                watch=text.treebank if text.gold else None, progress=watch, cancel=job.cancelled,
            )  # fmt: skip
        finally:
            desk.workspace.show_live(job.run, None, None)
        return figures(text, model, job.iteration), model_bytes(model)

    return work


def figures(text, model, iterations):
    """What is said of a grammar, as JSON values."""
    bits = model.cross_entropy(text.treebank)
    found = {
        "bits": bits if math.isfinite(bits) else None,
        "iterations": iterations,
        "end": model.status,
        "fallbacks": model.fallbacks,
        "skipped": model.skipped,
    }
    return found | ({"accuracy": model.accuracy(text.treebank)} if text.gold else {})


def best_run(runs):
    """(the best of finished runs, by what): most right heads where they are known, else fewest bits; None of none."""
    scored = [run for run in runs if "accuracy" in run.figures]
    if scored:
        return max(scored, key=lambda run: run.figures["accuracy"]["uas"]), "heads right"
    known = [run for run in runs if run.figures["bits"] is not None]
    return (min(known, key=lambda run: run.figures["bits"]), "bits per token") if known else (None, "")


def run_table(runs):
    """Columns of a table over finished runs."""
    plans = [InductionPlan.from_dict(run.settings) for run in runs]
    table = {
        "run": [run.id for run in runs],
        "init": [plan.init for plan in plans],
        "level": [plan.level for plan in plans],
        "stages": [plan.stages or "all" for plan in plans],
        "training": [f"{plan.algorithm}, {plan.schedule}" for plan in plans],
        "trim": [plan.trim for plan in plans],
        "adapt": [bool(plan.adapt_to) for plan in plans],
        "seed": [plan.seed for plan in plans],
        "bits": [run.figures["bits"] for run in runs],
    }
    if any("accuracy" in run.figures for run in runs):
        table["uas"] = [run.figures.get("accuracy", {}).get("uas") for run in runs]
    return table


def course(trace):
    """(iterations, bits per token, accuracies or [], stages) of a run's trace."""
    entries = [entry for entry in trace if "cross_entropy" in entry]
    accuracies = [entry["accuracy"] for entry in entries if entry.get("accuracy") is not None]
    return (
        [entry["iteration"] for entry in entries],
        [entry["cross_entropy"] for entry in entries],
        accuracies if len(accuracies) == len(entries) else [],
        [entry["stage"] for entry in entries],
    )


def induced_drawing(text, heads, index):
    """The Drawing of a sentence: the induced tree, below the text's own where it has one."""
    sentence, rows = text.treebank[index], slice(*text.treebank.offsets[index : index + 2])
    if (sentence.heads[1:] >= 0).all():
        return compare_trees(sentence, heads[rows], names=("the text’s own", "induced"))
    return draw_tree(sentence, heads[rows], kind="predicted")


def induced_conllu(text, heads):
    """The text with induced trees, as CoNLL-U."""
    return conllu_text(_with_induced(text, heads))


def model_bytes(model):
    """A DMV as an npz file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "grammar.npz"
        model.save(path)
        return path.read_bytes()


def _model(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "grammar.npz"
        path.write_bytes(data)
        return DMV.load(path)


class _Watch:
    """Tells a job of every iteration, keeps its checkpoint, and now and then parses the text to look at."""

    def __init__(self, workspace, job, text, model):
        self.workspace, self.job, self.text, self.model = workspace, job, text, model
        self.stages, self.looked = [], float("-inf")

    def __call__(self, state):
        if not self.stages or self.stages[-1] != state.stage:
            self.stages.append(state.stage)
        settings = self.model.settings
        most = len(settings.lengths) + (settings.init == "adhoc") + settings.adapt
        done = min((len(self.stages) - 1 + state.iteration / settings.max_iterations) / max(most, len(self.stages)), 1)
        told = {"cross_entropy": state.cross_entropy, "stage": state.stage, "fallbacks": state.fallbacks}
        if state.accuracy is not None:
            told["accuracy"] = state.accuracy
        if not math.isfinite(state.cross_entropy):
            told["cross_entropy"] = None
        words = f"{state.stage}, iteration {state.iteration}: {state.cross_entropy:.3f} bits per token"
        self.job.report(self.job.iteration + 1, done, told, words)
        self.job.checkpoint(lambda: model_bytes(self.model))
        if time.monotonic() - self.looked >= LIVE_SECONDS:
            heads = self.model.best_heads(self.text.treebank).values
            self.workspace.show_live(self.job.run, self.job.iteration, heads)
            self.looked = time.monotonic()


def _remaining(settings, checkpoint, trace):
    """(DMVSettings, DMV to start from or None): what is left of a run that stopped in one of its plain stages."""
    stages = [entry["stage"] for entry in trace if "stage" in entry]
    names = ["all lengths" if n is None else f"up to {n} word{'s' if n > 1 else ''}" for n in settings.lengths]
    if checkpoint is None or settings.schedule != "plain" or not stages or stages[-1] not in names:
        return settings, None
    left = settings.lengths[names.index(stages[-1]) :]
    return replace(settings, lengths=left, restarts=1), _model(checkpoint)


def _require(text, plan):
    settings = plan.settings()
    if not text.marked and (settings.level != "none" or settings.trim):
        raise WorkbenchError(
            "levels and Only sentences with mark-up need mark-up, and this text has none; switch them off"
        )
    shortest = int(text.treebank.lengths.min())
    if None not in settings.lengths and max(settings.lengths) < shortest:
        raise WorkbenchError(f"the shortest sentence has {shortest} words; raise the maximum length of a stage")


def _text(marked, key):
    treebank = marked.treebank
    if marked.trees_by:  # a parser's trees are no gold
        treebank = treebank.with_heads(np.full(len(treebank.heads), -1, np.int32))
    treebank.tag_column(None)  # says so where there are no tags
    if not key[1]:
        treebank = treebank.without_punctuation()
    if not len(treebank):
        raise WorkbenchError("no word is left without punctuation; switch Keep punctuation on in the settings")
    name = hashlib.sha256(json.dumps([*key, treebank.content_hash]).encode()).hexdigest()
    return InductionText(marked.corpus, treebank, tuple(map(tuple, marked_sentences(treebank))), name)


def _with_induced(text, heads):
    """The text as CoNLL-U under these trees; a grammar of tags knows no relations."""
    return text.treebank.to_conllu().with_heads(heads, np.where(heads == 0, "root", "dep").tolist())


def _judged(text, induced):
    return replace(
        marked_text(text.corpus, _with_induced(text, induced.heads)), trees_by=f"run {induced.run.id} under Induction"
    )


def _begun(text, settings, tags):
    """The DMV before its first iteration."""
    if None not in settings.lengths and max(settings.lengths) < text.treebank.lengths.min():
        settings = replace(settings, lengths=(None,))
    return DMV(settings, tags=tags).fit(text.treebank, cancel=lambda: True)


def _induced(text, model, run=None):
    heads = model.best_heads(text.treebank).values
    known = text.treebank.heads >= 0
    right = int((heads == text.treebank.heads)[known].sum()) if text.gold else None
    return Induced(run, model, heads, model.cross_entropy(text.treebank), right)
