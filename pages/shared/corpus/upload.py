"""The dialog that adds a text to the project: a file or pasted text, looked at before it is added."""

import streamlit as st

from core.draw import draw_tree
from core.files.packed import plain_name
from core.languages.direction import bidi_isolate
from core.parsers.readers import NOTHING, tagger_names, tagger_title, usual_reader
from core.store import RESUMABLE
from core.treebank import FORMATS
from core.treebank.downloads import treebank_files, treebank_names
from core.treebank.formats import PLAIN
from core.treebank.plain import LONG
from core.workspace.corpus.drafts import (
    CUT,
    KEEP,
    LEAVE_OUT,
    PASTED,
    How,
    add_draft,
    find_draft,
    pasted_name,
    with_long,
)
from core.workspace.corpus.fetching import Fetch
from core.workspace.task import ProjectContent
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.corpus.contractions import chosen_tables, contraction_choice, contraction_table, cut_list
from pages.shared.corpus.tagging import tagging_progress
from pages.shared.job_panel import POLL, cancel_button, progress_line
from pages.shared.reading import field_of_tab, read_or_wait
from pages.shared.text_menu import ask_language
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_from

ENCODINGS = ("utf-8", "latin-1", "cp1252", "iso8859-2", "cp1251", "koi8-r", "euc-jp", "shift_jis", "gb18030", "big5")
SHOWN = 3  # sentences drawn
WIDE_SPACE = "\u2002"  # between words, so that one sees where they were cut
HEIGHT = 230  # pixels of a tree; a higher one scrolls
AGAIN = "upload_again"  # set where the dialog is to be open after the next run
FIELDS = ("upload", "upload_chosen")  # who waits: for a file in its language, and in another that was chosen
STARTED = "fetch_started"  # the run this tab waits for


def _leave():
    """Stop reading what the dialog waits for."""
    for field in FIELDS:
        session().workspace.readings.leave(field_of_tab(field))


@st.dialog("Add a text", width="large", on_dismiss=_leave)
def add_text():
    """Draw the fields, a preview of the text and the button that adds it; errors are shown in the same place."""
    sources = ["A file or pasted text", "Universal Dependencies"]
    source = st.segmented_control("From", sources, default=sources[0], required=True, key="upload_source")
    if source == sources[1]:
        fetch_panel()
    else:
        import_panel()


def import_panel():
    """Draw the fields, the preview and the button."""
    upload = st.file_uploader(
        "Import a file: CoNLL-U or another CoNLL format, bracketed trees, vertical text, Malt-TAB, CG-3, Toolbox, "
        "FLEx, ELAN, tagged text, or plain text; also packed as .gz, .xz, .zst or a .zip of one file",
        key="upload_file",
    )
    pasted = st.text_area(
        "Or paste text", key="upload_text", height=120, placeholder="One sentence per line, or CoNLL-U"
    )
    if upload is not None and pasted.strip():
        st.caption("The file is imported. Remove it to import the pasted text.")
    source, data = (upload.name, upload.getvalue()) if upload is not None else (PASTED, pasted.encode())
    has_text = upload is not None or bool(pasted.strip())
    name_column, format_column, encoding_column = st.columns([2, 2, 1])
    default = plain_name(source) if upload is not None else pasted_name(pasted) if has_text else ""
    name = name_column.text_input("Name", default, key=f"upload_name_{default}", disabled=not has_text)
    titles = {"auto": "Detect automatically"} | {
        file_format.name: file_format.title[:1].upper() + file_format.title[1:] for file_format in FORMATS
    }
    form = choose_from(format_column.selectbox, "Format", titles, key="upload_format")
    encoding = encoding_column.selectbox(
        "Encoding", ENCODINGS, key="upload_encoding", accept_new_options=True, disabled=upload is None,
        help="Character encoding of the file; most files are UTF-8. Pasted text needs none.",
    )  # fmt: skip
    join = st.session_state.get("upload_join", True)
    how = source, data, form, encoding if upload is not None else "utf-8", join, chosen_tables()
    draft = _read(*how) if has_text else _leave()
    if draft is not None:
        draft = _in_language(draft, how)
    if draft is not None:
        found_line(draft, detected=form == "auto")
        if draft.has_cut_words:
            st.checkbox("Join words cut at line ends, and leave soft hyphens out", True, key="upload_join")
        if draft.has_contractions:
            contraction_choice(draft.language)
        draft = _with_long(draft)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reader = NOTHING if draft is None else _reader(draft)
        _add_button(draft, name, reader, unreadable=has_text and draft is None)
    if draft is not None:
        cut_list(draft.cuts, draft.cut_count)
        first_sentences(draft)
        if draft.format in PLAIN:
            contraction_table(draft.language, "upload")


@report_errors()
def _read(source, data, form, encoding, join, contractions, language=None):
    """The Draft, or None with an error or the progress of reading shown."""

    def read(asker):
        with st.spinner(f"Reading {escape(source)}", show_time=True):
            return find_draft(
                session().workspace, asker, source, data, How(form, encoding, join, language, contractions)
            )

    return read_or_wait(FIELDS[language is not None], read, _open_again)


def _open_again():
    """Keep the dialog open over the next run, which would close it."""
    st.session_state[AGAIN] = True


def _in_language(draft, how):
    """Draw the guess, with a question if it is unsure; returns the Draft in the language that is chosen."""
    chosen = ask_language(draft.guess, "upload_language")
    return draft if chosen == draft.language else _read(*how, language=chosen)


@report_errors()
def _with_long(draft):
    """Ask what becomes of sentences over which parsers take long, where there are some; the Draft without them."""
    if not draft.long_count:
        return draft
    titles = {KEEP: "Keep", CUT: f"Cut into parts of at most {LONG} words", LEAVE_OUT: "Leave out"}
    longest = int(draft.treebank.lengths.max())
    choice = choose_from(
        st.selectbox, f"{amount(draft.long_count, 'sentence')} of more than {LONG} words", titles, key="upload_long",
        help=f"The longest has {longest:,} words. Parsing such a sentence takes long, and the English parser then "
        "considers only the likeliest heads of each word. It is cut after punctuation marks where there are some.",
    )  # fmt: skip
    return with_long(draft, str(choice))


def _reader(draft):
    """Ask who tags the words, where they have no tags."""
    if not draft.is_untagged:
        return NOTHING
    readers, usual = [NOTHING, *tagger_names(draft.language)], usual_reader(draft.language)
    return st.selectbox(
        "Tag the words with", readers, index=readers.index(usual),
        format_func=lambda reader: (
            "No tagger: I tag them later" if reader == NOTHING else tagger_title(reader).removeprefix("the ")
        ),
        key=f"upload_reader_{usual}",
        help="Constraints refer to parts of speech. Only taggers for the language chosen above; all of them where it "
        "is unknown. You can also tag the words later: Corpus, Tag the words.",
    )  # fmt: skip


def _add_button(draft, name, reader, unreadable):
    slot = st.empty()
    if not slot.button("Add", type="primary", key="upload_add", disabled=unreadable):
        return
    if draft is None:
        st.caption("Choose a file or paste a text first.")
        return
    words = amount(draft.treebank.token_count, "word")
    progress = tagging_progress(slot, f"Adding {words}", reader, key="upload_cancel", help="Nothing is added")
    with report_errors():
        corpus_id = add_draft(session().store, session().project, draft, name, reader, progress)
        st.session_state["shared_open_corpus"] = st.session_state["corpus_added"] = corpus_id
        saved_name = session().store.corpus(corpus_id).name  # with a number where the name was taken
        flash(escape(f"{saved_name}: {amount(len(draft.treebank), 'sentence')}, {words}"))
        st.rerun()
    slot.empty()


def found_line(draft, detected):
    """Draw the counts of a Draft in a line; ``detected`` tells whether its format was detected or chosen."""
    treebank = draft.treebank
    counts = [
        f"**{amount(len(treebank), 'sentence')}**",
        f"**{amount(treebank.token_count, 'word')}**",
        _share(draft.tagged, treebank.token_count, "tag"),
        _share(draft.trees, len(treebank), "tree"),
    ]
    st.markdown(f"{'Detected' if detected else 'Read as'}: **{draft.title}** · {' · '.join(counts)}")
    for warning in treebank.warnings:
        st.caption(f":material/info: {escape(warning)}")


def first_sentences(draft):
    """Draw the first sentences: as trees, or as words with spaces between them if there are none."""
    treebank = draft.treebank
    shown = [treebank[index] for index in range(min(SHOWN, len(treebank)))]
    st.caption(f"The first {amount(len(shown), 'sentence')}" if len(shown) > 1 else "The first sentence")
    for number, sentence in enumerate(shown, 1):
        if (sentence.heads[1:] >= 0).any():
            dependency_tree(draw_tree(sentence), key=f"upload_preview_{number}", height=HEIGHT)
        else:
            st.markdown(f"{number}. {bidi_isolate(escape(WIDE_SPACE.join(sentence.forms[1:])))}")


def _share(count, whole, name):
    """As in "no tags", "12 tags", "12 of 40 tags"."""
    if count == 0:
        return f"no {name}s"
    return amount(count, name) if count == whole else f"{count:,} of {amount(whole, name)}"


@report_errors()
def fetch_panel():
    """Draw it, inside the dialog that adds a text."""
    snapshot = Fetch(session().workspace).latest(session().project)
    if snapshot is not None and (snapshot.active or snapshot.run == st.session_state.get(STARTED)):
        st.fragment(_progress, run_every=POLL if snapshot.active else None)(snapshot.run)
        if snapshot.active:
            return
    names = treebank_names()
    name = st.selectbox(
        "Treebank", names, index=None, key="fetch_name", accept_new_options=True,
        placeholder="Select or type a name, such as Hausa-NorthernAutogramm",
        help="Language and treebank, named as on universaldependencies.org; check the licence there.",
    )  # fmt: skip
    if name is None:
        st.caption(f"{len(names):,} treebanks are listed; you can type any other name. Files come from github.com.")
        return
    with st.spinner("Looking up its files"):
        files = {file.name: file for file in _files(name)}
    sizes = {name: f"{file.part} · {file.size / 1e6:.1f} MB" for name, file in files.items()}
    chosen = choose_from(st.radio, "File", sizes, horizontal=True, key="fetch_file")
    st.button("Fetch", type="primary", key="fetch_start", on_click=_start, args=(files.get(str(chosen)),))


@st.cache_data(ttl=600, max_entries=32, show_spinner=False)
def _files(name):
    return treebank_files(name)


def _progress(run):
    snapshot = session().jobs.snapshot(run)
    if snapshot.active:
        progress_line(snapshot, lambda _: "Waiting for the server")
        cancel_button(snapshot, "fetch_cancel")
    elif snapshot.status == "done":
        st.session_state.pop(STARTED, None)
        st.session_state["shared_open_corpus"] = snapshot.figures["corpus"]
        figures = snapshot.figures
        flash(f"{amount(figures['sentences'], 'sentence')}, {amount(figures['words'], 'word')}")
        st.rerun()  # which closes the dialog
    elif snapshot.status in RESUMABLE:
        reason = f": {snapshot.error}" if snapshot.error else ""
        st.warning(escape(f"Stopped{reason}"))
        st.button("Resume", key="fetch_resume", on_click=_resume, args=(run,))


@callback_errors()
def _start(file):
    st.session_state[STARTED] = Fetch(session().workspace).start(ProjectContent(session().project, file.blob), file)


@callback_errors()
def _resume(run):
    Fetch(session().workspace).resume(session().store.run(run))
