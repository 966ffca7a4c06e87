"""Contractions of words that are cut already: tokens of their parts, and brackets that follow."""

from core.annotation.contracting import cut_contractions
from core.languages.contractions import USUAL
from core.markup import extract_sentences, treebank_brackets
from core.markup.comments import read_places
from core.treebank import read_conllu
from core.treebank.multiword import multiword_tokens
from core.trees.brackets import Bracket

PAGE = "<p>Fuimos <i>al</i> <a href=x>mercado del pueblo</a> para comprárselo. La casa era grande. Salimos del bar.</p>"
WORDS = [
    f"{number}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{'SpaceAfter=No' if form == 'd' else '_'}"
    for number, form in enumerate(("Vinc", "d", "el", "port"), start=1)
]


def cut(page, tables=USUAL, language="es"):
    before = extract_sentences(page, name="page", language=language, places=True).treebank
    return before, cut_contractions(before, tables)


def test_words_of_pages_become_their_parts_and_brackets_hold_them():
    before, after = cut(PAGE)
    words = " ".join(after[0].forms[1:])
    assert words == "Fuimos a el mercado de el pueblo para comprar se lo ." and after[0].text == before[0].text
    assert multiword_tokens(after)[2] == ["al", "del", "comprárselo", "del"]
    assert treebank_brackets(after)[0] == [Bracket(2, 4, "i"), Bracket(4, 8, "a")]
    assert set(read_places(after[0])) == {(2, 4), (4, 8)}
    assert after[1].lines == before[1].lines and after[0].misc[-1] == before[0].misc[-1]


def test_pieces_of_a_contraction_are_one_word_of_its_parts():
    lines = ["# lang = ca", "# markup = b 2-3 | i 3-4", *WORDS]
    bank = cut_contractions(read_conllu("\n".join([*lines, "", ""]).encode()), USUAL)
    assert bank[0].forms[1:] == ("Vinc", "de", "el", "port") and multiword_tokens(bank)[2] == ["del"]
    assert treebank_brackets(bank)[0] == [Bracket(2, 4, "b"), Bracket(2, 5, "i")]


def test_without_a_table_nothing_changes():
    for tables in (None, {"es": ""}):
        before, after = cut(PAGE, tables)
        assert after is before
    before, after = cut(PAGE, language="unknown")
    assert after is before
