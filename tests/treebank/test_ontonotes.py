"""CoNLL-2012: trees by head rules, lemmas, entities, coreference, documents."""

import pytest

from core.errors import FormatError
from core.treebank.ontonotes import read_conll2012
from tests.steps import MANY

TEXT = """#begin document (bc/a); part 000
bc/a 0 0 Kim NNP (TOP(S(NP* - - - kim (PERSON* (1
bc/a 0 1 Lee NNP *) - - - kim *) 1)
bc/a 0 2 met VBD (VP* meet 01 1 kim * -
bc/a 0 3 -LRB- -LRB- * - - - kim * -
bc/a 0 4 her PRP (NP*)))) - - - kim * (2)

#end document
#begin document (bc/a); part 001
bc/a 1 0 Yes UH (TOP(INTJ*)) - - - - * -

#end document
"""


def test_trees_and_what_stands_beside_them():
    treebank = read_conll2012(TEXT.encode(), name="a.conll")
    first = treebank[0]
    assert (first.forms[1:], first.xpos[1:3]) == (("Kim", "Lee", "met", "(", "her"), ("NNP", "NNP"))
    assert first.heads.tolist() == [-1, 2, 3, 0, 3, 3]
    assert first.lemmas[1:] == ("", "", "meet", "", "")
    assert first.misc[1:] == ("Entity=B-PERSON|Coref=(1", "Entity=I-PERSON|Coref=1)", "", "", "Coref=(2)")
    assert "# newdoc id = (bc/a); part 000" in first.comments and "# speaker = kim" in first.comments
    assert (1, 3, "NP") in treebank.constituents[0]
    assert "# newdoc id = (bc/a); part 001" in treebank[1].comments


def test_brackets_that_do_not_match_are_counted_and_leave_no_tree():
    treebank = read_conll2012(TEXT.replace("(NP*))))", "(NP*)))").encode())
    assert treebank[0].heads.tolist() == [-1] * 6 and treebank[1].heads.tolist() == [-1, 0]
    assert treebank.constituents[0] == []
    assert treebank.warnings == ("1 of 2 sentences have brackets that do not match, and so no tree (first: line 2)",)


def test_without_trees():
    treebank = read_conll2012(b"a 0 0 Yes UH * - - - - * -\na 0 1 no UH * - - - - * -\n")
    assert (treebank.heads.max(), treebank.constituents, treebank.warnings) == (-1, None, ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT + "bc/a 1 0 No UH\n", "line 13: 5 columns where CoNLL-2012 has 11 or more"),
        ("#begin document (a); part 000\n#end document\n", "this file holds no word"),
        ("a 0 0 *x* -NONE- (TOP(S* - - - - * -\na 0 1 no UH *)) - - - - * -\n", "some tags are -NONE-"),
    ],
)
def test_errors(text, message):
    with pytest.raises(FormatError, match=message):
        read_conll2012(text.encode())


def test_the_name_of_a_document_may_hold_any_number_of_blanks():
    text = "#begin document a" + " " * MANY + "b\na 0 0 b NN (TOP*) - - - - *\n"
    assert read_conll2012(text.encode())[0].comment("newdoc id").split() == ["a", "b"]
