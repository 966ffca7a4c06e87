"""A whole lesson as one web page that steps without a server: drawings, captions, questions, and a constant script.

What users wrote is escaped text of the page: nothing of it is in the script or the style sheet, and the page's own
security policy allows these two alone. Drawings are packed, since a chart of twelve words has some four thousand marks.
"""

import re
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from itertools import groupby

from core.draw.palette import COLORS, WRITTEN
from core.files.assets import ASSETS
from core.languages.direction import right_to_left
from core.teach.algorithms import algorithm_named
from core.teach.deck import TracedStop, steps_of
from core.teach.flipbook import merged
from core.teach.lessons import Lesson
from core.teach.slides import FIGURE, figure, tallest
from core.teach.step import AlgorithmTrace, Step

FOLDER = ASSETS / "lessons"


def lesson_page(lesson: Lesson, stops: Sequence[TracedStop]) -> bytes:
    """The page, in UTF-8.

    Each trace is drawn once, and its marks say at which steps they show. Arrow and Page keys step on and back, across
    stops; Home and End go to the ends of a trace, digits answer a question. A screen reader reads each caption, which
    is the drawing's alternative text too. Where there are several kinds of moves, the path of the trace is stepped
    along. The browser's theme decides between light and dark.
    """
    traces = {one.shown: one.trace for one in stops}
    numbers = {shown: number for number, shown in enumerate(traces)}
    parts = {
        "title": escape(lesson.title),
        "about": escape(lesson.about),
        "stops": "\n".join(_stop(stops, place, numbers[one.shown]) for place, one in enumerate(stops)),
        "runs": "\n".join(
            f'<script type="text/plain" id="run{numbers[shown]}">{packed(trace_html(trace))}</script>'
            for shown, trace in traces.items()
        ),
    }
    return framed_page("page", ("page",), parts)[0]


def framed_page(
    name: str, styles: Sequence[str], parts: Mapping[str, str], connect: str = "'none'"
) -> tuple[bytes, str]:
    """(a page in UTF-8, what it may do): the frame of a name, its script and style sheets in it.

    ``parts`` are the frame's own ones, as HTML. The policy allows that script and those styles alone, and ``connect``
    says what the script may ask.
    """
    script, frame = ((FOLDER / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("js", "html"))
    css = "".join((FOLDER / f"{style}.css").read_text(encoding="utf-8") for style in styles) + _colors()
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(css)}'; connect-src {connect}"
    parts = {"policy": policy, "css": css, "script": script, **parts}
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], frame).encode(), policy


def packed(text: str) -> str:
    """A text as letters that end no element of HTML; a page's script unpacks them."""
    return b64encode(zlib.compress(text.encode(), 9)).decode()


def trace_html(trace: AlgorithmTrace) -> str:
    """A trace as HTML: what is stepped through, the drawing of all steps, and the steps in words."""
    height, direction = tallest(trace), "rtl" if right_to_left(trace.words) else "ltr"
    return (
        f'<p class="what">{escape(algorithm_named(trace.algorithm).name)} · <span></span> · '
        f'<bdi dir="{direction}">{escape(" ".join(trace.words[1:]))}</bdi></p>'
        f'<p class="said" aria-live="polite"></p>'
        '<div class="picture" tabindex="0" role="group" aria-label="The picture">'
        f'<svg role="img" viewBox="0 0 {FIGURE:g} {height:.0f}">{_drawing(trace, height)}</svg></div>'
        f"<ol hidden>{''.join(_step(step) for step in trace.steps)}</ol>"
    )


def _stop(stops, place, number):
    one, way = stops[place], steps_of(stops, place)
    return (
        f'<li data-run="{number}" data-first="{way.start}" data-last="{way.stop - 1}">'
        f'<button type="button">{escape(one.title)}</button><p hidden>{escape(one.stop.notes)}</p></li>'
    )


def _step(step: Step):
    """A step in words, and the question that is asked before it."""
    question, options = step.question, ""
    if question is not None:
        options = "".join(
            f'<button type="button" data-right="{int(question.is_right(option))}">{escape(option)}</button>'
            for option in question.options
        )
        given = "".join(f"<p>{escape(line)}</p>" for line in question.given)
        options = f'<div data-right="{escape(question.right)}"><p>{escape(question.text)}</p>{given}{options}</div>'
    return f'<li data-title="{escape(step.title)}"><p>{escape(step.caption)}</p>{options}</li>'


def _drawing(trace, height):
    """All marks of a trace; those that show at the same steps and stand side by side are one group."""
    order = merged([list(figure(trace, index, "light", height).marks()) for index in range(len(trace))])
    parts = []
    for place, marks in groupby(order, key=lambda mark: mark.mark[0]):
        parts.append(place)
        for steps, same in groupby(marks, key=lambda mark: mark.steps):
            parts.append(f'<g data-at="{_intervals(steps)}">{"".join(mark.mark[1] for mark in same)}</g>')
        parts.append("</svg>" * place.count("<svg "))
    return "".join(parts)


def _intervals(steps):
    """``0-3 7-7``: the steps, in order."""
    begins = [step for step in steps if step - 1 not in steps]
    ends = [step for step in steps if step + 1 not in steps]
    return " ".join(f"{first}-{last}" for first, last in zip(begins, ends, strict=True))


def _hash(text):
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _colors():
    """Rules that draw with the colours of the theme: a mark has those of light paper as its attributes."""
    table = {**COLORS, **{f"written-{name}": colors for name, colors in WRITTEN.items()}}
    paper = (";".join(f"--{name}:{colors[theme]}" for name, colors in table.items()) for theme in (0, 1))
    light, dark = (f":root{{{colors}}}" for colors in paper)
    names = {colors[0]: name for name, colors in table.items()}
    rules = (f'[{part}="{color}"]{{{part}:var(--{name})}}'
             for color, name in names.items() for part in ("fill", "stroke"))  # fmt: skip
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}{''.join(rules)}"
