"""What a finished run leaves to take away: its record, the parser as weights, the parser in spaCy."""

from functools import partial

import streamlit as st

from core.workspace import latest
from core.workspace.takeaway import npz_recipe, parser_bytes, parser_name, record_text, spacy_bytes, spacy_recipe
from pages.shared.state import workspace

WIDTH = 430


def take_away(text):
    """Draw the button, where there is a run, and what is behind it."""
    run = latest(workspace().store, text)
    if run is None:
        return
    name = parser_name(run)
    button = st.popover("Save", icon=":material/download:", key="ge_take_away")
    with button, st.container(width=WIDTH):
        st.markdown(f"**Run {run.id}**, {run.figures['end']} after {run.figures['iterations']} iterations")
        weights, spacy, record = st.tabs(["Parser", "spaCy", "Record"])
        with weights:
            _file("Parser, weights", partial(parser_bytes, workspace(), run), f"{name}.npz", "application/octet-stream")
            st.code(npz_recipe(run), language=None, wrap_lines=True)
        with spacy:
            _file("Parser, spaCy pipeline", partial(spacy_bytes, workspace(), run), f"{name}.zip", "application/zip")
            st.code(spacy_recipe(run), language=None, wrap_lines=True)
        with record:
            _file("Run record", partial(record_text, workspace(), run), f"run-{run.id}.json", "application/json")
            st.caption(
                "Settings, constraints, trees learned, hash of the text, figures and versions: all it takes to train "
                "the same again. What trained the weights that this run began from is in it, too."
            )
            st.code(f"python -m core ge train FILE --record run-{run.id}.json", language=None, wrap_lines=True)


def _file(label, data, name, mime):
    st.download_button(
        label, data, name, mime, key=f"ge_save_{name}", icon=":material/download:", on_click="ignore", type="tertiary"
    )
