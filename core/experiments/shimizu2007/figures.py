"""The paper's figures, and the settings of ours."""

from core.adaptation import StructuralCorrespondence

METRICS = {"LAS": "las", "UAS": "uas", "labels": "label_accuracy"}

# Table 3: after the second and after the fourth iteration
SOURCE, TARGET = "source", "target"
TABLE_3 = {
    (SOURCE, False): {"LAS": (83.01, 83.43), "UAS": (86.43, 86.81), "labels": (88.77, 88.99)},
    (SOURCE, True): {"LAS": (83.43, 83.59), "UAS": (86.87, 86.93), "labels": (88.75, 89.01)},
    (TARGET, False): {"LAS": (74.75, 75.18), "UAS": (80.74, 81.24), "labels": (82.34, 82.70)},
    (TARGET, True): {"LAS": (75.04, 74.91), "UAS": (81.02, 80.82), "labels": (82.18, 82.18)},
}

PRESETS = {
    "paper": {"standardize": False, "scale": 1.0},
    "best": {"scale": 0.3},
}


def correspondence(preset: str, quick: bool = False) -> StructuralCorrespondence:
    """A StructuralCorrespondence with the settings of a preset: "paper" or "best"."""
    return StructuralCorrespondence(edges=20_000 if quick else 200_000, **PRESETS[preset])
