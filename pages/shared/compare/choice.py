"""Which parses are compared, what they are scored against, adding one from a file, taking their trees away."""

import streamlit as st

from core.workspace.applied import AvailableParse
from core.workspace.compare.scoring import RULES
from core.workspace.compare.side_by_side import EACH_OTHER, MOST, VOTERS, references, side_by_side
from core.workspace.compare.weights import weight_notes
from core.workspace.parses import BASELINES, WEIGHED, available_trees, shown_parse, usual_choice
from core.workspace.relations import chosen_relations
from pages.shared.address import warn_gone
from pages.shared.basics import escape, report_errors, session
from pages.shared.compare.view_state import CompareView
from pages.shared.parse_menu import add_parse_button
from pages.shared.tree_files import tree_files
from pages.shared.widgets import action_button, choose_from, choose_one, choose_view

WEIGHT = (
    "With weight w, an arc of the parse is e^w times as probable beside the other heads of its word, and its relation "
    "likewise. Weights are those at which sentences that are corrected and marked done are most probable."
)


@report_errors()
def chosen_parses(corpus):
    """Draw the choice; returns the SideBySide, or None if there is none."""
    offers = available_trees(session().systems, corpus)
    names = {offer.key: offer.name for offer in offers}
    chosen = _choice(corpus, names, usual_choice(offers, shown_parse(session().systems, corpus, offers)))
    if not chosen:
        st.info("Choose one or more parses above. Each run that makes trees adds one, and so does a file.")
        return None
    _weights(corpus, chosen)
    chosen_offers = [offer for key in chosen for offer in offers if offer.key == key]
    against, punctuation = CompareView().against, CompareView().punctuation

    def compare():
        with st.spinner("Comparing"):
            return side_by_side(session().systems, corpus, chosen_offers, against, punctuation)

    workspace = session().workspace
    relations = chosen_relations(workspace, corpus).key
    saved = session().store.last_saved(corpus.project) if against not in (EACH_OTHER, *names) else None
    key = workspace.corpus_key(corpus), tuple(chosen_offers), against, punctuation, relations, saved
    return session().cache.get("compared", key, compare)


@report_errors()
def _weights(corpus, chosen):
    """Say how much each added parse counts in a parse that counts them."""
    if WEIGHED.key not in chosen:
        return
    with st.spinner("Weighing added parses"):
        notes = weight_notes(session().systems, corpus)
    for note in notes:
        st.caption(f":material/balance: {escape(note)}", help=WEIGHT)


def _choice(corpus, names, usual):
    warn_gone(CompareView.parses, names.values(), "parse", "the others are compared")
    _leave_room(names)
    if CompareView.parses in st.session_state:  # the corpus, or what it has, may be another one since
        remaining = [key for key in CompareView().parses if key in names]
        if len(remaining) < len(CompareView().parses):
            instead = "the others are" if remaining else "the usual ones are"
            message = f"A parse that was chosen is not here any more; {instead} compared"
            st.toast(message, icon=":material/link_off:")
            CompareView().parses = remaining or usual
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = choose_from(
            st.multiselect, "Parses", names, default=usual, key=CompareView.parses, max_selections=MOST,
            bind="query-params", label_visibility="collapsed", placeholder="Choose parses", width=445,
        )  # fmt: skip
        add_parse_button(corpus, "cmp", _added, type="primary")
        _against(corpus, {key: names[key] for key in chosen})
        with st.popover("Options", icon=":material/tune:", key="cmp_options"):
            help_text = "Count punctuation in tests, tables and confusions. UAS and LAS are given both ways."
            st.toggle("Punctuation", key=CompareView.punctuation, bind="query-params", help=help_text)
            choose_view("Rules", RULES, CompareView.rules, default="words")
        tree_files(corpus, [AvailableParse(key, names[key]) for key in chosen], "cmp")
    _ask_which(names, chosen)
    return chosen


def _leave_room(names):
    """Take as many as are compared at once from a link that names more; the others wait."""
    linked = [] if CompareView.parses in st.session_state else st.query_params.get_all(CompareView.parses)
    keys = [key for key, name in names.items() if name in linked]
    if len(keys) > MOST:
        del st.query_params[CompareView.parses]
        CompareView().parses, CompareView().waiting = keys[:MOST], tuple(keys[MOST:])


def _ask_which(names, chosen):
    """Ask which parse to leave out for one that waits; nothing where none does."""
    waiting = [key for key in CompareView().waiting if key in names and key not in chosen]
    if not waiting:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{MOST} parses are compared at once. Leave out which for **{escape(names[waiting[0]])}**?")
        for key in chosen:
            action_button(names[key], f"cmp_leave_out_{key}", "close", _take, waiting, key)
        action_button("None of them", "cmp_leave_out", None, _take, waiting, None, type="tertiary")


def _take(waiting, left_out):
    if left_out is not None:
        CompareView().parses = [key for key in CompareView().parses if key != left_out] + waiting[:1]
    CompareView().waiting = tuple(waiting[1:])


def _against(corpus, chosen):
    """Draw the choice of what the ``chosen`` parses, a name by key, are scored against."""
    names = {key: f"Score against {name}" for key, name in references(session().workspace, corpus).items()}
    voters = [key for key in chosen if key not in BASELINES]
    names |= {EACH_OTHER: "Score against their majority" if len(voters) >= VOTERS else "Compare with each other"}
    if len(chosen) > 1:
        names |= {key: f"Score against {chosen[key]}" for key in chosen}
    if st.query_params.get("cmp_gold") == "false":  # what links of older versions say
        CompareView().against = EACH_OTHER
        del st.query_params["cmp_gold"]
    warn_gone(CompareView.against, names.values(), "reference", "the usual one is taken")
    choose_one(
        "Score against", names, CompareView.against, width=230,
        help="A head is right where it is the one in the trees chosen here: the text’s own, those corrected by hand "
        "and marked done (begun ones too where Annotate’s *Options* say so), or those of one parse. Three parses or "
        "more, baselines aside, have a majority.",
    )  # fmt: skip


def _added(parse):
    chosen = CompareView().parses
    if len(chosen) < MOST:
        CompareView().parses = [*chosen, parse]
    else:
        CompareView().waiting = (parse,)
