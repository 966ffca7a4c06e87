"""How good both parsers are alone, jointly and in the certified search; the proof; files to take away."""

import streamlit as st

from core.workspace.joint import views
from core.workspace.joint.plan import JointPlan
from pages.shared.basics import escape
from pages.shared.joint.state import joint, show_list
from pages.shared.joint.view_state import JointView
from pages.shared.next_step import next_of_run
from pages.shared.tree_files import file_buttons
from pages.shared.widgets import choose_one, draw_table

HELP = (
    "UAS: words with the right head. DA: the same among words whose gold head is not the root. RA: sentences whose "
    "root word is right. CM: sentences with all heads right. Punctuation is not scored (Zhou & Zhao 2013, §3; Hall et "
    "al. 2006). Alone: each parser by itself; joint: after the last round; certified: the best pair of trees."
)


def chosen_run(inputs):
    """Draw the choice among finished runs on these inputs, where there are several; returns one, or None."""
    runs = {run.id: run for run in joint().finished(inputs)}
    if len(runs) < 2:
        return next(iter(runs.values()), None)
    names = {number: _name(run) for number, run in runs.items()}
    return runs[choose_one("Run", names, JointView.run, gone=("run", "the newest is shown"))]


def _name(run):
    plan = JointPlan.from_dict(run.settings).settings
    return (
        f"Run {run.id}, {run.created.astimezone():%H:%M}: order {plan.order}, {plan.candidates} trees, "
        f"{plan.rounds} rounds"
    )


def scores_panel(outcome):
    """Draw it."""
    figures, scored = outcome.run.figures, False
    for number, scheme in enumerate(figures["schemes"]):
        table = views.score_table(scheme)
        if table is None:
            continue
        scored = True
        st.markdown(f"**{escape(scheme['name'])}**", help=HELP)
        columns = {name: (name.capitalize(), 88) for name in table}

        def choose(row, system, number=number):
            if system not in ("measure", "of"):
                kind, stage = views.MISSED[list(views.MEASURES)[row]], views.stage_of(outcome, system)
                indices = views.listed_sentences(outcome, (kind, number), stage)[0]
                name = views.missed_name(outcome, kind, number)
                show_list(f"{kind}-{number + 1}", name, stage, indices[0] if indices else 0)

        draw_table(
            table, key=f"jt_scores_{number}", choose=choose,
            columns=columns | {"measure": ("", 38), "of": ("Of", 44, "localized")},
            alt=f"Scores in {scheme['name']}: UAS {table['alone'][0]} alone, {table['joint'][0]} jointly, "
            f"{table['certified'][0]} certified, of {table['of'][0]} words; select one to see its wrong words",
        )  # fmt: skip
        st.markdown(f":small[{escape(views.verdict(scheme, figures['sentences']))}]")
    next_of_run(outcome.run, scored, "jt")
    if not scored:
        st.caption("The text has no trees in either scheme, so there are no scores.")
    _proof(outcome)
    _take_away(outcome)


def _proof(outcome):
    proved, whole, words = views.certificate(outcome)
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Certified" if proved == whole else f"Certified for {proved:,} of {whole:,}"
        st.badge(label, color="green" if proved == whole else "orange")
        st.caption(
            words[0].upper() + words[1:] + ".", width="stretch",
            help=r"$\max_{y,z} F_1(y)/T_1 + F_2(z)/T_2 + \rho \cdot |y \cap z|$ by dual decomposition, $F_k$ being "
            "the joint parsers with features of the last round's lists; proved where the bounds meet. The reward "
            r"$\rho$ is the best on held-out sentences, perhaps 0: then each parser's best tree is in the best pair.",
        )  # fmt: skip


def _take_away(outcome):
    run = outcome.run
    with st.popover("Save", icon=":material/download:", key="jt_save"), st.container(width=400):
        file_buttons(outcome.files, "jt_save")
        st.code(
            f"python -m core parse FILE --model joint-run-{run.id}.npz --scheme 2 --out PARSED", language=None,
            wrap_lines=True,
        )  # fmt: skip
