"""What the parts of the Annotate page share: the open layer, inventories of labels, proposals."""

import streamlit as st

from core.workspace.annotate.completing import decided_proposal
from core.workspace.annotate.labels import offered_labels
from core.workspace.annotate.proposals import NONE, missing_tree, parse_of, proposed, remembered_proposal
from core.workspace.annotate.view import relation_guesses
from core.workspace.annotate.word_steps import PROJECT
from core.workspace.annotations import Annotations, states_by_layer
from core.workspace.applied import BUILT_IN, AvailableParse, pruned_note
from core.workspace.parses import newest
from core.workspace.relations import chosen_relations
from pages.shared.basics import escape, session

PROPOSAL = "ann_proposal"
SHOWN_FOR = "ann_proposal_of"  # (text whose proposal is chosen, newest parse that it could have been)
OWN = "the project’s"  # what the layer without a name is called


def annotations(corpus):
    """The Annotations of the version that is open."""
    return Annotations(session().workspace, corpus, session().version)


def states(corpus):
    """The States of a corpus's sentences by layer; read again where anything was written since."""
    key = corpus.id, session().store.last_saved(corpus.project)
    return session().cache.get("states", key, lambda: states_by_layer(session().store, corpus))


def labels(corpus):
    """The OfferedLabels of a corpus, in the version that is open."""
    return offered_labels(session().shown, corpus)


def annotators(layer, index):
    """Who else has annotated a sentence: names of versions."""
    return [name or PROJECT for name in layer.other_versions(index, states(layer.corpus))]


def guesses(treebank, key):
    """The likeliest relations of a corpus."""
    return session().cache.get("guesses", key, lambda: relation_guesses(treebank))


def parse(corpus, key):
    """A whole parse of a corpus, by the key of its Offer. Raises WorkbenchError."""

    def load():
        with st.spinner("Loading the parse"):
            return parse_of(session().systems, corpus, key)

    relations = chosen_relations(session().workspace, corpus).key
    return session().cache.get("parses", (session().workspace.read_key(corpus), key, relations), load)


def chosen_proposal(corpus, offers):
    """The key of the Offer whose proposals are shown: the one chosen last for this text, while it is offered."""
    names = {offer.key: offer.name for offer in offers}
    seen = corpus.id, newest(offers[1:])  # the first is none
    former = st.session_state.setdefault(SHOWN_FOR, seen)
    if former != seen or PROPOSAL not in st.session_state:
        before, st.session_state[SHOWN_FOR] = st.session_state.get(PROPOSAL), seen
        now = st.session_state[PROPOSAL] = remembered_proposal(session().systems, corpus)
        if former[0] == corpus.id and before in names and now in names and now != before:
            st.toast(f"{escape(names[now])} proposes now, for it is newer", icon=":material/update:")
    if st.session_state[PROPOSAL] not in names:
        gone = escape(st.session_state[PROPOSAL])
        st.toast(f"The parse {gone}, whose proposals were shown, is not here any more", icon=":material/link_off:")
        st.session_state[PROPOSAL] = NONE.key
    return st.session_state[PROPOSAL]


def proposal(corpus, layer, index, offers):
    """(name, TreeProposal) of what is proposed for a sentence, or None. Raises WorkbenchError."""
    key = chosen_proposal(corpus, offers)
    name = next((offer.name for offer in offers if offer.key == key), None)
    if name is None or key == NONE.key:
        return None
    systems, parsed = session().systems, None
    if key not in BUILT_IN:
        parsed = proposed(parse(corpus, key), layer.source, index)
    with st.spinner("Asking the parser"):
        shown = decided_proposal(systems, layer, index, key, parsed)
    if shown is None:
        raise missing_tree(systems, corpus, key, name, index)
    return name, shown


def pruned(corpus, layer, index, shown):
    """A sentence where the tree of ``proposal`` was sought among likely arcs alone, else ""."""
    if shown is None:
        return ""
    parse = AvailableParse(st.session_state[PROPOSAL], shown[0])
    return pruned_note(session().systems, corpus.project, parse, layer.source, index)
