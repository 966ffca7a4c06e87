"""Joint inference as a background job, and what such a run leaves: both parsers' lists after every round, the proof.

A run trains the parsers, then parses the text some sentences at a time: rounds first, the certified search after them.
Its checkpoint is the parsers with the lists so far, so it goes on from there; figures are sums over sentences.
"""

import io
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from core.errors import Cancelled, WorkbenchError
from core.joint import Candidates, JointParser
from core.joint.comparison import LATER_REWARDS
from core.joint.measures import effect, joint_scores
from core.joint.tags import UniversalTags
from core.parsers.weights import load_arrays, save_arrays
from core.treebank import Column, conllu_text
from core.trees import PackedTrees
from core.workspace.joint.plan import JointPlan, JointTexts
from core.workspace.word_tags import as_of

KIND = "joint"
CERTIFIED = "certified"  # the stage after all rounds
TUNED_ON = 40  # held-out sentences of each treebank that set the reward: seconds, where hundreds take minutes
AT_ONCE = 50  # sentences between two looks at whether to go on
TRAINING = 0.75  # of the progress bar
LIST = ("heads", "values", "counts")


@dataclass(frozen=True, eq=False)
class JointOutcome:
    """What a run left.

    Attributes
    ----------
    run : Run
    texts : JointTexts
    plan : JointPlan
    lists : tuple of tuple of Candidates
        ``lists[r][k]``: those of parser k after round r; round 0 is each parser alone.
    deprels : tuple of Column
        Relations of each scheme's trees after the last round.
    certified_heads : tuple of int32 arrays (rows,)
        The best pair of trees that the search found.
    certified : ndarray of shape (S,), dtype bool
        Sentences whose pair is proved the best.
    primal, dual : ndarray of shape (S,), dtype float64
        The pair's value and the bound on it, in nats.
    reward : float
        Of an arc that both have, in nats.
    """

    run: object
    texts: JointTexts
    plan: JointPlan
    lists: tuple
    deprels: tuple
    certified_heads: tuple
    certified: np.ndarray
    primal: np.ndarray
    dual: np.ndarray
    reward: float

    @property
    def rounds(self):
        """How many there were, the one of parsing alone not counted."""
        return len(self.lists) - 1

    def heads(self, number, stage=-1):
        """int32 (rows,): the trees of a parser after a round, the last by default; or those of the CERTIFIED pair."""
        return self.certified_heads[number] if stage == CERTIFIED else self.lists[stage][number].best

    @cached_property
    def effects(self):
        """The Effect of the rounds on each scheme, None where its trees are not known."""
        return tuple(
            None if gold is None else effect(gold, self.heads(number, 0), self.heads(number))
            for number, gold in enumerate(self.texts.gold)
        )

    def treebank(self, number, stage=-1):
        """The text under one scheme's trees; relations where heads are those of the last round, else root and dep."""
        heads, column = self.heads(number, stage), self.deprels[number]
        plain = np.where(heads == 0, "root", np.where(heads > 0, "dep", ""))
        known = np.array(column.values, dtype=object)[column.ids]
        return self.texts.test.with_heads(heads, np.where(heads == self.heads(number), known, plain).tolist())

    def conllu(self, number, stage=-1):
        """The same as CoNLL-U text."""
        return conllu_text(self.treebank(number, stage).to_conllu())


def start_joint(desk, texts, plan):
    """Begin to train and parse, in place of a run under way on this project; returns the run's id."""
    texts.settings(plan)
    settings = plan.as_dict() | {"corpus": texts.corpus.id, "schemes": list(texts.names)}
    work = joint_work(texts, plan)
    return desk.workspace.jobs.start(texts.corpus.project, KIND, settings, work, data_hash=texts.hash, replace=True)


def resume_joint(desk, run_id):
    """Go on with a run that stopped half-way. Raises WorkbenchError where its texts changed."""
    run = desk.store.run(run_id)
    return desk.workspace.jobs.resume(run_id, joint_work(*texts_of(desk, run)))


def texts_of(desk, run):
    """(JointTexts, JointPlan) of a Run. Raises WorkbenchError where the texts are others now."""
    plan = JointPlan.from_dict(run.settings)
    texts = as_of(desk, run).texts(desk.store.corpus(run.settings["corpus"]), plan)
    if texts.hash != run.data_hash:
        raise WorkbenchError(f"the text of run {run.id} has changed since; parse jointly again")
    return texts, plan


def joint_runs(store, project, texts=None):
    """Runs of a project, on these very texts if they are given, newest first."""
    found = store.runs(project, KIND)
    return [run for run in found if texts is None or run.data_hash == texts.hash]


def has_outcome(run):
    """Whether a run left trees."""
    return run.status == "done" and "schemes" in run.figures


def latest_outcome(desk, texts):
    """The JointOutcome of the newest run on these texts that left trees, or None."""
    run = next(filter(has_outcome, joint_runs(desk.store, texts.corpus.project, texts)), None)
    return None if run is None else load_outcome(desk, run)


def load_outcome(desk, run):
    """The JointOutcome that a run left. Raises WorkbenchError where its texts are others now."""
    return desk.results.get((run.id, run.finished), lambda: _outcome(desk, run))


def parser_bytes(desk, run):
    """The run's parsers as a file for ``JointParser.load`` and ``python -m core parse --model``."""
    return _Progress.read(desk.store.result_bytes(run.id)).arrays["parser"].tobytes()


def joint_work(texts, plan):
    """``work(job)`` for ``Jobs``: trains, sets the reward, parses; the checkpoint holds what was reached of it."""

    def work(job):
        state = None if job.resumed is None else _Progress.read(job.resumed)
        if state is None:
            state = _trained(job, texts, plan)
            job.checkpoint(state.packed)
        parser = JointParser.load(io.BytesIO(state.arrays["parser"].tobytes()))
        test = parser.tagged(texts.test)
        while state.done < len(test):
            if job.cancelled():
                raise Cancelled("stopped while the text was parsed")
            chunk = np.arange(state.done, min(state.done + AT_ONCE, len(test)))
            state.add(parser, test.select(chunk), job.cancelled)
            words = f"Parsing jointly: {state.done:,} of {len(test):,} sentences"
            job.report(job.iteration + 1, TRAINING + (1 - TRAINING) * state.done / len(test), message=words)
            job.checkpoint(state.packed)
        return figures(texts, state, parser), state.packed()

    return work


def _trained(job, texts, plan):
    """A _Progress with trained parsers and a reward, nothing parsed yet."""
    settings, trains = texts.settings(plan), list(texts.trains)
    job.report(0, 0.0, message="Reading the treebanks")
    layer = None
    if texts.tags is None:
        job.report(0, 0.0, message=f"Training a tagger on {texts.names[0]} for all texts")
        layer = UniversalTags(trains[0], cancel=job.cancelled)
        trains = [layer(train) for train in trains]
    steps, said = 3 + 2 * settings.stages, []  # two baselines, lists, two parsers a stage

    def progress(text):
        said.append(text)
        job.report(len(said), TRAINING * (len(said) - 1) / (steps + 1), message=text[:1].upper() + text[1:])

    parser = JointParser(settings).fit(trains, names=texts.names, progress=progress, cancel=job.cancelled)
    parser.tagger = layer and layer.tagger
    progress("setting the reward of shared arcs on held-out sentences")
    reward = parser.best_reward(None, LATER_REWARDS, after=True, most=TUNED_ON, cancel=job.cancelled)
    file = io.BytesIO()
    parser.save(file)
    return _Progress({"done": 0, "reward": reward}, {"parser": np.frombuffer(file.getvalue(), np.uint8)})


class _Progress:
    """The parsers of a run, and what they found for the first ``done`` sentences: numbers in one file."""

    def __init__(self, settings, arrays):
        self.settings, self.arrays = settings, arrays

    done = property(lambda self: self.settings["done"])

    @classmethod
    def read(cls, data):
        """What ``packed`` made. Raises FormatError for anything else."""
        return cls(*load_arrays(io.BytesIO(data), KIND_OF_FILE, required=("parser",)))

    def packed(self):
        """All of it as bytes."""
        file = io.BytesIO()
        save_arrays(file, KIND_OF_FILE, self.settings, **self.arrays)
        return file.getvalue()

    def add(self, parser, text, cancel):
        """Parse further sentences, and append what was found."""
        parses = parser.parse(text, cancel=cancel)
        found = parser.parse_certified(text, self.settings["reward"], after=parses, cancel=cancel)
        new = {"certified": found.certified, "primal": found.primal, "dual": found.dual}
        for number in (0, 1):
            new[f"certified_heads_{number}"] = found.heads[number].astype(np.int16)
            column = parses.treebank(number).deprel
            names = self.settings.setdefault(f"relations_{number}", [""])
            names += [value for value in column.values if value not in names]
            places = np.array([names.index(value) for value in column.values], np.int16)
            new[f"relations_{number}"] = places[column.ids]
            for round_, lists in enumerate(parses.lists):
                trees = lists[number].trees
                values = trees.heads.astype(np.int16), trees.values, trees.counts
                new |= {f"{name}_{round_}_{number}": value for name, value in zip(LIST, values, strict=True)}
        for name, value in new.items():
            self.arrays[name] = np.concatenate((self.arrays[name], value)) if name in self.arrays else value
        self.settings["temperatures"] = [[each[number].temperature for number in (0, 1)] for each in parses.lists]
        self.settings["done"] += len(text)

    def lists(self, lengths):
        """tuple of tuple of Candidates, round by round."""
        return tuple(
            tuple(self._candidates(lengths, round_, number, each[number]) for number in (0, 1))
            for round_, each in enumerate(self.settings["temperatures"])
        )

    def _candidates(self, lengths, round_, number, temperature):
        heads, values, counts = (self.arrays[f"{name}_{round_}_{number}"] for name in LIST)
        offsets = np.concatenate(([0], np.cumsum(values.shape[1] * (lengths + 1))))
        return Candidates(lengths, PackedTrees(heads.astype(np.int32), offsets, values, counts), temperature)


KIND_OF_FILE = "joint-run"


def _outcome(desk, run):
    texts, plan = texts_of(desk, run)
    state = _Progress.read(desk.store.result_bytes(run.id))
    arrays, known = state.arrays, state.settings
    return JointOutcome(
        run=run,
        texts=texts,
        plan=plan,
        lists=state.lists(texts.test.lengths),
        deprels=tuple(
            Column(arrays[f"relations_{number}"].astype(np.int32), tuple(known[f"relations_{number}"]))
            for number in (0, 1)
        ),
        certified_heads=tuple(arrays[f"certified_heads_{number}"].astype(np.int32) for number in (0, 1)),
        certified=arrays["certified"],
        primal=arrays["primal"],
        dual=arrays["dual"],
        reward=known["reward"],
    )


def figures(texts, state, parser):
    """What is said of a run, as JSON values: scores of each scheme after every round, and what the search proved."""
    lists, schemes = state.lists(texts.test.lengths), []
    for number, (name, gold) in enumerate(zip(texts.names, texts.gold, strict=True)):
        best = [each[number].best for each in lists]
        certified = state.arrays[f"certified_heads_{number}"].astype(np.int32)
        own = {"name": name, "failed": len(lists[-1][number].failed), "short": lists[-1][number].short}
        own["changed"] = [int((one != other).sum()) for one, other in pairwise(best)]
        if gold is not None:
            own["rounds"] = [joint_scores(gold, heads).as_dict() for heads in best]
            own["certified"] = joint_scores(gold, certified).as_dict()
            own |= effect(gold, best[0], best[-1]).as_dict()
        schemes.append(own)
    shared = [int(((one.best == other.best) & (one.best >= 0)).sum()) for one, other in lists]
    found = {
        "schemes": schemes,
        "shared": shared,
        "words": texts.test.token_count,
        "sentences": len(texts.test),
        "certified_sentences": int(state.arrays["certified"].sum()),
        "reward": state.settings["reward"],
        "skipped": list(parser.skipped),
    }
    scored = [scheme["rounds"][-1] for scheme in schemes if "rounds" in scheme]
    return found | ({"model": {name: scored[0][name] for name in ("right", "words", "uas")}} if scored else {})
