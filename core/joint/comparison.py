"""All systems on one table: each scheme's baseline, concatenation, stacking, joint inference, dual decomposition."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.callbacks import Progress
from core.errors import WorkbenchError
from core.joint.baselines import concatenation, stacking
from core.joint.measures import SHORT, effect, joint_scores
from core.joint.parser import JointParser
from core.joint.rounds import rounds_accuracy
from core.settings import option
from core.treebank import Treebank

REWARDS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0)  # nats for a shared arc of the baselines, tried on held-out text
LATER_REWARDS = (0.0, 0.1, 0.25, 0.5, 1.0)  # for joint parsers, whose scores hold much of the other's trees already
TUNED_ON = 300  # held-out sentences of each treebank at most


@dataclass(frozen=True)
class ComparisonSettings:
    """Which systems are compared beside each parser alone and the joint parsers.

    Attributes
    ----------
    baselines : bool
        Train and score concatenation and stacking too.
    certified : bool
        Join the two joint parsers by dual decomposition too, after the rounds.
    reward : float or None
        For each shared arc there; None for the best of ``LATER_REWARDS`` on held-out text.
    """

    baselines: bool = option(True, "leave out concatenation and stacking", name="no-baselines")
    certified: bool = option(False, "dual decomposition too, beside the rounds")
    reward: float | None = option(None, "nats for each shared arc (default: the best on held-out text)")


@dataclass(frozen=True, eq=False)
class SchemeComparison:
    """``schemes``: one dict of plain numbers a scheme; ``parses``: JointParses of each scheme's test text."""

    schemes: list
    parses: list


def compare_systems(
    parser: JointParser, trains: Sequence[Treebank], tests: Sequence[Treebank], dev: Sequence[Treebank] | None = None,
    settings: ComparisonSettings | None = None, *, progress: Progress | None = None,
) -> SchemeComparison:  # fmt: skip
    """Parse each scheme's test text with every system, and score it.

    Parameters
    ----------
    parser : JointParser
        Trained on ``trains``.
    trains, tests : sequence of Treebank
        One a scheme; the tests have trees.
    dev : sequence of Treebank, optional
        Of the same kind, which ``parser`` was trained with.
    settings : ComparisonSettings, optional
    progress : callable, optional

    Returns
    -------
    SchemeComparison
        Of each system and scheme ``JointScores``, ``uas_40`` and its like on sentences of at most 40 words, and
        ``against_baseline``: sentences helped and hurt, and the sign test. ``agreement`` is the percentage of words
        with one head in all schemes.

    Raises WorkbenchError for ``certified`` with more than two schemes.
    """
    settings, report = settings or ComparisonSettings(), progress or (lambda text: None)
    certified, reward = settings.certified, settings.reward
    _require_two(parser.schemes, certified)
    report("parsing")
    parses, together, stacked = [parser.parse(text) for text in tests], None, None
    if settings.baselines:
        report("concatenation")
        together = concatenation(trains, parser.settings)
        report("stacking")
        names = [scheme.name for scheme in parser.schemes]
        stacked = stacking(trains, parser.settings, dev, names=names, like=parser)
    if certified and reward is None:
        report("choosing the reward for shared arcs on held-out text")
        reward = parser.best_reward(dev, LATER_REWARDS, after=True, most=TUNED_ON)
    if certified:
        report(f"dual decomposition, {reward:g} nats a shared arc")
    schemes = []
    for number, (scheme, text, parsed) in enumerate(zip(parser.schemes, tests, parses, strict=True)):
        seconds, trees, proof = {"baseline": parsed.seconds[0], "joint": sum(parsed.seconds)}, {}, {}
        trees["baseline"] = parsed.heads(number, 0)
        if together is not None and stacked is not None:
            trees |= {"concatenation": together.heads(text), "stacking": stacked.parse(text).heads(number)}
        trees["joint"] = parsed.heads(number)
        if certified:
            pairs = parser.parse_certified(text, reward or 0.0, after=parsed)
            trees["certified"], seconds["certified"] = pairs.heads[number], pairs.seconds
            proof = {"reward": reward, "certified": pairs.certified_share, "iterations": pairs.iterations}
        systems = {system: _scored(text, trees, system, seconds) for system in trees}
        systems.get("certified", {}).update(proof)
        about = {"name": scheme.name, "words": joint_scores(text, parsed.heads(number)).words, "systems": systems}
        about |= {"rounds": rounds_accuracy(parsed.lists, number, text)}
        about |= {"agreement": 100 * float(parsed.agreement()[text.is_word].mean())}
        schemes.append(about | {"failed": (parsed.failed[number] + 1).tolist(), "short": parsed.short[number]})
    return SchemeComparison(schemes, parses)


def _require_two(schemes, certified):
    if certified and len(schemes) > 2:
        raise WorkbenchError(
            f"dual decomposition joins the parsers of two schemes, got {len(schemes)}; leave it out, or the others"
        )


def _scored(text, trees, name, seconds):
    scores = joint_scores(text, trees[name]).as_dict()
    short = joint_scores(text, trees[name], longest=SHORT).as_dict()
    data = scores | {f"{key}_{SHORT}": short[key] for key in ("uas", "da", "ra", "cm")}
    if name in seconds:
        data["seconds"] = seconds[name]
    if name != "baseline":
        data["against_baseline"] = effect(text, trees["baseline"], trees[name]).as_dict()
    if name == "joint":
        others = [other for other in ("concatenation", "stacking", "certified") if other in trees]
        data |= {f"against_{other}": effect(text, trees[other], trees[name]).as_dict() for other in others}
    return data
