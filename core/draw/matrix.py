"""Matrices with words at their rows and columns, many small trees at once, and panels side by side."""

from dataclasses import dataclass

from core.draw.arcs import WIDTH, columns, draw_arcs, word_size
from core.draw.drawing import Arc
from core.draw.levels import widest
from core.draw.scene import Picture, Scene, beside, fitted, stacked

SMALLEST, FEW = 6.0, 10  # font size of a small tree's words; of more than so many, numbers stand for smaller ones


@dataclass(frozen=True, slots=True)
class MatrixPicture:
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
    wide: float = 92.0

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        first = 108.0
        column = min(self.wide, (width - first) / len(self.columns))
        high, top = 34.0, 58.0
        wide = max(first + column * len(self.columns), widest(self.title, 17, bold=True), widest(self.note, 14)) + 4
        scene = Scene(min(wide, width), top + high * len(self.rows) + 34, theme)
        scene.headline(2, 18, self.title, 17, scene.width - 4)
        marks = dict(self.marks)
        for c, name in enumerate(self.columns):
            x = first + (c + 0.5) * column
            scene.text(x, top - 10, name, fitted(name, 15, column - 6), "ink", serif=True)
        for r, name in enumerate(self.rows):
            y = top + r * high
            scene.text(first - 10, y + 22, name, fitted(name, 15, first - 14), "ink", "end", serif=True)
            for c, value in enumerate(self.values[r]):
                x = first + c * column
                mark = marks.get((r, c))
                shade = self.shades[r][c] if self.shades else 0.0
                shade = 0.42 * min(max(shade, 0.0), 1.0)
                scene.box(x + 1.5, y + 1.5, column - 3, high - 3, mark or "quiet", 2.2 if mark else 0.6, radius=3,
                          fill="predicted", shade=shade, fade=1 if mark else 0.5)  # fmt: skip
                size = fitted(value, 15, column - 10, 8.0)
                scene.text(x + column / 2, y + high / 2 + size * 0.36, value, size, bold=bool(mark))
        if self.note:
            size = fitted(self.note, 14, scene.width - 4)
            scene.text(2, top + high * len(self.rows) + 22, self.note, size, "quiet", "start")
        return scene


@dataclass(frozen=True, slots=True)
class SmallTree:
    """One of many trees: ``heads`` (n + 1,), what stands under it, and the colour of the palette to frame it in."""

    heads: tuple
    caption: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class TreesPicture:
    """Small trees in rows of ``across``; ``room`` keeps places for that many; ``note`` stands under them."""

    words: tuple
    trees: tuple
    across: int = 4
    room: int = 0
    note: str = ""

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        wide, high = width / self.across, 134.0
        rows = -(-max(self.room, len(self.trees)) // self.across)
        scene = Scene(width, rows * high + (34 if self.note else 4), theme)
        for number, tree in enumerate(self.trees):
            x, y = number % self.across * wide, number // self.across * high
            scene.box(x + 4, y + 4, wide - 8, high - 8, tree.mark or "quiet", 2 if tree.mark else 0.8,
                      fill=tree.mark or None, shade=0.08, fade=1 if tree.mark else 0.5)  # fmt: skip
            self._tree(scene, tree, x + 12, y, wide - 24, high)
        if self.note:
            scene.headline(6, rows * high + 24, self.note, 17, width - 12)
        return scene

    def _tree(self, scene, tree, x, y, wide, high):
        column = wide / len(self.words)
        middles = columns(self.words, column, x)
        arcs = [Arc(head, m, kind="predicted" if tree.mark else "plain") for m, head in enumerate(tree.heads) if m]
        floor = y + high - 48
        draw_arcs(scene, arcs, middles, floor, min(15.0, (high - 66) / len(arcs)))
        names = ["•", *self.words[1:]]
        if len(names) > FEW and word_size(names, column - 2, 13.0, 1.0) < SMALLEST:
            names[1:] = [str(k) for k in range(1, len(names))]
        size = word_size(names, column - 2, 13.0, SMALLEST)
        for middle, name in zip(middles, names, strict=True):
            scene.text(middle, floor + 16, name, size, serif=True)
        strong = bool(tree.mark)
        scene.text(x + wide / 2, y + high - 12, tree.caption, fitted(tree.caption, 13.5, wide, 6, strong), bold=strong)


@dataclass(frozen=True, slots=True)
class Titled:
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
class Panels:
    """Several pictures, one under the other or side by side, each as wide as it needs."""

    pictures: tuple
    side_by_side: bool = False

    def scene(self, theme: str = "light", width: float = WIDTH) -> Scene:
        """The picture as a Scene."""
        share = width / len(self.pictures) - 18 if self.side_by_side else width
        scenes = [picture.scene(theme, share) for picture in self.pictures]
        return beside(scenes) if self.side_by_side else stacked(scenes)
