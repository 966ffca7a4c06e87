"""A drawing as LaTeX for the package tikz-dependency."""

from core.draw.drawing import Drawing
from core.draw.palette import PALETTES, strength

# tikz-dependency separates columns with \&, so the ampersand itself is written by its number.
_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"{\char38}", "#": r"\#", "_": r"\_",
        "%": r"\%", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
        "|": r"\textbar{}", '"': r"\textquotedbl{}", "[": "{[}", "]": "{]}", "\n": " ", "\t": " ",
    }
)  # fmt: skip
_PATTERNS = {"7 4": "dashed", "1 4": "dotted", "2 4": "densely dotted"}


def tikz_colors(drawing: Drawing, theme: str) -> str:
    """The definitions of the colours that ``tikz_environment`` uses."""
    kinds = sorted({arc.kind for arc in drawing.arcs})
    return "".join(f"\\definecolor{{arc-{kind}}}{{HTML}}{{{PALETTES[theme][kind][1:].upper()}}}\n" for kind in kinds)


def tikz_environment(drawing: Drawing) -> str:
    """The ``dependency`` environment of a drawing."""
    lines = [r"\begin{dependency}[edge slant=4pt, edge unit distance=1.6ex, label style={draw=none, fill=none}]"]
    lines += [r"\begin{deptext}[column sep=0.6em]", r" \& ".join(map(escape_latex, drawing.words[1:])) + r" \\"]
    if any(drawing.tags):
        lines.append(
            r" \& ".join(rf"{{\scriptsize\sffamily {escape_latex(tag)}}}" for tag in drawing.tags[1:]) + r" \\"
        )
    lines.append(r"\end{deptext}")
    lines += [_edge(arc) for arc in drawing.arcs]
    for span in drawing.spans:
        lines.append(rf"\wordgroup{{1}}{{{span.start}}}{{{span.end - 1}}}{{span-{span.start}-{span.end}}}")
    return "\n".join([*lines, r"\end{dependency}", ""])


def _edge(arc):
    style = [f"draw=arc-{arc.kind}", f"text=arc-{arc.kind}"]
    if arc.dash:
        style.append(_PATTERNS[arc.dash])
    if arc.agrees:
        style.append("line width=1.2pt")
    if arc.posterior is not None:
        style.append(f"draw opacity={strength(arc.posterior):.2f}")
        style.append(f"line width={0.4 + 0.8 * arc.posterior:.2f}pt")
    where = "edge below, " if arc.below else ""
    options = f"[{where}edge style={{{', '.join(style)}}}, label style={{text=arc-{arc.kind}}}]"
    label = escape_latex(arc.label)
    if arc.head == 0:
        return rf"\deproot{options}{{{arc.modifier}}}{{{label}}}"
    return rf"\depedge{options}{{{arc.head}}}{{{arc.modifier}}}{{{label}}}"


def escape_latex(text: str) -> str:
    """``text`` with everything that LaTeX would take for a command written as the character it is."""
    return text.translate(_ESCAPES)
