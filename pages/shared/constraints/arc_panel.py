"""Below the tree: what the chosen arc is an instance of, and which constraints pulled it in or out."""

from functools import partial

import streamlit as st

from core.constraints.suggest import ANSWERS, with_target
from core.workspace import escape
from core.workspace.constraints.constraint_set import line_saying, put_constraint
from core.workspace.constraints.explanations import head_options, instance_table, instances, pull_table
from core.workspace.wording import amount, question, word_name
from pages.shared.constraints.form import fill_form
from pages.shared.messages import callback_errors, flash, report_errors
from pages.shared.session import session
from pages.shared.table import count_column, draw_table, number_column, text_column

VIEWS = {"instance": "Make a constraint", "why": "Why this arc"}
ROW = "ge_arc_row"  # (pair, row chosen in its table)


def arc_panel(text, outcome, index, choice):
    """Draw it for a Selection of the tree of sentence ``index``, or None; ``outcome`` is the model in use."""
    if choice is None:
        st.caption(":material/touch_app: Click an arc or a word to make a constraint of it, or to ask why it is there.")
        return
    sentence, word = text.treebank[index], choice.word
    options = head_options(outcome, index, word)
    probabilities = dict(options)
    heads = list(probabilities)
    drawn = choice.arc[0] if choice.arc else int(outcome.heads[text.treebank.offsets[index] + word])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        head = st.selectbox(
            f"Head of {word_name(sentence, word)}",
            heads,
            index=heads.index(drawn) if drawn in heads else 0,
            format_func=lambda head: f"{word_name(sentence, head)} · {probabilities[head]:.2f}",
            key=f"ge_arc_head_{outcome.number}_{index}_{word}_{drawn}",
            width=210,
            help="Every other word of the sentence and the root, with the probability that the model gives it",
        )
        view = st.segmented_control(
            "About the arc", list(VIEWS), default="instance", format_func=VIEWS.get, key="ge_arc_view",
            label_visibility="collapsed",
        )  # fmt: skip
    with report_errors():
        if view == "why":
            _why(text, outcome, index, head, word, heads)
        else:
            _instances(text, outcome, index, head, word)


def _instances(text, outcome, index, head, word):
    pair = [index, head, word]
    found = instances(text, outcome, index, head, word)

    def choose(row=None, _=None):
        st.session_state[ROW] = None if row is None else (pair, row)

    chosen = st.session_state.get(ROW)
    row = next((k for k, each in enumerate(found) if each.level == "direction"), 0)
    if chosen is not None and list(chosen[0]) == pair and chosen[1] < len(found):
        row = chosen[1]
    st.caption(f"{amount(len(found), 'constraint')} that these two words fit; click one to choose it")
    draw_table(
        instance_table(found), key=f"ge_arc_table_{index}_{head}_{word}", choose=choose, clear=choose, most=218,
        column_config={
            "constraint": text_column("From general to specific"),
            "pairs": count_column("Pairs", 55),
            "of": count_column("Of", 52, help="Words that have such a head; the shares are of these"),
            "model": number_column("Model", 52, "%.2f"),
            "gold": number_column("Text", 52, "%.2f", help="In the text’s own trees"),
        },
        alt=f"{amount(len(found), 'constraint')} that these two words fit, with pairs and shares",
    )  # fmt: skip
    _choose_share(text, found[row])


def _choose_share(text, instance):
    """The chosen constraint as a question, the five answers, and what to do with it."""
    st.markdown(f"**{escape(question(instance.constraint, instance.coverage.denominator))}**")
    answer = st.segmented_control(
        "Answer",
        list(ANSWERS),
        default="mostly",
        format_func=lambda name: f"{name} {ANSWERS[name]:.0%}",
        key="ge_arc_answer",
        label_visibility="collapsed",
    )
    constraint = with_target(instance.constraint, ANSWERS[answer or "mostly"])
    source = session().source
    number = line_saying(source, constraint)
    with st.container(horizontal=True, vertical_alignment="center"):
        name, icon = ("Add", ":material/add:") if number is None else (f"Change line {number}", ":material/check:")
        st.button(name, key="ge_arc_add", icon=icon, on_click=partial(_put, text, source, constraint))
        st.button("Open in the form", key="ge_arc_form", type="tertiary", on_click=partial(_form, constraint))
        st.code(constraint.text, language=None, wrap_lines=True)


@callback_errors(rerun=True)
def _put(text, source, constraint):
    put_constraint(session().store, text.corpus, source, constraint)
    flash(f"Saved {escape(constraint.text)}")


def _form(constraint):
    st.session_state["ge_view"] = "table"
    fill_form(constraint)
    st.rerun("app")


def _why(text, outcome, index, head, word, heads):
    """Which constraints pulled the arc in or out, against another head of the same word."""
    if outcome.run is None:
        st.caption("The untrained model has no reasons yet: click Train first.")
        return
    sentence = text.treebank[index]
    others = [None, *(other for other in heads if other != head)]
    against = st.selectbox(
        "Compared with",
        others,
        index=min(1, len(others) - 1),
        format_func=lambda other: "nothing" if other is None else word_name(sentence, other),
        key=f"ge_arc_against_{outcome.number}_{index}_{word}_{head}",
        width=210,
        help="Scores can only be compared among the possible heads of one word",
    )
    with st.spinner("Going through the text", show_time=True):
        found = session().learner.why(outcome.run, index, head, word, against)
    what = found.measure if against is None else f"{found.measure} {escape(word_name(sentence, against))}"
    st.markdown(f"{what} **{found.score:+.2f}** nats · probability of the arc **{found.probability:.2f}**")
    table = pull_table(found)
    draw_table(
        table, key=f"ge_arc_why_{index}_{head}_{word}_{against}", most=248,
        column_config={
            "constraint": text_column("Constraint"),
            "nats": number_column("Nats", 70, "%+.2f", help="Above 0 for the arc, below 0 against it"),
            "share": number_column("Share", 80, "percent", help="Of all contributions"),
        },
        alt=f"What constraints and model add to the arc, {amount(len(found.parts), 'part')}, largest first",
    )  # fmt: skip
    st.caption(found.note)
