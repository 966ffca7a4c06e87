"""Small random treebanks and constraints over them, and their plain form for the oracle."""

from hypothesis import strategies as st

from core.constraints.language import ARROWS, BETWEEN, NEIGHBOURS, Condition, Constraint, Item, Term
from core.treebank import Treebank
from tests.oracles import constraints as oracle

VALUES = {
    "xpos": ["A", "B", "C"],
    "upos": ["A", "V", ""],
    "forms": ["x", "y"],
    "lemmas": ["x", ""],
    "feats": ["", "N=S", "N=S|P=1"],
}
LINES = """DT <- NN dist 1 = 0.9..1.0
IN -> {NN NNS NNP PRP} per head = 0.8..1.0
ROOT -> {VBD VBZ VBP MD} per head = 0.8..1.0
{NN NNS PRP NNP} <- {VBD VBZ VBP MD} per head = 0.7..1.0
XX -> YY = 0.5
"""
TREES = {n: list(oracle.trees(n)) for n in range(1, 5)}

terms = st.one_of(
    *(st.sampled_from([Term("tag", tag), Term("xpos", tag)]) for tag in "ABC"),
    st.sampled_from([Term("upos", "V"), Term("form", "x"), Term("lemma", "x"), Term("any")]),
    st.sampled_from([Term("feats", "N=S"), Term("feats", "P=1"), Term("feats", "P=1|N=S"), Term("feats", "no")]),
)
items = st.builds(lambda some: Item(tuple(some)), st.lists(terms, min_size=1, max_size=2))
rooted = st.builds(lambda some: Item((*some.terms, Term("root"))), items) | st.just(Item((Term("root"),)))


@st.composite
def constraints(draw):
    arrow = draw(st.sampled_from(ARROWS))
    either = arrow == "<->"
    low = draw(st.integers(1, 3))
    kinds = st.sampled_from(BETWEEN if either else BETWEEN + NEIGHBOURS)
    conditions = st.builds(Condition, kinds, items | rooted) | st.just(Condition("between none"))
    return Constraint(
        head=draw(items if either or arrow == "<-" else items | rooted),
        modifier=draw(items),
        arrow=arrow,
        low=0.25,
        high=0.75,
        distance=draw(st.sampled_from([None, None, (low, None), (low, low), (low, low + 1)])),
        conditions=tuple(draw(st.lists(conditions, max_size=2))),
        per="pair" if either else draw(st.sampled_from(["pair", "modifier", "head"])),
    )


@st.composite
def treebanks(draw, known=False, size=5):
    """Treebank of 1..size sentences of 1..4 words; some heads are unknown unless ``known``."""
    sentences = []
    for _ in range(draw(st.integers(1, size))):
        n = draw(st.integers(1, 4))
        tree = list(draw(st.sampled_from(TREES[n])))[1:]
        sentence = {
            key: draw(st.lists(st.sampled_from(values), min_size=n, max_size=n)) for key, values in VALUES.items()
        }
        sentence["heads"] = [head if known or draw(st.integers(0, 3)) else -1 for head in tree]
        sentences.append(sentence)
    return Treebank.from_sentences(sentences)


def plain_sentences(treebank):
    """Each sentence as the oracle wants it."""
    return [
        [{"root": True}]
        + [
            {"tag": xpos, "xpos": xpos, "upos": upos, "form": form, "lemma": lemma, "feats": feats}
            for xpos, upos, form, lemma, feats in zip(
                *(column[1:] for column in (each.xpos, each.upos, each.forms, each.lemmas, each.feats)), strict=True
            )
        ]
        for each in treebank
    ]


def plain_item(item):
    return None if item is None else [(term.column, term.value) for term in item.terms]


def plain_constraint(constraint):
    return {
        "head": plain_item(constraint.head),
        "modifier": plain_item(constraint.modifier),
        "arrow": constraint.arrow,
        "distance": constraint.distance,
        "conditions": [(each.kind, plain_item(each.item)) for each in constraint.conditions],
    }
