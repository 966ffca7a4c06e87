"""Tables 1 to 5 on small cases, the paper's own among them, and against a naive oracle."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.markup import Bracket, markup_statistics
from core.markup.statistics import table
from core.markup.subtrees import dependency_parts, phrase_parts
from core.treebank import Treebank, read_mrg
from tests.oracles import markup as oracle
from tests.oracles.treebank_texts import trees

# [S [NP the <a>Toronto Star][VP reports [NP this][PP in the softest possible way]</a>,[S stating ...]]]
TAGS = ["ROOT", "DT", "NNP", "NNP", "VBZ", "DT", "IN", "DT", "JJS", "JJ", "NN", ",", "VBG"]
HEADS = [-1, 3, 3, 4, 0, 4, 4, 10, 10, 10, 6, 4, 4]
PHRASES = [
    (1, 13, "S"), (1, 4, "NP-SBJ"), (4, 13, "VP"), (5, 6, "NP"), (6, 11, "PP"), (7, 11, "NP"), (12, 13, "S"),
]  # fmt: skip


def test_phrases_that_straddle_are_spelt_out_as_in_the_paper():
    assert phrase_parts(PHRASES, TAGS, Bracket(2, 11)) == ("S", "DT [NNP NNP VBZ NP PP] , S")
    assert phrase_parts(PHRASES, TAGS, Bracket(1, 4)) == ("NP", "[DT NNP NNP]")
    assert phrase_parts(PHRASES, TAGS, Bracket(2, 4)) == ("NP", "DT [NNP NNP]")
    assert phrase_parts(PHRASES, TAGS, Bracket(5, 6)) == ("NP", "[DT]")
    assert phrase_parts([(1, 4, "NP"), (4, 7, "VP"), (5, 6, "NP")], TAGS[:7], Bracket(1, 7)) == ("ROOT", "[NP VP]")
    assert phrase_parts([], TAGS[:4], Bracket(2, 4)) == ("ROOT", "DT [NNP NNP]")


def test_spawns_keep_what_is_attached_across_a_bound():
    label, production, spawn = dependency_parts(HEADS, TAGS, Bracket(2, 11))
    assert (label, production) == ("VBZ", "DT [NNP NNP VBZ DT (IN)] , VBG")
    assert spawn == "DT [NNP VBZ] , VBG"  # the paper's DT NNP VBZ, and the clause that follows the bracket
    assert dependency_parts(HEADS, TAGS, Bracket(2, 4))[1:] == ("DT [NNP NNP]", "DT [NNP]")
    assert dependency_parts(HEADS, TAGS, Bracket(1, 4))[2] == "[NNP]"
    new_yorker = [-1, 5, 5, 4, 5, 0]  # a 1994 <i>New Yorker</i> article
    flat = [-1, 5, 5, 5, 5, 0]
    tags = ["ROOT", "DT", "CD", "NNP", "NNP", "NN"]
    assert dependency_parts(flat, tags, Bracket(3, 5))[2] == "DT CD [NNP NNP] NN"
    assert dependency_parts(new_yorker, tags, Bracket(3, 5)) == ("NNP", "[NNP NNP]", "[NNP]")


@given(st.integers(1, 3).flatmap(lambda roots: trees(max_words=8, roots=roots)), st.data())
def test_any_tree_matches_the_oracle(heads, data):
    n = len(heads) - 1
    start = data.draw(st.integers(1, n))
    end = data.draw(st.integers(start + 1, n + 1))
    tags = ["ROOT", *(f"T{word}" for word in range(1, n + 1))]
    label, production, spawn = dependency_parts(heads, tags, Bracket(start, end))
    assert label == tags[oracle.lowest_dominating(heads, start, end)]
    assert spawn.replace("[", "").replace("]", "").split() == [tags[word] for word in oracle.spawn(heads, start, end)]
    assert production.count("[") == production.count("]") == 1


TREES = b"""( (S (NP (DT The) (NNP Toronto) (NNP Star)) (VP (VBZ reports) (NP (DT this))) (. .)) )
( (S (NP (PRP It)) (VP (VBD slept)) (. .)) )
( (S (NP (DT The) (NN dog)) (VP (VBD slept)) (. .)) )
"""
MARKS = [[Bracket(2, 4, "i"), Bracket(2, 6, "a"), Bracket(5, 6, "a")], [], [Bracket(1, 3, "a+b")]]


def test_tables_of_a_small_corpus():
    found = markup_statistics(read_mrg(TREES), MARKS)
    assert [(row.sentences, row.tokens, row.marked, row.brackets, row.multiword) for row in found.sizes] == [
        (3, 13, 2, 4, 3)
    ] * 3
    rows = {row.length: (row.sentences, row.tokens, row.brackets, row.multiword) for row in found.cutoffs}
    assert rows[0] == (3, 13, 4, 3) and rows[1] == rows[2] == (2, 10, 4, 3) and rows[3] == (1, 6, 3, 2)
    assert rows[4] == (1, 6, 3, 2) and rows[5] == rows[40] == (0, 0, 0, 0)
    assert found.sequences == Counter({"NNP NNP": 1, "NNP NNP VBZ DT": 1, "DT": 1, "DT NN": 1})
    assert found.phrases == "constituents" and found.dominating == Counter({"NP": 3, "S": 1})
    assert found.productions["S → DT [NNP NNP VP] ."] == 1 and found.productions["NP → [DT NN]"] == 1
    assert found.spawns == Counter({"DT [NNP]": 1, "DT [NNP VBZ] .": 1, "[DT]": 1, "[NN]": 1})
    assert found.as_dict(1)["dominating"] == [{"name": "NP", "count": 3, "share": 75, "sum": 75}]


def test_tables_of_one_tag_and_of_one_source():
    pairs = zip(read_mrg(TREES), "xyx", strict=True)
    treebank = Treebank.from_sentences({**one.as_dict(), "comments": [f"source = {name}/1"]} for one, name in pairs)

    def size(**wanted):
        found = markup_statistics(treebank, MARKS, **wanted)
        return found.sizes[0].sentences, found.sizes[0].tokens, found.sizes[0].brackets, "NNP NNP" in found.sequences

    assert [size(tag=tag) for tag in "au"] == [(3, 13, 3, False), (3, 13, 0, False)]
    assert [size(source=source) for source in "xy"] == [(2, 10, 4, True), (1, 3, 0, False)]


def test_tables_need_no_more_than_there_is():
    bare, marks = {"forms": ["a", "b", "c"]}, [[Bracket(1, 3, "a")]]
    tagged = Treebank.from_sentences([{**bare, "upos": ["X", "Y", "Z"]}])
    found = markup_statistics(Treebank.from_sentences([bare]), marks)
    assert found.sizes[0].brackets == 1 and not found.sequences and found.phrases is None
    found = markup_statistics(tagged, marks)
    assert found.sequences == Counter({"X Y": 1}) and not found.dominating and not found.spawns
    with pytest.raises(WorkbenchError, match="no word has a tag in xpos"):
        markup_statistics(tagged, [[]], tags="xpos")


def test_ranked_rows():
    assert table(Counter()) == []
    assert [row["sum"] for row in table(Counter(a=1, b=3))] == [75, 100]
