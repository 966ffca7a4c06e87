"""Check twenty: draw sentences at random, correct them, and see how right each parser is on the text."""

import secrets

import streamlit as st

from core.errors import WorkbenchError
from core.evaluation.estimates import METHOD
from core.workspace.annotate import check
from core.workspace.annotate.proposals import NONE, offered_proposals
from core.workspace.next_step import advise
from core.workspace.parses import shown_parse
from core.workspace.random_sample import drawn
from pages.shared.annotate.todo import open_place
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import callback_errors, escape, refuse, session
from pages.shared.next_step import show_next_step
from pages.shared.parse_menu import add_parse_button
from pages.shared.widgets import choose_from, draw_table, sentence_column

TITLE = "Sentences drawn"
PARSERS = "ann_check_parsers"


def check_panel(corpus, layer):
    """Draw it."""
    sample = drawn(session().store, corpus)
    count = len(layer.source)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        most = max(count, 2)
        help_text = r"The interval narrows as $1 / \sqrt{n}$: four times as many sentences halve it."
        size = st.number_input(
            "Sentences to pick", 2, most, min(check.SIZE if sample is None else len(sample["sentences"]), most),
            key=AnnotateView.size, width=150, help=help_text, persist_state="session",
        )  # fmt: skip
        st.button(
            "Pick at random" if sample is None else "Pick again", icon=":material/casino:", key="ann_draw",
            type="primary" if sample is None else "secondary", on_click=_draw, args=(corpus, count, size),
            help="A simple random sample: every set of so many sentences is equally likely. They are picked from the "
            "sentences that nobody has annotated or chosen to learn from; from all, where these are too few",
        )  # fmt: skip
        if sample is not None:
            st.caption(f"{check.sample_words(sample, count)}, seed {sample['seed']}", width="content")
    if sample is None:
        st.info(
            "Pick 20 sentences at random, correct their trees and mark them done: any parser’s accuracy on the text "
            "is then known, with a 95% interval. Begin from bare words: a parser whose proposals were corrected "
            "scores too high. Errors on the Constraints page then proposes constraints against what you corrected.",
            icon=":material/fact_check:",
        )
        return
    if max(sample["sentences"]) >= count:
        refuse(WorkbenchError("the text has changed since these sentences were picked; pick again"))
        return
    _scores(corpus, layer, sample, layer.layer)
    _list(corpus, layer, sample)


@callback_errors()
def _draw(corpus, count, size):
    known_sentences = check.known_sentences(session().systems, corpus)
    check.draw(session().store, corpus, count, int(size), secrets.randbelow(2**31), known_sentences)


def _scores(corpus, layer, sample, version):
    gold = check.checked(layer, sample)
    if len(gold) < 2:
        counts = "corrected" if session().shown.corrections(corpus).counts.begun else "done"
        far = f"{len(gold)} of {len(sample['sentences'])} sentences {counts}."
        st.caption(f"{far} Scores appear once two sentences are {counts}.")
        return
    offers = [offer for offer in offered_proposals(session().systems, corpus) if offer != NONE]
    names = {offer.key: offer.name for offer in offers}
    usual = shown_parse(session().systems, corpus, offers)
    if PARSERS in st.session_state:  # another text may be open
        st.session_state[PARSERS] = [key for key in st.session_state[PARSERS] if key in names]
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = choose_from(
            st.multiselect, "Parsers", names, default=[usual] if usual else [], key=PARSERS, width=600,
            label_visibility="collapsed", placeholder="Select parsers",
        )  # fmt: skip
        add_parse_button(corpus, "ann_check", _added, type="tertiary")
    if not chosen:
        st.caption("Select the parsers to score on the sentences that are done.")
        return
    with st.spinner("Loading the parses"):
        offered = {offer.key: offer for offer in offers}
        rows = check.accuracies(session().systems, corpus, [offered[key] for key in chosen], version)
    table = check.accuracy_table(rows)
    if not any(table["note"]):
        del table["note"]
    columns = {"parser": "Parser", "UAS": "UAS, 95% interval", "LAS": "LAS, 95% interval", "note": "Note"}
    alt = f"Accuracy of parsers ({len(rows)}) from {len(gold)} corrected sentences"
    draw_table(table, key="ann_check_scores", width="stretch", columns=columns, alt=alt)
    if shared := check.shared_basis(rows):
        st.caption(f"{escape(shared[0].upper() + shared[1:])}.", help=f"Interval: {METHOD}.")
    for line in check.doubts(rows):
        st.caption(f":material/warning: {escape(line)}.")
    show_next_step(advise(), corpus, "ann_check")


def _added(parse):
    st.session_state[PARSERS] = [*st.session_state[PARSERS], parse]


def _list(corpus, layer, sample):
    table = check.sample_table(layer, sample)

    def choose(row, _):
        open_place(corpus, "check", TITLE, check.sample_places(sample), row)  # so that done leads to the next of them

    columns = {"sentence": ("No.", 60), "status": 80, "words": 60}
    columns |= {"text": sentence_column(table["text"], 800, 600, "Sentence: select one to correct it")}
    alt = f"The {len(table['text'])} sentences drawn, in the order drawn; select one to correct it"
    draw_table(table, key="ann_check_list", choose=choose, most=600, columns=columns, alt=alt)
