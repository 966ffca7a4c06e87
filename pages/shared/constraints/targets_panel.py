"""Every constraint's share against its target, iteration by iteration; a click opens the pairs that it matches."""

from functools import partial

import streamlit as st

from core.workspace.arc_lists import arcs_of_positions
from core.workspace.constraints.coverage import survey
from core.workspace.constraints.results import course_table, curve
from pages.shared.arc_list import open_pairs
from pages.shared.basics import amount, escape, session
from pages.shared.charts import target_chart
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.widgets import draw_table


def targets_panel(text, change, run, snapshot):
    """Draw it for a finished Run on a text, for the untrained model (None), or for the job of ``snapshot``."""
    watched = session().store.run(snapshot.run) if snapshot else run
    if watched is None:
        rows = survey(text.with_set(session().workspace, session().source), change.before).rows
        names = [row.constraint.name for row in rows]
        low, high = ([getattr(row.constraint, end) for row in rows] for end in ("low", "high"))
        caption = f"Shares of {amount(len(names), 'constraint')} under {change.before.parser}, with their targets"
        st.caption(caption)
        target_chart(names, low, high, [row.before for row in rows], None, "ge_chart", caption)
        return
    course = curve(watched, session().jobs.trace(watched.id))
    last = len(course.iterations) - 1
    if last < 0:
        st.caption("The first iteration is running.")
        return
    at = last
    if last > 0 and snapshot is None:
        chosen = st.select_slider(
            "Iteration", course.iterations.tolist(), course.iterations[-1].item(), key=f"ge_iteration_{watched.id}"
        )
        at = course.iterations.tolist().index(chosen)
    trained = text.with_set(session().workspace, watched.constraint_text)
    rows = survey(trained, change.after if snapshot else change.before).rows
    used = [row.coverage.denominator > 0 for row in rows]
    rows, course = [row for row, matches in zip(rows, used, strict=True) if matches], course.of(used)
    lie = "lies" if course.met[at] == 1 else "lie"
    met = f"{course.met[at]} of {amount(len(course.names), 'share')} {lie} within 0.05 of the target"
    caption = f"After iteration {course.iterations[at]} of {course.iterations[-1]}, {met}."
    st.caption(caption)
    before = [row.before for row in rows]
    target_chart(course.names, course.low, course.high, before, course.shares[at].tolist(), "ge_chart", caption)
    if snapshot is None:
        _courses(text, change, watched, course, [row.coverage.denominator for row in rows])


def _courses(text, change, run, course, counts):
    """Draw the table of shares along training, and the pairs of the constraint that is chosen."""
    table = course_table(course, counts)
    columns = {"line": 36, "constraint": 205, "target": 58, "model": ("Model", 52, "%.2f")}
    columns |= {"of": ("Of", 52, "localized", "What the share is of")}
    columns |= {"met": ("Met", 44, None, "Within 0.05 of the target")}
    columns |= {"course": st.column_config.LineChartColumn("Along training", y_min=0.0, y_max=1.0, width=80)}
    alt = f"{amount(len(table['constraint']), 'constraint')} with target, share, and the share along training"
    forget = partial(st.session_state.pop, ConstraintsView.course, None)
    draw_table(table, key="ge_courses", keep=ConstraintsView.course, clear=forget, most=262, columns=columns, alt=alt)
    row = ConstraintsView().course
    if row is None or row >= len(table["constraint"]):
        st.caption("Click a constraint to see the pairs of words that it matches.")
        return
    matches = session().learner.matches(text, run.constraint_text)
    index = [constraint.line for constraint in matches.constraints].index(course.lines[row])
    arcs = arcs_of_positions(matches.arc_offsets, matches.of(index))
    st.markdown(f"**{escape(course.names[row])}** matches {amount(len(arcs), 'pair')}")
    open_pairs(text, change, arcs, f"ge_pairs_{run.id}_{row}")
