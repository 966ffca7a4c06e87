"""What the parts of the Annotate page share: the open layer, inventories of labels, proposals."""

import streamlit as st

from core.annotation.label_inventories import LabelInventories
from core.errors import WorkbenchError
from core.parsers.english import English
from core.workspace.annotate.proposals import (
    NONE,
    english_around,
    english_proposal,
    parse_of,
    proposed,
    remembered_proposal,
)
from core.workspace.annotate.view import relation_guesses
from core.workspace.annotations import Annotations, around_drawn_arcs, states_by_layer
from core.workspace.applied import ENGLISH
from core.workspace.relations import chosen_relations
from pages.shared.basics import escape, session

PROPOSAL = "ann_proposal"
SHOWN_FOR = "ann_proposal_of"  # the text whose proposal is chosen
OWN = "the project’s"  # what the layer without a name is called


def annotations(corpus):
    """The Annotations of the version that is open."""
    return Annotations(session().workspace, corpus, session().version)


def states(corpus):
    """The States of a corpus's sentences by layer; read again where anything was written since."""
    key = corpus.id, session().store.last_saved(corpus.project)
    return session().cache.get("states", key, lambda: states_by_layer(session().store, corpus))


def rosters(treebank, key):
    """LabelInventories of a corpus."""
    return session().cache.get("rosters", key, lambda: LabelInventories.of(treebank))


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


def _english():
    with st.spinner("Loading the English parser"):
        return English.load()


def chosen_proposal(corpus, offers):
    """The key of the Offer whose proposals are shown: the one chosen last for this text, while it is offered."""
    keys = [offer.key for offer in offers]
    if st.session_state.setdefault(SHOWN_FOR, corpus.id) != corpus.id or PROPOSAL not in st.session_state:
        st.session_state[SHOWN_FOR] = corpus.id
        st.session_state[PROPOSAL] = remembered_proposal(session().store, corpus)
    if st.session_state[PROPOSAL] not in keys:
        gone = escape(st.session_state[PROPOSAL])
        st.toast(f"The parse {gone}, whose proposals were shown, is not here any more", icon=":material/link_off:")
        st.session_state[PROPOSAL] = NONE.key
    return st.session_state[PROPOSAL]


def proposal(corpus, layer, index, offers):
    """(name, Annotation) of what is proposed for a sentence, or None. Raises WorkbenchError."""
    key = chosen_proposal(corpus, offers)
    name = next((offer.name for offer in offers if offer.key == key), None)
    if name is None or key == NONE.key:
        return None
    annotation, _ = layer.get(index)
    if key == ENGLISH.key:
        english = session().cache.get("english", "", _english)
        return name, session().cache.get("completed", annotation, lambda: english_around(english, annotation))
    parsed = proposal_of(corpus, layer, index, key)
    if parsed is None:
        raise WorkbenchError(f"{name} has no tree for this sentence; choose another proposal, or another sentence")
    return name, around_drawn_arcs(parsed, annotation)


def proposal_of(corpus, layer, index, key):
    """The Annotation that the parser behind an Offer's key gives to a sentence; None where it has not seen it."""
    if key == ENGLISH.key:
        annotation = layer.original(index)
        english = session().cache.get("english", "", _english)
        return session().cache.get("proposals", annotation, lambda: english_proposal(english, annotation))
    return proposed(parse(corpus, key), layer.source, index)
