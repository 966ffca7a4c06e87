"""CSS selectors say what of a page is read, what is left out, and what else than links and emphasis is a mark.

The default list of what is left out names page furniture, ``elements.FURNITURE``. The scanner knows such elements by
their start tags, whatever the case of the names, and never takes the page itself, an article or emphasis for one. All
other selectors are asked of a tree (``page_tree``), which is loaded only for them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from core.errors import WorkbenchError, quoted
from core.markup.elements import FURNITURE, PAGE

DEFAULT = ":--furniture"  # stands for all of FURNITURE in a list of selectors
LONGEST = 10_000  # characters of a list
OPENING, CLOSING = "([{", ")]}"
FIELDS = ("select", "drop", "marks")


@dataclass(frozen=True)
class Chosen:
    """What selectors chose of a page: numbers of its start tags, which count from 0 in the page's order.

    Attributes
    ----------
    read : set of int or None
        Elements that are read; None where all of the page is.
    dropped, marked : set of int
        Elements that are left out, and those that are marks.
    names : set of str
        Names of elements that are read or marks: the ends of all elements so called matter.
    furniture : set of str
        The selectors of ``FURNITURE`` that count.
    """

    read: frozenset[int] | None = None
    dropped: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    furniture: frozenset[str] = frozenset(FURNITURE)


@dataclass(frozen=True)
class PageSelectors:
    """Lists of CSS selectors, each with commas between them, as in a style sheet.

    ``select`` are the elements that are read, all of the page where it is empty. ``drop`` are those left out, in which
    ``:--furniture`` stands for the default ones. ``marks`` are elements whose words become brackets.

    Raises WorkbenchError for what is no list of selectors, and for one of more than 10,000 characters.
    """

    select: str = ""
    drop: str = DEFAULT
    marks: str = ""
    of_tree: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    furniture: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        lists = {name: expanded(getattr(self, name), name) for name in FIELDS}
        of_tree = {**lists, "drop": tuple(selector for selector in lists["drop"] if selector not in FURNITURE)}
        object.__setattr__(self, "of_tree", of_tree)
        object.__setattr__(self, "furniture", frozenset(FURNITURE) & {*lists["drop"]})
        if self.asks_a_tree:
            from core.markup.page_tree import compiled

            for name, selectors in of_tree.items():
                for selector in selectors:
                    compiled(selector, name)

    @property
    def asks_a_tree(self) -> bool:
        """Whether a tree is needed to know what they choose."""
        return any(self.of_tree.values())

    @property
    def in_words(self) -> str:
        """What differs from the default, in a phrase; "" where nothing does."""
        without = [selector for selector in FURNITURE if selector not in self.furniture]
        parts = [f"only {self.select} is read"] if self.select.strip() else []
        if len(without) == len(FURNITURE):
            parts += ["page furniture is kept"]
        elif without:
            parts += [f"page furniture is left out but for {', '.join(without)}"]
        parts += [f"{', '.join(self.of_tree['drop'])} is left out"] if self.of_tree["drop"] else []
        return "; ".join([*parts, *([f"{self.marks} is a mark"] if self.marks.strip() else [])])


def choose(
    selectors: PageSelectors, numbers: Callable[[str], frozenset[int]], names: list[str], boilerplate: bool
) -> tuple[Chosen, dict[str, int]]:
    """(Chosen, {selector: how many elements it chooses}) of a page.

    Parameters
    ----------
    selectors : PageSelectors
    numbers : callable
        Selector -> the numbers of the elements that it chooses, as ``PageTree.numbers``.
    names : list of str
        The name of each numbered element.
    boilerplate : bool
        Furniture is kept.
    """
    elements = {selector: numbers(selector) for selector in chain.from_iterable(selectors.of_tree.values())}
    read, dropped, marked = (
        frozenset().union(*(elements[selector] for selector in selectors.of_tree[field])) for field in FIELDS
    )
    chosen = Chosen(
        read if selectors.of_tree["select"] and PAGE not in read else None, dropped, marked,
        frozenset(names[k] for k in (read | marked) - {PAGE}),
        frozenset() if boilerplate else selectors.furniture,
    )  # fmt: skip
    return chosen, {selector: len(chosen_by) for selector, chosen_by in elements.items()}


def expanded(text: str, name: str = "drop") -> tuple[str, ...]:
    """The selectors of a list, each once, ``:--furniture`` as those that it stands for. Raises WorkbenchError."""
    if len(text) > LONGEST:
        raise WorkbenchError(f"the selectors of {name} have {len(text):,} characters; {LONGEST:,} are allowed")
    if not text.strip():
        return ()
    listed = {}
    for selector in _split(text):
        if not selector:
            raise WorkbenchError(
                f"a selector is missing beside a comma in {name}: {quoted(text)!r}; write one, or less"
            )
        listed |= dict.fromkeys(FURNITURE if selector == DEFAULT else (selector,))
    return tuple(listed)


def shortened(text: str) -> str:
    """The same list with ``:--furniture`` in place of the selectors that it stands for, where all of them are there."""
    listed = expanded(text)
    if not {*FURNITURE} <= {*listed}:
        return ", ".join(listed)
    return ", ".join([DEFAULT, *(selector for selector in listed if selector not in FURNITURE)])


def _split(text):
    """The parts of a list between its commas, but for those within brackets and quotes."""
    parts, begin, depth, quote, skipped = [], 0, 0, "", False
    for position, character in enumerate(text):
        if skipped:
            skipped = False
        elif character == "\\":
            skipped = True
        elif quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "," and depth <= 0:
            parts.append(text[begin:position].strip())
            begin = position + 1
        else:
            depth += (character in OPENING) - (character in CLOSING)
    return [*parts, text[begin:].strip()]
