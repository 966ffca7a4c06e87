"""From the tags of one tag set to those of another: a constraint file in Penn tags on a corpus with universal ones.

A tag that the corpus does not have is looked up by the rough part of speech that both names stand for (``TAG_SETS``),
then by spelling. A proposal is for the author to correct: a fine tag becomes a coarser one, or a coarse one several.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from core.constraints.language.constraint import EITHER_HEAD, Constraint, Item, Term
from core.constraints.language.reading import ConstraintDocument, parse_item, with_comment_of
from core.constraints.matching.matcher import Matcher, as_matcher, term_values
from core.treebank import Treebank
from core.treebank.tag_sets import FALLBACK, parts_of_speech

TAGS = ("tag", "upos", "xpos")


def propose_mapping(
    constraints: Sequence[Constraint], treebank: Treebank | Matcher, tags: str | None = None, *,
    other_column: bool = True,
) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """Which tags of a corpus to write for those of a constraint set that the corpus does not have.

    Parameters
    ----------
    constraints : sequence of Constraint
    treebank : Treebank or Matcher
    tags : None, "xpos" or "upos"
        The tag column that bare items speak of.
    other_column : bool
        Whether a tag that stands in the other column of the corpus is proposed as one of that. Else its own column is
        searched for the nearest tag.

    Returns
    -------
    dict of str to tuple of str
        Items as they are written, in the order in which the constraints name them: ``{"NN": ("NOUN",), "IN": ("ADP",
        "SCONJ")}``. Of several the commonest comes first; a tag of the other column is written with its prefix. An
        empty tuple where nothing is near; no entry for tags that the corpus has.

    Raises
    ------
    WorkbenchError : the corpus has no tags.

    Notes
    -----
    O(rows + unknown tags times tags).
    """
    matcher = as_matcher(treebank, tags, constraints)
    mapping = {}
    for constraint in constraints:
        conditions = [condition.item for condition in constraint.conditions if condition.item is not None]
        for item in (constraint.head, constraint.modifier, *conditions):
            for term in item.terms:
                if term.column not in TAGS or term.text in mapping:
                    continue
                column = matcher.column(term.column)
                if column is not None and not (term_values(term, column) & matcher.present(term.column)).any():
                    mapping[term.text] = _proposal(term, matcher, other_column)
    return mapping


def apply_mapping(text: str | ConstraintDocument, mapping: Mapping[str, Sequence[str]]) -> str:
    """A constraint file with its tags replaced.

    Parameters
    ----------
    text : str or ConstraintDocument
    mapping : dict of str to sequence of str
        As ``propose_mapping`` gives it, or as the author corrected it: item -> items as they are written. An empty
        sequence keeps the tag.

    Returns
    -------
    str
        Lines that name none of the tags, comments and lines that cannot be read stay as they are. Line numbers stay the
        same. Two lines may become equal, which ``check_constraints`` reports.

    Raises
    ------
    ConstraintError : a replacement is not an item.
    """
    lines = ConstraintDocument.from_text(text).lines
    terms = {
        parse_item(old).terms[0]: tuple(term for item in new for term in parse_item(item).terms)
        for old, new in mapping.items()
        if new
    }
    written = []
    for line in lines:
        constraint = line.constraint and _mapped(line.constraint, terms)
        if constraint is None or constraint == line.constraint:
            written.append(line.text)
        else:
            written.append(with_comment_of(line.text, constraint))
    return "".join(f"{line}\n" for line in written)


def _mapped(constraint, terms):
    def item(old, may_be_root):
        new = [term for former in old.terms for term in terms.get(former, (former,))]
        if not may_be_root:  # the root heads words and is headed by none
            new = [term for term in new if term.column != "root"] or old.terms
        return Item(tuple(new))

    conditions = [
        condition if condition.item is None else replace(condition, item=item(condition.item, True))
        for condition in constraint.conditions
    ]
    head, modifier = item(constraint.head, constraint.arrow != EITHER_HEAD), item(constraint.modifier, False)
    arrow = "->" if constraint.arrow == "<-" and head.is_root else constraint.arrow
    return replace(constraint, head=head, modifier=modifier, arrow=arrow, conditions=tuple(conditions))


def _proposal(term, matcher, other_column):
    """Items to write for an unknown term."""
    value = term.value
    if value.casefold() == "root":
        return ("ROOT",)
    for name in ("upos", "xpos") if other_column else ():
        if name != term.column and value in _by_frequency(name, matcher):
            return (Term(name, value).text,)
    target = "tag" if term.column == "tag" or not _by_frequency(term.column, matcher) else term.column
    present = _by_frequency(target, matcher)
    same = [tag for tag in present if tag.casefold() == value.casefold()]
    chosen = same or _same_part_of_speech(value, present)
    if not chosen:
        folded = {tag.casefold(): tag for tag in reversed(present)}
        chosen = [folded[tag] for tag in get_close_matches(value.casefold(), folded, 1, 0.5)]
    return tuple(Term(target, tag).text for tag in chosen)


def _by_frequency(name, matcher):
    """The values that occur in a column, the commonest first, then by name."""

    def make():
        column = matcher.column(name)
        counts = np.bincount(column.ids, minlength=len(column.values))
        present = np.flatnonzero(matcher.present(name)).tolist()
        return [column.values[k] for k in sorted(present, key=lambda k: (-counts[k], column.values[k]))]

    return matcher.cached(("by frequency", name), make)


def _same_part_of_speech(value, present):
    """The tags of the same part of speech as ``value``, or else of the nearest part of speech."""
    wanted = parts_of_speech(value)
    known = {tag: parts_of_speech(tag) for tag in present}
    while wanted:
        # one must name the other's first sense: IN is ADP first, SCONJ too
        same = [tag for tag, parts in known.items() if parts and (parts[0] in wanted or wanted[0] in parts)]
        if same:
            return same
        wanted = tuple(FALLBACK[part] for part in wanted if part in FALLBACK)
    return []
