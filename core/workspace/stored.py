"""All kinds of documents and runs that the workbench stores, each of which is declared where it is written."""

from functools import cache

from core.store import Kinds
from core.workspace import applied, groups, registry, relations, selecting, texts, word_tags
from core.workspace.annotate import check, proposals, queue
from core.workspace.compare import curves
from core.workspace.constraints import advice_record, constraint_set, plan
from core.workspace.corpus import fetching, search
from core.workspace.markup import pages, reading, trees
from core.workspace.teach import lessons

ROOMS = (
    advice_record, applied, check, constraint_set, curves, fetching, groups, lessons, pages, plan, proposals, queue,
    reading, relations, search, selecting, texts, trees, word_tags,
)  # fmt: skip


def stored_kinds() -> Kinds:
    """The Kinds of the rooms and of all systems."""
    return _kinds(registry.SYSTEMS)


@cache
def _kinds(systems):
    of_rooms, of_systems = (room.STORED for room in ROOMS), (system.stored() for system in systems)
    return Kinds(kind for kinds in (*of_rooms, *of_systems) for kind in kinds)
