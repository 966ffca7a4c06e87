"""Glosses and transliterations typed on Annotate: what shows them, what does not change with them, and undo."""

import pytest

from core.treebank import conllu_text, read_conllu
from core.workspace.annotate.view import lines_below
from core.workspace.annotations import Annotations
from core.workspace.word_tags import TREE
from tests.workspace.annotate.conftest import changed

SHARES = "TagProb=NOUN:0.60,VERB:0.40"
TEXT = f"""# sent_id = a
1\tkoshki\t_\tNOUN\t_\t_\t2\tnsubj\t_\tSpaceAfter=No|Gloss=cat|{SHARES}
2\tspyat\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture
def desk(workspace, add):
    corpus = add("koshki.conllu", TEXT)
    return workspace, corpus, Annotations(workspace, corpus)


def misc(workspace, corpus):
    return workspace.standing(corpus).treebank.misc.strings()[1:].tolist()


def test_a_gloss_is_shown_and_exported_and_no_parse_is_out_of_date_for_it(desk):
    workspace, corpus, layer = desk
    read, learnt, shown = (getattr(workspace, name)(corpus) for name in ("read_key", "corpus_key", "shown_key"))
    changed(layer, 0, do="change", column="gloss", word=1, value="cats")
    changed(layer, 0, do="change", column="translit", word=2, value="spjat")
    assert misc(workspace, corpus) == [f"SpaceAfter=No|Gloss=cats|{SHARES}", "Translit=spjat"]
    assert "Gloss=cats" in conllu_text(layer.treebank())
    assert workspace.read_key(corpus) == read and workspace.shown_key(corpus) != shown
    assert workspace.corpus_key(corpus) == learnt
    assert workspace.store.document(corpus.project, TREE, f"{corpus.id}/1")["gloss"] == ["cats", ""]
    other = Annotations(workspace, corpus, "Ann")
    assert other.get(0)[0].gloss == ("", "cat", "")
    for _ in range(2):
        workspace.store.undo(corpus.project)
    assert conllu_text(layer.treebank()) == TEXT
    workspace.store.redo(corpus.project)
    assert misc(workspace, corpus)[0] == f"SpaceAfter=No|Gloss=cats|{SHARES}"


def test_a_gloss_stays_where_a_tag_is_corrected_and_the_tag_comes_back_as_probable(desk):
    workspace, corpus, layer = desk
    changed(layer, 0, do="change", column="gloss", word=1, value="cats")
    changed(layer, 0, do="change", column="upos", word=1, value="PROPN")
    assert misc(workspace, corpus)[0] == "SpaceAfter=No|Gloss=cats"
    changed(layer, 0, do="change", column="upos", word=1, value="NOUN")
    assert misc(workspace, corpus)[0] == f"SpaceAfter=No|Gloss=cats|{SHARES}"
    changed(layer, 0, do="change", column="gloss", word=1, value="cat")
    assert conllu_text(layer.treebank()) == TEXT


def test_plain_text_gets_glosses_too(workspace, add):
    corpus = add("plain.txt", "cats sleep\n")
    layer = Annotations(workspace, corpus)
    changed(layer, 0, do="change", column="gloss", word=1, value="chats")
    assert layer.treebank().misc.strings().tolist() == ["", "Gloss=chats", ""]


def test_tokens_glosses_and_transliterations_stand_under_the_words_and_under_no_empty_node():
    rows = ("1-2\tdel\t_", "1\tde\tGloss=of", "2\tel\tGloss=the|Translit=el", "3\tgat\t_")
    fields = (row.split("\t") for row in rows)
    lines = (f"{number}\t{form}" + "\t_" * 7 + f"\t{misc}\n" for number, form, misc in fields)
    bank = read_conllu("".join([*lines, "\n"]).encode())
    assert [(line["name"], line["values"]) for line in lines_below(bank, 0, 4)] == [
        ("Token", ["", "╰ del", "╯", "", ""]),
        ("gloss", ["", "of", "the", "", ""]),
        ("translit", ["", "", "el", "", ""]),
    ]
    assert lines_below(read_conllu(b"1\tgat" + b"\t_" * 8 + b"\n\n"), 0, 1) == []
