"""The steps of an algorithm: forward, back, reset, play; what just happened; a question before the next; slides."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.extras import missing
from core.languages.direction import right_to_left
from core.teach.algorithms import ALGORITHMS
from core.teach.slides import slides_pdf, slides_zip
from pages.shared.basics import callback_errors, escape
from pages.shared.keys import step_keys
from pages.shared.quiz import ask
from pages.shared.teach.figure import figure
from pages.shared.teach.lessons import next_stop, open_stop
from pages.shared.teach.present import PRESENTING, present
from pages.shared.teach.state import EDITING, PLAYING, begin, room, set_in_address, take_move
from pages.shared.teach.view_state import TeachView
from pages.shared.widgets import action_button, download, draw_table, tabled

PACES = {"slow": 4.0, "medium": 2.0, "fast": 0.8}  # seconds a step
SHORT = 6  # words and the root: then the scores need no click
# the question stands right under what happened, and a sentence takes a line of its own rather than a few letters;
# where there is little room, buttons are named to who hears the page
ROOM = """<style>.st-key-teach_sides { grid-template-rows: auto 1fr }
:is(.st-key-teach_typed, .st-key-teach_sentence) { min-width: min(260px, 100%) }
@media (max-width: 700px) {
  .st-key-teach_transport, .st-key-teach_transport [data-testid="stLayoutWrapper"] > div { gap: .3rem }
  .st-key-teach_transport button { padding-inline: .5rem }
  :is(.st-key-teach_transport, .st-key-teach_purpose, .st-key-teach_scores_box) button
    [data-testid="stMarkdownContainer"] { clip-path: inset(50%); height: 1px; position: absolute; width: 1px }
}</style>"""
ASKED = "teach_asked"  # {question: was the first guess correct} of this trace


def player(corpus, choice, trace):
    """Draw it; while playing it goes on by itself, and stops at the end."""
    begin((corpus.id, replace(choice, moves="")), trace.first + 1)
    st.html(ROOM)
    playing = st.session_state.get(PLAYING, False)
    pace = PACES[st.session_state.get("teach_pace", "medium")]
    st.fragment(_player, run_every=pace if playing else None)(corpus, choice, trace)


def _player(corpus, choice, trace):
    last = len(trace)
    if TeachView().step > last:
        TeachView().step = last
    if st.session_state.get(PLAYING) and st.session_state.get("teach_ticking"):
        TeachView().step = min(TeachView().step + 1, last)
    st.session_state["teach_ticking"] = bool(st.session_state.get(PLAYING))
    position = _transport(choice, trace)
    step = trace.steps[position - 1]
    theme = "dark" if st.context.theme.type == "dark" else "light"
    svg = room().figure(corpus, choice, position - 1, theme)
    with st.container():
        if st.session_state.get(PRESENTING):
            present(
                trace, position, svg, _moves(choice, trace, position),
                playing=bool(st.session_state.get(PLAYING)), question=_question(trace, position),
                guess=st.session_state.get(_guess_key(choice, position)), lesson=open_stop(),
            )  # fmt: skip
    sides = st.grid(4, min_column_width=255, gap=("small", "medium"), key="teach_sides")  # without room in two rows
    with sides.cell(column_span=3, row_span=2):
        figure(svg, f"{step.title}. {step.caption} The numbers are in the table beside the picture.")
        _all_scores(corpus, choice, trace)
    with sides.cell():
        st.caption(f"{ALGORITHMS[trace.algorithm].name} · step {position:,} of {last:,}")
        st.markdown(f"### {escape(step.caption)}")
    with sides.cell():
        with st.container():
            if position < last:
                _predict(choice, trace, position)
        table = st.expander("The picture as a table", key="teach_as_table", on_change="rerun")
        if table.open:  # that of a large chart has thousands of rows
            with table:
                draw_table(step.table, alt=f"The numbers of step {position}: {step.title}")
        _slides(trace)
    if st.session_state.get(PLAYING) and position == last:
        st.session_state[PLAYING] = False
        st.rerun()  # so that it ticks no more


def _all_scores(corpus, choice, trace):
    """Draw the scores that a step is predicted from, where there are some, as a table, to edit on request."""
    if "scores" not in ALGORITHMS[trace.algorithm].wants:
        return
    short = len(trace.words) <= SHORT
    box = st.expander("Scores of all arcs", expanded=short, key=f"teach_all_scores_{short}", on_change="rerun")
    if not box.open:  # a table of hundreds of numbers would be drawn anew at each step
        return
    key, columns = room().table(corpus, choice)
    name = f"teach_table_{key}"

    @callback_errors()
    def keep():
        edited = room().edited(corpus, choice, st.session_state[name]["edited_rows"])
        if choice.scores != edited.scores:  # the line is about to appear, and begins with what the address says
            st.query_params[TeachView.own] = edited.own
        TeachView().scores, TeachView().own = edited.scores, edited.own
        st.rerun("app")  # all else on the page follows from the scores

    alt = "The score of every arc in nats: one row per head, one column per word"
    with box:
        if not st.session_state.get(EDITING):  # the editor loads pandas, some 40 MB
            draw_table(columns, key=TeachView.scores, alt=alt, placeholder="")
            return
        with tabled(TeachView.scores, columns):
            st.data_editor(
                columns, key=name, on_change=keep, hide_index=True, disabled=["head"], row_height=28,
                alt=f"{alt}; cells can be edited",
            )  # fmt: skip
        st.caption("In nats; an empty cell forbids the arc.")


def _transport(choice, trace):
    """Draw buttons and slider; returns the step, from 1."""
    first, last = trace.first + 1, len(trace)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="teach_transport"):
        buttons = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
        # a select_slider is known by its key alone: with another end, which makes an st.slider a new one, it stays
        step = st.select_slider(
            trace.setting or "Step", range(1, last + 1), key=TeachView.step, width="stretch", on_change=_stop,
            format_func=lambda step: trace.marks[step - 1] if trace.setting else str(step),
            label_visibility="visible" if trace.setting else "collapsed",
        )  # fmt: skip
        set_in_address(step, first)
        with buttons:
            _button("Reset", "first_page", partial(_go, first), step == first)
            _button("Back", "chevron_left", partial(_go, step - 1), step <= 1)
            _button("Step", "chevron_right", partial(_go, step + 1), step >= last, "primary")
            if st.session_state.get(PLAYING):
                _button("Pause", "pause", _stop)
            else:
                _button("Play", "play_arrow", partial(_play, first, last))
            st.selectbox(
                "Pace", list(PACES), index=1, key="teach_pace", label_visibility="collapsed", width=110,
                on_change=_repace,
            )  # fmt: skip
            _button("Present", "fullscreen", partial(st.session_state.update, {PRESENTING: True}))
            if not st.session_state.get(PRESENTING):  # which hears its own keys
                question = _question(trace, step)
                step_keys(
                    "teach_keys", _moves(choice, trace, step), options=question.options if question else (),
                    mirrored=right_to_left(trace.words),
                )  # fmt: skip
    return step


def _button(label, icon, action, disabled=False, kind="secondary"):
    action_button(label, f"teach_do_{label.lower()}", icon, action, disabled=disabled, type=kind)


def _question(trace, position):
    """The QuizQuestion asked at a step, from 1, or None."""
    return trace.steps[position].question if position < len(trace) else None


def _moves(choice, trace, position):
    """What keys do, and buttons on the wall, where the last step leads to the next stop of the lesson that is open."""
    last, first, question = len(trace), trace.first + 1, _question(trace, position)
    follows = position == last and st.session_state.get(PRESENTING) and open_stop()[1]
    return {
        "back": partial(_go, max(1, position - 1)),
        "step": next_stop if follows else partial(_go, min(position + 1, last)),
        "reset": partial(_go, first),
        "play": _stop if st.session_state.get(PLAYING) else partial(_play, first, last),
        "leave": partial(st.session_state.update, {PRESENTING: False}),
        "guess": lambda option: _guess(choice, position, question, option),
    }


def _go(step):
    _stop()
    TeachView().step = step


def _play(first, last):
    if TeachView().step == last:
        TeachView().step = first
    st.session_state[PLAYING], st.session_state["teach_ticking"] = True, False
    st.rerun("app")  # which begins to tick


def _stop():
    """Stop playing, in a callback of whatever steps by hand."""
    if st.session_state.get(PLAYING):
        st.session_state[PLAYING] = False
        st.rerun("app")


def _repace():
    if st.session_state.get(PLAYING):
        st.rerun("app")


def _predict(choice, trace, position):
    """Draw the question about the next step and, once somebody has guessed, the answer."""
    question = trace.steps[position].question
    if question is None:
        return
    key, owner = _guess_key(choice, position), (choice, position)
    with st.container(border=True):
        guess = ask(question, key, partial(_note, key, owner, question))
        for move in trace.steps[position - 1].moves:
            if move.name == guess and move.letter != trace.path[position - 1]:
                _button(f"Take {move.name}", "fork_right", partial(_take, trace, position, move), kind="tertiary")
        guesses = [correct for (owner, _), correct in st.session_state.get(ASKED, {}).items() if owner == choice]
        if guesses:
            st.caption(f"{sum(guesses):,} of {len(guesses):,} first guesses were correct.")


def _guess_key(choice, position):
    """The key of the guess at a step, which is forgotten where another example is stepped through."""
    key, owner = f"teach_guess_{choice.algorithm}_{position}", (choice, position)
    if st.session_state.get(f"{key}_owner") != owner:
        st.session_state[f"{key}_owner"] = owner
        st.session_state.pop(key, None)
    return key


def _guess(choice, position, question, option):
    """Take a guess made over the whole window: one of the question's options, checked like all from outside."""
    if question is not None and option in question.options:
        key = _guess_key(choice, position)
        st.session_state[key] = option
        _note(key, (choice, position), question)


def _note(key, owner, question):
    """Remember whether the first guess was correct."""
    if st.session_state[key] is not None:
        st.session_state.setdefault(ASKED, {}).setdefault(owner, question.is_right(st.session_state[key]))


def _take(trace, position, move):
    take_move(trace, position, move)
    st.rerun("app")  # the trace is another one from here on


def _slides(trace):
    with st.container(horizontal=True, gap="small"):
        for label, make, kind, mime, note, refusal in (
            ("SVG", slides_zip, "zip", "application/zip", ", in a zip", None),
            ("PDF", slides_pdf, "pdf", "application/pdf", "; takes some seconds where there are many", missing("pdf")),
        ):
            download(
                f"Slides, {label}", partial(make, trace), f"{trace.algorithm}.{kind}", f"teach_save_{kind}", mime=mime,
                help=refusal or f"All {len(trace):,} steps, one per slide, numbered{note}", disabled=bool(refusal),
            )  # fmt: skip
