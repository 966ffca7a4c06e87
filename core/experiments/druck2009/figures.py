"""The paper's own figures, and how we train beside them."""

from dataclasses import replace

from core.constraints import GESettings
from core.constraints.ge.training import PRESETS, for_trees
from core.treebank import Treebank

# Section 5.1: GE with the full features on WSJ10, by what taught it. Figures 1 and 2 give no other numbers.
ENGLISH = {"10 oracle": 43.5, "20 oracle": 61.3, "30 oracle": 67.0, "Table 1": 61.3, "human 14": 53.8, "human 20": 57.7}

# Sections 2 and 5: what Figure 2 draws beside GE, from Klein & Manning (2004) and Smith (2006): its name, that in the
# picture, which of ``unsupervised_rows`` is ours, and the paper's figure.
UNSUPERVISED = (
    ("DMV with EM, initialised by Klein & Manning (2004)", "EM", "EM", 43.2),
    ("DMV with contrastive estimation, DEL1ORTRANS1", "CE, DEL1ORTRANS1", "del1-or-trans1", 57.6),
    ("DMV with contrastive estimation, DEL1ORTRANS2", "CE, DEL1ORTRANS2", None, 51.2),
    ("DMV with contrastive estimation, TRANS1", "CE, TRANS1", "trans1", None),
    ("DMV with structural annealing, best schedule", "annealing, best", "best schedule", 66.7),
    ("DMV with structural annealing, worst schedule", "annealing, worst", "worst schedule", 32.5),
)

# Table 2: (baseline, GE) with possible-parent constraints, the same with sequence constraints, parsed sentences.
TABLE_2: dict[str, tuple[tuple[float, float], tuple[float, float], str]] = {
    "dutch 20": ((69.5, 70.7), (69.8, 71.8), "80-160"),
    "dutch 60": ((66.5, 69.3), (66.7, 69.8), "40-80"),
    "spanish 20": ((70.0, 73.2), (71.2, 75.8), "40-80"),
    "spanish 60": ((62.1, 66.2), (62.7, 66.9), "20-40"),
    "turkish 20": ((66.3, 71.8), (67.1, 72.9), "80-160"),
    "turkish 60": ((62.1, 65.5), (62.3, 66.6), "20-40"),
}
UNTOUCHED = {"turkish 20": (20.5, 53.8)}  # section 6: baseline and GE on parents that no constraint speaks of

# Table 3: shares (true, predicted), and the commonest wrong arcs. Our tag of each in the Spanish treebank beside it.
TABLE_3_HEADS = {
    "d": ("det.", 0.005, 0.005), "r": ("adv.", 0.018, 0.013), "c": ("conj.", 0.012, 0.001),
    "p": ("pron.", 0.011, 0.009), "v": ("verb", 0.355, 0.405), "a": ("adj.", 0.067, 0.075),
    "F": ("punc.", 0.031, 0.013), "n": ("noun", 0.276, 0.272), "s": ("prep.", 0.181, 0.165),
}  # fmt: skip
TABLE_3_DIRECTIONS = {"right": (0.621, 0.598), "left": (0.339, 0.362)}
TABLE_3_DISTANCES = {
    "1": (0.495, 0.564), "2": (0.194, 0.206), "3": (0.066, 0.050), "4": (0.042, 0.037), "5": (0.028, 0.031),
    "6-10": (0.069, 0.033), ">10": (0.066, 0.039),
}  # fmt: skip
TABLE_3_FALSE = (
    ("verb -> punc. (>10)", 1183), ("noun -> prep. (1)", 1139), ("adj. -> prep. (1)", 855),
    ("verb -> verb (6-10)", 756), ("verb -> verb (>10)", 569), ("noun <- punc. (1)", 512),
    ("verb <- punc. (2)", 509), ("prep. <- punc. (1)", 476), ("verb -> punc. (4)", 427), ("verb -> prep. (1)", 422),
)  # fmt: skip


def short_settings(**changes: object) -> dict[str, GESettings]:
    """Settings for short English, by the name of the preset."""
    return {name: replace(PRESETS[name], **changes) for name in ("paper", "best")}


def long_settings(treebank: Treebank, **changes: object) -> dict[str, GESettings]:
    """Settings for long sentences with trees like a treebank's: words among the features, and none that are rare.

    The preset "best" looks at how many of the trees have crossing arcs, ``core.constraints.ge.training.for_trees``.
    """
    presets = short_settings(features="lexicalized", minimum_count=10, **changes)
    return {**presets, "best": for_trees(presets["best"], treebank)}


def how_trained(settings: GESettings) -> str:
    """The settings as a phrase of a row: ``projective trees, posterior decoding``."""
    return f"{'projective' if settings.projective else 'all'} trees, {settings.decoding} decoding"
