"""Structural search: against an enumeration of all assignments, and its errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.search import clusters, parse_request, search
from core.search.request import RequestError
from core.treebank import Treebank
from tests.oracles.search import enumerate_hits

REQUESTS = (
    "X [upos=NOUN]",
    'X [upos=NOUN|VERB, Number=Sing]; Y [form<>"a"]; X -> Y',
    "e: X -[nsubj|obj]-> Y; X << Y",
    "X -[^nsubj]-> Y; Y < X",
    'X -[re"n.*|o.*"]-> Y',
    "X ->> Y; Y [upos=DET]",
    "ROOT -> X; X -> *",
    "ROOT ->> X; X [upos=NOUN]",
    "X [upos=NOUN]; Y [upos=NOUN]; X << Y; X.form = Y.form",
    "X [Number]; Y [!Number]; X.upos <> Y.upos; X > Y",
    'pattern { X [form=re"[ab]"] } without { X -> Y; Y [upos=DET] }',
    "pattern { X [upos=VERB]; X -> Y } without { X -[obj]-> Z } without { Z < X }",
    "pattern { X -> Y; X -> Z; Y << Z } without { Z [upos=DET] }",
)


@st.composite
def treebanks(draw):
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        n = draw(st.integers(1, 5))
        order = draw(st.permutations(range(1, n + 1)))
        heads = [0] * n
        for place, word in enumerate(order[1:], 1):
            heads[word - 1] = order[draw(st.integers(0, place - 1))]
        sentences.append(
            {
                "forms": draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n)),
                "upos": draw(st.lists(st.sampled_from(["NOUN", "VERB", "DET"]), min_size=n, max_size=n)),
                "feats": draw(
                    st.lists(st.sampled_from(["", "Number=Sing", "A=b|Number=Plur"]), min_size=n, max_size=n)
                ),
                "heads": heads,
                "deprels": ["root" if head == 0 else draw(st.sampled_from(["nsubj", "obj", "det"])) for head in heads],
            }
        )
    return Treebank.from_sentences(sentences)


@settings(max_examples=60, deadline=None)
@given(treebanks())
def test_hits_are_those_of_the_enumeration(treebank):
    for text in REQUESTS:
        request = parse_request(text)
        hits = search(treebank, request)
        order = [hits.names.index(name) for name in request.pattern.words]
        found = [
            (int(sentence), *(row[order] - treebank.offsets[sentence]).tolist())
            for sentence, row in zip(hits.sentences, hits.rows, strict=True)
        ]
        expected = {(index, *hit) for index in range(len(treebank)) for hit in enumerate_hits(treebank[index], request)}
        assert len(found) == len(set(found)), text
        assert set(found) == expected, text


def test_subtypes_of_a_relation():
    treebank = Treebank.from_sentences(
        [{"forms": ["a", "b", "c"], "heads": [2, 0, 2], "deprels": ["nsubj:pass", "root", "nsubj"]}]
    )
    assert len(search(treebank, parse_request("X -[nsubj:*]-> Y"))) == 2
    assert len(search(treebank, parse_request("X -[nsubj]-> Y"))) == 1
    assert len(search(treebank, parse_request("X -[nsubj:pass]-> Y"))) == 1


def test_clusters_partition_the_hits():
    treebank = Treebank.from_sentences(
        [
            {"forms": ["a", "b"], "upos": ["DET", "NOUN"], "heads": [2, 0], "deprels": ["det", "root"]},
            {"forms": ["c", "d"], "upos": ["NOUN", "NOUN"], "heads": [0, 1], "deprels": ["root", "det"]},
        ]
    )
    hits = search(treebank, parse_request("e: H -> M"))
    assert [(each.values, each.count) for each in clusters(hits, ["e.label"])] == [(("det",), 2)]
    both = clusters(hits, ["M.upos", "e.length"])
    assert {(each.values, each.count) for each in both} == {(("DET", -1), 1), (("NOUN", 1), 1)}
    assert sorted(np.concatenate([each.hits for each in both]).tolist()) == [0, 1]
    assert hits.words(0) == {"H": 2, "M": 1}
    with pytest.raises(WorkbenchError, match=r"M\.upos"):
        clusters(hits, ["Q.upos"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no word"),
        ("pattern { X [upos=VERB }", "line 1, column 24: expected ',' or ']'"),
        ("X [upos=]", "line 1, column 9: expected a value"),
        ('X [form=re"("]', "regular expression"),
        ("X [upos=VERB];\nX -[obj-> Y", "line 2"),
        ("X -> ROOT", "ROOT has no head"),
        ("e: X -> Y; e: Y -> Z", "two arcs are named e"),
        ("X.upos = NOUN", "another word's value"),
        ("pattern { X [] } commands { del_edge e }", "no arc is named e"),
        ("pattern { X [] } commands { X.form = a }", "forms are the text itself"),
        ("pattern { X [] } commands { Y.upos = NOUN }", "not a command, arc or word"),
        ("X ~ Y", "line 1, column 3: '~' has no meaning here"),
        ("x" * 20_000, "10,000 characters"),
    ],
)
def test_a_request_that_cannot_be_read_says_where(text, message):
    with pytest.raises(RequestError) as caught:
        parse_request(text)
    assert message in str(caught.value)


def test_loose_requests_are_refused_before_memory_runs_out():
    treebank = Treebank.from_sentences([{"forms": ["a"] * 300, "heads": [0] + [1] * 299}] * 3)
    with pytest.raises(WorkbenchError, match="combinations with"):
        search(treebank, parse_request("A []; B []; C []; D []"))
