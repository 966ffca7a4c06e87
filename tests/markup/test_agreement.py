"""The agreement table: counts, groups, intervals, phrases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.markup import Bracket, agreement, satisfies, wilson
from core.markup.agreement import JUDGED
from core.treebank import Treebank, read_mrg

# As author of The Satanic Verses ; the Toronto Star reports (heads as the paper's section 5.3 has its examples)
SENTENCES = [
    {"forms": ["the", "Toronto", "Star", "reports"], "heads": [3, 3, 4, 0], "sent_id": "star"},
    {"forms": ["waiting", "for", "Fox", "News", "in", "Canada"], "heads": [0, 1, 4, 2, 1, 5], "sent_id": "fox"},
    {"forms": ["no", "tree", "here"], "heads": [-1, -1, -1], "sent_id": "none"},
]
BRACKETS = [
    [Bracket(2, 4, "i"), Bracket(2, 5, "a"), Bracket(1, 4, "b")],
    [Bracket(3, 7, "a+i"), Bracket(3, 4, "u")],
    [Bracket(1, 3, "a")],
]


def marked():
    pairs = zip(SENTENCES, ("x/1", "x/2", "y"), strict=True)
    return Treebank.from_sentences({**sentence, "comments": [f"source = {source}"]} for sentence, source in pairs)


def test_levels_are_counted_for_all_and_for_longer_brackets_by_tag_name_and_by_source():
    found = agreement(marked(), BRACKETS)
    assert found.all.brackets == 5 and found.multiword.brackets == 4
    assert found.all.hits == {"strict": 2, "loose": 3, "sprawl": 4, "tear": 5}
    assert found.multiword.hits == {"strict": 1, "loose": 2, "sprawl": 3, "tear": 4}
    assert (found.sentences, found.unjudged, found.all.phrases) == (2, 1, None)
    assert {tag: pair[0].brackets for tag, pair in found.by_tag.items()} == {"a": 2, "i": 2, "b": 1, "u": 1}
    assert found.by_tag["i"][0].hits == {"strict": 0, "loose": 1, "sprawl": 1, "tear": 2}
    assert {source: pair[0].brackets for source, pair in found.by_source.items()} == {"x": 5}
    assert found.as_dict()["by_tag"]["u"]["multiword"]["brackets"] == 0


def test_the_same_words_count_once_and_the_whole_sentence_not_at_all():
    found = agreement(marked(), [[Bracket(2, 4, "i"), Bracket(2, 4, "b"), Bracket(1, 5, "a")], [], []])
    assert found.all.brackets == 1 and set(found.by_tag) == {"i", "b"}


def test_phrases_are_counted_where_there_are_some():
    treebank = read_mrg(b"( (S (NP (DT the) (NNP Toronto) (NNP Star)) (VP (VBZ reports) (NP (DT this)))) )")
    found = agreement(treebank, [[Bracket(2, 4, "i"), Bracket(1, 4, "i"), Bracket(4, 6, "a"), Bracket(5, 6, "a")]])
    assert found.all.phrases == 3 and found.all.share("phrase") == 0.75 and found.multiword.phrases == 2
    assert found.all.as_dict()["phrase"]["share"] == 75


heads = st.integers(2, 7).flatmap(lambda n: st.tuples(*(st.integers(0, word) for word in range(n))))


@given(heads, st.data())
def test_hits_are_those_of_satisfies(heads, data):
    n = len(heads)
    start = data.draw(st.integers(1, n))
    bracket = Bracket(start, data.draw(st.integers(start + 1, n + (start > 1))))
    found = agreement(Treebank.from_sentences([{"forms": ["w"] * n, "heads": heads}]), [[bracket]])
    assert found.all.hits == {level: satisfies(np.array([-1, *heads]), bracket, level) for level in JUDGED}


def test_wilson_intervals():
    assert wilson(0, 0) == (None, None)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # Newcombe (1998), Table I, method 3
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


@pytest.mark.parametrize(
    "brackets, message",
    [
        ([[], [], []], "has no brackets; extract some"),
        ([[], [], [Bracket(1, 3)]], "no marked sentence has a tree; parse the file first"),
        ([[]], "3 sentences need as many lists of brackets, got 1"),
        ([[Bracket(4, 6)], [], []], "sentence 1 has 4 words, a bracket ends at word 5"),
    ],
)
def test_what_cannot_be_judged(brackets, message):
    with pytest.raises(WorkbenchError, match=message):
        agreement(marked(), brackets)
