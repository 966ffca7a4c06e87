"""What each constraint is worth: its share without it, the arcs it decides, the constraints that overlap with it."""

from functools import partial

import streamlit as st

from core.draw import show_change
from core.workspace.arc_lists import arcs_of_changes, arcs_of_positions, trees_of
from core.workspace.constraints.ablation import ablation_table, judged_words, moved_shares, shared_pairs, verdicts
from pages.shared.arc_list import open_arcs, open_pairs
from pages.shared.basics import amount, callback_errors, escape, report_errors, session
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.job_panel import cancel_button, progress_line, under_way, watch
from pages.shared.widgets import choose_view, draw_table

WITHOUT = {
    False: "What its share would be if it were dropped and the others stayed: an estimate without training",
    True: "What its share would be without its multiplier, the weight with which training pushes towards its target; "
    "the grammar keeps what it has learnt from it",
}


@report_errors()
def lines_panel(text, change, run):
    """Draw it for a finished Run on a text; what is not known yet is worked out in the background."""
    if run is None:
        st.caption("Train first: the worth of a constraint is what the trained model would lose without it.")
        return
    ablation, job = session().learner.ablation.latest(run)
    if ablation is None and job is None:
        session().learner.ablation.start_for(run)
    if ablation is not None:
        _ablation(text, change, ablation, run)
        return
    watch(partial(under_way, session().learner.ablation.kind), _progress, run)


def _progress(active, run):
    """How far the job is, or why it has ended without a result."""
    if active is not None:
        progress_line(active, lambda _: "Reading the features of every pair of words")
        cancel_button(active, "ge_worth_cancel")
        return
    ablation, job = session().learner.ablation.latest(run)
    if ablation is not None:
        st.rerun()
    st.caption(escape((job and job.error) or "The computation of what each constraint is worth was stopped."))
    st.button("Compute", key="ge_worth_start", icon=":material/play_arrow:", on_click=_start, args=(run,))


@callback_errors(rerun=True)
def _start(run):
    session().learner.ablation.start_for(run)


def _ablation(text, change, ablation, run):
    learner = session().learner
    learnt, known = learner.keeps_learnt(run), learner.known(text)
    known = known and learner.unseen(known, change.after)
    lines, targets = verdicts(ablation, learnt)
    st.caption(f"{lines} {targets}")
    table = ablation_table(ablation, learnt, known)
    decides = f"Words, of {ablation.words:,}, that would have another head without this constraint"
    width = 150 if known else 195 if "note" in table else None
    columns = {"line": 36, "constraint": ("Constraint", width), "target": 58}
    columns |= {"with": ("With", 48, "%.2f", "The share in the model")}
    columns |= {"without": ("Without", 60, "%.2f", WITHOUT[learnt]), "decides": ("Decides", 58, "localized", decides)}
    columns |= {"right": ("Right", 48, "localized", "Of these, by checked trees, right only with it")}
    columns |= {"wrong": ("Wrong", 52, "localized", "Right only without it")}
    columns |= {"note": ("Remark", 85)}
    alt = f"{amount(len(table['line']), 'constraint')}: its share with and without it, and the arcs it decides"
    draw_table(table, key="ge_worth", keep=ConstraintsView.worth, most=290, columns=columns, alt=alt)
    for problem in ablation.problems:
        st.caption(f":material/warning: {escape(problem)}")
    row = min(ConstraintsView().worth, len(table["line"]) - 1)
    _constraint(text, change, ablation, run, row, known)


def _constraint(text, change, ablation, run, row, known):
    """Draw the arcs that the chosen constraint decides, or the constraints that match the same pairs."""
    constraint, flips = ablation.constraints[row], ablation.flips[row]
    st.markdown(f"**Line {constraint.line}: {escape(constraint.name)}** · {escape(moved_shares(ablation, row))}")
    matches = session().learner.matches(text, run.constraint_text)
    overlapping = shared_pairs(matches, row)
    views = {"flips": f"Arcs it decides ({len(flips):,})", "shared": f"Overlapping constraints ({len(overlapping)})"}
    view = choose_view("About the constraint", views, "ge_worth_view", linked=False)
    if view == "shared":
        _shared(text, change, matches, row, overlapping)
        return
    arcs = arcs_of_changes(flips)
    heads, offsets = change.after.heads, text.treebank.offsets

    def draw(index):
        before, after = trees_of(arcs, heads, index, *offsets[index : index + 2])
        return show_change(text.treebank[index], before, after, posteriors=change.after.marginals[index])

    direct = int(flips.own.sum())
    st.caption(
        f"{len(flips):,} of {amount(ablation.words, 'word')} would have another head without it; {direct:,} of them "
        f"have a head that it matches, the others follow.{judged_words(flips, known)}"
    )
    open_arcs(text, change, arcs, f"ge_flips_{run.id}_{row}", draw, ("Without it", "With it"))


def _shared(text, change, matches, row, overlapping):
    """Draw the choice of a constraint that matches some of the same pairs, and these pairs."""
    if not overlapping:
        st.caption("No other constraint matches any of the same pairs.")
        return
    names = [matches.constraints[other].name for other, _ in overlapping]
    pairs = int(matches.pairs[row])
    chosen = st.selectbox(
        "Shares pairs with", range(len(names)), key=f"ge_shared_{row}",
        format_func=lambda k: f"{names[k]} · {len(overlapping[k][1]):,} of {amount(pairs, 'pair')}",
    )  # fmt: skip
    other, places = overlapping[chosen]
    arcs = arcs_of_positions(matches.arc_offsets, places)
    open_pairs(text, change, arcs, f"ge_shared_{row}_{other}")
