"""What next?: the gain of an hour of each kind of work, which a click begins; predicted and measured gains."""

from functools import partial

import streamlit as st

from core.advice import ANSWER, KIN, LINE, QUESTIONS, TAGS, TEXT, TREEBANK, TREES
from core.constraints.authoring.word_order import parse_order
from core.workspace.constraints.advice import ADVICE
from core.workspace.constraints.advice_inputs import other_texts, still_open
from core.workspace.constraints.advice_record import advice_table, named, record_table, what_turns
from core.workspace.constraints.known_trees import format_numbers
from core.workspace.constraints.plan import MOST_SENTENCES
from core.workspace.groups import by_sentences, groups, save_group
from pages.shared.annotate.order import ORDER
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session, show_problem
from pages.shared.compare.view_state import CompareView
from pages.shared.constraints.begin import one_question
from pages.shared.constraints.set_panel import EDITOR, VIEW
from pages.shared.editor import save_typed
from pages.shared.job_panel import begin_button, cancel_button, progress_line, system_panel, under_way, watch
from pages.shared.navigation import NEXT
from pages.shared.setting import Settings
from pages.shared.text_menu import open_text
from pages.shared.widgets import choose_from, column, draw_table

SYSTEM = "advised"
ICONS = {
    TREES: ":material/edit_note:",
    TAGS: ":material/sell:",
    LINE: ":material/add:",
    TEXT: ":material/model_training:",
    KIN: ":material/language:",
    QUESTIONS: ":material/help:",
}
HOUR = (
    "The points for an hour of such work; of questions, and of trees where none is known to score on, what they can "
    "bring in the minutes named"
)
POINTS = "Of the whole piece of work, with a 95% interval; its coverage in simulations: 74 of 76 gains"
LABELS = {
    TREES: "Correct them",
    TAGS: "Annotate",
    TEXT: "Train with it",
    TREEBANK: "Train with it",
    KIN: "Use these languages",
    QUESTIONS: "Ask me",
}
WHERE = "Settings, Languages"
BOUND = (
    "The text is parsed with each answer. An arc that has another head with one of them depends on the answer. How "
    "many would change is an average, weighted by how probable each answer is according to the present trees. The gain "
    "is at most what it would be if each of these were wrong now and right then."
)
EXPECTED = (
    "The parser’s own expectations: one minus the probability of each head in its trees, under your constraints. "
    "Parsers can be surer than they are right. Corrected trees right what is wrong in them, and teach besides. Answers "
    "right some of the heads that they are about; how many in simulations, the guide says under In your language."
)
HELP = {
    "sentences": "How many sentences are corrected at a time",
    "minutes": "What it takes to correct the tree of a sentence of fifteen words; others in proportion",
    "texts": "Their sentences are learnt from beside the text’s own, and their trees where they have some",
}


def advice_panel(corpus, page):
    """Draw it for a text, on the page of that name."""
    with report_errors():
        system = session().system(SYSTEM)
        inputs = system.inputs(corpus, system.plan(corpus))
        watch(partial(under_way, ADVICE), _measured_panel, system, inputs, page)
        _training(system, inputs)
        _measured_gains(corpus)


def _start(system, corpus, start):
    """Save what was typed and begin a run on it, in a callback: the page may have been drawn before the last edit."""
    save_typed(EDITOR)
    plan = system.plan(corpus)
    start(system.inputs(corpus, plan), plan)


def _measured_panel(active, system, inputs, page):
    """The button that asks, and what was measured."""
    corpus = inputs.corpus
    plan, (report, run, newest) = system.plan(corpus), system.advice.latest(corpus)
    with st.container(horizontal=True, vertical_alignment="center"):
        begin_button(
            "Measure the gains", partial(_start, system, corpus, system.advice.start),
            "advice", type="secondary", icon=":material/explore:", disabled=active is not None,
            help="Trains with and without each piece of work, and scores on trees that the parser has not seen: some "
            "minutes, in the background",
        )  # fmt: skip
        advice_settings(system, inputs, plan)
        if active is not None:
            cancel_button(active, "advice_cancel")
    with st.container():
        show_problem("advice_problem")
        if active is not None:
            progress_line(active)
        elif newest is not None and newest.status == "failed":
            st.caption(f":red[:material/error:] {escape(newest.error)}")
    if report is None:
        if active is None:
            st.caption(
                "Constraints, trees, another text, another treebank, answers about word order: this measures what each "
                "would add, in points of accuracy for an hour of your work, and starts the one you choose."
            )
        return
    with st.container():
        _about(system, inputs, report, run)
    if advice := still_open(report.advice, inputs.text.settings):
        _list(system, inputs, advice, page)


def _about(system, inputs, report, run):
    if report.accuracy is not None:
        accuracy = report.accuracy
        learns = f"; it learns from {amount(report.learnt, 'tree')} of this text" if report.learnt else ""
        st.markdown(
            f"What you have now gives **{accuracy.value:.1f}%** of heads right ({accuracy.low:.1f} to "
            f"{accuracy.high:.1f}), without punctuation, in {amount(report.scored, 'sentence')} that the parser has "
            f"not seen{learns}.",
            help="A grammar of your constraints and a second-order parser of your trees learn together, over tags. The "
            "known trees are dealt into three parts; each is scored with a parser that has learnt the others. "
            "Intervals: 95%, bootstrap over sentences. The parser reads tags and no words, "
            "and leaves out the ensemble with further parsers, whatever Settings say; it learns from every corrected "
            "sentence that counts. So this is not the accuracy of a run on the Constraints page, which may be higher "
            "or lower; all gains here are measured with this one parser.",
        )
    for note in report.notes:
        st.caption(note)
    if report.stopped:
        st.caption(":material/pause: Stopped half-way: what was measured by then is listed.")
    if system.is_outdated(inputs, run):
        st.caption(":material/edit: What there is to learn from has changed since. Ask again to see what helps now.")


def _list(system, inputs, advice, page):
    answers = parse_order(inputs.text.settings.word_order)
    columns = {"work": "Work", "hour": column("Points an hour", 170, help=HOUR)}
    columns |= {"gain": column("Points", 150, help=POINTS)}
    columns |= {
        "minutes": column("Minutes", 70, help="Assumed, by what is set under Work; one for a question or languages")
    }
    alt = f"{amount(len(advice), 'piece')} of work; first {named(advice[0])}"
    draw_table(
        advice_table(advice, answers), key="advice_list", keep=AnnotateView.advice, most=262, width="stretch",
        columns=columns, alt=alt,
    )  # fmt: skip
    _chosen(system, inputs, advice[min(AnnotateView().advice, len(advice) - 1)], page)


def _chosen(system, inputs, advice, page):
    """What the chosen piece of work is, and the button that begins it; a question is answered here."""
    corpus = inputs.corpus
    st.markdown(f"**{escape(named(advice))}**", help="Click another row to see what it is, and to begin it")
    if advice.turned is not None:
        st.caption(f"{what_turns(advice)}.", help=BOUND if advice.turned.wrong is None else EXPECTED)
    if advice.kind == ANSWER:
        one_question(inputs.text, advice.what, "advice_order", "advice_problem")
        st.caption(
            "Saved at once, and can be changed here: the universal parser follows the answer, and the next training "
            "starts from its trees"
        )
        return
    if advice.kind == KIN and advice.languages is None:
        st.caption(f"No near language is known. Choose similar ones in {WHERE}, or answer the questions instead")
        return
    if advice.reason:
        st.caption(f":material/help: Not known: {escape(advice.reason)}.")
    if not (advice.sentences or advice.what or advice.kind == TAGS):
        return
    label = LABELS.get(advice.kind) or ("Add constraint" if advice.replaces is None else "Change constraint")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            label, key="advice_begin", icon=ICONS.get(advice.kind, ICONS[TEXT]), on_click=_take,
            args=(system, corpus, advice, page),
        )  # fmt: skip
        if advice.kind == TREES:
            numbers = format_numbers(sorted(index + 1 for index in advice.sentences))
            st.caption(
                f"Sentences {numbers}, whose heads your constraints or, without any, your trees leave most open: "
                "Annotate opens them"
            )
        elif advice.kind == QUESTIONS:
            st.caption("The Constraints page asks them; each answer turns the trees at once")
        elif advice.kind == KIN:
            st.caption(f"They answer what you leave open; {WHERE}, has them too, and Undo restores the former choice")
        elif advice.kind == TAGS:
            st.caption("Measured where tags were corrected: the same work with your tags and with the former ones")
        elif advice.replaces is not None:
            st.caption(f"It takes the place of {escape(advice.replaces)}; Undo brings that back")
        elif advice.kind == LINE:
            st.caption("It is added to your set; Undo takes it out again")
        elif advice.kind == TREEBANK:
            st.caption("Trains a parser that learns from its sentences and trees too; Compare then has its trees")
        else:
            st.caption("Trains a parser that learns from its sentences too; Compare then has its trees")


@callback_errors("advice_problem", rerun=True)
def _take(system, corpus, advice, page):
    save_typed(EDITOR)
    if advice.kind == TAGS:
        st.session_state.update({AnnotateView.view: "tree", NEXT: "annotate"})
        return
    if advice.kind == QUESTIONS:
        st.session_state[VIEW] = "ask"
        if page != "constraints":
            st.session_state[NEXT] = "constraints"
        return
    system.take(corpus, advice)
    if advice.kind == TREES:
        _correct(corpus, advice.sentences)
        if page != "annotate":
            st.session_state[NEXT] = "annotate"
    elif advice.kind in (LINE, KIN):
        flash(f"Saved {escape(advice.what)}" + ("" if session().follows else "; train to see the effect"))
    else:
        _start(system, corpus, system.start)


def _correct(corpus, sentences):
    """Open Annotate at these sentences, a group of their own, which Enter walks through."""
    taken = {group.name for group in groups(session().store, corpus)}
    name = next(name for k in range(1, len(taken) + 2) if (name := f"To correct {k}") not in taken)
    numbers = [index + 1 for index in sentences]
    group = save_group(session().workspace, corpus, name, by_sentences(numbers))
    open_text(corpus.id, AnnotateView, sentence=min(numbers))
    st.session_state.update({AnnotateView.view: "tree", ORDER: group.key})


def _training(system, inputs):
    """The parser with further texts: the button that trains it, and where its trees are."""
    if not inputs.taken:
        return
    names = ", ".join(text.name for text in inputs.taken)
    st.markdown(f"Learnt from as well: **{escape(names)}**")

    def left(active):
        outcome = None if active is not None else system.latest(inputs)
        if outcome is not None and st.button("See its trees", key="advice_trees", icon=":material/compare_arrows:"):
            open_text(inputs.corpus.id, CompareView, parses=[f"run-{outcome.run.id}", "right"])
            st.switch_page("pages/compare.py", query_params={})

    system_panel(
        system, inputs, system.plan(inputs.corpus), "advice_train", "Train with further texts", type="secondary",
        icon=":material/model_training:", view=left,
        start=partial(_start, system, inputs.corpus, system.start),
        help="From the constraints, the known trees and these texts, over tags alone, whatever Settings say of words",
    )  # fmt: skip


def _measured_gains(corpus):
    table = record_table(session().store, corpus)
    if not table["work"]:
        return
    st.caption("Predicted and measured gains", help="Measured on the trees that are known when you ask again")
    columns = {"time": ("Begun, UTC", 130), "work": "Work", "predicted": ("Predicted, points", 150)}
    columns |= {"came": ("Measured, points", 150)}
    alt = f"{amount(len(table['work']), 'piece')} of work begun, with predicted and measured gains"
    draw_table(table, key="advice_record", most=200, width="stretch", columns=columns, alt=alt)


def advice_settings(system, inputs, plan):
    """Draw them."""
    with st.popover("Work", icon=":material/timer:", key="advice_work"):
        setting = Settings("advice", plan, partial(system.save, inputs.corpus), HELP, problem="advice_problem")
        setting(st.number_input, "sentences", "Sentences to correct next", 1, MOST_SENTENCES)
        setting(st.number_input, "minutes", "Minutes a tree", 0.1, 60.0, step=0.5)
        for name in ("line", "text", "treebank"):
            setting.choice(st.number_input, name)
        names = {other.id: other.name for other in other_texts(session().workspace, inputs.corpus)}
        if names:
            chosen = [text for text in plan.texts if text in names]

            def draw(label, *_, value, **how):
                return choose_from(st.multiselect, label, names, default=value, **how)

            setting(draw, "texts", "Learn from as well", value=chosen)
