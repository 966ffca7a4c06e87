"""Sentences too long for a parser, cut into parts."""

import pytest

from core.annotation.long_sentences import cut_sentences
from core.errors import WorkbenchError
from core.treebank import read_conllu
from tests.filled import filled


def text(*words, name="s1", tokens=()):
    """CoNLL-U of one sentence: ``form`` or ``form/UPOS``, each word headed by the one before it."""
    lines = [f"# sent_id = {name}", f"# text = {' '.join(word.split('/')[0] for word in words)}"]
    for number, word in enumerate(words, start=1):
        lines += [f"{number}-{last}\t{form}" + "\t_" * 8 for first, last, form in tokens if first == number]
        form, _, tag = word.partition("/")
        relation = "dep" if number > 1 else "root"
        lines.append(f"{number}\t{form}\t_\t{tag or '_'}\t_\t_\t{number - 1}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


def forms(treebank):
    return [" ".join(sentence.forms[1:]) for sentence in treebank]


@pytest.mark.parametrize(
    ("words", "longest", "parts"),
    [
        ("a b c; d e , f g", 4, None),
        ("a b c ; d , e f g", 6, ["a b c ;", "d , e f g"]),
        ("a b ; c d , e f", 6, ["a b ; c d ,", "e f"]),  # the semicolon stands in the first half
        ("a b c d/DET and/CCONJ e f", 5, ["a b c d", "and e f"]),
        ("a b c d e f g", 6, ["a b c d", "e f g"]),  # about equal
        ("a b c d e f g h i", 2, ["a b", "c d", "e f", "g h", "i"]),
    ],
)
def test_parts_end_where_a_reader_would_pause(words, longest, parts):
    treebank = read_conllu(text(*words.split()).encode())
    cut = cut_sentences(treebank, longest)
    assert " ".join(forms(cut)) == " ".join(forms(treebank)) and cut.lengths.max() <= longest
    assert parts is None or forms(cut) == parts
    for sentence in filled(cut):  # a tree each, and its own text
        assert sentence.text == " ".join(sentence.forms[1:]) and list(sentence.heads).count(0) == 1


def test_short_sentences_stay_and_names_are_free():
    files = text("a", "b"), text("c", "d", "e", name="s2"), text("f", name="s2-1")
    cut = cut_sentences(read_conllu("".join(files).encode()), 2)
    assert [sentence.sent_id for sentence in cut] == ["s1", "s2-2", "s2-3", "s2-1"]
    assert forms(cut) == ["a b", "c d", "e", "f"]
    whole = read_conllu(files[0].encode())
    assert cut_sentences(whole, 2) is whole


def test_multiword_tokens_stay_whole():
    treebank = read_conllu(text("a", "de", "el", "b", tokens=[(2, 3, "del")]).encode())
    assert forms(cut_sentences(treebank, 2)) == ["a", "de el", "b"]
    with pytest.raises(WorkbenchError, match="a multiword token has more than 1 words; allow longer sentences"):
        cut_sentences(treebank, 1)
