"""Sentences for the Teach page, with their scores, traces and figures; and the lessons of a project."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from core.constraints import ConstraintDocument
from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.languages.direction import bidi_isolate
from core.parsers import TreeCRF
from core.parsers.crf.tree_crf import trainable
from core.parsers.english import English
from core.search.browse import sentence_table
from core.store import Command, Corpus, DocumentKind
from core.teach.algorithms import Algorithm, algorithm_named
from core.teach.lessons import (
    MOST_STOPS,
    Lesson,
    Stop,
    format_lesson,
    joined_words,
    parse_lesson,
    shipped_lessons,
    split_words,
)
from core.teach.posterior import matching_lines
from core.teach.scores import (
    column_names,
    dice_scores,
    edited_scores,
    equal_scores,
    format_scores,
    parse_scores,
    score_table,
)
from core.teach.slides import figure_svg, tallest
from core.teach.step import AlgorithmTrace, Example
from core.treebank import Treebank, load_sample
from core.workspace.groups import restrict_order
from core.workspace.workspace import Workspace

SOURCES = {"corpus": "A sentence of the corpus", "typed": "Type a sentence"}
PAIRS = {"corpus": "Two sentences of the corpus", "typed": "The built-in example"}  # the sources, where two are wanted
SCORES = {"parser": "Parser", "dice": "Random", "equal": "All equal", "own": "My own"}
FIRST = "the old man saw her duck"  # what stands in the box before anything is typed
CORPUS, TYPED = SOURCES
PARSER, DICE, EQUAL, OWN = SCORES
TRAINED_ON, TRAINED_LENGTH = 300, 20  # sentences, and words of the longest, that the parser of scores learns from
LISTED = 500  # sentences to choose from
TRIED = 12  # second sentences looked at for one where something happens
LESSON = "lesson"  # kind of the documents that hold lessons
STORED = (DocumentKind(LESSON, str, dict),)


@dataclass(frozen=True)
class Choice:
    """The algorithm, sentence and scores that are shown; every field stands in the page's address.

    ``sentence`` and ``second`` count from 1, and 0 is the second one that ``TeachRoom.partner`` finds; ``scores`` is
    one of ``SCORES``; ``own`` is a line of ``core.teach.scores``.
    """

    algorithm: str
    source: str = CORPUS
    sentence: int = 1
    typed: str = FIRST
    scores: str = PARSER
    dice: int = 1
    own: str = ""
    single_root: bool = True
    constraint: str = ""
    second: int = 0


class TeachRoom:
    """Parsers for scores, traces and figures, which the process caches."""

    def __init__(self, workspace: Workspace):
        self.workspace, self.store = workspace, workspace.store
        self._kept = workspace.cache.get

    def fitting(
        self, corpus: Corpus, algorithm: Algorithm, places: ArrayLike | None = None
    ) -> tuple[list[int], int]:  # fmt: skip
        """Numbers, from 1, of the sentences that an algorithm can show: the first ``LISTED``, and how many there are.

        Only of those at ``places`` of the corpus, where given.
        """
        fitting = self._fitting(corpus, algorithm)
        if places is not None:
            fitting = restrict_order(fitting, places)
        return (fitting[:LISTED] + 1).tolist(), len(fitting)

    def _fitting(self, corpus, algorithm):
        def make():
            treebank, pairing = self.workspace.treebank(corpus), algorithm.pairing
            if pairing is not None and pairing.firsts is not None:
                return pairing.firsts(treebank, algorithm.longest)
            return np.flatnonzero(treebank.lengths <= algorithm.longest)

        return self._kept("fitting sentences", (self.workspace.corpus_key(corpus), algorithm.key), make)

    def first(self, corpus: Corpus, algorithm: Algorithm, numbers: Sequence[int]) -> int:
        """The first of the sentences, numbers from 1, that is whole and simple; the first of all where none is.

        It has four words or more, ends with a full stop or the like, and has no other punctuation. Where only sentences
        with a partner are offered, the liveliest of the first ``TRIED``.
        """
        if algorithm.pairing is not None and algorithm.pairing.firsts is not None:
            return self._liveliest(corpus, algorithm, numbers)

        def make():
            treebank = self.workspace.treebank(corpus)
            marks, offsets = treebank.punctuation(), treebank.offsets
            for number in numbers:
                of_sentence = marks[offsets[number - 1] + 1 : offsets[number]]
                if len(of_sentence) > 4 and of_sentence[-1] and of_sentence.sum() == 1:
                    return number
            return numbers[0]

        return self._kept("sentence names", (self.workspace.corpus_key(corpus), tuple(numbers), "first"), make)

    def sentence_names(self, corpus: Corpus, numbers: Sequence[int]) -> dict[int, str]:
        """Number of each sentence -> ``12 · The words of it``; made once, since a list asks for all on every rerun."""

        def make():
            texts = sentence_table(self.workspace.treebank(corpus), [number - 1 for number in numbers])["text"]
            return {number: f"{number} · {text}" for number, text in zip(numbers, texts, strict=True)}

        return self._kept("sentence names", (self.workspace.corpus_key(corpus), tuple(numbers)), make)

    def example(self, corpus: Corpus, choice: Choice) -> Example:
        """The Example of a Choice. Raises WorkbenchError for what cannot be read or scored."""

        def make():
            algorithm = algorithm_named(choice.algorithm)
            if choice.source == CORPUS and algorithm.pairing is not None:
                return self._pair(corpus, choice)
            tagged = self._sentence(corpus, choice)
            words = tuple(tagged[0].forms)
            algorithm.require_length(len(words) - 1)
            tags = tuple(getattr(tagged[0], tagged.coarse_name))
            text = self.workspace.treebank(corpus) if choice.source == CORPUS and "text" in algorithm.wants else None
            scores = self._scores(corpus, choice, tagged, len(words) - 1)
            return Example(words, tags, scores, choice.single_root, choice.constraint, text)

        return self._kept("examples", (self.workspace.corpus_key(corpus), choice), make)

    def _pair(self, corpus, choice):
        """The Example of two sentences of a corpus; its text is all others. Raises WorkbenchError."""
        text, algorithm = self.workspace.treebank(corpus), algorithm_named(choice.algorithm)
        pairing = _pairing(algorithm)
        numbers = choice.sentence, choice.second or self.partner(corpus, choice)
        if not numbers[1]:
            raise WorkbenchError(
                f"no other sentence of {corpus.name} of at most {algorithm.longest} words "
                f"{pairing.missing.format(choice.sentence)}; choose another one, or the built-in example"
            )
        if numbers[0] == numbers[1]:
            raise WorkbenchError("both sentences are the same; choose another second sentence")
        examples, column, scores_from = [], text.coarse_name, PARSER if pairing.scored else EQUAL
        for number in numbers:
            one = self._sentence(corpus, replace(choice, sentence=number))
            algorithm.require_length(int(one.lengths[0]))
            scores = self._scores(corpus, replace(choice, scores=scores_from), one, int(one.lengths[0]))
            examples.append(Example(tuple(one[0].forms), tuple(getattr(one[0], column)), scores))
        others = np.delete(np.arange(len(text)), [number - 1 for number in numbers])
        return replace(examples[0], text=text.select(others), second=examples[1])

    def seconds(self, corpus: Corpus, choice: Choice) -> list[int]:
        """Numbers, from 1, of the sentences to choose the Choice's second one from: the first ``LISTED``."""

        def make():
            algorithm = algorithm_named(choice.algorithm)
            pairing, fitting = _pairing(algorithm), self._fitting(corpus, algorithm)
            if pairing.firsts is not None:
                fitting = pairing.partners(self.workspace.treebank(corpus), choice.sentence - 1, fitting.tolist())
            return [int(place) + 1 for place in fitting[:LISTED] if place != choice.sentence - 1]

        return self._kept(
            "second sentences", (self.workspace.corpus_key(corpus), choice.algorithm, choice.sentence), make
        )

    def _liveliest(self, corpus, algorithm, numbers):
        """The first of the pairs that shows all there is, or most of those looked at."""
        ranked, seen = [], set()
        for number in numbers:
            if number in seen or len(ranked) == TRIED:
                continue
            liveliness, partner = self._partner(corpus, Choice(algorithm.key, CORPUS, number))
            ranked.append((liveliness, -number))
            seen.add(partner)
            if liveliness and all(liveliness):
                break
        return -max(ranked)[1]

    def partner(self, corpus: Corpus, choice: Choice) -> int:
        """The sentence, from 1, that goes with the Choice's: the liveliest of ``TRIED``; 0 where none does.

        Raises WorkbenchError for a text without what the algorithm learns from, and where there is no such sentence.
        """
        return self._partner(corpus, choice)[1]

    def _partner(self, corpus, choice):
        """(how much is seen with it, that sentence)."""

        def make():
            pairing = _pairing(algorithm_named(choice.algorithm))
            if pairing.scored:
                self._parser(corpus, EXAMPLE)
            self._sentence(corpus, choice)
            others = [number - 1 for number in self.seconds(corpus, choice)]
            ranked = []
            for index in pairing.partners(self.workspace.treebank(corpus), choice.sentence - 1, others)[:TRIED]:
                try:
                    liveliness = pairing.liveliness(self._pair(corpus, replace(choice, second=index + 1)))
                except WorkbenchError:  # without its own tree the context is not known
                    continue
                ranked.append((liveliness, index + 1))
                if all(liveliness):
                    break
            return max(ranked, key=lambda one: one[0], default=((), 0))

        return self._kept("partners", (self.workspace.corpus_key(corpus), choice.algorithm, choice.sentence), make)

    def lines(self, corpus: Corpus, choice: Choice, text: str) -> list[str]:
        """The lines of a constraint set, its text, that match two words of the Choice's sentence: list of str."""
        one = self._sentence(corpus, choice)[0]
        tags = one.upos if any(one.upos) else one.xpos
        return matching_lines(ConstraintDocument.from_text(text).constraints, one.forms, tags)

    def _sentence(self, corpus, choice):
        """The sentence of a Choice as a Treebank, tagged if it was typed. Raises WorkbenchError if there is none."""
        if choice.source == CORPUS:
            treebank = self.workspace.treebank(corpus)
            if not 1 <= choice.sentence <= len(treebank):
                raise WorkbenchError(
                    f"{corpus.name} has {len(treebank):,} sentences and none with the number {choice.sentence}; "
                    "choose another"
                )
            return treebank.select([choice.sentence - 1])
        words = split_words(choice.typed)
        algorithm_named(choice.algorithm).require_length(len(words) - 1)
        english = self._kept("english", "", English.load)
        return english.tag(Treebank.from_sentences([{"forms": list(words[1:])}]))

    def _scores(self, corpus, choice, tagged, n):
        if choice.scores == OWN:
            return parse_scores(choice.own, n) if choice.own.strip() else equal_scores(n)
        if choice.scores == DICE:
            return dice_scores(n, choice.dice)
        if choice.scores == EQUAL:
            return equal_scores(n)
        parser = self._parser(corpus if choice.source == CORPUS else None)
        return np.round(np.array(parser.scores(tagged)[0]), 1) + 0.0  # a tenth of a nat: a class adds them up by hand

    def _parser(self, corpus, instead="choose random scores, or enter your own"):
        """The TreeCRF of a corpus, or of the built-in sample for typed sentences; ``instead`` ends what is raised."""
        if corpus is None:
            return self._kept("taught parsers", "sample", lambda: _trained(load_sample()))
        return self._kept(
            "taught parsers",
            self.workspace.corpus_key(corpus),
            lambda: _trained(self.workspace.treebank(corpus), corpus.name, instead),
        )

    def table(self, corpus: Corpus, choice: Choice) -> tuple[str, dict[str, list]]:
        """(key that changes with the scores, columns of the table of scores to edit)."""
        example = self.example(corpus, choice)
        line = f"{joined_words(example.words)} {format_scores(example.scores)}"
        return f"{zlib.crc32(line.encode()):08x}", score_table(example.words, example.scores)

    def edited(self, corpus: Corpus, choice: Choice, edits: Mapping[int, Mapping]) -> Choice:
        """The Choice after edits of that table, as ``st.data_editor`` tells them: {row: {column name: value}}."""
        example = self.example(corpus, choice)
        places = {name: m for m, name in enumerate(column_names(example.words), start=1)}
        cells = {int(row): {places[name]: value for name, value in columns.items() if name in places}
                 for row, columns in edits.items()}  # fmt: skip
        return replace(choice, scores=OWN, own=format_scores(edited_scores(example.scores, cells)))

    def trace(self, corpus: Corpus, choice: Choice) -> AlgorithmTrace:
        """The AlgorithmTrace of a Choice. Raises WorkbenchError."""
        key = self.workspace.corpus_key(corpus), choice
        return self._kept("traces", key, lambda: algorithm_named(choice.algorithm).steps(self.example(corpus, choice)))

    def figure(self, corpus: Corpus, choice: Choice, step: int, theme: str) -> str:
        """The picture of a step, from 0, as SVG text; all of a trace are equally large."""
        trace, key = self.trace(corpus, choice), (self.workspace.corpus_key(corpus), choice)
        return figure_svg(trace, step, theme, self._kept("heights", key, lambda: tallest(trace)))

    def stop(self, corpus: Corpus, choice: Choice, step: int, title: str = "", notes: str = "") -> Stop:
        """The Stop of a lesson that shows this state anywhere: its words and scores are in it. ``step`` from 1."""
        example = self.example(corpus, choice)
        if example.second is not None:
            raise WorkbenchError(
                "a lesson opens with any text, and these steps are of two sentences of this one; send the page’s link, "
                "or choose the built-in example"
            )
        return Stop(
            choice.algorithm, joined_words(example.words), title, step, notes, format_scores(example.scores),
            choice.single_root, choice.constraint,
        )  # fmt: skip

    def lessons(self, project: SupportsIndex) -> tuple[dict[str, Lesson], list[str]]:
        """(name -> Lesson: those shipped, then the project's own; what is wrong with any that cannot be read)."""
        lessons, problems = dict(self._shipped()), []
        for (_, name), value in self.store.documents(project, LESSON).items():
            try:
                lessons[name] = replace(parse_lesson(json.dumps(value), name), title=name)
            except WorkbenchError as error:
                problems.append(str(error))
        return lessons, problems

    def _shipped(self):
        return self._kept("shipped lessons", "", shipped_lessons)

    def open_lesson(self, project: SupportsIndex, lesson: Lesson) -> str:
        """Keep a lesson from a file with the project, undoably; returns its name: its title, numbered if taken."""
        taken = {*self.lessons(project)[0], *(shipped.title for shipped in self._shipped().values())}
        names = (f"{lesson.title} ({k})" if k > 1 else lesson.title for k in count(1))
        return self.save_lesson(project, next(name for name in names if name not in taken), lesson)

    def save_lesson(self, project: SupportsIndex, name: str, lesson: Lesson) -> str:
        """Keep a lesson with the project under a name, undoably; returns the name.

        Raises StoreError, and WorkbenchError where a lesson that comes with the workbench has that name.
        """
        if name in {*self._shipped(), *(shipped.title for shipped in self._shipped().values())}:
            raise WorkbenchError(f"a lesson that comes with the workbench is called {name!r}; give yours another title")
        before = self.store.document(project, LESSON, name)
        change = Command(LESSON, name, before, json.loads(format_lesson(replace(lesson, title=name))))
        self.store.execute(project, change, label=f"the lesson {name}")
        return name

    def add_stop(self, project: SupportsIndex, name: str, stop: Stop) -> str:
        """Put a stop at the end of a project's lesson, which is begun if there is none of that name.

        Raises as ``save_lesson``, and WorkbenchError where the lesson is as long as one can be.
        """
        lesson = self._own(project, name) or Lesson(name)
        if len(lesson.stops) >= MOST_STOPS:
            raise WorkbenchError(f"the lesson {name} has {MOST_STOPS} stops, the most there can be; begin another one")
        return self.save_lesson(project, name, replace(lesson, stops=(*lesson.stops, stop)))

    def own_lessons(self, project: SupportsIndex) -> dict[str, Lesson]:
        """Name -> Lesson of those that the project keeps and that can be read."""
        names = {name for _, name in self.store.documents(project, LESSON)}
        return {name: lesson for name, lesson in self.lessons(project)[0].items() if name in names}

    def move_stop(self, project: SupportsIndex, name: str, position: int, to: int) -> None:
        """Put stop ``position`` of a project's lesson, from 0, at another place, undoably."""
        lesson = self._with_stop(project, name, position)
        stops = list(lesson.stops)
        stops.insert(to, stops.pop(position))
        self.save_lesson(project, name, replace(lesson, stops=tuple(stops)))

    def remove_stop(self, project: SupportsIndex, name: str, position: int) -> None:
        """Take stop ``position``, from 0, out of a lesson, undoably; with its last stop the lesson goes too."""
        lesson = self._with_stop(project, name, position)
        stops = lesson.stops[:position] + lesson.stops[position + 1 :]
        if stops:
            self.save_lesson(project, name, replace(lesson, stops=stops))
        else:
            gone = Command(LESSON, name, self.store.document(project, LESSON, name), None)
            self.store.execute(project, gone, label=f"removing the lesson {name}")

    def _own(self, project, name):
        """The Lesson that the project keeps under a name, or None."""
        value = self.store.document(project, LESSON, name)
        return parse_lesson(json.dumps(value), name) if value else None

    def own_stops(self, project: SupportsIndex, name: str, position: int) -> tuple[Stop, ...]:
        """The stops of a project's lesson. Raises WorkbenchError if it has none at ``position`` (any more)."""
        return self._with_stop(project, name, position).stops

    def _with_stop(self, project, name, position) -> Lesson:
        lesson = self._own(project, name)
        if lesson is None or not 0 <= position < len(lesson.stops):
            raise WorkbenchError(f"the lesson {name} has no stop {position + 1} any more; look at the list again")
        return lesson


def stop_table(lesson: Lesson) -> dict[str, list]:
    """Columns of a table over the stops of a Lesson."""
    rows = [
        (number, stop.title, algorithm_named(stop.algorithm).name, stop.step, bidi_isolate(stop.sentence))
        for number, stop in enumerate(lesson.stops, start=1)
    ]
    return columns_of(("stop", "title", "algorithm", "step", "sentence"), rows)


def choice_of(stop: Stop) -> Choice:
    """The Choice that shows a Stop: its sentence as typed, its scores as one's own."""
    return Choice(
        stop.algorithm, TYPED, 1, stop.sentence, OWN if stop.scores else PARSER, 1, stop.scores, stop.single_root,
        stop.constraint,
    )  # fmt: skip


def as_keys(choice: Choice, step: int) -> dict:
    """The widgets' values that show a Choice: dict of key to value, all keys beginning with ``teach_``."""
    keys = asdict(choice) | {"pair": choice.source, "step": step}
    return {f"teach_{name}": value for name, value in keys.items()}


EXAMPLE = "choose the built-in example, or another text"


def _pairing(algorithm):
    """The Pairing of an algorithm that has one."""
    assert algorithm.pairing is not None
    return algorithm.pairing


def _trained(treebank, name="the sample", instead=""):
    """A TreeCRF over the short sentences of a treebank that have trees; seconds at most."""
    tags = "upos" if treebank.upos.filled else "xpos" if treebank.xpos.filled else None
    parser = TreeCRF(tags=tags, variance=1.0)
    usable = trainable(treebank, parser.distribution) & (treebank.lengths <= TRAINED_LENGTH)
    if tags is None or not usable.any():
        raise WorkbenchError(
            f"{name} has no tagged trees of at most {TRAINED_LENGTH} words to learn scores from; {instead}"
        )
    return parser.fit(treebank.select(np.flatnonzero(usable)[:TRAINED_ON]))
