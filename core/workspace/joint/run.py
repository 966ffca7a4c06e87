"""Joint inference as a background job, and its outcome: the parsers' lists after every round, and the proof.

A run trains the parsers, then parses the text some sentences at a time: rounds first, after them the certified search,
which is for a pair of parsers. Its checkpoint is the parsers with the lists so far, so it goes on from there; figures
are sums over sentences.
"""

import io
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise, product

import numpy as np

from core.errors import Cancelled
from core.joint import Candidates, JointParser
from core.joint.comparison import LATER_REWARDS
from core.joint.measures import effect, joint_scores, same_heads
from core.joint.tags import UniversalTags
from core.offsets import offsets_of
from core.store import Run
from core.treebank import Treebank
from core.treebank.provenance import predicted_text
from core.trees import PackedTrees
from core.workspace.former_parses import joint_arrays
from core.workspace.joint.plan import JointInputs, JointPlan
from core.workspace.parse import Parse
from core.workspace.scoring import recorded_conditions
from core.workspace.system import File, Outcome, Work, array_file, file_array, packed, unpacked

KIND_OF_FILE = "joint-run"
CERTIFIED = "certified"  # the stage after all rounds
SEARCHED = 2  # schemes that the certified search takes
TUNED_ON = 40  # held-out sentences of each treebank that set the reward, in seconds; hundreds would take minutes
AT_ONCE = 50  # sentences between two looks at whether to go on
TRAINING = 0.75  # of the progress bar
SCORE = ("right", "words", "uas", "sentences", "by_hand", "only_begun", "against")  # of a run: its first scheme's
LIST = ("heads", "values", "counts")
LAST, PAIR = "{{}}_{}", "certified_{{}}_{}"  # names of arrays of a parser's Parses, by its number
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def parts_of(schemes: int) -> dict[str, tuple[int, int]]:
    """(scheme, stage) of each parse of a run of so many schemes, by its name in links: ``second``, ``second-alone``."""
    names = ("", *ORDINALS[1:schemes])
    return {
        part: (number, stage)
        for number, name in enumerate(names)
        for part, stage in ((name, -1), (f"{name}-alone".removeprefix("-"), 0))
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class JointOutcome(Outcome):
    """The outcome of a run of joint inference.

    Attributes
    ----------
    inputs : JointInputs
    plan : JointPlan
    lists : tuple of tuple of Candidates
        ``lists[r][k]`` are the candidates of parser k after round r; round 0 is each parser alone.
    last : tuple of Parse
        Each scheme's trees after the last round, with relations.
    pair : tuple of Parse
        The best pair of trees that the search found; () for more than two schemes, which are not searched.
    certified : ndarray of shape (S,), dtype bool
        Sentences whose pair is proved the best; of shape (0,) without a pair, as are the next two.
    primal, dual : ndarray of shape (S,), dtype float64
        The pair's value and the bound on it, in nats.
    reward : float
        The reward of an arc that both trees have, in nats.
    parser : bytes
        All parsers as a file for ``JointParser.load`` and ``python -m core parse --model``.
    """

    inputs: JointInputs
    plan: JointPlan
    lists: tuple
    last: tuple[Parse, ...]
    pair: tuple[Parse, ...]
    certified: np.ndarray
    primal: np.ndarray
    dual: np.ndarray
    reward: float
    parser: bytes

    @property
    def stages(self) -> tuple[int | str, ...]:
        """The rounds from 0, parsing alone, and CERTIFIED where there was a search."""
        return (*range(len(self.lists)), *(CERTIFIED,) * bool(self.pair))

    @property
    def rounds(self) -> int:
        """The number of joint rounds, after the one of parsing alone."""
        return len(self.lists) - 1

    def heads(self, number: int, stage: int | str = -1) -> np.ndarray:
        """int32 (rows,): the trees of a parser after a round, the last by default; or those of the CERTIFIED pair."""
        return self.pair[number].heads if isinstance(stage, str) else self.lists[stage][number].best

    @cached_property
    def effects(self) -> tuple:
        """The Effect of the rounds on each scheme, None where its trees are not known."""
        return tuple(
            None if gold is None else effect(gold, self.heads(number, 0), self.heads(number))
            for number, gold in enumerate(self.inputs.gold)
        )

    def treebank(self, number: int, stage: int | str = -1) -> Treebank:
        """The text under one scheme's trees, with the relations that its parser gives them. Reads the parsers."""
        heads, last, text = self.heads(number, stage), self.last[number], self.inputs.test
        if (heads == last.heads).all():
            return text.with_heads(heads, last.labels.tolist())
        parsers = JointParser.load(io.BytesIO(self.parser))
        return text.with_heads(heads, parsers.schemes[number].baseline.label(parsers.tagged(text), heads))

    @cached_property
    def parses(self) -> dict[str, Treebank]:
        """Each scheme's trees after the last round, and those of its parser alone."""
        return {name: self.treebank(*part) for name, part in parts_of(len(self.last)).items()}

    def _text(self, number, stage, name):
        return predicted_text(self.treebank(number, stage), name)

    @property
    def files(self) -> tuple[File, ...]:
        name = f"joint-run-{self.run.id}"
        trees = tuple(
            File(
                f"{scheme}, {system} trees, CoNLL-U",
                f"{name}-{number + 1}-{system}.conllu",
                partial(self._text, number, stage, f"run {self.run.id}, {scheme}, {system}"),
            )
            for number, scheme in enumerate(self.inputs.names)
            for stage, system in ((-1, "joint"), (CERTIFIED, "certified"))[: 1 + bool(self.pair)]
        )
        return (*trees, File("All parsers, weights", f"{name}.npz", lambda: self.parser))


def joint_work(inputs: JointInputs, plan: JointPlan) -> Work:
    """``work(job)`` for ``Jobs``: trains, sets the reward, parses; the checkpoint holds what was reached of it."""

    def work(job):
        state = None if job.resumed is None else _Progress.read(job.resumed, inputs.test)
        if state is None:
            state = _trained(job, inputs, plan)
            job.checkpoint(state.packed)
        parser = JointParser.load(array_file(state.arrays["parser"]))
        test = parser.tagged(inputs.test)
        while state.done < len(test):
            if job.cancelled():
                raise Cancelled("stopped while the text was parsed")
            chunk = np.arange(state.done, min(state.done + AT_ONCE, len(test)))
            state.add(parser, test.select(chunk), job.cancelled)
            words = f"Parsing jointly: {state.done:,} of {len(test):,} sentences"
            job.report(job.iteration + 1, TRAINING + (1 - TRAINING) * state.done / len(test), message=words)
            job.checkpoint(state.packed)
        return _figures(inputs, state, parser), state.packed()

    return work


def _trained(job, inputs, plan):
    """A _Progress with trained parsers and a reward, nothing parsed yet."""
    settings, trains = inputs.settings(plan), list(inputs.trains)
    job.report(0, 0.0, message="Reading the treebanks")
    layer = None
    if inputs.tags is None:
        job.report(0, 0.0, message=f"Training a tagger on {inputs.names[0]} for all texts")
        layer = UniversalTags(trains[0], cancel=job.cancelled)
        trains = [layer(train) for train in trains]
    steps, reports = 1 + len(trains) * (1 + settings.stages), []  # a baseline each, lists, a parser each a stage

    def progress(text):
        reports.append(text)
        job.report(len(reports), TRAINING * (len(reports) - 1) / (steps + 1), message=text[:1].upper() + text[1:])

    parser = JointParser(settings).fit(trains, names=inputs.names, progress=progress, cancel=job.cancelled)
    parser.tagger = layer and layer.tagger
    reward = 0.0
    if len(trains) == SEARCHED:
        progress("setting the reward of shared arcs on held-out sentences")
        reward = parser.best_reward(None, LATER_REWARDS, after=True, most=TUNED_ON, cancel=job.cancelled)
    return _Progress({"done": 0, "reward": reward}, {"parser": file_array(parser)}, {})


class _Progress:
    """The parsers of a run, and what they found for the first ``done`` sentences: lists, bounds, and Parses by name."""

    def __init__(self, settings, arrays, parses):
        self.settings, self.arrays, self.parses = settings, arrays, parses

    done = property(lambda self: self.settings["done"])

    @classmethod
    def read(cls, data, text):
        """The progress on a text from the bytes of ``packed``. Raises FormatError for any others."""
        state = cls(*unpacked(data, KIND_OF_FILE, required=("parser",)), {})
        if state.done:
            lengths = text.lengths[: state.done]
            best = [candidates.best for candidates in state.lists(lengths)[-1]]
            arrays = joint_arrays(state.settings, state.arrays, best)
            found = (LAST, PAIR) if len(best) == SEARCHED else (LAST,)
            for names, number in product(found, range(len(best))):
                name = names.format(number)
                state.parses[name] = Parse.from_arrays(arrays, lengths, name)
        return state

    def packed(self):
        """The progress as bytes."""
        trees = {name: array for names, parse in self.parses.items() for name, array in parse.to_arrays(names).items()}
        return packed(KIND_OF_FILE, self.settings, **self.arrays | trees)

    def add(self, parser, text, cancel):
        """Parse further sentences, and append their lists, bounds and Parses."""
        parses, new = parser.parse(text, cancel=cancel), {}
        numbers = range(len(parses.schemes))
        found = {LAST: [Parse(parses.heads(number), parses.treebank(number).deprel) for number in numbers]}
        if len(numbers) == SEARCHED:
            pairs = parser.parse_certified(text, self.settings["reward"], after=parses, cancel=cancel)
            found[PAIR] = [Parse(heads) for heads in pairs.heads]
            new = {"certified": pairs.certified, "primal": pairs.primal, "dual": pairs.dual}
        for names, number in product(found, numbers):
            name = names.format(number)
            self.parses[name] = self.parses.get(name, Parse.empty()).followed_by(found[names][number])
        for (round_, lists), number in product(enumerate(parses.lists), numbers):
            trees = lists[number].trees
            values = trees.heads.astype(np.int16), trees.values, trees.counts
            new |= {f"{name}_{round_}_{number}": value for name, value in zip(LIST, values, strict=True)}
        for name, value in new.items():
            self.arrays[name] = np.concatenate((self.arrays[name], value)) if name in self.arrays else value
        self.settings["temperatures"] = [[each.temperature for each in lists] for lists in parses.lists]
        self.settings["done"] += len(text)

    def lists(self, lengths):
        """tuple of tuple of Candidates, round by round."""

        def candidates(round_, number, temperature):
            heads, values, counts = (self.arrays[f"{name}_{round_}_{number}"] for name in LIST)
            offsets = offsets_of(values.shape[1] * (lengths + 1))
            return Candidates(lengths, PackedTrees(heads.astype(np.int32), offsets, values, counts), temperature)

        return tuple(
            tuple(candidates(round_, number, temperature) for number, temperature in enumerate(temperatures))
            for round_, temperatures in enumerate(self.settings["temperatures"])
        )


def read_outcome(run: Run, inputs: JointInputs, plan: JointPlan, data: bytes) -> JointOutcome:
    """The JointOutcome of a Run from the bytes of ``joint_work``. Raises FormatError."""
    state = _Progress.read(data, inputs.test)
    last, pair = (
        tuple(state.parses[name] for number in range(len(inputs.names)) if (name := of.format(number)) in state.parses)
        for of in (LAST, PAIR)
    )
    none = np.zeros(0)
    return JointOutcome(
        run=run,
        inputs=inputs,
        plan=plan,
        lists=state.lists(inputs.test.lengths),
        last=last,
        pair=pair,
        certified=state.arrays.get("certified", none.astype(bool)),
        primal=state.arrays.get("primal", none),
        dual=state.arrays.get("dual", none),
        reward=state.settings["reward"],
        parser=state.arrays["parser"].tobytes(),
    )


def _figures(inputs, state, parser):
    """The figures of a run, JSON values: scores of each scheme after every round, and what the search proved."""
    lists, schemes = state.lists(inputs.test.lengths), []
    for number, (name, gold) in enumerate(zip(inputs.names, inputs.gold, strict=True)):
        best = [candidates[number].best for candidates in lists]
        pair = [state.parses[name].heads for name in (PAIR.format(number),) if name in state.parses]
        scheme = {"name": name, "failed": len(lists[-1][number].failed), "short": lists[-1][number].short}
        scheme["changed"] = [int((one != other).sum()) for one, other in pairwise(best)]
        if gold is not None:
            of = inputs.conditions[number]
            scores = (joint_scores(gold, heads).as_dict() for heads in (*best, *pair))
            scheme["rounds"] = [recorded_conditions(each["sentences"], of) | each for each in scores]
            if pair:
                scheme["certified"] = scheme["rounds"].pop()
            scheme |= effect(gold, best[0], best[-1]).as_dict()
        schemes.append(scheme)
    shared = [int(same_heads([candidates.best for candidates in each]).sum()) for each in lists]
    figures = {
        "schemes": schemes,
        "shared": shared,
        "words": inputs.test.token_count,
        "sentences": len(inputs.test),
        "skipped": list(parser.skipped),
    }
    if "certified" in state.arrays:
        figures["certified_sentences"] = int(state.arrays["certified"].sum())
        figures["reward"] = state.settings["reward"]
    scored = [scheme["rounds"][-1] for scheme in schemes if "rounds" in scheme]
    if scored:  # no sentence of the text taught
        figures["model"] = {name: scored[0][name] for name in SCORE if name in scored[0]} | {"learnt": 0}
    return figures
