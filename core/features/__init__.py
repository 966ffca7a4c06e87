"""Features of arcs: templates, their index, and a corpus as sparse matrices."""

from core.features.arc_features import ArcFeatures, count_features, extract_features, group_arcs, index_features
from core.features.index import FeatureIndex

__all__ = ["ArcFeatures", "FeatureIndex", "count_features", "extract_features", "group_arcs", "index_features"]
