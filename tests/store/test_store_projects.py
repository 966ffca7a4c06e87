import pytest

from core.errors import StoreError
from core.store import Command, Store


def test_the_default_project_is_made_once_and_found_again(store, url):
    first = store.default_project()
    assert store.default_project() == first
    assert Store.open(url).default_project() == first
    assert [project.name for project in store.projects()] == ["My project"]


def test_a_new_project_holds_the_sample_by_reference(store):
    project = store.create_project("  Basque  ")
    assert project.name == "Basque"
    (sample,) = store.corpora(project)
    assert (sample.reference, sample.name, sample.size) == ("sample", "sample", 0)
    assert store.next_undo(project) is None  # there is nothing before the sample


def test_an_id_does_for_a_project(store, project):
    store.execute(project.id, Command("lexicon", "", None, "the DET"))
    assert store.document(project, "lexicon") == "the DET"
    assert store.project(project.id) == project


def test_projects_do_not_see_each_other(store, project):
    other = store.create_project("other")
    store.execute(project, Command("lexicon", "", None, "the DET"))
    assert store.document(other, "lexicon") is None
    assert store.undo(other) is None
    assert store.document(project, "lexicon") == "the DET"


def test_renaming(store, project):
    store.create_project("other")
    assert store.rename_project(project, "Mine").name == "Mine"
    assert store.rename_project(project, "Mine").name == "Mine"
    with pytest.raises(StoreError, match="named 'other' already"):
        store.rename_project(project, "other")


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 201, "\ud800"])
def test_a_name_that_cannot_be(store, name):
    with pytest.raises(StoreError, match=r"Give the project a name|cannot be the name of a project"):
        store.create_project(name)


def test_a_name_twice(store, project):
    with pytest.raises(StoreError, match="named 'My project' already"):
        store.create_project("My project")


@pytest.mark.parametrize("number", [99, -1])
def test_a_project_that_is_not_there(store, number):
    with pytest.raises(StoreError, match=f"no project {number}"):
        store.execute(number, Command("lexicon", "", None, "x"))


def test_a_number_from_a_hostile_link(store):
    with pytest.raises(StoreError, match="has nothing of that number; choose from its lists"):
        store.project(10**30)
