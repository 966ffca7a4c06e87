"""Files to take away: by one button, of a run, and the whole text with the trees of a run or parser."""

import streamlit as st

from core.parsers.labels import has_relations
from core.workspace.annotations import Annotations
from core.workspace.compare.parsed_text import file_name, parsed_text
from core.workspace.parses import is_predicted, run_of
from core.workspace.relations import chosen_relations
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.widgets import download


def parsed(corpus, parse):
    """The ParsedText of one Offer's key, made once. Raises WorkbenchError where it is gone."""

    def make():
        with st.spinner("Parsing the sentences that the parser was not trained on"):
            return parsed_text(session().systems, corpus, parse)

    return session().cache.get("whole", parse_key(corpus, parse), make)


def parse_key(corpus, parse):
    """Names the trees of one Offer's key: a run that was resumed leaves others. Raises WorkbenchError."""
    run = run_of(session().workspace, parse)
    workspace = session().workspace
    is_theirs = is_predicted(parse)
    relations = chosen_relations(workspace, corpus).key if is_theirs else None
    drawn = Annotations(workspace, corpus).revision() if is_theirs else None  # stands in the file
    return workspace.corpus_key(corpus), parse, run and run.finished, relations, drawn


def tree_files(corpus, offers, key):
    """Draw a button behind which the trees of each Offer can be downloaded, nothing if there is none."""
    if not offers:
        return
    shown = st.popover(
        "CoNLL-U", icon=":material/download:", key=f"{key}_tree_files", on_change="rerun",
        help="The whole text with these trees, as CoNLL-U",
    )  # fmt: skip
    if shown.open:
        with shown, st.container(width=360):
            for offer in offers:
                tree_file(corpus, offer, key)


@report_errors()
def tree_file(corpus, offer, key, label=None):
    """Draw the download of one Offer's trees under its name or ``label``, and say what is in it."""
    text = parsed(corpus, offer.key)
    name = file_name(corpus, offer.key)
    download(label or escape(offer.name), text.conllu, name, f"{key}_tree_{offer.key}", mime="text/plain")
    st.caption(_about(text))


def _about(text):
    whole = amount(len(text.treebank), "sentence")
    about = (
        f"{text.parsed:,} of {whole}: the others have no tree of this parse" if text.missing else f"Whole text, {whole}"
    )
    if text.bare:
        about += f". {amount(text.bare, 'word')} without a head"
    if text.drawn:
        have = amount(text.drawn, "sentence has", "sentences have")
        about += f". {have} heads annotated by hand; a comment says which"
    if not has_relations(text.written):
        about += ". Relations are `root` and `dep`, for the parser names none"
    return f"{about}."


def file_buttons(files, key):
    """Draw a button for each File of ``core.workspace.system``, to take it away; ``key`` begins their keys."""
    for number, file in enumerate(files):
        download(escape(file.label), file.data, file.name, f"{key}_{number}")
