"""Settings of a learner as widgets: each says what is usual, marks what is not, and is saved at once."""

from functools import partial

import streamlit as st

from core.files.packed import plain_name
from core.workspace.constraints.known_trees import format_numbers, parse_numbers, with_marked
from core.workspace.corpus.drafts import add_draft, find_draft
from core.workspace.texts import listed_texts
from pages.shared.basics import amount, callback_errors, escape, report_errors, session
from pages.shared.counted import counted_choice
from pages.shared.messages import show_quietly
from pages.shared.reading import field_of_tab, hand_over, waiting_line
from pages.shared.setting import Settings

TAGS = {"upos": "Universal (UPOS)", "xpos": "The treebank’s own (XPOS)"}
BRACKETS = {"none": "None", "tear": "Tear", "sprawl": "Sprawl", "loose": "Loose", "strict": "Strict"}
HELP = {"warm": "Start from the last run where its model fits: after an edit, training takes a moment."}
FILE = "ge_trees_file"
NONE = 0  # beside the numbers of corpora
TREES_HELP = {
    "marked": "Numbers and ranges, such as 1-20, 33. The heads of these sentences are learned; a tree with unknown "
    "heads is partial.",
    "trees": "Another text of the project, whose trees are learned, whole or partial.",
    "corrections": "The project’s trees on the Annotate page that are marked done, whole or partial, as they are when "
    "training begins.",
}


class PlanSettings(Settings):
    """Draws the settings of a text's plan; ``help`` by their names, ``usual`` the plan where nobody has chosen.

    ``changed`` names those that are otherwise.
    """

    def __init__(self, text, usual, changed, help):
        super().__init__("ge_set", text.settings, partial(_change, text), HELP | help)
        self.text, self.usual, self.changed = text, usual.values(), changed

    bind = Settings.__call__  # a widget without mark and default

    def __call__(self, widget, name, label, *bounds, help=None, **how):
        """Draw a widget of one setting, marked where it is not as usual; of a choice ``bounds`` are names by option."""
        default, names = self.usual[name], {True: "on", False: "off"}
        if widget.__name__ in ("selectbox", "segmented_control"):
            names = bounds[0]
        usual = names.get(default, default) if widget.__name__ != "number_input" else default
        marked = f"{label} :blue[●]" if name in self.changed else label
        help = f"{help or self.help.get(name, '')} Default: {'no limit' if default is None else usual}.".strip()
        self.bind(widget, name, marked, *bounds, help=help, **how)

    def tags(self):
        """Draw the choice of a tag column."""
        filled = [name for name in TAGS if getattr(self.text.treebank, name).filled]
        self(st.selectbox, "tags", "Tags", {name: TAGS[name] for name in filled})

    def longest(self):
        """Draw the maximum length of sentences."""
        value = self.text.settings.max_length or 0
        self(st.number_input, "max_length", "Longest sentence, in words", 0, 500, value=value)

    @report_errors(show=show_quietly)
    def brackets(self, weight=None):
        """Draw how far trees should respect the text's mark-up, if it has some; ``weight()`` draws what it counts."""
        marked = sum(map(bool, session().learner.brackets(self.text)))
        if not marked and self.text.settings.brackets == "none":
            return
        self(st.segmented_control, "brackets", "Brackets", BRACKETS)
        if weight is not None and self.text.settings.brackets != "none":
            weight()
        have = "has" if marked == 1 else "have"
        st.caption(f"{marked:,} of {amount(len(self.text.treebank), 'sentence')} {have} mark-up.")


@callback_errors(rerun=True)
def save_settings(text, chosen):
    """Keep a plan with the project, if there is a text to train on with it; in a callback."""
    _save(text, chosen)


def _change(text, _, **changes):
    chosen = text.settings
    for name, value in changes.items():
        chosen = chosen.with_choice(name, value)
    _save(text, chosen)


def _save(text, chosen):
    session().learner.text(text.corpus, chosen)
    session().learner.save_settings(text.corpus, chosen)


def known_trees_tab(text, setting):
    """Draw the settings of known trees by ``setting``, a PlanSettings."""
    settings = text.settings
    setting.bind(
        st.text_input, "marked", "Sentences of this text", value=format_numbers(settings.marked),
        placeholder="such as 1-20, 33", help=TREES_HELP["marked"],
        changes=lambda typed: {"marked": parse_numbers(typed, len(session().workspace.treebank(text.corpus)))},
    )  # fmt: skip
    other = settings.takes_treebank
    if other:
        _another(text, setting)
    setting.bind(st.toggle, "corrections", "Sentences annotated by hand", help=TREES_HELP["corrections"])
    if settings.corrections:
        counted_choice(text.corpus, "ge_counted")
    if other:
        upload = st.file_uploader(
            "Import a small treebank", key=FILE, max_upload_size=20,
            on_change=session().workspace.readings.leave, args=(field_of_tab(FILE),),
        )  # fmt: skip
        if upload is not None:
            name, add = f"Learn from {escape(upload.name)}", partial(_add, text, upload)
            if not waiting_line(FILE, add, name):
                st.button(name, key="ge_trees_add", on_click=add, type="tertiary")
    if not settings.marked and settings.treebank is None and not settings.corrections:
        st.caption("Trees, whole or partial, can be learned beside the constraints.")
        return
    if other:
        left, right = st.columns(2)
        setting.choice(left.number_input, "complete_weight")
        setting.choice(right.number_input, "partial_weight")
    _say(text)


def _another(text, setting):
    """The choice of another text of the project, from whose trees to learn."""
    corpora, chosen = listed_texts(session().store, text.corpus.project), text.settings.trees or NONE
    others = {corpus.id: corpus.name for corpus in corpora if corpus.id != text.corpus.id}
    names = {chosen: "a removed text"} | {NONE: "none"} | others
    setting.bind(
        st.selectbox, "trees", "Another treebank", names, value=chosen,
        changes=lambda chosen: {"trees": chosen or None}, help=TREES_HELP["trees"],
    )  # fmt: skip


def learn_switch(text, index):
    """A switch that marks the sentence ``index`` of a text, whose own tree is on screen, to be learned from."""
    number = int(text.treebank.picks[index]) + 1
    st.session_state["ge_learn"] = number in text.settings.marked

    def mark():
        _keep(text, with_marked(text.settings, number, st.session_state["ge_learn"]))

    help_text = "All such sentences are listed in Settings, Trees"
    st.toggle("Learn from its own tree", key="ge_learn", on_change=mark, help=help_text)


@report_errors()
def _say(text):
    known = session().learner.known_trees(text)
    if known is None:
        return
    begun = f"; {known.begun:,} of them only begun" if known.begun else ""
    st.caption(f"Trees learned: {known.complete:,} whole, {known.partial:,} partial{begun}.")
    for problem in known.problems[:2]:
        st.caption(f":material/warning: {escape(problem)}")
    if len(known.problems) > 2:
        st.caption(f"… and {len(known.problems) - 2:,} more left out")


@callback_errors("ge_problem", rerun=True)
def _add(text, upload):
    hand_over(FILE, partial(_learn_from, text, upload.name, upload.getvalue()))


def _learn_from(text, name, data, asker):
    draft = find_draft(session().workspace, asker, name, data)
    corpus = add_draft(session().store, text.corpus.project, draft, plain_name(name))
    _keep(text, text.settings.with_choice("trees", corpus))


@callback_errors(rerun=True)
def _keep(text, chosen):
    session().learner.save_settings(text.corpus, chosen)
