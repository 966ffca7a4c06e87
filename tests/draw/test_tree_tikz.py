"""LaTeX for tikz-dependency: escaped, balanced, complete."""

import re

from hypothesis import given
from hypothesis import strategies as st

from core.draw import Arc, Drawing, Span, tikz_colors, tikz_environment
from core.draw.tikz import escape_latex


def test_a_tree_with_everything():
    arcs = (Arc(0, 2, "root"), Arc(2, 1, "nsubj", "predicted", 0.5), Arc(2, 3, "obj_x", "changed", below=True))
    drawing = Drawing(("", "R&D", "costs", "50%"), ("", "N", "V", "M"), arcs, (Span(1, 3),))
    text = tikz_environment(drawing)
    assert r"R{\char38}D \& costs \& 50\% \\" in text
    assert r"\definecolor{arc-changed}{HTML}{D55E00}" in tikz_colors(drawing, "light")
    assert re.search(r"\\deproot\[.*\]\{2\}\{root\}", text)
    assert re.search(r"\\depedge\[.*draw opacity=0\.56.*\]\{2\}\{1\}\{nsubj\}", text)
    assert re.search(r"\\depedge\[edge below, .*dashed.*\]\{2\}\{3\}\{obj\\_x\}", text)
    assert r"\wordgroup{1}{1}{2}{span-1-3}" in text


def test_every_special_character_is_escaped():
    assert escape_latex(r"\{}$&#_%^~") == (r"\textbackslash{}\{\}\${\char38}\#\_\%\textasciicircum{}\textasciitilde{}")


@given(st.text())
def test_escaped_text_has_balanced_braces_and_no_bare_specials(text):
    escaped = escape_latex(text)
    bare = re.sub(r"\\[{}$#_%]", "", escaped)  # what is left after the one-letter escapes
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[$&#_%^~\n]", bare)
