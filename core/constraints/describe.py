"""Constraints made from one example: what can be said of an arc, or of a pair that is no arc, from general to specific.

The author clicks two words; each description is a constraint without a target that these two words fit, with how many
other pairs fit it too, so that she picks the one that says what she means.
"""

from dataclasses import dataclass

import numpy as np

from core.constraints.language import Condition, Constraint, Item, Term
from core.constraints.matching import Coverage, Matcher, as_matcher
from core.constraints.oracle import ROOT
from core.errors import ScoreShapeError, WorkbenchError
from core.treebank import Treebank
from core.trees import PackedScores

LEVELS = ("tags", "direction", "distance", "between", "beside", "forms")


@dataclass(frozen=True)
class Description:
    """One thing that can be said of the example.

    Attributes
    ----------
    constraint : Constraint
        Without a target yet: 0..1, which asks for nothing.
    level : str
        Which of LEVELS it adds to what stands before it.
    coverage : Coverage
        What it matches; ``pairs``, ``sentences``, and ``gold_share`` where the treebank has heads.
    share : float or None
        The model's share of its candidate pairs, where marginals were given.
    """

    constraint: Constraint
    level: str
    coverage: Coverage
    share: float | None = None


def describe_arc(
    treebank: Treebank | Matcher, sentence: int, head: int, modifier: int, tags: str | None = None,
    marginals: PackedScores | None = None,
) -> list[Description]:  # fmt: skip
    """The constraints that describe a pair of words.

    Parameters
    ----------
    treebank : Treebank or Matcher
    sentence : int
        Index of the sentence.
    head, modifier : int
        Words of it, from 1; head 0 is the root. They need not be an arc of any tree.
    tags : None, "xpos" or "upos"
        The tag column, where ``treebank`` is no Matcher. Words without a tag, or all of them in a text without
        tags, are named by their forms.
    marginals : PackedScores, optional
        Arc marginals of the model over the treebank, for the shares.

    Returns
    -------
    list of Description
        Level by level: the two tags; with direction; with distance; with what stands between them; with what stands
        beside one of them; with one form, with both. Within a level the one that matches most comes first. One that
        matches the very pairs that an earlier one matches is left out.

    Raises
    ------
    WorkbenchError : there is no such pair of words.
    ScoreShapeError : marginals of another text.

    Notes
    -----
    The cost of matching about fifteen constraints.
    """
    matcher = as_matcher(treebank, tags)
    _require_pair(matcher.treebank, sentence, head, modifier)
    if marginals is not None and not np.array_equal(marginals.offsets, matcher.arc_offsets):
        raise ScoreShapeError("the marginals are those of another text; compute them for this one")
    levelled = list(_descriptions(_Words(matcher, sentence), head, modifier))
    coverages = matcher.counts([constraint for _, constraint in levelled])
    order = sorted(range(len(levelled)), key=lambda k: (LEVELS.index(levelled[k][0]), -coverages[k].pairs))
    matches = matcher.match([levelled[k][1] for k in order])
    found, seen = [], set()
    for place, k in enumerate(order):
        arcs = matches.of(place)
        key = arcs.tobytes()
        if key not in seen:
            seen.add(key)
            share = None if marginals is None else float(marginals.values[arcs].mean())
            found.append(Description(levelled[k][1], levelled[k][0], coverages[k], share))
    return found


def _require_pair(bank, sentence, head, modifier):
    if not 0 <= sentence < len(bank):
        raise WorkbenchError(f"there is no sentence {sentence}; the text has sentences 0..{len(bank) - 1}")
    last = int(bank.lengths[sentence])
    if not (0 <= head <= last and 1 <= modifier <= last):
        raise WorkbenchError(
            f"sentence {sentence} has no arc {head} -> {modifier}; heads are 0 (root)..{last}, modifiers 1..{last}"
        )
    if head == modifier:
        raise WorkbenchError(f"word {head} cannot be its own head; choose two different words")


class _Words:
    """The items of one sentence's words."""

    def __init__(self, matcher, sentence):
        bank = matcher.treebank
        rows = slice(bank.offsets[sentence], bank.offsets[sentence + 1])
        self.forms = [bank.form.values[k] for k in bank.form.ids[rows]]
        try:
            column = matcher.column("tag")
        except WorkbenchError:  # no tags anywhere
            self.tags = [""] * len(self.forms)
        else:
            self.tags = [column.values[k] for k in column.ids[rows]]

    def __len__(self):
        return len(self.forms)

    def item(self, position):
        """The word's tag, or its form where it has no tag."""
        if position == 0:
            return ROOT
        tag = self.tags[position]
        return Item((Term("tag", tag),)) if tag else self.form(position)

    def form(self, position):
        """The word's form."""
        if position == 0:
            return ROOT
        form = self.forms[position]
        return Item((Term("form", form) if form else Term("any"),))


def _descriptions(words, head, modifier):
    """(level, Constraint) of all that can be said."""
    arrow = "->" if head < modifier else "<-"
    first, last = min(head, modifier), max(head, modifier)

    def said(arrow=arrow, distance=None, conditions=(), head_item=None, modifier_item=None):
        return Constraint(
            head=head_item or words.item(head),
            modifier=modifier_item or words.item(modifier),
            arrow=arrow,
            low=0.0,
            high=1.0,
            distance=distance,
            conditions=conditions,
        )

    if head:
        yield "tags", said(arrow="--")
    yield "direction", said()
    yield "distance", said(distance=(last - first, last - first))
    between = {words.item(k) for k in range(first + 1, last)}
    kinds = [Condition("between", item) for item in sorted(between, key=lambda item: item.text)]
    if len(between) <= 1:
        kinds += [Condition("between only", item) for item in between] or [Condition("between none")]
    for condition in kinds:
        yield "between", said(conditions=(condition,))
    for which, place in (("head", head), ("modifier", modifier)):
        for side, near in (("before", place - 1), ("after", place + 1)):
            inner = first < near < last and last - first == 2  # then it is what stands between
            if place > 0 and 1 <= near < len(words) and near not in (head, modifier) and not inner:
                yield "beside", said(conditions=(Condition(f"{side} {which}", words.item(near)),))
    if head:
        yield "forms", said(head_item=words.form(head))
    yield "forms", said(modifier_item=words.form(modifier))
    if head:
        yield "forms", said(head_item=words.form(head), modifier_item=words.form(modifier))
