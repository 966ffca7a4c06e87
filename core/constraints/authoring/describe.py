"""Constraints made from one example: what can be said of an arc, or of a pair that is no arc, from general to specific.

The author clicks two words. Each description is a constraint without a target that these words fit, with the number of
other pairs that fit it. She picks the one that says what she means.
"""

from dataclasses import dataclass, replace

from core.constraints.language.constraint import Condition, Constraint, Item, Term
from core.constraints.matching.matcher import Coverage, Matcher, as_matcher
from core.constraints.matching.oracle import ROOT
from core.errors import WorkbenchError
from core.treebank import Treebank

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
    """

    constraint: Constraint
    level: str
    coverage: Coverage


def describe_arc(treebank: Treebank | Matcher, sentence: int, head: int, modifier: int) -> list[Description]:
    """The constraints that describe a pair of words.

    Parameters
    ----------
    treebank : Treebank or Matcher
        Words without a tag, or all of them in a text without tags, are named by their forms.
    sentence : int
        Index of the sentence.
    head, modifier : int
        Words of it, from 1; head 0 is the root. They need not be an arc of any tree.

    Returns
    -------
    list of Description
        Level by level: the two tags; with direction; with distance; with what stands between them; with what stands
        beside one of them; with one form, with both. Within a level the one that matches most comes first. One that
        matches the very pairs that an earlier one matches is left out.

    Raises
    ------
    WorkbenchError : there is no such pair of words.

    Notes
    -----
    The cost of matching about fifteen constraints.
    """
    matcher = as_matcher(treebank, None, ())
    bank = matcher.treebank
    if not 0 <= sentence < len(bank):
        raise WorkbenchError(f"there is no sentence {sentence}; the text has sentences 0..{len(bank) - 1}")
    last = int(bank.lengths[sentence])
    if not (0 <= head <= last and 1 <= modifier <= last):
        raise WorkbenchError(
            f"sentence {sentence} has no arc {head} -> {modifier}; heads are 0 (root)..{last}, modifiers 1..{last}"
        )
    if head == modifier:
        raise WorkbenchError(f"word {head} cannot be its own head; choose two different words")
    levelled = list(_descriptions(_Words(matcher, sentence), head, modifier))
    coverages = matcher.counts([constraint for _, constraint in levelled])
    order = sorted(range(len(levelled)), key=lambda k: (LEVELS.index(levelled[k][0]), -coverages[k].pairs))
    matches = matcher.match([levelled[k][1] for k in order])
    descriptions = {}  # the first of those that match the same pairs
    for index, k in enumerate(order):
        level, constraint = levelled[k]
        descriptions.setdefault(matches.of(index).tobytes(), Description(constraint, level, coverages[k]))
    return list(descriptions.values())


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
    """(level, Constraint) for each way to describe the pair."""
    first, last = min(head, modifier), max(head, modifier)
    plain = Constraint(words.item(head), words.item(modifier), ("<-", "->")[head < modifier], 0.0, 1.0)
    if head:
        yield "tags", replace(plain, arrow="--")
    yield "direction", plain
    yield "distance", replace(plain, distance=(last - first, last - first))
    between = {words.item(k) for k in range(first + 1, last)}
    kinds = [Condition("between", item) for item in sorted(between, key=lambda item: item.text)]
    if len(between) <= 1:
        kinds.append(Condition("between only", *between) if between else Condition("between none"))
    for condition in kinds:
        yield "between", replace(plain, conditions=(condition,))
    taken = range(first, last + 1) if last - first == 2 else (first, last)  # a word alone between them is said above
    for which, position in (("head", head), ("modifier", modifier)):
        for side, near in (("before", position - 1), ("after", position + 1)):
            if position > 0 and 1 <= near < len(words) and near not in taken:
                yield "beside", replace(plain, conditions=(Condition(f"{side} {which}", words.item(near)),))
    if head:
        yield "forms", replace(plain, head=words.form(head))
    yield "forms", replace(plain, modifier=words.form(modifier))
    if head:
        yield "forms", replace(plain, head=words.form(head), modifier=words.form(modifier))
