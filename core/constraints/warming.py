"""Run the kernels of learning from constraints once."""

from dataclasses import replace

import numpy as np

from core import trees
from core.compilation.compiling import Warming
from core.compilation.warm import WORDS
from core.constraints import check_constraints, check_together, oracle_constraints, parse_constraints
from core.constraints.ge.training import PRESETS, GETrainer
from core.constraints.grammar.training import GrammarSettings, train_grammar
from core.constraints.matching.matcher import Matcher
from core.parsers.scores import ScoredWords
from core.parsers.warming import INDUCTION, MST, warm_induction
from core.rules.conflicts import RuleConflicts
from core.rules.counted import RuleChart
from core.rules.coverage import RuleText
from core.rules.reading import parse_rules
from core.treebank import Treebank, statistics
from core.treebank.warming import warm_reading
from core.trees.brackets import Bracket

CONSTRAINTS = "A <- B = 0.9\nROOT -> A = 0.9"


def warm_decoding() -> None:
    """Run over a corpus once: the decoders of arcs and their sums."""
    scores = trees.PackedScores.from_matrices([np.zeros((4, 4))] * 2)
    for decode in (trees.matrix_tree, trees.maximum_spanning_tree, trees.eisner):
        decode(scores)


def warm_training(projective: bool = False) -> None:
    """Run every kernel of training from constraints once. Takes seconds where nothing is cached."""
    treebank = Treebank.from_sentences([WORDS, WORDS])
    constraints = parse_constraints(CONSTRAINTS)
    for features in ("full", "restricted"):
        trainer = GETrainer(treebank, replace(PRESETS["best"], features=features, projective=projective))
        trainer.parse(trainer.train(constraints).model.weights)


def warm_projective() -> None:
    """``warm_training`` with projective trees, and the best tree through each arc, whose chart is that of sums."""
    warm_training(projective=True)
    trees.max_marginals(trees.PackedScores.from_matrices([np.zeros((4, 4))] * 2))


def warm_grammar() -> None:
    """Run every kernel of training a grammar once: an ensemble, brackets at two levels, known trees."""
    treebank, constraints = Treebank.from_sentences([WORDS] * 3), parse_constraints(CONSTRAINTS)
    for level in ("tear", "loose"):
        settings = GrammarSettings(
            iterations=(1, 1), words="no", vote_iterations=1, together=True, second_order=True, level=level
        )
        train_grammar(treebank, constraints, settings, brackets=[[Bracket(1, 3)], [], []]).model.parse(treebank)
    stacked = GrammarSettings(iterations=(1, 1), words="no", stacked=True, epochs=1)
    train_grammar(treebank, constraints, stacked, trees=treebank.heads)


def warm_rules() -> None:
    """Run the chart of rules as targets once: its sums and its best trees."""
    treebank = Treebank.from_sentences([WORDS])
    side = len(treebank[0]) + 1
    text = ScoredWords(
        treebank, ("dep", "root"), lambda index: (np.zeros((side, side)), lambda scores: (0.0, treebank[0].heads)),
        lambda index, heads, every: np.zeros((side, side, 2)), lambda heads, relations: treebank,
    )  # fmt: skip
    chart, arcs = RuleChart.of(text, parse_rules("* has at most 1 dep")), np.zeros((side, side))
    for run in (chart.sums, chart.best):
        run(trees.PackedScores.from_matrices([arcs]), np.ones(1))


def warm_authoring() -> None:
    """Run the kernels behind the pages once: reading, statistics, coverage, limits, sums over trees."""
    treebank = Treebank.from_sentences([WORDS, WORDS])
    statistics(treebank)
    matcher = Matcher(treebank, "xpos")
    constraints, _ = check_constraints(CONSTRAINTS, matcher)
    check_together(constraints, matcher)
    matcher.examples(constraints[0], 1)
    oracle_constraints(treebank, minimum_count=1)
    RuleConflicts(RuleText(treebank)).problems(parse_rules("if * then its head is ROOT"))
    trainer = GETrainer(treebank)
    trainer.model.distribution.marginals(trainer.scores(trainer.model.weights))


EXPECTATION = Warming(
    (warm_reading, warm_authoring, warm_training, warm_decoding),
    (
        "core.constraints.matching.kernels", "core.features.kernels", "core.parsers.lbfgs", "core.trees.arc_weights",
        "core.rules.heads", "core.trees.chart_sums", "core.trees.checks", "core.trees.eisner", "core.trees.elimination",
    ),
)  # fmt: skip
GRAMMAR = Warming(
    (warm_reading, warm_authoring, warm_grammar, warm_induction, warm_decoding, warm_rules),
    (
        *INDUCTION.modules,
        *EXPECTATION.modules,
        *MST,
        "core.parsers.punctuation_arcs",
        "core.trees.counted_chart",
        "core.trees.sibling_chart",
    ),
)
