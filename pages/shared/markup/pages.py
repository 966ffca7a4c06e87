"""Web pages in."""

import streamlit as st

from core.parsers.readers import ENGLISH, NOTHING, SPACY, WORD_LISTS, reader_names
from core.workspace.markup.pages import add_pages
from core.workspace.markup.reading import PageReading, takes_long
from pages.shared.basics import amount, escape, flash, report_errors, session
from pages.shared.widgets import choose_from, choose_view

ROUND = "mk_round"  # counts what was read: a new number, empty fields
ASKED = "mk_asked"  # the round whose pages are to be read in this run of the script
WIDTH = 560
READERS = {ENGLISH: "English parser", WORD_LISTS: "English word lists, no trees", NOTHING: "No tags, no trees"}
WHAT = {False: "Files", True: "A folder"}
EXTRAS = {"quote": "Quotation marks", "paren": "Parentheses"}


def import_button():
    """The button that imports pages."""
    turn = st.session_state.get(ROUND, 0)  # a new popover is shut
    with st.popover("Import pages", type="primary", icon=":material/add:", key=f"mk_add_{turn}"):
        _add(turn)


def _add(turn):
    """Ask for pages, read them, open the text; what cannot be read is said here and stays here."""
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
            "Archives and many pages are read in the background. For larger collections use `python -m core markup "
            "extract`.",
        )  # fmt: skip
        choose_from(
            st.pills, "Also take as brackets", EXTRAS, selection_mode="multi",
            key="mk_punctuation", help="Further sources of brackets that Spitkovsky et al. 2010, §9, suggest",
        )  # fmt: skip
        st.segmented_control(
            "Tags and trees", reader_names(), default=ENGLISH, format_func=_reader_name, key="mk_reader", required=True,
            help="The English parser is for English only; a spaCy pipeline is for the language that its name begins "
            "with. A parser’s trees are drawn in orange and never count as gold.",
        )  # fmt: skip
        st.button("Import", type="primary", key="mk_read", on_click=st.session_state.update, args=({ASKED: turn},))
        if st.session_state.pop(ASKED, None) == turn:
            bar = st.progress(0.0, text="Reading the pages")
            with report_errors():
                try:
                    _read(turn, lambda share, doing: bar.progress(share, text=escape(doing)))
                finally:
                    bar.empty()


def _reader_name(reader):
    return READERS.get(reader) or f"spaCy {reader.removeprefix(SPACY)}"


def _read(turn, progress):
    """Make a text of what was given and open it, or begin to in the background. Raises WorkbenchError."""
    kind = "folder" if st.session_state.get(f"mk_what_{turn}") else "files"
    uploads = st.session_state.get(f"mk_{kind}_{turn}") or ()
    files = [("pasted page", st.session_state[f"mk_pasted_{turn}"])]
    files += [(upload.name, upload.getvalue()) for upload in uploads]
    punctuation, reader = st.session_state.get("mk_punctuation") or (), st.session_state.get("mk_reader") or ENGLISH
    if takes_long(files):
        PageReading(session().workspace).start_on(session().project, files, punctuation, reader)
    else:
        corpus_id, report = add_pages(session().store, session().project, files, punctuation, reader, progress)
        st.session_state["shared_open_corpus"] = corpus_id
        flash(f"{amount(report.sentences, 'sentence')}, {amount(report.brackets, 'bracket')}")
    st.session_state[ROUND] = turn + 1
    st.rerun()
