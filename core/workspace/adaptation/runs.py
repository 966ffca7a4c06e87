"""Adapting a parser as a background job, and what such a run leaves.

A run trains one system after the other: without adaptation, self-trained, with a few target trees, adapted. Its
checkpoint holds the systems that are trained, so a run that was stopped goes on with the next one.
"""

import io
import json
from dataclasses import asdict, dataclass

import numpy as np

from core.adaptation.findings import changed_edges, direction_examples, direction_findings, pivot_findings
from core.adaptation.systems import FEW, NONE, SCL, SELF_TRAINING, System, Task, adapt
from core.errors import WorkbenchError
from core.evaluation import AttachmentScores, sign_test
from core.parsers.mst.adapted import AdaptedParser
from core.parsers.mst.parser import MSTParser
from core.parsers.weights import load_arrays, save_arrays
from core.treebank import Column, conllu_text
from core.workspace.adaptation.plan import AdaptationPlan, AdaptationTexts
from core.workspace.word_tags import as_of

KIND = "scl"
SOURCE, TARGET = "source", "target"  # names of the texts that are scored
CHECKPOINT, RESULT = "adaptation-checkpoint", "adaptation-result"  # kinds of files in the store
COUNTS = ("words", "heads", "labels", "both", "sentences", "complete", "labelled")
LEARNING = 0.1  # of the progress bar, for the correspondence
FEATURES = 12  # named of each pivot and direction


@dataclass(frozen=True, eq=False)
class AdaptationOutcome:
    """What a run left.

    Attributes
    ----------
    run : Run
    texts : AdaptationTexts
    plan : AdaptationPlan
        With which it was made.
    parsed : dict of str to Treebank
        The target under each system's trees.
    scores : dict of str to dict of str to list of AttachmentScores
        By system and text, an entry an iteration.
    findings : dict
        ``pivots``, ``directions``, ``examples`` and ``changed``: fields of the classes of
        ``core.adaptation.findings`` as JSON values.
    """

    run: object
    texts: AdaptationTexts
    plan: AdaptationPlan
    parsed: dict
    scores: dict
    findings: dict

    @property
    def systems(self):
        """Names of the systems, in the order of their training."""
        return list(self.scores)

    def conllu(self, system=SCL):
        """The target under a system's trees, as CoNLL-U text."""
        return conllu_text(self.parsed[system].to_conllu())


def start_adaptation(desk, corpus, plan):
    """Begin to adapt, in place of a run under way on this project; returns the run's id.

    The sample's questions become a text of the project where they are the target. Raises WorkbenchError.
    """
    plan.correspondence()
    desk.texts(corpus, plan)
    plan = desk.make_target(corpus, plan)
    texts = desk.texts(corpus, plan)
    settings = plan.as_dict() | {"corpus": corpus.id}
    work = adaptation_work(texts, plan)
    return desk.workspace.jobs.start(corpus.project, KIND, settings, work, data_hash=texts.hash, replace=True)


def resume_adaptation(desk, run_id):
    """Go on with a run that was cancelled, interrupted or failed. Raises WorkbenchError where its texts changed."""
    texts, plan = texts_of(desk, desk.store.run(run_id))
    return desk.workspace.jobs.resume(run_id, adaptation_work(texts, plan))


def texts_of(desk, run):
    """(AdaptationTexts, AdaptationPlan) of a Run. Raises WorkbenchError where the texts are others now."""
    plan = AdaptationPlan.from_dict(run.settings)
    texts = as_of(desk, run).texts(desk.store.corpus(run.settings["corpus"]), plan)
    if texts.hash != run.data_hash:
        raise WorkbenchError(f"the text of run {run.id} has changed since; adapt again")
    return texts, plan


def adaptation_runs(store, project, texts=None):
    """Runs of a project, on these very texts if they are given, newest first."""
    return [run for run in store.runs(project, KIND) if texts is None or run.data_hash == texts.hash]


def load_outcome(desk, run):
    """The AdaptationOutcome that a finished Run left. Raises WorkbenchError where its texts are others now."""
    return desk.results.get((run.id, run.finished), lambda: _loaded(desk, run))


def adaptation_work(texts, plan):
    """``work(job)`` for ``Jobs``."""

    def work(job):
        done = {} if job.resumed is None else _unpacked(job.resumed, texts)
        scored = {TARGET: texts.test} | ({SOURCE: texts.held} if len(texts.held) else {})
        teller = _Teller(job, plan, texts, len(done))
        task = Task(
            texts.source, scored, texts.tags, plan.epochs, plan.seed, texts.bits,
            cancel=job.cancelled, progress=teller.training, scored=teller.scored, learning=teller.learning,
        )  # fmt: skip
        kept = dict(done)

        def keep(system):
            kept[system.name] = system
            teller.done = len(kept)
            if system.name != SCL:
                job.checkpoint(lambda: _packed(kept))

        job.report(job.iteration, 0.0, message="Reading the word pairs of both texts")
        found = adapt(
            task, texts.unlabelled, plan.correspondence(), few=texts.few, rounds=plan.rounds, done=done, keep=keep
        )
        job.report(job.iteration, 1.0, message="Finding what changed")
        return _figures(texts, found), _result(texts, found)

    return work


class _Teller:
    """Says how far a job is: the correspondence first, then each system's training in turn."""

    def __init__(self, job, plan, texts, done):
        self.job, self.done = job, done
        self.figures = {}  # of the last iteration that was scored
        self.count = 2 + bool(plan.rounds) + (texts.few is not None)

    def learning(self, trained, pivots):
        self.job.report(self.job.iteration, LEARNING * trained / pivots, message=f"Predictor {trained} of {pivots}")

    def training(self, name, state):
        fraction = LEARNING + (1 - LEARNING) * min((self.done + state.fraction) / self.count, 1.0)
        words = f"Training {WORDS[name]}: iteration {state.epoch}"
        self.job.report(self.job.iteration, fraction, self.figures, words)

    def scored(self, name, scores):
        self.figures = {"system": name, "scores": {text: _counts(found) for text, found in scores.items()}}
        self.job.report(self.job.iteration + 1, None, self.figures, f"Scored {WORDS[name]}")


WORDS = {
    NONE: "the parser without adaptation",
    SELF_TRAINING: "the self-trained parser",
    FEW: "the parser with a few target trees",
    SCL: "the adapted parser",
}


def _counts(scores):
    return [int(getattr(scores, name)) for name in COUNTS]


def live_scores(trace):
    """Scores so far, as ``AdaptationOutcome.scores``, from the trace of a run under way."""
    found, last = {}, None
    for entry in trace:
        if "system" in entry and entry["iteration"] != last:
            last = entry["iteration"]
            for text, counts in entry["scores"].items():
                found.setdefault(entry["system"], {}).setdefault(text, []).append(_scores(counts))
    return found


def _scores(counts):
    values = dict(zip(COUNTS, counts, strict=True))
    return AttachmentScores(**{**values, "labelled": bool(values["labelled"])})


def _figures(texts, found):
    """What is said of a run, as JSON values."""
    last = {name: system.scores[TARGET][-1] for name, system in found.systems.items()}
    correspondence = found.systems[SCL].correspondence.trained()
    figures = {
        "model": _last(last[SCL]) if texts.has_gold else {},
        "base": _last(last[NONE]) if texts.has_gold else {},
        "seconds": {name: system.seconds for name, system in found.systems.items()},
        "dimensions": correspondence.dimensions,
        "skipped": found.systems[SCL].parser.skipped,
        "notes": list(found.notes),
        "scores": {
            name: {text: [_counts(each) for each in scores] for text, scores in system.scores.items()}
            for name, system in found.systems.items()
        },
    }
    if texts.has_gold:
        base = found.systems[NONE].parsed[TARGET]
        figures["tests"] = {
            name: _tests(texts.test, base, system.parsed[TARGET], last[name].labelled)
            for name, system in found.systems.items()
            if name != NONE
        }
    return figures


def _last(scores):
    return {"right": scores.heads, "words": scores.words, "uas": scores.uas, "las": scores.las}


def _tests(gold, base, parsed, labelled):
    tests = {"heads": sign_test(gold, base, parsed)}
    if labelled:
        tests["labels"] = sign_test(gold, base, parsed, column="deprel")
    return {
        what: {"better": test.only_second, "worse": test.only_first, "p_value": test.p_value}
        for what, test in tests.items()
    }


def _result(texts, found):
    adapted = found.systems[SCL]
    correspondence = adapted.correspondence
    examples = {
        SOURCE: direction_examples(correspondence.model, texts.source),
        TARGET: direction_examples(correspondence.model, adapted.parsed[TARGET]),
    }
    findings = {
        "pivots": [asdict(each) for each in pivot_findings(correspondence, FEATURES)],
        "directions": [asdict(each) for each in direction_findings(correspondence, FEATURES)],
        "examples": {
            text: [[[asdict(edge) for edge in side] for side in sides] for sides in found]
            for text, found in examples.items()
        },
        "changed": [_changed(each) for each in changed_edges(texts.test, found.systems[NONE].parsed[TARGET], adapted)],
    }
    arrays = {"parser": _bytes(AdaptedParser(adapted.parser, correspondence.model))}
    for name, system in found.systems.items():
        arrays |= _tree_arrays(name, system.parsed[TARGET])
    file = io.BytesIO()
    save_arrays(file, RESULT, {"findings": findings, "systems": list(found.systems)}, **arrays)
    return file.getvalue()


def _changed(edge):
    names = ("verdict", "margin", "induced_margin", "margin_share")
    return asdict(edge) | {name: getattr(edge, name) for name in names}


def parser_bytes(desk, run):
    """The adapted parser that a run left, as an npz file for ``core.parsers.load_parser``."""
    return load_arrays(io.BytesIO(desk.store.result_bytes(run.id)), RESULT)[1]["parser"].tobytes()


def _loaded(desk, run):
    texts, plan = texts_of(desk, run)
    settings, arrays = load_arrays(io.BytesIO(desk.store.result_bytes(run.id)), RESULT)
    return AdaptationOutcome(
        run=run,
        texts=texts,
        plan=plan,
        parsed={name: _tree(name, arrays, texts.test) for name in settings["systems"]},
        scores={name: _by_text(run.figures["scores"][name]) for name in settings["systems"]},
        findings=settings["findings"],
    )


def _by_text(scores):
    return {text: tuple(_scores(counts) for counts in found) for text, found in scores.items()}


def _packed(systems):
    """Systems without a correspondence as a file, for a checkpoint."""
    arrays, described = {}, {}
    for name, system in systems.items():
        arrays[f"{name}_parser"] = _bytes(system.parser)
        for text, parsed in system.parsed.items():
            arrays |= _tree_arrays(f"{name}_{text}", parsed)
        scores = {text: [_counts(each) for each in found] for text, found in system.scores.items()}
        described[name] = {"scores": scores, "seconds": system.seconds}
    file = io.BytesIO()
    save_arrays(file, CHECKPOINT, {"systems": described}, **arrays)
    return file.getvalue()


def _unpacked(data, texts):
    """Systems by name that ``_packed`` wrote."""
    settings, arrays = load_arrays(io.BytesIO(data), CHECKPOINT)
    banks, systems = {SOURCE: texts.held, TARGET: texts.test}, {}
    for name, told in settings["systems"].items():
        scores = _by_text(told["scores"])
        systems[name] = System(
            name=name,
            parser=MSTParser.load(io.BytesIO(arrays[f"{name}_parser"].tobytes())),
            scores=scores,
            parsed={text: _tree(f"{name}_{text}", arrays, banks[text]) for text in scores},
            seconds=told["seconds"],
        )
    return systems


def _bytes(parser):
    file = io.BytesIO()
    parser.save(file)
    return np.frombuffer(file.getvalue(), dtype=np.uint8)


def _tree_arrays(name, treebank):
    column = treebank.deprel
    values = json.dumps(list(column.values)).encode()
    return {
        f"{name}_heads": treebank.heads,
        f"{name}_relations": column.ids,
        f"{name}_values": np.frombuffer(values, dtype=np.uint8),
    }


def _tree(name, arrays, text):
    values = tuple(json.loads(arrays[f"{name}_values"].tobytes().decode()))
    return text.with_heads(arrays[f"{name}_heads"], Column(arrays[f"{name}_relations"], values))
