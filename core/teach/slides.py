"""Steps as pictures to take away: numbered SVG files in a zip, and one PDF with a page a step."""

import io
import re
import zipfile

from core.draw.arcs import WIDTH as FIGURE
from core.draw.levels import widest
from core.draw.scene import Scene, fitted, wrapped
from core.extras import require
from core.languages.direction import bidi_isolate
from core.teach.algorithms import ALGORITHMS
from core.teach.step import AlgorithmTrace

WIDTH, HEIGHT = 1280.0, 720.0
MARGIN = 48.0
SAMPLED = 24  # steps of a long trace whose pictures are measured
FILLED = 400.0  # height up to which pictures are enlarged: higher ones would leave a wall's width unused
GROWTH = 1.45  # most that a small picture is enlarged to fill its place


def tallest(trace: AlgorithmTrace) -> float:
    """The height in pixels that the largest picture of a trace needs, so that nothing jumps from step to step.

    Of a long trace ``SAMPLED`` steps are looked at, the last among them: a picture that is higher is drawn smaller.
    """
    last = len(trace) - 1
    looked_at = {last * k // (SAMPLED - 1) for k in range(SAMPLED)} if last >= SAMPLED else range(last + 1)
    scenes = [trace.steps[index].picture.scene() for index in looked_at]
    grown = max(scene.height * min(GROWTH, FIGURE / scene.width) for scene in scenes)
    return max(min(grown, FILLED), *(scene.height for scene in scenes))


def figure_svg(trace: AlgorithmTrace, index: int, theme: str, height: float) -> str:
    """The picture of step ``index`` (from 0) as SVG text, ``height`` pixels high.

    It has paper of its own, so that it is read as well after a change of theme, which draws no page anew.
    """
    return figure(trace, index, theme, height).svg(trace.steps[index].title, trace.steps[index].caption)


def figure(trace: AlgorithmTrace, index: int, theme: str, height: float) -> Scene:
    """What ``figure_svg`` draws, as a Scene."""
    paper = Scene(FIGURE, height, theme)
    _set(paper, trace.steps[index].picture.scene(theme), 0, 0, FIGURE, height)
    return paper


def slide_svg(trace: AlgorithmTrace, index: int, theme: str = "light") -> str:
    """Step ``index`` (from 0) as a slide of 1280 x 720: what happened above its picture."""
    step, paper = trace.steps[index], Scene(WIDTH, HEIGHT, theme)
    head = f"{ALGORITHMS[trace.algorithm].name} · step {index + 1} of {len(trace)}"
    paper.text(MARGIN, 50, head, 17, "quiet", "start")
    sentence, room = bidi_isolate(" ".join(trace.words[1:])), WIDTH - 2 * MARGIN - widest(head, 17) - 24
    paper.text(WIDTH - MARGIN, 50, sentence, fitted(sentence, 17, room, 4.0), "quiet", "end", serif=True)
    lines, size = wrapped(step.caption, 25, WIDTH - 2 * MARGIN), 25
    if len(lines) > 3:
        lines, size = wrapped(step.caption, 20, WIDTH - 2 * MARGIN), 20
    y = 96.0
    for line in lines:
        paper.text(MARGIN, y, line, size, "ink", "start", serif=True)
        y += size * 1.35
    _set(paper, step.picture.scene(theme), MARGIN, y, WIDTH - 2 * MARGIN, HEIGHT - y - 24)
    return paper.svg(f"{head}: {step.title}", step.caption)


def slides_zip(trace: AlgorithmTrace) -> bytes:
    """All slides as numbered SVG files: the bytes of a zip."""
    digits, file = len(str(len(trace))), io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for index, step in enumerate(trace.steps):
            name = re.sub(r"[^a-z0-9]+", "-", step.title.lower()).strip("-") or "step"
            archive.writestr(f"{index + 1:0{digits}}-{name}.svg", slide_svg(trace, index))
    return file.getvalue()


def slides_pdf(trace: AlgorithmTrace) -> bytes:
    """All slides as one PDF, a page each: bytes.

    Text stays text, what happened is each page's alternative text, and the file is PDF/UA-1 where this machine has
    fonts for all letters. Raises WorkbenchError without the library of the extra ``pdf``.
    """
    slides = {f"slide{index}": slide_svg(trace, index) for index in range(len(trace))}
    slides |= {f"caption{index}": step.caption for index, step in enumerate(trace.steps)}
    slides["title"] = f"{ALGORITHMS[trace.algorithm].name}: {' '.join(trace.words[1:])}"
    pages = "\n".join(
        f'#image(bytes(sys.inputs.slide{index}), format: "svg", width: 100%, alt: sys.inputs.caption{index})'
        for index in range(len(trace))
    )
    return typeset(f"#set page(width: 960pt, height: 540pt, margin: 0pt)\n{pages}\n", slides)


def typeset(source: str, inputs: dict[str, str]) -> bytes:
    """A document of typst as PDF: bytes. All words of users are in ``inputs``, where none is read as typst's notation.

    ``inputs["title"]`` is the document's title. The file is PDF/UA-1 where this machine has fonts for all letters.
    Raises WorkbenchError without the library of the extra ``pdf``.
    """
    require("pdf")
    import typst  # a compiler of 30 MB that few ask for

    whole = f'#set document(title: sys.inputs.title)\n#set text(lang: "en")\n{source}'.encode()
    try:
        return typst.compile(whole, format="pdf", sys_inputs=inputs, pdf_standards=["ua-1"])
    except typst.TypstError:  # a letter that no font of this machine has: not accessible, but readable
        return typst.compile(whole, format="pdf", sys_inputs=inputs)


def _set(paper, scene, x, y, width, height):
    """A scene in the middle of a place, no larger than ``GROWTH`` times its size."""
    wide, high = min(width, scene.width * GROWTH), min(height, scene.height * GROWTH)
    paper.inset(scene, x + (width - wide) / 2, y + (height - high) / 2 if width > FIGURE else y, wide, high)
