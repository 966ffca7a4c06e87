"""Faults of a text as it stands: a count for each rule, the words that break it, each drawn and opened in Annotate."""

import streamlit as st

from core.draw import draw_tree
from core.workspace.validation import MOST, text_faults
from pages.shared.annotate.todo import open_place
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.corpus.rules import rules_field
from pages.shared.corpus.view_state import CorpusView
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.widgets import action_button, column, draw_table

RULES = {
    "rule": ("Rule", 165), "faults": column("Faults", 65, "localized"),
    "sentences": column("Sentences", 85, "localized"), "test": column("In UD", 190, help="Its name in UD’s validator"),
}  # fmt: skip
WORDS = {"sentence": 70, "word": 150, "message": ("What is wrong", 480)}
HELP = (
    "By the rules of trees, and in a text with the labels of Universal Dependencies by those of its validator, levels "
    "1 to 3. The lists of one language (`corpus validate --ud-data`) are not asked."
)


@st.fragment
@report_errors()
def faults_panel(corpus):
    """Draw it; its controls rerun nothing else."""
    faults = _checked(corpus)
    _listed(corpus, faults)
    rules_field(corpus, faults.validation.rule_text)


def _listed(corpus, faults):
    """Draw what breaks the rules."""
    count, size = faults.count, amount(len(faults.treebank), "sentence")
    if faults.lacking:
        st.caption(f"Not counted: no sentence has {', '.join(faults.lacking)}, which UD asks for.")
    if not count:
        st.caption(f"No fault in {size}.", help=HELP)
    else:
        st.markdown(f"**{amount(count, 'fault')}** in {faults.sentence_count:,} of {size}", help=HELP)
    if faults.notes:
        st.caption(f"{amount(faults.notes, 'note')}: words that break a rule with a share, which is no law.")
    if not faults.by_rule:
        return
    rules, words = st.columns([5, 7], gap="large")
    names = list(faults.by_rule)
    with rules:
        draw_table(
            faults.rule_columns(), key="faults_rules", choose=lambda row, _: _choose(names[row]), most=340,
            columns=RULES, alt=f"{amount(len(names), 'rule')}; most often broken: {names[0].kind}",
        )  # fmt: skip
    with words:
        _words(corpus, faults, _chosen(names))


def _checked(corpus):
    """The TextFaults of the version that is open; says how far it is while a text is checked for the first time."""
    slot = st.empty()
    with slot:

        def progress(share, doing):
            st.progress(share, text=doing)

        faults = text_faults(session().shown, corpus, progress)
    slot.empty()
    return faults


def _chosen(names):
    """The rule whose words are listed: that of the click or the link while it is broken, else the first."""
    rule = CorpusView().rule
    return next((name for name in names if name[:2] == rule), names[0])


def _choose(rule):
    CorpusView().rule = tuple(rule[:2])
    CorpusView().fault = None


def _words(corpus, faults, rule):
    """Draw the words that break a rule, and the tree around the chosen one."""
    words, table = faults.words(rule), faults.columns(rule)
    listed = f", the first {MOST:,} listed" if len(words) > MOST else ""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        kind = "note" if rule.note else "fault"
        st.markdown(f"**{escape(rule.title)}**: {amount(len(words), kind)}{listed}", width="content")
        sentences, numbers = zip(*words, strict=True)
        save_results(corpus, faults.treebank, sentences, "faults", numbers)
    draw_table(
        table, key="faults_words", choose=CorpusView.fault.choose, most=230, columns=WORDS,
        alt=f"{amount(len(table['word']), 'word')} in the order of the text; first {table['message'][0]}",
    )  # fmt: skip
    row = min(CorpusView().fault, len(table["word"]) - 1)
    index, word = words[row]
    sentence = faults.treebank[index]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Sentence {index + 1:,} {escape(sentence.sent_id or '')} · {escape(sentence.forms[word])}: "
            f"{escape(table['message'][row])}"
        )
        action_button("Open in Annotate", "faults_annotate", "edit", _open, corpus, rule, words, row)
    dependency_tree(draw_tree(sentence), key="faults_tree", selected=word, height=380)


def _open(corpus, rule, words, row):
    """Open Annotate at a row of the list; in a callback."""
    CorpusView().fault = row
    open_place(corpus, "faults", rule.title, words, row, row_key=CorpusView.fault)
