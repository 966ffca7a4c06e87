"""What a finished run leaves to take away: the text with its trees, the parser as weights and in spaCy, its record."""

from functools import partial

import streamlit as st

from core.workspace.constraints.files import npz_recipe, spacy_recipe
from core.workspace.constraints.record import record_text
from core.workspace.parses import offers_of
from core.workspace.system import File
from core.workspace.wording import amount
from pages.shared.session import session
from pages.shared.tree_files import download, tree_file

WIDTH = 430


def take_away(text):
    """Draw the button, where there is a run, and what is behind it."""
    run = session().newest_run
    if run is None:
        return
    button = st.popover("Save", icon=":material/download:", key="ge_take_away", on_change="rerun")
    if button.open:
        with button, st.container(width=WIDTH):
            _files(text.corpus, run)


def _files(corpus, run):
    parser, pipeline = session().learner.load(run).files
    record_file = File("Run record", f"run-{run.id}.json", partial(record_text, session().learner, run))
    st.markdown(f"**Run {run.id}**, {run.figures['end']} after {amount(run.figures['iterations'], 'iteration')}")
    trees, weights, spacy, record = st.tabs(["Trees", "Parser", "spaCy", "Record"])
    with trees:
        for offer in offers_of(session().systems, corpus, run):
            tree_file(corpus, offer, "ge", "The text with its trees, CoNLL-U")
            st.caption("Relations are `root` and `dep`: constraints speak of heads only.")
    with weights:
        _file(parser, "application/octet-stream")
        st.code(npz_recipe(run), language=None, wrap_lines=True)
    with spacy:
        _file(pipeline, "application/zip")
        st.code(spacy_recipe(run), language=None, wrap_lines=True)
    with record:
        _file(record_file, "application/json")
        st.caption(
            "Settings, constraints, trees learned from, the text's hash, figures and versions: all it takes to train "
            "the same parser again, including the runs that this one started from."
        )
        st.code(f"python -m core ge train FILE --record {record_file.name}", language=None, wrap_lines=True)


def _file(file, mime):
    download(file.label, file.data, file.name, f"ge_save_{file.name}", mime=mime)
