"""The dialog that adds a text to the project: a file or pasted text, its format and its encoding."""

import streamlit as st

from core.errors import WorkbenchError
from core.treebank import FORMATS
from core.workspace import add_corpus
from pages.shared.fetch import fetch_panel
from pages.shared.state import flash, project, refuse, workspace

ENCODINGS = ("utf-8", "latin-1", "cp1252", "iso8859-2", "cp1251", "koi8-r", "euc-jp", "shift_jis", "gb18030", "big5")


@st.dialog("Add a text", width="medium")
def add_text():
    """Ask for it, read it, and open it; what cannot be read is said here and stays here."""
    sources = ["A file or pasted text", "Universal Dependencies"]
    source = st.segmented_control("From", sources, default=sources[0], required=True, key="upload_source")
    if source == sources[1]:
        fetch_panel()
    else:
        _file()


def _file():
    upload = st.file_uploader(
        "A file: CoNLL-U, CoNLL-X, CoNLL-2009, bracketed trees, Toolbox, FLEx, tagged text, or plain text",
        key="upload_file",
    )
    pasted = st.text_area(
        "Or paste text", key="upload_text", height=120, placeholder="One sentence a line, or a treebank's lines"
    )
    format_column, encoding_column = st.columns(2)
    titles = {"auto": "Tell by the content", **{each.name: each.title for each in FORMATS}}
    form = format_column.selectbox("Format", list(titles), format_func=titles.get, key="upload_format")
    encoding = encoding_column.selectbox(
        "Encoding", ENCODINGS, key="upload_encoding", accept_new_options=True, help="Most files are UTF-8 today."
    )
    ready = upload is not None or bool(pasted.strip())
    if not st.button("Add", type="primary", key="upload_add", disabled=not ready):
        return
    name, data = (upload.name, upload.getvalue()) if upload is not None else ("pasted text", pasted.encode())
    try:
        with st.spinner(f"Reading {name}", show_time=True):
            encoding = encoding if upload is not None else "utf-8"
            corpus_id, treebank = add_corpus(workspace().store, project(), name, data, form, encoding)
    except WorkbenchError as error:
        refuse(error)
        return
    st.session_state["shared_open_corpus"] = corpus_id
    flash(f"{name}: {len(treebank):,} sentences, {treebank.token_count:,} words")
    st.rerun()
