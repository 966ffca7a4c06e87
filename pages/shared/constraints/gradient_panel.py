"""The gradient on one sentence: exact beside the approximation of druck2009, and where the latter errs."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape, gradient_table, gradient_verdict, word_name
from core.workspace.wording import amount
from pages.shared.charts import arc_map
from pages.shared.group_choice import group_choice
from pages.shared.pager import pager
from pages.shared.state import refuse, workspace

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


def gradient_panel(text, change, run, source):
    """Draw it for a sentence of a Text under the model of a Run, or the untrained one; ``source`` is the set."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        change = change.within(group_choice(text.corpus, text.treebank, "place"))
        place = pager(len(change.order), "place")
        line = _line(text, source)
        with st.popover("Formula", icon=":material/function:"):
            st.markdown(FORMULA)
    index = int(change.order[place - 1])
    sentence = text.treebank[index]
    names = [word_name(sentence, number) for number in range(len(sentence) + 1)]
    try:
        with st.spinner("Reading the features of the text", show_time=True):
            found = workspace().gradient(text, run, source, index, line)
    except WorkbenchError as error:
        refuse(error)
        return
    st.markdown(escape(gradient_verdict(found, names)))
    if text.settings.projective:
        st.caption("Computed over all trees, as in the paper, although training uses trees without crossing arcs only.")
    short = ["root", *(sentence.forms[number] for number in range(1, len(sentence) + 1))]
    arc_map(found.difference, found.wrong_way, short, "ge_gradient_map", gradient_verdict(found, names))
    st.caption("Approximate minus exact: blue too low, vermilion too high; a cross where the sign is wrong.")
    table = gradient_table(found, names)
    st.dataframe(
        table,
        key="ge_gradient",
        hide_index=True,
        row_height=28,
        height=min(28 * (len(table["word"]) + 1) + 8, 204),
        column_config={
            "word": st.column_config.TextColumn("Word", width=125),
            "head": st.column_config.TextColumn("Head", width=125),
            "exact": st.column_config.NumberColumn("Exact", format="%+.3f", width=65),
            "approximate": st.column_config.NumberColumn("Approximate", format="%+.3f", width=88),
            "error": st.column_config.NumberColumn("Error", format="%+.3f", width=65),
            "sign": st.column_config.TextColumn("Remark", width=82, help="Where the approximation has the wrong sign"),
        },
        alt=f"The {len(table['word'])} of {amount(found.arcs, 'arc')} with the largest errors of the approximation",
    )
    st.caption(
        f"Sentence {int(text.treebank.picks[index]) + 1:,} · {len(table['word'])} of {amount(found.arcs, 'arc')}, "
        f"largest error first · pairwise and exact differ by at most {found.rounding:.0e}"
    )


def _line(text, source):
    """The line whose part of the gradient is asked for, or None for all."""
    matches = workspace().matches(text, source)
    names = {constraint.line: constraint.name for constraint in matches.constraints}
    return st.selectbox(
        "Gradient of",
        [None, *names],
        format_func=lambda line: "Gradient of all lines" if line is None else f"Line {line}: {names[line]}",
        key="ge_gradient_line",
        bind="query-params",
        label_visibility="collapsed",
        width=170,
    )
