"""What training made of the text: how many heads are right, sentences before and after, and why."""

from typing import Any

import streamlit as st

from core.draw import compare_trees, draw_tree, show_change
from core.workspace.constraints.conditioning import begins_with_prior
from core.workspace.constraints.other_words import former_trees
from core.workspace.constraints.results import change_table, course_words, left_out_words, supported_arcs, tags_changed
from core.workspace.next_step import after_training, progress_on_sample, progress_words
from core.workspace.wording import all_learnt
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.charts import objective_chart
from pages.shared.constraints.arc_panel import arc_panel
from pages.shared.constraints.first_trees import READING, first_trees
from pages.shared.constraints.gradient_panel import gradient_panel
from pages.shared.constraints.lines_panel import lines_panel
from pages.shared.constraints.mistakes_panel import mistakes_panel
from pages.shared.constraints.plan_settings import learn_switch
from pages.shared.constraints.strains import strains
from pages.shared.constraints.targets_panel import targets_panel
from pages.shared.constraints.versions import compared, comparing, version_targets
from pages.shared.constraints.view_state import ConstraintsView
from pages.shared.group_choice import group_choice
from pages.shared.markup.kept import kept_words
from pages.shared.next_step import show_next_step
from pages.shared.relations import arc_labels
from pages.shared.tree import Selection, dependency_tree
from pages.shared.widgets import choose_one, choose_view, draw_table, pager, sentence_column

VIEWS = {
    "trees": "Trees", "lines": "Decides", "mistakes": "Errors", "targets": "Targets", "objective": "Objective",
    "gradient": "Gradient",
}  # fmt: skip
FIRST = 3  # of them in sight; the others are behind More
LISTED = "ge_listed"  # the newest run when the trees were listed last: with another one their order begins anew
TREES = {"after": "After training", "before": "Before training", "gold": "Beside the text’s own"}


@report_errors()
def results(text, snapshot, used):
    """Draw them; ``snapshot`` is of the job under way, or None, and ``used()`` draws which sentences are used."""
    pair = snapshot is None and comparing()
    compared_runs: Any = compared(text) if pair else (None, session().newest_run)
    if compared_runs is None:
        return
    former, run = compared_runs  # Runs, or None
    if not (pair or session().learner.has_first(text, run)):
        _without_first(text, run, snapshot, used)
        return
    change = session().learner.change(text, run, former)
    earlier = former_trees(session().learner, text) if run is None else None
    with st.container():
        _accuracy(text, change, run, pair)
        if earlier is not None:
            st.caption(f":material/edit: {earlier.text}")
        if run is not None and not pair and snapshot is None:
            strains(run)
            _next_step(text, change)
        used()
    view = _view()
    live = _live(snapshot) if view == "trees" else None
    _begin_anew(run)
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
    elif live is None and _shows_earlier(earlier):
        _earlier(earlier)
    elif run is None and live is None and begins_with_prior(text):
        first_trees(text, change.after, training=snapshot is not None)
    else:
        _trees(text, change, run, snapshot, live)


def _without_first(text, run, snapshot, used):
    """Draw what there is while the universal parser reads the text: single sentences of it, before the first run."""
    used()
    if _view() == "trees" and run is None:
        first_trees(text, None, training=snapshot is not None)
    else:
        st.caption(READING)


def _live(snapshot):
    """Draw the choice of the trees of a run under way; returns its last (iteration, heads), or None."""
    if snapshot is None:
        return None
    help_text = "The trees of the run under way, as it learns; else those of the last finished parser stay"
    shown = st.toggle("Live trees", key=ConstraintsView.live, persist_state="session", help=help_text)
    return session().workspace.live(snapshot.run) if shown else None


def _view():
    """Draw the choice of a view, some of them behind More; returns the one that is chosen."""
    views = [name for name in VIEWS if name != "gradient" or session().learner.has_gradient]
    linked = next((name for name in views if VIEWS[name] == st.query_params.get(ConstraintsView.results)), None)
    chosen = st.session_state.get(ConstraintsView.results, linked)
    shown = [name for name in views if name in views[:FIRST] or name == chosen]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        view = choose_view("Show", VIEWS, ConstraintsView.results, options=shown)
        others, named = [name for name in views if name not in shown], VIEWS.__getitem__
        if others:
            st.menu_button("More", others, format_func=named, type="tertiary", key="ge_more", on_click=_open_view)
    return view


def _open_view():
    ConstraintsView().results = st.session_state["ge_more"]


def _accuracy(text, change, run, pair):
    parts = []
    if change.scored:
        right = f"**{change.right_after / change.scored:.1%}** of heads right"
        words, conditions = amount(change.scored, "word"), change.score_after.conditions
        now = f"{right} ({change.right_after:,} of {words} {escape(conditions.short)})"
        before = f"{change.right_before / change.scored:.1%} {_by(change.before, 'before')}{change.doubts_before}"
        parts.append(f"{now}, {before}" if run else f"{now}, {_by(change.after)}")
    elif change.learnt:
        parts.append(f"no score: {all_learnt(change.learnt)}")
    if run is not None and not change.is_first:
        moved = int(change.moved.sum())
        reads = change.before.run is None and tags_changed(text, change.after) > 0
        since = f", counted from {change.before.parser} on the changed tags" if reads else ""
        parts.append(f"{moved:,} of {amount(text.treebank.token_count, 'arc')} moved{since}")
    if run is not None and change.after.plan.brackets != "none":
        parts.append(kept_words(change.after, change.after.plan.brackets))
    if any(parts):
        st.markdown(" · ".join(filter(None, parts)))
    if run is not None and not pair and (left_out := left_out_words(run)):
        st.caption(f":material/block: {escape(left_out)}")
    source = session().source
    if run is not None and not pair:
        tags = tags_changed(text, change.after)
        changed = ["The constraints"] if run.constraint_text != source else []
        changed += [amount(tags, "tag")] if tags else []
        if changed:
            have = "has" if len(changed) == tags == 1 else "have"
            what = f"{' and '.join(changed)} {have} changed since this run"
            st.caption(f":material/edit: {what}. Train again to see the effect.")


def _by(outcome, of_run=""):
    """Whose score it is, in words; ``of_run`` where it is a run's."""
    return of_run if outcome.run else "untrained" if outcome.is_uniform else f"by {outcome.parser}"


def _next_step(text, change):
    """One sentence and one button: how good is it on unseen sentences, then what would help most."""
    saved = session().store.last_saved(text.corpus.project)
    key = text.key, change.before.key, change.after.key, change.scored > 0, saved
    step = session().cache.get("next steps", key, lambda: _step(text, change))
    show_next_step(step, text.corpus, "ge")


def _step(text, change):
    known, progress = session().learner.known(text), ""
    has_gold = known is not None and not known.by_hand
    scores = None if known is None or has_gold else progress_on_sample(session().learner, text, change)
    if scores is not None:
        progress = progress_words(change, *scores)
    left_none = change.learnt > 0 and not change.scored
    return after_training(session().systems, text.corpus, has_gold, progress, left_none)


def _trees(text, change, run, snapshot, live):
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        change = change.within(group_choice(text.corpus, text.treebank, ConstraintsView.place))
        position = pager(len(change.order), ConstraintsView.place, most=0)
        shown = "after"
        if run is not None and snapshot is None:
            views = {name: title for name, title in TREES.items() if name != "gold" or change.scored or change.learnt}
            shown = choose_one("Tree", views, ConstraintsView.tree_view, width=190)
        if shown == "gold":
            learn_switch(text, int(change.order[position - 1]))
    index = int(change.order[position - 1])
    about = _about(text, change, run, index, live, snapshot)
    st.caption(f"{about} · {position:,} of {len(change.order):,}")
    word = _opened(index)
    choice = dependency_tree(_drawing(text, change, run, live, index, shown), key="ge_tree", selected=word)
    if choice is None and word is not None:
        choice = Selection(word)
    if snapshot is None:
        arc_panel(text, change.before if shown == "before" else change.after, index, choice)
    if run is not None:
        _list(text, change)


def _begin_anew(run):
    """Show the first sentence of the list again where a run has changed its order since."""
    newest = run and run.id
    if st.session_state.get(LISTED, newest) != newest:
        ConstraintsView().place = 1
    st.session_state[LISTED] = newest


def _opened(index):
    """The word at which another list has opened this sentence, or None; another sentence forgets it."""
    opened = ConstraintsView().open
    if opened is not None and opened[0] != index:
        ConstraintsView().open = opened = None
    return opened and opened[1]


def _about(text, change, run, index, live, snapshot):
    sentence = text.treebank[index]
    number = int(text.treebank.picks[index]) + 1  # as the text counts, whatever training leaves out
    name = f"Sentence {number:,}" + (f" · {escape(sentence.sent_id)}" if sentence.sent_id else "")
    if live is not None:
        return f"{name} · at iteration {live[0]}"
    if snapshot is not None and run is not None:
        return f"{name} · trees of {change.after.parser}, until this training has ended"
    if run is None:
        return f"{name} · untrained: all trees are equally probable, so these arcs mean nothing yet"
    if change.is_first:
        return f"{name} · all arcs are new"
    if not change.by_change:
        return f"{name} · no arc of the text moved"
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


def _shows_earlier(earlier):
    """Draw the choice between the FormerTrees of a run on other words and those of now, where there are some."""
    if earlier is None or not len(earlier.places):
        return False
    titles = {"earlier": f"Trees of {earlier.outcome.parser}", "now": "Trees before training"}
    return choose_one("Trees shown", titles, ConstraintsView.earlier, width=240) == "earlier"


def _earlier(earlier):
    """Draw a sentence of FormerTrees as it was then."""
    outcome, bank = earlier.outcome, earlier.outcome.inputs.treebank
    index = int(earlier.places[pager(len(earlier.places), ConstraintsView.place, most=3) - 1])
    sentence, rows = bank[index], slice(*bank.offsets[index : index + 2])
    st.caption(f"Sentence {int(bank.picks[index]) + 1:,} · {escape(sentence.sent_id or '')}".removesuffix(" · "))
    labels = arc_labels(session().learner, outcome, bank, index)
    how = {"labels": labels, "posteriors": outcome.marginals[index]}
    dependency_tree(draw_tree(sentence, outcome.heads[rows], kind="predicted", **how), key="ge_tree")


def _list(text, change):
    table = change_table(text, change)

    def choose(row, _):
        ConstraintsView().place = row + 1

    order = "most changed first" if change.by_change else "as in the text"
    listed = len(table["text"])
    if listed < len(change.order):
        st.caption(f"The first {amount(listed, 'sentence')}")
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
