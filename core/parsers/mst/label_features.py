"""Features of a word's relation: of the word, its head, and the words around them in the tree.

After the second stage of McDonald, Lerman & Pereira (2006), W06-2932, section 3: the arc's ends and their neighbours,
siblings, grandparent, children, and whether the word is the first or last modifier on its side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.parsers.mst.features import FIELD, FIELDS, LEXICAL, mixed

ROLES = ("modifier", "head", "grandparent", "left sibling", "right sibling", "first child", "last child")
ARC_ROLES = ("modifier", "head")
# what else a feature keeps of the place in the tree
NOTHING, DIRECTION, DISTANCE, CHILDREN, PLACE = range(5)
ARC_KINDS = (NOTHING, DIRECTION, DISTANCE)

_M, _H, _G, _L, _R, _FIRST, _LAST = ROLES
_WORD = ("form", "tag", "form tag", "prefix tag", "suffix tag", "coarse", "tag before", "tag after", "tags around")
# (kind, (role, field), ...)
TEMPLATES = (
    (DISTANCE,),
    *((DIRECTION, (_M, name)) for name in _WORD),
    *((DIRECTION, (_H, name)) for name in _WORD),
    (DISTANCE, (_M, "tag")),
    (DISTANCE, (_H, "tag")),
    (DISTANCE, (_M, "tag"), (_H, "tag")),
    (DIRECTION, (_M, "tag"), (_H, "tag")),
    (DIRECTION, (_M, "coarse"), (_H, "coarse")),
    (DIRECTION, (_M, "form tag"), (_H, "tag")),
    (DIRECTION, (_M, "tag"), (_H, "form tag")),
    (DIRECTION, (_M, "form"), (_H, "form")),
    (DIRECTION, (_M, "form tag"), (_H, "form tag")),
    (DIRECTION, (_M, "suffix tag"), (_H, "tag")),
    (DIRECTION, (_M, "tag"), (_H, "suffix tag")),
    (DIRECTION, (_M, "tags around"), (_H, "tag")),
    (DIRECTION, (_M, "tag"), (_H, "tags around")),
    (DIRECTION, (_M, "tag before"), (_H, "tag after")),
    (DIRECTION, (_M, "tag after"), (_H, "tag before")),
    (CHILDREN, (_M, "tag")),
    (CHILDREN, (_M, "tag"), (_H, "tag")),
    (PLACE,),
    (PLACE, (_M, "tag")),
    (PLACE, (_M, "tag"), (_H, "tag")),
    (PLACE, (_M, "tag"), (_H, "form tag")),
    *(
        (DIRECTION, (_M, "tag"), *more)
        for role in (_G, _L, _R, _FIRST, _LAST)
        for more in (((_H, "tag"), (role, "tag")), ((role, "form tag"),), ((_H, "tag"), (role, "form tag")))
    ),
    (DIRECTION, (_M, "tag"), (_L, "tag"), (_R, "tag")),
    (DIRECTION, (_M, "tag"), (_FIRST, "tag"), (_LAST, "tag")),
)


@dataclass(frozen=True, eq=False)
class LabelTemplates:
    """``parts`` (T, 3): role * len(FIELDS) + field, or -1; ``kinds`` (T,); ``salts`` (T,), uint32."""

    parts: np.ndarray
    kinds: np.ndarray
    salts: np.ndarray

    @classmethod
    def of(cls, feature_set: str, columns: Sequence[str], *, arcs_only: bool) -> "LabelTemplates":
        """Templates over given tag columns; with ``arcs_only``, those that do not look at the rest of the tree."""

        def is_read(kind, *parts):
            names = [name for _, name in parts]
            if arcs_only and (kind not in ARC_KINDS or any(role not in ARC_ROLES for role, _ in parts)):
                return False
            if feature_set == "unlexicalized" and any(name in LEXICAL for name in names):
                return False
            return len(columns) > 1 or "coarse" not in names

        chosen = [template for template in TEMPLATES if is_read(*template)]
        parts = np.full((len(chosen), 3), -1, dtype=np.int64)
        for row, (_, *pairs) in enumerate(chosen):
            for at, (role, name) in enumerate(pairs):
                parts[row, at] = ROLES.index(role) * len(FIELDS) + FIELD[name]
        kinds = np.array([kind for kind, *_ in chosen], dtype=np.int64)
        salts = mixed(np.arange(1, len(chosen) + 1, dtype=np.uint32) * np.uint32(0xC2B2AE3D))
        return cls(parts, kinds, salts)
