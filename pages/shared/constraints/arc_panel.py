"""Below the tree: what the chosen arc is an instance of, and which constraints pulled it in or out."""

from functools import partial

import streamlit as st

from core.constraints.authoring.questions import answered
from core.workspace.constraints.constraint_set import line_saying, put_constraint
from core.workspace.constraints.effects import alone_words, effect_table, effect_words, nats_table
from core.workspace.constraints.explanations import head_options, instance_table, instances, pull_table
from core.workspace.constraints.first_why import UNMOVED, first_why, next_words
from core.workspace.wording import question, word_name
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.constraints.answers import choose_answer
from pages.shared.constraints.form import fill_form
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.widgets import choose_view, draw_table

NAT = "A nat is a unit of log-odds: with 0.69 more the odds are doubled, with 2.3 more they are ten times as high."
VIEWS = {"instance": "Make a constraint", "why": "Why this arc"}


def arc_panel(text, outcome, index, choice):
    """Draw it for a Selection of the tree of sentence ``index``, or None; ``outcome`` is the model in use."""
    if choice is None:
        st.caption(":material/touch_app: Click an arc or a word to ask why.")
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
    label = f"{amount(len(candidates), 'constraint')} for these two words"
    st.caption(f"{label}; click one to choose it")
    columns = {"constraint": "From general to specific", "pairs": ("Pairs", 55, "localized")}
    columns |= {"of": ("Of", 52, "localized", "Words that have such a head; the shares are of these")}
    columns |= {"model": ("Model", 52, "%.2f"), "gold": ("Text", 52, "%.2f", "In the text’s own trees")}
    alt, key = f"{label}, with pairs and shares", f"ge_arc_table_{index}_{head}_{word}"
    draw_table(instance_table(candidates), key=key, choose=choose, clear=choose, most=218, columns=columns, alt=alt)
    _choose_share(text, candidates[row])


def _choose_share(text, instance):
    """The chosen constraint as a question, its answers, and what to do with it."""
    st.markdown(f"**{escape(question(instance.constraint, instance.coverage.denominator))}**")
    answer = choose_answer("ge_arc_answer", default="mostly", required=True)
    constraint = answered(instance.constraint, answer)
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
    if outcome.prior is not None:
        _why_first(text, index, head, word)
        return
    if outcome.run is None:
        st.caption("The untrained model has no reasons yet: click Train first.")
        return
    if outcome.weights is None:  # of a learner whose model has multipliers
        _why_constraints(text, outcome, index, head, word)
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
    factor = f" ({explanation.factor})" if explanation.factor else ""
    st.markdown(
        f"{measure} **{explanation.score:+.2f}** nats{factor} · probability of the arc "
        f"**{explanation.probability:.2f}**",
        help=NAT,
    )
    table = pull_table(explanation)
    columns = {"constraint": "Constraint", "nats": ("Nats", 70, "%+.2f", "Above 0 for the arc, below 0 against it")}
    columns |= {"share": ("Share", 80, "percent", "Of all contributions")}
    alt = f"What constraints and model add to the arc, {amount(len(explanation.parts), 'part')}, largest first"
    draw_table(table, key=f"ge_arc_why_{index}_{head}_{word}_{against}", most=248, columns=columns, alt=alt)
    st.caption(explanation.note)


def _why_constraints(text, outcome, index, head, word):
    """How probable the arc is without constraints, and without each of those that speak of it most."""
    sentence = text.treebank[index]
    with st.spinner("Parsing without each constraint", show_time=True):
        explanation = session().learner.why(outcome.run, index, head, word)
    moved = effect_words(explanation, sentence, "No constraint that speaks of this arc moves it.")
    said, alone = escape(f"{alone_words(explanation, sentence)} {moved}"), f"{explanation.alone:.2f}"
    st.markdown(f"Probability **{explanation.probability:.2f}**, without constraints **{alone}**. {said}")
    key = f"ge_arc_effects_{outcome.number}_{index}_{head}_{word}"
    if explanation.effects:
        alt = amount(len(explanation.effects), "constraint")
        _effects(explanation, sentence, ("Constraint", "Line"), f"{alt} on this arc", key)
    if explanation.nats and st.toggle("In nats", key="ge_arc_nats", help=NAT):
        columns = {"constraint": "Constraint", "nats": ("Nats", 70, "%+.2f", "Above 0 for the arc, below 0 against it")}
        alt = f"What {amount(len(explanation.nats), 'constraint')} add to the arc, largest first"
        draw_table(nats_table(explanation), key=f"{key}_nats", most=248, columns=columns, alt=alt)


def _effects(explanation, sentence, names, alt, key):
    """A table of what the probability and the head of an arc are without each of its effects."""
    columns = {"what": (names[0], 250), "source": (names[1], 120)}
    columns |= {"without": ("Without it", 76, "%.2f", "The probability of the arc if this were not known")}
    columns |= {"head": ("Head then", 110, None, "The head of the word in the tree without it")}
    alt = f"{alt}, with the probability of the arc without each"
    draw_table(effect_table(explanation, sentence), key=key, most=248, columns=columns, alt=alt)


def _why_first(text, index, head, word):
    """Which answers and near languages turned the universal parser's arc, and the next best tree."""
    sentence = text.treebank[index]
    with st.spinner("Parsing without each answer", show_time=True):
        explanation = first_why(session().workspace, text, index, head, word)
    said = escape(effect_words(explanation, sentence, UNMOVED))
    st.markdown(f"Probability by the universal parser **{explanation.probability:.2f}**. {said}")
    if explanation.effects:
        known = amount(len(explanation.effects), "answer or language", "answers and languages")
        _effects(explanation, sentence, ("Answer or language", "By"), known, f"ge_arc_first_{index}_{head}_{word}")
    st.caption(escape(next_words(explanation, sentence)))
