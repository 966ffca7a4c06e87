"""The dialog for trees of a language model or another tool: a prompt that asks for them, the answer, its changes."""

import streamlit as st

from core.workspace.answers import (
    ALL,
    change_table,
    keep_answer,
    prompt_of,
    prompt_sentences,
    read_adopted,
    summary,
)
from core.workspace.constraints.known_trees import format_numbers, parse_numbers
from core.workspace.corpora import uploaded_text
from pages.shared.basics import callback_errors, escape, flash, report_errors, session
from pages.shared.widgets import choose_from, column, draw_table

NAME = "pasted trees"
LARGEST = 20  # megabytes of a file
TALL = 320  # pixels of the changes
COLUMNS = {
    "sentence": ("Sentence", 76, "localized"), "word": ("Word", 58, "localized"), "kind": ("Change", 110),
    "before": ("Answer", 130), "after": ("Parse", 130), "reason": column("Why", 250),
}  # fmt: skip


def answer_button(corpus, key, added, menu):
    """Draw the button of the dialog, in the popover ``menu`` that it closes; the others as for ``add_parse_file``."""

    def close():
        st.session_state[menu] = False

    help_text = "What a language model, another parser or a person wrote down, even if it is not quite CoNLL-U"
    if st.button("Paste trees", icon=":material/content_paste:", key=f"{key}_paste", help=help_text, on_click=close):
        _dialog(corpus, key, added)


@st.dialog("Trees of a language model or another tool", width="large")
def _dialog(corpus, key, added):
    answer_panel(corpus, key, added)


@report_errors()
def answer_panel(corpus, key, added):
    """Draw the prompt, the field for an answer, what was changed in it, and the button that keeps it; as above."""
    st.caption("Nothing is sent anywhere. Copy the prompt to a tool of your choice, and paste here what it answers.")
    with st.expander("Prompt", icon=":material/content_copy:"), report_errors():
        _prompt(corpus, key)
    pasted = st.text_area(
        "Answer", key=f"{key}_answer", height=140,
        placeholder="CoNLL-U or nearly so, a table, or JSON; prose around it is passed over",
    )  # fmt: skip
    about = "Or a file with the answer, also packed"
    upload = st.file_uploader(about, key=f"{key}_answer_file", max_upload_size=LARGEST)
    if upload is None and not pasted.strip():
        return
    if upload is not None and pasted.strip():
        st.caption("The file is read. Remove it to read the pasted answer.")
    name = NAME
    with st.spinner("Reading the answer"):
        if upload is not None:
            name, pasted = uploaded_text(upload.name, upload.getvalue())
        adopted = read_adopted(session().systems, corpus, pasted)
    st.markdown(f"**{summary(adopted)}**")
    _changes(adopted, key)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", name, key=f"{key}_answer_name_{name}", width=260)

        @callback_errors(rerun=True)
        def keep():
            added(keep_answer(session().workspace, corpus, name, adopted))
            flash(f"{escape(name)} can be chosen wherever trees of this text are")

        st.button("Keep as a parse", type="primary", key=f"{key}_answer_keep", on_click=keep)
    st.caption(
        "The parse *Universal parser beside added parses* counts it too, once sentences are marked done on Annotate. "
        "How far it is trusted is learnt from those that the answer has; Compare shows it."
    )


def _prompt(corpus, key):
    workspace = session().workspace
    usual = format_numbers(index + 1 for index in sorted(prompt_sentences(workspace, corpus)))
    numbers = st.text_input(
        "Sentences", usual, key=f"{key}_answer_numbers",
        help="Such as 1-20, 33. Include sentences that you have checked: by them the answer will be trusted.",
    )  # fmt: skip
    asked = parse_numbers(numbers, len(workspace.treebank(corpus)))
    if asked:
        with st.container(height=TALL, border=False):
            st.code(prompt_of(workspace, corpus, [number - 1 for number in asked]), language=None, wrap_lines=True)


def _changes(adopted, key):
    """Draw the changes, of all kinds or one."""
    kinds = adopted.kinds
    if not kinds:
        return
    names = {ALL: "All changes"} | {kind: f"{kind} · {count:,}" for kind, count in kinds.items()}
    if st.session_state.get(f"{key}_answer_kind") not in names:
        st.session_state.pop(f"{key}_answer_kind", None)
    kind = choose_from(
        st.selectbox, "Changes", names, key=f"{key}_answer_kind", label_visibility="collapsed", width=260
    )  # fmt: skip
    alt = f"{summary(adopted)}: what the answer has, what the parse has, and why"
    draw_table(change_table(adopted, kind), alt=alt, key=f"{key}_answer_changes", columns=COLUMNS, most=TALL)
