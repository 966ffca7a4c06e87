"""Structural search in treebanks: Grew-style requests, counts that open their sentences, bulk rewriting."""

from core.search.clusters import Cluster, clusters
from core.search.match import Hits, all_hits, search
from core.search.request import Request, parse_request
from core.search.rewrite import Proposal, Rewriting, propose, rewrite

__all__ = [
    "Cluster",
    "Hits",
    "Proposal",
    "Request",
    "Rewriting",
    "all_hits",
    "clusters",
    "parse_request",
    "propose",
    "rewrite",
    "search",
]
