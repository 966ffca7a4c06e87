"""The run of dual decomposition that is shown: its choice, its proof in words, progress, and how to make one."""

from collections import Counter

import streamlit as st

from core.workspace.decomposition.playback import certificate, change_drawing, live_course, sentence_arcs
from pages.shared.basics import amount, escape, report_errors
from pages.shared.consensus.effects_panel import BADGES
from pages.shared.consensus.run import KEY, consensus, start_button
from pages.shared.decomposition.charts import bounds_chart
from pages.shared.decomposition.view_state import DecompositionView
from pages.shared.job_panel import cancel_button, progress_line, under_way
from pages.shared.text_menu import open_text
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_from, choose_one

SUMMARY = (
    "Similar contexts should be parsed alike: watch two solvers negotiate, step by step, until the trees are proved "
    "the best."
)
HOW = r"""
**Two solvers, one answer.** The parser finds the best trees $Y$ of every sentence by itself; the consensus side finds
the best heads $z$ for all words that stand in the same context. Multipliers $u$ are prices on arcs that the two do
not agree on:

$$L(u) = \max_z \big(g(z) + u \cdot z\big) + \max_Y \big(f(Y) - u \cdot Y\big)$$

Whatever the prices, $L(u)$ is **above** the value of every joint solution (the dual), and the consensus side's view
of the trees found so far is **below** it (the primal). Each iteration moves the prices where the two differ,
$u \leftarrow u - \alpha_k (z - Y)$, and parses again only the sentences that this touches. Where the bounds meet, the
trees are proved to be the best there are (Rush et al. 2012, §6).
"""


def no_run(corpus, finished):
    """Draw the button that makes a run, where the open text has none, and the way to other texts' runs."""
    with st.container(horizontal=True, vertical_alignment="center"):
        with report_errors():
            plan = consensus().plan(corpus)
            inputs = consensus().inputs(corpus, plan)
            start_button(inputs, plan, "Parse the text consistently")
            st.caption(
                f"{amount(len(inputs.train), 'training sentence')}, {len(inputs.test):,} to parse, as on Consensus",
                width="content",
            )
        _other_texts(finished, corpus)


def runs_of(corpus, runs):
    """Those Runs that parsed a Corpus."""
    return [run for run in runs if run.corpus == corpus.id]


def open_linked(finished, corpus):
    """Open the text of the run that a link names, where it is another text's; once, when the link was opened."""
    linked = None if DecompositionView.run in st.session_state else st.query_params.get(DecompositionView.run)
    names = _text_names(corpus.project)
    for run in finished if linked else ():
        text = run.corpus
        if linked == _name(run, names) and text != corpus.id and text in names:
            open_text(text, DecompositionView, run=run.id)
            st.rerun()


def choose_run(finished, corpus):
    """Draw the choice among the open text's finished runs, and the way to other texts' runs; returns a Run."""
    runs = {run.id: run for run in runs_of(corpus, finished)}
    names = _text_names(corpus.project)
    labels = {number: _name(run, names) for number, run in runs.items()}
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = choose_one("Run", labels, DecompositionView.run, gone=("run", "the newest is shown"), width=700)
        _other_texts(finished, corpus)
    return runs[chosen]


def _other_texts(finished, corpus):
    """Draw a button for each other text that has runs, which opens it."""
    names = _text_names(corpus.project)
    counts = Counter(run.corpus for run in finished if run.corpus in names)
    del counts[corpus.id]
    if not counts:
        return
    with st.popover(f"{amount(counts.total(), 'run')} on other texts", key="dd_others"):
        for text, count in counts.items():
            st.button(
                f"Open {escape(names[text])}: {amount(count, 'run')}", key=f"dd_open_{text}", type="tertiary",
                icon=":material/menu_book:", on_click=open_text, args=(text,),
            )  # fmt: skip


def _text_names(project):
    return {corpus.id: corpus.name for corpus in consensus().store.corpora(project)}


def _name(run, names):
    figures, text = run.figures, names.get(run.corpus, "a text that was removed")
    return (
        f"Run {run.id}, {run.created.astimezone():%d %b %H:%M}, {text}: {figures['sentences']:,} sentences, "
        f"{figures['contexts']:,} contexts, {figures['iterations']:,} iterations, {run.status}"
    )


def proof(outcome):
    """Draw the certificate in words, and the choice of sentences whose constraints were dropped."""
    verdict, words = certificate(outcome)
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Optimal among unpruned arcs" if verdict == "unpruned" else verdict.capitalize()
        st.badge(label, color=BADGES[verdict])
        st.caption(
            words, width="stretch",
            help="No other trees have a higher joint value. A component, sentences joined by shared contexts, is "
            "proved optimal where both sides agree, its best dual equals its best primal value, or all labels were "
            "tried. Arcs pruned in the first pass are tried again at the end (Rush et al. 2012, §6, §9; Weiss & Taskar "
            "2010).",
        )  # fmt: skip
        if len(outcome.released):
            with st.popover(f"{len(outcome.released):,} of {len(outcome.certified):,} sentences", key="dd_free"):
                _released(outcome)


def _released(outcome):
    treebank = outcome.inputs.test
    names = {int(index): f"Sentence {int(treebank.picks[index]) + 1:,}" for index in outcome.released}
    index = choose_from(st.selectbox, "Constraints dropped", names, key="dd_released")
    changed = len(sentence_arcs(outcome, [index]))
    st.caption(f"{changed:,} of {len(treebank[index]):,} words have another head than with the parser alone.")
    drawing = change_drawing(outcome, index, relations=consensus().relations(outcome, treebank))
    dependency_tree(drawing, key="dd_released_tree", height=300)


def run_under_way():
    """The Snapshot of the run under way in this project, or None."""
    return under_way(consensus().kind)


def run_progress(active):
    """Draw a run under way: progress, Cancel, the bounds so far."""
    text = consensus().store.run(active.run).settings["corpus"]
    st.caption(f"Run {active.run} on {escape(_text_names(active.project).get(text, 'a text that was removed'))}")
    progress_line(active)
    cancel_button(active, f"{KEY}_cancel")
    columns = live_course(consensus().workspace.jobs.trace(active.run))
    if columns.get("iteration"):
        bounds_chart(columns, None, "dd_live")
