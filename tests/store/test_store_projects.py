"""Projects, and versions of their documents."""

import pytest

from core.errors import StoreError
from core.store import Command, Store

WRITE = Command("lexicon", "", None, "the DET")


def test_the_default_project_is_made_once_and_found_again(store, url):
    first = store.default_project()
    assert store.default_project() == first == Store.open(url).default_project()
    assert [project.name for project in store.projects()] == ["My project"]


def test_a_new_project_holds_the_sample_by_reference(store):
    project = store.create_project("  Basque  ")
    (sample,) = store.corpora(project)
    assert (project.name, sample.reference, sample.name, sample.size) == ("Basque", "sample", "sample", 0)
    assert store.next_undo(project) is None  # there is nothing before the sample


def test_projects_do_not_see_each_other_and_an_id_does_for_one(store, project):
    other = store.create_project("other")
    store.execute(project.id, WRITE)
    assert store.project(project.id) == project and store.document(other, "lexicon") is None
    assert store.undo(other) is None
    assert store.document(project, "lexicon") == "the DET"


def test_renaming(store, project):
    store.create_project("other")
    assert [store.rename_project(project, "Mine").name for _ in range(2)] == ["Mine", "Mine"]
    with pytest.raises(StoreError, match="named 'other' already"):
        store.rename_project(project, "other")
    with pytest.raises(StoreError, match="named 'Mine' already"):
        store.create_project("Mine")


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 201, "\ud800"])
def test_a_name_that_cannot_be(store, name):
    with pytest.raises(StoreError, match=r"Give the project a name|cannot be the name of a project"):
        store.create_project(name)


def test_a_project_that_is_not_there(store):
    for number in (99, -1):
        with pytest.raises(StoreError, match=f"no project {number}"):
            store.execute(number, WRITE)
    with pytest.raises(StoreError, match="has nothing of that number; choose from its lists"):
        store.project(10**30)  # from a hostile link


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


def test_versions_that_cannot_be(store, project):
    with pytest.raises(StoreError, match="nothing to save a version of"):
        store.save_version(project, "lexicon", "", "v")
    store.execute(project, WRITE)
    store.save_version(project, "lexicon", "", "v")
    for name, sentence in (("v", "a version named 'v' already"), ("", "Give the version a name")):
        with pytest.raises(StoreError, match=sentence):
            store.save_version(project, "lexicon", "", name)
    with pytest.raises(StoreError, match="no version 99"):
        store.restore_version(99)
