"""Rules by example: from a few corrected sentences to requests that make the same change everywhere."""

from core.search.by_example.proposing import BEST, NARROWER, WIDER, ExampleProposal, propose_by_example

__all__ = ["BEST", "NARROWER", "WIDER", "ExampleProposal", "propose_by_example"]
