"""What consistency changed: scores with and without it, the most effective contexts, the sentences they changed."""

from typing import Any

import streamlit as st

from core.advice.measure import LEAST_WORDS
from core.parsers.labels import has_relations
from core.workspace.consensus.votes import effect_table, effect_words, effects_within
from core.workspace.decomposition.playback import certificate, change_drawing
from core.workspace.parses import offers_of
from core.workspace.scoring import recorded_words
from core.workspace.wording import all_learnt
from pages.shared.basics import amount, escape, session
from pages.shared.consensus.run import consensus, converged_button
from pages.shared.consensus.view_state import ConsensusView
from pages.shared.group_choice import ALL, chosen_name
from pages.shared.next_step import corrected_since, next_of_run
from pages.shared.relations import relations_choice
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.tree_files import tree_file
from pages.shared.widgets import column, draw_table

BADGES: dict[str, Any] = {"certified": "green", "unpruned": "blue", "uncertified": "orange"}


def effects_panel(outcome, inputs, plan, places):
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
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(verdict.capitalize() if verdict != "unpruned" else "Among unpruned", color=BADGES[verdict])
        _take_away(outcome)
        converged_button("consistency", "cs")
    st.caption(words, help=_trained_on(run.figures.get("skipped"), len(outcome.inputs.train)))
    next_of_run(run, bool((run.figures.get("model") or {}).get("words")), "cs")
    if consensus().differs(outcome, inputs, plan):
        st.caption(f":material/tune: Settings have changed since run {run.id}. Parse again to use them.")
    corrected_since(inputs, run, "Parse again to use what was corrected.")
    _effects(outcome, places)


def _trained_on(skipped, whole):
    """How many of the training sentences the parser learnt from, and why not from all; None if from all."""
    if not skipped:
        return None
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in skipped.items())
    return (
        f"The parser was trained on {whole - sum(skipped.values()):,} of {amount(whole, 'sentence')}: it cannot learn "
        f"from {reasons} trees. Their words vote in contexts too."
    )


def _take_away(outcome):
    corpus = outcome.inputs.corpus
    if not has_relations(outcome.parses[""]):
        relations_choice(corpus, "cs_relations")
    button = st.popover("Save", icon=":material/download:", key="cs_save", on_change="rerun")
    if button.open:
        with button, st.container(width=400):
            for offer in offers_of(session().systems, corpus, outcome.run):
                tree_file(corpus, offer, "cs", f"{offer.name}, CoNLL-U")


def _scores(figures):
    base, model = figures["base"], figures["model"]
    if "words" not in base:
        why = f" · no score: {all_learnt(base['learnt'])}" if base else ""
        st.markdown(f"**{figures['changed_words']:,}** of {figures['tagged_words']:,} heads changed{why}")
        return
    over = recorded_words(model, punctuation=True)
    st.markdown(
        f"**{model['uas']:.1f}%** of heads right with consistency ({model['right']:,} of "
        f"{model['words']:,}{over}), {base['uas']:.1f}% for the parser alone ({base['right']:,}) · "
        f"{amount(figures['corrected'], 'word')} corrected, {figures['harmed']:,} harmed, p = {figures['p_value']:.2g}",
        help="Scored against the text's own trees. p: exact sign test over words that only one "
        "of the two has right (Rush et al. 2012, §8).",
    )
    if figures["corrected"] + figures["harmed"] < LEAST_WORDS:
        st.caption(f":material/info: Fewer than {LEAST_WORDS} heads became right or wrong: too few to advise from.")
    elif model["right"] < base["right"]:
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

    def choose(row, _):
        ConsensusView().effect = row
        ConsensusView().changed = None

    names = {"context": 190}
    names |= {"consensus": column("Consensus", 85, help="The tag of the heads; NULL: context switched off")}
    names |= {"size": ("In text", 65), "changed": 70, "corrected": 75, "harmed": 70}
    st.markdown(
        f"**Most effective contexts** · {len(effects):,} of {len(outcome.contexts):,} changed a word",
        help="Ranked by words corrected minus words harmed, or by words changed where the text has no trees "
        "(Rush et al. 2012, Table 5).",
    )
    draw_table(
        {name: values for name, values in table.items() if any(value is not None for value in values)},
        key="cs_effects", choose=choose, height=206, columns=names,
        alt=f"{len(effects):,} contexts that changed a word; first {effects[0].name}",
    )  # fmt: skip
    row = min(ConsensusView().effect, len(effects) - 1)
    _changes(outcome, effects[row], row)


def _changes(outcome, effect, rank):
    rows = effect_words(outcome, effect)

    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(
            f"**{escape(effect.name)}**, consensus {escape(effect.label)} · "
            f"{len(effect.changes):,} of {amount(effect.size, 'word')} changed",
            help="The sentences of one context before and after (Rush et al. 2012, Figure 4).", width="content",
        )  # fmt: skip
        sentences, words = zip(*((change.sentence, change.word) for change in effect.changes), strict=True)
        save_results(outcome.inputs.corpus, outcome.inputs.test, sentences, "cs_effects", words)
    columns = {"sentence": 70, "word": 140, "alone": ("Parser alone", 140), "consistent": 140}
    columns |= {"own": ("Head in its tree", 140)}
    alt, key = f"{len(rows['word']):,} words whose head changed", f"cs_changes_{rank}"
    choose = ConsensusView.changed.choose
    draw_table(rows, key=key, choose=choose, most=148, columns=columns, alt=alt)
    change = effect.changes[min(ConsensusView().changed, len(effect.changes) - 1)]
    number = int(outcome.inputs.test.picks[change.sentence]) + 1
    st.caption(f"Sentence {number:,}: arcs changed by consistency are dashed, the former ones dotted")
    relations = consensus().relations(outcome, outcome.inputs.test)
    drawing = change_drawing(outcome, change.sentence, change.word, relations)
    dependency_tree(drawing, key="cs_changed_tree", selected=change.word, height=380)
