"""A whole lesson to take away: slides, a web page, a worksheet."""

from functools import partial

import streamlit as st

from core.extras import missing
from core.teach.deck import lesson_pdf, worksheet_pdf
from core.teach.web_page import lesson_page
from pages.shared.basics import report_errors, session
from pages.shared.teach.state import room
from pages.shared.widgets import download

PDF = "application/pdf"


def take_away(name, lesson):
    """Draw the files of a lesson, whose name theirs begin with; its steps are computed once that is open."""
    button = st.popover("Take away", icon=":material/download:", key="teach_take_away", on_change="rerun")
    if not button.open:
        return
    with button, report_errors():
        with st.spinner("Computing the steps of all stops", show_time=True):
            stops = room().traced(session().corpus, lesson)
        refusal = missing("pdf")
        for label, make, ending, mime, note in (
            ("Slides", lesson_pdf, "slides.pdf", PDF, "A page for each stop; your notes are on the last pages"),
            (
                "Slides, every step", partial(lesson_pdf, every_step=True), "steps.pdf", PDF,
                "A page for each step of each stop; takes some seconds where there are many",
            ),
            (
                "Web page", lesson_page, "page.html", "text/html",
                "One file that steps and asks in any recent browser, without a network; takes a while for long charts",
            ),
            (
                "Worksheet", worksheet_pdf, "worksheet.pdf", PDF,
                "What each stop begins with and its questions; the answers are at the end",
            ),
        ):  # fmt: skip
            needs = refusal if mime == PDF else None
            key = f"teach_take_{ending.partition('.')[0]}"
            file = partial(make, lesson, stops)
            download(label, file, f"{name}-{ending}", key, mime=mime, help=needs or note, disabled=bool(needs))
