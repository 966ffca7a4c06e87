"""What training made of the text: how many heads are right, sentences before and after, and why."""

from typing import Any

import streamlit as st

from core.draw import compare_trees, draw_tree, show_change
from core.workspace.annotate.check import drawn, population
from core.workspace.constraints.conditioning import begins_with_prior
from core.workspace.constraints.results import change_table, course_words, supported_arcs, tags_changed
from core.workspace.next_step import after_training, progress_on_sample, progress_words, tags_by_hand
from core.workspace.wording import all_learnt, beside_score
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.charts import objective_chart
from pages.shared.constraints.arc_panel import arc_panel
from pages.shared.constraints.first_trees import first_trees
from pages.shared.constraints.gradient_panel import gradient_panel
from pages.shared.constraints.lines_panel import lines_panel
from pages.shared.constraints.mistakes_panel import mistakes_panel
from pages.shared.constraints.plan_settings import learn_switch
from pages.shared.constraints.targets_panel import targets_panel
from pages.shared.constraints.versions import compared, comparing, version_targets
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.group_choice import group_choice
from pages.shared.next_step import show_next_step
from pages.shared.relations import arc_labels
from pages.shared.tree import Selection, dependency_tree
from pages.shared.widgets import choose_one, choose_view, draw_table, pager, sentence_column

VIEWS = {
    "trees": "Trees", "targets": "Targets", "mistakes": "Errors", "objective": "Objective", "lines": "Constraints",
    "gradient": "Gradient",
}  # fmt: skip
FIRST = 3  # of them in sight; the others are behind More
TREES = {"after": "After training", "before": "Before training", "gold": "Beside the text’s own"}


@report_errors()
def results(text, snapshot, used):
    """Draw them; ``snapshot`` is of the job under way, or None, and ``used()`` draws which sentences are used."""
    pair = snapshot is None and comparing()
    compared_runs: Any = compared(text) if pair else (None, session().newest_run)
    if compared_runs is None:
        return
    former, run = compared_runs  # Runs, or None
    change = session().learner.change(text, run, former)
    with st.container():
        _accuracy(text, change, run, pair)
        if run is not None and not pair and snapshot is None:
            _next_step(text, change)
        used()
    view = _view()
    if view == "targets" and pair and run is not None:
        version_targets(text, former.constraint_text, run.constraint_text, change)
    elif view == "targets":
        targets_panel(text, change, run, snapshot)
    elif view == "objective":
        _objective(run, snapshot)
    elif view in ("lines", "mistakes", "gradient") and snapshot is not None:
        st.caption("Available when training has ended.")
    elif view == "lines":
        lines_panel(text, change, run)
    elif view == "mistakes":
        mistakes_panel(text, change)
    elif view == "gradient":
        source = run.constraint_text if run else session().source
        gradient_panel(text, change, run, source)
    elif run is None and snapshot is None and begins_with_prior(text):
        first_trees(text)
    else:
        _trees(text, change, run, snapshot)


def _view():
    """Draw the choice of a view, some of them behind More; returns the one that is chosen."""
    views = [name for name in VIEWS if name != "gradient" or session().learner.has_gradient]
    linked = next((name for name in views if VIEWS[name] == st.query_params.get(ConstraintsView.results)), None)
    chosen = st.session_state.get(ConstraintsView.results, linked)
    shown = [name for name in views if name in views[:FIRST] or name == chosen]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        view = choose_view("Show", VIEWS, ConstraintsView.results, options=shown)
        others, named = [name for name in views if name not in shown], VIEWS.__getitem__
        st.menu_button("More", others, format_func=named, type="tertiary", key="ge_more", on_click=_open_view)
    return view


def _open_view():
    ConstraintsView().results = st.session_state["ge_more"]


def _accuracy(text, change, run, pair):
    parts = []
    if run is None and begins_with_prior(text):  # the universal parser's trees are shown, which this does not judge
        return
    if change.scored:
        right = f"**{change.right_after / change.scored:.1%}** of heads right"
        known = session().learner.known(text)
        over = (f", {known.source}" if known.by_hand else "") + beside_score({"learnt": change.learnt})
        now = f"{right} ({change.right_after:,} of {amount(change.scored, 'word')} without punctuation{over})"
        was = "untrained" if change.is_first else "before"
        before = f"{change.right_before / change.scored:.1%} {was}"
        parts.append(f"{now}, {before}" if run else f"{now}, untrained")
    elif change.learnt:
        parts.append(f"no score: {all_learnt(change.learnt)}")
    if run is not None and not change.is_first:
        moved = int(change.moved.sum())
        parts.append(f"{moved:,} of {amount(text.treebank.token_count, 'arc')} moved")
    if parts:
        st.markdown(" · ".join(parts))
    source = session().source
    if run is not None and not pair:
        tags = tags_changed(text, change.after)
        changed = ["The constraints"] if run.constraint_text != source else []
        changed += [amount(tags, "tag")] if tags else []
        if changed:
            have = "has" if len(changed) == tags == 1 else "have"
            what = f"{' and '.join(changed)} {have} changed since this run"
            st.caption(f":material/edit: {what}. Train again to see the effect.")


def _next_step(text, change):
    """One sentence and one button: how good is it on unseen sentences, then what would help most."""
    saved = session().store.last_saved(text.corpus.project)
    key = text.key, change.before.key, change.after.key, change.scored > 0, saved
    step = session().cache.get("next steps", key, lambda: _step(text, change))
    show_next_step(step, text.corpus, "ge")


def _step(text, change):
    sample, known, progress = drawn(session().store, text.corpus), session().learner.known(text), ""
    has_gold = known is not None and not known.by_hand
    if sample is not None and known is not None and not has_gold:
        for outcome in (change.before, change.after):
            known = session().learner.unseen(known, outcome)
        of = population(sample, len(session().workspace.source(text.corpus)))
        accuracies = progress_on_sample(known, sample, of, (change.before.heads, change.after.heads))
        if accuracies is not None:
            before, now = accuracies
            by_hand = tags_by_hand(session().workspace, text.corpus, sample["sentences"], text.settings.tags)
            progress = progress_words(before, now, change.is_first, by_hand)
    return after_training(session().systems, text.corpus, has_gold, progress)


def _trees(text, change, run, snapshot):
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        change = change.within(group_choice(text.corpus, text.treebank, ConstraintsView.place))
        position = pager(len(change.order), ConstraintsView.place, most=3)
        shown = "after"
        if run is not None and snapshot is None:
            views = {name: title for name, title in TREES.items() if name != "gold" or change.scored or change.learnt}
            shown = choose_one("Tree", views, ConstraintsView.tree_view, width=190)
        if shown == "gold":
            learn_switch(text, int(change.order[position - 1]))
    index = int(change.order[position - 1])
    live = session().workspace.live(snapshot.run) if snapshot else None
    st.caption(_about(text, change, run, index, live))
    word = _opened(index)
    choice = dependency_tree(_drawing(text, change, run, live, index, shown), key="ge_tree", selected=word)
    if choice is None and word is not None:
        choice = Selection(word)
    if snapshot is None:
        arc_panel(text, change.before if shown == "before" else change.after, index, choice)
    if run is not None:
        _list(text, change)


def _opened(index):
    """The word at which another list has opened this sentence, or None; another sentence forgets it."""
    opened = ConstraintsView().open
    if opened is not None and opened[0] != index:
        ConstraintsView().open = opened = None
    return opened and opened[1]


def _about(text, change, run, index, live):
    sentence = text.treebank[index]
    number = int(text.treebank.picks[index]) + 1  # as the text counts, whatever training leaves out
    name = f"Sentence {number:,}" + (f" · {escape(sentence.sent_id)}" if sentence.sent_id else "")
    if live is not None:
        return f"{name} · at iteration {live[0]}"
    if run is None:
        return f"{name} · untrained: all trees are equally probable, so these arcs mean nothing yet"
    if change.is_first:
        return f"{name} · all arcs are new"
    return f"{name} · {change.moved[index]} of {amount(len(sentence), 'arc')} moved · most changed first"


def _drawing(text, change, run, live, index, shown):
    """The Drawing of one sentence, as it is now."""
    sentence, rows = text.treebank[index], slice(*text.treebank.offsets[index : index + 2])
    before, after = change.before.heads[rows], change.after.heads[rows]
    if live is not None and run is None:  # nothing learnt yet that could have changed
        return draw_tree(sentence, live[1][rows], kind="predicted")
    if live is not None:
        return show_change(sentence, after, live[1][rows])
    source = run.constraint_text if run else session().source
    supported = supported_arcs(session().learner.matches(text, source), index)
    outcome = change.before if shown == "before" else change.after
    posteriors = outcome.marginals[index]
    labels = arc_labels(session().learner, outcome, text.treebank, index)
    if run is None or shown == "before" or (change.is_first and shown == "after"):
        heads = outcome.heads[rows]
        return draw_tree(sentence, heads, kind="predicted", labels=labels, posteriors=posteriors, supported=supported)
    if shown == "gold":
        return compare_trees(sentence, after, labels=(sentence.deprels, labels), posteriors=posteriors)
    return show_change(sentence, before, after, labels=labels, posteriors=posteriors, supported=supported)


def _list(text, change):
    table = change_table(text, change)

    def choose(row, _):
        ConstraintsView().place = row + 1

    order = "as in the text" if change.is_first else "most changed first"
    listed = len(table["text"])
    st.caption(f"{listed:,} of {amount(len(change.order), 'sentence')}, {order}")
    columns = {"moved": 60, "words": 60, "text": sentence_column(table["text"], 700, 480)}
    alt = f"The first {amount(listed, 'sentence')}, {order}"
    draw_table(table, key="ge_list", choose=choose, height=250, columns=columns, alt=alt)


def _objective(run, snapshot):
    watched = snapshot.run if snapshot else run.id if run else None
    if watched is None:
        st.caption("Nothing trained yet.")
        return
    trace = [entry for entry in session().jobs.trace(watched) if "objective" in entry]
    values = [entry["objective"] for entry in trace]
    name = session().learner.objective
    objective_chart([entry["iteration"] for entry in trace], values, "ge_objective", name)
    if run is not None and snapshot is None and trace:
        st.caption(course_words(run, values[0]))
