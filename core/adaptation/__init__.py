"""Parsers for text unlike their training text."""

from core.adaptation.adapted_parser import AdaptedParser
from core.adaptation.correspondence import StructuralCorrespondence
from core.adaptation.self_training import SelfTrained, self_train

__all__ = ["AdaptedParser", "SelfTrained", "StructuralCorrespondence", "self_train"]
