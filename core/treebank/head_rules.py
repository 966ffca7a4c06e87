"""Head-percolation rules: which child of a phrase is its head.

The two published tables are files in ``assets/head-rules``; a user's own table is a file in the same notation,
which the top of ``collins.txt`` explains.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import FormatError, WorkbenchError
from core.files.assets import ASSETS
from core.treebank.problems import require_text

FOLDER = ASSETS / "head-rules"
PUNCTUATION = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-", "-NONE-", "'", '"', "NFP", "HYPH"})
SEARCHES = ("l", "r", "last")


@dataclass(frozen=True)
class HeadRules:
    """Searches by phrase label; ``table["*"]`` serves labels without a line of their own.

    Attributes
    ----------
    table : dict of str to tuple of (str, frozenset of str)
        Each search is one of "l", "r", "last" and the labels it looks for ("*": any that is not punctuation).
    coordination : frozenset of str
        Labels after which a head gives way to the child before them; empty for no such rule.
    """

    table: dict
    coordination: frozenset = frozenset()

    def head_child(self, label: str, children: Sequence[str]) -> int:
        """Index of the head among ``children``, a non-empty list of labels. O(searches x children)."""
        if len(children) == 1:
            return 0
        for search, wanted in self.table.get(label, self.table["*"]):
            head = _search(search, wanted, children)
            if head is not None:
                coordinated = head >= 2 and children[head - 1] in self.coordination
                return head - 2 if coordinated and children[head - 2] not in PUNCTUATION else head
        return 0 if self.table["*"][0][0] == "l" else len(children) - 1  # nothing but punctuation


def load_head_rules(name: str | Path) -> HeadRules:
    """Read head rules by name ("collins", "yamada-matsumoto") or from a file path.

    Raises WorkbenchError for an unknown name and FormatError, with file and line, for a malformed table.
    """
    path = FOLDER / f"{name}.txt"
    if not path.is_file():
        path = Path(name)
    if not path.is_file():
        names = ", ".join(sorted(file.stem for file in FOLDER.glob("*.txt")))
        raise WorkbenchError(f"no head rules called {name!r}: choose one of {names}, or give the path of a file")
    data = path.read_bytes()
    require_text(data, path.name, "utf-8")
    table, coordination = {}, frozenset()
    for number, line in enumerate(data.decode("utf-8-sig").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        label, _, rest = line.partition("\t")
        if not rest.strip():
            raise FormatError("expected a phrase label, a tab and searches", path=path.name, line=number)
        if label == "coordination":
            coordination = frozenset(rest.split())
        else:
            table[label] = tuple(_parse_search(part, path, number) for part in rest.split(";") if part.strip())
    if "*" not in table:
        raise FormatError('no line for "*", the label that stands for all others; add one', path=path.name)
    return HeadRules(table, coordination)


def _parse_search(text, path, number):
    search, *labels = text.split()
    if search not in SEARCHES or not labels:
        raise FormatError(
            f"{text.strip()!r} is not a search: write l, r or last and then labels", path=path.name, line=number
        )
    return search, frozenset(labels)


def _search(search, wanted, children):
    def fits(child):
        return child in wanted or ("*" in wanted and child not in PUNCTUATION)

    if search == "last":
        return len(children) - 1 if fits(children[-1]) else None
    order = range(len(children)) if search == "l" else range(len(children) - 1, -1, -1)
    return next((index for index in order if fits(children[index])), None)


def plain_label(label: str) -> str:
    """A phrase label without function tags and indices: ``NP-SBJ-1`` -> ``NP``; ``-LRB-`` stays whole."""
    return label if label.startswith("-") else re.split(r"[-=|]", label, maxsplit=1)[0] or label
