"""Constraints to begin with: the files that ship, in the tags of a text.

The universal file is for trees in which content words are heads, as in Universal Dependencies. The file in Penn tags is
for English and trees in which function words are heads.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.constraints.authoring.mapping import apply_mapping
from core.constraints.authoring.word_order import NAMES, order_constraints
from core.constraints.language.constraint import Constraint, Item, Term
from core.constraints.language.reading import ConstraintDocument, with_comment_of
from core.constraints.matching.matcher import Matcher, as_matcher
from core.errors import WorkbenchError
from core.files.assets import ASSETS
from core.treebank.tag_sets import OLDER, PENN, UNIVERSAL, parts_of_speech
from core.treebank.treebank import Treebank

FOLDER = ASSETS / "constraints"
FILES = {"content": "universal-25.txt", "function": "penn-manual-25.txt"}  # by which words are heads
MOST = 0.9  # the least share of words with Penn tags in a text that is tagged with Penn's tag set


@dataclass(frozen=True)
class Beginning:
    """A set to begin with.

    Attributes
    ----------
    text : str
        The file of constraints. Each constraint matches something in the text, and its items name only tags that occur
        there.
    left_out : tuple of Constraint
        Constraints of the set that match nothing there.
    """

    text: str
    left_out: tuple[Constraint, ...]


def offered(treebank: Treebank | Matcher, tags: str | None = None) -> tuple[str, ...]:
    """Which of FILES suit the tags of a text: content heads always, function heads where the tags are Penn's.

    Raises WorkbenchError where no word has a tag.
    """
    shares = _share(as_matcher(treebank, tags, ()), {tag for some in PENN.values() for tag in some.split()})
    return ("content", "function") if shares >= MOST else ("content",)


def lines_to_begin(
    treebank: Treebank | Matcher,
    heads: str = "content",
    answers: Mapping[str, str] | None = None,
    tags: str | None = None,
) -> Beginning:
    """The Beginning for a text.

    Parameters
    ----------
    treebank : Treebank or Matcher
    heads : {"content", "function"}
    answers : mapping of str to str, optional
        Of word order, as ``order_constraints`` takes them; only with content heads, whose lines leave it open.
    tags : None, "xpos" or "upos"
        The tag column. Where its tags are not universal, each universal tag becomes those that mainly stand for it.

    Raises
    ------
    WorkbenchError : no word has a tag, another name of heads, answers of word order with function heads.
    """
    if heads not in FILES:
        raise WorkbenchError(f"heads are {' or '.join(FILES)} words, not {heads!r}")
    if answers and heads == "function":
        raise WorkbenchError("the lines for function heads know the word order of English; leave the answers out")
    matcher = as_matcher(treebank, tags, ())
    text = (FOLDER / FILES[heads]).read_text(encoding="utf-8")
    answers = answers or {}
    order_constraints(answers)  # refuses names that are no questions
    for name in filter(answers.__contains__, NAMES):
        lines = "".join(f"{line.text}\n" for line in order_constraints({name: answers[name]}))
        text += f"\n# word order, {name}: {answers[name]}\n{lines}"
    if heads == "content" and _share(matcher, {*UNIVERSAL.split(), *OLDER}) < 0.5:
        text = apply_mapping(text, _tags_of_parts(matcher))
    document = ConstraintDocument.from_text(text)
    coverages, written, left_out = iter(matcher.counts(document.constraints)), [], []
    for line in document.lines:
        if line.constraint is None:
            written.append(line.text)
        elif next(coverages).pairs:
            written.append(with_comment_of(line.text, _with_known_terms(line.constraint, matcher)))
        else:
            left_out.append(line.constraint)
    if left_out and "" in written:  # the comment at the head of the file gives the number of constraints
        written.insert(written.index(""), f"# Left out here, as no words of this text match: {len(left_out)} of them.")
    return Beginning("\n".join([*written, ""]), tuple(left_out))


def _with_known_terms(constraint, matcher):
    """The Constraint without the tags, among others of an item, that no word has; it matches the same pairs."""

    def known(item):
        terms = tuple(term for term in item.terms if matcher.mask(Item((term,))).any())
        return Item(terms) if terms else item

    conditions = tuple(
        replace(condition, item=condition.item and known(condition.item)) for condition in constraint.conditions
    )
    head, modifier = known(constraint.head), known(constraint.modifier)
    return replace(constraint, head=head, modifier=modifier, conditions=conditions, comment="")


def _counts(matcher):
    """tag -> how many words have it."""
    column = matcher.column("tag")
    counts = np.bincount(column.ids, minlength=len(column.values)).tolist()
    return {value: count for value, count in zip(column.values, counts, strict=True) if value and count}


def _share(matcher, tags):
    """How many of the words that have a tag have one of these."""
    counts = _counts(matcher)
    return sum(count for tag, count in counts.items() if tag in tags) / max(sum(counts.values()), 1)


def _tags_of_parts(matcher):
    """Universal tag -> the text's tags that mainly stand for it."""
    mapping = {}
    for tag in _counts(matcher):
        for part in parts_of_speech(tag)[:1]:
            mapping.setdefault(part, []).append(Term("tag", tag).text)
    return mapping
