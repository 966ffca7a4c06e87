"""The groups of unknown words that the thresholds select, and for one of them every occurrence with its tags."""

from collections import Counter

import streamlit as st

from core.workspace.consensus.tag_votes import (
    GroupChanges,
    GroupWords,
    group_table,
    occurrence_drawing,
    occurrence_table,
)
from pages.shared.basics import amount, escape, report_errors
from pages.shared.consensus.view_state import ConsensusView
from pages.shared.group_choice import ALL, chosen_name
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import column, draw_table

COLUMNS = {
    "words": ("Words", 150), "text": column("In text", 60, help="Occurrences in the text that is tagged"),
    "further": column("In further text", 90, help="Occurrences in sentences that were looked up"),
    "alone": column("Tagger alone", 150, help="Tags without consistency, and how many occurrences have each"),
    "consensus": column("Consensus", 85, help="The tag of all; NULL: each has its own"),
    "change": ("Last change", 80),
}  # fmt: skip
OCCURRENCES = {
    "in": ("In", 85), "sentence": ("Sentence", 65), "word": ("Word", 330), "own": ("Its tag", 70),
    "alone": ("Tagger alone", 90), "consistent": ("Consistent", 80),
}  # fmt: skip


def selected_groups(inputs, words, former):
    """Draw how many groups the thresholds select, and what the last choice changed; returns the GroupChanges."""
    changes = GroupChanges.between(former, words)
    if not len(words):
        with report_errors():
            words.require_some()
        return changes
    grouped, unknown = int((words.rows < len(inputs.test.heads)).sum()), int(inputs.index.in_test.sum())
    imported = f" · {amount(words.imported, 'sentence')} looked up" if words.imported else ""
    st.markdown(
        f"**{len(words):,}** groups hold **{grouped:,}** of {amount(unknown, 'unknown word')}, of "
        f"{inputs.test.token_count:,} to tag{imported}",
        help="A word is unknown if it does not occur in the text that teaches. Other unknown words occur too seldom.",
    )
    if former is not words:
        added, dropped = changes.count("added"), changes.count("dropped")
        st.caption(f"The last change added {amount(added, 'group')} and removed {dropped:,}.")
    return changes


def groups_panel(inputs, words, changes, outcome, places):
    """Draw the list of groups, the occurrences of the chosen one, and one of its sentences.

    Where a group of sentences is chosen, only occurrences in those at ``places`` are listed.
    """
    table = group_table(words, changes, outcome)
    if not table["words"]:
        return
    listed, drawn = st.columns([6, 6], gap="large")

    def choose(row, _):
        ConsensusView().words = table["words"][row]

    shown = {name: values for name, values in table.items() if name in ("words", "text") or any(values)}
    alt = f"{len(table['words']):,} of {len(changes.names):,} groups of unknown words, the largest first"
    with listed:
        draw_table(shown, key="ct_groups", choose=choose, height=178, columns=COLUMNS, alt=alt)
    name = ConsensusView().words
    name = name if name in table["words"] else table["words"][0]
    found = GroupWords.of(words, name, None if chosen_name() == ALL else places)
    with listed:
        row = _occurrences(inputs, words, found, outcome, name)
    if len(found):
        with drawn:
            _sentence(words, found, row, outcome)


def _occurrences(inputs, words, found, outcome, name):
    """Draw the occurrences of a group; returns the place of the one that was chosen."""
    inside = found.in_text()
    st.markdown(
        f"**{escape(name)}** · {amount(len(inside), 'occurrence')} in the text, "
        f"{len(found) - len(inside):,} in further text"
    )
    if not len(found):
        return 0
    table = occurrence_table(inputs, words, found, outcome)
    _tally(table, len(inside))
    if len(inside):
        with st.container(horizontal=True):
            save_results(inputs.corpus, inputs.test, inside.sentences, "ct_votes", inside.words)

    def choose(row, _):
        ConsensusView().occurrence = (name, row)

    shown = {column: values for column, values in table.items() if any(values)}
    alt = f"{len(table['word']):,} of {len(found):,} occurrences of {name}, with their tags"
    draw_table(shown, key=f"ct_votes_{name}", choose=choose, height=150, columns=OCCURRENCES, alt=alt)
    owner, row = st.session_state.get(ConsensusView.occurrence, (name, 0))
    return row if owner == name and row < len(table["word"]) else 0


def _tally(table, count):
    """The tags of the occurrences in the text, by who gave them, in words."""
    parts = []
    for name, title in (("own", "its own"), ("alone", "by the tagger alone"), ("consistent", "consistently")):
        tags = Counter(filter(None, table[name][:count]))
        if tags:
            counted = ", ".join(f"{escape(tag)} **{number:,}**" for tag, number in tags.most_common())
            parts.append(f"{title} {counted} of {tags.total():,}")
    if parts:
        st.caption("Tag: " + " · ".join(parts))


def _sentence(words, found, row, outcome):
    part = int(found.parts[row])
    bank, index = words.texts[part], int(found.sentences[row])
    tagged = "tagged consistently; changed tags are marked" if outcome is not None and not part else "not tagged yet"
    where = f"the text, {tagged}" if not part else "the further text"
    st.caption(f"Sentence {int(bank.picks[index]) + 1:,} of {where} · occurrence {row + 1:,} of {len(found):,}")
    drawing = occurrence_drawing(words, found, row, outcome)
    dependency_tree(drawing, key="ct_tree", selected=int(found.words[row]), height=240)
