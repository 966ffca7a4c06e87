"""The gradient on one sentence: exact beside the approximation of druck2009, and where the latter errs."""

import streamlit as st

from core.workspace.constraints.explanations import gradient_table, gradient_verdict
from core.workspace.wording import word_name
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.charts import arc_map
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.group_choice import group_choice
from pages.shared.widgets import choose_one, column, draw_table, pager

FORMULA = r"""
**What is compared.** The derivative of the objective by the score of each arc: which way training moves it.
It is the covariance of the arc with $v$, where $v_{hm}$ adds up $2\,(\tilde G - G_\lambda)/\tilde c(g)$ over the
constraints $g$ that match the arc (Druck et al. 2009, eq. 2 and §3.3).

**Exact**, in $O(n^3)$: the derivative of the marginals along $v$, from one inverse of the Laplacian. The paper’s own
exact method takes pairs of arcs, in $O(n^5)$, and gives the same result.

**The paper’s approximation** takes arcs of different words to be independent unless they form a cycle of two; $\mu$
are the marginals of the arcs:

$$\mu_{hm}\Big(v_{hm} - \sum_{k} \mu_{km} v_{km} - \mu_{mh} v_{mh}\Big)$$

All numbers are divided by the largest exact one.
"""


@report_errors()
def gradient_panel(text, change, run, source):
    """Draw it for a sentence of a text under the model of a Run, or the untrained one; ``source`` is the set."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        change = change.within(group_choice(text.corpus, text.treebank, ConstraintsView.place))
        position = pager(len(change.order), ConstraintsView.place)
        line = _line(text, source)
        with st.popover("Formula", icon=":material/function:", key="ge_formula"):
            st.markdown(FORMULA)
    index = int(change.order[position - 1])
    sentence = text.treebank[index]
    names = [word_name(sentence, number) for number in range(len(sentence) + 1)]
    with st.spinner("Reading the features of the text", show_time=True):
        gradient = session().system("ge").gradient(text, run, source, index, line)
    st.markdown(escape(gradient_verdict(gradient, names)))
    if text.settings.distribution.projective:
        st.caption("Computed over all trees, as in the paper, although training uses trees without crossing arcs only.")
    short = ["root", *(sentence.forms[number] for number in range(1, len(sentence) + 1))]
    arc_map(gradient.difference, gradient.wrong_way, short, "ge_gradient_map", gradient_verdict(gradient, names))
    st.caption("Approximate minus exact: blue too low, vermilion too high; a cross where the sign is wrong.")
    table = gradient_table(gradient, names)
    columns = {"word": 125, "head": 125, "exact": ("Exact", 65, "%+.3f"), "approximate": ("Approximate", 88, "%+.3f")}
    columns |= {"error": ("Error", 65, "%+.3f")}
    columns |= {"sign": column("Remark", 82, help="Where the approximation has the wrong sign")}
    alt = f"The {len(table['word'])} of {amount(gradient.arcs, 'arc')} with the largest errors of the approximation"
    draw_table(table, key="ge_gradient", most=204, columns=columns, alt=alt)
    st.caption(
        f"Sentence {int(text.treebank.picks[index]) + 1:,} · {len(table['word'])} of {amount(gradient.arcs, 'arc')}, "
        f"largest error first · pairwise and exact differ by at most {gradient.rounding:.0e}"
    )


def _line(text, source):
    """Draw the choice of a constraint; returns its line, or None for the gradient of all."""
    matches = session().learner.matches(text, source)
    names = {constraint.line: constraint.name for constraint in matches.constraints}
    titles = {None: "Gradient of all constraints"} | {line: f"Line {line}: {name}" for line, name in names.items()}
    return choose_one("Gradient of", titles, ConstraintsView.gradient_of, width=170)
