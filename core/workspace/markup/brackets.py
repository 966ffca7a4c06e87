"""Texts with mark-up: each bracket, the hardest level at which its tree respects it, and filters over them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.callbacks import Progress
from core.direction import isolated
from core.draw import Drawing, Span, draw_tree
from core.errors import WorkbenchError
from core.markup import Agreement, agreement, marked_sentences, tag_names
from core.markup.agreement import JUDGED
from core.parsers.readers import draws_trees, load_reader, reader_title
from core.store import Corpus, Run
from core.treebank import Treebank
from core.trees.brackets import LEVELS, Bracket, PackedBrackets, hardest_levels, offending_arcs
from core.trees.packed import PackedHeads
from core.workspace.cache import BoundedCache
from core.workspace.markup.pages import reader_of
from core.workspace.markup.trees import AT_ONCE, Trees, latest_trees, parse_on, parsed_trees, with_marks, with_trees
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

VERDICTS = ("all", "holds", "breaks")
BROKEN = (("changed", "breaks the level"),)


@dataclass(frozen=True)
class Mark:
    """One bracket of a text. ``hardest`` is the number in LEVELS of the hardest level held; None without a tree."""

    number: int
    sentence: int
    bracket: Bracket
    hardest: int | None

    @property
    def tags(self) -> Sequence[str]:
        """Names of the tags that mark it."""
        return tag_names(self.bracket)

    def breaks(self, level: str) -> bool:
        """Whether the sentence's tree breaks it at a level; False where there is no tree."""
        return self.hardest is not None and self.hardest < LEVELS.index(level)


@dataclass(frozen=True, eq=False)
class MarkedText:
    """A corpus with its brackets.

    Attributes
    ----------
    corpus : Corpus
    treebank : Treebank
        With ``# markup`` comments.
    marks : tuple of Mark
        Distinct stretches of words shorter than their sentences, by sentence and place.
    trees_by : str
        Which parser the trees are of, as in "the English parser"; "" where they are the text's own.
    problem : str
        Why there are no trees though there should be; "" otherwise.
    unparsed : str
        The reader that is to parse it in the background, see ``markup_trees``; "" where there is nothing to do.
    """

    corpus: Corpus
    treebank: Treebank
    marks: tuple
    trees_by: str = ""
    problem: str = ""
    unparsed: str = ""

    @cached_property
    def brackets(self) -> list[list[Bracket]]:
        """For each sentence the list of its brackets."""
        found = [[] for _ in range(len(self.treebank))]
        for mark in self.marks:
            found[mark.sentence].append(mark.bracket)
        return found

    @cached_property
    def of_sentence(self) -> dict[int, list[Mark]]:
        """Dict from sentence to its Marks; only of sentences that have some."""
        found = defaultdict(list)
        for mark in self.marks:
            found[mark.sentence].append(mark)
        return dict(found)

    @cached_property
    def tags(self) -> dict[str, int]:
        """Tag names, the most frequent first: dict of str to count."""
        counts = defaultdict(int)
        for mark in self.marks:
            for tag in mark.tags:
                counts[tag] += 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @property
    def longest(self) -> int:
        """Words of the longest bracket; 0 without any."""
        return max((len(mark.bracket) for mark in self.marks), default=0)

    @cached_property
    def agreement(self) -> Agreement:
        """The Agreement of brackets and trees. Raises WorkbenchError without brackets, or without trees."""
        return agreement(self.treebank, self.brackets)

    @cached_property
    def judged(self) -> int:
        """How many brackets stand in sentences with a tree."""
        return sum(mark.hardest is not None for mark in self.marks)


@dataclass(frozen=True)
class MarkQuery:
    """Which brackets to show; all conditions must hold. ``only``: of these numbers; None is any."""

    level: str = "loose"
    tag: str | None = None
    shortest: int = 1
    longest: int | None = None
    verdict: str = "all"
    only: frozenset | None = None


class MarkupRoom:
    """Texts with mark-up of one Workspace, kept while they are in use, and the parser for those without trees."""

    def __init__(self, workspace: Workspace):
        self.workspace = workspace
        self._texts, self._parsers, self._under = BoundedCache(4), BoundedCache(1), BoundedCache(4)

    def text(self, corpus: Corpus, progress: Progress | None = None) -> MarkedText:
        """The MarkedText of a corpus: the sample meets its own pages, others bring ``# markup`` comments.

        Of pages that were taken in with a parser the sentences with mark-up are parsed: a few here and now; many in
        the background, and until they are the text is ``unparsed`` and has no trees.
        ``progress(share, what is done)`` is called while there is something to wait for.
        Raises FormatError or WorkbenchError where the corpus, or such a comment, cannot be read.
        """
        reader = reader_of(self.workspace.store, corpus)
        run = self._finished(corpus, reader)
        key = (self.workspace.corpus_key(corpus), reader, run and run.id)
        marked = self._texts.get(key, lambda: self._text(corpus, reader, run, progress or _ignore))
        return replace(marked, corpus=corpus) if marked.corpus.id != corpus.id else marked

    def under(self, corpus: Corpus, run: Run, treebank: Treebank) -> MarkedText:
        """The MarkedText of a corpus under the trees that a run of induction drew: ``treebank``, marked as its text."""
        marked = self._under.get(run.id, lambda: marked_text(corpus, treebank))
        return replace(marked, corpus=corpus, trees_by=f"run {run.id} under Induction")

    def _finished(self, corpus, reader):
        """The run that has parsed a corpus, or None."""
        if corpus.reference or not draws_trees(reader):
            return None
        run = latest_trees(self.workspace, corpus, reader)
        return run if run is not None and run.status == "done" else None

    def _text(self, corpus, reader, run, progress):
        progress(0.0, "Reading the text")
        treebank = self.workspace.marked(corpus, progress)
        if not draws_trees(reader) or (treebank.heads >= 0).any():
            return marked_text(corpus, treebank)
        marked = with_marks(treebank)
        if not len(marked):
            return marked_text(corpus, treebank)
        if run is None and len(marked) > AT_ONCE:
            return replace(marked_text(corpus, treebank), unparsed=reader)
        try:
            trees = parsed_trees(self.workspace, run) or self._parse(treebank.select(marked), reader, progress)
        except WorkbenchError as error:  # a pipeline that is gone or fails: the brackets are there all the same
            return replace(marked_text(corpus, treebank), problem=str(error))
        parsed = with_trees(treebank, marked, trees)
        return replace(marked_text(corpus, parsed), trees_by=reader_title(reader))

    def _parse(self, treebank, reader, progress):
        whose = reader_title(reader)
        progress(0.0, f"Loading {whose}; on a new machine it is compiled, once")
        parser = self._parsers.get(reader, lambda: load_reader(reader))
        trees = Trees.from_bytes(None)
        for trees, done in parse_on(parser, treebank):  # noqa: B007
            progress(done / len(treebank), f"{done:,} of {amount(len(treebank), 'marked sentence')} parsed by {whose}")
        return trees


def _ignore(share, doing):
    """Progress that nobody watches."""


def marked_text(corpus: Corpus, treebank: Treebank) -> MarkedText:
    """The MarkedText of a treebank with ``# markup`` comments; its trees are judged. O(rows)."""
    found = marked_sentences(treebank)
    marked = np.array([index for index, marks in enumerate(found) if marks], dtype=np.int64)
    whole = [bool((treebank[index].heads[1:] >= 0).all()) for index in marked.tolist()]
    judged = marked[np.array(whole, dtype=bool)]
    levels = iter(_hardest(treebank, judged, found))
    marks, has_tree = [], set(judged.tolist())
    for index in marked.tolist():
        for bracket in found[index]:
            marks.append(Mark(len(marks), index, bracket, next(levels) if index in has_tree else None))
    return MarkedText(corpus, treebank, tuple(marks))


def _hardest(treebank, judged, found):
    if not len(judged):
        return []
    trees = treebank.select(judged)
    packed = PackedBrackets.from_lists([found[index] for index in judged.tolist()])
    return hardest_levels(PackedHeads(trees.heads, trees.offsets), packed).tolist()


def find_marks(text: MarkedText, query: MarkQuery) -> list[Mark]:
    """The Marks of a MarkedText that a MarkQuery lets in. Raises WorkbenchError for an unknown verdict."""
    if query.verdict not in VERDICTS:
        raise WorkbenchError(f"there is no verdict {query.verdict!r}; choose one of {', '.join(VERDICTS)}")
    found = []
    for mark in text.marks:
        fits = query.shortest <= len(mark.bracket) <= (query.longest or len(mark.bracket))
        fits &= query.tag is None or query.tag in mark.tags
        fits &= query.only is None or mark.number in query.only
        if query.verdict != "all":
            fits &= mark.hardest is not None and mark.breaks(query.level) == (query.verdict == "breaks")
        if fits:
            found.append(mark)
    return found


def marks_within(marks: Sequence[Mark], places: ArrayLike) -> list[Mark]:
    """Those of a list of Marks whose sentences are among ``places``, indices of the treebank."""
    wanted = set(np.asarray(places, np.int64).tolist())
    return [mark for mark in marks if mark.sentence in wanted]


def sentence_data(text: MarkedText, index: int, level: str) -> dict[str, Any]:
    """A sentence for the component that underlines brackets: words, spaces behind them, brackets. JSON values."""
    sentence = text.treebank[index]
    brackets = [
        {
            "start": mark.bracket.start,
            "end": mark.bracket.end,
            "tag": mark.bracket.tag or "_",
            "number": mark.number,
            "broken": mark.breaks(level),
        }
        for mark in text.of_sentence.get(index, ())
    ]
    spaces = [not _without_space(misc) for misc in _miscs(sentence)]
    return {"sentence": index, "words": list(sentence.forms[1:]), "spaces": spaces, "brackets": brackets}


def verdict_table(text: MarkedText, index: int) -> dict[str, list]:
    """Columns of a table over the brackets of a sentence: tag, words, and for each level whether it holds.

    "holds", or how many arcs break it; "" where there is no tree.
    """
    sentence, marks = text.treebank[index], text.of_sentence.get(index, ())
    table = {"tag": [mark.bracket.tag or "_" for mark in marks], "words": [_words(sentence, mark) for mark in marks]}
    for level in JUDGED:
        table[level] = [_verdict(sentence, mark, level) for mark in marks]
    return table


def verdict_drawing(text: MarkedText, index: int, level: str, number: int | None = None) -> Drawing:
    """The Drawing of a sentence: its tree, brackets below the words, arcs that break a level changed.

    ``number`` names the one Mark to judge; by default all of the sentence's are.
    """
    sentence, marks = text.treebank[index], text.of_sentence.get(index, ())
    broken = {}
    for mark in marks:
        if number in (None, mark.number) and mark.breaks(level):
            for arc in offending_arcs(sentence.heads, mark.bracket, level):
                broken.setdefault(arc, []).append(f"{mark.bracket.tag} {mark.bracket.start}–{mark.bracket.end - 1}")
    spans = [_span(mark, level) for mark in marks]
    drawing = draw_tree(sentence, kind="predicted" if text.trees_by else "gold", spans=spans)
    arcs = tuple(
        replace(arc, kind="changed", note=f"breaks {level}: {', '.join(broken[arc.head, arc.modifier])}")
        if (arc.head, arc.modifier) in broken
        else arc
        for arc in drawing.arcs
    )
    return replace(drawing, arcs=arcs, meanings=BROKEN)


def _span(mark, level):
    verdict = "no tree" if mark.hardest is None else f"breaks {level}" if mark.breaks(level) else f"{level} holds"
    label = f"{mark.bracket.tag or '_'}{' ✗' if mark.breaks(level) else ''}"
    return Span(mark.bracket.start, mark.bracket.end, label, verdict)


def _verdict(sentence, mark, level):
    if mark.hardest is None:
        return ""
    if not mark.breaks(level):
        return "✓"
    count = len(offending_arcs(sentence.heads, mark.bracket, level))
    return f"✗ {amount(count, 'arc')}"


def _words(sentence, mark):
    return isolated(" ".join(sentence.forms[mark.bracket.start : mark.bracket.end]))


def _miscs(sentence):
    """MISC of the words 1..n; "_" where the format has none."""
    rows = [line.split("\t") for line in sentence.lines if not line.startswith("#")]
    rows = [row for row in rows if len(row) == 10 and row[0].isdigit()]
    return [row[9] for row in rows] if len(rows) == len(sentence) else ["_"] * len(sentence)


def _without_space(misc):
    return "SpaceAfter=No" in misc.split("|")
