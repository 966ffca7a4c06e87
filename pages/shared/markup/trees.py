"""Marked sentences that are parsed in the background: how far, how to stop, and going on."""

from functools import partial

import streamlit as st

from core.parsers.readers import reader_title
from core.workspace.markup.trees import MarkupParsing
from pages.shared.job_panel import cancel_button, progress_line, stopped_line, watch
from pages.shared.messages import report_errors, show_problem
from pages.shared.session import session

KEY = "mk_trees"


def trees_panel(text):
    """Draw it, where a text waits for its trees; begins to parse where nobody has asked before."""
    if not text.unparsed:
        return
    with report_errors():
        run = MarkupParsing(session().workspace).follow(text.corpus, text.unparsed)
        watch(partial(_under_way, run), _panel, run, reader_title(text.unparsed))


def _under_way(run):
    snapshot = session().jobs.snapshot(run)
    return snapshot if snapshot.active else None


def _panel(snapshot, run, parser):
    show_problem(f"{KEY}_problem")
    if snapshot is None:
        stopped_line(session().store.run(run), MarkupParsing(session().workspace).resume, KEY, "sentence")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container():
            progress_line(snapshot, partial(_words, parser))
        cancel_button(snapshot, f"{KEY}_cancel")


def _words(parser, snapshot):
    figures = snapshot.figures
    if not figures:
        return f"Loading {parser}"
    left = f" · about {snapshot.seconds_left:.0f} s left" if snapshot.seconds_left is not None else ""
    return f"{figures['sentences']:,} of {figures['expected']:,} marked sentences parsed by {parser}{left}"
