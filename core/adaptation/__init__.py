"""Parsers for text unlike their training text."""

from core.adaptation.correspondence import StructuralCorrespondence
from core.parsers.mst.adapted import AdaptedParser
from core.parsers.self_training import SelfTrained, self_train

__all__ = ["AdaptedParser", "SelfTrained", "StructuralCorrespondence", "self_train"]
