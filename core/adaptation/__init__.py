"""Parsers for text unlike their training text."""

from core.adaptation.correspondence import StructuralCorrespondence
from core.adaptation.self_training import SelfTrained, self_train

__all__ = ["SelfTrained", "StructuralCorrespondence", "self_train"]
