"""Trees to learn from beside what is known: sentences of the text that are marked, or another treebank."""

from functools import partial

import streamlit as st

from core.workspace import add_corpus, escape
from core.workspace.constraints.known_trees import format_numbers, parse_numbers, with_marked
from pages.shared.messages import callback_errors, report_errors
from pages.shared.session import session

NONE = 0  # beside the numbers of corpora
HELP = {
    "marked": "Numbers and ranges, such as 1-20, 33. The heads of these sentences are learned; a tree with unknown "
    "heads is partial.",
    "trees": "Another text of the project, whose trees are learned, whole or partial.",
    "corrections": "The project’s trees on the Annotate page, whole or partial, as they are when training begins.",
    "complete_weight": r"The weight $c$ of a whole tree $y$ beside the constraints: $c \ln p_\lambda(y|x)$ is added to "
    "the objective.",
    "partial_weight": r"The weight $c$ of a tree with unknown heads: $c \ln \sum_y p_\lambda(y|x)$ over the trees $y$ "
    "that have the known heads is added to the objective.",
}


def known_trees_tab(text, each):
    """Draw it by the PlanSettings ``each``."""
    settings = text.settings
    each.bind(
        st.text_input, "marked", "Sentences of this text", value=format_numbers(settings.marked),
        placeholder="such as 1-20, 33", help=HELP["marked"],
        changes=lambda typed: {"marked": parse_numbers(typed, len(session().workspace.treebank(text.corpus)))},
    )  # fmt: skip
    other = settings.takes_treebank
    if other:
        _another(text, each)
    each.bind(st.toggle, "corrections", "Sentences annotated by hand", help=HELP["corrections"])
    if other:
        upload = st.file_uploader("Import a small treebank", key="ge_trees_file", max_upload_size=20)
        if upload is not None:
            name, add = f"Learn from {escape(upload.name)}", partial(_add, text, upload)
            st.button(name, key="ge_trees_add", on_click=add, type="tertiary")
    if not settings.marked and settings.treebank is None and not settings.corrections:
        st.caption("Trees, whole or partial, can be learned beside the constraints.")
        return
    if other:
        left, right = st.columns(2)
        with left:
            each(st.number_input, "complete_weight", "Weight of a whole tree", 0.0, 1000.0, step=0.5)
        with right:
            each(st.number_input, "partial_weight", "Weight of a partial tree", 0.0, 1000.0, step=0.5)
    _say(text)


def _another(text, each):
    """The choice of another text of the project, from whose trees to learn."""
    corpora, chosen = session().store.corpora(text.corpus.project), text.settings.trees or NONE
    others = {corpus.id: corpus.name for corpus in corpora if corpus.id != text.corpus.id}
    names = {chosen: "a removed text"} | {NONE: "none"} | others
    each.bind(
        st.selectbox, "trees", "Another treebank", list(names), value=chosen, format_func=names.get,
        changes=lambda chosen: {"trees": chosen or None}, help=HELP["trees"],
    )  # fmt: skip


def learn_switch(text, index):
    """A switch that marks the sentence ``index`` of a Text, whose own tree is on screen, to be learned from."""
    number = int(text.treebank.picks[index]) + 1
    st.session_state["ge_learn"] = number in text.settings.marked

    def mark():
        _save(text, with_marked(text.settings, number, st.session_state["ge_learn"]))

    st.toggle(
        "Learn from its own tree",
        key="ge_learn",
        on_change=mark,
        help="All such sentences are listed in Settings, Trees",
    )


@report_errors()
def _say(text):
    found = session().learner.known_trees(text)
    st.caption(f"Trees learned: {found.complete:,} whole, {found.partial:,} partial.")
    for problem in found.problems[:2]:
        st.caption(f":material/warning: {escape(problem)}")
    if len(found.problems) > 2:
        st.caption(f"… and {len(found.problems) - 2:,} more left out")


def _add(text, upload):
    with callback_errors("ge_problem"):
        corpus, _ = add_corpus(session().store, text.corpus.project, upload.name, upload.getvalue())
        _save(text, text.settings.with_choice("trees", corpus))
    st.rerun("app")


def _save(text, chosen):
    with callback_errors():
        session().learner.save_settings(text.corpus, chosen)
    st.rerun("app")
