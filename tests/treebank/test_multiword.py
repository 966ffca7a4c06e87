"""Multiword tokens as rows of a treebank, whatever was taken from it."""

from core.treebank import read_conllu
from core.treebank.multiword import multiword_tokens

NOTHING = "\t_\t_\t_\t_\t_\t_\t_\t_"
DATA = (
    f"1-2\tdél{NOTHING}\n1\tde\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tél\t_\tPRON\t_\t_\t0\troot\t_\t_\n\n"
    f"# 1-2\tno token\n1\tya\t_\tADV\t_\t_\t0\troot\t_\t_\n2-4\tvá,le{NOTHING}\n2\tvá\t_\tVERB\t_\t_\t1\tdep\t_\t_\n"
    "3\t,\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n4\tle\t_\tPRON\t_\t_\t1\tdep\t_\t_\n"
    f"5-6\tno!{NOTHING}\n5\tno\t_\tINTJ\t_\t_\t1\tdep\t_\t_\n6\t!\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
)


def spans(treebank):
    first, last, forms = multiword_tokens(treebank)
    return list(zip(first.tolist(), last.tolist(), forms, strict=True))


def test_rows_and_forms_of_tokens():
    treebank = read_conllu(DATA.encode())
    assert spans(treebank) == [(1, 2, "dél"), (5, 7, "vá,le"), (8, 9, "no!")]
    assert spans(read_conllu(b"\xef\xbb\xbf" + DATA.encode())) == spans(treebank)
    assert spans(read_conllu(DATA.encode("latin-1"), encoding="latin-1")) == spans(treebank)
    assert spans(read_conllu(b"1\tya\t_\t_\t_\t_\t0\troot\t_\t_\n\n")) == []


def test_what_is_left_after_sentences_and_words_went():
    treebank = read_conllu(DATA.encode())
    assert spans(treebank.select([1])) == [(2, 4, "vá,le"), (5, 6, "no!")]
    assert spans(treebank.select([0, 0])) == [(1, 2, "dél"), (4, 5, "dél")]
    # of "no!" one word is left, which is a token of its own then
    assert spans(treebank.without_punctuation()) == [(1, 2, "dél"), (5, 6, "vá,le")]
