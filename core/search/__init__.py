"""Structural search in treebanks: Grew-style requests, counts that open their sentences, bulk rewriting."""

from core.search.clusters import HitCluster, clusters
from core.search.match import Hits, all_hits, search
from core.search.reading import parse_request
from core.search.request import Request
from core.search.rewrite import RewriteProposal, Rewriting, propose, rewrite

__all__ = [
    "HitCluster",
    "Hits",
    "Request",
    "RewriteProposal",
    "Rewriting",
    "all_hits",
    "clusters",
    "parse_request",
    "propose",
    "rewrite",
    "search",
]
