"""Web pages in, CoNLL-U with brackets out."""

import streamlit as st

from core.errors import WorkbenchError
from core.treebank import conllu_text
from core.workspace.pages import add_pages
from core.workspace.readers import ENGLISH, NOTHING, SPACY, WORD_LISTS, reader_names
from core.workspace.reading import start_reading, takes_long
from pages.shared.state import flash, project, refuse, workspace

PROBLEM = "mk_problem"
ROUND = "mk_round"  # counts what was read: a new number, empty fields
WIDTH = 560
READERS = {ENGLISH: "English parser", WORD_LISTS: "English word lists, no trees", NOTHING: "Neither"}
WHAT = {False: "Files", True: "A folder"}
EXTRAS = {"quote": "Quotation marks", "paren": "Parentheses"}


def page_buttons(text):
    """The buttons that take pages in and, where there are brackets, CoNLL-U out."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        if text is not None and text.marks:
            st.download_button(
                "CoNLL-U",
                data=lambda: conllu_text(text.treebank),
                file_name=f"{text.corpus.name.removesuffix('.conllu')}.conllu",
                icon=":material/download:",
                on_click="ignore",
                type="tertiary",
                key="mk_download",
                help="All sentences, with their brackets in # markup comments and in MISC",
            )
        with st.popover(
            "Paste or upload pages", type="primary", icon=":material/add:", key="mk_add", on_change="rerun"
        ):
            _add()


def _add():
    """Ask for pages, read them, open the text; what cannot be read is said here and stays here."""
    turn = st.session_state.get(ROUND, 0)
    with st.container(width=WIDTH):
        st.text_area(
            "Paste HTML or Markdown",
            key=f"mk_pasted_{turn}",
            height=180,
            placeholder="<p>The <a href=…>harbour office</a> issued <b>a warning</b> on Monday.</p>",
            help="A page’s source, not what the browser shows of it: copying from a page loses its links and emphasis",
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Or choose pages, Markdown, zip or WARC archives:", width="content")
            folder = st.segmented_control(
                "What to choose", list(WHAT), default=False, format_func=WHAT.get, key=f"mk_what_{turn}", required=True,
                label_visibility="collapsed",
            )  # fmt: skip
        st.file_uploader(
            "Files",
            key=f"mk_{'folder' if folder else 'files'}_{turn}",
            accept_multiple_files="directory" if folder else True,
            max_upload_size=100,
            label_visibility="collapsed",
            help="At most 5 MB a page, 100 MB an archive, 500 MB unpacked. Nothing in a page is run, shown as a page, "
            "or fetched. Archives and many pages are read in the background. Larger collections: `python -m core "
            "markup extract`",
        )
        st.pills(
            "Take as brackets, too", list(EXTRAS), format_func=EXTRAS.get, selection_mode="multi",
            key="mk_punctuation", help="Sources that spitkovsky2010 names in its conclusion (section 9)",
        )  # fmt: skip
        st.segmented_control(
            "Tags and trees", reader_names(), default=ENGLISH, format_func=_reader_name, key="mk_reader", required=True,
            help="Whose tags and trees the text gets: ours, or those of a spaCy pipeline that is installed here. Such "
            "trees are drawn in orange, judged as they are, and never called gold",
        )  # fmt: skip
        st.button("Read", type="primary", key="mk_read", on_click=_read, args=(turn,))
        problem = st.session_state.pop(PROBLEM, None)
        if problem:
            refuse(problem)


def _reader_name(reader):
    return READERS.get(reader) or f"spaCy {reader.removeprefix(SPACY)}"


def _read(turn):
    """Make a text of what was given and open it, or begin to in the background; all stays where that fails."""
    kind = "folder" if st.session_state.get(f"mk_what_{turn}") else "files"
    uploads = st.session_state.get(f"mk_{kind}_{turn}") or ()
    files = [("pasted page", st.session_state[f"mk_pasted_{turn}"])]
    files += [(upload.name, upload.getvalue()) for upload in uploads]
    punctuation, reader = st.session_state.get("mk_punctuation") or (), st.session_state.get("mk_reader") or ENGLISH
    try:
        if takes_long(files):
            start_reading(workspace(), project(), files, punctuation, reader)
        else:
            corpus_id, report = add_pages(workspace().store, project(), files, punctuation, reader)
            st.session_state["shared_open_corpus"] = corpus_id
            flash(f"{report.sentences:,} sentences, {report.brackets:,} brackets")
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error
        return
    st.session_state[ROUND] = turn + 1
    st.session_state["mk_add"] = False  # which closes it
