"""Text larger than memory: folders of shards, and work on their pieces here or on a cluster."""

from core.shards.engine import Cluster, Engine, Here, pairwise_sum
from core.shards.extraction import ShardsReport, extract_part, extract_shards
from core.shards.folder import Piece, Shards, is_folder
from core.shards.page_process import PageLimits
from core.shards.parts import SIZE, Part, find_inputs
from core.shards.shard import Columns, Shard, write_shard

__all__ = [
    "SIZE",
    "Cluster",
    "Columns",
    "Engine",
    "Here",
    "PageLimits",
    "Part",
    "Piece",
    "Shard",
    "Shards",
    "ShardsReport",
    "extract_part",
    "extract_shards",
    "find_inputs",
    "is_folder",
    "pairwise_sum",
    "write_shard",
]
