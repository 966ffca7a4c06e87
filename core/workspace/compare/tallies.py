"""Parses against what a project knows beside gold trees: its groups of words, its constraints, the text's mark-up.

Every figure is a ParseTally: so many of so many, and the words behind it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.constraints import ConstraintDocument
from core.constraints.matching.matcher import Matcher
from core.evaluation import Group
from core.store import Corpus
from core.trees import PackedHeads
from core.trees.brackets import LEVELS, Bracket, PackedBrackets, hardest_levels, offending_arcs
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.corpora import text_brackets
from core.workspace.groups import group_masks, groups
from core.workspace.registry import Systems
from core.workspace.workspace import Workspace

WORDS = "words"


@dataclass(frozen=True, eq=False)
class ParseTally:
    """A row of a table over parses.

    Attributes
    ----------
    name, note : str
        What is counted, and what is asked of it ("" for nothing).
    counts : dict from parse to (int, int)
        The share, as (part, whole).
    rows : dict from parse to int64 array
        Rows of the words that count against the parse; under WORDS, where given, of all words counted.
    met : dict from parse to bool
        Whether what is asked is met; empty where nothing is.
    """

    name: str
    note: str
    counts: dict
    rows: dict
    met: dict


def group_tallies(workspace: Workspace, corpus: Corpus, parses: SideBySide) -> tuple[tuple[ParseTally, ...], list[str]]:
    """(figures for the groups of words of a Corpus, problems in words): right heads, of all compared."""
    definitions = json.dumps([[group.name, group.definition] for group in groups(workspace.store, corpus)])
    return parses.cached(("group", definitions), lambda: _groups(workspace, corpus, parses))


def constraint_tallies(
    workspace: Workspace, corpus: Corpus, parses: SideBySide
) -> tuple[tuple[ParseTally, ...], list[str]]:
    """(figures for the constraint set of a Corpus, problems): arcs that match, of what each target is a share of.

    Trees are looked at whole, punctuation too; those that the parses are scored against as well. Each of the rows is a
    word of which the constraint speaks and which has another head.
    """
    constraints = Systems(workspace).learner(corpus)
    text, tags = constraints.source(corpus), constraints.plan(corpus).tags
    return parses.cached(("constraint", text, tags), lambda: _constraints(parses, text, tags))


def bracket_tallies(
    workspace: Workspace, corpus: Corpus, parses: SideBySide
) -> tuple[tuple[ParseTally, ...], list[str]]:
    """(figures for the levels of mark-up, problems): brackets respected, of those in sentences with whole trees."""
    return parses.cached(("bracket",), lambda: _brackets(corpus, parses))


TALLIES = {"group": group_tallies, "constraint": constraint_tallies, "bracket": bracket_tallies}
UNITS = {"group": "right heads", "constraint": "arcs that match", "bracket": "brackets respected"}
NONE = {
    "group": "There are no groups yet. Save a search or a choice of sentences as a group on the Corpus page, "
    "or make one here.",
    "constraint": "This text has no constraints yet; write some on the Constraints page.",
    "bracket": "No sentence that is compared has mark-up.",
}


def tally_table(tallies: Sequence[ParseTally], parses: Iterable[str]) -> dict[str, list]:
    """Columns of a table over ParseTallies: name, note where there is any, out of how many, and each parse's share.

    A parse that is counted out of another number, such as where words have no head, says so in its cell.
    """
    table: dict[str, list] = {"name": [tally.name for tally in tallies]}
    if any(tally.note for tally in tallies):
        table["asked"] = [tally.note for tally in tallies]
    table["of"] = [max(whole for _, whole in tally.counts.values()) for tally in tallies]

    def cell(tally, parse, of):
        if parse not in tally.counts:
            return None
        part, whole = tally.counts[parse]
        shown = f"{part / whole:6.1%}" if whole else "none"
        return shown + (f" of {whole:,}" if 0 < whole < of else "") + (" ✓" if tally.met.get(parse) else "")

    for parse in parses:
        table[parse] = [cell(tally, parse, of) for tally, of in zip(tallies, table["of"], strict=True)]
    return table


def groups_of_tallies(parses: SideBySide, tallies: Sequence[ParseTally]) -> tuple[Group, ...]:
    """The Groups of words behind ``group_tallies``."""
    masks = {}
    for tally in tallies:
        masks[tally.name] = np.zeros(len(parses.comparison.text.heads), bool)
        masks[tally.name][tally.rows[WORDS]] = True
    return parses.comparison.table("", masks)


def _groups(workspace, corpus, parses):
    masks, problems = group_masks(workspace, corpus)
    whole, text = workspace.treebank(corpus), parses.comparison.text
    compared = np.repeat(np.isin(whole.picks, text.picks), whole.lengths + 1)
    tallies = []
    for group in parses.comparison.table(None, {name: mask[compared] for name, mask in masks.items()}):
        if not group.words:
            problems.append(f"no word of the group {group.name} is among the words compared")
            continue
        counts = {name: (int(right.sum()), group.words) for name, right in group.right.items()}
        rows = {name: group.rows[~right] for name, right in group.right.items()} | {WORDS: group.rows}
        tallies.append(ParseTally(group.name, "", counts, rows, {}))
    return tuple(tallies), problems


def _banks(parses):
    reference = {parses.reference: parses.comparison.gold} if parses.is_scored else {}
    return reference | parses.comparison.systems


def _constraints(parses, text, tags):
    constraints = ConstraintDocument.from_text(text).constraints
    if not constraints:
        return (), []
    matches = Matcher(parses.comparison.text, tags).match(constraints)
    per_parse = {name: Matcher(bank, tags).counts(constraints) for name, bank in _banks(parses).items()}
    tallies, problems = [], []
    for c, constraint in enumerate(constraints):
        if not matches.pairs[c]:
            problems.append(f"line {constraint.line}, {constraint.name}, matches nothing in these sentences")
            continue
        counts = {name: (coverages[c].edges, coverages[c].known_denominator) for name, coverages in per_parse.items()}
        shares = {name: part / whole for name, (part, whole) in counts.items() if whole}
        met = {name: constraint.low <= share <= constraint.high for name, share in shares.items()}
        rows = {name: _otherwise(matches, c, bank) for name, bank in _banks(parses).items()}
        tallies.append(ParseTally(constraint.name, constraint.target_text, counts, rows, met))
    return tuple(tallies), problems


def _otherwise(matches, c, bank):
    """Rows of the words with a candidate head of constraint c, and another head in the bank: int64, ascending."""
    arcs = matches.of(c)
    sentence = np.searchsorted(matches.arc_offsets, arcs, side="right") - 1
    head, modifier = np.divmod(arcs - matches.arc_offsets[sentence], bank.lengths[sentence] + 1)
    rows = bank.offsets[sentence] + modifier
    edges = bank.heads[rows] == head
    spoken_of = np.unique(rows[bank.heads[rows] >= 0])
    return np.setdiff1d(spoken_of, rows[edges], assume_unique=True)


def _brackets(corpus, parses):
    text = parses.comparison.text
    marks = text_brackets(text, corpus.reference)
    if not any(marks):
        return (), []
    levels = {name: _judged(bank, marks) for name, bank in _banks(parses).items()}
    tallies = []
    for number, level in enumerate(LEVELS[1:], start=1):
        counts = {name: (int((hardest >= number).sum()), len(hardest)) for name, (hardest, _) in levels.items()}
        rows = {name: _crossing(_banks(parses)[name], marked, level) for name, (_, marked) in levels.items()}
        tallies.append(ParseTally(level, "", counts, rows, {}))
    short = [name for name, (_, marked) in levels.items() if len(marked) < sum(map(bool, marks))]
    left_out = f"{', '.join(short)}: sentences without a whole tree are left out"
    return tuple(tallies), [left_out] if short else []


def _judged(bank, marks):
    """(hardest level of each bracket, [(sentence, brackets)] of the sentences with a whole tree and mark-up)."""
    missing = np.add.reduceat((bank.heads < 0).astype(np.int64), bank.offsets[:-1]) > 1  # the root row has none either
    marked = [(index, brackets) for index, brackets in enumerate(marks) if brackets and not missing[index]]
    if not marked:
        return np.zeros(0, np.int8), marked
    part = bank.select(np.array([index for index, _ in marked]))
    packed = PackedBrackets.from_lists([brackets for _, brackets in marked])
    return hardest_levels(PackedHeads(part.heads, part.offsets), packed), marked


def _crossing(bank, marked, level):
    """Rows of the modifiers of arcs that break brackets at a level: int64, each once."""
    rows = set()
    for index, brackets in marked:
        begin, end = bank.offsets[index : index + 2]
        for bracket in brackets:
            arcs = offending_arcs(bank.heads[begin:end], Bracket(bracket.start, bracket.end), level)
            rows |= {int(begin) + modifier for _, modifier in arcs}
    return np.array(sorted(rows), np.int64)
