"""The kernels of joint inference, run once."""

from core.compilation.compiling import Warming
from core.compilation.warm import WORDS
from core.joint import JointParser, JointSettings
from core.parsers.warming import MST
from core.treebank import Treebank
from core.treebank.warming import warm_reading


def warm_joint() -> None:
    """Run every kernel of joint inference once: lists, consensus features, the certified search, of both orders."""
    words = [{**WORDS, "forms": [f"{form}{at}" for form in WORDS["forms"]]} for at in range(6)]
    halves = Treebank.from_sentences(words[:3]), Treebank.from_sentences(words[3:])
    for order in (1, 2):
        settings = JointSettings(order=order, candidates=2, rounds=1, epochs=1, folds=2, table_bits=8, bits=6)
        parser = JointParser(settings).fit(halves)
        parser.parse_certified(halves[0], 1.0, after=parser.parse(halves[0]))


JOINT = Warming(
    (warm_reading, warm_joint),
    (
        *MST, "core.consistency.surviving_parts", "core.joint.candidates", "core.joint.certified", "core.joint.consensus",
        "core.trees.checks", "core.trees.eisner", "core.trees.grandparent_chart", "core.trees.lazy_kbest",
    ),
)  # fmt: skip
