"""Scores of all systems by iteration, on the target and on the source, with numerator and denominator."""

import streamlit as st

from core.workspace.adaptation.plan import SOURCE, TARGET
from core.workspace.adaptation.tables import METRICS, NAMES, courses, score_table, significance_table
from pages.shared.charts import chart_colors, draw_chart, lines
from pages.shared.table import count_column, draw_table, height_of, number_column, text_column
from pages.shared.widgets import choose_view

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
    found = {text: courses(scores, text, metric) for text in TEXTS}
    found = {text: systems for text, systems in found.items() if systems}
    if not found:
        return
    traces, axes, heard = [], {}, []
    for column, (text, systems) in enumerate(found.items(), start=1):
        for name, values in systems.items():
            color, dash, symbol = LINES[name]
            traces.append(
                lines(
                    list(range(1, len(values) + 1)), values, color=colors[color], dash=dash, name=NAMES[name],
                    size=7, symbol=symbol, legendgroup=name, showlegend=column == 1,
                    xaxis=f"x{column}", yaxis=f"y{column}",
                    hovertemplate=f"{NAMES[name]}, iteration %{{x}}: %{{y:.2f}}% {metric}<extra></extra>",
                )
            )  # fmt: skip
            heard.append(f"{TEXTS[text].lower()}, {NAMES[name].lower()}: {values[0]:.1f} to {values[-1]:.1f}%")
        axes[f"xaxis{column}"] = dict(
            title=f"iteration ({TEXTS[text].lower()})", dtick=1, zeroline=False, anchor=f"y{column}",
            domain=HALVES[column - 1] if len(found) == 2 else [0.0, 1.0],
        )  # fmt: skip
        axes[f"yaxis{column}"] = dict(ticksuffix="%", zeroline=False, anchor=f"x{column}")
    draw_chart(  # the legend above: below, it would lie on the axis; a title between would lie under its second row
        traces, key=key, alt=f"{metric} by iteration; {'; '.join(heard)}", height=height, **axes,
        legend=dict(orientation="h", y=1.0, yanchor="bottom", x=0),
    )  # fmt: skip


def scores_panel(outcome):
    """Draw chart, table and significance."""
    with st.container(horizontal=True, gap="medium"):  # one below the other where there is no room
        left, right = st.container(width=LEFT), st.container(width=RIGHT)
    with left:
        metric = choose_view(
            "Score",
            TITLES,
            "scl_metric",
            options=list(METRICS),
            default="LAS",
            help="LAS: words with the right head and relation; UAS: the right head; labels: the right relation",
        )
        course_chart(outcome.scores, "scl_course", metric=metric)
        _significance(outcome)
    with right:
        known = [text for text in TEXTS if any(text in found for found in outcome.scores.values())]
        text = choose_view(
            "Text",
            TEXTS,
            "scl_text",
            options=known,
            help="Target: the text of another kind. Source: every tenth sentence of the open text, not learnt from",
        )
        table = score_table(outcome, text)
        draw_table(
            table,
            most=484,
            column_config={
                "system": text_column("System", 120),
                "iteration": number_column("Iteration", 70, help="Passes over the training trees"),
                **{metric: text_column(title, 120) for metric, title in TITLES.items()},
            },
            alt=f"LAS, UAS and label accuracy of {len(outcome.scores)} systems on the {text} after every iteration",
        )


def _significance(outcome):
    table = significance_table(outcome)
    if not table["system"]:
        return
    draw_table(
        table,
        height=height_of(len(table["system"])),
        column_config={
            "system": text_column("Against no adaptation", 150),
            "what": text_column("Counted", 70),
            "better": count_column("Better", 60),
            "worse": count_column("Worse", 60),
            "p": number_column("p", 60, "%.3f"),
        },
        alt="Words of the target that only each system has right, and that only the parser without adaptation has "
        "right",
    )
