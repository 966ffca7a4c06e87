"""Rules by example: from the last corrections to a request that makes them everywhere, tried on the Corpus page."""

from functools import partial

import streamlit as st

from core.languages.direction import bidi_isolate
from core.search.by_example import BEST, NARROWER, WIDER
from core.workspace.annotate.by_example import MOST_PICKED, corrected_sentences, from_corrections, last_alike
from core.workspace.compare.side_by_side import OWN_TREES
from core.workspace.corpus.search import save_request
from pages.shared.annotate.state import annotations, states
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import amount, callback_errors, escape, report_errors, session
from pages.shared.corpus.view_state import CorpusView
from pages.shared.navigation import go_to

LEVELS = {NARROWER: "Narrower", BEST: "Best guess", WIDER: "Wider"}
LISTED = 30  # corrected sentences to choose from
SHOWN = 60  # characters of a sentence


def by_example_panel(corpus):
    """Draw the button, and behind it what is proposed."""
    opened = st.popover("Propose from my corrections", icon=":material/auto_fix_high:", key="ann_example",
                        on_change="rerun")  # fmt: skip
    if opened.open:
        with opened, st.container(width=620), report_errors():
            _panel(corpus)


def _panel(corpus):
    layer = annotations(corpus)
    corrected = corrected_sentences(layer)
    st.caption("The change of one to three corrected sentences, proposed for the whole text. Nothing is changed yet.")
    if not corrected:
        st.info("No tree or tag of this text’s file has been corrected yet. Correct a sentence, then come back.")
        return
    if AnnotateView().examples_of != corrected or AnnotateView().examples is None:  # it was closed meanwhile
        AnnotateView().examples, AnnotateView().examples_of = last_alike(layer, corrected), corrected
    picked = st.multiselect(
        "Corrected sentences", corrected[:LISTED], key=AnnotateView.examples, max_selections=MOST_PICKED,
        format_func=partial(_named, layer),
    )  # fmt: skip
    standing = session().shown.standing(corpus).treebank
    marks = tuple(sorted((index, state.status) for index, state in states(corpus).get(layer.layer, {}).items()))
    key = session().shown.shown_key(corpus), marks, tuple(picked)
    result = session().cache.get("by-example", key, lambda: from_corrections(layer, standing, picked))
    kinds = [[each for each in result.proposals if each.kind == kind] for kind in range(result.kinds)]
    _kind(corpus, kinds[0])
    _others(result)
    if kinds[1:]:
        with st.expander(amount(len(kinds) - 1, "other change") + " in these sentences"):
            for proposals in kinds[1:]:
                _kind(corpus, proposals)


def _named(layer, index):
    text = layer.source[index].text
    return f"{index + 1}: {bidi_isolate(text[:SHOWN] + ('…' if len(text) > SHOWN else ''))}"


def _kind(corpus, proposals):
    """One kind of change: how general, its request, the way to the dry run."""
    by_level = {proposal.level: proposal for proposal in proposals}
    kind = proposals[0].kind
    names = {level: f"{LEVELS[level]} · {by_level[level].hits:,}" for level in LEVELS if level in by_level}
    if kind:
        examples = ", ".join(f"{index + 1:,}" for index in proposals[0].examples)
        st.caption(f"Seen in {'sentences' if ', ' in examples else 'sentence'} {examples}")
    key = f"ann_example_level_{kind}"
    if st.session_state.get(key) not in names:
        st.session_state[key] = BEST
    level = st.segmented_control(
        "How general", list(names), key=key, format_func=names.__getitem__, required=True, label_visibility="collapsed",
        help="How many more places each would change",
    )  # fmt: skip
    proposal = by_level[level]
    st.code(proposal.request, language=None, wrap_lines=True)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Preview", icon=":material/preview:", key=f"ann_example_try_{kind}",
            type="secondary" if kind else "primary", disabled=not proposal.hits, on_click=_preview,
            args=(corpus, proposal.request),
            help="Opens it under Corpus, Search: what it would change, place by place, to accept or leave out",
        )  # fmt: skip
        places = ", ".join(f"{index + 1:,}" for index in dict.fromkeys(index for index, _ in proposal.places))
        such = ", such as" if len(proposal.places) < proposal.hits else ":"
        more = f"{such} {places}" if places else ""
        st.caption(f"{amount(proposal.hits, 'more place')} in {amount(proposal.sentences, 'sentence')}{more}")


def _others(result):
    if result.rules:
        st.caption("As a rule of the language, for Corpus, Validation:")
        st.code("\n".join(rule for rule, _ in result.rules), language=None, wrap_lines=True)
        st.caption(escape("; ".join(f"{amount(count, 'other word')} break it" for _, count in result.rules)))
    if result.constraints:
        st.caption("As a constraint to train with:")
        st.code("\n".join(result.constraints), language=None, wrap_lines=True)


@callback_errors()
def _preview(corpus, request):
    save_request(session().store, corpus, request, "proposing a request from corrections")
    CorpusView().view, CorpusView().search_view, CorpusView().trees = "search", "rewrite", OWN_TREES
    CorpusView().hit, CorpusView().cluster = 1, None
    go_to("corpus")
