"""Text in parts: folders of shards for text larger than memory, and sums over parts here or on a cluster."""

from core.shards.engine import Cluster, Engine, LocalEngine, pairwise_sum
from core.shards.extraction import ShardsReport, extract_batch, extract_shards
from core.shards.folder import ShardPart, Shards, is_folder
from core.shards.inputs import SIZE, PageBatch, find_inputs
from core.shards.page_process import PageLimits
from core.shards.parts import MemoryPart, Part, Parts
from core.shards.shard import Columns, Shard, write_shard

__all__ = [
    "SIZE", "Cluster", "Columns", "Engine", "LocalEngine", "MemoryPart", "PageBatch", "PageLimits", "Part", "Parts",
    "Shard", "ShardPart", "Shards", "ShardsReport", "extract_batch", "extract_shards", "find_inputs", "is_folder",
    "pairwise_sum", "write_shard",
]  # fmt: skip
