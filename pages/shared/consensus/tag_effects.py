"""What consistent tagging changed: scores with and without it, the groups that changed most, tags taken over."""

import streamlit as st

from core.advice.measure import LEAST_WORDS
from core.workspace.consensus.tag_votes import effect_table, effect_words
from core.workspace.consensus.tags_layer import give_back, open_words, take_over, taken_over
from core.workspace.consensus.votes import effects_within
from core.workspace.decomposition.playback import certificate
from core.workspace.scoring import recorded_words
from core.workspace.wording import all_learnt, share_in_text
from pages.shared.basics import amount, callback_errors, escape, flash, session
from pages.shared.consensus.effects_panel import BADGES
from pages.shared.consensus.run import converged_button, tagging
from pages.shared.consensus.view_state import ConsensusView
from pages.shared.group_choice import ALL, chosen_name
from pages.shared.next_step import corrected_since
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import action_button, column, download, draw_table


def tag_effects_panel(outcome, inputs, plan, places):
    """Draw it for a TagsOutcome and the sentences at ``places``; without one, say how to get it."""
    if outcome is None:
        st.info(
            "The words whose tags changed appear here, with their sentences, once the text is tagged consistently.",
            icon=":material/hub:",
        )
        _layer(inputs.corpus, None)
        return
    _scores(outcome.run.figures)
    verdict, words = certificate(outcome)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(verdict.capitalize(), color=BADGES[verdict])
        for file in outcome.files:
            download("Save", file.data, file.name, "ct_save", help=file.label, type="secondary")
        converged_button("tags", "ct")
    st.caption(words)
    _layer(inputs.corpus, outcome)
    if tagging().differs(outcome, inputs, plan):
        st.caption(f":material/tune: Settings have changed since run {outcome.run.id}. Tag again to use them.")
    corrected_since(inputs, outcome.run, "Tag again to use what was corrected.")
    _effects(outcome, places)


def _scores(figures):
    base, model = figures["base"], figures["model"]
    changed = f"**{figures['changed_words']:,}** of {figures['tagged_words']:,} tags changed"
    if "words" not in base:
        why = (
            f" · no score: {all_learnt(base['learnt'], 'tags')}"
            if base
            else " · no score: the text has no tags of its own"
        )
        st.markdown(changed + why)
        return
    unknown = " · of words unknown to it " + ", ".join(
        f"{share_in_text(score['unknown_right'], score['unknown_words'])} {how}"
        for score, how in ((model, "with consistency"), (base, "alone"))
    )
    st.markdown(
        f"**{model['accuracy']:.1f}%** of tags right with consistency ({model['right']:,} of "
        f"{model['words']:,}{recorded_words(model, punctuation=True)}), {base['accuracy']:.1f}% for the tagger alone "
        f"({base['right']:,}){unknown if model['unknown_words'] else ''} · {amount(figures['corrected'], 'word')} "
        f"corrected, {figures['harmed']:,} harmed, p = {figures['p_value']:.2g}",
        help="Scored against the text's own tags. p: exact sign test over words that only one of the two has right "
        "(Rush et al. 2012, §8).",
    )
    if figures["corrected"] + figures["harmed"] < LEAST_WORDS:
        st.caption(f":material/info: Fewer than {LEAST_WORDS} tags became right or wrong: too few to advise from.")
    elif model["right"] < base["right"]:
        st.caption(":material/info: Here consistency harms more words than it corrects. Reward agreement less.")


def _layer(corpus, outcome):
    """Draw the button by which the text takes the tags over, or that it has some, and how to remove them."""
    workspace = session().workspace
    source = taken_over(workspace, corpus)
    count = 0 if outcome is None or outcome.run.id == source else len(open_words(workspace, outcome))
    with st.container(horizontal=True, vertical_alignment="center"):
        if source is not None:
            st.caption(f":material/label: The text has the tags of run {source}.", width="content")
            action_button("Remove these tags", "ct_untag", "label_off", _give_back, corpus, type="tertiary")
        if count:
            action_button(
                f"Take over {amount(count, 'tag')}", "ct_take", "label", _take_over, outcome,
                help="Words that the file leaves without a tag get these tags, below whatever you correct; one Undo "
                "takes it back. Tags of the file stay.",
            )  # fmt: skip


@callback_errors(rerun=True)
def _take_over(outcome):
    count = take_over(session().workspace, outcome)
    flash(f"{amount(count, 'word')} tagged by run {outcome.run.id}")


@callback_errors(rerun=True)
def _give_back(corpus):
    give_back(session().workspace, corpus)


def _effects(outcome, places):
    effects = outcome.effects if chosen_name() == ALL else effects_within(outcome.effects, places)
    if not effects:
        among = " of these sentences" if outcome.effects else ""
        st.caption(f"Consistency changed no tag{among}.")
        return
    table = effect_table(effects)

    def choose(row, _):
        ConsensusView().tag_effect = row
        ConsensusView().tag_changed = None

    names = {"words": 190}
    names |= {"consensus": column("Consensus", 85, help="The tag of all; NULL: each has its own")}
    names |= {"size": ("Occurrences", 85), "changed": 70, "corrected": 75, "harmed": 70}
    st.markdown(
        f"**Most changed words** · {len(effects):,} of {amount(len(outcome.words), 'group')} changed a tag",
        help="Ranked by words corrected minus words harmed, or by words changed where the text has no tags of its own.",
    )
    draw_table(
        {name: values for name, values in table.items() if any(value is not None for value in values)},
        key="ct_effects", choose=choose, height=206, columns=names,
        alt=f"{len(effects):,} groups that changed a tag; first {effects[0].name}",
    )  # fmt: skip
    row = min(ConsensusView().tag_effect, len(effects) - 1)
    _changes(outcome, effects[row], row)


def _changes(outcome, effect, rank):
    rows = effect_words(outcome, effect)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(
            f"**{escape(effect.name)}**, consensus {escape(effect.label)} · {len(effect.changes):,} of "
            f"{amount(effect.size, 'occurrence')} changed", width="content",
        )  # fmt: skip
        sentences, words = zip(*((change.sentence, change.word) for change in effect.changes), strict=True)
        save_results(outcome.inputs.corpus, outcome.inputs.test, sentences, "ct_effects", words)
    columns = {"sentence": 70, "word": 400, "alone": ("Tagger alone", 90), "consistent": 90, "own": ("Its tag", 90)}
    shown = {name: values for name, values in rows.items() if any(values)}
    alt, key = f"{len(rows['word']):,} words whose tag changed", f"ct_changes_{rank}"
    draw_table(shown, key=key, choose=ConsensusView.tag_changed.choose, most=148, columns=columns, alt=alt)
    change = effect.changes[min(ConsensusView().tag_changed, len(effect.changes) - 1)]
    number = int(outcome.inputs.test.picks[change.sentence]) + 1
    st.caption(f"Sentence {number:,}: tags changed by consistency are marked")
    drawing = outcome.change_of(change.sentence, outcome.base_tagging, outcome.tagging)
    dependency_tree(drawing, key="ct_changed_tree", selected=change.word, height=240)
