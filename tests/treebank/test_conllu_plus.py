"""CoNLL-U Plus and tables with a header: columns go where their names say."""

import pytest

from core.errors import FormatError
from core.treebank import conllu_text
from core.treebank.conllu_plus import read_conllu_plus

PLUS = """# global.columns = ID FORM HEAD DEPREL UPOS X:MWE
# sent_id = a
1-2\tdu\t_\t_\t_\t*
1\tde\t2\tcase\tADP\t1:VID|x
2\tle\t0\troot\tDET\t_

1\tvin\t0\troot\tNOUN\t*
"""


def rows(treebank):
    return [line.split("\t") for line in conllu_text(treebank).splitlines() if line[:1].isdigit()]


def test_named_columns_take_their_places_and_others_go_to_misc():
    found = rows(read_conllu_plus(PLUS.encode()))
    assert found[0] == ["1-2", "du", *"________"]
    assert found[1] == ["1", "de", "_", "ADP", "_", "_", "2", "case", "_", "X:MWE=1:VID\\px"]
    assert found[3] == ["1", "vin", "_", "NOUN", "_", "_", "0", "root", "_", "_"]


def test_words_without_numbers_are_numbered():
    found = rows(read_conllu_plus(b"# global.columns = FORM\nso\nit\n\ngoes\n"))
    assert [(row[0], row[1]) for row in found] == [("1", "so"), ("2", "it"), ("1", "goes")]


def test_a_header_row_is_no_word():
    treebank = read_conllu_plus(b"Word\tID\tPOS\tHead\nit\t1\tPRP\t2\ngoes\t2\tVBZ\t0\n")
    assert (treebank[0].forms, treebank[0].xpos) == (("", "it", "goes"), ("", "PRP", "VBZ"))
    assert treebank.heads.tolist() == [-1, 2, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# global.columns = ID HEAD\n1\t0\n", "line 1: no column is named FORM; name the columns"),
        ("# global.columns = ID FORM FORM\n", "line 1: two columns are named FORM"),
        (PLUS.replace("\t2\tcase", "\tcase"), "line 4: 5 tab-separated columns where the first line names 6"),
        (PLUS.replace("1\tde\t2", "1\tde\t7"), "line 4, sentence 1, word 1: HEAD is 7"),
    ],
)
def test_errors_name_the_line_of_the_file(text, message):
    with pytest.raises(FormatError, match=message):
        read_conllu_plus(text.encode())


def test_any_number_of_columns_is_read():
    names = "\t".join(f"C{number}" for number in range(200_000))
    assert read_conllu_plus(f"FORM\t{names}\nthe\t{names}\n".encode())[0].forms == ("", "the")
