"""Settings of consistent parsing: texts, contexts, rewards for agreement, close tags, the parser."""

import streamlit as st

from core.errors import WorkbenchError
from core.settings import choices
from core.workspace.consensus.plan import format_groups, parse_groups
from core.workspace.consensus.teaching import TREED, first_sentences
from core.workspace.constraints.plan import taught_by
from core.workspace.texts import listed_texts
from pages.shared.basics import amount, callback_errors, report_errors
from pages.shared.consensus.run import ICON, KEY, consensus, help_of, save, settings
from pages.shared.consensus.view_state import ConsensusView
from pages.shared.job_panel import system_panel
from pages.shared.preset import preset_choice

WIDTH = 430  # pixels
HELP = {
    "order": r"Parts that the projective MST parser scores. 1: arcs, $f(y) = \sum_{h \to m} s(h, m)$; 2: neighbouring "
    r"siblings too, $+ \sum s(h, m', m)$, as in Rush et al. 2012, §8.",
    "epochs": r"How often MIRA goes through the trees. A step is $\min(1, (\ell - \Delta) / \|f(y) - f(y')\|^2)$ for a "
    r"tree $y'$ with $\ell$ wrong heads that the right tree beats by $\Delta$ (Rush et al. 2012, §8; McDonald et al. "
    "2005).",
}  # fmt: skip
THRESHOLDS = "threshold", "minimum_count"
FIRST, WITH_TREES = 0, -1  # beside the numbers of corpora
TRAINED = 0  # beside the numbers of runs
UNITS = {"margin": "Mean margin", "score": "The parser’s scores"}
DECAYS = {"decision": "Each word", "component": "Connected sentences", "all": "All"}
TAGS = {"xpos": "XPOS", "upos": "UPOS"}
TREES = (
    "trees",
    "The text that is open is parsed. Contexts with their majority heads, and the parser, are learnt from these trees "
    "(Rush et al. 2012, §4, §7). Sentences have trees that are the file's, or corrected and done. No sentence is "
    "parsed, or scored, by a parser that has learnt from it.",
    "How many of the {:,} sentences teach; the others are parsed, and their trees are used for scores only.",
)


def run_panel(corpus, plan, inputs):
    """Draw the button, what is chosen behind the others, and progress; a run under way is looked at again by itself.

    ``inputs`` is None where the texts do not go together; others can be chosen then.
    """

    def beside(_):
        _texts(corpus, plan, inputs)
        if inputs is not None:
            _settings(corpus, plan, inputs)

    def show_what_changed():
        st.session_state["cs_show"] = "effects"

    system_panel(
        consensus(), inputs, plan, KEY, "Parse consistently", icon=ICON, help=help_of(plan), ended=show_what_changed,
        beside=beside,
    )  # fmt: skip


def of_address(kept):
    """The plan under the thresholds that the address says, or as it is kept; once the kept ones change, these count."""
    view = ConsensusView()
    own = tuple(getattr(kept.settings, name) for name in THRESHOLDS)
    linked = view.thresholds if view.kept in (None, own) else None
    view.kept = own
    if linked not in (None, own):
        if _are_thresholds(linked, type(kept.settings)):
            return kept.with_values(**dict(zip(THRESHOLDS, linked, strict=True)))
        st.toast("The thresholds of this link cannot be; the kept ones are shown", icon=":material/link_off:")
    if linked != own:
        view.thresholds = own
    return kept


def _are_thresholds(linked, kind):
    """Whether a link has a share and a count that could have been chosen."""
    if not isinstance(linked, tuple) or [type(value) in (int, float) for value in linked] != [True, True]:
        return False
    bounds = [choices(kind)[name].metadata["within"] for name in THRESHOLDS]
    inside = (low <= value <= high for value, (low, high) in zip(linked, bounds, strict=True))
    return all(inside) and linked[1] == int(linked[1])


def thresholds(corpus, plan, kept):
    """Draw the two choices that select contexts; the numbers below follow at once.

    ``kept`` is the plan as it is kept with the project, where the address says other thresholds.
    """
    setting = settings(corpus, plan, HELP)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        setting.choice(st.slider, "threshold", width=300)
        setting.choice(st.slider, "minimum_count", width=300)
        if plan != kept:
            now, before = ({name: getattr(each.settings, name) for name in THRESHOLDS} for each in (plan, kept))
            st.button(
                "Keep these thresholds", key="cs_keep_thresholds", icon=":material/check:",
                on_click=callback_errors()(save), kwargs=now,
                args=(consensus(), corpus, "keeping the thresholds of a link"),
                help="They are those of the address; kept are {threshold:g} and {minimum_count:,}".format(**before),
            )  # fmt: skip


def _settings(corpus, plan, inputs):
    setting = settings(corpus, plan, HELP)
    with st.popover("Settings", icon=":material/tune:", key="cs_settings"), st.container(width=WIDTH):
        preset_choice(setting, consensus(), corpus, unit=UNITS, decay=DECAYS)
        contexts, rewards, search, close, parser = st.tabs(["Contexts", "Rewards", "Search", "Close tags", "Parser"])
        with contexts:
            setting.choice(st.slider, "width")
            setting.choice(st.toggle, "prefer_inside")
            _tags(setting, plan, inputs)
        with rewards:
            draw_rewards(setting)
        with search:
            draw_search(settings(corpus, plan, prefix="cs_search"))  # whose start is no button
        with close:
            _close(setting, corpus, inputs, plan)
        with parser:
            if plan.parser is None:
                setting(st.segmented_control, "order", "Order", [1, 2])
                setting(st.number_input, "epochs", "Passes over the trees", 1, 50)
                st.caption(f"MIRA, projective, unlabelled, a table of 2^{inputs.table_bits} weights, seed 0.")
            else:
                st.caption(f"The parser of run {plan.parser} of Constraints; *Texts* has others.")
    with report_errors():
        plan.checked()


def _choose_parser(setting, corpus, plan):
    """The choice of the parser, where a run of Constraints has left one."""
    runs = consensus().parser_runs(corpus)
    if not runs and plan.parser is None:
        return
    names = {TRAINED: "Trained on the trees"}
    names |= {run.id: f"Run {run.id} of Constraints: {taught_by(run) or 'grammar'}" for run in runs}
    if plan.parser not in (None, *names):
        names[plan.parser] = "a run that is gone"
    setting(
        st.selectbox, "parser", "Parser", names, value=plan.parser or TRAINED, doing="choosing the parser",
        changes=lambda chosen: {"parser": chosen or None},
        help="The scores of a run of Constraints have what was said in them: constraints, answers, checked trees and "
        "brackets. Contexts are those of the training trees either way.",
    )  # fmt: skip


def draw_rewards(setting, value="head"):
    """Draw the rewards and the search of heads, or of tags."""
    setting.choice(st.segmented_control, "unit", UNITS)
    st.caption(f"The margin is between a word's best and second best {value}. In order: δ1 ≥ δ2 ≥ δ3 ≥ 0.")
    for column, name in zip(st.columns(3), ("delta1", "delta2", "delta3"), strict=True):
        setting.choice(column.number_input, name, format="%g")
    left, right = st.columns(2)
    setting.choice(left.number_input, "step", format="%g")
    setting.choice(right.number_input, "iterations")


def draw_search(setting):
    """Draw how heads, or tags, and contexts are searched."""
    setting.choice(st.segmented_control, "decay", DECAYS)
    columns = st.columns(2) * 2
    for column, name in zip(columns, ("start", "prune", "patience", "branches"), strict=True):
        setting.choice(column.number_input, name)
    for name in ("presolve", "lazy", "release", "last"):
        setting.choice(st.toggle, name)


def _close(setting, corpus, inputs, plan):
    labels = inputs.index.labels

    def groups(text):
        try:
            labels.with_close(parse_groups(text) or {})
        except WorkbenchError as error:
            raise WorkbenchError(f"Close tags not changed: {error}") from error
        return {"close_tags": text.strip()}

    setting(
        st.text_area, "close_tags", "One group per line", value=plan.close_tags or format_groups(labels),
        changes=groups, doing="changing which tags are close", height=220,
        help="A head whose tag is close to the consensus earns δ2 (Rush et al. 2012, §4). By default tags are close "
        "that share a coarse tag. ROOT is close to none.",
    )  # fmt: skip
    st.button(
        "Restore the default", key="cs_close_reset", type="tertiary", disabled=not plan.close_tags,
        on_click=callback_errors()(save), args=(consensus(), corpus, "restoring the default close tags"),
        kwargs={"close_tags": ""},
    )  # fmt: skip


def _texts(corpus, plan, inputs):
    with st.popover("Texts", icon=":material/menu_book:", key="cs_texts"), st.container(width=WIDTH):
        setting = settings(corpus, plan)
        choose_teaching(setting, consensus(), corpus, plan, TREES)
        _choose_parser(setting, corpus, plan)
        if inputs is None:
            return
        st.caption(taught_words(plan, inputs))


def taught_words(plan, inputs, what="trees", done="parsed"):
    """Which trees, or tags, teach, and what is parsed, in a sentence."""
    own, rest = plan.trees in (None, inputs.corpus.id), ""
    taught = f"{amount(len(inputs.train), 'sentence')} ({amount(inputs.train.token_count, 'word')})"
    if own:
        which = f"The {taught} with {what}" if plan.first == TREED else f"The first {taught}"
        rest = "the other "
    else:
        which = f"All {taught} of the training text"
    parsed = f"{rest}{len(inputs.test):,} ({amount(inputs.test.token_count, 'word')}) are {done}"
    return f"{which} teach; {parsed}."


def choose_teaching(setting, system, corpus, plan, words):
    """Draw the choice of the text that teaches a plan of a system, and of how many of its own first sentences do.

    ``words`` are what it teaches, and help: "trees".
    """
    what, help_text, help_first = words
    count = len(system.workspace.treebank(corpus))
    others = [other for other in listed_texts(system.store, corpus.project) if other.id != corpus.id]
    names = {FIRST: f"{corpus.name}: its first sentences", WITH_TREES: f"{corpus.name}: its sentences with {what}"}
    names |= {other.id: other.name for other in others}
    plan = plan.choosing(corpus, count)
    if plan.trees not in (None, *names):
        names[plan.trees] = "a text that was removed"
    split = first_sentences(count)

    def changes(chosen):
        own = {FIRST: split, WITH_TREES: TREED}
        return {"trees": None, "first": own[chosen]} if chosen in own else {"trees": chosen}

    with st.container(horizontal=True, vertical_alignment="bottom"):
        setting(
            st.selectbox, "trees", f"Training {what}", names,
            value=plan.trees or (WITH_TREES if plan.first == TREED else FIRST),
            doing=f"choosing the training {what}", changes=changes, width="stretch", help=help_text,
        )  # fmt: skip
        if plan.trees is None and plan.first != TREED and count > 1:
            setting(
                st.number_input, "first", "First", 1, count - 1, value=plan.first,
                doing="moving the split", width=110, help=help_first.format(count),
            )  # fmt: skip


def _tags(setting, plan, inputs):
    filled = [name for name in TAGS if all(getattr(part, name).filled for part in (inputs.train, inputs.test))]
    if len(filled) > 1:
        setting(
            st.segmented_control, "tags", "Tags of contexts", filled, value=plan.tags or inputs.index.labels.column,
            doing="choosing tags", format_func=TAGS.get, label_visibility="collapsed",
            help="Contexts are windows of these tags, and consensus is about the head's (Rush et al. 2012, §4).",
        )  # fmt: skip
