"""Unusual cuts of a text, each once with its count."""

from core.treebank import read_conllu
from core.treebank.cuts import Cut, unusual_cuts
from core.treebank.plain import read_text

TEXT = "Del poble, l'home va als camps d'aquí. Dóna-me'l, és del mercat dels pobres. L'hora!"


def cuts(text, language="ca", **how):
    return unusual_cuts(read_text(text.encode(), language=language, **how))


def test_contractions_come_first_then_what_the_tokeniser_cut():
    assert cuts(TEXT) == [
        Cut("del", ("de", "el"), 2, True), Cut("als", ("a", "els"), 1, True), Cut("dels", ("de", "els"), 1, True),
        Cut("dóna-me'l", ("dóna", "me", "'l"), 1, True),
        Cut("l'…", ("l'", "…"), 2, False), Cut("d'…", ("d'", "…"), 1, False),
    ]  # fmt: skip


def test_without_a_table_the_pieces_are_listed():
    assert cuts(TEXT, contractions=None) == [
        Cut("l'…", ("l'", "…"), 2, False), Cut("als", ("a", "ls"), 1, False), Cut("d'…", ("d'", "…"), 1, False),
        Cut("del", ("d", "el"), 1, False), Cut("dels", ("d", "els"), 1, False),
        Cut("…'l", ("…", "'l"), 1, False), Cut("…-me", ("…", "-me"), 1, False),
    ]  # fmt: skip


def test_marks_and_scripts_without_spaces_are_no_unusual_cuts():
    assert cuts("He (Ash) ran; 5% fell.", "en") == [] == cuts("我们走。你呢？", "zh")
    assert cuts("I don't. You don't", "en") == [Cut("don't", ("do", "n't"), 2, False)]


def test_a_treebank_s_own_multiword_tokens_are_listed():
    line = "\t_\tX\t_\t_\t{}\tdep\t_\t_\n"
    data = f"1-2\tZum{line.format('_')}1\tZu{line.format(0)}2\tdem{line.format(1)}\n".replace("_\tX", "_\t_", 1)
    assert unusual_cuts(read_conllu(data.encode())) == [Cut("zum", ("zu", "dem"), 1, True)]
