"""Training: the button, settings, progress and results, and the files of a run."""

from functools import partial

import streamlit as st

from core.parsers.labels import has_relations
from core.workspace.constraints.conditioning import begins_with_prior
from core.workspace.constraints.files import npz_recipe, parser_name, pipeline_file, ruled_recipe, rules_file
from core.workspace.constraints.pipeline import BY_HAND, spacy_recipe
from core.workspace.constraints.plan import choose_learner
from core.workspace.constraints.record import record_recipe, record_text
from core.workspace.constraints.results import other_settings
from core.workspace.constraints.training_scope import tagged_share, text_scope
from core.workspace.parses import offers_of
from core.workspace.system import File
from pages.shared.basics import amount, callback_errors, report_errors, session
from pages.shared.constraints.plan_settings import save_settings
from pages.shared.constraints.results import results
from pages.shared.constraints.set_panel import EDITOR, VIEW
from pages.shared.constraints.settings_panel import settings_panel
from pages.shared.editor import save_typed
from pages.shared.job_panel import system_panel
from pages.shared.relations import relations_choice
from pages.shared.setting import Settings
from pages.shared.tree_files import ruled_file, rules_to_take, tree_file
from pages.shared.widgets import download

LEARNERS = {"grammar": "Grammar", "ge": "Tree CRF"}
WIDTH = 430


def training_panel(text):
    """Draw it; while a job runs it looks again by itself how the job stands."""
    if session().follows or _is_asked(text):
        _follow(text)
    used = text_scope(session().learner, text)

    def beside(active):
        settings_panel(text, partial(_learner, text), partial(_beside_settings, text))
        if active is None:
            take_away(text)

    def below():
        if left_out := tagged_share(session().learner, text):
            st.caption(left_out)

    def view(active):
        run = session().newest_run if active is None else None
        if run is not None and (names := other_settings(run, text)):
            changed = ", ".join(name.replace("_", " ") for name in names)
            st.caption(
                f":material/tune: Settings changed since run {run.id} ({changed}). Train again to see their effect."
            )
        every = text.settings.with_choice("max_length", None)
        results(text, active, lambda: sentences_used(used, save_settings, "ge", (text, every)))

    system_panel(
        session().learner, text, text.settings, "ge", "Train", start_key="ge_train", icon=":material/model_training:",
        start=partial(_train, text),
        help=f"Find the parser whose trees of {used.words} come nearest to your constraints "
        f"({session().learner.citation.cited})",
        beside=beside, below=below, words=training_words, view=view,
    )  # fmt: skip


def _learner(text):
    """Draw the choice of the learner."""

    def choose(_, kind):
        choose_learner(session().store, text.corpus, kind)

    Settings("ge_learner", session().learner, choose, problem="ge_problem")(
        st.segmented_control, "kind", "Learner", LEARNERS, label_visibility="collapsed",
        help="**Grammar**: a dependency grammar with extended valence, learnt so that its trees keep to your "
        "constraints (posterior regularization, Ganchev et al. 2010); best on sentences of all lengths. **Tree CRF**: "
        "a log-linear model of arcs (generalized expectation, Druck et al. 2009); fast on short sentences, and it can "
        "learn crossing arcs. Both keep their settings and runs.",
    )  # fmt: skip


def _beside_settings(text):
    st.toggle(
        "Retrain after every change", value=session().follows, key="ge_follow", on_change=_remember_follow,
        help="Each change of the constraints starts a training in the background, from where the last one ended",
    )  # fmt: skip
    _relations(text.corpus, session().newest_run, "ge_relations")


def _relations(corpus, run, key):
    """Ask for relations, unless the parser names them."""
    if run is None or not has_relations(session().learner.load(run).parses[""]):
        relations_choice(corpus, key, beside=False)


def training_words(snapshot):
    """How far a run is, in words."""
    if "objective" not in snapshot.figures:  # a resumed run too begins with the text
        return "Reading the text"
    left = f", at most {snapshot.seconds_left:.0f} s left" if snapshot.seconds_left is not None else ""
    if stage := snapshot.figures.get("stage"):
        return f"Iteration {snapshot.iteration}, {stage}{left}"
    return f"Iteration {snapshot.iteration}, objective {snapshot.figures['objective']:.3f}{left}"


def _train(text):
    save_typed(EDITOR)
    session().learner.train(text, session().source)


def _is_asked(text):
    """Whether questions are asked above a parser, whose trees turn at once with every answer."""
    if st.session_state.get(VIEW) != "ask" or not begins_with_prior(text):
        return False
    return session().newest_run is not None or bool(text.constraint_set.usable)


@callback_errors("ge_problem")
def _follow(text):
    """Train where the set is newer than the newest run; an error is shown below the button."""
    session().learner.follow(text, session().source)


@callback_errors("ge_problem", rerun=True)
def _remember_follow():
    session().store.remember(session().project, "view", "follow", st.session_state["ge_follow"])


def sentences_used(scope, use_all, key, args=()):
    """Say which part of the text a ``core.workspace.scope.Scope`` is, with a button; nothing where it is all of it.

    ``use_all(*args)`` is the button's callback.
    """
    if scope.is_all:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_scope"):
        st.caption(scope.words, width="content")
        st.button("use all", key=f"{key}_use_all", type="tertiary", on_click=use_all, args=args, help=scope.cost_of_all)


def take_away(text):
    """Draw the button, where there is a run, and what is behind it."""
    run = session().newest_run
    if run is None:
        return
    button = st.popover("Save", icon=":material/download:", key="ge_take_away", on_change="rerun")
    if button.open:
        with button, st.container(width=WIDTH):
            _files(text.corpus, run)


def _files(corpus, run):
    record_file = File("Run record", f"run-{run.id}.json", partial(record_text, session().learner, run))
    st.markdown(f"**Run {run.id}**, {run.figures['end']} after {amount(run.figures['iterations'], 'iteration')}")
    _relations(corpus, run, "ge_save_relations")
    trees, weights, spacy, record = st.tabs(["Trees", "Parser", "spaCy", "Record"])
    offers = offers_of(session().systems, corpus, run)
    with trees:
        for offer in offers:
            tree_file(corpus, offer, "ge", "The text with its trees, CoNLL-U")
            ruled_file(corpus, offer, f"ge_{offer.key}")
    with weights:
        _weights(corpus, run, offers)
    with spacy:
        _pipeline(corpus, run, offers)
    with record:
        _file(record_file, "application/json")
        st.caption(
            "Settings, constraints, trees learned from, figures and versions: all it takes to train the same parser "
            "again on the text as it was then, including the runs that this one started from."
        )
        st.code(record_recipe(session().project, corpus, run, record_file.name), language=None, wrap_lines=True)


@report_errors()
def _weights(corpus, run, offers):
    """Draw the parser as a file of weights, and its text's rules beside it."""
    _file(session().learner.load(run).files[0], "application/octet-stream")
    rules = rules_to_take(corpus, offers[0].key, "ge_weights")
    if not rules:
        st.code(npz_recipe(run), language=None, wrap_lines=True)
        return
    _file(rules_file(run, rules), "text/plain")
    st.caption(f"{amount(len(rules), 'rule')} as text, beside the parser; the command takes both.")
    st.code(ruled_recipe(run), language=None, wrap_lines=True)


@report_errors()
def _pipeline(corpus, run, offers):
    """Draw the parser as a spaCy pipeline, with its text's rules in it where they are asked for."""
    rules = rules_to_take(corpus, offers[0].key, "ge_spacy")
    file = session().learner.load(run).files[1]
    if rules:
        workspace, parser = session().workspace, partial(session().learner.labelled_parser, run)
        file = pipeline_file(workspace, corpus, run, parser, rules)
    _file(file, "application/zip")
    if rules:
        st.caption(f"Its trees keep {amount(len(rules), 'rule')}, which its folder has as text.")
    recipe = spacy_recipe(session().workspace.treebank(corpus), parser_name(run))
    st.code(recipe, language=None, wrap_lines=True)
    st.caption(f"Where the workbench is not installed with pip, but run in its folder: {BY_HAND}.")


def _file(file, mime):
    download(file.label, file.data, file.name, f"ge_save_{file.name}", mime=mime)
