"""Joint inference: parsers of several annotation schemes that read each other's trees (zhou2013)."""

from core.joint.candidates import Candidates, best_temperature, posteriors
from core.joint.consensus import KINDS, PAPER, consensus_features
from core.joint.one_scheme import OneScheme
from core.joint.parser import JointParser
from core.joint.rounds import JointParses
from core.joint.settings import JointSettings

__all__ = [
    "KINDS",
    "PAPER",
    "Candidates",
    "JointParser",
    "JointParses",
    "JointSettings",
    "OneScheme",
    "best_temperature",
    "consensus_features",
    "posteriors",
]
