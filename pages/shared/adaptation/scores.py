"""Scores of all systems by iteration, on the target and on the source, with numerator and denominator."""

import streamlit as st

from core.workspace.adaptation.plan import SOURCE, TARGET
from core.workspace.adaptation.tables import METRICS, NAMES, courses, score_table, significance_table
from pages.shared.charts import chart_colors, draw_chart, lines
from pages.shared.widgets import choose_view, column, draw_table, height_of

LINES = {  # colour, dash and marker of each system
    "none": ("plain", "dot", "circle-open"),
    "self_training": ("supported", "dash", "diamond"),
    "few_target_trees": ("gold", "dashdot", "square"),
    "scl": ("predicted", "solid", "circle"),
}
HALVES = [0.0, 0.445], [0.555, 1.0]  # of the width
TEXTS = {TARGET: "Target", SOURCE: "Source, kept back"}
TITLES = {"LAS": "LAS", "UAS": "UAS", "labels": "Labels"}
LEFT, RIGHT = 480, 570  # pixels: chart and significance, the table of scores


def course_chart(scores, key, height=330, metric="LAS"):
    """Draw per cent by iteration, target and source side by side, a line a system."""
    colors = chart_colors()
    courses_by_text = {text: courses(scores, text, metric) for text in TEXTS}
    courses_by_text = {text: systems for text, systems in courses_by_text.items() if systems}
    if not courses_by_text:
        return
    traces, axes, descriptions = [], {}, []
    for panel, (text, systems) in enumerate(courses_by_text.items(), start=1):
        for name, values in systems.items():
            color, dash, symbol = LINES[name]
            traces.append(
                lines(
                    list(range(1, len(values) + 1)), values, color=colors[color], dash=dash, name=NAMES[name],
                    size=7, symbol=symbol, legendgroup=name, showlegend=panel == 1,
                    xaxis=f"x{panel}", yaxis=f"y{panel}",
                    hovertemplate=f"{NAMES[name]}, iteration %{{x}}: %{{y:.2f}}% {metric}<extra></extra>",
                )
            )  # fmt: skip
            descriptions.append(f"{TEXTS[text].lower()}, {NAMES[name].lower()}: {values[0]:.1f} to {values[-1]:.1f}%")
        axes[f"xaxis{panel}"] = dict(
            title=f"iteration ({TEXTS[text].lower()})", dtick=1, zeroline=False, anchor=f"y{panel}",
            domain=HALVES[panel - 1] if len(courses_by_text) == 2 else [0.0, 1.0],
        )  # fmt: skip
        axes[f"yaxis{panel}"] = dict(ticksuffix="%", zeroline=False, anchor=f"x{panel}")
    draw_chart(  # the legend above: below, it would lie on the axis; a title between would lie under its second row
        traces, key=key, alt=f"{metric} by iteration; {'; '.join(descriptions)}", height=height, **axes,
        legend=dict(orientation="h", y=1.0, yanchor="bottom", x=0),
    )  # fmt: skip


def scores_panel(outcome):
    """Draw chart, table and significance."""
    with st.container(horizontal=True, gap="medium"):  # one below the other where there is no room
        left, right = st.container(width=LEFT), st.container(width=RIGHT)
    with left:
        help_text = "LAS: words with the right head and relation; UAS: the right head; labels: the right relation"
        metric = choose_view("Score", TITLES, "scl_metric", options=list(METRICS), default="LAS", help=help_text)
        course_chart(outcome.scores, "scl_course", metric=metric)
        _significance(outcome)
    with right:
        texts = [text for text in TEXTS if any(text in scores for scores in outcome.scores.values())]
        help_text = "Target: the text of another kind. Source: every tenth sentence of the open text, not learnt from"
        text = choose_view("Text", TEXTS, "scl_text", options=texts, help=help_text)
        table = score_table(outcome, text)
        columns = {"system": 120, "iteration": column("Iteration", 70, help="Passes over the training trees")}
        columns |= {metric: (title, 120) for metric, title in TITLES.items()}
        alt = f"LAS, UAS and label accuracy of {len(outcome.scores)} systems on the {text} after every iteration"
        draw_table(table, most=484, columns=columns, alt=alt)


def _significance(outcome):
    table = significance_table(outcome)
    if not table["system"]:
        return
    columns = {"system": ("Against no adaptation", 150), "what": ("Counted", 70)}
    columns |= {"better": ("Better", 60, "localized"), "worse": ("Worse", 60, "localized"), "p": ("p", 60, "%.3f")}
    alt = "Words of the target that only each system has right, and that only the parser without adaptation has right"
    draw_table(table, height=height_of(len(table["system"])), columns=columns, alt=alt)
