"""Matrices with words at their rows and columns, many small trees at once, and panels side by side.

Of a matrix with more rows than ``MOST``, or more columns than there is room for, the rest is folded, and said how much
it is: what was marked or weighs most stays in sight, or the first ones where it has as many columns as rows.
"""

from dataclasses import dataclass

from core.draw.arc import Arc
from core.draw.arcs import SMALL, WIDTH, arc_heights, columns, draw_arcs, word_size
from core.draw.levels import widest
from core.draw.scene import Picture, Scene, Shown, beside, fitted, shortened, stacked

MOST = 12  # rows of a matrix in sight
ROW, ROWS_HIGH = (24.0, 34.0), 288.0  # height of a row, and of all together where they take less than the most
COLUMN = 54.0  # the least width of a column
ROWS = 2  # of small trees in sight where there are more
FOLD = 24.0  # width of what stands for the rest
NAMES = 130.0, 0.2  # the least width of the names of rows, and their largest share of the whole


@dataclass(frozen=True, slots=True)
class MatrixPicture(Shown):
    """Numbers in a grid.

    Attributes
    ----------
    title : str
    rows, columns : tuple of str
        Their names.
    values : tuple of tuples of str
    shades : tuple of tuples of float, optional
        0..1, how dark each cell is.
    marks : dict of (row, column) to str
        Cells in a frame of that colour of the palette.
    note : str
        Under the grid.
    wide : float
        Most that a column takes.
    """

    title: str
    rows: tuple
    columns: tuple
    values: tuple
    shades: tuple = ()
    marks: tuple = ()
    note: str = ""
    wide: float = 96.0

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        names = max(widest(name, SMALL) for name in self.rows)
        first = max(NAMES[0], min(names + 14, NAMES[1] * width))
        rows, columns = self._in_sight(width - first)
        more = [len(names) - len(shown) for names, shown in ((self.rows, rows), (self.columns, columns))]
        column = min(self.wide, (width - first - FOLD * bool(more[1])) / len(columns))
        high, top = min(max(ROWS_HIGH / len(rows), ROW[0]), ROW[1]), 58.0
        note = " · ".join(filter(None, (self.note, _folded(*more))))
        foot = top + high * len(rows) + FOLD * bool(more[0])
        wide = max(first + column * len(columns) + FOLD * bool(more[1]), widest(self.title, 17, bold=True),
                   widest(note, SMALL)) + 4  # fmt: skip
        scene = Scene(min(wide, width), foot + 30, theme)
        scene.headline(2, 18, self.title, 17, scene.width - 4)
        marks = dict(self.marks)
        for place, c in enumerate(columns):
            x, name = first + (place + 0.5) * column, self.columns[c]
            size = fitted(name, SMALL, column - 6, SMALL)
            scene.text(x, top - 10, shortened(name, size, column - 6), size, "ink", serif=True)
        if more[1]:
            scene.text(first + column * len(columns) + FOLD / 2, top - 10, "…", SMALL, "quiet")
        if more[0]:
            scene.text(first - 10, foot - 6, "⋮", SMALL, "quiet", "end")
        for row, r in enumerate(rows):
            y, name = top + row * high, shortened(self.rows[r], SMALL, first - 14)
            scene.text(first - 10, y + high / 2 + 5, name, SMALL, "ink", "end", serif=True)
            for place, c in enumerate(columns):
                x, value = first + place * column, self.values[r][c]
                mark = marks.get((r, c))
                shade = self.shades[r][c] if self.shades else 0.0
                shade = 0.42 * min(max(shade, 0.0), 1.0)
                scene.box(x + 1.5, y + 1.5, column - 3, high - 3, mark or "quiet", 2.2 if mark else 0.6, radius=3,
                          fill="predicted", shade=shade, fade=1 if mark else 0.5)  # fmt: skip
                size = fitted(value, SMALL, column - 8, SMALL)
                scene.text(x + column / 2, y + high / 2 + size * 0.36, value, size, bold=bool(mark))
        if note:
            scene.text(2, foot + 20, note, fitted(note, SMALL, scene.width - 4), "quiet", "start")
        return scene

    def _in_sight(self, room):
        """(rows, columns) that are drawn, the columns in so much room."""
        rows, columns = range(len(self.rows)), range(len(self.columns))
        least = max(COLUMN, max(widest(value, SMALL) for row in self.values for value in row) + 8)
        fitting = int(room // least)
        fitting -= fitting * least + FOLD > room and fitting < len(columns)
        if len(rows) <= MOST:
            return list(rows), list(columns)[:fitting]
        if len(columns) < MOST and len(columns) <= fitting:  # a list
            marked = {r for (r, _), _ in self.marks}
            weight = {r: (r in marked, max(self.shades[r]) if self.shades else 0.0) for r in rows}
            return sorted(sorted(rows, key=lambda r: weight[r], reverse=True)[:MOST]), list(columns)
        most = min(MOST, fitting)
        return list(rows)[:most], list(columns)[:most]


@dataclass(frozen=True, slots=True)
class SmallTree:
    """One of many trees: ``heads`` (n + 1,), what stands under it, and the colour of the palette to frame it in."""

    heads: tuple
    caption: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class TreesPicture(Shown):
    """Small trees in rows of ``across``; ``room`` keeps places for that many; ``note`` stands under them.

    Of more than ``ROWS`` rows the last ones are in sight.
    """

    words: tuple
    trees: tuple
    across: int = 4
    room: int = 0
    note: str = ""

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        wide, high = width / self.across, 150.0
        rows = -(-max(self.room, len(self.trees)) // self.across)
        before = max(-(-len(self.trees) // self.across) - ROWS, 0) * self.across
        scene = Scene(width, min(rows, ROWS) * high + (34 if self.note else 4), theme)
        for number, tree in enumerate(self.trees[before:]):
            x, y = number % self.across * wide, number // self.across * high
            scene.box(x + 4, y + 4, wide - 8, high - 8, tree.mark or "quiet", 2 if tree.mark else 0.8,
                      fill=tree.mark or None, shade=0.08, fade=1 if tree.mark else 0.5)  # fmt: skip
            self._tree(scene, tree, x + 12, y, wide - 24, high)
        if self.note:
            note = f"{self.note}; the first {before} are not drawn" if before else self.note
            scene.headline(6, scene.height - 10, note, 17, width - 12)
        return scene

    def _tree(self, scene, tree, x, y, wide, high):
        column = wide / len(self.words)
        middles = columns(self.words, column, x)
        arcs = [Arc(head, m, kind="predicted" if tree.mark else "plain") for m, head in enumerate(tree.heads) if m]
        floor = y + high - 48
        draw_arcs(scene, arcs, middles, floor, min(15.0, (high - 70) / max(arc_heights(arcs))))
        names = ["•", *self.words[1:]]
        if word_size(names, column - 2, SMALL, 1.0) < SMALL:  # numbers stand for words, every so many where they meet
            every = -(-widest(str(len(names)), SMALL) // column)
            names[1:] = [str(k) if k % every == 0 or every == 1 else "" for k in range(1, len(names))]
        for middle, name in zip(middles, names, strict=True):
            scene.text(middle, floor + 18, name, SMALL, serif=True)
        strong = bool(tree.mark)
        scene.text(x + wide / 2, y + high - 12, tree.caption, fitted(tree.caption, SMALL, wide, 6, strong), bold=strong)


@dataclass(frozen=True, slots=True)
class Titled(Shown):
    """A picture with a line above it."""

    title: str
    picture: Picture

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        inner = self.picture.scene(theme, width)
        wide = max(inner.width, min(width, widest(self.title, 16, bold=True) + 8))
        whole = Scene(wide, inner.height + 26, theme)
        whole.headline(4, 18, self.title, 16, wide - 8)
        whole.inset(inner, 0, 26)
        return whole


@dataclass(frozen=True, slots=True)
class Panels(Shown):
    """Several pictures, one under the other or side by side, each as wide as it needs.

    ``shares`` of the width that they have side by side, which sum to 1, are equal without.
    """

    pictures: tuple
    side_by_side: bool = False
    shares: tuple = ()

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        shares = self.shares or (1 / len(self.pictures),) * len(self.pictures)
        rooms = [width * share - 18 if self.side_by_side else width for share in shares]
        scenes = [picture.scene(theme, room) for picture, room in zip(self.pictures, rooms, strict=True)]
        return beside(scenes) if self.side_by_side else stacked(scenes)


def _folded(rows, columns):
    """How much of a matrix is folded, or ""."""
    counts = [f"{count} more {name}" for count, name in ((rows, "rows"), (columns, "columns")) if count]
    return f"{' and '.join(counts)} are not drawn" if counts else ""
