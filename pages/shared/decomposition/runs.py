"""The run of dual decomposition that is shown: its choice, its proof in words, progress, and how to make one."""

from collections import Counter
from typing import NamedTuple

import streamlit as st

from core.workspace.decomposition.playback import certificate, change_drawing, changed_words, live_course
from core.workspace.system import System
from core.workspace.wording import HEAD_TERMS
from pages.shared.basics import amount, escape, report_errors
from pages.shared.consensus.effects_panel import BADGES
from pages.shared.consensus.run import KEY, TAGS_KEY, consensus, start_button, tagging
from pages.shared.decomposition.charts import bounds_chart
from pages.shared.decomposition.view_state import DecompositionView
from pages.shared.job_panel import cancel_button, progress_line, under_way
from pages.shared.text_menu import open_text
from pages.shared.tree import dependency_tree
from pages.shared.view_state import Bound
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
TAGS_SUMMARY = (
    "Words that the tagger never saw should be tagged alike: watch two solvers negotiate, step by step, until the tags "
    "are proved the best."
)
TAGS_HOW = r"""
**Two solvers, one answer.** The tagger finds the best tags $Y$ of every sentence by itself; the consensus side finds
the best tags $z$ for all occurrences of an unknown word. Multipliers $u$ are prices on tags that the two do not agree
on:

$$L(u) = \max_z \big(g(z) + u \cdot z\big) + \max_Y \big(f(Y) - u \cdot Y\big)$$

Whatever the prices, $L(u)$ is **above** the value of every joint solution (the dual), and the consensus side's view
of the tags found so far is **below** it (the primal). Each iteration moves the prices where the two differ, and tags
again only the sentences that this touches. Where the bounds meet, the tags are proved to be the best there are (Rush
et al. 2012, §6, §7).
"""
RULES_SUMMARY = (
    "A tree should keep rules: watch it and the rules negotiate, round by round, until it is proved the best."
)
RULES_HOW = r"""
**A tree and rules, one answer.** The parser finds the best tree $y$ by itself. Each rule finds at each word the best
arcs $z$ that keep it. Prices $u$ on arcs that they do not agree on go up on one side and down on the other:

$$L(u) = \sum_f \max_z \big(f(z) + u_f \cdot z\big) + \max_y \big(v(y) - \sum_f u_f \cdot c_f(y)\big)$$

Whatever the prices, no tree that keeps the rules is worth more than $L(u)$. Where tree and rules agree, the tree is
proved best (Koo et al. 2010; Rush et al. 2012, §6).
"""
PRUNED = " Arcs pruned in the first pass are tried again at the end (Weiss & Taskar 2010)."
ABOUT = {"consistency": (SUMMARY, HOW), "tags": (TAGS_SUMMARY, TAGS_HOW), "rules": (RULES_SUMMARY, RULES_HOW)}


class Played(NamedTuple):
    """What is played back: the runs of a system."""

    system: System
    key: str  # begins the keys of the controls of a run
    view: str  # the run's attribute of the view
    verb: str

    @property
    def field(self) -> Bound:
        """The field of the view that keeps the run."""
        return getattr(DecompositionView, self.view)


def played_by(problem):
    """What is played back of a problem, "consistency" or "tags"."""
    if problem == "tags":
        return Played(tagging(), TAGS_KEY, "tags_run", "tag")
    return Played(consensus(), KEY, "run", "parse")


def no_run(played, corpus, finished):
    """Draw the button that makes a run, where the open text has none, and the way to other texts' runs."""
    system, verb = played.system, played.verb
    with st.container(horizontal=True, vertical_alignment="center"):
        with report_errors():
            plan = system.plan(corpus)
            inputs = system.inputs(corpus, plan)
            start_button(system, inputs, plan, f"{verb.capitalize()} the text consistently", played.key)
            st.caption(
                f"{amount(len(inputs.train), 'training sentence')}, {len(inputs.test):,} to {verb}, as on Consensus"
                if inputs.taught
                else f"{amount(len(inputs.test), 'sentence')} to {verb} by a saved tagger, as on Consensus",
                width="content",
            )
        _other_texts(played, finished, corpus)


def runs_of(corpus, runs):
    """Those Runs that parsed a Corpus."""
    return [run for run in runs if run.corpus == corpus.id]


def open_linked(played, finished, corpus):
    """Open the text of the run that a link names, where it is another text's; once, when the link was opened."""
    linked = None if played.field in st.session_state else st.query_params.get(played.field)
    names = _text_names(corpus.project)
    for run in finished if linked else ():
        text = run.corpus
        if linked == _name(run, names) and text != corpus.id and text in names:
            open_text(text, DecompositionView, **{played.view: run.id})
            st.rerun()


def choose_run(played, finished, corpus):
    """Draw the choice among the open text's finished runs, and the way to other texts' runs; returns a Run."""
    runs = {run.id: run for run in runs_of(corpus, finished)}
    names = _text_names(corpus.project)
    labels = {number: _name(run, names) for number, run in runs.items()}
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = choose_one("Run", labels, played.field, gone=("run", "the newest is shown"), width=700)
        _other_texts(played, finished, corpus)
    return runs[chosen]


def _other_texts(played, finished, corpus):
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
    groups = amount(figures["contexts"], "context") if "contexts" in figures else amount(figures["groups"], "group")
    return (
        f"Run {run.id}, {run.created.astimezone():%d %b %H:%M}, {text}: {amount(figures['sentences'], 'sentence')}, "
        f"{groups}, {amount(figures['iterations'], 'iteration')}, {run.status}"
    )


def proof(outcome):
    """Draw the certificate in words, and the choice of sentences whose constraints were dropped."""
    verdict, words = certificate(outcome)
    terms = outcome.terms
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Optimal among unpruned arcs" if verdict == "unpruned" else verdict.capitalize()
        st.badge(label, color=BADGES[verdict])
        st.caption(
            words, width="stretch",
            help=f"No other {terms.analyses} have a higher joint value. A component, sentences joined by shared "
            f"{terms.groups}, is proved optimal where both sides agree, its best dual equals its best primal value, or "
            f"all labels were tried.{PRUNED if terms is HEAD_TERMS else ''} (Rush et al. 2012, §6, §9)",
        )  # fmt: skip
        if len(outcome.released):
            with st.popover(f"{len(outcome.released):,} of {len(outcome.certified):,} sentences", key="dd_free"):
                _released(outcome)


def _released(outcome):
    treebank, terms = outcome.test, outcome.terms
    names = {int(index): f"Sentence {int(treebank.picks[index]) + 1:,}" for index in outcome.released}
    index = choose_from(st.selectbox, "Constraints dropped", names, key="dd_released")
    changed = len(changed_words(outcome, [index]))
    st.caption(
        f"{changed:,} of {len(treebank[index]):,} words have another {terms.value} than with the {terms.solver} alone."
    )
    if terms is HEAD_TERMS:
        drawing = change_drawing(outcome, index, relations=consensus().relations(outcome, treebank))
    else:
        drawing = outcome.change_of(index, outcome.values_at(0), outcome.found)
    dependency_tree(drawing, key="dd_released_tree", height=300)


def run_under_way(played):
    """The Snapshot of the run under way in this project, or None."""
    return under_way(played.system.kind)


def run_progress(active, played):
    """Draw a run under way: progress, Cancel, the bounds so far."""
    text = consensus().store.run(active.run).settings["corpus"]
    st.caption(f"Run {active.run} on {escape(_text_names(active.project).get(text, 'a text that was removed'))}")
    progress_line(active)
    cancel_button(active, f"{played.key}_cancel")
    columns = live_course(consensus().workspace.jobs.trace(active.run))
    if columns.get("iteration"):
        bounds_chart(columns, None, "dd_live")
