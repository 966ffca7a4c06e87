"""Web pages in, CoNLL-U with brackets out."""

import streamlit as st

from core.errors import WorkbenchError
from core.treebank import conllu_text
from core.workspace.pages import ENGLISH, NOTHING, WORD_LISTS, add_pages
from pages.shared.state import flash, project, refuse, workspace

PROBLEM = "mk_problem"
ROUND = "mk_round"  # counts what was read: a new number, empty fields
WIDTH = 560
READERS = {ENGLISH: "English parser", WORD_LISTS: "English word lists, no trees", NOTHING: "Neither"}
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
        st.file_uploader(
            "Or choose files: pages, Markdown, a zip archive of them",
            key=f"mk_files_{turn}",
            accept_multiple_files=True,
            max_upload_size=100,
            help="At most 5 MB a page, 100 MB an archive, 500 MB unpacked. Nothing in a page is run, shown as a page, "
            "or fetched. Larger collections: `python -m core markup extract`",
        )
        st.pills(
            "Take as brackets, too", list(EXTRAS), format_func=EXTRAS.get, selection_mode="multi",
            key="mk_punctuation", help="Sources that spitkovsky2010 names in its conclusion (section 9)",
        )  # fmt: skip
        st.segmented_control(
            "Tags and trees", list(READERS), default=ENGLISH, format_func=READERS.get, key="mk_reader", required=True,
            help="Trees of the English parser are drawn in orange, judged as they are, and never called gold",
        )  # fmt: skip
        st.button("Read", type="primary", key="mk_read", on_click=_read, args=(turn,))
        problem = st.session_state.pop(PROBLEM, None)
        if problem:
            refuse(problem)


def _read(turn):
    """Make a text of what was given and open it; what was given stays where that fails."""
    uploads = st.session_state.get(f"mk_files_{turn}") or ()
    files = [("pasted page", st.session_state[f"mk_pasted_{turn}"])]
    files += [(upload.name, upload.getvalue()) for upload in uploads]
    punctuation, reader = st.session_state.get("mk_punctuation") or (), st.session_state.get("mk_reader") or ENGLISH
    try:
        corpus_id, report = add_pages(workspace().store, project(), files, punctuation, reader)
    except WorkbenchError as error:
        st.session_state[PROBLEM] = error
        return
    st.session_state["shared_open_corpus"] = corpus_id
    st.session_state[ROUND] = turn + 1
    st.session_state["mk_add"] = False  # which closes it
    flash(f"{report.sentences:,} sentences, {report.brackets:,} brackets")
