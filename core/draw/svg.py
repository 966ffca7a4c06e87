"""A drawing as SVG text that stands on its own: real text, no scripts, no style sheet, colours as attributes."""

from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from core.direction import isolated
from core.draw.drawing import Arc, Drawing
from core.draw.layout import Metrics, Row, Segment, arch, lay_out, lay_out_best
from core.draw.levels import span_levels
from core.draw.palette import MEANINGS, PALETTES
from core.draw.trees import drawing_of

SERIF = "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif', Georgia, serif"
SANS = "'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
WEAKEST = 0.12  # opacity of the band of an arc of posterior 0; its hairline is always drawn in full


def tree_svg(
    sentence: Any, heads: np.ndarray | None = None, other: Any = None, *, posteriors: np.ndarray | None = None,
    theme: str = "light", width: float | None = None, labels: bool = True, metrics: Metrics | None = None,
    transparent: bool = False, **how: Any,
) -> str:  # fmt: skip
    """SVG text of a sentence's tree, or of two trees.

    Parameters
    ----------
    sentence : Sentence or Drawing
        A ``Drawing`` is drawn as it is.
    heads : int array (n + 1,), optional
        The tree; by default the sentence's own.
    other : int array (n + 1,), optional
        A second tree, drawn in orange under the words, dashed where it differs.
    posteriors : float array (n + 1, n + 1), optional
        Probabilities of the arcs of ``heads``, or of ``other`` where given.
    theme : {"light", "dark", "grey"}
    width : float, optional
        Break the sentence into rows no wider than this many pixels.
    labels : bool
        Write the relations.
    metrics : Metrics, optional
        Sizes; by default those that the length of the sentence asks for.
    transparent : bool
        Leave the paper out.
    **how
        Further arguments of ``draw_tree``, or of ``compare_trees`` with ``other``.

    Returns
    -------
    svg : str
        One ``<svg>`` element. Words, tags, relations and names are escaped; widths of text are estimates.

    Raises
    ------
    WorkbenchError : unknown theme, or what ``draw_tree`` raises.
    """
    drawing = drawing_of(sentence, heads, other, theme, posteriors=posteriors, **how)
    if metrics is None:
        metrics, layout = lay_out_best(drawing, width=width, labels=labels)
    else:
        layout = lay_out(drawing, metrics, width=width, labels=labels)
    return _Page(drawing, layout, metrics, PALETTES[theme], labels).text(transparent)


class _Page:
    """One drawing on its way to SVG text."""

    def __init__(self, drawing, layout, metrics, colors, labels):
        self.drawing, self.layout, self.metrics, self.colors, self.labels = drawing, layout, metrics, colors, labels

    def text(self, transparent):
        width, height = self.layout.width, self.layout.height
        title = self.drawing.name or " ".join(self.drawing.words[1:])
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.1f} {height:.1f}" role="img" font-family={quoteattr(SERIF)}>',
            f"<title>{xml_text(title)}</title>",
            f"<desc>{xml_text(description(self.drawing))}</desc>",
        ]
        if not transparent:
            parts.append(f'<rect width="100%" height="100%" fill="{self.colors["paper"]}"/>')
        parts += [self._arc(segment) for segment in self.layout.segments]
        parts += [label for segment in self.layout.segments for label in self._labels(segment)]  # no line crosses one
        parts += [self._word(m) for m in range(1, len(self.drawing) + 1)]
        parts += [
            self._span(span, level)
            for span, level in zip(self.drawing.spans, span_levels(self.drawing.spans), strict=True)
        ]
        return "\n".join([*parts, "</svg>"])

    def _row_of(self, word):
        return next(row for row in self.layout.rows if row.start <= word < row.end)

    def _word(self, m):
        row, x = self._row_of(m), self.layout.x[m]
        size, tag_size = self.metrics.word, self.metrics.tag
        word = f'<text x="{x:.1f}" y="{row.y:.1f}" font-size="{size}" fill="{self.colors["ink"]}" text-anchor="middle">'
        lines = [word + f"{xml_text(self.drawing.words[m])}</text>"]
        if self.drawing.tags[m]:
            lines.append(
                f'<text x="{x:.1f}" y="{row.y + size * 0.35 + tag_size:.1f}" font-size="{tag_size}" '
                f'font-family={quoteattr(SANS)} fill="{self.colors["quiet"]}" text-anchor="middle">'
                f"{xml_text(self.drawing.tags[m])}</text>"
            )
        return "".join(lines)

    def _arc(self, segment):
        arc, row = self.drawing.arcs[segment.arc], self.layout.rows[segment.row]
        floor, ceiling = heights(segment, row, self.metrics)
        color, dash = self.colors[arc.kind], arc.dash
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        path = arch(segment, self.metrics, floor, ceiling)
        parts = [f'<g fill="none" stroke="{color}"{dashes}><title>{xml_text(arc_words(self.drawing, arc))}</title>']
        if arc.posterior is not None:
            parts.append(f'<path d="{path}" stroke-width="3.4" stroke-opacity="{strength(arc.posterior):.2f}"/>')
        parts.append(f'<path d="{path}" stroke-width="{arc.width}"/></g>')
        if segment.tip:
            parts.append(self._tip(segment, floor, color))
        if arc.kind == "supported" and not segment.open_left and not segment.open_right:
            parts.append(self._anchor(segment, floor, color))
        return "".join(parts)

    def _tip(self, segment, floor, color):
        x = segment.x1 if segment.tip == "left" else segment.x2
        back = floor + (8 if segment.below else -8)
        return f'<path d="M{x:.1f},{floor:.1f}L{x - 3.8:.1f},{back:.1f}H{x + 3.8:.1f}Z" fill="{color}"/>'

    def _anchor(self, segment, floor, color):
        """A dot where a supported arc leaves its head, so that its support shows without colour."""
        x = segment.x2 if segment.tip == "left" else segment.x1
        return f'<circle cx="{x:.1f}" cy="{floor:.1f}" r="2.6" fill="{color}"/>'

    def _labels(self, segment):
        arc = self.drawing.arcs[segment.arc]
        _, ceiling = heights(segment, self.layout.rows[segment.row], self.metrics)
        color = self.colors[arc.kind]
        if segment.caption_left:
            return [self._label(segment.x1 - 5, ceiling, segment.caption_left, color, "end")]
        if segment.caption_right:
            return [self._label(segment.x2 + 5, ceiling, segment.caption_right, color, "start")]
        if not (arc.label and self.labels):
            return []
        lift = 0 if segment.x1 != segment.x2 else (self.metrics.label if segment.below else -self.metrics.label) * 0.6
        return [self._label((segment.x1 + segment.x2) / 2, ceiling + lift, arc.label, color, "middle")]

    def _label(self, x, y, text, color, anchor):
        return (
            f'<text x="{x:.1f}" y="{y + self.metrics.label * 0.34:.1f}" font-size="{self.metrics.label}" '
            f'font-family={quoteattr(SANS)} fill="{color}" stroke="{self.colors["paper"]}" stroke-width="4" '
            f'stroke-linejoin="round" paint-order="stroke" text-anchor="{anchor}">{xml_text(text)}</text>'
        )

    def _span(self, span, level):
        """A bar under the words of each row that the span touches; the label under the first of them."""
        parts = []
        for row in self.layout.rows:
            first, last = max(span.start, row.start), min(span.end, row.end) - 1
            if first > last:
                continue
            ends = sorted((self.layout.x[first], self.layout.x[last]))
            y = row.y + self.metrics.word * 0.35 + (self.metrics.tag * 1.5 if any(self.drawing.tags) else 0)
            y += level * self.metrics.label * 1.6 + 4
            bar = f"M{ends[0] - 10:.1f},{y - 3:.1f}v3H{ends[1] + 10:.1f}v-3"
            parts.append(f'<path d="{bar}" fill="none" stroke="{self.colors["quiet"]}"/>')
            if first == span.start and span.label:
                parts.append(
                    self._label(
                        (ends[0] + ends[1]) / 2,
                        y + self.metrics.label * 0.7,
                        span.label,
                        self.colors["quiet"],
                        "middle",
                    )
                )
        return "".join(parts)


def heights(segment: Segment, row: Row, metrics: Metrics) -> tuple[float, float]:
    """(floor, ceiling) of a segment: y of its feet and of its top; below the words the ceiling is the larger."""
    rise = metrics.lead + segment.level * metrics.step
    if segment.below:
        floor = row.bottom - (metrics.lead + row.below * metrics.step + metrics.label)
        return floor, floor + rise
    floor = row.y - metrics.word
    return floor, floor - rise


def strength(posterior: float) -> float:
    """Opacity of the band of an arc."""
    return WEAKEST + (1 - WEAKEST) * min(max(posterior, 0.0), 1.0)


def arc_words(drawing: Drawing, arc: Arc) -> str:
    """An arc in words, e.g. ``likes (2) -> Mary (3), obj, predicted, posterior .93``."""
    head = "root" if arc.head == 0 else f"{isolated(drawing.words[arc.head])} ({arc.head})"
    parts = [f"{head} → {isolated(drawing.words[arc.modifier])} ({arc.modifier})", arc.label, MEANINGS[arc.kind]]
    if arc.posterior is not None:
        parts.append("posterior " + f"{arc.posterior:.2f}".removeprefix("0"))
    return ", ".join(part for part in [*parts, arc.note] if part)


def description(drawing: Drawing) -> str:
    """The drawing in words, for who does not see it."""
    count = len(drawing)
    return f"Dependency tree of {count} word{'s' * (count != 1)}. " + "; ".join(
        arc_words(drawing, arc) for arc in drawing.arcs if arc.is_main
    )


def xml_text(text: str) -> str:
    """Escaped, and without the control characters that XML forbids."""
    return escape("".join("\ufffd" if _is_forbidden(letter) else letter for letter in text))


def _is_forbidden(letter):
    return (letter < " " and letter not in "\t\n") or "\ud800" <= letter <= "\udfff" or letter in "\ufffe\uffff"
