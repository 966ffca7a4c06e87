"""Settings of joint parsing: the treebanks, the text that is parsed, the training of the parsers."""

import streamlit as st

from core.workspace.joint import views
from core.workspace.wording import joined
from pages.shared.basics import amount, escape
from pages.shared.job_panel import system_panel
from pages.shared.joint.state import joint, settings
from pages.shared.preset import preset_choice

WIDTH = 380  # pixels
CONJOINED = {"ours": "Our features", "baseline": "The baseline’s"}
LEARNT_ON = {"training": "Training text", "development": "Held-out text"}


def _texts(corpus, inputs, plan):
    """Draw the choice of the treebanks, and what is trained and parsed; ``inputs`` may be None."""
    with st.popover("Texts", icon=":material/menu_book:", key="jt_texts"), st.container(width=WIDTH):
        _choose_treebanks(corpus, plan)
        if inputs is not None:
            _describe(inputs, corpus)
            _scheme_of_text(inputs, corpus, plan)


def _choose_treebanks(corpus, plan):
    """Draw the choice of the first and the second, and of further ones where there are any."""
    options, setting = joint().options(corpus), settings(corpus, plan)
    pair, further = plan.treebanks[:2], plan.treebanks[2:]
    for at, (key, label) in enumerate(zip(pair, ("First scheme", "Second scheme"), strict=True)):
        names = options if key in options else {"": "Choose a treebank"} | options

        def changes(chosen, at=at):
            return {"treebanks": (*plan.treebanks[:at], chosen, *plan.treebanks[at + 1 :])}

        setting(
            st.selectbox, f"scheme_{at + 1}", label, names, value=key if key in names else "", changes=changes,
            doing=f"choosing the {label.lower()}",
            help="A treebank whose trees teach one of the parsers; they may be different texts with different tags and "
            "tokenization (Zhou & Zhao 2013, §3).",
        )  # fmt: skip
    others = [key for key in dict.fromkeys((*options, *further)) if key not in pair or key in further]
    if others:
        setting(
            st.multiselect, "further", "Further schemes", {key: options.get(key, "a removed text") for key in others},
            value=list(dict.fromkeys(further)),
            changes=lambda chosen: {"treebanks": (*pair, *chosen)}, doing="choosing further schemes",
            placeholder="None",
            help="Each further treebank teaches a parser of its own, and every parser reads the lists of all others. "
            "The certified search is for two.",
        )  # fmt: skip


def _describe(inputs, corpus):
    """What is trained on and what is parsed, in words."""
    counts = [f"{len(train):,} ({escape(name)})" for train, name in zip(inputs.trains, inputs.names, strict=True)]
    if len(inputs.test) < len(joint().workspace.treebank(corpus)):
        whole = f"every tenth ({len(inputs.test):,}) is kept for parsing"
    else:
        whole = f"{escape(corpus.name)} is parsed, {amount(len(inputs.test), 'sentence')}"
    apart = ", on different sentences" if inputs.divided else ""
    st.caption(f"Trained on {joined(counts)} sentences{apart}; {whole}.")


def warn(inputs):
    """Draw remarks on tags and tokenization that differ between the treebanks."""
    if inputs.tags is None:
        unlike = f" ({escape(', '.join(inputs.foreign[:6]))} …)" if inputs.foreign else ""
        st.caption(
            f":material/sell: The tag sets differ{unlike}: a tagger trained on {escape(inputs.names[0])} tags "
            "all texts."
        )
    for words in views.tokenization(inputs):
        st.caption(f":material/content_cut: {escape(words)}")


def _scheme_of_text(inputs, corpus, plan):
    """Draw the choice of the scheme that the text's own trees follow, unless a treebank has its sentences."""
    if not (inputs.test.heads >= 0).any() or any(gold is not None and gold is not inputs.test for gold in inputs.gold):
        return
    none = "neither" if len(inputs.names) == 2 else "none"
    names = dict(enumerate(inputs.names, start=1)) | {0: none}
    settings(corpus, plan)(
        st.segmented_control, "own", "Scheme of the text’s own trees", names,
        doing="choosing the scheme of the trees",
        help="They are used to score the parser of that scheme, not to train it.",
    )  # fmt: skip


def _settings(corpus, plan):
    """Draw the other settings."""
    with st.popover("Settings", icon=":material/tune:", key="jt_settings"), st.container(width=WIDTH):
        setting = settings(corpus, plan)
        preset_choice(setting, joint(), corpus, conjoined=CONJOINED, learnt_on=LEARNT_ON)
        setting.choice(st.segmented_control, "order", [1, 2], doing="choosing the order")
        columns = st.columns(2) * 2
        for column, name in zip(columns, ("candidates", "rounds", "stages", "epochs"), strict=True):
            setting.choice(column.number_input, name)
        setting.choice(st.segmented_control, "conjoined", CONJOINED)
        setting.choice(st.segmented_control, "learnt_on", LEARNT_ON)
        st.caption("Averaged perceptron, projective trees, seed 0.")


def run_panel(corpus, inputs, plan):
    """Draw button, settings and progress; while a run is under way it looks again by itself.

    ``inputs`` is None where the treebanks do not go together; others can be chosen then.
    """

    def beside(_):
        _texts(corpus, inputs, plan)
        _settings(corpus, plan)

    chosen = plan.settings
    system_panel(
        joint(), inputs, plan, "jt", "Parse jointly", icon=":material/join_inner:", unit="step",
        beside=beside,
        help=f"Trains a parser of order {chosen.order} for each scheme; all parse the text into lists of "
        f"{chosen.candidates} trees, then {chosen.rounds} times again with features of the others' lists (Zhou & Zhao "
        "2013, Algorithm 1). Last, with two schemes, the best pair of trees is searched by dual decomposition, with a "
        "proof.",
    )  # fmt: skip
