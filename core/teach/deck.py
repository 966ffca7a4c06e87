"""A whole lesson on paper: a deck of slides with the teacher's notes at its end, and a worksheet with its answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from core.draw.scene import fitted
from core.teach.algorithms import algorithm_named
from core.teach.lessons import Lesson, Stop
from core.teach.slides import figure_svg, slide_svg, typeset
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, number

T = TypeVar("T")
MOST_QUESTIONS = 12  # of a stop on a worksheet; a chart of twelve words has more than a hundred
_SLIDES = """
#set page(width: 960pt, height: 540pt, margin: 0pt)
#set text(size: 20pt, fill: rgb("#141619"))
#show heading: set text(size: 20pt)
#let slide(name, picture, alt) = page({
  block(height: 46pt, inset: (x: 70pt, top: 20pt), width: 100%, clip: true, below: 0pt, name)
  align(center, image(bytes(picture), format: "svg", height: 490pt, alt: alt))
})
"""
_NOTES = """
#set page(margin: (x: 70pt, y: 48pt))
#set text(size: 15pt)
#show heading.where(level: 3): set text(size: 16pt)
#show heading: set block(above: 20pt, below: 10pt)
"""
_SHEET = """
#set page(paper: "a4", margin: 18mm, numbering: "1")
#set text(size: 10.5pt, fill: rgb("#141619"))
#show heading: set block(above: 18pt, below: 10pt, sticky: true)
"""


@dataclass(frozen=True)
class TracedStop:
    """A Stop of a lesson, with the Example that it shows and the AlgorithmTrace of that."""

    stop: Stop
    example: Example
    trace: AlgorithmTrace

    @property
    def index(self) -> int:
        """The step that the stop shows, from 0; the last one where there are fewer."""
        return min(self.stop.step, len(self.trace)) - 1

    @property
    def shown(self) -> Stop:
        """What is stepped through: the same for all stops of one trace."""
        return replace(self.stop, title="", step=1, notes="", minutes=0.0)

    @property
    def title(self) -> str:
        """The stop's own, or else its algorithm's name."""
        return self.stop.title or algorithm_named(self.stop.algorithm).name


class _Document:
    """A source of typst, in which words stand as the names of inputs only."""

    def __init__(self, title: str, source: str):
        self.lines, self.inputs = [source], {"title": title}

    def word(self, text: str) -> str:
        """The name that a text has in the source."""
        name = f"t{len(self.inputs)}"
        self.inputs[name] = text
        return f"sys.inputs.{name}"

    def add(self, source: str) -> None:
        """Add a line of the source."""
        self.lines.append(source)

    def pdf(self) -> bytes:
        """The document as PDF."""
        return typeset("\n".join(self.lines), self.inputs)


def lesson_pdf(lesson: Lesson, stops: Sequence[TracedStop], every_step: bool = False) -> bytes:
    """A lesson as slides: a title page, a page for each stop, and the notes of all stops at the end: bytes of a PDF.

    Notes are not on the slides, which a class sees. With ``every_step`` a stop has one for each step of ``steps_of``.
    Text stays text, stops are headings and the PDF's outline, and what happened is each picture's alternative text.
    ``core.teach.slides.typeset`` says when the file is PDF/UA-1, and what is raised.
    """
    deck = _Document(lesson.title, _SLIDES)
    deck.add(f"#page(margin: 60pt)[#v(1fr)#heading(level: 1, text(size: 44pt, {deck.word(lesson.title)}))#v(20pt)")
    deck.add(f"#{deck.word(lesson.about)}\n#v(10pt)\n#text(size: 15pt, {deck.word(_extent(lesson))})#v(2fr)]")
    for place, one in enumerate(stops):
        size = fitted(_numbered(place, one), 20, 780, 6, bold=True)
        title = f"text(size: {size:.1f}pt, {deck.word(_numbered(place, one))})"
        for index in steps_of(stops, place) if every_step else (one.index,):
            name = f"heading(level: 2, {title})" if index == one.index else title
            picture, alt = deck.word(slide_svg(one.trace, index)), deck.word(one.trace.steps[index].caption)
            deck.add(f"#slide({name}, {picture}, {alt})")
    if any(one.stop.notes for one in stops):
        deck.add(f"{_NOTES}#heading(level: 2)[Notes for the teacher]")
    for place, one in enumerate(stops):
        if one.stop.notes:
            minutes = f" ({_minutes(one.stop)})" if one.stop.minutes else ""
            deck.add(f"#heading(level: 3, {deck.word(_numbered(place, one) + minutes)})\n#{deck.word(one.stop.notes)}")
    return deck.pdf()


def steps_of(stops: Sequence[TracedStop], place: int) -> range:
    """The steps, from 0, that a lesson goes through at one of its stops: to the last, or to the next stop's own."""
    one, follows = stops[place], stops[place + 1 : place + 2]
    ends = (after.index for after in follows if after.shown == one.shown and after.index > one.index)
    return range(one.index, next(ends, len(one.trace)))


def worksheet_pdf(lesson: Lesson, stops: Sequence[TracedStop]) -> bytes:
    """A lesson as an exercise: what stops begin with, scores, questions, and the answers at the end: bytes of a PDF.

    A trace that several stops show stands there once. Its questions are ``MOST_QUESTIONS`` at most, spread over its
    steps, or the first ones where each follows from the move before. Raises as ``lesson_pdf``.
    """
    sheet, answers = _Document(lesson.title, _SHEET), []
    sheet.add(f"#heading(level: 1, {sheet.word(lesson.title)})\n#{sheet.word(lesson.about)}")
    for place, one in enumerate(stops):
        if one.shown in (before.shown for before in stops[:place]):
            continue
        algorithm, first = algorithm_named(one.stop.algorithm), one.trace.steps[one.trace.first]
        title, asked = sheet.word(_numbered(place, one)), questions_of(one.trace)
        purpose = sheet.word(f"{algorithm.name}. {algorithm.purpose}")
        sheet.add(f"#heading(level: 2, {title})\n#block(sticky: true, {purpose})")
        picture = sheet.word(figure_svg(one.trace, one.trace.first, "light", first.picture.scene().height))
        sheet.add(f'#image(bytes({picture}), format: "svg", width: 100%, alt: {sheet.word(first.caption)})')
        sheet.add(f"#{sheet.word(first.caption)}\n")
        if "scores" in algorithm.wants:
            _add_scores(sheet, one.example)
        for index, question in asked:
            text = f"Step {index + 1}{_after(one.trace, index)}. {question.text}"
            boxes = "#h(14pt)".join(f"#box[☐~#{sheet.word(option)}]" for option in question.options)
            sheet.add(f"#block(breakable: false)[#{sheet.word(text)} \\ {boxes}]")
        if asked:
            answers.append((title, "; ".join(f"step {index + 1}: {question.right}" for index, question in asked)))
    if answers:
        sheet.add("#pagebreak()\n#set text(size: 9pt)\n#show heading: set block(above: 9pt, below: 5pt)")
        sheet.add("#heading(level: 2)[Answers]")
    for title, right in answers:
        sheet.add(f"#heading(level: 3, {title})\n#{sheet.word(f'{right}.')}")
    return sheet.pdf()


def questions_of(trace: AlgorithmTrace, most: int = MOST_QUESTIONS) -> list[tuple[int, QuizQuestion]]:
    """(step that answers it, from 0, QuizQuestion) of at most so many questions of a trace, in order.

    What the trace begins with is shown, and answers its own question, which is none of them.
    """
    steps = [(index, step.question) for index, step in enumerate(trace.steps) if index != trace.first]
    asked = [(index, question) for index, question in steps if question is not None]
    return asked[:most] if trace.path else spread(asked, most)


def spread(items: Sequence[T], most: int) -> list[T]:
    """At most so many of some items, evenly spread, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[k * (len(items) - 1) // max(1, most - 1)] for k in range(most)]


def _after(trace, index):
    """The moves since the question before, where its answer does not say which one was taken; or ""."""
    asked = [k for k in range(index) if trace.steps[k].question is not None]
    if not trace.path or not asked or trace.steps[asked[-1]].question.right == trace.steps[asked[-1]].title:
        return ""
    return f", after {', '.join(step.title for step in trace.steps[asked[-1] : index])}"


def _numbered(place, one):
    return f"{place + 1}. {one.title}"


def _extent(lesson):
    stops = f"{len(lesson.stops)} {'stop' if len(lesson.stops) == 1 else 'stops'}"
    return f"{stops} · {_minutes(lesson)}" if lesson.minutes else stops


def _minutes(timed):
    return f"{timed.minutes:g} minute{'s' * (timed.minutes != 1)}"


def _add_scores(sheet, example):
    """A table of all scores: a row for each head, a column for each word, by its number."""
    side = len(example.words)
    cells = ["[head]", *(f"[{m}]" for m in range(1, side))]
    rows = []
    for h in range(side):
        rows.append(f"text({sheet.word(f'{h} {example.words[h]}' if h else 'root')})")
        rows += [f"[{'' if h == m else number(example.scores[h, m])}]" for m in range(1, side)]
    sheet.add(
        "The score of every arc in nats: a row for each head, a column for each word.\n"
        f"#block(breakable: false, text(size: {9 if side < 13 else 6.5}pt, "
        f"table(columns: {side}, inset: 3pt, stroke: 0.4pt + gray, table.header({', '.join(cells)}), "
        f"{', '.join(rows)})))"
    )
