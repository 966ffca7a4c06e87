"""How good the parsers are alone, jointly and in the certified search; the proof; files to take away."""

import streamlit as st

from core.workspace.joint import views
from core.workspace.joint.plan import JointPlan
from pages.shared.basics import escape
from pages.shared.joint.state import joint, show_list
from pages.shared.joint.view_state import JointView
from pages.shared.next_step import next_of_run
from pages.shared.tree_files import file_buttons
from pages.shared.widgets import choose_one, column, draw_table

HELP = (
    "UAS: words with the right head. DA: the same among words whose gold head is not the root. RA: sentences whose "
    "root word is right. CM: sentences with all heads right. Punctuation is not scored (Zhou & Zhao 2013, §3; Hall et "
    "al. 2006). Alone: each parser by itself; joint: after the last round; certified: the best pair of trees of two "
    "schemes. p: sign test over sentences."
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
    schemes = outcome.run.figures["schemes"]
    scored = {number: scheme for number, scheme in enumerate(schemes) if "rounds" in scheme}
    if scored:
        _scores(outcome, scored)
    next_of_run(outcome.run, bool(scored), "jt")
    if not scored:
        st.caption("The text has no trees in these schemes, so there are no scores.")
    if (certificate := views.certificate(outcome)) is None:
        st.caption("The certified search is for two schemes; these trees are those of the rounds.")
    else:
        proved, words = certificate
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("Certified", color="green" if proved else "orange")
            st.caption(words, width="stretch")
    _take_away(outcome)


def _scores(outcome, scored):
    """Draw a table of them, by the number of the scheme, and what the rounds changed."""
    table = views.score_table(list(scored.values()))

    def choose(row, system):
        if system in views.STAGES:
            place, measure = divmod(row, len(views.MEASURES))
            number, kind = list(scored)[place], views.MISSED[list(views.MEASURES)[measure]]
            stage = views.stage_of(outcome, system)
            indices = views.listed_sentences(outcome, (kind, number), stage)[0]
            name = views.missed_name(outcome, kind, number)
            show_list(f"{kind}-{number + 1}", name, stage, indices[0] if indices else 0)

    columns = {name: (name.capitalize(), 82) for name in table}
    columns |= {"scheme": column("Trees", 78, help=HELP), "measure": ("", 38), "of": ("Of", 44, "localized")}
    first = ", ".join(f"{table[system][0]} {system}" for system in views.STAGES if system in table)
    draw_table(
        table, key="jt_scores", choose=choose, columns=columns,
        alt=f"Scores in {' and '.join(dict.fromkeys(table['scheme']))}: UAS {first}, of {table['of'][0]} words; "
        "select one to see its wrong words",
    )  # fmt: skip
    for scheme in scored.values():
        verdict = escape(views.verdict(scheme, outcome.run.figures["sentences"]))
        st.markdown(f":small[{verdict}]", help=escape(views.scored_words(scheme)))


def _take_away(outcome):
    run = outcome.run
    with st.popover("Save", icon=":material/download:", key="jt_save"), st.container(width=400):
        file_buttons(outcome.files, "jt_save")
        st.code(
            f"python -m core parse FILE --model joint-run-{run.id}.npz --scheme 2 --out PARSED", language=None,
            wrap_lines=True,
        )  # fmt: skip
