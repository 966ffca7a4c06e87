"""Playback of a trace: step forward and back, play and pause, and what happened in the iteration shown."""

import time
from functools import partial

import streamlit as st

from core.workspace.decomposition import playback
from core.workspace.groups import word_count
from pages.shared.address import renamed
from pages.shared.basics import amount, escape
from pages.shared.decomposition.charts import bounds_chart, multiplier_chart, work_chart
from pages.shared.decomposition.view_state import DecompositionView
from pages.shared.group_choice import chosen_name, group_choice
from pages.shared.keys import step_keys
from pages.shared.quiz import ask
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_from, choose_view, draw_table

PLAYING, PLACE, TICKED = "dd_playing", "dd_place", "dd_ticked"  # the run, the iteration it is at, when it got there
SLIDER = "dd_slider"
HELP = "Numbers, trees and multipliers are shown as they are after this iteration"
PACE = 0.7  # seconds an iteration while playing
VIEWS = {"flips": "Arcs that change", "multipliers": "Multipliers"}


def player(outcome):
    """Draw a run of consistency; while playing it goes on by itself, and stops at the end."""
    played(outcome.run.id, playback.course(outcome), partial(_course, outcome), partial(_views, outcome))


def played(name, columns, left, right, label="Iteration", about=HELP):
    """Draw a run, by functions of the iteration for the left and right; ``name`` is its own.

    ``columns`` are over its iterations. The slider is called ``label``, and ``about`` is its help.
    """
    playing = st.session_state.get(PLAYING) == name
    st.fragment(_played, run_every=PACE if playing else None)(name, columns, left, right, playing, label, about)


def _played(name, course, left, right, playing, label, about):
    last = len(course["dual"])
    playing = playing and st.session_state.get(PLAYING) == name  # a tick may come after Pause
    if (DecompositionView().iteration or 1) > last:  # of a run with more
        DecompositionView().iteration = last
    if playing:
        if time.monotonic() - st.session_state[TICKED] > PACE / 2:
            st.session_state[TICKED] = time.monotonic()
            st.session_state[PLACE] = min(st.session_state[PLACE] + 1, last)
        DecompositionView().iteration = st.session_state[PLACE]
    columns = st.columns([1, 1], gap="large")
    with columns[0]:
        iteration = _transport(name, course, playing, label, about)
        left(iteration)
        question = playback.next_question(course, iteration)
        if question is not None and not playing:
            ask(question, _guess_key(name, iteration))
    with columns[1]:
        right(iteration)
    if playing and iteration == last:
        st.session_state[PLAYING] = None
        st.rerun()  # so that it ticks no more


def _course(outcome, iteration):
    columns = playback.course(outcome)
    _numbers(outcome, columns, iteration)
    bounds_chart(columns, iteration, "dd_bounds")
    single = outcome.run.figures.get("single_seconds")
    work_chart(columns, iteration, len(outcome.certified), single, "dd_work")


def _views(outcome, iteration):
    with st.container(horizontal=True, vertical_alignment="center"):
        renamed(DecompositionView.view, "Arcs that flip", "flips")
        views = VIEWS | {"flips": f"{outcome.terms.decisions.capitalize()} that change"}
        view = choose_view("Show", views, DecompositionView.view)
        text, treebank = outcome.inputs.corpus, outcome.test
        places = range(len(treebank))
        if view == "flips" and text is not None:  # an example knows no groups
            places = group_choice(text, treebank)
    if view == "multipliers":
        multipliers_panel(outcome, iteration)
    else:
        _flips(outcome, iteration, places)


def _transport(name, course, playing, label, about):
    """Draw buttons and slider; returns the iteration, from 1."""
    last = len(course["dual"])
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="dd_transport"):
        buttons = st.container(horizontal=True, vertical_alignment="bottom", gap="small", width="content")
        iteration = 1
        if last > 1:
            if playing:  # a slider of its own: a browser that lags would send back one from before in the other's place
                st.session_state[SLIDER] = iteration = DecompositionView().iteration
                st.slider(label, 1, last, key=SLIDER, disabled=True, help=about)
            else:
                iteration = st.slider(label, 1, last, key=DecompositionView.iteration, bind="query-params", help=about)
    with buttons:
        back, step = (partial(_go, min(max(1, iteration + by), last)) for by in (-1, 1))
        _button("Back", "skip_previous", back, iteration <= 1)
        if playing:
            _button("Pause", "pause", _stop)
        else:
            _button("Play", "play_arrow", partial(_play, name, iteration, last), last < 2)
        _button("Step", "skip_next", step, iteration >= last)
        question = None if playing else playback.next_question(course, iteration)
        moves = {
            "back": back,
            "step": step,
            "reset": partial(_go, 1),
            "play": _stop if playing else partial(_play, name, iteration, last),
            "guess": partial(_guess, name, iteration, question),
        }
        options = question.options if question else ()
        step_keys("dd_keys", moves, options=options)
    return iteration


def _guess_key(name, iteration):
    return f"dd_guess_{name}_{iteration}"


def _guess(name, iteration, question, option):
    """Take a guess made by key: one of the question's options."""
    if question is not None and option in question.options:
        st.session_state[_guess_key(name, iteration)] = option


def _button(label, icon, action, disabled=False):
    st.button(label, key=f"dd_{label.lower()}", icon=f":material/{icon}:", on_click=action, disabled=disabled)


def _go(iteration):
    DecompositionView().iteration = iteration
    st.session_state[PLACE] = iteration
    _stop()


def _play(run, iteration, last):
    place = 1 if iteration == last else iteration
    st.session_state.update({PLAYING: run, PLACE: place, TICKED: time.monotonic()})
    st.rerun("app")  # which begins to tick


def _stop():
    """Stop playing, in a callback of whatever steps by hand."""
    if st.session_state.get(PLAYING) is not None:
        st.session_state[PLAYING] = None
        DecompositionView().iteration = st.session_state[PLACE]
        st.rerun("app")


def _numbers(outcome, columns, iteration):
    now = {name: values[iteration - 1] for name, values in columns.items()}
    sentences, words = len(outcome.certified), int((outcome.groups >= 0).sum())
    single = outcome.run.figures.get("single_seconds")
    once = f" (one pass over the text: {playback.duration(single)})" if single else ""
    st.markdown(
        f"**{now['disagreements']:,}** of {words:,} words disagree · gap **{now['gap']:.4g}** · step {now['step']:.3g} "
        f"· **{now['second_blocks']:,}** of {amount(sentences, 'sentence')} {outcome.terms.done} again in "
        f"**{playback.duration(now['seconds'])}**{once}",
        help=r"Gap: best dual minus best primal value, $\min_k L(u_k) - \max_k P_k$, in this round. Step: "
        f"{playback.STEP_RULES[outcome.plan.settings.decay]}. Only sentences whose multipliers changed are "
        f"{outcome.terms.done} again; in one pass every sentence is, without consistency (Rush et al. 2012, §9, "
        "Figure 3).",
    )


def _flips(outcome, iteration, places):
    arcs, terms = playback.flips(outcome, iteration).within(places), outcome.terms
    since = "the first pass, without consistency" if iteration == 1 else f"iteration {iteration - 1:,}"
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(
            f"**{len(arcs):,}** of {word_count(outcome.test, places):,} {terms.decisions} change in iteration "
            f"{iteration:,} · "
            f"{arcs.sentence_count:,} of {amount(len(places), 'sentence')}",
            help=f"Words to which the {terms.solver} gives another {terms.value} than in {since}.", width="content",
        )  # fmt: skip
        if len(arcs) and outcome.inputs.corpus is not None:
            save_results(outcome.inputs.corpus, outcome.test, arcs.sentences, "dd", arcs.modifiers)
    if not len(arcs):
        _elsewhere(outcome, iteration)
        return
    rows = playback.flip_table(outcome, arcs)

    def choose(row, _):
        DecompositionView().flip = (iteration, row)

    columns = {"sentence": 75, "word": 115, "before": (f"{terms.value.capitalize()} before", 115), "after": 115}
    columns |= {"context": (f"Its {terms.group}", 130)}
    alt = f"{len(rows['word']):,} of {len(arcs):,} words whose {terms.value} changes in iteration {iteration}"
    draw_table(rows, key=f"dd_flips_{iteration}_{chosen_name()}", choose=choose, height=206, columns=columns, alt=alt)
    owner, row = st.session_state.get(DecompositionView.flip, (iteration, 0))
    row = row if owner == iteration and row < len(rows["word"]) else 0
    index = int(arcs.sentences[row])
    marked = "changed arcs dashed, former ones dotted" if terms.value == "head" else "changed tags are marked"
    st.caption(f"Sentence {rows['sentence'][row]:,} after iteration {iteration:,}: {marked}")
    drawing = playback.flip_drawing(outcome, iteration, index)
    dependency_tree(drawing, key="dd_tree", selected=int(arcs.modifiers[row]), height=380)


def _elsewhere(outcome, iteration):
    """Draw buttons to the nearest iterations in which an arc changes."""
    with st.container(horizontal=True):
        for direction, name in ((-1, "Previous change"), (1, "Next change")):
            other = playback.next_flip(outcome, iteration, direction)
            if other is not None:
                label = f"{name}, iteration {other:,}"
                st.button(label, key=f"dd_flip_{direction}", type="tertiary", on_click=_go, args=(other,))
    st.caption(f"Multipliers moved, but no {outcome.terms.decision} changed.")


def multipliers_panel(outcome, iteration):
    """Draw it for the context chosen, by default the one that was disputed longest."""
    names, terms = playback.disputed(outcome), outcome.terms
    help_text = "Those whose multipliers moved most often come first."
    context = choose_from(
        st.selectbox, terms.group.capitalize(), names, key=f"dd_context_{outcome.run.id}", help=help_text
    )
    rows = playback.multiplier_table(outcome, context, iteration)
    label = escape(playback.consensus_at(outcome, context, iteration))
    st.markdown(
        f"Consensus after iteration {iteration:,}: **{label}** · {len(rows['word']):,} of "
        f"{int((outcome.groups == context).sum()):,} words of the text",
        help=f"$u$ of a {terms.value} is added to its score on the consensus side and taken from it in the "
        rf"{terms.solver}: $g(z) + u \cdot z$ and $f(Y) - u \cdot Y$. The {terms.solver} is pushed to the "
        f"{terms.value} that has the least multiplier (Rush et al. 2012, §6).",
    )
    columns = {
        "sentence": 75,
        "word": 105,
        "head": (f"{terms.solver.capitalize()}’s {terms.value}", 115),
        "multiplier": ("Its u", 65, "%+.3f"),
    }
    columns |= {"pushed": ("Pushed to", 115), "push": ("Its u", 65, "%+.3f")}
    alt = f"Multipliers of the {len(rows['word']):,} words of a {terms.group} at iteration {iteration}"
    draw_table(rows, key="dd_multipliers", most=206, columns=columns, alt=alt)
    lines = playback.multiplier_course(outcome, context)
    if lines:
        multiplier_chart(lines, iteration, "dd_multiplier_course")
    else:
        st.caption("Both sides agreed from the start, so its multipliers never move.")
