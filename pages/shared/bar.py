"""The bar below the menu: which corpus is open, what was saved when, undo and redo."""

import streamlit as st

from core.errors import StoreError
from core.workspace import escape
from pages.shared.project_menu import SINGLE, choose_project
from pages.shared.state import flash, person, project, show_flash, step, warm_up, workspace
from pages.shared.tour import tour
from pages.shared.upload import add_text

POLL = "2s"  # while kernels are compiled
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
    standing = workspace().store.standing(project())
    st.fragment(_saved, run_every=POLL if warm_up().compiling else None)()
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


def _saved():
    """Say when the project was saved last; while kernels are compiled, how far that is."""
    store, warmup = workspace().store, warm_up()
    when, who = store.standing(project()).saved or (None, None)
    by = f" by {escape(who)}" if who not in (None, store.author) else ""
    saved = f"All saved {when.astimezone():%H:%M:%S}{by}" if when else "Nothing to save yet"
    compiling = warmup.compiling
    if warmup.error:
        st.warning(warmup.error)
    if compiling:
        ready, most = compiling
        st.caption(
            f"Compiling, once: {ready / most:.0%}",  # more would not stay on the line at 1280 pixels
            width="content",
            help=f"{ready} of at most {most} functions are ready; training waits for all of them. {saved}.",
        )
    else:
        alone = person() is None
        st.caption(f"One user · {saved}" if alone else saved, width="content", help=SINGLE if alone else None)
