"""Errors against known trees, by kind of arc (druck2009, Table 3), with their words; constraints against them."""

from functools import partial

import streamlit as st

from core.constraints.authoring.ranking import verdict
from core.draw import compare_trees, show_change
from core.workspace.arc_lists import arcs_of_rows
from core.workspace.constraints.constraint_set import change_constraint, put_constraint
from core.workspace.constraints.proposals import proposal_table
from core.workspace.constraints.results import COUNTS, TABLES, cell_name, mistake_table, words_behind
from core.workspace.wording import all_learnt
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.arc_list import open_arcs
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.relations import arc_labels
from pages.shared.text_menu import open_text
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_view, column, draw_table, pager

LINES = "lines"
LABELS = {"gold": "Text", "model": "Model", "missed": "Missed", "wrong": "Wrong"}
ROW = "ge_proposal"


@report_errors()
def mistakes_panel(text, change):
    """Draw it for the trees after a Change."""
    known = session().learner.known(text)
    if known is None:
        _nothing_known(text)
        return
    known = session().learner.unseen(known, change.after)
    if not known.sentences:
        _nothing_unseen(text, known)
        return
    mistakes = session().learner.mistakes(known, change.after)
    names = TABLES | {LINES: "Proposed constraints"}
    table = choose_view("Errors by", names, ConstraintsView.errors_by, default="head_tags")
    score = session().learner.score(text, change.after)
    wrong, conditions = score.words - score.hits, score.conditions.phrase
    st.caption(
        f"{wrong:,} of {amount(score.words, 'word')} {'has' if wrong == 1 else 'have'} a wrong head, {conditions}. "
        + ("Select one to see the trees it would change." if table == LINES else "Click a number to see its words."),
        help="The kinds are those of Druck et al. 2009, Table 3: tag of the head, direction, distance, and the most "
        "frequent wrong arcs. **Text**: arcs in the known trees. **Model**: arcs in "
        "the model’s trees. **Missed**: arcs of the text that the model lacks. **Wrong**: arcs of the model that the "
        "text lacks. **Proposed constraints**: those that would have prevented many of these errors.",
    )
    if table == LINES:
        proposals_panel(known, change.after)
    else:
        _table(known, change, mistakes, table)


def _nothing_unseen(text, known):
    st.info(
        f"No errors to show: {all_learnt(known.learnt)}, and a parser makes few where it has learnt. Correct "
        "others under Check 20, which draws new ones. *What next?* trains without each third of the known trees, and "
        "scores on that.",
        icon=":material/info:",
    )
    _check_button(text)


def _nothing_known(text):
    st.info(
        "This text has no trees of its own. Correct some sentences under Check 20 and mark them done: their errors and "
        "constraints that would prevent them then stand here.",
        icon=":material/info:",
    )
    _check_button(text)


def _check_button(text):
    if st.button("Correct twenty sentences", icon=":material/fact_check:", key="ge_check"):
        open_text(text.corpus.id, AnnotateView, view="check")
        st.switch_page("pages/annotate.py", query_params={})


def _table(known, change, mistakes, table):
    text, rows = known.text, mistake_table(mistakes, table)
    names = list(rows)

    def choose(row, name):
        ConstraintsView().cell = (table, row, name if name in COUNTS else "wrong")

    columns = {"kind": (TABLES[table], 260)} | {name: (LABELS[name], 80, "localized") for name in names[1:]}
    alt = f"Words by {TABLES[table].lower()}: {_gist(rows)}"
    draw_table(rows, key=f"ge_mistakes_{table}", choose=choose, most=262, columns=columns, alt=alt)
    row, count = _chosen(table, rows)
    heads = change.after.heads
    arcs = arcs_of_rows(text.treebank, words_behind(mistakes, table, row, count), heads, known.heads)
    st.markdown(f"**{escape(rows['kind'][row])}** · {cell_name(rows, row, count)}")

    def draw(index):
        span = slice(*text.treebank.offsets[index : index + 2])
        labels = known.treebank[index].deprels, arc_labels(session().learner, change.after, text.treebank, index)
        posteriors = change.after.marginals[index]
        return compare_trees(known.treebank[index], heads[span], labels=labels, posteriors=posteriors)

    titles, of = ("Model’s head", "Text’s head"), f"{rows['kind'][row]}, {LABELS[count].lower()}"
    open_arcs(text, change, arcs, f"ge_mistake_{table}_{row}_{count}", draw, titles, of)


def _chosen(table, rows):
    """(row, count) of the number that is open in a table; the first row's wrong words where none is."""
    chosen = ConstraintsView().cell
    if not isinstance(chosen, tuple) or len(chosen) != 3 or chosen[0] != table:
        return 0, "wrong"
    _, row, count = chosen
    return (row, count) if row in range(len(rows["kind"])) and count in rows else (0, "wrong")


def _gist(rows):
    """The kind with most wrong words, in words."""
    worst = max(range(len(rows["kind"])), key=lambda k: rows["wrong"][k], default=None)
    return "none" if worst is None else f"most errors at {rows['kind'][worst]}, {rows['wrong'][worst]:,}"


@report_errors()
def proposals_panel(known, outcome):
    """Draw it for an Outcome against what is Known of its text."""
    source = session().source
    with st.spinner("Reading the errors"):
        proposals = session().learner.proposals(known, source, outcome)
    if not proposals:
        st.info(
            "No further constraint is expected to correct a word"
            + ("; correct more sentences, and there may be some." if known.by_hand else "."),
            icon=":material/done_all:",
        )
        return

    def choose(row, _):
        st.session_state[ROW] = row
        ConstraintsView().preview = 1

    table = proposal_table(proposals)
    columns = {"line": ("Constraint", 212 if "changes" in table else 274)}
    columns |= {"changes": column("Changes", 62, help="The line of the set that it takes the place of")}
    columns |= {"of": ("Of", 46, "localized", "How many it is about in the whole text")}
    columns |= {"model": ("Model", 48, "%.2f", "The share that the model gives it now")}
    columns |= {"known": ("Known", 48, "%.2f", f"Its share {known.source}")}
    columns |= {"errors": ("Errors", 48, "localized", "Wrong words that it is about")}
    columns |= {"gain": ("Gain", 46, "%.0f", "Errors that it should prevent, less those it makes")}
    alt = (
        f"{amount(len(proposals), 'proposed constraint')} with shares and errors; first {proposals[0].constraint.text}"
    )
    draw_table(table, key="ge_proposals", choose=choose, most=262, columns=columns, alt=alt)
    row = min(st.session_state.get(ROW, 0), len(proposals) - 1)
    _line(known, outcome, source, proposals[row])


def _line(known, outcome, source, proposal):
    """Draw the chosen proposal, the trees that it would change, and the button that adds it."""
    line, coverage = proposal.constraint, proposal.coverage
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Add constraint" if proposal.line is None else f"Change line {proposal.line.line}"
        icon = ":material/add:" if proposal.line is None else ":material/check:"
        take = partial(_take, known.text, source, proposal)
        st.button(label, key="ge_proposal_take", type="primary", icon=icon, on_click=take)
        st.code(line.text, language=None, wrap_lines=True)
    if proposal.line is not None:
        st.caption(f"Line {proposal.line.line} now has the target {escape(proposal.line.target_text)}.")
    for other in proposal.against:
        st.caption(f":material/warning: It contradicts line {other.line}, {escape(other.text)}.")
    st.markdown(
        f"It is about {coverage.denominator:,} {coverage.constraint.per}s. The model expects "
        f"**{proposal.expectation:.2f}**; {known.source} it is **{proposal.share:.2f}** "
        f"({coverage.edges:,} of {coverage.known_denominator:,}). The target is the 95% interval of that share.",
        help="The interval of Wilson (1927): few corrected words make a wide range, which asks for little.",
    )
    _preview(known, outcome, line)


@report_errors()
def _preview(known, outcome, line):
    text = known.text
    with st.spinner("Weighing the trees", show_time=True):
        preview = session().learner.preview(text, outcome.run, line)
    if not len(preview.sentences):
        st.caption("By itself it changes no tree; training may, as it learns from it.")
        return
    right, wrong = verdict(known.treebank, preview)
    st.markdown(
        f"By itself it moves **{preview.moved:,}** {'word' if preview.moved == 1 else 'words'} in "
        f"{amount(len(preview.sentences), 'sentence')}: {right:,} to the right head, {wrong:,} away from it, of those "
        "whose head is known.",
        help="The trees of the nearest model that gives the constraint its share, before any training. Training then "
        "learns from them, and changes more."
        + ("" if preview.met else f" The share reaches {preview.reached:.2f} only, at the weight of this constraint."),
    )
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        position = pager(len(preview.sentences), ConstraintsView.preview)
        index = int(preview.sentences[position - 1])
        st.caption(f"Sentence {int(text.treebank.picks[index]) + 1:,}, before and after", width="content")
    rows = slice(*text.treebank.offsets[index : index + 2])
    drawing = show_change(text.treebank[index], preview.before[rows], preview.after[rows], show_former=True)
    dependency_tree(drawing, key="ge_preview_tree")


@callback_errors(rerun=True)
def _take(text, source, proposal):
    if proposal.line is None:
        put_constraint(session().store, text.corpus, source, proposal.constraint)
    else:
        change_constraint(session().store, text.corpus, source, proposal.line.line, proposal.constraint)
    flash(f"Saved {escape(proposal.constraint.text)}" + ("" if session().follows else "; train to see the effect"))
    st.session_state.pop(ROW, None)
