"""Tables of contractions of a project: changed, undone, and what is cut by them."""

import pytest

from core.errors import FormatError
from core.languages.contractions import usual_text
from core.workspace.annotate.word_steps import proposed_splits
from core.workspace.contractions import changed_tables, save_table, table_text
from core.workspace.corpora import add_corpus, language_of
from core.workspace.corpus.cutting import cut_anew
from core.workspace.corpus.drafts import How, add_draft, find_draft, read_draft

SPANISH = "Vamos al mercado del pueblo para comprarlo."


def words(draft):
    return draft.treebank[0].forms[1:]


def test_a_table_is_changed_undone_and_put_back(store, project):
    assert table_text(store, project, "es") == usual_text("es") and changed_tables(store, project) == ()
    save_table(store, project, "es", "al = a el\n")
    save_table(store, project, "eu", "bada = ba da\n")
    assert changed_tables(store, project) == (("es", "al = a el\n"), ("eu", "bada = ba da\n"))
    store.undo(project)
    assert table_text(store, project, "eu") == ""
    save_table(store, project, "es", usual_text("es"))
    assert changed_tables(store, project) == ()
    assert save_table(store, project, "es", usual_text("es")) is None


def test_a_table_that_cannot_be_read_is_not_stored(store, project):
    save_table(store, project, "es", "al = a el\n")
    for bad in ("al = a el\ndel = ", "al = bal el\nbal = al bo\n", "al = a -", "   = a el"):
        with pytest.raises(FormatError, match=r"line [12]: "):
            save_table(store, project, "es", bad)
    assert table_text(store, project, "es") == "al = a el\n"


def test_a_text_is_cut_by_the_table_of_the_project_or_left_whole(workspace, store, project):
    data = SPANISH.encode()
    usual = read_draft("a.txt", data, language="es")
    assert " ".join(words(usual)) == "Vamos a el mercado de el pueblo para comprar lo ." and usual.has_contractions
    save_table(store, project, "es", "al = a el\n")
    pairs = changed_tables(store, project)
    changed = find_draft(workspace, None, "a.txt", data, How(language="es", contractions=pairs))
    assert " ".join(words(changed)) == "Vamos a el mercado del pueblo para comprarlo ."
    assert [(cut.written, cut.count) for cut in changed.cuts] == [("al", 1)]
    whole = find_draft(workspace, None, "a.txt", data, How(language="es", contractions=None))
    assert whole.treebank.token_count == 8 and whole.cuts == [] and whole.has_contractions
    assert not read_draft("a.txt", data, language="fi").has_contractions
    text = store.corpus(add_draft(store, project, usual, "a"))
    assert language_of(text) == "es" and workspace.source(text)[0].text == SPANISH
    anew = store.corpus(cut_anew(store, text, workspace.source(text)))
    assert workspace.source(anew)[0].forms == changed.treebank[0].forms


def test_a_split_is_proposed_by_the_table_of_the_language(workspace, store, project):
    tree = "# lang = {}\n1\tDecírselo\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\tdel\t_\tADP\t_\t_\t1\tdep\t_\t_\n\n"
    spanish, other = (
        store.corpus(add_corpus(store, project, code, tree.format(code).encode())[0]) for code in ("es", "und")
    )
    forms = workspace.source(spanish)[0].forms
    assert proposed_splits(workspace, spanish, forms) == {"1": ["Decir", "se", "lo"], "2": ["de", "el"]}
    assert proposed_splits(workspace, other, forms) == {}
    save_table(store, project, "es", "del = d el\n")
    assert proposed_splits(workspace, spanish, forms) == {"2": ["d", "el"]}
