"""The contexts that the thresholds select, and for one of them every word in it with its vote."""

import streamlit as st

from core.draw import draw_tree
from core.workspace.consensus.votes import TEST, ballot, context_table, vote_table, votes_of
from core.workspace.decomposition.playback import change_drawing, with_context
from pages.shared.basics import amount, escape, report_errors
from pages.shared.consensus.run import consensus
from pages.shared.consensus.view_state import ConsensusView
from pages.shared.group_choice import ALL, chosen_name
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import choose_view, column, draw_table

VOTE_COLUMNS = {
    "text": ("In", 45),
    "sentence": ("Sentence", 65),
    "word": ("Word", 130),
    "own": ("Head in its tree", 130),
    "alone": ("Parser alone", 130),
    "consistent": ("Consistent", 130),
    "vote": ("Vote", 70),
}
ALWAYS = ("text", "sentence", "word", "own", "vote")
VOTERS = ("in the trees", "by the parser alone", "consistently")
SHOWN = 4  # tags of heads named


def selected_numbers(selection, former):
    """Draw how many contexts and words the thresholds select, and what the last choice added and dropped."""
    counts = selection.statistics()
    if not counts["contexts"]:
        with report_errors():
            selection.require_some()
        return
    st.markdown(
        f"**{counts['contexts']:,}** contexts cover **{counts['words']:,}** of {counts['tagged_words']:,} words to "
        f"parse (**{counts['coverage']:.1f}%**) · median size **{counts['median_size']:g}** · {counts['inside']:,} of "
        f"{counts['contexts']:,} contain the head",
        help="Each word is in at most one context. Size: words of both texts; the "
        f"{counts['observed']:,} words of the trees among them vote as observed nodes (Rush et al. 2012, §4, §7).",
    )
    if selection is not former:
        moves = former.changes(selection)
        st.caption(
            f"The last change added {amount(len(moves['added']), 'context')} and removed {len(moves['dropped']):,}; "
            f"of the words to parse, {moves['gained']:,} gained a context, {moves['lost']:,} lost theirs, "
            f"{moves['moved']:,} changed to another."
        )


def context_panel(corpus, selection, former, outcome, places):
    """Draw the list of contexts, the chosen one's votes and one of its sentences.

    Where a group is chosen, only votes in the sentences at ``places`` count.
    """
    kinds, columns, total = context_table(selection, former, _which(selection, former))
    if not kinds:
        st.caption("No context to list.")
        return

    names = {"context": column("Context", 150, help="Tags of a window; the word is between asterisks")}
    names |= {"head": ("Majority head", 92), "share": ("Share", 56, "percent"), "change": ("Last change", 80)}
    names |= {"of": column("Of", 45, help="Words of the trees in this window")}
    names |= {"inside": column("Inside", 56, help="Most heads are within the window")}
    names |= {"train": column("In trees", 62, help="Words of the trees that vote in it")}
    names |= {"test": column("In text", 60, help="Words to parse that vote in it")}
    table = {name: values for name, values in columns.items() if name != "change" or any(values)}
    alt = f"{len(kinds):,} of {total:,} contexts with majority head, share and size, the largest first"
    listed, drawn = st.columns([6, 6], gap="large")

    def choose(row, _):
        ConsensusView().context = kinds[row]

    with listed:
        draw_table(table, key="cs_contexts", choose=choose, height=178, columns=names, alt=alt)
    kind = ConsensusView().context
    kind = kind if kind in kinds else kinds[0]
    with listed:
        votes, row = _votes(corpus, selection, former, outcome, kind, places)
    with drawn:
        _sentence(selection, votes, row, outcome, kind)


def _which(selection, former):
    """Which contexts to list: None for all, or what the last choice did to them."""
    if selection is former:
        return None
    names = {"all": "All contexts", "added": "Added", "dropped": "Removed"}
    chosen = choose_view("Which", names, "cs_which", default="all", linked=False)
    return None if chosen == "all" else chosen


def _votes(corpus, selection, former, outcome, kind, places):
    """Draw the votes of a context; returns (the Votes, the place of the one that was chosen)."""
    index, votes = selection.index, votes_of(selection, former, kind)
    if chosen_name() != ALL:
        votes = votes.within(places)
    added, dropped = (int((votes.changes == change).sum()) for change in (1, 2))
    st.markdown(
        f"**{escape(index.name(kind))}** · {amount(votes.count(0), 'vote')} from the trees, {votes.count(TEST):,} "
        f"from the text"
        + (f" · the last change added **{added:,}**, removed **{dropped:,}**" if added or dropped else "")
    )
    _tally(ballot(index, votes, outcome))
    parsed = votes.within(range(len(index.test)))
    if len(parsed):
        with st.container(horizontal=True):
            save_results(corpus, index.test, parsed.sentences, "cs_votes", parsed.words)
    table = vote_table(index, votes, outcome)
    columns = VOTE_COLUMNS if outcome is not None else {name: VOTE_COLUMNS[name] for name in ALWAYS}

    def choose(row, _):
        ConsensusView().vote = (kind, row)

    shown = {name: table[name] for name in columns if name != "vote" or any(table["vote"])}
    alt = f"{len(table['word']):,} of {len(votes):,} words in the context, with the head each chooses"
    draw_table(shown, key=f"cs_votes_{kind}", choose=choose, height=150, columns=columns, alt=alt)
    owner, row = st.session_state.get(ConsensusView.vote, (kind, 0))
    return votes, row if owner == kind and row < len(table["word"]) else 0


def _tally(counts):
    """Which tags the heads of the context's words have, by voter, in words."""
    parts = []
    for number, voter in enumerate(VOTERS):
        votes = {tag: by_voter[number] for tag, by_voter in counts.items() if by_voter[number]}
        total = sum(votes.values())
        if total:
            ranked = sorted(votes.items(), key=lambda item: -item[1])
            parts.append(f"{voter} " + ", ".join(f"{escape(tag)} **{number:,}**" for tag, number in ranked[:SHOWN]))
            parts[-1] += f" of {total:,}"
    if parts:
        st.caption("Tag of the head: " + " · ".join(parts))


def _sentence(selection, votes, row, outcome, kind):
    if not len(votes):
        return
    sentence, word = int(votes.sentences[row]), int(votes.words[row])
    in_test = votes.texts[row] == TEST
    treebank = selection.index.test if in_test else selection.index.train
    if in_test and outcome is not None:
        relations = consensus().relations(outcome, outcome.inputs.test)
        drawing = change_drawing(outcome, sentence, relations=relations)
        shown = "parsed consistently; changed arcs are dashed"
    else:
        drawing, shown = draw_tree(treebank[sentence]), "its tree in the text"
    st.caption(
        f"Sentence {int(treebank.picks[sentence]) + 1:,} of the {'text' if in_test else 'trees'}, {shown} · vote "
        f"{row + 1:,} of {len(votes):,}"
    )
    dependency_tree(with_context(drawing, selection, kind, word), key="cs_tree", selected=word, height=380)
