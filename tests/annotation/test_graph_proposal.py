"""Enhanced graphs by rule: a sentence for each rule, and what holds of the graph of any tree."""

import random

import pytest

from core.annotation import SentenceAnnotation
from core.annotation.graph_proposal import proposed_graph
from core.annotation.graph_rules import graph_faults
from core.treebank import read_conllu
from core.treebank.graphs import arcs_in
from tests.filled import filled

RELATIONS = ("nsubj", "obj", "obl", "conj", "cc", "case", "mark", "xcomp", "acl:relcl", "advcl:relcl", "advcl", "fixed")


def annotated(*rows):
    """A SentenceAnnotation of "form UPOS head relation FEATS" rows; lemmas are the forms in small letters."""
    lines = []
    for number, row in enumerate(rows, start=1):
        form, upos, head, relation, feats = (*row.split(), "_")[:5]
        lines.append(f"{number}\t{form}\t{form.lower()}\t{upos}\t_\t{feats}\t{head}\t{relation}\t_\t_")
    return SentenceAnnotation.of(read_conllu(("\n".join(lines) + "\n\n").encode())[0])


IN_TOWN = ("We PRON 2 nsubj", "live VERB 0 root", "out ADP 5 case", "of ADP 3 fixed", "town NOUN 2 obl")
NAPPING = ("Cats NOUN 2 nsubj", "eat VERB 0 root", "and CCONJ 4 cc", "nap VERB 2 conj")
BAKED = (
    "It PRON 2 nsubj", "rose VERB 0 root", "and CCONJ 5 cc", "was AUX 5 aux:pass", "baked VERB 2 conj",
)  # fmt: skip
BUY_SELL = ("We PRON 2 nsubj", "buy VERB 0 root", "and CCONJ 4 cc", "sell VERB 2 conj", "rice NOUN 2 obj")
BY_AND_IN = (
    "Sit VERB 0 root", "by ADP 3 case", "fires NOUN 1 obl", "or CCONJ 6 cc", "in ADP 6 case", "tents NOUN 3 conj",
)  # fmt: skip
THREE = ("Ann PROPN 4 nsubj", "Bo PROPN 1 conj", "&Cy PROPN 1 conj", "sing VERB 0 root")
WANTS = ("She PRON 2 nsubj", "wants VERB 0 root", "to PART 4 mark", "sing VERB 2 xcomp")
MADE = ("She PRON 2 nsubj", "made VERB 0 root", "him PRON 2 obj", "sing VERB 2 xcomp")
WHO = ("men NOUN 0 root", "who PRON 3 nsubj PronType=Rel", "sing VERB 1 acl:relcl", "and CCONJ 5 cc", "nap VERB 3 conj")
WHERE = ("town NOUN 0 root", "where ADV 4 advmod PronType=Rel", "we PRON 4 nsubj", "live VERB 1 acl:relcl")
ALL_THAT = ("It PRON 2 nsubj", "rained VERB 0 root", "which PRON 4 nsubj PronType=Rel", "helped VERB 2 advcl:relcl")
SEEN = ("songs NOUN 0 root", "we PRON 3 nsubj", "want VERB 1 acl:relcl", "to PART 5 mark", "sing VERB 3 xcomp")
CASES = (
    "Sie PRON 2 nsubj Case=Nom", "wohnt VERB 0 root", "in ADP 4 case", "Städten NOUN 2 obl Case=Dat|Number=Plur",
)  # fmt: skip
WHEN = ("We PRON 2 nsubj", "nap VERB 0 root", "when ADV 4 advmod PronType=Int", "tired ADJ 2 advcl")

RULES = {
    "a preposition of two words": (IN_TOWN, 5, "2:obl:out_of"),
    "a shared subject": (NAPPING, 1, "2:nsubj|4:nsubj"),
    "a conjunct at the root": (NAPPING, 4, "2:conj:and"),
    "a shared subject in the passive": (BAKED, 1, "2:nsubj|5:nsubj:pass"),
    "a shared object": (BUY_SELL, 5, "2:obj|4:obj"),
    "a conjunct with its own preposition": (BY_AND_IN, 6, "1:obl:in|3:conj:or"),
    "signs name no relation": (THREE, 2, "1:conj|4:nsubj"),
    "a subject controls": (WANTS, 1, "2:nsubj|4:nsubj:xsubj"),
    "an object controls": (MADE, 3, "2:obj|4:nsubj:xsubj"),
    "an object controls, and not the subject": (MADE, 1, "2:nsubj"),
    "an antecedent is the subject": (WHO, 1, "0:root|3:nsubj|5:nsubj"),
    "a relative pronoun": (WHO, 2, "1:ref"),
    "an antecedent for an adverb": (WHERE, 1, "0:root|4:obl"),
    "a clause about a clause": (ALL_THAT, 3, "2:ref"),
    "a clause about a clause adds nothing else": (ALL_THAT, 2, "0:root"),
    "a gap without pronoun": (SEEN, 1, "0:root|5:obj"),
    "a case, where nouns have one": (CASES, 4, "2:obl:in:dat"),
    "an adverb that introduces a clause": (WHEN, 4, "2:advcl:when"),
}


@pytest.mark.parametrize("rule", RULES)
def test_rules(rule):
    rows, word, deps = RULES[rule]
    assert proposed_graph(annotated(*rows)).deps[word] == deps


def test_a_word_without_a_head_has_no_arc():
    annotation = annotated("a X 0 root", "b X _ conj", "c X 2 obj")
    assert proposed_graph(annotation).deps == ("", "0:root", "", "2:obj")


def test_the_graph_of_any_tree_is_valid():
    generator = random.Random(0)
    for _ in range(300):
        n = generator.randint(1, 9)
        order = generator.sample(range(1, n + 1), n)
        above = {word: generator.choice(order[:at]) if at else 0 for at, word in enumerate(order)}
        rows = [
            f"w{generator.choice(['', 'Ä'])} {generator.choice(['VERB', 'ADP', 'PRON', 'NOUN'])} {above[word]} "
            f"{generator.choice(RELATIONS) if above[word] else 'root'} PronType={generator.choice(['Rel', 'Prs'])}"
            for word in range(1, n + 1)
        ]
        graph = proposed_graph(annotated(*rows))
        lines = [(str(m), *"wwX__", "_", "_", graph.deps[m], "_") for m in range(1, n + 1)]
        assert list(graph_faults(lines)) == [], rows


@pytest.mark.parametrize("name", ["ewt-dev", "ewt-test"])
def test_graphs_of_ewt(shared_data, name):
    """Of arcs that are no copies of basic ones, 95 in 100 of the first sentences are those of the treebank."""
    right = gold = ours = 0
    for sentence in filled(read_conllu(shared_data / "en-ewt" / f"{name}.conllu").limit(500)):
        annotation = SentenceAnnotation.with_graph_of(sentence)
        basic = [(str(head), relation) for head, relation in zip(annotation.heads, annotation.deprels, strict=True)]
        proposed = proposed_graph(annotation).deps
        for arc, one, other in zip(basic, map(arcs_in, annotation.graph.deps), map(arcs_in, proposed), strict=True):
            one, other = set(one) - {arc}, set(other) - {arc}
            right, gold, ours = right + len(one & other), gold + len(one), ours + len(other)
    assert 2 * right / (gold + ours) > 0.95
