"""Paired tests of every two systems in several groups of words, with p-values that know how many tests there are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from core.evaluation.comparison import Group
from core.evaluation.significance import holm, sign_test_over

LEVEL = 0.05
PRACTICE = "exact sign tests over words; p-values adjusted for the number of tests (Holm 1979)"


@dataclass(frozen=True)
class PairedTest:
    """A two-sided exact sign test of two systems on the words of a group.

    Attributes
    ----------
    group, one, other : str
        Names.
    words : int
        Words of the group.
    only_one, only_other : int
        Words that only the one, or only the other, has right; no others decide.
    p_value, adjusted : float
        By itself, and adjusted for all tests made together.
    """

    group: str
    one: str
    other: str
    words: int
    only_one: int
    only_other: int
    p_value: float
    adjusted: float

    @property
    def gain(self) -> float:
        """By how many percentage points more words the one has right than the other."""
        return 100.0 * (self.only_one - self.only_other) / self.words

    @property
    def is_significant(self) -> bool:
        """At the 5% level, among all tests made together."""
        return self.adjusted <= LEVEL

    def as_dict(self) -> dict:
        """Plain numbers for JSON."""
        return {
            "group": self.group, "systems": [self.one, self.other], "words": self.words, "only_one": self.only_one,
            "only_other": self.only_other, "difference": self.gain, "p_value": self.p_value,
            "p_adjusted": self.adjusted,
        }  # fmt: skip


def paired_tests(groups: Sequence[Group], systems: Sequence[str]) -> tuple[PairedTest, ...]:
    """A PairedTest of every two systems in every Group with words: by group, then by pair.

    O(groups * systems^2 * words). The words of a sentence are taken for independent, as by ``sign_test``.
    """
    tests = []
    for group in groups:
        for one, other in combinations(systems, 2) if group.words else ():
            found = sign_test_over(group.right[one], group.right[other])
            alone = found.only_first, found.only_second
            tests.append(PairedTest(group.name, one, other, group.words, *alone, found.p_value, found.p_value))
    adjusted = holm([test.p_value for test in tests]).tolist()
    return tuple(replace(test, adjusted=value) for test, value in zip(tests, adjusted, strict=True))
