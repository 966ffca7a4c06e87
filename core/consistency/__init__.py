"""Consistency across sentences: contexts, the consensus MRF, parsing and tagging under both (rush2012)."""

from core.consistency.contexts import ContextIndex, Contexts, select_contexts
from core.consistency.effects import ContextEffect, context_effects
from core.consistency.learning import LearningSettings, LearntDeltas, learn_deltas
from core.consistency.mrf import ConsensusMRF, Deltas
from core.consistency.parsing import ConsistentParses, parse_consistently
from core.consistency.settings import ConsistencySettings, ContextSettings
from core.consistency.tagging import ConsistentTags, tag_consistently
from core.decomposition import dual_decomposition

__all__ = [
    "ConsensusMRF", "ConsistencySettings", "ConsistentParses", "ConsistentTags", "ContextEffect", "ContextIndex",
    "ContextSettings", "Contexts", "Deltas", "LearningSettings", "LearntDeltas", "context_effects",
    "dual_decomposition", "learn_deltas", "parse_consistently", "select_contexts", "tag_consistently",
]  # fmt: skip
