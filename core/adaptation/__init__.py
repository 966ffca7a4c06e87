"""Parsers for text unlike their training text."""

from core.adaptation.correspondence import StructuralCorrespondence
from core.adaptation.self_training import SelfTrained, self_train
from core.parsers.mst.adapted import AdaptedParser

__all__ = ["AdaptedParser", "SelfTrained", "StructuralCorrespondence", "self_train"]
