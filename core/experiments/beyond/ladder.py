"""What helps most: lines, a few trees, both, and what can be added to them, by how many trees there are."""

from core.experiments.beyond.ladder_additions import ADDITIONS, possible
from core.experiments.beyond.ladder_bench import LINES, MARKED, SUPERVISED, TOGETHER, VOTED, Cell
from core.experiments.beyond.ladder_texts import Ground
from core.experiments.experiment import Lab

ADDED_SIZES = 25, 100
SIZES, DRAWS = (10, 25, 50, 100, 200, 500), 3
QUICK_SIZES = (10, 25)


def sizes_of(lab: Lab, ground: Ground, sizes: tuple[int, ...] = SIZES) -> list[int]:
    """How many trees are given: as many as there are to draw from at most."""
    return [size for size in (QUICK_SIZES if lab.quick else sizes) if size <= ground.pool]


def draws_of(lab: Lab) -> range:
    """The draws of trees."""
    return range(1 if lab.quick else DRAWS)


def curve_cells(lab: Lab, ground: Ground, sizes: tuple[int, ...] = SIZES) -> list[Cell]:
    """The main curve: lines alone, trees alone, together; draw by draw, so that what is there when it stops is whole."""
    place = ground.name, ground.tags
    cells = [Cell(*place, lines, 0, 0, does) for lines in ground.lines for does in (LINES, VOTED)]
    for draw in draws_of(lab):
        every = sizes_of(lab, ground, sizes)
        cells += [Cell(*place, "", size, draw, does) for size in every for does in (SUPERVISED, MARKED)]
        cells += [Cell(*place, lines, size, draw, TOGETHER) for size in every for lines in reversed(ground.lines)]
    return cells


def added_cells(lab: Lab, ground: Ground) -> list[Cell]:
    """Each addition that there is for a treebank, to trees and to its last set of lines with trees."""
    sizes, (*_, lines) = sizes_of(lab, ground, ADDED_SIZES), ground.lines
    cells = []
    for draw in draws_of(lab):
        for added in ADDITIONS:
            for size in sizes:
                for given, does in (("", SUPERVISED), (lines, TOGETHER)):
                    cells.append(Cell(ground.name, ground.tags, given, size, draw, does, added))
    return [cell for cell in cells if not possible(cell)]
