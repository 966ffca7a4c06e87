"""The labels that consistency speaks of: a tag set shared by training and test text, ROOT, and which tags are close.

Label 0 is ROOT, the head of a sentence's head; labels 1..L-1 are tags, in alphabetical order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.treebank import Treebank

ROOT = "ROOT"
FAMILIAR = 0.5  # the share of test words whose tag training must have seen
UNIVERSAL = {"NOUN": "nominal", "PROPN": "nominal", "PRON": "nominal", "VERB": "verbal", "AUX": "verbal"}


@dataclass(frozen=True, eq=False)
class Labels:
    """The tags of one or several treebanks, numbered alike.

    Attributes
    ----------
    names : tuple of str
        ``names[0]`` is "ROOT".
    column : {"xpos", "upos"}
        Where the tags stand in the treebanks.
    close : tuple of str
        A class for each label; two different labels of one class are close. "ROOT" is close to nothing.
    """

    names: tuple
    column: str
    close: tuple

    @property
    def classes(self) -> np.ndarray:
        """int32 (L,): the number of each label's class."""
        numbers = {}
        return np.array([numbers.setdefault(name, len(numbers)) for name in self.close], dtype=np.int32)

    def of_rows(self, treebank: Treebank) -> np.ndarray:
        """int32 (rows,): the label of each row as a head; 0 on root rows, -1 for words without a tag or a new one."""
        number = {name: index for index, name in enumerate(self.names) if index}
        column = getattr(treebank, self.column)
        labels = np.array([number.get(value, -1) for value in column.values], dtype=np.int32)[column.ids]
        labels[treebank.offsets[:-1]] = 0
        return labels

    def with_close(self, mapping: Mapping[str, str]) -> "Labels":
        """These labels under another relation: tag -> class; a tag that is not in the mapping is close to none.

        Raises WorkbenchError for a tag that does not occur.
        """
        for tag in mapping:
            if tag not in self.names[1:]:
                raise WorkbenchError(f"there is no tag {tag!r} here; the tags are {', '.join(self.names[1:])}")
        alone = {name: f"= {name}" for name in self.names}  # no class of the mapping begins so
        close = tuple(f": {mapping[name]}" if name in mapping else alone[name] for name in self.names)
        return Labels(self.names, self.column, close)


@dataclass(frozen=True)
class TagCounts:
    """The number of words with each tag, and with each pair of XPOS and UPOS; counts of parts of a text add up."""

    xpos: Counter[str]
    upos: Counter[str]
    pairs: Counter[tuple[str, str]]

    @classmethod
    def of(cls, treebank: Treebank) -> "TagCounts":
        """The counts of a text. O(words)."""
        fine, coarse = treebank.xpos, treebank.upos
        both, counts = np.unique(fine.ids.astype(np.int64) * len(coarse.values) + coarse.ids, return_counts=True)
        pairs = Counter()
        for pair, count in zip(both.tolist(), counts.tolist(), strict=True):
            names = fine.values[pair // len(coarse.values)], coarse.values[pair % len(coarse.values)]
            if all(names):
                pairs[names] += count
        return cls(fine.counts(), coarse.counts(), pairs)

    def __add__(self, other: "TagCounts") -> "TagCounts":
        return TagCounts(self.xpos + other.xpos, self.upos + other.upos, self.pairs + other.pairs)

    @property
    def filled(self) -> list[str]:
        """The columns among xpos and upos that have tags."""
        return [name for name in ("xpos", "upos") if getattr(self, name)]


def shared_labels(
    train: TagCounts, test: Treebank | None = None, tags: str | None = None, close: Mapping[str, str] | None = None
) -> Labels:
    """The labels of a training text that has tags, and of a test text in the same tag set.

    Parameters
    ----------
    train : TagCounts
    test : Treebank, optional
    tags : {"xpos", "upos", None}
        The column; None takes the filled one of the training text, XPOS if both are. It takes UPOS if only that is
        filled, or of one tag set, in both texts.
    close : dict of str to str, optional
        Tag -> class of tags that are close to each other. By default the universal tag that most words with the tag
        have. Without universal tags it is the tag's first two letters (NN, NNS and NNP; VB, VBD and VBZ). Of universal
        tags the nominal ones (NOUN, PROPN, PRON) are close, and the verbal ones (VERB, AUX).

    Raises
    ------
    WorkbenchError : a test text in another tag set.
    """
    tested = TagCounts.of(test) if test is not None else None
    column = _column(train, test, tested, tags)
    seen = getattr(train, column)
    used = Counter() if tested is None else getattr(tested, column)
    familiar, total = _familiar(train, tested, column), used.total()
    if familiar < FAMILIAR * total:
        raise WorkbenchError(
            f"training and test text are in different tag sets: "
            f"{_strangers(seen, used, column, 'the test words', 'training')}; give both the same tags"
        )
    known = sorted({*seen, *used})
    labels = Labels((ROOT, *known), column, (f"= {ROOT}", *(f"= {name}" for name in known)))
    pairs = train.pairs + tested.pairs if tested is not None else train.pairs
    return labels.with_close(_default_close(pairs, column, known) if close is None else close)


def shared_columns(train: TagCounts, test: TagCounts) -> list[str]:
    """The tag columns, of xpos and upos, that two texts have in one tag set.

    At least half of the test words have tags there that training knows.
    """
    filled = [name for name in train.filled if name in test.filled]
    return [name for name in filled if _familiar(train, test, name) >= FAMILIAR * getattr(test, name).total()]


def _familiar(train, tested, column):
    """How many words of the test text have a tag that training knows."""
    seen, used = getattr(train, column), {} if tested is None else getattr(tested, column)
    return sum(count for tag, count in used.items() if tag in seen)


def require_known_tags(tags: Sequence[str], test: Treebank, column: str) -> None:
    """Raise WorkbenchError for a text whose words mostly have tags, in ``column``, that a tagger does not have.

    A text without tags in the column is right.
    """
    used = getattr(test, column).counts()
    if sum(count for tag, count in used.items() if tag in tags) < FAMILIAR * used.total():
        raise WorkbenchError(
            "tagger and text are in different tag sets: "
            f"{_strangers(tags, used, column, 'the words', 'the tagger')}; give a tagger of the text's tags"
        )


def _strangers(seen, used, column, words, who):
    """How many words have a tag that is not among ``seen``, what ``who`` knows, with the most frequent of these."""
    strange = sorted((tag for tag in used if tag not in seen), key=lambda tag: (-used[tag], tag))
    share = 100 * sum(used[tag] for tag in strange) / used.total()
    return f"{share:.0f}% of {words} have a {column} tag that {who} does not know ({', '.join(strange[:3])})"


def require_same_tags(train: Treebank, test: Treebank, column: str) -> None:
    """Raise WorkbenchError for a text that cannot teach a tagger of ``column``, or for test tags of another tag set.

    A test text without tags in the column is right.
    """
    counts = TagCounts.of(train)
    seen = getattr(counts, column)
    if len(seen) == 1:
        raise WorkbenchError(
            f"all words of {train.name or 'the training text'} that have one have the {column} tag {next(iter(seen))}; "
            "a tagger learns from two tags or more: choose another text, or another column"
        )
    if getattr(test, column).filled:
        shared_labels(counts, test, column)


def tag_labels(names: Sequence[str], column: str, train: Treebank | None = None) -> Labels:
    """The labels of a tagger's tags, ``names`` in its own order: tag t is label t + 1.

    Which are close follows from the universal tags of ``train``, where it has them.
    """
    labels = Labels((ROOT, *names), column, (f"= {ROOT}", *(f"= {name}" for name in names)))
    pairs = TagCounts.of(train).pairs if train is not None else Counter()
    return labels.with_close(_default_close(pairs, column, list(names)))


def _column(train, test, tested, tags):
    if tags is not None:
        if test is not None:
            test.tag_column(tags)
        return tags
    common = [name for name in train.filled if tested is None or name in tested.filled]
    if test is not None and not common:
        test.tag_column()
        other = "upos" if train.filled == ["xpos"] else "xpos"
        raise WorkbenchError(
            f"the training text has its tags in {train.filled[0]}, the test text in {other}; give both the same tag set"
        )
    return (common if tested is None else shared_columns(train, tested) or common)[0]


def _default_close(pairs, column, known):
    if column == "upos":
        return {tag: UNIVERSAL[tag] for tag in known if tag in UNIVERSAL}
    coarse = {}
    for (fine, broad), _ in sorted(pairs.items(), key=lambda item: (item[1], item[0])):
        coarse[fine] = broad  # the most frequent comes last
    return {tag: coarse.get(tag, tag[:2]) for tag in known}
