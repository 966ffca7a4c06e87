"""The papers' tables, run again on the treebanks at hand: each figure of ours with the paper's beside it.

Beside them, measured on one's own text: what a corpus takes (``scale``), and learning curves (``curves``).
"""

from core.experiments.experiment import Environment, Experiment, Results
from core.experiments.registry import EXPERIMENTS, experiment_named, run_experiment

__all__ = ["EXPERIMENTS", "Environment", "Experiment", "Results", "experiment_named", "run_experiment"]
