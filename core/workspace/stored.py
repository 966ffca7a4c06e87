"""All kinds of documents and runs that the workbench stores, each of which is declared where it is written."""

from functools import cache

from core.store import Kinds
from core.workspace import (
    changed_words,
    contractions,
    corrections,
    groups,
    random_sample,
    registry,
    relations,
    rules,
    saved_models,
    selecting,
    texts,
    word_tags,
)
from core.workspace.annotate import lists, proposals, queue
from core.workspace.compare import curves
from core.workspace.constraints import advice_record, answers, constraint_set, interview, plan
from core.workspace.corpus import fetching, search
from core.workspace.markup import pages, reading, trees
from core.workspace.papers import reproduction
from core.workspace.teach import lessons

ROOMS = (
    advice_record, answers, changed_words, constraint_set, contractions, corrections, curves, fetching,
    groups, interview, lessons, lists, pages, plan, proposals, queue, random_sample, reading, relations,
    reproduction, rules, saved_models, search, selecting, texts, trees, word_tags,
)  # fmt: skip


def stored_kinds() -> Kinds:
    """The Kinds of the rooms and of all systems."""
    return _kinds(registry.SYSTEMS)


@cache
def _kinds(systems):
    of_rooms, of_systems = (room.STORED for room in ROOMS), (system.stored() for system in systems)
    return Kinds(kind for kinds in (*of_rooms, *of_systems) for kind in kinds)
