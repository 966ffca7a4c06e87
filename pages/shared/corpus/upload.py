"""The dialog that adds a text to the project: a file or pasted text, looked at before it is added."""

import streamlit as st

from core.parsers.readers import ENGLISH, NOTHING, tagger_names, tagger_title
from core.treebank import FORMATS
from core.workspace.corpus.drafts import PASTED, add_draft, kept_draft, pasted_name
from core.workspace.wording import amount, escape
from pages.shared.corpus.fetch import fetch_panel
from pages.shared.corpus.preview import first_sentences, found_line
from pages.shared.messages import flash, report_errors
from pages.shared.session import session

ENCODINGS = ("utf-8", "latin-1", "cp1252", "iso8859-2", "cp1251", "koi8-r", "euc-jp", "shift_jis", "gb18030", "big5")


@st.dialog("Add a text", width="large")
def add_text():
    """Ask for it, show what is found in it, and open it; what cannot be read is said here and stays here."""
    sources = ["A file or pasted text", "Universal Dependencies"]
    source = st.segmented_control("From", sources, default=sources[0], required=True, key="upload_source")
    if source == sources[1]:
        fetch_panel()
    else:
        import_panel()


def import_panel():
    """Draw the fields, the preview and the button."""
    upload = st.file_uploader(
        "Import a file: CoNLL-U, CoNLL-X, CoNLL-2009, bracketed trees, Toolbox, FLEx, tagged text, or plain text",
        key="upload_file",
    )
    pasted = st.text_area(
        "Or paste text", key="upload_text", height=120, placeholder="One sentence per line, or CoNLL-U"
    )
    if upload is not None and pasted.strip():
        st.caption("The file is imported. Remove it to import the pasted text.")
    source, data = (upload.name, upload.getvalue()) if upload is not None else (PASTED, pasted.encode())
    given = upload is not None or bool(pasted.strip())
    name_column, format_column, encoding_column = st.columns([2, 2, 1])
    default = source if upload is not None else pasted_name(pasted) if given else ""
    name = name_column.text_input("Name", default, key=f"upload_name_{default}", disabled=not given)
    titles = {"auto": "Detect automatically"} | {each.name: each.title[0].upper() + each.title[1:] for each in FORMATS}
    form = format_column.selectbox("Format", list(titles), format_func=titles.get, key="upload_format")
    encoding = encoding_column.selectbox(
        "Encoding", ENCODINGS, key="upload_encoding", accept_new_options=True, disabled=upload is None,
        help="How the file’s letters are stored: most files are UTF-8 today. Pasted text needs none.",
    )  # fmt: skip
    draft = _read(source, data, form, encoding if upload is not None else "utf-8") if given else None
    if draft is not None:
        found_line(draft, detected=form == "auto")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reader = NOTHING if draft is None else _reader(draft)
        _add_button(draft, name, reader)
    if draft is not None:
        first_sentences(draft)


@report_errors()
def _read(source, data, form, encoding):
    """The Draft, or None once it is said why there is none."""
    with st.spinner(f"Reading {escape(source)}", show_time=True):
        return kept_draft(session().workspace, source, data, form, encoding)


def _reader(draft):
    """Ask who tags the words, where they have no tags."""
    if not draft.is_untagged:
        return NOTHING
    readers = [NOTHING, *tagger_names()]
    return st.selectbox(
        "Tag the words with",
        readers,
        index=readers.index(ENGLISH) if draft.looks_english else 0,
        format_func=lambda reader: "No tagger: I tag them later" if reader == NOTHING else _named(reader),
        key=f"upload_reader_{draft.looks_english}",
        help="Constraints speak of tags. The English tagger is for English only; a spaCy pipeline is for the language "
        "that its name begins with. You can also tag the words later: Corpus, Tag the words.",
    )


def _named(reader):
    return tagger_title(reader).removeprefix("the ")


def _add_button(draft, name, reader):
    place = st.empty()
    if not place.button("Add", type="primary", key="upload_add", disabled=draft is None):
        return
    words = amount(draft.treebank.token_count, "word")
    with place.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text=f"Adding {words}")
        st.button("Cancel", key="upload_cancel", help="Nothing is added")  # a click ends this run of the script

    def progress(done, count):
        bar.progress(done / count, text=f"{done:,} of {amount(count, 'sentence')} tagged by {tagger_title(reader)}")

    with report_errors():
        corpus_id = add_draft(session().store, session().project, draft, name, reader, progress)
        st.session_state["shared_open_corpus"] = st.session_state["corpus_added"] = corpus_id
        kept = session().store.corpus(corpus_id).name  # with a number where the name was taken
        flash(escape(f"{kept}: {amount(len(draft.treebank), 'sentence')}, {words}"))
        st.rerun()
    place.empty()
