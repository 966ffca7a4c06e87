"""Parsers for text unlike their training text."""

from core.adaptation.self_training import SelfTrained, self_train

__all__ = ["SelfTrained", "self_train"]
