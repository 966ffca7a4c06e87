"""Changes by hand keep a tree a tree, whatever they are, and say what they bring with them."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.annotation import SentenceAnnotation, adopt, annotated, attach, change, detach
from core.errors import WorkbenchError
from core.treebank import Treebank, conllu_text, load_sample, read_conllu
from tests.oracles.trees import is_tree, trees


def of(heads, deprels=None):
    n = len(heads)
    blank = ("",) * (n + 1)
    deprels = ("", *(deprels or ["root" if head == 0 else "dep" for head in heads]))
    return SentenceAnnotation(("", *"abcdefgh"[:n]), (-1, *heads), deprels, blank, blank, blank, blank)


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.tuples(st.sampled_from([tuple(tree) for tree in trees(n)]), st.integers(1, n), st.integers(0, n))
    )
)
def test_any_change_of_a_head_leaves_a_tree(drawn):
    tree, word, head = drawn
    before = of([int(value) for value in tree[1:]])
    if word == head:
        with pytest.raises(WorkbenchError, match="its own head"):
            attach(before, word, head)
        return
    assume(before.heads[word] != 0 or head in below(before.heads, word))  # the only root stays one
    after = attach(before, word, head, "obj")
    assert after.heads[word] == head
    assert is_tree(after.heads)
    assert after.deprels[word] == ("root" if head == 0 else "obj")
    assert [label == "root" for label in after.deprels[1:]] == [value == 0 for value in after.heads[1:]]


def below(heads, word):
    found = {word}
    for _ in heads:
        found |= {m for m in range(1, len(heads)) if heads[m] in found}
    return found


def test_a_new_root_takes_the_old_one_under_itself():
    after = attach(of([2, 0, 2], ["det", "root", "obj"]), 3, 0)
    assert after.heads == (-1, 2, 3, 0)
    assert after.deprels == ("", "det", "dep", "root")


def test_a_head_from_below_takes_the_words_place():
    after = attach(of([2, 4, 2, 0], ["det", "nsubj", "nmod", "root"]), 2, 3, "compound")
    assert after.heads == (-1, 2, 3, 4, 0)
    assert after.deprels == ("", "det", "compound", "nsubj", "root")


def test_words_without_heads_are_allowed_on_the_way():
    bare = of([-1, -1, -1], ["", "", ""])
    assert not bare.complete
    after = attach(attach(bare, 1, 2, "det"), 2, 3, "nsubj")
    assert after.heads == (-1, 2, 3, -1)
    assert attach(after, 3, 1, "dep").heads == (-1, -1, 3, 1)  # 1 took the place of 3, which had none
    assert detach(after, 1).heads == (-1, -1, 3, -1)
    assert detach(after, 1).deprels[1] == ""


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("deprels", "n subj", "holds a space"),
        ("upos", "A\tB", "tab or line end"),
        ("feats", "Case", "no list of features"),
        ("forms", "x", "no column"),
        ("lemmas", 3, "must be text"),
        ("lemmas", "x" * 501, "longer than"),
    ],
)
def test_values_that_no_file_can_hold_are_refused(column, value, said):
    with pytest.raises(WorkbenchError, match=said):
        change(of([0]), column, 1, value)


def test_features_are_put_in_order_and_an_underscore_is_nothing():
    assert change(of([0]), "feats", 1, "Number=Sing|Case=Nom").feats[1] == "Case=Nom|Number=Sing"
    assert change(of([0]), "lemmas", 1, "_").lemmas[1] == ""


@pytest.mark.parametrize("word", [0, 4, -1, True, "1", None])
def test_words_that_are_not_there_are_named(word):
    with pytest.raises(WorkbenchError, match="there is no word"):
        attach(of([0, 1, 1]), word, 0)


@pytest.mark.parametrize("heads", [[2, 1], [3, 0], [0, "1"], [True, 0], [0]])
def test_what_is_no_tree_is_not_adopted(heads):
    with pytest.raises(WorkbenchError):
        adopt(of([0, 1]), {"heads": heads})
    with pytest.raises(WorkbenchError, match="no column"):
        adopt(of([0, 1]), {"forms": ["x", "y"]})


def test_only_what_differs_is_kept_and_it_fits_back():
    before = of([2, 0, 2])
    after = change(attach(before, 3, 1, "obj"), "upos", 1, "NOUN")
    values = after.values(before)
    assert set(values) == {"heads", "deprels", "upos"}
    assert before.with_values(values) == after
    with pytest.raises(WorkbenchError, match="changed under it"):
        of([0]).with_values(values)


def test_a_treebank_under_annotations_changes_only_their_lines():
    sample = load_sample().limit(5)
    sample = Treebank.from_sentences([sentence.as_dict() for sentence in sample])
    assert annotated(sample, {}) is sample
    first = SentenceAnnotation.of(sample[2])
    changed = change(change(attach(first, 1, 3, "obj"), "upos", 1, "NOUN"), "feats", 1, "Case=Nom")
    result = annotated(sample, {2: detach(changed, 4)})
    before, after = conllu_text(sample).split("\n"), conllu_text(result).split("\n")
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 2
    assert SentenceAnnotation.of(result[2]) == detach(changed, 4)


MISC = ("SpaceAfter=No|Gloss=cats|Ref=2", "_", "Translit=koshki")
GLOSSED = "".join(f"{m}\tw{m}\t_\tNOUN\t_\t_\t{m - 1}\tdep\t_\t{misc}\n" for m, misc in enumerate(MISC, start=1)) + "\n"


def test_glosses_and_transliterations_are_entries_of_misc_and_the_others_stay():
    (sentence,) = treebank = read_conllu(GLOSSED.encode())
    before = SentenceAnnotation.of(sentence)
    assert before.gloss == ("", "cats", "", "") and before.translit == ("", "", "", "koshki")
    after = change(change(change(before, "gloss", 1, " the cats "), "gloss", 2, "sleep"), "translit", 3, "_")
    values = after.values(before)
    assert values == {"gloss": ["the cats", "sleep", ""], "translit": ["", "", ""]}
    assert before.with_values(values).misc == after.misc
    changed = annotated(treebank, {0: after})
    assert changed.misc.strings().tolist()[1:] == ["SpaceAfter=No|Gloss=the cats|Ref=2", "Gloss=sleep", ""]
    assert annotated(changed, {0: before}).misc.strings().tolist() == treebank.misc.strings().tolist()
    assert annotated(treebank, {0: before}).source.data == treebank.source.data
    with pytest.raises(WorkbenchError, match="holds a bar"):
        change(before, "gloss", 1, "a|b")


def test_words_whose_misc_is_unknown_get_no_gloss_from_it():
    (sentence,) = treebank = read_conllu(GLOSSED.encode())
    bare = replace(SentenceAnnotation.of(sentence), misc=())
    assert bare.gloss == ("", "", "", "")
    assert annotated(treebank, {0: bare}).source.data == treebank.source.data
    assert change(bare, "gloss", 2, "sleep").misc == ("", "", "Gloss=sleep", "")
