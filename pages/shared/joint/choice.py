"""Settings of joint parsing: the two treebanks, the text that is parsed, the training of both parsers."""

import streamlit as st

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
    """Draw the two choices."""
    options, setting = joint().options(corpus), settings(corpus, plan)
    for name, label in (("one", "First scheme"), ("other", "Second scheme")):
        shown = getattr(plan, name)
        names = options if shown in options else {"": "Choose a treebank"} | options
        setting(
            st.selectbox, name, label, names, value=shown if shown in names else "",
            doing=f"choosing the {label.lower()}",
            help="A treebank whose trees teach one of the two parsers; the two may be different texts with different "
            "tags and tokenization (Zhou & Zhao 2013, §3).",
        )  # fmt: skip


def _describe(inputs, corpus):
    """What is trained on and what is parsed, in words."""
    counts = [f"{len(train):,} ({escape(name)})" for train, name in zip(inputs.trains, inputs.names, strict=True)]
    if len(inputs.test) < len(joint().workspace.treebank(corpus)):
        whole = f"every tenth ({len(inputs.test):,}) is kept for parsing"
    else:
        whole = f"{escape(corpus.name)} is parsed, {amount(len(inputs.test), 'sentence')}"
    halves = ", on different sentences" if inputs.halved else ""
    st.caption(f"Trained on {counts[0]} and {counts[1]} sentences{halves}; {whole}.")


def warn(inputs):
    """Draw remarks on tags and tokenization that differ between the treebanks."""
    if inputs.tags is None:
        unlike = f" ({escape(', '.join(inputs.foreign[:6]))} …)" if inputs.foreign else ""
        st.caption(
            f":material/sell: The tag sets differ{unlike}: a tagger trained on {escape(inputs.names[0])} tags "
            "all texts."
        )
    cut = inputs.cut
    if cut["recut"] or inputs.recut or (cut["cut_words"] or 0) > 1:
        st.caption(
            f":material/content_cut: Tokenization differs: {cut['cut_words']:.1f}% of the words of "
            f"{escape(inputs.names[1])} are two words in {escape(inputs.names[0])}; {amount(cut['recut'], 'sentence')} "
            f"have the same letters but other words. Trees are drawn over the words of the open text"
            + (f"; {inputs.recut:,} of its sentences are not scored for that reason." if inputs.recut else ".")
        )


def _scheme_of_text(inputs, corpus, plan):
    """Draw the choice of the scheme that the text's own trees follow, unless a treebank has its sentences."""
    if not (inputs.test.heads >= 0).any() or any(gold is not None and gold is not inputs.test for gold in inputs.gold):
        return
    names = {1: inputs.names[0], 2: inputs.names[1], 0: "neither"}
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
        help=f"Trains two parsers of order {chosen.order}; both parse the text into lists of {chosen.candidates} "
        f"trees, then {chosen.rounds} times again with features of the other's list (Zhou & Zhao 2013, Algorithm 1). "
        "Last, the best pair of trees is searched by dual decomposition, with a proof.",
    )  # fmt: skip
