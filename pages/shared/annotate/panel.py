"""Annotating one sentence: its number and status, what a parser proposes, the tree."""

from collections import Counter
from functools import partial

import streamlit as st

from core.languages.direction import bidi_isolate
from core.treebank import conllu_text
from core.treebank.written_back import back_writer
from core.workspace.annotate.proposals import offered_proposals, remember_proposal
from core.workspace.annotate.view import editor_data, sentence_lines
from core.workspace.annotations import STATUSES, author_of, checked_layer, last_annotated
from pages.shared.annotate import state as page_state
from pages.shared.annotate.editor import carry_out_steps, is_by_key, tree_editor
from pages.shared.annotate.order import choose_order, go
from pages.shared.annotate.todo import go_on, list_line, open_list, word_of
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import callback_errors, escape, report_errors, session, show_problem
from pages.shared.counted import counted_choice
from pages.shared.invitation import invitation
from pages.shared.navigation import go_to
from pages.shared.parse_menu import add_parse_file
from pages.shared.teach.view_state import TeachView
from pages.shared.tree_files import into_file
from pages.shared.widgets import choose_from, download, pager

STATUS, NOTE, VERSION = "ann_status", "ann_note", "ann_version"
BEGUN, PROBLEM = "ann_learn_begun", "ann_learn_problem"


def options(corpus):
    """Draw what is chosen once for many sentences: the parser that proposes, the order, the version."""
    with st.popover("Options", icon=":material/tune:", key="ann_options"):
        _proposals(corpus)
        choose_order(corpus)
        _layers(corpus)
        counted_choice(corpus, "ann_counted")
        st.button(
            "Exercise for a class", icon=":material/school:", key="ann_exercise", on_click=_hand_over, args=(corpus,),
            help="Teach makes a page on which students annotate this sentence, or the first ones of the list that is "
            "open. They are compared with the project’s trees",
        )  # fmt: skip
        with st.expander("Invite somebody", icon=":material/person_add:"):
            invitation(session().project, corpus, "ann")


def _hand_over(corpus):
    places = open_list(corpus)
    listed = [AnnotateView().sentence] if places is None else [sentence + 1 for sentence, _ in places.places]
    TeachView().handed = tuple(listed)
    go_to("teach")


def open_where_one_was(corpus, layer):
    """On the first visit to a text, begin with the sentence annotated last, unless a link or a list opened another."""
    if AnnotateView().opened:
        return
    AnnotateView().opened = True
    is_chosen = AnnotateView().sentence != 1 or AnnotateView().list or AnnotateView.sentence in st.query_params
    last = last_annotated(page_state.states(corpus).get(layer.layer, {}), author_of(layer.store))
    if not is_chosen and last is not None:
        AnnotateView().sentence = min(last + 1, len(layer.source))


def annotate_panel(corpus, layer):
    """Draw it."""
    count, places = len(layer.source), open_list(corpus)
    move = partial(_move, corpus, layer, places)
    carry_out_steps(corpus, move)
    layer = page_state.annotations(corpus)  # a step may have changed words
    with st.container(horizontal=True, vertical_alignment="center"):
        index = pager(count, AnnotateView.sentence) - 1
        AnnotateView().placed = index + 1  # known only now, where a link led here
        _take_away(corpus, layer)
        _status(layer, index)
        _note(layer, index)
        _name(corpus, layer, index)
    with st.container():
        if places is not None:
            list_line(corpus, layer, places, index)
        _lines(layer, index)
    shown = None
    with report_errors():
        shown = page_state.proposal(corpus, layer, index, offered_proposals(session().systems, corpus))
        if note := page_state.pruned(corpus, layer, index, shown):
            st.caption(f":material/info: {escape(note)}")
    key = session().workspace.key_before_hand(corpus)
    with report_errors():
        versions, others = ((), ()) if shown is None else (((shown[0], shown[1].annotation),), shown[1].others)
        began = "" if shown is None else st.session_state[page_state.PROPOSAL]  # for Check 20 to know
        labels, guesses = page_state.labels(corpus), page_state.guesses(layer.source, key)
        data = editor_data(layer, index, labels, guesses, versions, began, others)
        data["annotators"] = page_state.annotators(layer, index)
        tree_editor(data, corpus, move, None if places is None else word_of(places, index))


def _move(corpus, layer, places, by, index):
    """Go ``by`` sentences on in the order chosen or ``by`` places in a list, or to one sentence."""
    if index is None and places is not None:
        go_on(corpus, layer, places, by)
        return
    current = min(AnnotateView().sentence, len(layer.source)) - 1
    if index is None:
        for _ in range(abs(by)):
            current = go(corpus, layer, current, 1 if by > 0 else -1)
    AnnotateView().sentence = (current if index is None else index) + 1


def _status(layer, index):
    state = layer.state(index)
    st.session_state[STATUS] = state.status
    last_change = f"{state.author}, {state.time[:16].replace('T', ' ')} UTC" if state.time else "Not annotated yet"

    @callback_errors()
    def choose():
        if not is_by_key():
            layer.set_status(index, st.session_state[STATUS])

    st.segmented_control(
        "Status", STATUSES, key=STATUS, on_change=choose, required=True, label_visibility="collapsed",
        help=f"How far this sentence is. {escape(last_change)}",
    )  # fmt: skip


def _note(layer, index):
    state = layer.state(index)
    icon = ":material/sticky_note_2:" if state.note else ":material/note_add:"

    @callback_errors()
    def save():
        layer.set_note(index, st.session_state[f"{NOTE}_{index}"].strip())

    with st.popover("Note", icon=icon, key="ann_note_box"):
        st.session_state[f"{NOTE}_{index}"] = state.note
        st.text_area("Note on this sentence", key=f"{NOTE}_{index}", on_change=save)


def _proposals(corpus):
    offers = offered_proposals(session().systems, corpus)
    page_state.chosen_proposal(corpus, offers)
    names = {offer.key: offer.name for offer in offers}

    @callback_errors()
    def remember():
        remember_proposal(session().store, corpus, st.session_state[page_state.PROPOSAL])

    choose_from(
        st.selectbox, "Proposal", names, key=page_state.PROPOSAL, on_change=remember,
        help="A parser’s tree, dotted where this one differs; it is decided anew around what you draw. Press a to take "
        "it for a word, A for the whole sentence, k to see the next best tree. Tags that are missing or X are filled "
        "in from it.",
    )  # fmt: skip

    @callback_errors()
    def propose(key):
        st.session_state[page_state.PROPOSAL] = key
        remember_proposal(session().store, corpus, key)

    add_parse_file(corpus, "ann", propose, "under *Proposal*")


def _layers(corpus):
    names = [name or page_state.OWN for name in sorted({*page_state.states(corpus), session().version})]
    st.session_state[VERSION] = session().version or page_state.OWN
    st.selectbox(
        "Version", names, key=VERSION, accept_new_options=True, icon=":material/person:",
        format_func=lambda name: f"{name} trees" if name == page_state.OWN else f"by {name}", on_change=_open_version,
        help="The project’s trees or one annotator’s: type a name to create a version. Corpus and Annotate show it; "
        "the other pages read the project’s trees.",
    )  # fmt: skip


@callback_errors()
def _open_version():
    name = st.session_state[VERSION]
    AnnotateView().version = None if name == page_state.OWN else checked_layer(name)


def _take_away(corpus, layer):
    name = corpus.name.removesuffix(".conllu") + (f" {layer.layer}" if layer.layer else "") + " annotated.conllu"
    about = "The whole text with these annotations"
    if not layer.source.source.has_graphs:
        download("CoNLL-U", lambda: conllu_text(layer.treebank()), name, "ann_download", help=about)
        if writer := back_writer(layer.source):
            with st.popover(f"{writer.title} file", icon=":material/download:", key="ann_into_menu"):
                into_file(layer.source, lambda: conllu_text(layer.treebank()), name, "ann")
        return
    brought = f"{about}. Enhanced dependencies are brought along where trees have changed."
    download("CoNLL-U", lambda: conllu_text(layer.treebank()), name, "ann_download", help=brought)
    download(
        "Without DEPS", lambda: conllu_text(layer.treebank().without_graphs()), name, "ann_download_bare",
        help=f"{about}, and without enhanced dependencies of any sentence",
    )  # fmt: skip


def _name(corpus, layer, index):
    name = layer.source[index].sent_id
    sentence_states = page_state.states(corpus).get(layer.layer, {})
    counts = Counter(state.status for state in sentence_states.values())
    far = ", ".join(f"{counts[status]:,} {status}" for status in STATUSES[:0:-1] if counts[status])
    by = f"by {escape(layer.layer)}" if layer.layer else ""
    parts = [f"Sentence {index + 1:,} of {len(layer.source):,}", escape(name or ""), by, far]
    st.caption(" · ".join(filter(None, parts)), width="content")


def _lines(layer, index):
    sentence = layer.source[index]
    st.caption(escape(bidi_isolate(sentence.text)))
    for kind, text in sentence_lines(sentence):
        st.caption(f"{escape(kind)}: *{escape(text)}*")


def learn_from_trees(corpus):
    """Draw it."""
    if st.session_state.pop(BEGUN, False):
        st.switch_page("pages/constraints.py", query_params={})
    st.button(
        "Train on these trees", icon=":material/model_training:", key="ann_learn", on_click=_train, args=(corpus,),
        help="A parser learns from the trees on this page that are done, whole or in part (*Options* lets begun ones "
        "count), and from the constraints of this text; the Constraints page shows it",
    )  # fmt: skip
    show_problem(PROBLEM)


@callback_errors(PROBLEM)
def _train(corpus):
    session().systems.learner(corpus).train_on_corrections(corpus)
    st.session_state[BEGUN] = True
