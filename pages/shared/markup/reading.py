"""Pages that are read in the background: progress, Cancel, and the choices after a reading that stopped half-way."""

from functools import partial

import streamlit as st

from core.parsers.readers import reader_title
from core.workspace.markup.reading import KIND, PageReading
from core.workspace.markup.trees import MarkupParsing
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session, show_problem
from pages.shared.job_panel import ENDS, cancel_button, progress_line, stopped_line, watch
from pages.shared.widgets import action_button

PROBLEM = "mk_reading_problem"
WATCHED = "mk_reading"  # the run whose text is opened when it is done
KEY = "mk_trees"


def reading_panel():
    """Draw the progress of readings, or the choices after one that stopped; nothing without either."""
    watch(lambda: session().under_way(KIND), _panel, ended=_open_done)


def _panel(active):
    show_problem(PROBLEM)
    for snapshot in active:
        st.session_state[WATCHED] = snapshot.run
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            with st.container():
                progress_line(snapshot, _words)
            help_text = "You can keep what has been read, or resume later"
            cancel_button(snapshot, f"mk_cancel_{snapshot.run}", help=help_text)
    stopped = None if active else PageReading(session().workspace).latest_stopped(session().project)
    if stopped is not None:
        _stopped(stopped)


def _words(snapshot):
    figures = snapshot.figures
    if not figures:
        return "Opening the files"
    of = f" of {figures['expected']:,}" if figures["expected"] else ""
    left = f" · about {snapshot.seconds_left:.0f} s left" if snapshot.seconds_left is not None else ""
    pages = f"{snapshot.iteration:,}{of} pages" if of else amount(snapshot.iteration, "page")
    counts = f"{amount(figures['sentences'], 'sentence')}, {amount(figures['brackets'], 'bracket')}"
    return f"{pages} read, {figures['skipped']:,} skipped · {counts}{left}"


def _open_done():
    """Open the text of the reading that was watched, and show its counts in a toast."""
    run_id = st.session_state.pop(WATCHED, None)
    if run_id is None:
        return
    snapshot = session().jobs.snapshot(run_id)
    if snapshot.status == "done":
        st.session_state["shared_open_corpus"] = snapshot.figures["corpus"]
        figures = snapshot.figures
        flash(f"{amount(figures['sentences'], 'sentence')}, {amount(figures['brackets'], 'bracket')}")


def _stopped(run):
    snapshot = session().jobs.snapshot(run.id)
    reason = f": {run.error}" if run.error else ""
    after = f" after {amount(snapshot.iteration, 'page')}" if snapshot.iteration else ""
    reading = PageReading(session().workspace)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        name = escape(run.settings["name"])
        st.markdown(f":material/pause: Reading **{name}** {ENDS[run.status]}{after}{escape(reason)}")
        for label, action, icon, about in (
            ("Resume", reading.resume, "play_arrow", "Continue with the page where it stopped"),
            ("Keep what was read", partial(_keep, reading), "save", "Add the pages read so far as a text"),
            ("Discard", reading.discard, "delete", "Delete the uploaded files"),
        ):
            if snapshot.iteration or icon != "save":
                action_button(
                    label, f"mk_reading_{icon}", icon, _act, partial(action, run), type="tertiary", help=about
                )


def _keep(reading, run):
    st.session_state["shared_open_corpus"] = reading.keep(run)


@callback_errors(PROBLEM, rerun=True)
def _act(action):
    action()


def trees_panel(text):
    """Draw the progress of parsing, where a text waits for its trees; begin it if it never was begun."""
    if not text.unparsed:
        return
    with report_errors():
        run = MarkupParsing(session().workspace).follow(text.corpus, text.unparsed)
        watch(partial(_under_way, run), _parsing_panel, run, reader_title(text.unparsed))


def _under_way(run):
    snapshot = session().jobs.snapshot(run)
    return snapshot if snapshot.active else None


def _parsing_panel(snapshot, run, parser):
    show_problem(f"{KEY}_problem")
    if snapshot is None:
        stopped_line(session().store.run(run), MarkupParsing(session().workspace).resume, KEY, "sentence")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container():
            progress_line(snapshot, partial(_parsing_words, parser))
        cancel_button(snapshot, f"{KEY}_cancel")


def _parsing_words(parser, snapshot):
    figures = snapshot.figures
    if not figures:
        return f"Loading {parser}"
    left = f" · about {snapshot.seconds_left:.0f} s left" if snapshot.seconds_left is not None else ""
    return f"{figures['sentences']:,} of {figures['expected']:,} marked sentences parsed by {parser}{left}"
