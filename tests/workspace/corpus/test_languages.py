"""The language of a project's texts: guessed when they are added, named, corrected, kept in backups' documents."""

import pytest

from core.errors import WorkbenchError
from core.languages import UNKNOWN
from core.workspace.corpora import add_corpus, change_language, language_of, offered_languages
from core.workspace.corpus.drafts import add_draft, read_draft

SWEDISH = "Båten kom klockan fem på morgonen. Ingen i hamnen visste varför den var så sen."


@pytest.fixture
def store(workspace):
    return workspace.store


@pytest.fixture
def project(store):
    return store.create_project("Texts")


def test_a_text_has_the_language_that_was_guessed_or_chosen(store, project):
    corpus_id, _ = add_corpus(store, project, "a.txt", SWEDISH.encode())
    assert language_of(store.corpus(corpus_id)) == "sv"
    unsure = read_draft("b.txt", b"Hej du. I'm here.")
    assert unsure.language == UNKNOWN
    chosen = read_draft("b.txt", b"Hej du. I'm here.", language="English")
    assert language_of(store.corpus(add_draft(store, project, chosen, "b"))) == "en"
    assert "'m" in chosen.treebank[1].forms and "'m" not in unsure.treebank[1].forms
    assert language_of(store.corpora(project)[0]) == "en"  # the sample


def test_a_language_is_corrected_and_its_words_stay(store, project):
    corpus_id, _ = add_corpus(store, project, "a.txt", SWEDISH.encode())
    before = store.corpus_bytes(corpus_id)
    changed = change_language(store, store.corpus(corpus_id), "Danish")
    assert language_of(changed) == "da" and store.corpus_bytes(corpus_id) == before
    assert language_of(change_language(store, changed, "unknown")) == UNKNOWN
    with pytest.raises(WorkbenchError, match="there is no language 'danisch'; near it are da"):
        change_language(store, changed, "danisch")


def test_languages_are_offered_by_name_with_the_text_s_own():
    names = offered_languages("got")
    assert next(iter(names)) == UNKNOWN and names["got"] == "Gothic" and names["hsb"] == "Upper Sorbian"
    assert list(names.values())[1:] == sorted(list(names.values())[1:])
