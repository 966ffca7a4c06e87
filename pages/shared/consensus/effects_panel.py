"""What consistency changed: scores with and without it, the most effective contexts, the sentences they changed."""

import streamlit as st

from core.workspace import amount, escape
from core.workspace.consensus.votes import effect_table, effect_words, effects_within
from core.workspace.decomposition.playback import certificate, change_drawing
from pages.shared.address import tell, told_place
from pages.shared.group_choice import ALL, chosen_name
from pages.shared.save_group import keep_found
from pages.shared.tree import dependency_tree

BADGES = {"certified": "green", "unpruned": "blue", "uncertified": "orange"}


def effects_panel(outcome, plan, places):
    """Draw it for a ConsensusOutcome and the sentences at ``places``; without one, say how to get it."""
    if outcome is None:
        st.info(
            "The contexts that changed most words appear here, with their sentences, once the text is parsed "
            "consistently.",
            icon=":material/hub:",
        )
        return
    run = outcome.run
    _scores(run.figures)
    verdict, words = certificate(outcome)
    (file,) = outcome.files
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(verdict.capitalize() if verdict != "unpruned" else "Among unpruned", color=BADGES[verdict])
        st.download_button(
            file.label, file.data, file.name, key="cs_download", type="tertiary",
            icon=":material/download:", on_click="ignore",
            help=f"The {len(outcome.certified):,} sentences with their consistent trees",
        )  # fmt: skip
        st.page_link("pages/decomposition.py", label="How it converged", icon=":material/show_chart:")
    st.caption(words)
    skipped = run.figures.get("skipped") or {}
    if skipped:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in skipped.items())
        whole = len(outcome.inputs.train)
        st.caption(
            f"The parser was trained on {whole - sum(skipped.values()):,} of {amount(whole, 'sentence')}: it cannot "
            f"learn from {reasons} trees. Their words vote in contexts too."
        )
    if outcome.plan != plan:
        st.caption(f":material/tune: Settings have changed since run {run.id}. Parse again to use them.")
    _effects(outcome, places)


def _scores(figures):
    if not figures["base"]:
        st.markdown(f"**{figures['changed_words']:,}** of {figures['tagged_words']:,} heads changed")
        return
    base, model = figures["base"], figures["model"]
    st.markdown(
        f"**{model['uas']:.1f}%** of heads right with consistency ({model['right']:,} of {model['words']:,}), "
        f"{base['uas']:.1f}% for the parser alone ({base['right']:,}) · {amount(figures['corrected'], 'word')} "
        f"corrected, "
        f"{figures['harmed']:,} harmed, p = {figures['p_value']:.2g}",
        help="Scored against the text's own trees, punctuation included. p: exact sign test over words that only one "
        "of the two has right (Rush et al. 2012, §8).",
    )
    if model["right"] < base["right"]:
        st.caption(
            ":material/info: Here consistency harms more words than it corrects. Trust fewer contexts (a higher "
            "minimum count), or reward agreement less."
        )


def _effects(outcome, places):
    effects = outcome.effects if chosen_name() == ALL else effects_within(outcome.effects, places)
    if outcome.effects and not effects:
        st.caption("Consistency changed no word of this group that is in a context.")
        return
    if not effects:
        st.caption("Consistency changed no word in a context: the parser alone was consistent already.")
        return
    table = effect_table(effects)

    def choose():
        cells = st.session_state["cs_effects"]["selection"]["cells"]
        if cells:
            tell("cs_effect", cells[0][0])
            tell("cs_changed", None)

    names = {
        "context": st.column_config.TextColumn("Context", width=190),
        "consensus": st.column_config.TextColumn(
            "Consensus", width=85, help="The tag of the heads; NULL: context switched off"
        ),
        "size": st.column_config.NumberColumn("In text", width=65),
        "changed": st.column_config.NumberColumn("Changed", width=70),
        "corrected": st.column_config.NumberColumn("Corrected", width=75),
        "harmed": st.column_config.NumberColumn("Harmed", width=70),
    }
    st.markdown(
        f"**Most effective contexts** · {len(effects):,} of {len(outcome.contexts):,} changed a word",
        help="Ranked by words corrected minus words harmed, or by words changed where the text has no trees "
        "(Rush et al. 2012, Table 5).",
    )
    st.dataframe(
        {name: values for name, values in table.items() if any(value is not None for value in values)},
        key="cs_effects", on_select=choose, selection_mode="single-cell", hide_index=True, row_height=28, height=206,
        column_config=names, alt=f"{len(effects):,} contexts that changed a word; first {effects[0].name}",
    )  # fmt: skip
    place = min(told_place("cs_effect"), len(effects) - 1)
    _changes(outcome, effects[place], place)


def _changes(outcome, effect, place):
    rows = effect_words(outcome, effect)

    def choose():
        cells = st.session_state[f"cs_changes_{place}"]["selection"]["cells"]
        if cells:
            tell("cs_changed", cells[0][0])

    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(
            f"**{escape(effect.name)}**, consensus {escape(effect.label)} · "
            f"{len(effect.changes):,} of {amount(effect.size, 'word')} changed",
            help="The sentences of one context before and after (Rush et al. 2012, Figure 4).", width="content",
        )  # fmt: skip
        found, words = zip(*((change.sentence, change.word) for change in effect.changes), strict=True)
        keep_found(outcome.inputs.corpus, outcome.inputs.test, found, "cs_effects", words)
    st.dataframe(
        rows, key=f"cs_changes_{place}", on_select=choose, selection_mode="single-cell", hide_index=True, row_height=28,
        height=min(28 * (len(rows["word"]) + 1) + 8, 148),
        column_config={
            "sentence": st.column_config.NumberColumn("Sentence", width=70),
            "word": st.column_config.TextColumn("Word", width=140),
            "alone": st.column_config.TextColumn("Parser alone", width=140),
            "consistent": st.column_config.TextColumn("Consistent", width=140),
            "own": st.column_config.TextColumn("Head in its tree", width=140),
        },
        alt=f"{len(rows['word']):,} words whose head changed",
    )  # fmt: skip
    change = effect.changes[min(told_place("cs_changed"), len(effect.changes) - 1)]
    number = int(outcome.inputs.test.picks[change.sentence]) + 1
    st.caption(f"Sentence {number:,}: arcs changed by consistency are dashed, the former ones dotted")
    dependency_tree(
        change_drawing(outcome, change.sentence, change.word), key="cs_changed_tree", selected=change.word, height=380
    )
