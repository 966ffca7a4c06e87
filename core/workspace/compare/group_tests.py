"""Paired tests of the parses in groups of words, in filtered words, and how many were made."""

from collections.abc import Sequence

from core.evaluation import Group, PairedTest, paired_tests
from core.evaluation.comparison import UAS
from core.evaluation.paired_tests import LEVEL
from core.languages.direction import side_name
from core.workspace.compare.measures import measured_names
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.wording import amount, p_value

FILTERED = "filtered words"


def are_tested(parses: SideBySide, measure: str = UAS) -> bool:
    """Whether there is a reference, and two parses or more whose differences from it can be tested."""
    return parses.is_scored and len(measured_names(parses, measure)) > 1


def not_tested(parses: SideBySide) -> str:
    """Why words that a filter leaves tell nothing about a difference; "" if they do."""
    if not {"right", "wrong"} & set(parses.filtered_by):
        return ""
    return "These words were chosen by which parse has them right, so differences between parses are not tested."


def group_tests(parses: SideBySide, groups: Sequence[Group], measure: str = UAS) -> tuple[PairedTest, ...]:
    """The PairedTests of every two parses in some Groups by UAS or LAS."""
    return paired_tests(groups, measured_names(parses, measure))


def filter_tests(parses: SideBySide) -> tuple[PairedTest, ...]:
    """The PairedTests of every two parses over all words that a filter leaves."""
    comparison = parses.comparison
    return group_tests(parses, [Group(FILTERED, comparison.scored, dict(comparison.right))])


def difference_table(tests: Sequence[PairedTest]) -> dict[str, list]:
    """Columns of a table over PairedTests: group, parses where there are several pairs, difference, p-values, words."""
    several = len({(test.one, test.other) for test in tests}) > 1
    table: dict[str, list] = {}
    if {test.group for test in tests} != {FILTERED}:
        table["kind"] = [side_name(test.group) for test in tests]
    if several:
        table |= {"one": [test.one for test in tests], "other": [test.other for test in tests]}
    table["gain"] = [round(test.gain, 1) + 0.0 for test in tests]
    table["alone"] = [f"{test.only_one:,} : {test.only_other:,}" for test in tests]
    table["p"] = [p_value(test.p_value).removeprefix("p ") for test in tests]
    table["adjusted"] = [p_value(test.adjusted).removeprefix("p ") for test in tests]
    if "kind" in table:
        table["words"] = [test.words for test in tests]
    return table


def difference_note(tests: Sequence[PairedTest], measure: str) -> str:
    """What the tests are, how many there are, and how many differences are hardly chance among so many."""
    first = tests[0]
    several = len({(test.one, test.other) for test in tests}) > 1
    which = "" if several else f", {first.one} less {first.other}"
    found = sum(test.is_significant for test in tests)
    of = "words with the right head" if measure == UAS else "words with the right head and relation"
    return (
        f"Differences of {of}{which}, in points. {amount(len(tests), 'comparison')}: exact sign tests, then adjusted "
        f"for their number (Holm 1979); {found:,} significant at {LEVEL:.0%}."
    )
