"""Ours beside UD's own validator: each rule on a text that breaks it, and real treebanks sentence by sentence."""

import pytest

from core.annotation.validation import validate
from core.treebank import load_sample, read_conllu
from core.treebank.conllu import conllu_text
from tests.annotation.official import ELSEWHERE, STOPS, official_faults, our_faults

GOOD = """# sent_id = s1
# text = the old sea ate ships.
1	the	the	DET	_	PronType=Art	3	det	_	_
2	old	old	ADJ	_	Degree=Pos	3	amod	_	_
3	sea	sea	NOUN	_	Number=Sing	4	nsubj	_	_
4	ate	eat	VERB	_	_	0	root	_	_
5	ships	ship	NOUN	_	_	4	obj	_	SpaceAfter=No
6	.	.	PUNCT	_	_	4	punct	_	_

"""
GRAPH = """# sent_id = g1
# text = Sue eats figs, Bob plums
1	Sue	Sue	PROPN	_	Number=Sing	2	nsubj	2:nsubj	_
2	eats	eat	VERB	_	_	0	root	0:root	_
3	figs	fig	NOUN	_	_	2	obj	2:obj	SpaceAfter=No
4	,	,	PUNCT	_	_	5	punct	5:punct	_
5	Bob	Bob	PROPN	_	_	2	conj	5.1:nsubj	_
5.1	eats	eat	VERB	_	_	_	_	2:conj:and	_
6	plums	plum	NOUN	_	_	5	orphan	5.1:obj	_

"""
BREAKS = [  # the rule, and what to put in place of what in GOOD
    ("misplaced-comment", "2\told", "# note = late\n2\told"),
    ("trailing-whitespace", "eat\tVERB", "eat \tVERB"),
    ("leading-whitespace", "eat\tVERB", " eat\tVERB"),
    ("repeated-whitespace", "\tsea\tNOUN", "\ts  ea\tNOUN"),
    ("invalid-whitespace", "ADJ\t_", "ADJ\tA B"),
    ("unicode-normalization", "eat\tVERB", "e\u0301at\tVERB"),
    ("invalid-utf", "eat\tVERB", "e\ufffdt\tVERB"),
    ("unknown-upos", "eat\tVERB", "eat\t_"),
    ("unknown-upos", "eat\tVERB", "eat\tVBD"),
    ("invalid-feature", "Number=Sing", "number=sing"),
    ("invalid-feature", "Number=Sing", "Number"),
    ("unsorted-features", "Number=Sing", "Number=Sing|Case=Nom"),
    ("repeated-feature", "Number=Sing", "Number=Plur|Number=Sing"),
    ("unsorted-feature-values", "Number=Sing", "Number[psor]=Sing,Plur"),
    ("repeated-feature-value", "Number=Sing", "Number=Sing,Sing"),
    ("invalid-deprel", "4\tobj", "4\tobj:Big"),
    ("unknown-udeprel", "4\tobj", "4\tdobj"),
    ("repeated-misc", "SpaceAfter=No", "Gloss=a|Gloss=b|SpaceAfter=No"),
    ("missing-spaceafter", "SpaceAfter=No", "_"),
    ("spaceafter-value", "SpaceAfter=No", "SpaceAfter=Yes"),
    ("nospaceafter-yes", "SpaceAfter=No", "NoSpaceAfter=Yes"),
    ("text-form-mismatch", "old sea", "cold sea"),
    ("text-extra-chars", "ships.", "ships. And"),
    ("text-trailing-whitespace", "ships.\n", "ships. \n"),
    ("empty-text", "the old sea ate ships.", ""),
    ("multiple-text", "# text", "# text = a\n# text"),
    ("invalid-sent-id", "s1", "s 1"),
    ("multiple-sent-id", "# sent_id", "# sent_id = a\n# sent_id"),
    ("slash-in-sent-id", "s1", "a/b/c"),
    ("multiple-newdoc", "# text", "# newdoc\n# newdoc 3\n# text"),
    ("mwt-nonempty-field", "1\tthe", "1-2\tthe\tthe\t_\t_\t_\t_\t_\t_\t_\n1\tthe"),
    ("invalid-whitespace-mwt", "1\tthe", "1-2\tthe old\t_\t_\t_\t_\t_\t_\t_\t_\n1\tthe"),
    ("spaceafter-mwt-node", "4\tate", "4-5\tate\t_\t_\t_\t_\t_\t_\t_\t_\n4\tate"),
    ("0-is-not-root", "0\troot", "0\tdep"),
    ("root-is-not-0", "4\tobj", "4\troot"),
    ("rel-upos-det", "the\tDET", "the\tADV"),
    ("rel-upos-det", "PronType=Art", "ExtPos=ADV|PronType=Art"),
    ("rel-upos-advmod", "4\tobj", "4\tadvmod"),
    ("rel-upos-punct", "PUNCT", "SYM"),
    ("upos-rel-punct", "4\tpunct", "4\tdep"),
    ("rel-upos-fixed", "old\tADJ\t_\tDegree=Pos\t3\tamod", "old\tPROPN\t_\t_\t1\tfixed"),
    ("right-to-left-conj", "3\tamod", "3\tconj"),
    ("too-many-subjects", "4\tobj", "4\tnsubj:pass"),
    ("too-many-objects", "4\tnsubj", "4\tobj"),
    ("obl-should-be-nmod", "3\tamod", "3\tobl"),
    ("leaf-det", "3\tamod", "1\tamod"),
    ("leaf-clf", "PronType=Art\t3\tdet\t_\t_\n2\told\told\tADJ\t_\tDegree=Pos\t3\tamod",
     "_\t3\tclf\t_\t_\n2\told\told\tADJ\t_\tDegree=Pos\t1\tamod"),
    ("leaf-punct", "3\tdet", "6\tdet"),
    ("goeswith-lemma", "3\tamod", "1\tgoeswith"),
    ("goeswith-nospace", "4\tpunct", "5\tgoeswith"),
    ("goeswith-gap", "4\tobj", "3\tgoeswith"),
    ("goeswith-missing-typo", "3\tamod", "1\tgoeswith"),
    ("punct-is-nonproj", "4\tpunct", "2\tpunct"),
    ("punct-causes-nonproj", "old\tADJ\t_\tDegree=Pos\t3\tamod", "old\tPUNCT\t_\t_\t4\tpunct"),
]  # fmt: skip
GRAPH_BREAKS = [
    ("unsorted-deps", "2:obj", "2:obj|1:dep"),
    ("unsorted-deps-2", "2:obj", "2:obj|2:dep"),
    ("repeated-deps", "2:obj", "2:obj|2:obj"),
    ("deps-self-loop", "2:obj", "2:obj|3:dep"),
    ("unknown-ehead", "2:obj", "2:obj|9:dep"),
    ("invalid-edeprel", "2:obj", "2:Obj"),
    ("unknown-eudeprel", "2:obj", "2:dobj"),
    ("enhanced-0-is-not-root", "0:root", "0:dep"),
    ("enhanced-root-is-not-0", "2:obj", "2:root"),
    ("eorphan-after-empty-node", "5.1:obj", "5.1:obj|5:orphan"),
    ("eorphan-after-empty-node", "5.1:obj", "5:orphan"),
    ("unconnected-egraph", "2:conj:and", "6:conj"),
    ("empty-node-nonempty-field", "_\t_\t2:conj:and", "2\tconj\t2:conj:and"),
    ("unknown-upos", "5.1\teats\teat\tVERB", "5.1\teats\teat\tVB"),
    ("edeps-only-sometimes", "\n\n", "\n\n" + GOOD.replace("s1", "s2")),
]


def require_the_same(text):
    """Both find the same in each sentence, as far as the official one reads it; returns what ours finds."""
    official, ours = set(official_faults(text)), set(our_faults(text))
    unread = {index for index, test in official if test in STOPS}
    assert {key for key in official if key[1] not in ELSEWHERE} <= ours
    assert not {key for key in ours - official if key[1] and key[0] not in unread}
    return ours


@pytest.mark.parametrize(
    ("test", "old", "new", "text"), [(*each, GOOD) for each in BREAKS] + [(*each, GRAPH) for each in GRAPH_BREAKS]
)
def test_each_rule_is_broken_for_both(test, old, new, text):
    assert old in text and not require_the_same(text)
    assert test in {each for _, each in require_the_same(text.replace(old, new))}


ALLOWED = [
    ("the\tDET\t_\tPronType=Art", "due\tADJ\t_\tExtPos=DET"),  # the tag that counts outside
    ("4\tobj", "4\tnsubj:outer"),
    ("3\tamod", "1\tclf"),  # classifiers hang from determiners too
    ("Degree=Pos\t3\tamod", "Degree=Pos\t1\tconj"),
    ("PronType=Art\t3\tdet\t_\t_\n2\told\told\tADJ\t_\tDegree=Pos\t3\tamod",
     "Poss=Yes\t3\tdet\t_\t_\n2\told\told\tADJ\t_\tDegree=Pos\t1\tappos"),
    ("Number=Sing", "Number[psor]=Plur,Sing"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), ALLOWED)
def test_what_both_allow(old, new):
    assert old in GOOD and not require_the_same(GOOD.replace(old, new))


def test_a_mark_in_the_gap_of_a_larger_part_is_not_to_blame():
    """A relative clause after its head's clause: its comma hangs in it, and what crosses is the clause."""
    heads = [(2, "expl"), (0, "root"), (2, "advmod"), (6, "obj"), (6, "mark"), (2, "csubj"), (9, "punct"), (9, "nsubj")]
    heads += [(4, "acl:relcl"), (2, "punct")]
    words = ["it", "cost", "much", "huts", "to", "build", ",", "which", "burnt", "."]
    tags = ["PRON", "VERB", "ADV", "NOUN", "PART", "VERB", "PUNCT", "PRON", "VERB", "PUNCT"]
    rows = zip(words, tags, heads, strict=True)
    lines = [
        f"{number}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_"
        for number, (form, tag, (head, relation)) in enumerate(rows, start=1)
    ]
    text = "\n".join(["# sent_id = m", f"# text = {' '.join(words)}", *lines, "", ""])
    assert not require_the_same(text)


def test_ids_are_compared_across_sentences():
    assert (1, "non-unique-sent-id") in require_the_same(GOOD + GOOD)
    assert (1, "spaceafter-newdocpar") in require_the_same(
        GOOD.replace("4\tpunct\t_\t_", "4\tpunct\t_\tSpaceAfter=No") + "# newpar\n" + GOOD.replace("s1", "s2")
    )


def test_what_no_sentence_has_is_no_fault_and_what_some_have_is():
    bare = GOOD.replace("# sent_id = s1\n", "")
    assert not validate(read_conllu(bare.encode()))
    assert [fault.test for _, fault in validate(read_conllu((GOOD + bare).encode()))] == ["missing-sent-id"]
    silent = GOOD.replace("# text = the old sea ate ships.\n", "").replace("s1", "s2")
    assert [fault.test for _, fault in validate(read_conllu((GOOD + silent).encode()))] == ["missing-text"]


def test_the_sample_is_judged_alike():
    require_the_same(conllu_text(load_sample()))


@pytest.mark.parametrize(
    "name",
    ["en-ewt/ewt-test", "en-questions/atis-dev", *(f"ud/{each}-test" for each in ("de_gsd", "es_gsd", "nl_alpino",
     "tr_imst", "zh_gsd")), "ud-pool/zh_pud", "ud-pool/ko_pud", "ud-pool/ro_rrt"],
)  # fmt: skip
def test_real_treebanks_are_judged_alike(shared_data, name):
    text = conllu_text(read_conllu(shared_data / f"{name}.conllu").limit(150))
    require_the_same(text)
