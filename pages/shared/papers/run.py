"""The experiments of a paper: the choice of one and of its text, its run, and what it found."""

import streamlit as st

from core.workspace.papers.contents import materials_table
from core.workspace.papers.reproduction import KIND, Reproduction
from pages.shared.basics import escape, session
from pages.shared.job_panel import job_panel
from pages.shared.papers.view_state import PapersView
from pages.shared.widgets import choose_one, choose_view, download, draw_table

SAMPLE, TEXT = "sample", "text"
HELP = "Runs it quickly, in seconds or a minute or two: fewer sizes and splits than the paper has"


def experiment_panel(paper):
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = choose_one("Table or figure", paper.titles, PapersView.experiment, width=560)
        data = choose_view("Text", {SAMPLE: "The sample", TEXT: "This text"}, PapersView.data)
    experiment, task = paper.experiment(chosen), session().room(Reproduction)
    inputs = task.inputs(session().project, session().corpus if data == TEXT else None)
    job_panel(
        KIND, "pp", "Run", icon=":material/play_arrow:", help=HELP, unit="step", resume=task.resume,
        start=lambda: task.start(inputs, experiment.name), newest=lambda: task.latest(inputs, experiment.name),
        view=lambda active: _found(task.view(inputs, experiment.name), experiment),
    )  # fmt: skip


def _found(view, experiment):
    """Draw what a run found, or what there is to run."""
    if view is None:
        _reads(experiment)
        return
    st.caption(f"{escape(experiment.reference)}. **Data: {escape(view.data)}**, not the paper's. {view.seconds:.0f} s.")
    if view.pictures:
        theme = "dark" if st.context.theme.type == "dark" else "light"
        st.image(view.pictures[theme], width="content", alt=f"{experiment.title}; its numbers are in the table below")
        download("SVG", view.pictures["light"], f"{experiment.name}.svg", "pp_svg", mime="image/svg+xml")
    draw_table(view.rows, key="pp_rows", alt=f"{experiment.title}: ours beside the paper's", placeholder="–", most=420)
    for title, table in view.tables.items():
        with st.expander(escape(title)):
            draw_table(table, alt=title, placeholder="–", most=420)
    with st.expander("How data and method differ from the paper's"):
        st.markdown("\n".join(f"- {escape(note)}" for note in view.notes))


def _reads(experiment):
    """Draw which corpora stand for the paper's where one has them."""
    st.caption(f"{escape(experiment.reference)}. Not run on this text yet. With `--data` the command reads instead:")
    draw_table(materials_table(experiment), key="pp_reads", alt="What it reads where one has the corpora", most=300)
