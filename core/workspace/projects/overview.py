"""Projects for people to look at: what each holds, what deleting one loses, its backup as a file's name and bytes."""

import io
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import SupportsIndex

from core.files.tables import columns_of
from core.store import Project, Store
from core.store.quotas import MEGABYTE, PERSON, PROJECT, quota
from core.workspace.texts import listed_texts

SHORT_TIME = "%Y-%m-%d %H:%M"


def project_table(store: Store, projects: Sequence[Project]) -> dict[str, list]:
    """Columns of a table over Projects: name, the person's role, what each holds, when and by whom it was saved."""
    rows = []
    for project in projects:
        size, last = store.project_size(project), time_text(store.last_saved(project))
        texts = len(listed_texts(store, project))
        rows.append((project.name, store.role(project), texts, size["changes"], size["runs"], last))
    return columns_of(("Project", "Your role", "Texts", "Changes", "Runs", "Last saved"), rows)


def time_text(saved: tuple[datetime, str] | None, form: str = SHORT_TIME) -> str:
    """``2026-11-21 09:30 by ana@example.org`` of what ``Store.last_saved`` gave; "never" of None."""
    if saved is None:
        return "never"
    when, who = saved
    return f"{when.astimezone():{form}}" + ("" if who == "local" else f" by {who}")


def holdings(size: Mapping[str, int]) -> str:
    """``3 texts, 1 change and 2 runs`` of what ``Store.project_size`` gave."""
    parts = [f"{count:,} {name if count != 1 else name[:-1]}" for name, count in size.items()]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def room_table(store: Store, project: SupportsIndex) -> dict[str, list]:
    """Columns of a table over what takes the room of a project, the largest first: in words, and megabytes."""
    from core.workspace.registry import named_kind  # loads every system

    taken = store.usage(project)
    runs = {f"Runs: {named_kind(kind)}": size for kind, size in taken.runs.items()}
    parts = {"Texts": taken.texts, "Removed texts": taken.removed, "Changes and versions": taken.changes} | runs
    rows = sorted(((name, size / MEGABYTE) for name, size in parts.items() if size), key=lambda row: -row[1])
    return columns_of(("What", "MB"), rows)


def room_words(store: Store, project: SupportsIndex) -> str:
    """``12.4 of 100 MB``, and what her projects take in all where the person has a quota."""
    most, most_of_person, taken = quota(PROJECT), quota(PERSON), store.usage(project).total / MEGABYTE
    parts = [f"{taken:.1f} MB" if most is None else f"{taken:.1f} of {most / MEGABYTE:g} MB"]
    if most_of_person is not None and (person := store.person) is not None:
        owned = sum(store.usage_by_project(person).values()) / MEGABYTE
        parts.append(f"your projects take {owned:.1f} of {most_of_person / MEGABYTE:g} MB")
    return "; ".join(parts)


def backup_name(project: Project) -> str:
    """A file's name for the backup of a Project."""
    return re.sub(r"[^\w-]+", "-", project.name).strip("-")[:80] + ".backup.zip"


def backup_bytes(store: Store, project: SupportsIndex) -> bytes:
    """The backup of a Project as bytes."""
    file = io.BytesIO()
    store.backup_project(project, file)
    return file.getvalue()
