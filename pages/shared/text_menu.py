"""The text that is open: chosen in the bar, named in the address for good, renamed and removed."""

import streamlit as st

from core.errors import StoreError
from core.languages import UNKNOWN, language_name
from core.workspace.corpora import language_of, offered_languages
from core.workspace.corpus.cutting import cut_anew, is_cut_otherwise
from core.workspace.languages import change_language, parts_of_language
from core.workspace.texts import address_of, addressed, listed_texts, once_named, remove_corpus, rename_corpus
from pages.shared.address import is_history_navigation
from pages.shared.basics import callback_errors, escape, flash, report_errors, session
from pages.shared.navigation import MENU
from pages.shared.session import forget
from pages.shared.view_state import NO_DEFAULT, ViewState
from pages.shared.widgets import action_button, choose_from

TEXT = "text"  # in the address: what ``address_of`` gives
FORMER_KEY = "corpus"  # in links of old: a name
VIEW = "view"  # kind of the documents that remember what was looked at
VIEWS = "shared_views"  # corpus id -> {key: value} of what was looked at in it
LEFT = "shared_left_text"  # the id of the text that was open before this one
PROJECT = "project"  # its control stands before this in the bar, and says it on every run


def choose_text(page):
    """Draw the choice; afterwards ``session().corpus`` is known, if the project has a text. Raises StoreError."""
    corpora: dict = {corpus.id: corpus for corpus in listed_texts(session().store, session().project)}
    if not corpora:
        st.session_state.pop("corpus_id", None)
        forget()
        return
    names = unique_names(corpora.values())
    former, (current, dead) = st.session_state.get("corpus_id"), _current(corpora, names)
    # Each time anew: a browser that has not yet loaded the code of a list would send back its first text with a click.
    st.session_state["corpus"] = st.session_state["corpus_id"] = current
    if former != current:
        forget()
    if former not in (None, current):
        st.session_state[LEFT] = former
        _remember()  # for the next visit, also a text that was just added
    address = address_of(corpora[current])
    if dead or (former not in (None, current) and not is_history_navigation()):
        restart(page, former, current, {TEXT: address})
    if former not in (None, current):
        leave(former)
    if st.query_params.get(TEXT) != address:
        st.query_params[TEXT] = address
    if FORMER_KEY in st.query_params:
        del st.query_params[FORMER_KEY]
    choose_from(
        st.selectbox, "Corpus", names, key="corpus", label_visibility="collapsed", icon=":material/menu_book:",
        width=184,
    )  # fmt: skip


def open_text(corpus_id, page=ViewState, **fields):
    """Open a text with the next run, and in it what the fields of a page's class say."""
    view = {getattr(page, name): value for name, value in fields.items()}
    st.session_state["shared_open_corpus"] = corpus_id
    if corpus_id == st.session_state.get("corpus_id"):
        st.session_state.update(view)
    else:
        st.session_state.setdefault(VIEWS, {}).setdefault(corpus_id, {}).update(view)


def language_field(language, key, **field):
    """Draw a choice of a language by name or code; returns a code or what was typed. ``language`` is shown first."""
    names = offered_languages(language)
    return st.selectbox(
        "Language", names, index=list(names).index(language), format_func=lambda code: str(names.get(code, code)),
        key=key, accept_new_options=True, help="You can type any other language: its English name or ISO 639 code.",
        **field,
    )  # fmt: skip


def ask_language(guess, key):
    """Draw the guess of a text that is to be added, and a question if it is unsure; returns as ``language_field``."""
    chosen = language_field(guess.answer, f"{key}_{guess.answer}")
    if not guess.is_sure and chosen == guess.answer:
        may_be = "" if guess.language == UNKNOWN else f" It may be {guess}."
        st.caption(f":material/help: Which language is this text in?{escape(may_be)} It decides how text is cut.")
    return chosen


def text_panel(corpus):
    """Draw the fields that rename and remove a text, and say its language."""
    store = session().store
    reads = store.role(corpus.project) == "reader"
    key = f"text_name_{corpus.id}_{corpus.name}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name of the text", value=corpus.name, key=key, max_chars=200, disabled=reads)
        st.button("Rename", key="text_rename", on_click=_rename, args=(corpus, key), disabled=reads)
    if corpus.reference is None:
        code = language_of(corpus)
        key = f"text_language_{corpus.id}_{code}"
        language_field(code, key, on_change=_change_language, args=(corpus, key), disabled=reads)
        _cutting_step(corpus, reads)
    help_text = "Its runs, annotations, constraints and groups go with it; Undo brings everything back."
    action_button("Remove this text", "text_remove", "delete", _remove, corpus, disabled=reads, help=help_text)


def _current(corpora, names):
    """(id of the text to open, whether the address names one that cannot be opened).

    That is the one just asked for, the one in a link, the one chosen, else the one looked at last in this project.
    """
    chosen, requested = st.session_state.get("corpus"), st.session_state.pop("shared_open_corpus", None)
    if requested in corpora:
        return requested, False
    trouble = None if requested is None else "That text was removed from this project"
    dead = False
    if "corpus_id" not in st.session_state or is_history_navigation():
        linked, trouble = _linked(corpora)
        if linked is not None:
            return linked, False
        dead = trouble is not None
    if chosen in corpora:
        instead = chosen
    else:
        remembered = session().store.document(session().project, VIEW, "corpus")
        # A button that leads to another page ends its run before the bar is drawn, so the session may have lost the
        # choice of the text that is open; one that Undo took back was most often opened from the text before it.
        seen = (st.session_state.get("corpus_id"), st.session_state.get(LEFT), remembered)
        instead = next((number for number in seen if number in corpora), next(iter(corpora)))
        if chosen is not None and _was_removed(chosen):
            trouble = "The text that was open was removed"
    if trouble and "shared_flash" not in st.session_state:
        flash(f"{trouble}; this is {escape(repr(names[instead]))}", ":material/link_off:")
    return instead, dead


def _linked(corpora):
    """(id of the text that the address names or None, what is wrong with the address or None)."""
    if (address := st.query_params.get(TEXT)) is not None:
        corpus, name = addressed(corpora.values(), address), address.rpartition("-")[0] or address
    elif (name := st.query_params.get(FORMER_KEY)) is not None:
        corpus = once_named(session().store, list(corpora.values()), name)
        if corpus is None and name in [corpus.name for corpus in corpora.values()]:
            return None, f"More than one text of this project was named {escape(repr(name))}; choose the one you want"
    else:
        return None, None
    if corpus is None:
        return None, f"There is no text {escape(repr(name))} in this project"
    return corpus.id, None


def _was_removed(corpus):
    try:
        session().store.corpus(corpus)  # of another project: a choice
    except StoreError:
        return True
    return False


def unique_names(known):
    """id -> a name that no other has, of texts or projects: somebody may share one of a name that is taken."""
    names = [item.name for item in known]
    return {item.id: item.name if names.count(item.name) == 1 else f"{item.name} ({item.id})" for item in known}


@callback_errors()
def _remember():
    store = session().store
    if store.role(session().project) != "reader":
        store.remember(session().project, VIEW, "corpus", st.session_state["corpus"])


@callback_errors()
def _rename(corpus, key):
    rename_corpus(session().store, corpus, st.session_state[key])
    flash("The text has its new name")


@report_errors()
def _cutting_step(corpus, reads):
    """Offer to cut the words anew where they were cut as another language's."""
    source = session().workspace.source(corpus)
    if is_cut_otherwise(corpus, source):
        st.button(
            f"Cut it as {escape(language_name(language_of(corpus)))}", key="text_cut", icon=":material/content_cut:",
            on_click=_cut_anew, args=(corpus, source), disabled=reads,
            help="Adds a new text without tags. This one stays, with what you have tagged and annotated in it.",
        )  # fmt: skip


@callback_errors()
def _cut_anew(corpus, source):
    open_text(cut_anew(session().store, corpus, source))
    flash("This is a new text, cut into words anew; the old one stays as it was")


@callback_errors()
def _change_language(corpus, key):
    changed = change_language(session().store, corpus, st.session_state[key])
    shared = parts_of_language(session().store, changed)
    has = f" It has the {escape(shared)}." if shared else ""
    flash(f"The language is {escape(language_name(language_of(changed)))} now.{has} Words stay as they were cut")


@callback_errors()
def _remove(corpus):
    remove_corpus(session().store, corpus)
    flash(escape(f"{corpus.name} was removed; Undo brings it back"))


def leave(corpus):
    """Move what is looked at in a text from the session to ``VIEWS``, by the text's id: the address begins anew."""
    views = st.session_state.setdefault(VIEWS, {})
    views[corpus] = {field: st.session_state.pop(field) for field in of_text() if field in st.session_state}


def restart(page, former, corpus, address):
    """Show a page anew with another text: an address without the former's places, and what was looked at in this one.

    Only a page that begins with a new address forgets the old one: controls bound to it read it when they are drawn,
    and it cannot be changed while they are bound (Streamlit 1.67).
    """
    views = st.session_state.setdefault(VIEWS, {})
    first = of_text()
    former_view = {field: st.session_state[field] for field in first if field in st.session_state}
    if former is not None:
        views[former] = former_view
    new_view = {field: first[field] for field in former_view} | views.get(corpus, {})
    for key, value in new_view.items():
        if value is NO_DEFAULT:
            del st.session_state[key]
        else:
            st.session_state[key] = value
    unbound = {}
    for key in st.query_params:
        if key in first or key == PROJECT:
            continue
        if key in st.session_state:  # its control writes it again, as what was set from Python
            st.session_state[key] = st.session_state[key]
        else:
            unbound[key] = st.query_params.get_all(key)
    st.switch_page(page, query_params=unbound | address)


def of_text():
    """Field -> what it holds at first, of all that pages keep of places in the text that is open, or of its runs."""
    fields = [field for pages in MENU.values() for _, view in pages.values() for field in view.fields()]
    return {field: field.default for field in fields if field.of_text}
