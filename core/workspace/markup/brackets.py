"""Texts with mark-up: brackets, the hardest level at which the tree respects each, and filters over brackets."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import ArrayLike

from core.callbacks import Progress
from core.draw import Drawing, Span, draw_tree
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads
from core.files.tables import columns_of
from core.languages.direction import bidi_isolate
from core.markup import BracketAgreement, marked_sentences, tag_names
from core.markup.agreement import JUDGED, AgreementTally
from core.markup.comments import read_places
from core.parsers.readers import draws_trees, load_reader, reader_title
from core.store import Corpus
from core.treebank import Treebank
from core.trees.brackets import LEVELS, Bracket, PackedBrackets, hardest_levels, offending_arcs
from core.trees.packed import PackedHeads
from core.workspace.kept_markup import KeptMarkup, with_marks_attached
from core.workspace.markup.pages import reader_of
from core.workspace.markup.trees import AT_ONCE, MarkupParsing, marked_places, parse_on
from core.workspace.parse import Parse
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

VERDICTS = ("all", "holds", "breaks")
BROKEN = (("changed", "breaks the level"),)


@dataclass(frozen=True)
class MarkedBracket:
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
    marks : tuple of MarkedBracket
        Distinct stretches of words shorter than their sentences, by sentence and place.
    trees_by : str
        The parser of the trees, as in "the English parser"; "" where they are the text's own.
    problem : str
        Why there are no trees though there should be; "" otherwise.
    unparsed : str
        The reader that has still to parse the text in the background (``MarkupParsing``); "" where none has.
    key : Hashable
        Names the text and its trees in the cache.
    """

    corpus: Corpus
    treebank: Treebank
    marks: tuple
    trees_by: str = ""
    problem: str = ""
    unparsed: str = ""
    key: Hashable = None

    @cached_property
    def brackets(self) -> list[list[Bracket]]:
        """For each sentence the list of its brackets."""
        by_sentence = [[] for _ in range(len(self.treebank))]
        for mark in self.marks:
            by_sentence[mark.sentence].append(mark.bracket)
        return by_sentence

    @cached_property
    def of_sentence(self) -> dict[int, list[MarkedBracket]]:
        """Dict from sentence to its MarkedBrackets; only of sentences that have some."""
        by_sentence = defaultdict(list)
        for mark in self.marks:
            by_sentence[mark.sentence].append(mark)
        return dict(by_sentence)

    @cached_property
    def tags(self) -> dict[str, int]:
        """Tag names, the most frequent first: dict of str to count."""
        counts = defaultdict(int)
        for mark in self.marks:
            for tag in mark.tags:
                counts[tag] += 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    @cached_property
    def pages(self) -> list[str]:
        """The page that each sentence comes from, as its comment has it; "" without brackets or comment."""
        marked = self.of_sentence
        return [sentence.comment("source") or "" if k in marked else "" for k, sentence in enumerate(self.treebank)]

    @cached_property
    def longest(self) -> int:
        """Words of the longest bracket; 0 without any."""
        return max((len(mark.bracket) for mark in self.marks), default=0)

    @cached_property
    def agreement(self) -> BracketAgreement:
        """The BracketAgreement of brackets and trees. Raises WorkbenchError without brackets, or without trees."""
        return AgreementTally.of(self.treebank, self.brackets, self.pages).agreement(self.treebank.name)

    def kept(self, level: str) -> KeptMarkup:
        """How many sentences keep their mark-up at a level, of those with mark-up."""
        judged = [marks for marks in self.of_sentence.values() if marks[0].hardest is not None]
        kept = sum(not any(mark.breaks(level) for mark in marks) for marks in judged)
        return KeptMarkup(level, kept, len(judged), len(self.of_sentence))

    @cached_property
    def judged(self) -> int:
        """How many brackets stand in sentences with a tree."""
        return sum(mark.hardest is not None for mark in self.marks)


@dataclass(frozen=True)
class MarkQuery:
    """A filter over brackets; all conditions must hold. ``only`` holds numbers of brackets, None lets all in."""

    level: str = "loose"
    tag: str | None = None
    shortest: int = 1
    longest: int | None = None
    verdict: str = "all"
    only: frozenset | None = None


class MarkupRoom:
    """The texts with mark-up of one Workspace, cached, and the parser for those without trees."""

    def __init__(self, workspace: Workspace):
        self.workspace = workspace

    def text(self, corpus: Corpus, progress: Progress | None = None) -> MarkedText:
        """The MarkedText of a corpus: the sample meets its own pages, others bring ``# markup`` comments.

        Of pages that were taken in with a parser the sentences with mark-up are parsed: a few here and now; many in
        the background, and until they are the text is ``unparsed`` and has no trees.
        ``progress(share, what is done)`` is called while there is something to wait for.
        Raises FormatError or WorkbenchError where the corpus, or such a comment, cannot be read.
        """
        reader = reader_of(self.workspace.store, corpus)
        run = None
        if reader is not None and not corpus.reference and draws_trees(reader):
            run = MarkupParsing(self.workspace).latest(corpus, reader)
        if run is not None and run.status != "done":
            run = None
        key = (self.workspace.corpus_key(corpus), reader, run and run.id)

        def read():
            return replace(self._text(corpus, reader, run, progress or (lambda share, doing: None)), key=key)

        return self._of(corpus, self.workspace.cache.get("marked texts", key, read))

    def under_parse(
        self, corpus: Corpus, key: Hashable, trees_by: str, parse_of: Callable[[], Treebank]
    ) -> MarkedText:  # fmt: skip
        """The MarkedText of a corpus under a parse, sentences of it with their trees, made once; ``key`` names it.

        Punctuation that the parser left out is attached where it breaks no bracket.
        """

        def read():
            whole, brackets, parse = self.workspace.marked(corpus), self.workspace.brackets(corpus), parse_of()
            trees = Parse.of(parse, np.flatnonzero(np.isin(whole.picks, parse.picks))).on(whole)
            trees = with_marks_attached(trees, brackets)
            return replace(marked_text(corpus, trees, brackets), trees_by=trees_by, key=key)

        return self._of(corpus, self.workspace.cache.get("marked texts", key, read))

    def find(self, text: MarkedText, query: MarkQuery, places: ArrayLike) -> tuple[list[MarkedBracket], list[int]]:
        """(Marks that a MarkQuery lets in of sentences ``places``, the sentences that have them), kept.

        Raises as ``find_marks``.
        """

        def find():
            wanted = set(np.asarray(places, np.int64).tolist())
            marks = [mark for mark in find_marks(text, query) if mark.sentence in wanted]
            return marks, list(dict.fromkeys(mark.sentence for mark in marks))

        key = text.key, query, np.asarray(places).tobytes()
        return self.workspace.cache.get("marks", key, find)

    @staticmethod
    def _of(corpus, marked):
        """A cached MarkedText for another Corpus with the same content."""
        return replace(marked, corpus=corpus) if marked.corpus.id != corpus.id else marked

    def _text(self, corpus, reader, run, progress):
        progress(0.0, "Reading the text")
        treebank = self.workspace.marked(corpus, progress)
        brackets = self.workspace.brackets(corpus)
        unjudged, marked = partial(marked_text, corpus, treebank, brackets), marked_places(brackets)
        if not draws_trees(reader) or self.workspace.settled(corpus).file_has_trees or not len(marked):
            return unjudged()
        if run is None and len(marked) > AT_ONCE:
            return replace(unjudged(), unparsed=reader)
        try:
            parse = MarkupParsing(self.workspace).load(run, treebank, marked)
            parse = parse or self._parse(treebank, marked, reader, progress)
        except WorkbenchError as error:  # a pipeline that is gone or fails: the brackets are there all the same
            return replace(unjudged(), problem=str(error))
        trees = _with_gold(parse.on(treebank), treebank)
        return replace(marked_text(corpus, trees, brackets), trees_by=reader_title(reader))

    def _parse(self, treebank, marked, reader, progress):
        title = reader_title(reader)
        progress(0.0, f"Loading {title}; on a new machine it is compiled, once")
        parser = self.workspace.cache.get("readers", reader, lambda: load_reader(reader))
        parse, count = Parse.empty(), len(marked)
        for parse, done in parse_on(parser, treebank, marked):  # noqa: B007
            progress(done / count, f"{done:,} of {amount(count, 'marked sentence')} parsed by {title}")
        return parse


def _with_gold(parsed, gold):
    """A parsed text in which sentences with a gold tree have that."""
    rows = np.repeat(has_heads(gold), gold.lengths + 1)
    if not rows.any():
        return parsed
    relations = np.where(rows, gold.deprel.strings(), parsed.deprel.strings())
    return parsed.with_heads(np.where(rows, gold.heads, parsed.heads), relations.tolist())


def marked_text(corpus: Corpus, treebank: Treebank, brackets: Sequence[Sequence[Bracket]] | None = None) -> MarkedText:
    """The MarkedText of a treebank; its trees are judged. O(rows).

    ``brackets`` are those of each sentence, by default of its ``# markup`` comment.
    """
    brackets = marked_sentences(treebank) if brackets is None else brackets
    marked = marked_places(brackets)
    whole = [bool((treebank[index].heads[1:] >= 0).all()) for index in marked.tolist()]
    judged = marked[np.array(whole, dtype=bool)]
    levels = iter(())
    if len(judged):
        trees = treebank.select(judged)
        packed = PackedBrackets.from_lists([brackets[index] for index in judged.tolist()])
        levels = iter(hardest_levels(PackedHeads(trees.heads, trees.offsets), packed).tolist())
    marks, has_tree = [], set(judged.tolist())
    for index in marked.tolist():
        for bracket in brackets[index]:
            marks.append(MarkedBracket(len(marks), index, bracket, next(levels) if index in has_tree else None))
    return MarkedText(corpus, treebank, tuple(marks))


def find_marks(text: MarkedText, query: MarkQuery) -> list[MarkedBracket]:
    """The MarkedBrackets of a MarkedText that a MarkQuery lets in. Raises WorkbenchError for an unknown verdict."""
    if query.verdict not in VERDICTS:
        raise WorkbenchError(f"there is no verdict {query.verdict!r}; choose one of {', '.join(VERDICTS)}")
    marks = []
    for mark in text.marks:
        fits = query.shortest <= len(mark.bracket) <= (query.longest or len(mark.bracket))
        fits &= query.tag is None or query.tag in mark.tags
        fits &= query.only is None or mark.number in query.only
        if query.verdict != "all":
            fits &= mark.hardest is not None and mark.breaks(query.level) == (query.verdict == "breaks")
        if fits:
            marks.append(mark)
    return marks


def sentence_data(text: MarkedText, index: int, level: str) -> dict[str, object]:
    """A sentence for the component that underlines brackets: words, spaces behind them, brackets. JSON values."""
    sentence = text.treebank[index]
    brackets = []
    for mark in text.of_sentence.get(index, ()):
        words = {"start": mark.bracket.start, "end": mark.bracket.end, "tag": mark.bracket.tag or "_"}
        brackets.append(words | {"number": mark.number, "broken": mark.breaks(level)})
    spaces = ["SpaceAfter=No" not in misc.split("|") for misc in sentence.misc[1:]]
    return {"sentence": index, "words": list(sentence.forms[1:]), "spaces": spaces, "brackets": brackets}


def verdict_table(text: MarkedText, index: int) -> dict[str, list]:
    """Columns of a table over the brackets of a sentence: tag, words, and for each level whether it holds.

    "holds", or how many arcs break it; "" where there is no tree.
    """
    sentence, rows = text.treebank[index], []
    for mark in text.of_sentence.get(index, ()):
        words = bidi_isolate(" ".join(sentence.forms[mark.bracket.start : mark.bracket.end]))
        rows.append((mark.bracket.tag or "_", words, *(_verdict(sentence, mark, level) for level in JUDGED)))
    return columns_of(("tag", "words", *JUDGED), rows)


def places_in_page(text: MarkedText, index: int, number: int | None = None) -> list[tuple[str, str, str, str]] | None:
    """(marked words, tag, element path, source) of the marks of a sentence's brackets, or of the one MarkedBracket.

    None where the text was imported before places were kept, or otherwise than as web pages. Raises FormatError.
    """
    sentence = text.treebank[index]
    places = read_places(sentence)
    if not places:
        return None
    marks = [mark.bracket for mark in text.of_sentence.get(index, ()) if number in (None, mark.number)]
    return [
        (" ".join(sentence.forms[bracket.start : bracket.end]), *location)
        for bracket in marks
        for location in places.get((bracket.start, bracket.end), ())
    ]


def verdict_drawing(text: MarkedText, index: int, level: str, number: int | None = None) -> Drawing:
    """The Drawing of a sentence: its tree, brackets below the words, arcs that break a level changed.

    ``number`` names the one MarkedBracket to judge; by default all of the sentence's are.
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
