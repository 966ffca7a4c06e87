"""Check twenty: draw sentences at random, correct them, and see how right each parser is on the text."""

import secrets
from functools import partial

import streamlit as st

from core.errors import WorkbenchError
from core.evaluation.estimates import METHOD
from core.workspace.annotate import check
from core.workspace.annotate.proposals import NONE, offered_proposals
from core.workspace.annotate.queue import DRAWN
from core.workspace.next_step import advise
from core.workspace.parses import learnt_from, newest, relations_learnt_from
from pages.shared.annotate.order import ORDER
from pages.shared.annotate.state import proposal_of
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import callback_errors, escape, refuse, session
from pages.shared.next_step import show_next_step
from pages.shared.parse_menu import add_parse_button
from pages.shared.widgets import choose_from, draw_table, sentence_column

SIZE_KEY, PARSERS = "ann_check_size", "ann_check_parsers"


def check_panel(corpus, layer):
    """Draw it."""
    sample = check.drawn(session().store, corpus)
    count = len(layer.source)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        most = max(count, 2)
        help_text = r"The interval narrows as $1 / \sqrt{n}$: four times as many sentences halve it."
        size = st.number_input(
            "Sentences to pick", 2, most, min(check.SIZE, most), key=SIZE_KEY, width=150, help=help_text
        )
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
    _scores(corpus, layer, sample)
    _list(layer, sample)


@callback_errors()
def _draw(corpus, count, size):
    known_sentences = check.known_sentences(session().systems, corpus)
    check.draw(session().store, corpus, count, int(size), secrets.randbelow(2**31), known_sentences)


def _scores(corpus, layer, sample):
    gold = check.checked(layer, sample)
    if len(gold) < 2:
        done = f"{len(gold)} of {len(sample['sentences'])} sentences done."
        st.caption(f"{done} Scores appear once two sentences are done.")
        return
    offers = [offer for offer in offered_proposals(session().systems, corpus) if offer != NONE]
    names = {offer.key: offer.name for offer in offers}
    usual = newest(offers)
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
    parsers = {names[key]: partial(proposal_of, corpus, layer, key=key) for key in chosen}
    learnt = {names[key]: learnt_from(session().systems, corpus, key) for key in chosen}
    related = {names[key]: relations_learnt_from(session().systems, corpus, key) for key in chosen}
    rows = check.accuracies(gold, parsers, check.population(sample, len(layer.source)), learnt, related)
    table = check.accuracy_table(rows)
    if not any(table["note"]):
        del table["note"]
    columns = {"parser": "Parser", "UAS": "UAS, 95% interval", "LAS": "LAS, 95% interval", "note": "Note"}
    alt = f"Accuracy of parsers ({len(rows)}) from {len(gold)} corrected sentences"
    draw_table(table, key="ann_check_scores", width="stretch", columns=columns, alt=alt)
    began = check.began_from(layer, gold)
    for key in chosen:
        if began[key]:
            st.warning(
                f"{escape(names[key])}: {began[key]} of the {len(gold)} sentences began from its proposal, "
                "so its score here is too high.",
                icon=":material/warning:",
            )
    done = f"From the {len(gold)} of {len(sample['sentences'])} sentences that are done, punctuation counted."
    st.caption(f"{done} Interval: {METHOD}.")
    show_next_step(advise(), corpus, "ann_check")


def _added(parse):
    st.session_state[PARSERS] = [*st.session_state[PARSERS], parse]


def _list(layer, sample):
    table = check.sample_table(layer, sample)

    def choose(row, _):
        AnnotateView().sentence = table["sentence"][row]
        AnnotateView().view = "tree"
        st.session_state[ORDER] = DRAWN  # so that done leads to the next of them

    columns = {"sentence": ("No.", 60), "status": 80, "words": 60}
    columns |= {"text": sentence_column(table["text"], 800, 600, "Sentence: select one to correct it")}
    alt = f"The {len(table['text'])} sentences drawn, in the order drawn; select one to correct it"
    draw_table(table, key="ann_check_list", choose=choose, most=600, columns=columns, alt=alt)
