"""Consistent tagging on the Consensus page: the panel of its runs, its texts and settings, and what is shown."""

import streamlit as st

from core.workspace.consensus.saved_tagger import add_tagger
from core.workspace.texts import listed_texts
from pages.shared.basics import amount, escape, flash, refuse, report_errors, show_problem
from pages.shared.consensus.groups_panel import groups_panel, selected_groups
from pages.shared.consensus.run import ICON, TAGS_KEY, former_selection, help_of, save, settings, tagging
from pages.shared.consensus.settings import (
    DECAYS,
    TAGS,
    UNITS,
    WIDTH,
    choose_teaching,
    draw_rewards,
    draw_search,
    taught_words,
)
from pages.shared.consensus.tag_effects import tag_effects_panel
from pages.shared.consensus.view_state import ConsensusView
from pages.shared.group_choice import group_choice
from pages.shared.job_panel import system_panel
from pages.shared.preset import preset_choice
from pages.shared.reading import upload_field
from pages.shared.widgets import choose_view

VIEWS = {"groups": "Unknown words", "effects": "What changed"}
SUMMARY = (
    "All occurrences of a word that the tagger has never seen should have one tag: find such words, and tag the text "
    "accordingly."
)
HOW = r"""
A **group** holds all occurrences of a word that did not occur in the text that teaches the tagger, and those of the
word with or without a final *s*; more are looked up in further text, which needs no tags. When the text is tagged, all
occurrences vote on their tag; agreeing with the consensus pays $\delta_1$, being close to it $\delta_2$:

$$\max_{Y, z} \; \sum_s f(Y_s) + \sum_c \sum_{i \in c} \theta\big(z_c, \mathrm{tag}(Y, i)\big)$$

$f$ is the score of a trigram tagger. Dual decomposition finds the tags $Y$ and consensus tags $z$, most often with a
proof that there are no better ones (Rush et al. 2012, §4, §7). The Decomposition page plays it back.
"""
TAUGHT = (
    "tags",
    "The text that is open is tagged. The tagger learns from these tags; words that do not occur there are unknown "
    "(Rush et al. 2012, §7). In the text itself tags count that are the file's, or of sentences corrected and done. No "
    "sentence is scored whose words the tagger has learnt from.",
    "How many of the {:,} sentences teach; the others are tagged, and their tags are used for scores only.",
)
HELP = {
    "imports": "How many sentences of the further text are taken for each unknown word, and for the word with or "
    "without a final s (Rush et al. 2012, §7).",
    "least": "How often the words of a group occur at least, those in further text included. One word alone has "
    "nothing to agree with.",
    "epochs": "How often the averaged perceptron goes through the training text (Collins 2002).",
}  # fmt: skip
NO_TEXT = 0  # beside the numbers of corpora
TRAINED = 0  # beside the numbers of runs
GIVEN = (
    "A tagger that was saved, as by `python -m core tagger train`, tags the whole text. What it learnt from is not "
    "known, so scores may be of sentences that it has seen. The project keeps its file, which Runs lists."
)


def tags_panel(corpus):
    """Draw it."""
    plan, inputs = tagging().plan(corpus), None

    def refuse_texts(error):
        _run_panel(corpus, plan, None)
        refuse(error)

    with report_errors(show=refuse_texts):
        inputs = tagging().inputs(corpus, plan)
    if inputs is None:
        return
    _run_panel(corpus, plan, inputs)
    if "ct_show" in st.session_state:
        ConsensusView().tags_view = st.session_state.pop("ct_show")
    with st.container(horizontal=True, vertical_alignment="center"):
        view = choose_view("Show", VIEWS, ConsensusView.tags_view)
        places = group_choice(corpus, inputs.test)
    with report_errors():
        words = tagging().selection(inputs, plan)
        outcome = tagging().latest(inputs)
        if view == "effects":
            tag_effects_panel(outcome, inputs, plan, places)
            return
        _thresholds(corpus, plan)
        former = former_selection(tagging(), inputs, plan, words)
        changes = selected_groups(inputs, words, former)
        groups_panel(inputs, words, changes, outcome, places)


def _run_panel(corpus, plan, inputs):
    """Draw the button, what is chosen behind the others, and progress."""

    def beside(_):
        _texts(corpus, plan, inputs)
        if inputs is not None:
            _settings(corpus, plan, inputs)

    def show_what_changed():
        st.session_state["ct_show"] = "effects"

    system_panel(
        tagging(), inputs, plan, TAGS_KEY, "Tag consistently", icon=ICON, help=help_of(plan), ended=show_what_changed,
        beside=beside,
    )  # fmt: skip


def _texts(corpus, plan, inputs):
    with st.popover("Texts", icon=":material/menu_book:", key="ct_texts"), st.container(width=WIDTH):
        setting = settings(corpus, plan)
        _choose_tagger(setting, corpus, plan)
        if plan.tagger is None:
            choose_teaching(setting, tagging(), corpus, plan, TAUGHT)
        names = {NO_TEXT: "No further text"}
        names |= {each.id: each.name for each in listed_texts(tagging().store, corpus.project) if each.id != corpus.id}
        plan = tagging().choosing(corpus, plan)
        if plan.unlabelled not in (None, *names):
            names[plan.unlabelled] = "a text that was removed"
        setting(
            st.selectbox, "unlabelled", "Look unknown words up in", names, value=plan.unlabelled or NO_TEXT,
            doing="choosing further text", changes=lambda chosen: {"unlabelled": chosen or None},
            help="Most unknown words occur once. Sentences of this text say more about them; its tags are not used.",
        )  # fmt: skip
        if inputs is not None:
            st.caption(_said_of_texts(plan, inputs))
        _saved_tagger(corpus)


def _said_of_texts(plan, inputs):
    """What teaches and what is tagged, in sentences."""
    if inputs.given is not None:
        tagged = f"All {amount(len(inputs.test), 'sentence')} ({amount(inputs.test.token_count, 'word')}) are tagged."
        return f"{tagged} What the tagger learnt from is not known; words that it has not seen are unknown."
    left_out = f" {inputs.skipped:,} more lack a tag." if inputs.skipped else ""
    learnt = f" {inputs.learnt:,} of these were learnt from, and are not scored." if inputs.learnt else ""
    return taught_words(plan, inputs, "tags", "tagged") + learnt + left_out


def _choose_tagger(setting, corpus, plan):
    """Draw the choice of the tagger, where there is one that was saved."""
    saved = tagging().saved_taggers(corpus)
    names = {TRAINED: "Trained on tags"} | {run.id: f"{run.settings['name']}, run {run.id}" for run in saved}
    if plan.tagger not in (None, *names):
        names[plan.tagger] = "a tagger that is gone"
    if len(names) > 1:
        setting(
            st.selectbox, "tagger", "Tagger", names, value=plan.tagger or TRAINED, doing="choosing the tagger",
            changes=lambda chosen: {"tagger": chosen or None}, help=GIVEN,
        )  # fmt: skip


def _saved_tagger(corpus):
    """Draw the field that takes a saved tagger."""

    def add(name, data, _):
        number = add_tagger(tagging().workspace, corpus, name, data)
        save(tagging(), corpus, "choosing the tagger", tagger=number)
        flash(f"{escape(name)} tags this text")

    upload_field("Saved tagger (.npz)", "ct_tagger_file", add, "ct_tagger_problem", type=["npz"], help=GIVEN)
    show_problem("ct_tagger_problem")


def _settings(corpus, plan, inputs):
    setting = settings(corpus, plan, HELP)
    with st.popover("Settings", icon=":material/tune:", key="ct_settings"), st.container(width=WIDTH):
        preset_choice(setting, tagging(), corpus, unit=UNITS, decay=DECAYS)
        of_rewards, search, of_tagger = st.tabs(["Rewards", "Search", "Tagger"])
        with of_rewards:
            draw_rewards(setting, "tag")
        with search:
            draw_search(settings(corpus, plan, prefix="ct_search"))
        with of_tagger:
            _tagger(setting, inputs)
    with report_errors():
        plan.checked()


def _tagger(setting, inputs):
    """Draw what the tagger learns, and how."""
    if inputs.given is not None:
        st.caption(f"A saved tagger, {len(inputs.tags)} tags of {TAGS[inputs.column]}; *Texts* has others.")
        return
    filled = [name for name in TAGS if getattr(inputs.train, name).filled]
    if len(filled) > 1:
        setting(
            st.segmented_control, "tags", "Tags", filled, value=inputs.column, doing="choosing tags",
            format_func=TAGS.get,
        )  # fmt: skip
    setting(st.number_input, "epochs", "Passes over the tags", 1, 50)
    st.caption(f"Averaged perceptron, {len(inputs.tags)} tags of {TAGS[inputs.column]}, seed 0.")


def _thresholds(corpus, plan):
    """Draw the two choices that select groups; the numbers below follow at once."""
    setting = settings(corpus, plan, HELP)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        setting(st.slider, "least", "Least occurrences", 2, 20, width=300)
        if plan.unlabelled is not None:
            setting(st.slider, "imports", "Sentences a word from further text", 0, 100, width=300)
