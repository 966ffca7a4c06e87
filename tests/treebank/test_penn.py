"""Bracketed trees: against plain recursion, against the real sample, and what is wrong with bad ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError, WorkbenchError
from core.treebank.conllu import conllu_text, read_conllu
from core.treebank.head_rules import load_head_rules, plain_label
from core.treebank.penn import read_mrg
from core.treebank.punctuation import PENN
from tests.oracles import bracketed

TREE = (
    "( (S (NP-SBJ (DT The) (NN cat) ) (VP (MD will) (VP (VB try) "
    "(S (NP-SBJ (-NONE- *-1) ) (VP (TO to) (VP (VB sleep) ))))) (. .) ))\n"
)
TAGS = ("NN", "DT", "VBD", "IN", "CC", "TO", ",", ".", "-LRB-", "-NONE-")
LABELS = ("S", "NP-SBJ", "VP", "PP", "QP=1", "FOO")

leaf = st.tuples(st.sampled_from(TAGS), st.sampled_from(("a", "b", "c"))).map("({0[0]} {0[1]})".format)
tree = st.recursive(
    leaf,
    lambda child: st.tuples(st.sampled_from(LABELS), st.lists(child, min_size=1, max_size=4)).map(
        lambda phrase: f"({phrase[0]} {' '.join(phrase[1])})"
    ),
    max_leaves=12,
)


def test_worked_example():
    treebank = read_mrg(TREE.encode(), name="file.mrg")
    sentence = treebank[0]
    assert sentence.forms == ("", "The", "cat", "will", "try", "to", "sleep", ".")
    assert sentence.xpos[1:] == ("DT", "NN", "MD", "VB", "TO", "VB", ".")
    assert sentence.heads.tolist() == [-1, 2, 3, 0, 3, 4, 5, 3]
    assert sentence.deprels == ("", "dep", "dep", "root", "dep", "dep", "dep", "dep")
    assert sentence.sent_id == "file-1"
    assert treebank.constituents[0] == [
        (1, 8, "S"), (1, 3, "NP-SBJ"), (3, 7, "VP"), (4, 7, "VP"), (5, 7, "S"), (5, 7, "VP"), (6, 7, "VP"),
    ]  # fmt: skip
    assert read_mrg(TREE.encode(), rules="yamada-matsumoto")[0].heads.tolist() == [-1, 2, 3, 0, 3, 6, 4, 3]


@given(st.lists(tree, min_size=1, max_size=3), st.booleans(), st.sampled_from(("collins", "yamada-matsumoto")))
def test_matches_plain_recursion(trees, punctuation, rules):
    text = "\n".join(f"( {tree} )" for tree in trees)
    pruned = {"-NONE-"} if punctuation else {"-NONE-", *PENN}
    kept = [bracketed.without(tree[0], pruned) for tree in bracketed.nested(text)]
    if not all(bracketed.without(tree[0], {"-NONE-"}) for tree in bracketed.nested(text)) or not any(kept):
        with pytest.raises(FormatError, match=r"no word|no tree"):
            read_mrg(text.encode(), rules=rules, punctuation=punctuation)
        return
    treebank = read_mrg(text.encode(), rules=rules, punctuation=punctuation)

    def choose(label, children):
        return load_head_rules(rules).head_child(plain_label(label), [plain_label(child) for child in children])

    left = [(number, tree) for number, tree in enumerate(kept, start=1) if tree]
    assert [sentence.sent_id for sentence in treebank] == [str(number) for number, _ in left]
    for sentence, phrases, (_, tree) in zip(treebank, treebank.constituents, left, strict=True):
        heads = {}
        root = bracketed.head_words(tree, choose, heads)
        assert sentence.heads[1:].tolist() == [heads.get(word, 0) for word in range(1, len(sentence) + 1)]
        assert sentence.heads[root] == 0
        assert list(zip(sentence.xpos[1:], sentence.forms[1:], strict=True)) == bracketed.leaves(tree)
        assert phrases == bracketed.phrases(tree)


@pytest.mark.parametrize("text", ["(NN x)", "((NN x))", "(TOP (NN x))", "( (NN x) (-NONE- *) )"])
def test_one_word(text):
    treebank = read_mrg(text.encode())
    assert treebank[0].heads.tolist() == [-1, 0]
    assert treebank.constituents[0] == []


def test_escapes_are_undone_and_tags_stay():
    sentence = read_mrg(rb"(NP (-LRB- -LRB-) (CD 1\/2) (NN \*) (-RRB- -RRB-))")[0]
    assert sentence.forms[1:] == ("(", "1/2", "*", ")")
    assert sentence.xpos[1:] == ("-LRB-", "CD", "NN", "-RRB-")


def test_layout_does_not_matter():
    spread = TREE.replace(" (", "\n   (").replace("\n", "\r\n")
    assert conllu_text(read_mrg(spread.encode())) == conllu_text(read_mrg(TREE.encode()))
    assert conllu_text(read_mrg(b"\xef\xbb\xbf" + TREE.encode())) == conllu_text(read_mrg(TREE.encode()))


def test_depth_is_no_problem():
    depth = 20_000
    treebank = read_mrg(("(S " * depth + "(NN x)" + ")" * depth).encode())
    assert len(treebank.constituents.labels) == depth


def test_encodings():
    text = "(NP (NN café))"
    assert read_mrg(text.encode("latin-1"), encoding="latin-1")[0].forms[1] == "café"
    with pytest.raises(FormatError, match="line 1: byte 0xe9 at position 11 is not utf-8"):
        read_mrg(text.encode("latin-1"))


def test_name_from_the_file(tmp_path):
    path = tmp_path / "wsj_0003.mrg"
    path.write_text(TREE + "(. .)\n" + TREE, encoding="utf-8")
    treebank = read_mrg(path, punctuation=False)
    assert treebank.name == "wsj_0003.mrg"
    assert [sentence.sent_id for sentence in treebank] == ["wsj_0003-1", "wsj_0003-3"]  # the second held "." only


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN x)\n", "line 1: a bracket is never closed"),
        ("(NN y)\n(S (NP (NN x)\n", "line 2: 2 brackets are never closed"),
        ("(NN y)\n(S (NN x)))", "line 2: a closing bracket without an opening one"),
        ("(S\n the (NN x))", r"line 2: 'the' needs a bracket and a tag of its own: \(TAG the\)"),
        ("(S (NN x)\n cat)", r"line 2: 'cat' needs a bracket"),
        ("(NN x y)", "line 1: 'x' needs a bracket"),
        ("(S (NN x)\n (NP))", r"line 2: the bracket \(NP\) holds no word"),
        ("()", r"line 1: the bracket \(\) holds no word"),
        ("(NN x)\n(S (-NONE- *))", "line 2: this tree holds no word, or traces only"),
        ("(NN x)\nword", "line 2: 'word' stands outside any bracket; is this a file of trees"),
        ("", "this file is empty"),
        ("(. .)", "this file holds no tree with a word"),
    ],
)
def test_malformed(text, message):
    with pytest.raises(FormatError, match=message):
        read_mrg(text.encode(), punctuation=False)


def test_missing_file_and_rules(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        read_mrg(tmp_path / "none.mrg")
    with pytest.raises(WorkbenchError, match="no head rules called 'none'"):
        read_mrg(b"(NN x)", rules="none")


def test_constituents_go_with_their_sentences():
    text = "(S (NP (DT a) (, ,)) (VP (VB b)))\n(. .)\n(S (PRN (, ,)) (NN c))"
    treebank = read_mrg(text.encode())
    assert treebank.select([2, 0]).constituents[1] == [(1, 4, "S"), (1, 3, "NP"), (3, 4, "VP")]
    assert treebank.limit(1).constituents[-1] == treebank.constituents[0]
    assert len(treebank.max_length(1).constituents) == 1
    assert treebank.with_heads(treebank.heads).constituents is treebank.constituents
    bare = treebank.without_punctuation()
    assert len(bare) == len(bare.constituents) == 2
    assert list(bare.constituents) == [[(1, 3, "S"), (1, 2, "NP"), (2, 3, "VP")], [(1, 2, "S")]]
    assert read_conllu(conllu_text(treebank).encode()).constituents is None
    with pytest.raises(IndexError, match="sentence 3 of 3"):
        treebank.constituents[3]


def test_pruning_before_and_after_percolation_keep_the_same_phrases(shared_data):
    file = shared_data / "en-wsj/wsj-sample-phrase/wsj-sample.mrg"
    before, after = read_mrg(file, punctuation=False), read_mrg(file).without_punctuation()
    np.testing.assert_array_equal(before.offsets, after.offsets)
    assert list(before.constituents) == list(after.constituents)


def test_yamada_and_matsumoto_give_the_known_heads_of_the_sample(shared_data):
    known = read_conllu(shared_data / "en-wsj/wsj-sample.conllu")
    ours = read_mrg(shared_data / "en-wsj/wsj-sample-phrase/wsj-sample.mrg", rules="yamada-matsumoto")
    np.testing.assert_array_equal(ours.heads, known.heads)
    assert ours.single_rooted().all()


HELSINKI = """/* made by a search (of trees) */
( (CODE <P_1>))
( (IP-MAT (NP-SBJ (PRO-N hann-hann)) (VBDI svaf-sofa) (CP-ADV (WADVP-1 0) (C er-er) (IP-SUB (ADVP *T*-1)
  (NP-SBJ *con*) (VBDI kom-koma))) (. .-.)) (ID A.B,1.2))
; a remark
( (IP-MAT (NP-SBJ (NUM 0-0)) (HYPH-N al-hljóð-al-hljóð)) (ID A.B,1.3))
"""


def test_ids_codes_and_traces_of_historical_corpora_are_no_words():
    first, second = read_mrg(HELSINKI.encode())
    assert (first.sent_id, second.sent_id) == ("A.B,1.2", "A.B,1.3")
    assert first.forms[1:] == ("hann", "svaf", "er", "kom", ".")
    assert first.lemmas[1:] == ("hann", "sofa", "er", "koma", ".")
    assert (second.forms[1:], second.lemmas[1:]) == (("0", "al-hljóð"), ("0", "al-hljóð"))


def test_without_lemmas_words_keep_their_hyphens():
    sentence = read_mrg(b"( (IP (PRO he) (VBD re-read) (C 0) (ADV now) (. .)) (ID 1,1))")[0]
    assert (sentence.forms[1:], sentence.lemmas[1]) == (("he", "re-read", "now", "."), "")


def test_remarks_between_trees_are_skipped():
    text = "*x*x*x* (c)\n;; a (remark)\n( (S (NN dog)\n; within\n (VB runs)))\n# (more)\n( (S (: ;) (VB runs)))\n"
    assert [sentence.forms[1:] for sentence in read_mrg(text.encode())] == [("dog", "runs"), (";", "runs")]
