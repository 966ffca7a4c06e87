"""Below the tree: what the chosen arc is an instance of, and which constraints pulled it in or out."""

from functools import partial

import streamlit as st

from core.constraints.authoring.suggest import ANSWERS, with_target
from core.workspace.constraints.constraint_set import line_saying, put_constraint
from core.workspace.constraints.explanations import head_options, instance_table, instances, pull_table
from core.workspace.wording import question, word_name
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.constraints.form import fill_form
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.widgets import choose_view, draw_table

VIEWS = {"instance": "Make a constraint", "why": "Why this arc"}


def arc_panel(text, outcome, index, choice):
    """Draw it for a Selection of the tree of sentence ``index``, or None; ``outcome`` is the model in use."""
    if choice is None:
        st.caption(":material/touch_app: Click an arc or a word to ask why, or to make a constraint.")
        return
    sentence, word = text.treebank[index], choice.word
    options = head_options(outcome, index, word)
    probabilities = dict(options)
    heads = list(probabilities)
    drawn = choice.arc[0] if choice.arc else int(outcome.heads[text.treebank.offsets[index] + word])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        head = st.selectbox(
            f"Head of {word_name(sentence, word)}", heads, index=heads.index(drawn) if drawn in heads else 0, width=210,
            format_func=lambda head: f"{word_name(sentence, head)} · {probabilities[head]:.2f}",
            key=f"ge_arc_head_{outcome.number}_{index}_{word}_{drawn}",
            help="Every other word of the sentence and the root, with the probability that the model gives it",
        )  # fmt: skip
        view = choose_view("About the arc", VIEWS, "ge_arc_view", linked=False)
    with report_errors():
        if view == "why":
            _why(text, outcome, index, head, word, heads)
        else:
            _instances(text, outcome, index, head, word)


def _instances(text, outcome, index, head, word):
    pair = [index, head, word]
    candidates = instances(text, outcome, index, head, word)

    def choose(row=None, _=None):
        ConstraintsView().arc = None if row is None else (pair, row)

    chosen = ConstraintsView().arc
    row = next((k for k, candidate in enumerate(candidates) if candidate.level == "direction"), 0)
    if chosen is not None and list(chosen[0]) == pair and chosen[1] < len(candidates):
        row = chosen[1]
    label = f"{amount(len(candidates), 'constraint')} that these two words fit"
    st.caption(f"{label}; click one to choose it")
    columns = {"constraint": "From general to specific", "pairs": ("Pairs", 55, "localized")}
    columns |= {"of": ("Of", 52, "localized", "Words that have such a head; the shares are of these")}
    columns |= {"model": ("Model", 52, "%.2f"), "gold": ("Text", 52, "%.2f", "In the text’s own trees")}
    alt, key = f"{label}, with pairs and shares", f"ge_arc_table_{index}_{head}_{word}"
    draw_table(instance_table(candidates), key=key, choose=choose, clear=choose, most=218, columns=columns, alt=alt)
    _choose_share(text, candidates[row])


def _choose_share(text, instance):
    """The chosen constraint as a question, the five answers, and what to do with it."""
    st.markdown(f"**{escape(question(instance.constraint, instance.coverage.denominator))}**")
    names = {name: f"{name} {share:.0%}" for name, share in ANSWERS.items()}
    answer = choose_view("Answer", names, "ge_arc_answer", default="mostly", linked=False)
    constraint = with_target(instance.constraint, ANSWERS[answer])
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
        "Compared with", others, index=min(1, len(others) - 1), width=210,
        format_func=lambda other: "nothing" if other is None else word_name(sentence, other),
        key=f"ge_arc_against_{outcome.number}_{index}_{word}_{head}",
        help="Scores can only be compared among the possible heads of one word",
    )  # fmt: skip
    with st.spinner("Going through the text", show_time=True):
        explanation = session().learner.why(outcome.run, index, head, word, against)
    measure = (
        explanation.measure if against is None else f"{explanation.measure} {escape(word_name(sentence, against))}"
    )
    st.markdown(
        f"{measure} **{explanation.score:+.2f}** nats · probability of the arc **{explanation.probability:.2f}**"
    )
    table = pull_table(explanation)
    columns = {"constraint": "Constraint", "nats": ("Nats", 70, "%+.2f", "Above 0 for the arc, below 0 against it")}
    columns |= {"share": ("Share", 80, "percent", "Of all contributions")}
    alt = f"What constraints and model add to the arc, {amount(len(explanation.parts), 'part')}, largest first"
    draw_table(table, key=f"ge_arc_why_{index}_{head}_{word}_{against}", most=248, columns=columns, alt=alt)
    st.caption(explanation.note)
