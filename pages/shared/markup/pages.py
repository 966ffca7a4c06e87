"""Import of web pages: the fields, the language, the reader, and the reading itself."""

from functools import partial

import streamlit as st

from core.languages import language_code
from core.languages.contractions import table_of
from core.parsers.readers import ENGLISH, usual_reader
from core.workspace.contractions import changed_tables
from core.workspace.markup.pages import add_pages, cuts_of_pages, guess_of_pages, page_readers
from core.workspace.markup.reading import PageReading, takes_long
from core.workspace.selecting import remember_selectors
from pages.shared.basics import amount, escape, flash, report_errors, session
from pages.shared.corpus.contractions import contraction_choice, cut_list
from pages.shared.markup.selecting import page_selectors
from pages.shared.reading import field_of_tab, read_or_wait
from pages.shared.text_menu import ask_language
from pages.shared.widgets import choose_from, choose_view

ROUND = "mk_round"  # counts what was read: a new number, empty fields
ASKED = "mk_asked"  # the round whose pages are to be read in this run of the script
WIDTH = 560
FIELD, CUTS = "mk_pages", "mk_pages_cuts"  # who waits for the first pages: to ask for their language, to cut them
CUT = "mk_contractions"  # whether contractions are cut
READER, USUAL = "mk_reader", "mk_usual_reader"  # the one chosen, and the one that the language of the pages suggests
WHAT = {False: "Files", True: "A folder"}
EXTRAS = {"quote": "Quotation marks", "paren": "Parentheses"}


def import_button():
    """The button that imports pages."""
    turn = st.session_state.get(ROUND, 0)  # a new popover is shut
    with st.popover("Import pages", type="primary", icon=":material/add:", key=f"mk_add_{turn}"):
        _add(turn)


def _add(turn):
    """Draw the fields, read the pages and open the text; errors are shown in the same place."""
    with st.container(width=WIDTH):
        st.text_area(
            "Paste HTML or Markdown", key=f"mk_pasted_{turn}", height=180,
            placeholder="<p>The <a href=…>harbour office</a> issued <b>a warning</b> on Monday.</p>",
            help="Paste the page’s source: text copied from a browser has lost its links and emphasis",
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Or upload HTML or Markdown files, zip, WARC or WET archives:", width="content")
            folder = choose_view("What to upload", WHAT, f"mk_what_{turn}", linked=False)
        st.file_uploader(
            "Files", key=f"mk_{'folder' if folder else 'files'}_{turn}",
            accept_multiple_files="directory" if folder else True, max_upload_size=100, label_visibility="collapsed",
            help="At most 5 MB per page, 100 MB per archive, 500 MB unpacked. Nothing in a page is run or fetched. "
            "Archives, and pages of more than 64 kB, are read in the background. For larger collections use `python -m "
            "core markup extract`.",
        )  # fmt: skip
        files = _files(turn)
        language = _language(turn, files)
        choose_from(
            st.pills, "Also take as brackets", EXTRAS, selection_mode="multi",
            key="mk_punctuation", help="Further sources of brackets that Spitkovsky et al. 2010, §9, suggest",
        )  # fmt: skip
        reader = _reader(language and language[0])
        contractions = _contractions(files, language and language[0])
        selectors = page_selectors(turn, files, language[2]) if files and language is not None else None
        asked = {"on_click": st.session_state.update, "args": ({ASKED: turn},)}
        st.button("Import", type="primary", key="mk_read", disabled=bool(files) and selectors is None, **asked)
        if st.session_state.pop(ASKED, None) == turn and language is not None and (selectors or not files):
            bar = st.progress(0.0, text="Reading the pages")
            with report_errors():
                try:
                    punctuation = st.session_state.get("mk_punctuation") or ()
                    how = dict(punctuation=punctuation, reader=reader, language=language[1], selectors=selectors)
                    how["contractions"] = contractions
                    _read(files, how, lambda share, doing: bar.progress(share, text=escape(doing)))
                    if selectors is not None:
                        remember_selectors(session().store, session().project, language[2], selectors)
                    st.session_state[ROUND] = turn + 1
                    st.rerun()
                finally:
                    bar.empty()


def _files(turn):
    """(name, content) of the pages that were pasted or uploaded."""
    kind = "folder" if st.session_state.get(f"mk_what_{turn}") else "files"
    uploads = st.session_state.get(f"mk_{kind}_{turn}") or ()
    pasted = st.session_state[f"mk_pasted_{turn}"]
    files = [("pasted page", pasted)] if pasted.strip() else []
    return files + [(upload.name, upload.getvalue()) for upload in uploads]


@report_errors()
def _language(turn, files):
    """(the code of the pages' language, the same or None where each page is read in its own, the pages' site).

    (None, None, "") without any page, None once it is said why they cannot be read.
    """
    if not files:
        session().workspace.readings.leave(field_of_tab(FIELD))
        # the field has its place from the beginning, so that the button below it stays where it is
        about = "It decides how the pages are cut. Once they are there, you can correct it."
        st.selectbox("Language", ["Guessed from the pages"], key=f"mk_no_language_{turn}", help=about)
        return None, None, ""
    answer = read_or_wait(FIELD, partial(_guess, files))
    if answer is None:
        return None
    guess, page_language, site = answer
    chosen = language_code(ask_language(guess, f"mk_language_{turn}"))
    return chosen, None if chosen == page_language else chosen, site


@report_errors()
def _contractions(files, language):
    """Whether contractions are cut: asked, with the cuts of the first pages, where the language has a table."""
    tables = changed_tables(session().store, session().project)
    if language is None or not table_of(language, dict(tables)):
        return True
    if not contraction_choice(language, CUT):
        return False
    cuts = read_or_wait(CUTS, partial(cuts_of_pages, session().workspace, files, language, tables))
    if cuts is not None:
        cut_list(*cuts, "mk_cuts")
    return True


def _guess(files, asker):
    with st.spinner("Reading the first pages", show_time=True):
        return guess_of_pages(session().workspace, files, asker)


def _reader(language):
    """Ask for a reader: until another is chosen, the usual one of the pages' language."""
    readers, usual = page_readers(language), ENGLISH if language is None else usual_reader(language)
    chosen = st.session_state.get(READER)
    if chosen not in readers or chosen == st.session_state.get(USUAL):
        st.session_state[READER] = usual
    st.session_state[USUAL] = usual
    return choose_from(
        st.segmented_control, "Tags and trees", readers, key=READER, required=True,
        help="The English parser is for English only; a spaCy pipeline is for the language that its name begins "
        "with. A parser’s trees are drawn in orange and never count as gold.",
    )  # fmt: skip


def _read(files, how, progress):
    """Make a text of files and open it, or begin to in the background. Raises WorkbenchError.

    ``how`` are arguments of ``add_pages``.
    """
    if takes_long(files):
        PageReading(session().workspace).start_on(session().project, files, **how)
    else:
        corpus_id, report = add_pages(session().store, session().project, files, progress=progress, **how)
        st.session_state["shared_open_corpus"] = corpus_id
        flash(f"{amount(report.sentences, 'sentence')}, {amount(report.brackets, 'bracket')}")
