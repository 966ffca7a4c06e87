"""Tables about mark-up whose every row knows its brackets: agreement with trees, and the paper's Tables 1 to 5."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from core.errors import WorkbenchError
from core.markup import markup_statistics
from core.markup.agreement import JUDGED
from core.markup.marked import site_of
from core.markup.statistics import described, table
from core.workspace.markup.brackets import MarkedText

MOST = 200  # rows of a table of entries
COUNTERS = ("sequences", "dominating", "productions", "spawns")
TABLES = {
    "sizes": "Sentences",
    "cutoffs": "By length",
    "sequences": "Tag sequences",
    "dominating": "Dominating phrase",
    "productions": "Productions",
    "spawns": "Spawns",
}


@dataclass(frozen=True, eq=False)
class MarkTable:
    """Columns of a table, and behind each row the numbers of its MarkedBrackets.

    ``cells`` has, for columns whose cells stand for fewer brackets than their rows, a list of frozensets by row;
    ``names`` say in words what a row is.
    """

    columns: dict
    rows: tuple
    names: tuple
    cells: dict

    def behind(self, row: int, column: str) -> frozenset[int]:
        """frozenset of the numbers of the MarkedBrackets that a cell counts."""
        return self.cells[column][row] if column in self.cells else self.rows[row]


def agreement_table(text: MarkedText) -> MarkTable:
    """The MarkTable of how many brackets the trees respect at each level; a level's cell opens those that break it.

    Rows: all, those of several words, then each tag and each source. Cells are text: share, 95% interval, counts.

    Raises
    ------
    WorkbenchError : no bracket, or no tree to judge one by.
    """
    agreement = text.agreement
    groups = [("all brackets", agreement.all), ("of several words", agreement.multiword)]
    groups += [(f"<{tag}>", pair[0]) for tag, pair in agreement.by_tag.items()]
    if len(agreement.by_source) > 1:
        groups += [(f"from {source}", pair[0]) for source, pair in agreement.by_source.items()]
    members = _members(text)
    rows = tuple(frozenset(mark.number for mark in members[name]) for name, _ in groups)
    columns = {"brackets": [name for name, _ in groups], "count": [row.brackets for _, row in groups]}
    cells = {}
    for level in JUDGED:
        columns[level] = [_share(row, level) for _, row in groups]
        cells[level] = [frozenset(m.number for m in members[name] if m.breaks(level)) for name, _ in groups]
    return MarkTable(columns, rows, tuple(name for name, _ in groups), cells)


def held_at(text: MarkedText, level: str) -> tuple[int, int, float | None, float | None] | None:
    """(held, judged, low, high) of all brackets at a level: counts and the 95% interval; None without trees."""
    if not text.judged:
        return None
    row = text.agreement.all
    low, high = row.interval(level)
    return row.hits[level], row.brackets, low, high


def statistics_table(text: MarkedText, name: str) -> MarkTable:
    """The MarkTable of one of ``TABLES``. Raises WorkbenchError where the text has no tags, or no trees, for it."""
    if name in COUNTERS:
        return _entries(text, name)
    statistics = markup_statistics(text.treebank, text.brackets)
    lengths = text.treebank.lengths
    if name == "sizes":
        sizes = statistics.sizes
        groups = [[mark for mark in text.marks if lengths[mark.sentence] <= (size.most or 1 << 30)] for size in sizes]
        names = ["all" if size.most is None else f"up to {size.most} words" for size in sizes]
        fields = ("sentences", "tokens", "marked", "brackets", "multiword")
        return _table({"sentences of": names, **_columns(sizes, fields)}, groups, names)
    longest = defaultdict(int)
    for mark in text.marks:
        longest[mark.sentence] = max(longest[mark.sentence], len(mark.bracket))
    rows = [row for row in statistics.cutoffs if row.sentences]
    groups = [[mark for mark in text.marks if longest[mark.sentence] >= row.length] for row in rows]
    names = ["all" if row.length == 0 else f"a bracket of {row.length} words or more" for row in rows]
    columns = {"sentences with": names, **_columns(rows, ("sentences", "tokens", "brackets", "multiword"))}
    return _table(columns, groups, names)


def _entries(text, name):
    column = text.treebank.tag_column()
    groups = defaultdict(list)
    for index, marks in text.of_sentence.items():
        entries = described(text.treebank, index, [mark.bracket for mark in marks], column)
        for mark, entry in zip(marks, entries, strict=True):
            if name in entry:
                groups[entry[name]].append(mark)
    if not groups:
        raise WorkbenchError("this table needs trees, and no marked sentence has one; parse the text, or train on it")
    rows = table(Counter({entry: len(marks) for entry, marks in groups.items()}), MOST)
    columns = {key: [row[key] for row in rows] for key in ("name", "count", "share", "sum")}
    return _table(columns, [groups[row["name"]] for row in rows], [row["name"] for row in rows])


def _table(columns, groups, names):
    return MarkTable(columns, tuple(frozenset(mark.number for mark in group) for group in groups), tuple(names), {})


def _columns(rows, names):
    return {name: [getattr(row, name) for row in rows] for name in names}


def _members(text):
    """Dict from the names of the agreement table's rows to their brackets, of those in sentences with a tree."""
    members = defaultdict(list)
    for mark in text.marks:
        if mark.hardest is None:
            continue
        members["all brackets"].append(mark)
        if len(mark.bracket) > 1:
            members["of several words"].append(mark)
        for tag in mark.tags:
            members[f"<{tag}>"].append(mark)
        members[f"from {site_of(text.pages[mark.sentence])}"].append(mark)
    return members


def _share(row, level):
    low, high = row.interval(level)
    if low is None:
        return "–"
    return f"{row.share(level):.1%} ({100 * low:.0f}–{100 * high:.0f}) · {row.hits[level]:,} of {row.brackets:,}"
