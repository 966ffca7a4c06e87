"""The learning curve of the text: measured in the background, by trees, words or lines; what more would bring."""

import streamlit as st

from core.workspace.compare import curve_tables
from core.workspace.compare.curves import KIND, CurvePlan, LearningCurve, learners_by, training_words
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.charts import LEGEND, chart_colors, draw_chart
from pages.shared.job_panel import job_panel
from pages.shared.widgets import choose_view, column, download, draw_table

DRAWS = [1, 2, 3, 5, 10]
EMPTY = {
    "trees": "How accuracy grows with the trees of this text that a parser learns from, and what more would bring.",
    "words": "How accuracy grows with the words of text that are learnt from without trees, and what more would bring.",
    "lines": "How accuracy grows with the lines of this text’s set, and what more like them would bring.",
}
UNITS = {"trees": "By trees", "words": "By words", "lines": "By lines"}
HELP = (
    "Trains on random draws of growing size, a larger one with all of the smaller, and scores each on every fifth tree "
    "of the text. The curve is a power law, accuracy = a − b·x^−c (Figueroa et al. 2012); the band is a 95% bootstrap "
    "interval of one more draw."
)


@st.fragment
def curve_panel(corpus):
    """Draw it, closed until somebody opens it."""
    opened = st.expander("Learning curve", icon=":material/show_chart:", key="cmp_curve", on_change="rerun")
    if opened.open:
        with opened, report_errors():
            _panel(corpus)


def _panel(corpus):
    with st.container(horizontal=True, vertical_alignment="center"):
        plan = _choice(corpus)

    curves, query = LearningCurve(session().systems), (corpus, plan.by, plan.learner)

    def newest():
        return next(iter(curves.of(*query)), None)

    newest()  # what it raises, of a text without tags, is said here: the panel below is a fragment of its own
    job_panel(
        KIND, "cmp_curve", "Measure", type="secondary", icon=":material/play_arrow:", help=HELP, newest=newest,
        start=lambda: curves.start(curves.inputs(corpus, plan), plan), resume=curves.resume,
        words=training_words, unit="training", view=lambda _: _shown(curves.latest(*query), plan.by),
    )  # fmt: skip


def _choice(corpus):
    """Draw what can be chosen; returns the CurvePlan."""
    by = choose_view("What grows", UNITS, "cmp_curve_by", linked=False)
    names = learners_by(by)
    learner = st.selectbox(
        "Learner", list(names), index=list(names).index(LearningCurve(session().systems).usual_learner(corpus, by)),
        format_func=lambda name: names[name].capitalize() if names[name][0].islower() else names[name],
        key=f"cmp_curve_learner_{by}", label_visibility="collapsed", width=320,
    )  # fmt: skip
    draws = st.selectbox(
        "Draws", DRAWS, index=DRAWS.index(CurvePlan.draws), key="cmp_curve_draws", width=120,
        format_func=lambda count: amount(count, "draw"), label_visibility="collapsed",
    )  # fmt: skip
    return CurvePlan(by, learner, draws)


def _shown(view, by):
    if view is None:
        st.caption(EMPTY[by])
        return
    st.caption(curve_tables.curve_note(view))
    chart, numbers = st.columns([7, 5], gap="medium")
    with chart:
        _chart(curve_tables.curve_chart(view), by)
    with numbers:
        _numbers(view)


def _numbers(view):
    with st.container(horizontal=True, vertical_alignment="bottom"):
        more = st.number_input(
            f"If there were so many {view.learner.by} more", 1, None, curve_tables.usual_more(view), width=220,
            key=f"cmp_curve_more_{view.run}_{curve_tables.usual_more(view)}",
        )  # fmt: skip
        name = f"curve-{view.learner.by}-{view.run}"
        download("CSV", curve_tables.curve_file(view), f"{name}.csv", "cmp_curve_csv", mime="text/csv")
        download("SVG", curve_tables.curve_figure(view), f"{name}.svg", "cmp_curve_svg", mime="image/svg+xml")
    st.markdown(curve_tables.more_sentence(view, more))
    columns = {view.learner.by: (view.learner.by.capitalize(), 70, "localized"), "known": ("", 95)}
    columns |= {"mean": ("Mean", 60, "%.1f", "Of the draws, in percent")}
    columns |= {"spread": ("Spread", 60, "%.1f", "Standard deviation of the draws, in points")}
    columns |= {"fitted": ("Fitted", 60, "%.1f"), "interval": column("95%", 105, help="Of one more draw: bootstrap")}
    alt = f"Accuracy by {view.learner.by}, measured and extrapolated"
    draw_table(
        curve_tables.curve_table(view), key="cmp_curve_table", columns=columns, placeholder="–", most=290, alt=alt
    )
    if curve_tables.law_note(view):
        st.caption(escape(curve_tables.law_note(view)))


def _chart(chart, by):
    colors = chart_colors()
    sizes, low, high = chart.band
    traces = [
        dict(
            type="scatter", x=[*sizes, *reversed(sizes)], y=[*high, *reversed(low)], mode="none", fill="toself",
            fillcolor=colors["predicted"], opacity=0.18, name="95% of single draws", hoverinfo="skip",
        ),
        _line(chart.fitted, "fitted", "solid", colors),
        _line(chart.dashed, "extrapolated", "dash", colors),
    ] if sizes else []  # fmt: skip
    traces.append(
        dict(
            type="scatter", x=chart.sizes, y=chart.means, mode="markers", name="measured, lowest to highest",
            marker=dict(size=9, color=colors["gold"]),
            error_y=dict(array=chart.above, arrayminus=chart.below, color=colors["gold"], thickness=1.4, width=4),
            hovertemplate="%{x:,} " + by + ": %{y:.1f}%<extra></extra>",
        )
    )  # fmt: skip
    draw_chart(
        traces, key="cmp_curve_chart", alt=chart.words, height=330, legend=LEGEND | {"x": 0.0, "xanchor": "left"},
        xaxis=dict(
            type="log", title=by, tickvals=chart.ticks, ticktext=[f"{size:,}" for size in chart.ticks], zeroline=False,
            range=chart.range,
        ),
        yaxis=dict(title="% of heads right", zeroline=False),
    )  # fmt: skip


def _line(course, name, dash, colors):
    sizes, values = course
    return dict(
        type="scatter", x=sizes, y=values, mode="lines", name=name,
        line=dict(color=colors["predicted"], width=2.2, dash=dash),
        hovertemplate="%{x:,.0f}: %{y:.1f}% " + name + "<extra></extra>",
    )  # fmt: skip
