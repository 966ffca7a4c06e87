"""Structural search: against an enumeration of all assignments, and its errors."""

import importlib
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import WorkbenchError
from core.search import all_hits, clusters, match, parse_request, search
from core.search.budget import Budget
from core.search.request import RequestError
from core.search.subtypes import left_out_words, with_subtypes
from core.treebank import Treebank, conllu_text, read_conllu
from core.treebank.graphs import SentenceGraph, deps_field
from core.treebank.relations import means
from tests.oracles.search import enumerate_hits

clusters_module = importlib.import_module("core.search.clusters")  # the package has a function of this name
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
        require_enumerated_hits(treebank, text)


def require_enumerated_hits(treebank, text):
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


GRAPH_REQUESTS = (
    "X -[E:nsubj]-> Y",
    "e: X -[E:*]-> Y; X -[obj]-> Y",
    "X -[E:nsubj:*|E:obj]-> Y; X << Y",
    "X -[^E:nsubj]-> Y; Y [upos=NOUN]",
    'X -[re"E:n.*"]-> Y; Z -[E:obj]-> Y',
    "ROOT -[E:root]-> X; X -[E:obj]-> Y",
    "X [upos=NOUN]; Y -[E:nsubj:xsubj]-> X",
    "pattern { X -> Y } without { X -[E:nsubj]-> Y }",
    "pattern { X [upos=NOUN] } without { Z -[E:*]-> X; X -> Z }",
)


@st.composite
def graph_treebanks(draw):
    """Trees with graphs: some in the text, some drawn over it, some left out since the tree has changed."""
    text = conllu_text(draw(treebanks()).to_conllu()).split("\n\n")
    relations = st.sampled_from(["nsubj", "nsubj:xsubj", "obj", "root"])
    sentences = []
    for sentence in filter(None, text):
        rows = [line.split("\t") for line in sentence.strip().split("\n") if not line.startswith("#")]
        nodes = st.sampled_from(["0", "1.1", *(row[0] for row in rows)])
        arcs = st.lists(st.tuples(nodes, relations), max_size=3)
        for row in rows:
            row[8] = deps_field(draw(arcs)) or "_"
        if draw(st.booleans()):
            rows.insert(1, ["1.1", *"_" * 7, deps_field(draw(arcs)) or "_", "_"])
        sentences.append("\n".join("\t".join(row) for row in rows) + "\n\n")
    treebank = read_conllu("".join(sentences).encode())
    if draw(st.booleans()):
        treebank = treebank.keeping_graphs()
    if draw(st.booleans()):
        heads = treebank.heads.copy()
        heads[treebank.offsets[-1] - 1] = -1
        treebank = treebank.with_heads(heads, treebank.deprel)
    if draw(st.booleans()):
        words = int(treebank.lengths[0])
        drawn = SentenceGraph(("", *(draw(st.sampled_from(["", "0:root", "1:nsubj|2:obj"])) for _ in range(words))))
        treebank = treebank.with_graphs({0: drawn})
    return treebank


@settings(max_examples=100, deadline=None)
@given(graph_treebanks())
def test_hits_in_graphs_are_those_of_the_enumeration(treebank):
    for text in GRAPH_REQUESTS:
        require_enumerated_hits(treebank, text)


GRAPH = """1	She	she	PRON	_	_	2	nsubj	2:nsubj|4:nsubj:xsubj|4.1:nsubj	_
2	wants	want	VERB	_	_	0	root	0:root	_
3	to	to	PART	_	_	4	mark	4:mark	_
4	sing	sing	VERB	_	_	2	xcomp	2:xcomp	_
4.1	dance	_	_	_	_	_	_	4:conj	_

"""


def test_enhanced_arcs_are_counted_by_their_relations_and_those_of_empty_nodes_are_named():
    treebank = read_conllu(GRAPH.encode())
    hits = search(treebank, parse_request("e: X -[E:*]-> Y; Y [upos=PRON]"))
    assert [(group.values, group.count) for group in clusters(hits, ["e.label"])] == [
        (("nsubj",), 1), (("nsubj:xsubj",), 1),
    ]  # fmt: skip
    assert hits.notes == ("a request names words alone; enhanced arcs from empty nodes are left out, 1 here",)
    bare = search(treebank.without_graphs(), parse_request("X -[E:nsubj]-> Y"))
    assert len(bare) == 0 and bare.notes == ("no sentence here has an enhanced graph",)
    assert search(treebank, parse_request("X -[nsubj]-> Y")).notes == ()


def test_a_request_that_mixes_tree_and_graph_is_refused():
    with pytest.raises(RequestError, match="write E: before each of its relations or before none"):
        parse_request("X -[E:nsubj|obj]-> Y")
    with pytest.raises(RequestError, match=r"e is an enhanced arc; write del_edge X -\[E:…\]-> Y"):
        parse_request("pattern { e: X -[E:nsubj]-> Y } commands { del_edge e }")


def test_subtypes_of_a_relation():
    treebank = Treebank.from_sentences(
        [{"forms": ["a", "b", "c"], "heads": [2, 0, 2], "deprels": ["nsubj:pass", "root", "nsubj"]}]
    )
    assert len(search(treebank, parse_request("X -[nsubj:*]-> Y"))) == 2
    assert len(search(treebank, parse_request("X -[nsubj]-> Y"))) == 1
    assert len(search(treebank, parse_request("X -[nsubj:pass]-> Y"))) == 1


def written_arcs(*deprels):
    return Treebank.from_sentences(
        [{"forms": ["a"] * len(deprels), "heads": [0, *[1] * (len(deprels) - 1)], "deprels": list(deprels)}]
    )


def test_subtypes_mean_the_same_as_in_rules_and_those_that_are_passed_over_are_said():
    treebank = written_arcs("root", "nsubj", "nsubj:pass", "nsubj:pass", "nsubj:outer", "obl:tmod", "obl")
    for request, passed, hits, more in (
        ("X -[nsubj]-> Y", {"nsubj:pass": 2}, 1, 3),
        ("X -[nsubj|nsubj:pass]-> Y", {}, 3, 3),
        ("X -[nsubj:outer]-> Y", {}, 1, 1),
        ("X -[^nsubj]-> Y", {}, 5, 3),
        ("X [deprel=obl]", {"obl:tmod": 1}, 1, 2),
        ('pattern { X -[nsubj|"obl"]-> Y } without { X -[re"obl.*"]-> Y }', {"nsubj:pass": 2, "obl:tmod": 1}, 1, 3),
        ("pattern { e: X -[obl]-> Y } commands { e.label = nmod }", {"obl:tmod": 1}, 1, 2),
    ):
        found = search(treebank, parse_request(request))
        assert (dict(found.left_out), len(found)) == (passed, hits)
        wider = search(treebank, parse_request(with_subtypes(request)))
        assert (len(wider), dict(wider.left_out)) == (more, {})
        assert wider.request.commands == found.request.commands
        rule = {name for name in treebank.deprel.values if means(["nsubj", "obl"], name)}
    assert rule == {"nsubj", "nsubj:pass", "obl", "obl:tmod"}


def test_subtypes_of_enhanced_arcs_are_counted_in_the_graphs():
    found = search(read_conllu(GRAPH.encode()), parse_request("X -[E:nsubj]-> Y"))
    assert left_out_words(found.left_out) == (
        "relations match as written; besides, the text has 1 E:nsubj:xsubj; E:nsubj:* has its subtypes too"
    )
    assert with_subtypes("X -[E:nsubj]-> Y % nsubj") == "X -[E:nsubj:*]-> Y % nsubj"


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
        ('pattern { X [] } commands { split X "a" }', "give the parts, two or more"),
        ("pattern { X [] } commands { add_node X :> X }", "names a word already"),
        ("pattern { X [] } commands { add_node N < X }", "expected ':'"),
        ("pattern { X [] } commands { add_node N :> X; N.upos = DET }", "the new word N has no form"),
        ("pattern { X [] } commands { add_node N :> X; N.form = a; add_edge N -[det]-> X }", "no arc can begin at"),
        ("pattern { X [] } commands { add_node N :> X; N.form = a; del_feat N.Case }", "only values and an arc"),
        ("pattern { X [] } commands { merge X }", "the name of a word"),
        ("pattern { X [] } commands { Y.upos = NOUN }", "not a command, arc or word"),
        ("X ~ Y", "line 1, column 3: '~' has no meaning here"),
        ("x" * 20_000, "10,000 characters"),
    ],
)
def test_a_request_that_cannot_be_read_says_where(text, message):
    with pytest.raises(RequestError) as caught:
        parse_request(text)
    assert message in str(caught.value)


def test_loose_requests_end_with_the_hits_found_before_memory_runs_out():
    treebank = Treebank.from_sentences([{"forms": ["a"] * 300, "heads": [0] + [1] * 299}] * 3)
    hits = search(treebank, parse_request("A []; B []; C []; D []"), Budget(most_bytes=1 << 29))
    assert "hits were found so far; tie the words by arcs" in hits.missing
    assert len(hits) > 0
    assert len(set(map(tuple, hits.rows[:100_000].tolist()))) == min(100_000, len(hits))


def test_a_long_chain_ends_with_the_hits_found_so_far():
    n = 3_000
    treebank, request = (
        Treebank.from_sentences([{"forms": ["a"] * n, "heads": list(range(n))}]),
        parse_request("A ->> B"),
    )
    hits = search(treebank, request, Budget(seconds=3600, most_bytes=1 << 25))
    assert re.match(r"the search stopped at 0\.03\d+ GB of hits; these [\d,]+ hits were found so far; ", hits.missing)
    assert 0 < len(hits) < n * (n - 1) // 2
    assert (hits.column("A") < hits.column("B")).all()
    spent = search(treebank, request, Budget(seconds=0))
    assert spent.missing.startswith("the search stopped after 0 seconds; nothing was found so far; ") and not len(spent)
    loose = Treebank.from_sentences([{"forms": ["a"] * 300, "heads": [0] + [1] * 299}] * 3)
    with pytest.raises(WorkbenchError, match="the search stopped"):
        all_hits(loose, parse_request("A []; B []; C []; D []"))


def test_hits_are_the_same_in_pieces(monkeypatch):
    rng = np.random.default_rng(3)
    sentences = [{"forms": ["a"] * 12, "heads": [0, *rng.integers(1, np.arange(2, 13)).tolist()]} for _ in range(4)]
    treebank = Treebank.from_sentences(sentences)
    for text in ("A ->> B; C []", "B -> C; A ->> B", "pattern { A << B } without { A ->> C; C -> D }"):
        whole = search(treebank, parse_request(text))
        with monkeypatch.context() as patch:
            patch.setattr(match, "MOST_CELLS", 40)
            pieces = search(treebank, parse_request(text))
        assert whole.names == pieces.names
        np.testing.assert_array_equal(whole.rows, pieces.rows)
        assert len(whole)
        assert whole.missing == pieces.missing == ""


@pytest.mark.parametrize("pattern", ["(a|a)+", "(a|aa)+"])
def test_a_regular_expression_has_a_time_limit(pattern):
    treebank = Treebank.from_sentences([{"forms": ["a" * 60 + "b"]}])
    hits = search(treebank, parse_request(f'A [form=re"{pattern}"]'), Budget(seconds=1.0))
    assert len(hits) == 0
    assert hits.missing.startswith(f"the regular expression {pattern!r} takes more than 1 seconds; nothing was found")


@pytest.mark.parametrize("pattern", ["(((a{1000}){1000}){1000}){1000}", "a{4294967295}", "(" * 2000 + ")" * 2000])
def test_a_regular_expression_that_cannot_be_written_out_is_refused(pattern):
    with pytest.raises(RequestError, match="the regular expression cannot be read"):
        parse_request(f'A [form=re"{pattern}"]')


@pytest.mark.parametrize(
    ("pattern", "form", "matches"),
    [
        (r"(.+)\1", "wikiwiki", True),
        (r"(?!un).*able", "readable", True),
        (r"(?!un).*able", "unable", False),
        (r"\w+", "größe", True),
        ("a{e}", "a{e}", True),
        ("a{e}", "b", False),
        (r"[ab]{2,3}", "aba", True),
    ],
)
def test_regular_expressions_mean_what_they_mean_in_python(pattern, form, matches):
    assert bool(re.fullmatch(pattern, form)) == matches
    treebank = Treebank.from_sentences([{"forms": [form]}])
    assert len(search(treebank, parse_request(f'A [form=re"{pattern}"]'))) == matches


def test_values_too_long_for_a_regular_expression_are_counted():
    treebank = Treebank.from_sentences([{"forms": ["a" * 20_000, "aa"]}])
    for sign in ("=", "<>"):
        hits = search(treebank, parse_request(f'A [form{sign}re"b|a.*"]'))
        assert len(hits) == (sign == "=")
        assert hits.missing.startswith("1 values of more than 10,000 characters were not tested")


def test_counting_by_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(clusters_module, "MOST_CLUSTERS", 5)
    treebank = Treebank.from_sentences([{"forms": list("abcdefgh")}])
    with pytest.raises(WorkbenchError, match=r"X\.form take 8 different values, more than 5"):
        clusters(search(treebank, parse_request("X []")), ["X.form"])


ODD = """# sent_id = news-1
# text = Ende\u0301 (a b
1	Ende\u0301	ende	NOUN	_	Number[psor]=Plur,Sing	2	nsubj	_	Gloss=end
2	(	(	SYM	_	_	0	root	_	_
3	a	a	NOUN	_	Case=Nom	2	dep	_	_
4	पेड़	b	NOUN	_	_	1	dep	_	_

# sent_id = novel-1
# text = a b
1	a	a	NOUN	_	Number=Sing	2	dep	_	Gloss=of
2	b	b	VERB	_	_	0	root	_	_

"""


@pytest.fixture(scope="module")
def odd():
    return read_conllu(ODD.encode())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("X [Gloss=end]", 1),
        ("X [misc.Gloss]", 2),
        ("X [misc.Number]", 0),
        ('X [Number[psor]="Plur,Sing"]', 1),
        ('X [Number__psor=re"Plur.*"]', 1),
        ("X [!Number[psor], upos=NOUN]", 3),
        ('X [lemma=re"END."i]', 1),
        ("X [lemma=/END./i]", 1),
        ("X [lemma=/end./|/b/]", 3),
        ("X [lemma=/END./]", 0),
        ("X [form=Endé]", 1),  # however the accent is written
        ('X [form=re"endé"i]', 1),
        ("X [form=पेड़]", 1),  # marks are of their word
        ("X.form = Y.form", 0),
        ("pattern { X [upos=NOUN] } global { is_projective }", 1),
        ("global { is_not_projective } pattern { X [upos=NOUN] }", 3),
        ("pattern { X [] } global { is_tree } global { sent_id = novel-1 }", 2),
        ('X [upos=NOUN] global { text = re"a .*"; sent_id <> news-1; !newdoc }', 1),
        ("X [upos=NOUN] global { newdoc }", 0),
        ("X [upos=NOUN] global { !is_tree }", 0),
    ],
)
def test_what_else_can_be_asked(odd, text, count):
    assert len(search(odd, parse_request(text))) == count


@pytest.mark.parametrize(
    ("key", "note"),
    [
        ("UPOS", "no word has UPOS; did you mean upos?"),
        ("Lemma", "no word has Lemma; did you mean lemma?"),
        ("number[psor]", "no word has number[psor]; did you mean Number[psor]?"),
        ("gloss", "no word has gloss; did you mean Gloss?"),
        ("Xyz", "no word has Xyz"),
        ("xpos", "no word has xpos; did you mean upos?"),
    ],
)
def test_a_key_that_no_word_has_is_named(odd, key, note):
    assert search(odd, parse_request(f"X [{key}=a]")).notes == (note,)
    assert search(odd, parse_request(f"pattern {{ X [upos] }} without {{ X [!{key}] }}")).notes


def test_values_that_are_composed_are_said_and_counted_together(odd):
    hits = search(odd, parse_request("X [upos]"))
    assert not hits.notes
    assert search(odd, parse_request("X [form=a]")).notes == (
        "some values of form have accents apart (NFD); they are compared composed (NFC)",
    )
    assert "Endé" in [values for cluster in clusters(hits, ["X.form"]) for values in cluster.values]
    with pytest.raises(WorkbenchError, match="no word has UPOS; did you mean upos"):
        clusters(hits, ["X.UPOS"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X [form=(]", "has no meaning here; a value with such signs stands in double quotes"),
        ("X [form=Sr.]", "before '.'; a value with such signs stands in double quotes"),
        ("X [form==]", "stands in double quotes"),
        ('X [form=re"a"s]', "the flag s is not known"),
        ("X [form=/a/x]", "the flag x is not known"),
        ("X [] global { is_cyclic }", "there is no kind of sentence is_cyclic; write is_projective"),
        ("X [] global { is_tree = yes }", "has no value"),
        ("pattern { X [] } commands { X.UPOS = NOUN }", "did you mean upos?"),
        ("pattern { X [] } commands { X.misc.Gloss = a }", "MISC cannot be rewritten"),
        ("X [Number[]", "a layer such as psor"),
    ],
)
def test_what_is_refused_helps(text, message):
    with pytest.raises(RequestError, match=re.escape(message)):
        parse_request(text)


LABELS = ("root", "comp:obj", "comp:obj@x", "comp:aux", "comp", "subj@expl", "nsubj:pass:x")


def matched(clauses):
    """The relations, of LABELS, of the arcs that a request with these features of an arc finds."""
    treebank = Treebank.from_sentences(
        [{"forms": ["a"] * len(LABELS), "heads": [0, *[1] * (len(LABELS) - 1)], "deprels": LABELS}]
    )
    hits = search(treebank, parse_request(f"X -[{clauses}]-> Y"))
    return [treebank.deprel[row] for row in hits.column("Y").tolist()]


@pytest.mark.parametrize(
    ("clauses", "relations"),
    [
        ("1=comp, 2=obj", ["comp:obj", "comp:obj@x"]),
        ("1=comp, 2<>obj", ["comp:aux"]),
        ("1=comp|subj, !2", ["comp", "subj@expl"]),
        ("2, !deep", ["comp:obj", "comp:aux", "nsubj:pass:x"]),
        ("deep=expl|x", ["comp:obj@x", "subj@expl"]),
        ('1=re".*subj"', ["subj@expl", "nsubj:pass:x"]),
        ("3=x", ["nsubj:pass:x"]),
        ("1<>comp, enhanced=no", ["subj@expl", "nsubj:pass:x"]),
    ],
)
def test_the_parts_of_a_relation_are_features_of_its_arc(clauses, relations):
    assert matched(clauses) == relations
    assert parse_request(f"X -[{clauses}]-> Y").pattern.arcs[0].enhanced is False
    assert with_subtypes(f"X -[{clauses}]-> Y") == f"X -[{clauses}]-> Y"


def test_enhanced_is_a_feature_too():
    assert parse_request("X -[1=obj, enhanced=yes]-> Y").pattern.arcs[0].enhanced is True
    for text, message in (
        ("X -[4=a]-> Y", "an arc has no 4; write 1, 2, 3, deep or enhanced"),
        ("X -[^1=a]-> Y", "write <> in place of =, and no \\^"),
        ("X -[enhanced=perhaps]-> Y", "write enhanced=yes for an arc of the graph"),
    ):
        with pytest.raises(RequestError, match=message):
            parse_request(text)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("X [lemma=“see”]; X –[nsubj]–> Y", 'X [lemma="see"]; X -[nsubj]-> Y'),
        ("X → Y; X [form=re„a.*“]", 'X -> Y; X [form=re"a.*"]'),
        ("X [lemma=« see »]", 'X [lemma="see"]'),
        ('\ufeffX\u200b [lemma="\u200fילד"]', 'X [lemma="\u200fילד"]'),
        ('X [form="“"]', 'X [form="“"]'),
        ("X [form=/“.”/]", "X [form=/“.”/]"),
    ],
)
def test_signs_of_word_processors_are_read(written, plain):
    assert parse_request(written) == parse_request(plain)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("X -[comp:abj]-> Y", ("the text has no relation comp:abj; the nearest is comp:obj",)),
        ("X [form=b]", ("the text has no form b; it has a",)),
        ("X [form=re\"b\"]", ()),
        ("X -[subj|sub]-> Y", ()),
        ("X [form=a]; X -[^comp]-> Y; Y -> X", ()),
    ],
)  # fmt: skip
def test_what_the_text_has_nowhere_is_named_where_there_is_no_hit(text, notes):
    treebank = Treebank.from_sentences(
        [{"forms": ["a"] * 3, "heads": [0, 1, 1], "deprels": ["root", "comp:obj", "subj"]}]
    )
    assert search(treebank, parse_request(text)).notes == notes
