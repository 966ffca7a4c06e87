"""Vertical text: columns, structure, and where sentences end."""

import pytest

from core.errors import FormatError
from core.treebank import conllu_text, read_treebank
from core.treebank.vertical import read_vertical
from tests.steps import MANY

TEXT = """<doc id="d1" title='x'>
<p>
<s id="first">
AT&amp;T\tNNP\tAT&amp;T
sold\tVBD\tsell
it\tPRP\tit
<g/>
.\tSENT\t.
</s> <s>
Ah\tUH\tah
</s>
</p></doc>
"""


def test_words_tags_lemmas_spaces_and_names():
    first, second = read_vertical(TEXT.encode(), name="a.vert")
    assert first.forms[1:] == ("AT&T", "sold", "it", ".")
    assert first.xpos[1:] == ("NNP", "VBD", "PRP", "SENT")
    assert first.lemmas[1:] == ("AT&T", "sell", "it", ".")
    assert first.comments == ("# sent_id = first", "# newdoc id = d1", "# newpar", "# text = AT&T sold it.")
    assert first.misc[3] == "SpaceAfter=No"
    assert (second.sent_id, second.text) == ("a-2", "Ah")


def test_the_lemma_may_stand_before_the_tag_and_more_columns_are_kept():
    sentence = read_vertical(b"<s>\nDogs\tdog\tNOUN\tpl\nbarked\tbark\tVERB\t_\n</s>\n")[0]
    assert (sentence.lemmas[1:], sentence.upos[1:]) == (("dog", "bark"), ("NOUN", "VERB"))
    assert sentence.misc[1:] == ("Column4=pl", "")


@pytest.mark.parametrize("text", ["It\tPP\nis\tVBZ\n.\tSENT\nSo\tRB\n", "It PP\nis VBZ\n. .\n\nSo RB\n"])
def test_without_marks_a_sentence_ends_after_a_stop(text):
    assert [sentence.forms[1:] for sentence in read_vertical(text.encode())] == [("It", "is", "."), ("So",)]


def test_columns_that_a_remark_names():
    text = "<!-- #vrt positional-attributes: ref word lemma pos -->\n<sentence>\n1\tkoiria\tkoira\tN\n</sentence>\n"
    sentence = read_vertical(text.encode())[0]
    assert (sentence.forms[1], sentence.lemmas[1], sentence.xpos[1]) == ("koiria", "koira", "N")
    assert sentence.misc[1] == "ref=1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("sold\tVBD\tsell", "sold\tVBD"), "line 5: 2 columns where other words have 3"),
        ("<s>\n</s>\n", "there is no word between the lines of structure"),
    ],
)
def test_errors(text, message):
    with pytest.raises(FormatError, match=message):
        conllu_text(read_vertical(text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "<s>\na\tb\n" + "<g b/>" * 10_000 + "x\ty\n</s>\n",
        "\n" * MANY + "<s>\na\tb\n</s>\n",
        "<s " + "a" * MANY + ">\na\tb\n</s>\n",
        "<!-- #vrt positional-attributes: word" + " " * MANY + "lemma -->\n<s>\na\tb\n</s>\n",
    ],
    ids=["tags with slashes", "blank lines", "an attribute", "a name"],
)
def test_long_lines_are_looked_at_once(text):
    assert read_vertical(text.encode())[0].forms[1] in ("a",)


def test_an_entity_of_any_length_is_a_character_that_is_not_known():
    assert read_vertical(b"<s>\n&#" + b"1" * 5000 + b";\tb\n</s>\n")[0].forms[1] == "\ufffd"


TREES = "<s>\nHens\then\tNNS\t1\t2\tSBJ\nrun\trun\tVVP\t2\t0\tROOT\n</s>\n<s>\nGo\tgo\tVV\t1\t0\tROOT\n</s>\n"


def test_a_column_that_counts_the_words_has_heads_and_relations_behind_it():
    first, second = read_vertical(TREES.encode())
    assert (first.heads.tolist(), first.deprels[1:]) == ([-1, 2, 0], ("SBJ", "ROOT"))
    assert (first.lemmas[1:], first.xpos[1:], first.misc[1:]) == (("hen", "run"), ("NNS", "VVP"), ("", ""))
    assert second.heads.tolist() == [-1, 0]
    with pytest.raises(FormatError, match="line 2, sentence 1, word 1: HEAD is the word itself"):
        read_vertical(TREES.replace("2\tSBJ", "1\tSBJ").encode())


@pytest.mark.parametrize(
    "text",
    [
        "1\tHens\then\tNNS\tO\t2\tnsubj\n2\trun\trun\tVBP\tO\t0\tROOT\n3\t.\t.\t.\tO\t2\tpunct\n",
        "<s>\n1\tHens\then\tN\tNNS\t_\t2\tnsubj\n2\trun\trun\tV\tVBP\t_\t0\tROOT\n3\t.\t.\t.\t.\t_\t2\tpunct\n</s>\n",
    ],
)
def test_numbered_words_are_read_behind_their_numbers(text):
    again = text + "\n" * ("<s>" not in text) + text
    first, second = read_treebank(again.encode())
    assert first.forms[1:] == second.forms[1:] == ("Hens", "run", ".")
    assert (first.heads.tolist(), first.deprels[1:]) == ([-1, 2, 0, 2], ("nsubj", "ROOT", "punct"))


def test_words_of_conllu_with_ranges_between_structure_are_refused():
    row = "{0}\tx" + "\t_" * 8 + "\n"
    text = "<s>\n" + "".join(row.format(number) for number in ("1-2", "1", "2")) + "</s>\n"
    with pytest.raises(FormatError, match="line 2: these are words of CoNLL-U between lines of structure"):
        read_treebank(text.encode())
