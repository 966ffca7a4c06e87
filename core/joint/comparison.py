"""All systems on one table: each scheme's baseline, concatenation, stacking, joint inference, dual decomposition."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.callbacks import Cancel, Progress
from core.joint.baselines import concatenation, stacking
from core.joint.measures import SHORT, effect, joint_scores
from core.joint.parser import JointParser
from core.joint.rounds import rounds_accuracy
from core.treebank import Treebank

REWARDS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0)  # nats for a shared arc of the baselines, tried on held-out text
LATER_REWARDS = (0.0, 0.1, 0.25, 0.5, 1.0)  # of joint parsers, whose scores hold much of the other's trees already
TUNED_ON = 300  # held-out sentences of each treebank at most


@dataclass(frozen=True, eq=False)
class Comparison:
    """``schemes``: one dict of plain numbers a scheme; ``parses``: JointParses of each scheme's test text."""

    schemes: list
    parses: list


def compare_systems(
    parser: JointParser, trains: Sequence[Treebank], tests: Sequence[Treebank], dev: Sequence[Treebank] | None = None,
    *, baselines: bool = True, certified: bool = False, reward: float | None = None, progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Comparison:  # fmt: skip
    """Parse each scheme's test text with every system, and score it.

    Parameters
    ----------
    parser : JointParser
        Trained on ``trains``.
    trains, tests : sequence of Treebank
        One a scheme; the tests have trees.
    dev : sequence of Treebank, optional
        Of the same kind, which ``parser`` was trained with.
    baselines : bool, default=True
        Train and score concatenation and stacking too.
    certified : bool, default=False
        Join the two joint parsers by dual decomposition too, after the rounds.
    reward : float, optional
        For each shared arc there; by default the best of ``LATER_REWARDS`` on held-out text.
    progress, cancel : callable, optional

    Returns
    -------
    Comparison
        Of each system and scheme ``JointScores``, ``uas_40`` and its like on sentences of at most 40 words, and
        ``against_baseline``: sentences helped and hurt, and the sign test.
    """
    report = progress or (lambda text: None)
    report("parsing")
    parses = [parser.parse(text, cancel=cancel) for text in tests]
    seconds = [{"baseline": each.seconds[0], "joint": sum(each.seconds)} for each in parses]
    trees = [{"baseline": each.heads(number, 0)} for number, each in enumerate(parses)]
    if baselines:
        report("concatenation")
        together = concatenation(trains, parser.settings, cancel)
        report("stacking")
        names = [scheme.name for scheme in parser.schemes]
        stacked = stacking(trains, parser.settings, dev, names=names, like=parser, cancel=cancel)
        for number, text in enumerate(tests):
            trees[number]["concatenation"] = together.heads(text)
            trees[number]["stacking"] = stacked.parse(text, cancel=cancel).heads(number)
    for number, each in enumerate(parses):
        trees[number]["joint"] = each.heads(number)
    proofs = [{} for _ in tests]
    if certified:
        if reward is None:
            report("choosing the reward for shared arcs on held-out text")
            reward = parser.best_reward(dev, LATER_REWARDS, after=True, most=TUNED_ON, cancel=cancel)
        report(f"dual decomposition, {reward:g} nats a shared arc")
        for number, text in enumerate(tests):
            found = parser.parse_certified(text, reward, after=parses[number], cancel=cancel)
            trees[number]["certified"], seconds[number]["certified"] = found.heads[number], found.seconds
            proofs[number] = {"reward": reward, "certified": found.certified_share, "iterations": found.iterations}
    schemes = [
        _scheme(parser.schemes[number].name, number, text, parses[number], trees[number], seconds[number])
        for number, text in enumerate(tests)
    ]
    for scheme, proof in zip(schemes, proofs, strict=True):
        if proof:
            scheme["systems"]["certified"] |= proof
    return Comparison(schemes, parses)


def _scheme(name, number, text, parses, trees, seconds):
    """What is known of one scheme's test text under the trees of every system: plain numbers."""
    return {
        "name": name,
        "words": joint_scores(text, parses.heads(number)).words,
        "systems": {system: _scored(text, trees, system, seconds) for system in trees},
        "rounds": rounds_accuracy(parses.lists, number, text),
        "agreement": 100 * float(parses.agreement()[_words(text)].mean()),
        "failed": (parses.failed[number] + 1).tolist(),
        "short": parses.short[number],
    }


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


def _words(text):
    return text.is_word
