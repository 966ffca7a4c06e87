"""One sentence under all schemes, round by round; its candidates, the sentences of a list, what rounds changed."""

from typing import Any

import streamlit as st

from core.workspace.joint import views
from core.workspace.joint.run import CERTIFIED
from core.workspace.wording import joined
from pages.shared.basics import escape
from pages.shared.group_choice import group_choice
from pages.shared.joint.state import choose_rank, ranks_of
from pages.shared.joint.view_state import JointView
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_one, choose_view, column, draw_table, height_of, pager, sentence_column

HEIGHT = 400  # pixels; longer sentences scroll
VIEWS = {"candidates": "Candidates", "sentences": "Sentences", "rounds": "Rounds"}


def before_panel(inputs):
    """Draw, before the first run, a sentence under the schemes' own trees, and how far they agree."""
    agreement = views.gold_agreement(inputs)
    if agreement is None:
        message = "The analyses of each sentence appear here, once the text is parsed jointly."
        st.info(message, icon=":material/join_inner:")
        return
    names, *counts = agreement
    st.markdown(f"**{views.share(*counts)}** heads are the same in the trees of {escape(joined(names))}")
    with st.container(horizontal=True, vertical_alignment="center"):
        places = group_choice(inputs.corpus, inputs.test, JointView.sentence_of)
        index = int(places[pager(len(places), JointView.sentence_of) - 1])
    st.caption(
        f"Sentence {int(inputs.test.picks[index]) + 1:,} as annotated in {escape(names[0])}, above, and in "
        f"{escape(joined(names[1:]))}, below"
    )
    _draw_all(views.gold_drawings(inputs, index))


@st.fragment
def sentence_panel(outcome):
    """Draw it."""
    stage, index, places = _choose_stage(outcome)
    ranks = ranks_of(index, stage)
    drawn, listing = st.container(), None
    view = choose_view("Show", VIEWS, JointView.view)
    if view == "sentences":
        listing = _sentences(outcome, stage, places)
    elif view == "rounds":
        _rounds(outcome)
    else:
        _candidates(outcome, index, stage, ranks)
    with drawn:
        _draw(outcome, index, stage, ranks, listing)


def _draw(outcome, index, stage, ranks, listing):
    """Draw one sentence, with bars under the words that the open list counts as wrong, or that changed."""
    for note in views.sentence_notes(outcome, index):
        st.caption(f":material/info: {escape(note)}")
    drawings = views.sentence_drawings(outcome, index, stage, ranks, JointView().apart, listing)
    _draw_all(drawings)
    if any(drawing.spans for drawing in drawings):
        counted = "that the score counts as wrong" if views.is_missed(listing) else "changed in this stage"
        st.caption(f"Bars: words {counted}")


def _draw_all(drawings):
    """Draw the first scheme beside each other, one below the other."""
    for at, drawing in enumerate(drawings):
        dependency_tree(drawing, key=f"jt_tree_{at + 2}" if at else "jt_tree", height=HEIGHT)


def _choose_stage(outcome):
    """Draw stage and sentence; returns (stage: a round or CERTIFIED, the sentence, all that are walked through)."""
    options = outcome.stages
    names = {0: "Alone", CERTIFIED: "Certified"}
    if JointView().stage not in options:
        st.session_state.pop(JointView.stage, None)
    with st.container(horizontal=True, vertical_alignment="center"):
        rounds = {stage: names.get(stage) or f"Round {stage}" for stage in options}
        stage = choose_view("After", rounds, JointView.stage, default=outcome.rounds)
        st.toggle("One tree below", value=True, key=JointView.apart, bind="query-params")
    with st.container(horizontal=True, vertical_alignment="center"):
        places = group_choice(outcome.inputs.corpus, outcome.inputs.test, JointView.sentence_of)
        index = int(places[pager(len(places), JointView.sentence_of, most=3) - 1])
        sentence = outcome.inputs.test[index]
        proved = " · pair certified" if stage == CERTIFIED and outcome.certified[index] else ""
        st.caption(
            f"Sentence {views.sentence_number(outcome, index):,} {escape(sentence.sent_id or '')}{proved}",
            width="content",
        )
    return stage, index, places


def _candidates(outcome, index, stage, ranks):
    halves = st.columns(2, gap="medium")
    shown = {
        "rank": ("Tree", 42),
        "posterior": st.column_config.ProgressColumn(
            "Posterior", format="%.3f", min_value=0.0, max_value=1.0, width=100,
            help="softmax(score / T) over the list (Zhou & Zhao 2013, eq. 4); T is set on held-out sentences",
        ),
        "moved": column("Unlike best", 78, help="Words with another head than in tree 1"),
        "shared": column("Shared", 55, help="Words with the same head in all schemes"),
        "right": column("Right", 48, help="Words with the right head, without punctuation"),
    }  # fmt: skip
    for scheme, name in enumerate(outcome.inputs.names):
        table = views.candidate_table(outcome, scheme, index, stage)

        def choose(row, _, scheme=scheme):
            choose_rank(index, stage, scheme, row)

        with halves[scheme % 2]:
            st.caption(f"**{escape(name)}**: tree {ranks.get(scheme, 0) + 1} of {len(table['rank'])} drawn")
            alt = f"{len(table['rank'])} candidate trees of {name} with their posteriors; "
            key = f"jt_list_{scheme}_{index}_{stage}"
            draw_table(
                table, key=key, choose=choose, height=height_of(5), columns=shown, alt=f"{alt}select one to draw it"
            )


def _lists(outcome):
    """(name of each list -> its title; name -> the list as ``listed_sentences`` takes it)."""
    some = "the two" if len(outcome.inputs.names) == 2 else "some"
    options = {"all": "All, in the order of the text", "differ": f"Where {some} schemes have other heads",
               "changed": "Changed in the stage shown"}  # fmt: skip
    lists: dict[str, Any] = {name: name for name in options}
    for number, effect in enumerate(outcome.effects):
        if effect is not None:
            for kind, sentences in (("helped", effect.helped), ("hurt", effect.hurt)):
                key = f"{kind}-{number + 1}"
                options[key] = f"{kind.capitalize()} by the rounds, {outcome.inputs.names[number]}: {len(sentences):,}"
                lists[key] = (kind, number)
            for kind in views.WRONG:
                options[f"{kind}-{number + 1}"] = views.missed_name(outcome, kind, number)
                lists[f"{kind}-{number + 1}"] = (kind, number)
    return options, lists


def _sentences(outcome, stage, places):
    """Draw the choice of a list, and the list; returns what is listed."""
    options, lists = _lists(outcome)
    with st.container(horizontal=True, vertical_alignment="center"):
        shown = choose_one("Sentences", options, JointView.listed, width=420)
        indices, table = views.listed_sentences(outcome, lists[shown], stage, places)
        if indices:
            save_results(outcome.inputs.corpus, outcome.inputs.test, indices, "jt")
    if not indices:
        st.caption("No sentence in this list.")
        return lists[shown]

    def choose(row, _):
        JointView().sentence_of = list(places).index(indices[row]) + 1

    columns = {"sentence": 70, "words": column("Words", 60, help="Words that belong in this list")}
    columns |= {"of": column("Of", 50, help="Words of the sentence")}
    columns |= {"text": sentence_column(table["text"], 520, 300, "Text")}
    alt = f"{len(table['text']):,} of {len(indices):,} sentences, those with most words first; select one to draw it"
    draw_table(table, key=f"jt_sentences_{shown}", choose=choose, most=height_of(6), columns=columns, alt=alt)
    return lists[shown]


def _rounds(outcome):
    table = views.round_table(outcome)
    columns = {name: (name[0].upper() + name[1:], 150) for name in table}
    alt = f"What each of {outcome.rounds} rounds changed, and how many words have the same head in "
    alt += f"{views.every(outcome.inputs.names)} schemes"
    draw_table(table, key="jt_rounds", columns=columns | {"round": 55}, alt=alt)
    st.caption("Round 0 is each parser alone. The sentences that a stage changed are listed under Sentences.")
