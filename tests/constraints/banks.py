"""Small random treebanks and constraints over them, and their plain form for the oracle."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from core.constraints import Matcher
from core.constraints.language.constraint import ARROWS, BETWEEN, NEIGHBOURS, Condition, Constraint, Item, Term
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
SHARDED_LINES = """DET <- NOUN per modifier = 0.9..1.0
ADJ <- NOUN dist 1..2 per modifier = 0.8..1.0
ROOT -> VERB per head = 0.7
"""
TREES = {n: list(oracle.trees(n)) for n in range(1, 5)}

terms = st.one_of(
    *(st.sampled_from([Term("tag", tag), Term("xpos", tag)]) for tag in "ABC"),
    st.sampled_from([Term("upos", "V"), Term("form", "x"), Term("lemma", "x"), Term("any")]),
    st.sampled_from([Term("feats", "N=S"), Term("feats", "P=1"), Term("feats", "P=1|N=S"), Term("feats", "no")]),
)
any_text = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=4)


@st.composite
def constraints(draw, terms=terms, arrows=ARROWS):
    items = st.builds(lambda some: Item(tuple(some)), st.lists(terms, min_size=1, max_size=2))
    rooted = st.builds(lambda some: Item((*some.terms, Term("root"))), items) | st.just(Item((Term("root"),)))
    arrow = draw(st.sampled_from(arrows))
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
def written(draw, values=any_text, arrows=ARROWS):
    """Constraints of any targets, weights and comments, over items of such values."""
    odd = st.builds(Term, st.sampled_from(["tag", "upos", "xpos", "form", "lemma", "feats"]), values)
    low, high = sorted((draw(st.floats(0, 1)), draw(st.floats(0, 1))))
    return replace(
        draw(constraints(terms | odd, arrows)),
        low=low,
        high=draw(st.sampled_from([low, high])),
        weight=draw(st.floats(0, 1e6)),
        comment=draw(st.sampled_from(["", "since 1999 # or so", 'mind, the "gap"', "=1+1", "café;"])),
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


def tagged(*sentences, heads=()):
    """A text of tags, such as "ABC" or ["DT", "NN"], each the form of its word too, with the heads that are given."""
    rows = [{"forms": [tag or "x" for tag in tags], "xpos": list(tags)} for tags in sentences]
    for row, tree in zip(rows, heads, strict=False):
        row["heads"] = tree
    return Treebank.from_sentences(rows)


def matching(some, treebank):
    """Those of some lines that match something, and one that always does."""
    always = Constraint(Item((Term("root"),)), Item((Term("any"),)), "->", 0.25, 0.75)
    found = [each.constraint for each in Matcher(treebank, "xpos").counts(some) if each.pairs]
    return [*(line for line in found if line.name != always.name), always]


def slope_along(objective, weights, direction, step=1e-5):
    """The derivative of an objective's value along a direction, by its values ahead and behind."""
    ahead, behind = (objective(weights + sign * step * direction)[0] for sign in (1, -1))
    return (ahead - behind) / (2 * step)


def corners(treebank, matches):
    """(trees, C): the share of each line in each tree of the only sentence, the corners of all that is attainable."""
    n = int(treebank.lengths[0])
    lines = [set(matches.of(c).tolist()) for c in range(len(matches.constraints))]
    counts = [[sum(h * (n + 1) + m in arcs for m, h in enumerate(tree) if m) for arcs in lines] for tree in TREES[n]]
    return np.array(counts) / matches.denominators


def plain_sentences(treebank, some=None):
    """Each sentence as the oracle wants it, its tags those of XPOS, or of the column that it chooses for some lines."""
    plain = [
        [{"root": True}]
        + [
            {"tag": xpos, "xpos": xpos, "upos": upos, "form": form, "lemma": lemma, "feats": feats}
            for xpos, upos, form, lemma, feats in zip(
                *(column[1:] for column in (each.xpos, each.upos, each.forms, each.lemmas, each.feats)), strict=True
            )
        ]
        for each in treebank
    ]
    return plain if some is None else oracle.in_their_column([plain_constraint(each) for each in some], plain)


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
