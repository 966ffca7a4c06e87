"""Filters over the words that are compared: they combine, and all that is counted, drawn and listed follows them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.errors import WorkbenchError
from core.languages.direction import side_name
from core.store import Corpus
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.groups import group_mask, groups
from core.workspace.workspace import Workspace

FILTERED = ("relation", "tag", "distance", "direction", "sentence length")  # kinds of words to choose from


@dataclass(frozen=True)
class WordFilter:
    """A filter over words; all of its conditions must hold.

    Attributes
    ----------
    kinds : tuple of (kind, tuple of str)
        Kinds of words as in ``Comparison.table``, and the groups of each that are let in.
    group : str or None
        The key of a group of words of the project.
    right, wrong : str or None
        The parse that has the word right, and the one that has it wrong.
    """

    kinds: tuple[tuple[str, tuple[str, ...]], ...] = ()
    group: str | None = None
    right: str | None = None
    wrong: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether it lets all words in."""
        return self == WordFilter()


def filter_choices(parses: SideBySide) -> dict[str, dict[str, str]]:
    """The titles of the groups to choose from, by kind of words and name; only kinds with more than one group."""
    return parses.cached(("choices",), lambda: _choices(parses))


def _choices(parses):
    choices = {}
    tagged = any(column.filled for column in (parses.comparison.text.upos, parses.comparison.text.xpos))
    for kind in FILTERED if tagged else [kind for kind in FILTERED if kind != "tag"]:
        names = {group.name: side_name(group.name) for group in parses.comparison.table(kind)}
        if len(names) > 1:
            choices[kind] = names
    return choices


def filtered(workspace: Workspace, corpus: Corpus, parses: SideBySide, wanted: WordFilter) -> SideBySide:
    """The same parses where only the words that a filter lets in are counted; perhaps none. Scores stay of all words.

    Raises WorkbenchError where the group is gone or empty.
    """
    if wanted.is_open:
        return parses
    group = next((group for group in groups(workspace.store, corpus) if group.key == wanted.group), None)
    if wanted.group is not None and group is None:
        raise WorkbenchError("the group of words to filter by is gone; choose another")

    def make():
        comparison, scored = parses.comparison, parses.comparison.scored
        selected = np.ones(len(scored), bool)
        for kind, names in wanted.kinds:
            rows = [words.rows for words in comparison.table(kind) if words.name in names]
            selected &= np.isin(scored, np.concatenate([np.zeros(0, np.int64), *rows]))
        for name, is_right in ((wanted.right, True), (wanted.wrong, False)):
            if name in comparison.systems:
                selected &= comparison.right[name] == is_right
        only = np.zeros(len(comparison.text.heads), bool)
        only[scored[selected]] = True
        if group is not None:
            whole, text = workspace.treebank(corpus), comparison.text
            in_text = np.repeat(np.isin(whole.picks, text.picks), whole.lengths + 1)
            only &= group_mask(whole, group)[in_text]
        chosen_by = [kind for kind, _ in wanted.kinds]
        chosen_by += [name for name in ("group", "right", "wrong") if getattr(wanted, name) is not None]
        return replace(parses, comparison=comparison.within(only), only=only, filtered_by=tuple(chosen_by))

    return parses.cached(("filter", wanted, group and str(group.definition)), make)


def filter_words(wanted: WordFilter, choices: Mapping[str, Mapping[str, str]], group: str | None) -> str:
    """The conditions of a filter in words; "" for none. ``group`` is the name of its group."""
    parts = [f"{kind} {' or '.join(choices.get(kind, {}).get(name, name) for name in names)}"
             for kind, names in wanted.kinds]  # fmt: skip
    parts += [f"group {group}"] if wanted.group is not None else []
    parts += [f"right in {wanted.right}"] if wanted.right else []
    parts += [f"wrong in {wanted.wrong}"] if wanted.wrong else []
    return " · ".join(parts)
