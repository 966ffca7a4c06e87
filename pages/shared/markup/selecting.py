"""What of web pages is read, left out and marked: fields for selectors, and what they keep of the first pages."""

from functools import partial

import streamlit as st

from core.markup.selectors import PageSelectors, expanded
from core.workspace.markup.pages import preview_of_pages
from core.workspace.readings import SMALL
from core.workspace.selecting import preview_table, remembered_selectors
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.reading import read_or_wait
from pages.shared.widgets import draw_table

FIELD = "mk_preview"  # who waits for a preview
TABLE = 260  # pixels
HELP = "CSS selectors, with commas between them, such as `article`, `#content`, `.comments` or `div.note > p`."


def page_selectors(turn, files, site):
    """Draw the fields, filled with what pages of this site were last read with; the PageSelectors that are chosen.

    None, with an error shown, if they are not valid.
    """
    last, key = remembered_selectors(session().store, session().project, site), f"{turn}_{site}"
    with st.expander("What is read", icon=":material/filter_alt:"):
        if site and last != PageSelectors():
            st.caption(f"Pages of {escape(site)} were read with other selectors than the default last time.")
        select = st.text_input(
            "Read only", last.select, key=f"mk_select_{key}", placeholder="all of the page",
            help=f"{HELP} Empty: all of the page is read.",
        )  # fmt: skip
        drop = st.text_area(
            "Leave out", ", ".join(expanded(last.drop)), key=f"mk_drop_{key}", height=110,
            help=f"{HELP} At first the names by which pages call their furniture: take out what you want to read.",
        )  # fmt: skip
        marks = st.text_input(
            "Also a mark", last.marks, key=f"mk_marks_{key}", placeholder="dfn, span.term, [style*=italic]",
            help=f"{HELP} Their words become brackets, beside those of links, bold, italics and underlines.",
        )  # fmt: skip
        chosen = None
        with report_errors():
            chosen = PageSelectors(select, drop, marks)
        if chosen is not None:
            _preview(files, chosen, f"mk_show_{turn}")
    return chosen


@report_errors()
def _preview(files, selectors, key):
    if not st.toggle("Show what is kept", sum(len(data) for _, data in files) <= SMALL, key=key):
        return
    preview = read_or_wait(FIELD, partial(preview_of_pages, session().workspace, files, selectors))
    if preview is None:
        return
    for source, reason in preview["problems"]:
        st.caption(f":material/warning: {escape(source)}: {escape(reason)}")
    chosen = (f"{escape(selector)}: {amount(count, 'element')}" for selector, count in preview["chosen"].items())
    st.caption(" · ".join(chosen))
    if not preview["titles"]:
        return
    table = preview_table(preview)
    sizes = list(zip(table["kept"], table["characters"], strict=True))
    kept_characters, whole = sum(size for mark, size in sizes if mark == "✓"), sum(table["characters"])
    st.caption(f"**{escape(', '.join(preview['titles']))}**: {kept_characters:,} of {whole:,} characters are kept")
    columns = {"kept": ("Kept", 120), "text": ("Text", 280), "characters": ("Characters", 80)}
    draw_table(table, columns=columns, most=TABLE, alt=f"{amount(len(sizes), 'piece')} of text, and which are kept")
