"""The bar below the menu: which corpus is open, undo and redo, what was saved when, what is being prepared."""

import streamlit as st

from core.errors import StoreError
from core.workspace import escape
from pages.shared.project_menu import SINGLE, choose_project
from pages.shared.state import flash, person, project, show_flash, step, warm_up, workspace
from pages.shared.tour import tour
from pages.shared.upload import add_text

VIEW = "view"  # kind of the documents that remember what was looked at


def bar(title):
    """Draw it, the page's title first; afterwards ``state.project()`` and ``state.corpus()`` are known."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="shared_bar"):
        st.header(title, anchor=False, width="content")
        choose_project()
        _choose_corpus()
        reads = workspace().store.role(project()) == "reader"
        if st.button("Add a text", icon=":material/add:", type="tertiary", key="shared_add_text", disabled=reads):
            add_text()
        st.space("stretch")
        _preparing()
        _history()
    with st.container():  # always there, so that the page below stays in its place when the strip goes
        tour(title)
    show_flash()


def _choose_corpus():
    store, owner = workspace().store, project()
    names = _names(store.corpora(owner))
    wanted = st.session_state.pop("shared_open_corpus", None)
    if wanted in names:
        st.session_state["corpus"] = wanted
    linked = None if "corpus_id" in st.session_state else st.query_params.get("corpus")
    if linked is not None and linked not in names.values() and "shared_flash" not in st.session_state:
        flash(f"There is no text {escape(repr(linked))} in this project (any more)", ":material/link_off:")
    remembered = store.document(owner, VIEW, "corpus")
    options = list(names)
    usual = options.index(remembered) if remembered in names else 0
    if options and st.session_state.get("corpus", options[0]) not in names:  # undone, or of another project
        _say_removed(store, st.session_state["corpus"], names[options[usual]])
        st.session_state["corpus"] = options[usual]  # a value that only went would go on standing in the box
    st.session_state["corpus_id"] = st.selectbox(
        "Corpus",
        options,
        index=usual,
        format_func=names.get,
        key="corpus",
        bind="query-params",
        on_change=_remember_corpus,
        label_visibility="collapsed",
        icon=":material/menu_book:",
        width=220,
    )


def _say_removed(store, corpus, instead):
    """Say that the text that was open was removed, perhaps in another window, where nothing else is said."""
    try:
        store.corpus(corpus)  # of another project: a choice
    except StoreError:
        if "shared_flash" not in st.session_state:
            said = f"The text that was open is not there any more; this is {escape(repr(instead))}"
            flash(said, ":material/link_off:")


def _names(corpora):
    """Corpus id -> a name that no other has."""
    names = [corpus.name for corpus in corpora]
    return {c.id: c.name if names.count(c.name) == 1 else f"{c.name} ({c.id})" for c in corpora}


def _remember_corpus():
    try:
        workspace().store.remember(project(), VIEW, "corpus", st.session_state["corpus"])
    except StoreError as error:
        flash(escape(str(error)), ":material/error:")


def _history():
    store, owner = workspace().store, project()
    standing = store.standing(owner)
    when, who = standing.saved or (None, None)
    by = f" by {escape(who)}" if who not in (None, store.author) else ""
    saved = f"All saved {when.astimezone():%H:%M:%S}{by}" if when else "Nothing to save yet"
    st.caption(saved if person() else f"One user · {saved}", width="content", help=None if person() else SINGLE)
    for direction, shortcut, label in (("undo", "Mod+Z", standing.undo), ("redo", "Mod+Shift+Z", standing.redo)):
        st.button(
            direction.capitalize(),
            icon=f":material/{direction}:",
            key=f"shared_{direction}",
            shortcut=shortcut,
            type="tertiary",
            disabled=label is None,
            help=f"Nothing to {direction}" if label is None else f"{direction.capitalize()} {escape(label)}",
            on_click=step,
            args=(direction,),
        )


def _preparing():
    """Say that kernels are being compiled, until the next run of the page: news by timer would close open dialogs."""
    warmup = warm_up()
    if warmup.error:
        st.warning(warmup.error)
    elif not warmup.done and warmup.seconds > 1:
        st.caption(
            ":material/hourglass_top: Preparing",
            help="The computations are being prepared; only the first start takes this long.",
            width="content",
        )
