"""Which run of dual decomposition is looked at, its proof in words, a run under way, and what to do where none is."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace import escape
from core.workspace.playback import certificate, change_drawing, live_course, sentence_arcs
from pages.shared.consensus_run import POLL, active_run, follow_run, start_button
from pages.shared.consensus_state import desk
from pages.shared.dual_charts import bounds_chart
from pages.shared.effects_panel import BADGES
from pages.shared.links import say_gone
from pages.shared.state import refuse
from pages.shared.tree import dependency_tree

TEACH = r"""
**Two solvers, one answer.** The parser finds the best trees $Y$ of every sentence by itself; the consensus side finds
the best heads $z$ for all words that stand in the same context. Multipliers $u$ are prices on arcs that the two do
not agree on:

$$L(u) = \max_z \big(g(z) + u \cdot z\big) + \max_Y \big(f(Y) - u \cdot Y\big)$$

Whatever the prices, $L(u)$ is **above** the value of every joint solution (the dual), and the consensus side's view
of the trees found so far is **below** it (the primal). Each iteration moves the prices where the two differ,
$u \leftarrow u - \alpha_k (z - Y)$, and parses again only the sentences that this touches. Where the bounds meet, the
trees are proved to be the best there are (rush2012, section 6).
"""


def no_run(corpus):
    """Teach what the page shows, with one button that makes something to show."""
    left, _ = st.columns([3, 2])
    with left:
        st.markdown(TEACH)
        try:
            plan = desk().plan(corpus)
            texts = desk().texts(corpus, plan)
        except WorkbenchError as error:
            refuse(error)
            return
        start_button(texts, plan, "Parse the text consistently")
        st.caption(
            f"{escape(corpus.name)}: {len(texts.train):,} sentences teach, {len(texts.test):,} are parsed; contexts "
            "and rewards as chosen on the Consensus page."
        )


def choose_run(runs):
    """Draw the choice among finished runs; returns one."""
    found = {run.id: run for run in runs}
    names = {each.id: each.name for each in desk().store.corpora(runs[0].project)}
    if st.session_state.get("dd_run") not in found:
        st.session_state.pop("dd_run", None)
    said = {number: _name(run, names) for number, run in found.items()}
    say_gone("dd_run", said.values(), "run", "the newest is shown")
    chosen = st.selectbox(
        "Run", list(found), key="dd_run", bind="query-params", format_func=said.get,
        label_visibility="collapsed", width=700,
    )  # fmt: skip
    return found[chosen]


def _name(run, names):
    figures, text = run.figures, names.get(run.settings["corpus"], "a text that was removed")
    return (
        f"Run {run.id}, {run.created.astimezone():%d %b %H:%M}, {text}: {figures['sentences']:,} sentences, "
        f"{figures['contexts']:,} contexts, {figures['iterations']:,} iterations, {run.status}"
    )


def proof(outcome):
    """The certificate in words; sentences whose constraints had to go are listed and open."""
    verdict, words = certificate(outcome)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(
            "Optimal among unpruned arcs" if verdict == "unpruned" else verdict.capitalize(), color=BADGES[verdict]
        )
        st.caption(
            words, width="stretch",
            help="A component, sentences joined by shared contexts, is proved optimal where both sides agree or its "
            "best dual equals its best primal value. Arcs pruned in the first pass are tried once more at the end "
            "(rush2012, sections 6 and 9; Weiss & Taskar 2010).",
        )  # fmt: skip
        if len(outcome.released):
            with st.popover(f"{len(outcome.released):,} of {len(outcome.certified):,} sentences"):
                _released(outcome)


def _released(outcome):
    treebank = outcome.texts.test
    names = {int(index): f"Sentence {int(treebank.picks[index]) + 1:,}" for index in outcome.released}
    index = st.selectbox("Constraints went", list(names), format_func=names.get, key="dd_released")
    changed = len(sentence_arcs(outcome, [index]))
    st.caption(f"{changed:,} of {len(treebank[index]):,} words have another head than with the parser alone.")
    dependency_tree(change_drawing(outcome, index), key="dd_released_tree", height=300)


def watch():
    """A run under way: progress, Cancel, the bounds so far."""
    st.fragment(_watch, run_every=POLL)()


def _watch():
    active = active_run()
    if active is None:
        st.rerun()
    follow_run(active)
    columns = live_course(desk().workspace.jobs.trace(active.run))
    if columns.get("iteration"):
        bounds_chart(columns, None, "dd_live")
