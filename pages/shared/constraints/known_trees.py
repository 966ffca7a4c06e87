"""Trees to learn from beside what is known: sentences of the text that are marked, or another treebank."""

from functools import partial

import streamlit as st

from core.workspace import add_corpus, escape
from core.workspace.constraints.known_trees import format_numbers, parse_numbers, with_marked
from core.workspace.constraints.settings import changed
from pages.shared.state import attempt, boundary, workspace

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
    """Draw it; ``each(name)`` makes the widget of a setting."""
    store, settings = workspace().store, text.settings
    st.session_state["ge_set_marked"] = format_numbers(settings.marked)
    st.text_input(
        "Sentences of this text",
        key="ge_set_marked",
        placeholder="such as 1-20, 33",
        on_change=partial(_mark, text),
        help=HELP["marked"],
    )
    others = {corpus.id: corpus.name for corpus in store.corpora(text.corpus.project) if corpus.id != text.corpus.id}
    names = {settings.trees or NONE: "a removed text"} | {NONE: "none"} | others
    st.session_state["ge_set_trees"] = settings.trees or NONE
    st.selectbox(
        "Another treebank",
        list(names),
        key="ge_set_trees",
        format_func=names.get,
        on_change=partial(_choose, text),
        help=HELP["trees"],
    )
    st.session_state["ge_set_corrections"] = settings.corrections
    st.toggle("Sentences annotated by hand", key="ge_set_corrections", on_change=partial(_correct, text),
              help=HELP["corrections"])  # fmt: skip
    upload = st.file_uploader("Import a small treebank", key="ge_trees_file", max_upload_size=20)
    if upload is not None:
        name, add = f"Learn from {escape(upload.name)}", partial(_add, text, upload)
        st.button(name, key="ge_trees_add", on_click=add, type="tertiary")
    if not settings.marked and settings.trees is None and not settings.corrections:
        st.caption("Trees, whole or partial, can be learned beside the constraints.")
        return
    left, right = st.columns(2)
    with left:
        each("complete_weight").number("Weight of a whole tree", 0.0, 1000.0, 0.5)
    with right:
        each("partial_weight").number("Weight of a partial tree", 0.0, 1000.0, 0.5)
    _say(text)


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


@boundary()
def _say(text):
    found = workspace().known_trees(text)
    st.caption(f"Trees learned: {found.complete:,} whole, {found.partial:,} partial.")
    for problem in found.problems[:2]:
        st.caption(f":material/warning: {escape(problem)}")
    if len(found.problems) > 2:
        st.caption(f"… and {len(found.problems) - 2:,} more left out")


def _mark(text):
    with attempt():
        numbers = parse_numbers(st.session_state["ge_set_marked"], len(workspace().treebank(text.corpus)))
        _save(text, changed(text.settings, "marked", numbers))
    st.rerun("app")


def _choose(text):
    _save(text, changed(text.settings, "trees", st.session_state["ge_set_trees"] or None))


def _correct(text):
    _save(text, changed(text.settings, "corrections", st.session_state["ge_set_corrections"]))


def _add(text, upload):
    with attempt("ge_problem"):
        corpus, _ = add_corpus(workspace().store, text.corpus.project, upload.name, upload.getvalue())
        _save(text, changed(text.settings, "trees", corpus))
    st.rerun("app")


def _save(text, chosen):
    with attempt():
        workspace().save_settings(text.corpus, chosen)
    st.rerun("app")
