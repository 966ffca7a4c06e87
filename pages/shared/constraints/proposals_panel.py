"""Lines proposed from errors: what each would do, the trees it would change, and one click to add it."""

from functools import partial

import streamlit as st

from core.constraints.ranking import verdict
from core.draw import show_change
from core.workspace import escape
from core.workspace.constraints.constraint_set import change_constraint, put_constraint
from core.workspace.constraints.proposals import proposal_table
from core.workspace.wording import amount
from pages.shared.messages import callback_errors, flash, report_errors
from pages.shared.pager import pager
from pages.shared.session import session
from pages.shared.table import count_column, draw_table, number_column, text_column
from pages.shared.tree import dependency_tree

ROW = "ge_proposal"
PLACE = "ge_preview"  # of the changed sentences that a line has, which one is shown


@report_errors()
def proposals_panel(known, outcome):
    """Draw it for an Outcome against what is Known of its Text."""
    source = session().source
    with st.spinner("Reading the errors"):
        found = session().learner.proposals(known, source, outcome)
    if not found:
        st.info(
            "No line is expected to put a word right that the lines of the set leave wrong"
            + ("; correct more sentences, and there may be some." if known.by_hand else "."),
            icon=":material/done_all:",
        )
        return

    def choose(row, _):
        st.session_state[ROW] = row
        st.session_state[PLACE] = 1

    table = proposal_table(found)
    draw_table(
        table, key="ge_proposals", choose=choose, most=262,
        column_config={
            "line": text_column("Line", 212 if "changes" in table else 274),
            "changes": text_column("Changes", 62, help="The line of the set that it takes the place of"),
            "of": count_column("Of", 46, help="Of how many it speaks in the whole text"),
            "model": number_column("Model", 48, "%.2f", help="The share that the model gives it now"),
            "known": number_column("Known", 48, "%.2f", help=f"Its share {known.source}"),
            "errors": count_column("Errors", 48, help="Wrong words that it speaks of"),
            "gain": number_column("Gain", 46, "%.0f", help="Errors that it should prevent, less those it makes"),
        },
        alt=f"{amount(len(found), 'proposed line')} with shares and errors; first {found[0].constraint.text}",
    )  # fmt: skip
    row = min(st.session_state.get(ROW, 0), len(found) - 1)
    _line(known, outcome, source, found[row])


def _line(known, outcome, source, proposal):
    """What the chosen line says, what it would change, and the button that takes it."""
    line, coverage = proposal.constraint, proposal.coverage
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Add line" if proposal.line is None else f"Change line {proposal.line.line}"
        icon = ":material/add:" if proposal.line is None else ":material/check:"
        take = partial(_take, known.text, source, proposal)
        st.button(label, key="ge_proposal_take", type="primary", icon=icon, on_click=take)
        st.code(line.text, language=None, wrap_lines=True)
    if proposal.line is not None:
        st.caption(f"Now line {proposal.line.line} says {escape(proposal.line.target_text)}.")
    for other in proposal.against:
        st.caption(f":material/warning: It contradicts line {other.line}, {escape(other.text)}.")
    st.markdown(
        f"It speaks of {coverage.denominator:,} {coverage.constraint.per}s. The model expects "
        f"**{proposal.expectation:.2f}**; {known.source} it is **{proposal.share:.2f}** "
        f"({coverage.edges:,} of {coverage.known_denominator:,}). The target is the 95% interval of that share.",
        help="The interval of Wilson (1927): few corrected words make a wide range, which asks for little.",
    )
    _preview(known, outcome, line)


@report_errors()
def _preview(known, outcome, line):
    text = known.text
    with st.spinner("Weighing the trees", show_time=True):
        found = session().learner.preview(text, outcome.run, line)
    if not len(found.sentences):
        st.caption("By itself it changes no tree; training may, as it learns from it.")
        return
    right, wrong = verdict(known.treebank, found)
    st.markdown(
        f"By itself it moves **{found.moved:,}** {'word' if found.moved == 1 else 'words'} in "
        f"{amount(len(found.sentences), 'sentence')}: {right:,} to the right head, {wrong:,} away from it, of those "
        "whose head is known.",
        help="The trees of the nearest model that gives the line its share, before any training. Training then learns "
        "from them, and changes more."
        + ("" if found.met else f" The share reaches {found.reached:.2f} only, the line’s weight being what it is."),
    )
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        place = pager(len(found.sentences), PLACE)
        index = int(found.sentences[place - 1])
        st.caption(f"Sentence {int(text.treebank.picks[index]) + 1:,}, before and after", width="content")
    rows = slice(*text.treebank.offsets[index : index + 2])
    drawing = show_change(text.treebank[index], found.before[rows], found.after[rows], show_former=True)
    dependency_tree(drawing, key="ge_preview_tree")


def _take(text, source, proposal):
    with callback_errors():
        if proposal.line is None:
            put_constraint(session().store, text.corpus, source, proposal.constraint)
        else:
            change_constraint(session().store, text.corpus, source, proposal.line.line, proposal.constraint)
        flash(f"Saved {escape(proposal.constraint.text)}" + ("" if session().follows else "; train to see the effect"))
        st.session_state.pop(ROW, None)
    st.rerun("app")
