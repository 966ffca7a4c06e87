"""The checkpoints and the result of a run of adaptation: written as bytes, and read from them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial

from core.adaptation.findings import changed_edges, direction_examples, direction_findings, pivot_findings
from core.adaptation.systems import NONE, SCL
from core.adaptation.systems import AdaptationResult as Adapted
from core.adaptation.systems import AdaptedSystem as TrainedParser
from core.evaluation import AttachmentScores
from core.parsers.mst.adapted import AdaptedParser
from core.parsers.mst.parser import MSTParser
from core.store import Run
from core.treebank import Treebank
from core.treebank.provenance import predicted_text
from core.workspace.adaptation.files import changed_csv, pivots_csv, scores_csv
from core.workspace.adaptation.plan import SOURCE, TARGET, AdaptationInputs, AdaptationPlan
from core.workspace.parse import Parse
from core.workspace.system import File, Outcome, array_file, file_array, packed, unpacked

CHECKPOINT, RESULT = "adaptation-checkpoint", "adaptation-result"  # kinds of files in the store
COUNTS = ("words", "heads", "labels", "both", "sentences", "complete", "labelled")
FEATURES = 12  # named of each pivot and direction


@dataclass(frozen=True, eq=False, kw_only=True)
class AdaptationOutcome(Outcome):
    """The outcome of a run of adaptation.

    Attributes
    ----------
    inputs : AdaptationInputs
    plan : AdaptationPlan
    parsed : dict of str to Treebank
        The target under each system's trees.
    scores : dict of str to dict of str to tuple of AttachmentScores
        By system and text, an entry an iteration.
    findings : dict
        ``pivots``, ``directions``, ``examples`` and ``changed``: fields of the classes of
        ``core.adaptation.findings`` as JSON values.
    parser : bytes
        The adapted parser as a file for ``core.parsers.load_parser``.
    """

    inputs: AdaptationInputs
    plan: AdaptationPlan
    parsed: dict[str, Treebank]
    scores: dict[str, dict[str, tuple[AttachmentScores, ...]]]
    findings: dict
    parser: bytes

    @property
    def parses(self) -> dict[str, Treebank]:
        """The target under the adapted parser's trees, and without adaptation."""
        return {"": self.parsed[SCL], "none": self.parsed[NONE]}

    @property
    def files(self) -> tuple[File, ...]:
        name, trees = f"adapted-{self.run.id}", self.parsed[SCL]
        changed, title = (self.findings["changed"], self.inputs.test), f"run {self.run.id}, adapted"
        return (
            File("Scores, CSV", f"{name}-scores.csv", lambda: scores_csv(self.scores)),
            File("Pivots and directions, CSV", f"{name}-pivots.csv", lambda: pivots_csv(self.findings)),
            File("Changed arcs, CSV", f"{name}-changed.csv", lambda: changed_csv(*changed)),
            File("The target with its trees, CoNLL-U", f"{name}.conllu", partial(predicted_text, trees, title)),
            File("Adapted parser, weights", f"{name}.npz", lambda: self.parser),
        )


def result_bytes(inputs: AdaptationInputs, result: Adapted) -> bytes:
    """The result of a run as bytes, for ``read_outcome``."""
    adapted = result.systems[SCL]
    correspondence = adapted.correspondence
    examples = {
        SOURCE: direction_examples(correspondence.model, inputs.source),
        TARGET: direction_examples(correspondence.model, adapted.parsed[TARGET]),
    }
    changed = changed_edges(inputs.test, result.systems[NONE].parsed[TARGET], adapted)
    findings = {
        "pivots": [asdict(pivot) for pivot in pivot_findings(correspondence, FEATURES)],
        "directions": [asdict(direction) for direction in direction_findings(correspondence, FEATURES)],
        "examples": {
            text: [[[asdict(edge) for edge in side] for side in sides] for sides in directions]
            for text, directions in examples.items()
        },
        "changed": [
            asdict(edge)
            | {name: getattr(edge, name) for name in ("verdict", "margin", "induced_margin", "margin_share")}
            for edge in changed
        ],
    }
    arrays = {"parser": file_array(AdaptedParser(adapted.parser, correspondence.model))}
    for name, system in result.systems.items():
        arrays |= Parse.of(system.parsed[TARGET]).to_arrays(f"{name}_{{}}")
    return packed(RESULT, {"findings": findings, "systems": list(result.systems)}, **arrays)


def read_outcome(run: Run, inputs: AdaptationInputs, plan: AdaptationPlan, data: bytes) -> AdaptationOutcome:
    """The AdaptationOutcome of a Run from the bytes of ``result_bytes``. Raises FormatError."""
    values, arrays = unpacked(data, RESULT, required=("parser",))
    return AdaptationOutcome(
        run=run,
        inputs=inputs,
        plan=plan,
        parsed={name: _under(name, arrays, inputs.test) for name in values["systems"]},
        scores={name: _by_text(run.figures["scores"][name]) for name in values["systems"]},
        findings=values["findings"],
        parser=arrays["parser"].tobytes(),
    )


def checkpoint_bytes(systems: Mapping[str, TrainedParser]) -> bytes:
    """Trained parsers by name as bytes, for ``read_checkpoint``; the adapted one is never among them."""
    arrays, described = {}, {}
    for name, system in systems.items():
        arrays[f"{name}_parser"] = file_array(system.parser)
        for text, parsed in system.parsed.items():
            arrays |= Parse.of(parsed).to_arrays(f"{name}_{text}_{{}}")
        scores = {text: [counts_of(score) for score in series] for text, series in system.scores.items()}
        described[name] = {"scores": scores, "seconds": system.seconds}
    return packed(CHECKPOINT, {"systems": described}, **arrays)


def read_checkpoint(data: bytes, inputs: AdaptationInputs) -> dict[str, TrainedParser]:
    """The trained parsers by name from the bytes of ``checkpoint_bytes``. Raises FormatError."""
    values, arrays = unpacked(data, CHECKPOINT)
    systems = {}
    for name, described in values["systems"].items():
        scores = _by_text(described["scores"])
        systems[name] = TrainedParser(
            name=name,
            parser=MSTParser.load(array_file(arrays[f"{name}_parser"])),
            scores=scores,
            parsed={text: _under(f"{name}_{text}", arrays, inputs.scored[text]) for text in scores},
            seconds=described["seconds"],
        )
    return systems


def counts_of(scores: AttachmentScores) -> list[int]:
    """Scores as JSON values, for ``scores_of``."""
    return [int(getattr(scores, name)) for name in COUNTS]


def scores_of(counts: list[int]) -> AttachmentScores:
    """Scores from the values of ``counts_of``."""
    values = dict(zip(COUNTS, counts, strict=True))
    return AttachmentScores(**{**values, "labelled": bool(values["labelled"])})


def _by_text(scores):
    return {text: tuple(scores_of(counts) for counts in series) for text, series in scores.items()}


def _under(name, arrays, text):
    """A text under the trees of the arrays of this name."""
    return Parse.from_arrays(arrays, text.lengths, f"{name}_{{}}").on(text)
