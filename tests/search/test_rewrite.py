"""Rewriting: the dry run, acceptance hit by hit, and what would break a tree."""

import pytest

from core.errors import WorkbenchError
from core.search import parse_request, propose, rewrite, search
from core.treebank import Treebank, conllu_text, read_conllu
from core.treebank.render import treebank_bytes


@pytest.fixture
def treebank():
    return Treebank.from_sentences(
        [
            {
                "forms": ["She", "has", "seen", "it"],
                "upos": ["PRON", "AUX", "VERB", "PRON"],
                "feats": ["Case=Nom", "", "", ""],
                "heads": [3, 3, 0, 3],
                "deprels": ["nsubj", "aux", "root", "obj"],
            },
            {
                "forms": ["He", "may", "go"],
                "upos": ["PRON", "AUX", "VERB"],
                "heads": [3, 3, 0],
                "deprels": ["nsubj", "aux", "root"],
            },
        ]
    )


def rewritten(treebank, text, accept=None):
    return rewrite(treebank, propose(treebank, parse_request(text))[1], accept)


def test_auxiliaries_become_heads(treebank):
    text = """pattern { e: ROOT -> V; V -[aux]-> A }
              commands { del_edge e; add_edge ROOT -[root]-> A; add_edge A -[xcomp]-> V }"""
    result = rewritten(treebank, text)
    assert len(result.done) == 2
    assert result.treebank[0].heads.tolist() == [-1, 3, 0, 2, 3]
    assert result.treebank[1].deprels[1:] == ("nsubj", "root", "xcomp")
    assert treebank[0].heads.tolist() == [-1, 3, 3, 0, 3]


def test_only_accepted_hits_change(treebank):
    result = rewritten(treebank, "pattern { X [upos=AUX] } commands { X.upos = VERB }", accept={1})
    assert [sentence.upos[2] for sentence in result.treebank] == ["AUX", "VERB"]


def test_features_are_set_and_removed(treebank):
    text = "pattern { X [form=it] } commands { X.Person = 3; X.Case = Acc }"
    assert rewritten(treebank, text).treebank[0].feats[4] == "Case=Acc|Person=3"
    assert rewritten(treebank, "pattern { X [Case] } commands { del_feat X.Case }").treebank[0].feats[1] == ""


def test_what_would_break_a_tree_is_refused(treebank):
    cycle = rewritten(treebank, "pattern { V -[nsubj]-> N } commands { add_edge N -[x]-> V }")
    assert not cycle.done
    assert "root words" in cycle.refused[0].refusal
    orphan = rewritten(treebank, "pattern { e: V -[nsubj]-> N } commands { del_edge e }")
    assert "no head" in orphan.refused[0].refusal
    assert treebank_bytes(orphan.treebank) == treebank_bytes(treebank)
    loop = rewritten(
        treebank, "pattern { V -[obj]-> O; V -[nsubj]-> N } commands { add_edge O -[x]-> N; add_edge N -[y]-> O }"
    )
    assert "cycle" in loop.refused[0].refusal


def test_hits_that_meet_are_refused_one_by_one(treebank):
    result = rewritten(treebank, "pattern { V [upos=VERB]; V -> D } commands { V.Deps = x; D.upos = X; V.lemma = a }")
    assert len(result.done) == 5  # equal changes do not meet
    clash = rewritten(treebank, "pattern { V [upos=VERB]; V -> D; V -> E } commands { add_edge D -[x]-> E }")
    assert any("an earlier hit" in each.refusal or "cycle" in each.refusal for each in clash.refused)
    assert len(clash.done) + len(clash.refused) == len(search(treebank, parse_request("V [upos=VERB]; V -> D; V -> E")))


def test_a_request_without_commands_is_no_rewriting(treebank):
    with pytest.raises(WorkbenchError, match="no commands"):
        propose(treebank, parse_request("X []"))


GRAPHS = """1	She	she	PRON	_	_	2	nsubj	2:nsubj	_
2	wants	want	VERB	_	_	0	root	0:root	_
3	to	to	PART	_	_	4	mark	4:mark	_
4	sing	sing	VERB	_	_	2	xcomp	2:xcomp	_

1	I	I	PRON	_	_	2	nsubj	2:nsubj	_
2	do	do	VERB	_	_	0	root	0:root	_

"""
CONTROLLED = "pattern { V -[nsubj]-> S; V -[xcomp]-> X } commands { add_edge X -[E:nsubj:xsubj]-> S }"


def test_an_enhanced_arc_is_added_and_the_tree_stays():
    treebank = read_conllu(GRAPHS.encode())
    result = rewritten(treebank, CONTROLLED)
    assert conllu_text(result.treebank) == GRAPHS.replace("2:nsubj", "2:nsubj|4:nsubj:xsubj", 1)
    (change,) = result.done[0].changes
    assert (change.field, change.old, change.new) == ("deps", "2:nsubj", "2:nsubj|4:nsubj:xsubj")
    again = propose(result.treebank, parse_request(CONTROLLED))[1]
    assert [each.refusal for each in again] == ["nothing would change"]


def test_an_enhanced_arc_is_deleted_and_a_word_keeps_one():
    treebank = rewritten(read_conllu(GRAPHS.encode()), CONTROLLED).treebank
    result = rewritten(treebank, CONTROLLED.replace("add_edge", "del_edge"))
    assert conllu_text(result.treebank) == GRAPHS
    (change,) = result.done[0].changes
    assert (change.old, change.new, change.deleted) == ("2:nsubj|4:nsubj:xsubj", "2:nsubj", True)
    moved = CONTROLLED.replace("add_edge", "del_edge V -[E:nsubj]-> S; add_edge")
    assert rewritten(read_conllu(GRAPHS.encode()), moved).treebank[0].graph.deps[1] == "2:nsubj|4:nsubj:xsubj"
    both = moved.replace("del_edge V -[E:nsubj]-> S; ", "")[:-1] + "; del_edge V -[E:nsubj]-> S }"
    only = rewritten(read_conllu(GRAPHS.encode()), both).treebank
    assert only[0].graph.deps[1] == "4:nsubj:xsubj"
    last = rewritten(only, CONTROLLED.replace("add_edge", "del_edge")).treebank
    assert conllu_text(last) == GRAPHS


def test_where_there_is_no_such_enhanced_arc_nothing_is_deleted():
    bare = "\n".join("\t".join([*line.split("\t")[:8], "_", "_"]) if line else "" for line in GRAPHS.split("\n"))
    for text in (GRAPHS, bare):
        proposals = propose(read_conllu(text.encode()), parse_request(CONTROLLED.replace("add_edge", "del_edge")))[1]
        assert [each.refusal for each in proposals] == ["nothing would change"]
    with pytest.raises(WorkbenchError, match=r"name the arc in the pattern, e: V -\[obj\]-> N, and write del_edge e"):
        parse_request("pattern { V -> N } commands { del_edge V -[obj]-> N }")
    with pytest.raises(WorkbenchError, match="of the new word N only values and an arc"):
        parse_request('pattern { X [] } commands { add_node N :> X; N.form = "a"; del_edge X -[E:nsubj]-> N }')


def test_enhanced_arcs_of_several_hits_add_up():
    treebank = read_conllu(GRAPHS.encode())
    text = "pattern { X [upos=VERB|PART]; S [upos=PRON]; S << X } commands { add_edge X -[E:dep]-> S }"
    result = rewritten(treebank, text)
    assert [sentence.graph.deps[1] for sentence in result.treebank] == [
        "2:dep|2:nsubj|3:dep|4:dep", "2:dep|2:nsubj",
    ]  # fmt: skip
    assert len(result.done) == 4 and not result.refused


def test_an_enhanced_arc_beside_other_commands():
    treebank = read_conllu(GRAPHS.encode()).keeping_graphs()
    pattern = "pattern { e: V -[xcomp]-> X; V -[nsubj]-> S }"
    text = f"{pattern} commands {{ e.label = ccomp; add_edge X -[E:nsubj]-> S; S.upos = X }}"
    lines = conllu_text(rewritten(treebank, text).treebank).splitlines()
    assert lines[0] == "1\tShe\tshe\tX\t_\t_\t2\tnsubj\t2:nsubj|4:nsubj\t_"
    assert lines[3] == "4\tsing\tsing\tVERB\t_\t_\t2\tccomp\t2:ccomp\t_"
    split = 'pattern { V -[xcomp]-> X; V -[nsubj]-> S } commands { split S "Sh" "e"; add_edge X -[E:nsubj]-> S }'
    assert (
        conllu_text(rewritten(treebank, split).treebank)
        .splitlines()[0]
        .endswith("3\tnsubj\t3:nsubj|5:nsubj\tSpaceAfter=No")
    )


def test_enhanced_arcs_that_cannot_be_are_refused():
    treebank = read_conllu(GRAPHS.encode())
    text = "pattern { X [form=I] } commands { add_edge X -[E:nsubj]-> X }"
    assert "cannot be its own head" in propose(treebank, parse_request(text))[1][0].refusal
    with pytest.raises(WorkbenchError, match="of the new word N only values and an arc"):
        parse_request('pattern { X [] } commands { add_node N :> X; N.form = "a"; add_edge X -[E:nsubj]-> N }')


def test_a_word_takes_the_place_of_its_head_and_its_dependents(treebank):
    swap = "pattern { e: V -[aux]-> A } commands { shift_in V ==> A; add_edge %s; %s }"
    result = rewritten(treebank, swap % ("A -[comp]-> V", "shift_out V =[nsubj]=> A")).treebank
    assert result[0].heads.tolist() == [-1, 2, 0, 2, 3] and result[1].heads.tolist() == [-1, 2, 0, 2]
    assert result[0].deprels == ("", "nsubj", "root", "comp", "obj")
    result = rewritten(treebank, swap % ("e: A -> V", "shift_out V =[^nsubj]=> A")).treebank
    assert result[0].heads.tolist() == [-1, 3, 0, 2, 2] and result[0].deprels[3] == "aux"
    result = rewritten(treebank, swap % ("A -[comp]-> V", "shift_out V ==> A")).treebank
    assert result[0].heads.tolist() == [-1, 2, 0, 2, 2]
    commands = "shift_in V ==> A; add_edge e: A -> V; shift_out V ==> A"
    text = f"pattern {{ e: V -[aux]-> A; V -[nsubj]-> S }} commands {{ {commands} }}"
    assert rewritten(treebank, text).treebank[0].heads.tolist() == [-1, 3, 0, 2, 2]  # S is named: it stays


def test_a_relation_is_taken_from_another_arc(treebank):
    text = "pattern { e: V -[nsubj]-> S; f: V -[aux]-> A } commands { f.label = e.label }"
    assert rewritten(treebank, text).treebank[0].deprels == ("", "nsubj", "nsubj", "root", "obj")
    text = "pattern { e: V -[obj]-> O; V -[nsubj]-> S } commands { add_edge e: S -> O }"
    assert rewritten(treebank, text).treebank[0].heads.tolist() == [-1, 3, 3, 0, 1]


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ("shift_in V ==> A", "would have no head"),
        ("shift_in A ==> V; add_edge e: V -> A", "no root words"),
    ],
)
def test_a_place_that_nobody_can_take_is_refused(treebank, commands, reason):
    result = rewritten(treebank, f"pattern {{ e: V -[aux]-> A }} commands {{ {commands} }}")
    assert not result.done and all(reason in refused.refusal for refused in result.refused) and result.refused


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ("shift_in V -> A", "expected '==>'"),
        ("shift_in V ==> Z", "no word is named Z"),
        ("shift_out V A", "expected '==>' or '=\\[relations\\]=>'"),
        ("shift_out V =[obj]-> A", "expected '\\]=>'"),
        ("add_edge g: V -> A", "no arc is named g"),
        ("e.label = e.form", "expected 'label'"),
    ],
)
def test_what_is_no_shift_is_said_where_it_stands(commands, message):
    with pytest.raises(WorkbenchError, match=message):
        parse_request(f"pattern {{ e: V -[aux]-> A }} commands {{ {commands} }}")
