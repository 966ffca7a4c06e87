"""The language of a project's texts: guessed when they are added, named, corrected, kept in backups' documents."""

import pytest

from core.errors import WorkbenchError
from core.languages import UNKNOWN
from core.workspace.corpora import add_corpus, language_of, offered_languages
from core.workspace.corpus.cutting import cut_anew, is_cut_otherwise
from core.workspace.corpus.drafts import add_draft, read_draft
from core.workspace.languages import change_language

SWEDISH = "Båten kom klockan fem på morgonen. Ingen i hamnen visste varför den var så sen."
ITALIAN = "L'acqua era fredda e nessuno la beveva. L'amico dell'oste aspettava da un'ora."


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


@pytest.mark.parametrize(
    ("text", "name", "sentences"), [(ITALIAN, "a.txt", 2), (ITALIAN.replace(". ", ".\n"), "lines", 2)]
)
def test_a_text_is_cut_anew_in_the_language_that_it_is_corrected_to(workspace, project, text, name, sentences):
    store = workspace.store
    draft = read_draft(name, text.encode(), "lines" if name == "lines" else "text", language="German")
    old = store.corpus(add_draft(store, project, draft, name))
    assert not is_cut_otherwise(old, workspace.source(old))
    old = change_language(store, old, "Italian")
    assert is_cut_otherwise(old, workspace.source(old)) and "L'acqua" in workspace.source(old)[0].forms
    new = store.corpus(cut_anew(store, old, workspace.source(old)))
    found = workspace.source(new)
    assert (new.name, language_of(new), len(found)) == (f"{name}, cut as Italian", "it", sentences)
    assert "L'" in found[0].forms and [each.text for each in found] == [each.text for each in workspace.source(old)]
    assert not is_cut_otherwise(new, found) and store.corpus_bytes(old.id)


def test_a_text_with_trees_keeps_its_words(workspace, project):
    tree = b"# lang = de\n1\tL'acqua\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    corpus = workspace.store.corpus(add_corpus(workspace.store, project, "a.conllu", tree)[0])
    corpus = change_language(workspace.store, corpus, "Italian")
    assert not is_cut_otherwise(corpus, workspace.source(corpus))
