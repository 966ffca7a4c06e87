"""Rewriting: the dry run, acceptance hit by hit, and what would break a tree."""

import pytest

from core.errors import WorkbenchError
from core.search import parse_request, propose, rewrite, search
from core.treebank import Treebank
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
