"""Compile or load the kernels ahead of time, on a few words, so that the first real answer does not wait.

python -m core.warm KIND        from the last step to the first: as the second of two that meet in the middle
"""

import sys
from dataclasses import replace

import numpy as np

from core import trees
from core.consistency import ConsistencySettings, parse_consistently
from core.constraints import check_constraints, check_together, oracle_constraints, parse_constraints
from core.constraints.matching import Matcher
from core.constraints.suggest import suggest
from core.constraints.train import PRESETS, GETrainer
from core.constraints.train_grammar import GrammarSettings, train_grammar
from core.extras import missing
from core.joint import JointParser, JointSettings
from core.parsers import DMV, ENGLISH, DMVSettings, load_parser
from core.parsers.mst.parser import MSTParser
from core.treebank import Treebank, conllu_text, read_conllu, statistics
from core.trees.brackets import Bracket

WORDS = {"forms": ["a", "b", "c"], "upos": ["X", "NOUN", "X"], "xpos": ["A", "B", "A"], "heads": [2, 0, 2]}
CONSTRAINTS = "A <- B = 0.9\nROOT -> A = 0.9"


def warm(kind: str = "everything", backwards: bool = False) -> None:
    """Compile or load what a kind of ``STEPS`` needs, in the order in which it is called, or in the opposite one."""
    for step in reversed(STEPS[kind]) if backwards else STEPS[kind]:
        step()


def warm_reading() -> None:
    """Run the kernels that read and check a CoNLL-U file once."""
    treebank = read_conllu(conllu_text(Treebank.from_sentences([WORDS, WORDS]).to_conllu()).encode())
    statistics(treebank.without_punctuation())


def warm_english() -> None:
    """Tag and parse one sentence with the weights that come along."""
    load_parser(ENGLISH).parse(Treebank.from_sentences([{"forms": WORDS["forms"]}]))


def warm_second_order() -> None:
    """Decode two sentences with scores of siblings and grandparents."""
    cubes = trees.PackedTriples.from_arrays([np.zeros((4, 4, 4))] * 2)
    trees.eisner_grandparent(trees.PackedScores.from_matrices([np.zeros((4, 4))] * 2), cubes, cubes)


def warm_decoding() -> None:
    """Run over a corpus once: the decoders of arcs and their sums."""
    scores = trees.PackedScores.from_matrices([np.zeros((4, 4))] * 2)
    for decode in (trees.matrix_tree, trees.maximum_spanning_tree, trees.eisner):
        decode(scores)


def warm_projective() -> None:
    """``warm_training`` with projective trees, and the best tree through each arc, whose chart is that of sums."""
    warm_training(projective=True)
    trees.max_marginals(trees.PackedScores.from_matrices([np.zeros((4, 4))] * 2))


def warm_training(projective: bool = False) -> None:
    """Run every kernel of training from constraints once. Takes seconds where nothing is cached."""
    treebank = Treebank.from_sentences([WORDS, WORDS])
    constraints = parse_constraints(CONSTRAINTS)
    for features in ("full", "restricted"):
        trainer = GETrainer(treebank, replace(PRESETS["best"], features=features, projective=projective))
        trainer.parse(trainer.train(constraints).model.weights)


def warm_induction() -> None:
    """Run every kernel of the DMV once: both ways to train, brackets at two levels."""
    treebank = Treebank.from_sentences([WORDS, WORDS])
    for algorithm in ("em", "viterbi"):
        for level in ("tear", "loose"):
            settings = DMVSettings("harmonic", algorithm=algorithm, level=level, max_iterations=2)
            DMV(settings).fit(treebank, [[Bracket(1, 3)], []])


def warm_grammar() -> None:
    """Run every kernel of training a grammar from lines once: all that vote, brackets at two levels, known trees."""
    treebank, constraints = Treebank.from_sentences([WORDS] * 3), parse_constraints(CONSTRAINTS)
    for level in ("tear", "loose"):
        settings = GrammarSettings(
            iterations=(1, 1), words="no", vote_iterations=1, together=True, second_order=True, level=level
        )
        train_grammar(treebank, constraints, settings, brackets=[[Bracket(1, 3)], [], []]).model.parse(treebank)
    stacked = GrammarSettings(iterations=(1, 1), words="no", stacked=True, epochs=1)
    train_grammar(treebank, constraints, stacked, trees=treebank.heads)


def warm_consistency() -> None:
    """Run every kernel of parsing with consistency once: first and second order, the consensus side, the search."""
    treebank = Treebank.from_sentences([WORDS, WORDS, WORDS | {"heads": [3, 3, 0]}])
    torn = ConsistencySettings(threshold=0.0, delta1=3.0, delta2=0.0, delta3=0.0, step=3.0, iterations=1)
    for order in (1, 2):
        parser = MSTParser(order, labels=False, bits=8).fit(treebank, epochs=1)
        parse_consistently(parser, treebank, treebank, torn)  # not agreed on at once, so all kernels run


def warm_adaptation() -> None:
    """Run every kernel of adapting once, if its library is installed: relations chosen arc by arc, added features."""
    if missing("adaptation"):
        return
    from core.adaptation import StructuralCorrespondence  # both take a second, and the first page has no use for them
    from core.adaptation.pivots import Pivot

    treebank = Treebank.from_sentences([WORDS | {"deprels": ["x", "root", "y"]}] * 3)
    learnt = StructuralCorrespondence([Pivot("b", ("b",))]).fit(treebank, treebank)
    parser = MSTParser(projective=False, labels="joint", bits=8, label_bits=8)
    parser.fit(treebank, epochs=1, extra=learnt.features).parse(treebank, extra=learnt.features)


def warm_joint() -> None:
    """Run every kernel of joint inference once: lists, consensus features, the certified search, of both orders."""
    words = [{**WORDS, "forms": [f"{form}{at}" for form in WORDS["forms"]]} for at in range(6)]
    halves = Treebank.from_sentences(words[:3]), Treebank.from_sentences(words[3:])
    for order in (1, 2):
        settings = JointSettings(order=order, candidates=2, rounds=1, epochs=1, folds=2, table_bits=8, bits=6)
        parser = JointParser(settings).fit(halves)
        parser.parse_certified(halves[0], 1.0, after=parser.parse(halves[0]))


def warm_teaching() -> None:
    """Run every kernel of the algorithms that are taught once."""
    from core.teach.algorithms import ALGORITHMS  # a second, and the first page has no use for them
    from core.teach.step import Example

    words, tags = (("", *WORDS[name]) for name in ("forms", "upos"))
    for algorithm in ALGORITHMS.values():
        algorithm.steps(Example(words, tags, np.zeros((4, 4))))


def warm_authoring() -> None:
    """Run the kernels behind the pages once: reading, statistics, coverage, limits, suggestions."""
    treebank = Treebank.from_sentences([WORDS, WORDS])
    statistics(treebank)
    matcher = Matcher(treebank, "xpos")
    constraints, _ = check_constraints(CONSTRAINTS, matcher)
    check_together(constraints, matcher)
    matcher.examples(constraints[0], 1)
    oracle_constraints(treebank, minimum_count=1)
    trainer = GETrainer(treebank)
    _, marginals = trainer.model.distribution.marginals(trainer.scores(trainer.model.weights))
    suggest(matcher, marginals, constraints, 1, minimum_count=1)


STEPS = {  # what a kind of work runs, in its order: where two compile from both ends, few of a step meet in it
    "parse": (warm_reading, warm_english, warm_second_order),
    "ge": (warm_reading, warm_authoring, warm_training, warm_decoding),
    "grammar": (warm_reading, warm_authoring, warm_grammar, warm_induction, warm_decoding),
    "induction": (warm_reading, warm_induction),
    "consensus": (warm_reading, warm_consistency),
    "joint": (warm_reading, warm_joint),
    "scl": (warm_reading, warm_adaptation),
    "app": (warm_training, warm_authoring, warm_grammar, warm_induction),
    "everything": (  # sums and learning from lines from the one end, the parsers of known trees from the other
        warm_training, warm_projective, warm_teaching, warm_authoring, warm_reading, warm_induction, warm_grammar,
        warm_consistency, warm_adaptation, warm_english, warm_joint,
    ),
}  # fmt: skip


if __name__ == "__main__":
    warm(sys.argv[1], backwards=True)
