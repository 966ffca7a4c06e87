import pytest

from core.errors import StoreError
from core.store import Command


def test_a_version_is_kept_and_returned_to(store, project):
    store.execute(project, Command("constraints", "main", None, "first"))
    kept = store.save_version(project, "constraints", "main", "Table 1", author="ana")
    store.execute(project, Command("constraints", "main", "first", "second"))
    assert store.versions(project, "constraints", "main") == [kept]
    assert (kept.value, kept.author) == ("first", "ana")
    store.restore_version(kept.id)
    assert store.document(project, "constraints", "main") == "first"
    store.undo(project)
    assert store.document(project, "constraints", "main") == "second"


def test_refusals(store, project):
    with pytest.raises(StoreError, match="nothing to save a version of"):
        store.save_version(project, "constraints", "main", "v")
    store.execute(project, Command("constraints", "main", None, "first"))
    store.save_version(project, "constraints", "main", "v")
    with pytest.raises(StoreError, match="a version named 'v' already"):
        store.save_version(project, "constraints", "main", "v")
    with pytest.raises(StoreError, match="Give the version a name"):
        store.save_version(project, "constraints", "main", "")
    with pytest.raises(StoreError, match="no version 99"):
        store.restore_version(99)
