"""Errors of the parses: confusions in a ranked list or a matrix, accuracy by kinds of words; a click opens the words.

The caption of a table stands above it, for the table's own toolbar comes up there and must cover no control.
"""

import streamlit as st

from core.evaluation.comparison import LAS, UAS
from core.languages.direction import side_name
from core.workspace.compare.accuracy import CHARTS, FREQUENCY, accuracy_chart
from core.workspace.compare.measures import F1, MEASURES, PRECISION, RECALL, groups_by, measures
from core.workspace.compare.tables import (
    REFERENCE,
    confusion_table,
    kind_table,
    ranked_table,
    set_beside,
    shades,
    table_columns,
)
from pages.shared.address import renamed
from pages.shared.basics import amount, escape, report_errors
from pages.shared.charts import LEGEND, chart_colors, draw_chart
from pages.shared.compare.differences import differences
from pages.shared.compare.filters import filter_button
from pages.shared.compare.places import parse_places
from pages.shared.compare.scores import open_words
from pages.shared.compare.tables import TALL, tallies_panel
from pages.shared.compare.view_state import CompareView
from pages.shared.widgets import choose_from, choose_one, choose_view, column, download, draw_table

VIEWS = {"confusions": "Confusions", "matrix": "Matrix", "accuracy": "Accuracy", "more": "More"}
BY = {kind: f"by {kind}" for kind in CHARTS}
MORE = {"group": "Groups", "constraint": "Constraints", "bracket": "Mark-up"}
FORMER = {"Confusion": "matrix"} | dict.fromkeys(MORE.values(), "more")  # what links of former times say
KINDS = {"Tag": "tag", "Relation": "relation", "Direction": "direction", "Distance": "distance",
         "Length": "sentence length", "Projectivity": "projectivity"}  # fmt: skip
CONFUSED = {"head tag": "Tag of head", "relation": "Relation", "direction": "Direction"}
WIDE = {1: 140, 2: 122, 3: 110, 4: 95}  # of a parse's column, beside so many
HELP = {
    PRECISION: "Precision: of the words to which the parse gives this relation, those with the right head and relation",
    RECALL: "Recall: of the words that have this relation, those with the right head and relation",
    F1: "The harmonic mean of precision and recall",
}
COUNTED = {
    UAS: "Words with the right head.", LAS: "Words with the right head and relation.",
    F1: "A word is right with its head and relation.",
}  # fmt: skip
TALLEST = 300
TICKS = (0, 20, 40, 60, 80, 100)
APART = 0.13  # between two parses, of the room of a kind
BY_RELATION = (
    "The filter keeps words by their relation in the reference, so precision and F1 miss others that a parse calls so."
)
ALONE = "Choose a second parse to compare with this one."
NO_TRUTH = (
    "Nothing says which heads are right: score against the text’s own trees, trees corrected by hand, or one of the "
    "parses. Three parses or more, baselines aside, have a majority."
)


def view_panel(corpus, parses, unfiltered):
    """Draw the view that is chosen; ``unfiltered`` are the parses before any filter."""
    _links_of_old()
    with st.container(horizontal=True, vertical_alignment="center"):
        shown = choose_view("View", VIEWS, CompareView.table, default="confusions")
        filter_button(corpus, unfiltered)
    with report_errors():
        if shown == "more":
            kind = choose_view("Judged by", MORE, CompareView.more, default="group")
            tallies_panel(corpus, parses, kind)
        else:
            {"confusions": _ranked, "matrix": _matrix, "accuracy": _accuracy}[shown](parses)


def _links_of_old():
    former = st.query_params.get(CompareView.table)
    for title, kind in KINDS.items():
        if former == title and CompareView.table not in st.session_state:
            CompareView().by = kind
        renamed(CompareView.table, title, "accuracy")
    for title, view in FORMER.items():
        if former == title and view == "more" and CompareView.table not in st.session_state:
            CompareView().more = next(kind for kind, name in MORE.items() if name == title)
        renamed(CompareView.table, title, view)


def _ranked(parses):
    other, names = set_beside(parses)
    if not names:
        st.caption(ALONE)
        return
    keys, table = ranked_table(parses)
    if not keys:
        st.caption("There are none.")
        return
    than = "" if parses.is_gold else f"Compared with {escape(str(other or parses.reference))}. "
    st.caption(f"{than}Ranked by {escape(names[0])}. Click a number to see its words.")

    def choose(row, name):
        name = name if name in names else max(names, key=lambda parse: table[parse][row] or 0)
        open_words(("confused", keys[row][0], name, *keys[row][1:]), (other, name))

    columns = {"error": ("Confusion", 295)} | {name: (name, WIDE[len(names)], "localized") for name in names}
    alt = f"{amount(len(keys), 'confusion')} of each parse, the most frequent first; click a number to see its words"
    draw_table(table, key="cmp_ranked", choose=choose, most=TALL, columns=columns, placeholder="–", alt=alt)


def _matrix(parses):
    reference, names = set_beside(parses)
    with st.container(horizontal=True, vertical_alignment="center"):
        labelled = [name for name in names if parses.labelled[name]]
        kinds = [kind for kind in CONFUSED if kind != "relation" or labelled]
        by = choose_view("Confusion of", CONFUSED, CompareView.confusion, options=kinds)
        names = labelled if by == "relation" else names
        if not names:
            st.caption(ALONE)
            return
        name = choose_one("Parse", {name: name for name in names}, CompareView.confused_parse, width=200)
    rows = str(parses.reference or reference)
    confusion = parses.comparison.confusion(name, by, reference)
    st.caption(
        f"Rows: {CONFUSED[by].lower()} in {escape(rows)}. Columns: in {escape(name)}. Click a number to see its words."
    )

    def choose(row, label):
        if label != REFERENCE:
            open_words(("cell", by, reference, name, confusion.labels[row], label), (rows, name))

    columns = {label: (side_name(label), 62, "localized") for label in confusion.labels}
    columns |= {REFERENCE: st.column_config.TextColumn(f"{rows} ↓", width=110, pinned=True)}
    colors = chart_colors()
    draw_table(
        confusion_table(confusion), key=f"cmp_cells_{by}", choose=choose, most=TALL, columns=columns, placeholder="",
        behind=shades(confusion, colors["gold"], colors["changed"]),
        alt=f"{CONFUSED[by]} in {rows}, a row each, and in {name}, a column each; click a number to see its words",
    )  # fmt: skip


def _accuracy(parses):
    if not parses.is_judged:
        st.caption(NO_TRUTH)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        kind = choose_from(
            st.selectbox, "By", BY, key=CompareView.by, bind="query-params", label_visibility="collapsed", width=182
        )
        offered = {measure: MEASURES[measure] for measure in measures(parses, kind)}
        measure = choose_one("Measure", offered, CompareView.measure, width=88) if len(offered) > 1 else UAS
        as_table = st.toggle("Table", key=CompareView.as_table, bind="query-params")
        chart = accuracy_chart(parses, kind, measure, parse_places(parses))
        name = f"{measure} by {kind}"
        download("SVG", chart.svg, f"{name}.svg", "cmp_chart_svg", mime="image/svg+xml")
        download("CSV", chart.csv, f"{name}.csv", "cmp_chart_csv", mime="text/csv")
    if measure == F1 and "relation" in parses.filtered_by:
        st.caption(BY_RELATION)
    if as_table:
        _table(parses, chart.by, measure)
    else:
        _chart(chart)
    tested = UAS if measure == UAS else LAS  # of F1 the words of its recall are tested
    differences(parses, chart.by, groups_by(parses, chart.by, tested), tested)


def _chart(chart):
    picture, colors = chart.picture, chart_colors()
    by_count = chart.kind == FREQUENCY

    def choose(number, group):
        if number < len(picture.series):
            name = picture.series[number].name
            open_words(_opening(chart.measure, chart.by, chart.groups[group], name), (None, name))

    traces = [_points(chart, number, by_count, colors) for number in range(len(picture.series))]
    traces += [_names(chart, colors)] if by_count else []
    top = max(chart.label_heights) + 5 if by_count else 103
    places = dict(tickvals=list(range(len(picture.names))), ticktext=list(picture.names), showgrid=False)
    draw_chart(
        traces, key=f"cmp_chart_{chart.kind}", alt=f"{picture.title}: {picture.words_of_figures}", height=TALLEST,
        choose=choose, legend=LEGEND | {"x": 0.0, "xanchor": "left"}, hovermode="closest",
        xaxis=dict(type="log", title="words with the tag", dtick=1, range=chart.axis) if by_count else places,
        yaxis=dict(title="F1" if chart.measure == F1 else "% right", range=[-3, top], tickvals=TICKS, zeroline=False),
    )  # fmt: skip
    st.caption(f"Click a point to see its errors. {escape(chart.note)}")


def _points(chart, number, by_count, colors):
    """The trace of a parse: a point a kind, moved aside where there are several parses."""
    picture = chart.picture
    series = picture.series[number]
    style, symbol = series.style
    color = colors[style]
    aside = APART * (number - (len(picture.series) - 1) / 2)
    x = [words * (1 + aside / 2) for words in picture.words] if by_count else [at + aside for at in chart.places]
    return dict(
        type="scatter", x=x, y=series.shares, mode="markers", name=series.name, customdata=picture.words,
        text=picture.names, marker=dict(color=color, size=9, symbol=symbol),
        error_y=dict(array=series.above, arrayminus=series.below, color=color, thickness=1.4, width=3),
        hovertemplate="%{text}: %{y:.1f}% of %{customdata:,} words<extra></extra>",
        selected=dict(marker=dict(opacity=1)), unselected=dict(marker=dict(opacity=1)),
    )  # fmt: skip


def _names(chart, colors):
    """The trace of the names of groups, above their points in rows in which they do not overlap."""
    return dict(
        type="scatter", x=chart.picture.words, y=chart.label_heights, mode="text", text=chart.picture.names,
        textfont=dict(size=10, color=colors["ink"]), hoverinfo="skip", showlegend=False,
    )  # fmt: skip


def _column(name, score, parse):
    """How a column of ``kind_table`` looks."""
    short = {PRECISION: "P", RECALL: "R", F1: "F1"}.get(score)
    return (
        (name, 125)
        if short is None
        else column(f"{short} · {parse}", 140 if score == PRECISION else 110, help=HELP[score])
    )


def _opening(measure, kind, group, name):
    """What ``open_words`` takes for the words that a parse has wrong in a group."""
    return ("kind", kind, group, name) if measure == UAS else ("measured", measure, kind, group, name)


def _table(parses, kind, measure):
    groups, table = kind_table(parses, kind, measure)
    shown = table_columns(parses, measure)

    def choose(row, name):
        if name in shown:
            score, parse = shown[name]
            open_words(_opening(score, kind, groups[row], parse), (None, parse))
        else:
            open_words(("kind", kind, groups[row], "words"))

    columns = {"kind": (kind.capitalize(), 120), "words": ("Words", 58, "localized")}
    columns |= {name: _column(name, *whose) for name, whose in shown.items()}
    st.caption(f"{COUNTED[measure]} Click a percentage to see its errors.")
    alt = f"{MEASURES[measure]} by {kind}, {len(groups)} rows; click one to see its errors"
    draw_table(
        table, key=f"cmp_by_{kind}_{measure}", choose=choose, most=TALL, columns=columns, alt=alt, placeholder="–"
    )  # fmt: skip
