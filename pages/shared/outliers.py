"""Words that are attached otherwise than words in the same context: listed by odds, drawn, opened in Annotate."""

import streamlit as st

from core.draw import draw_tree
from core.workspace.outliers import text_outliers
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.save_group import save_results
from pages.shared.text_menu import open_text
from pages.shared.tree import dependency_tree
from pages.shared.view_state import ViewState
from pages.shared.widgets import action_button, column, draw_table

GO = "odd_open"  # set in the run that opens Annotate
COLUMNS = {
    "sentence": 70, "word": 130, "relation": 80, "has": ("Its head", 130), "others": ("Others’ heads", 150),
    "share": column("Of them", 90, help="How many of the other words in the context have such a head"),
    "odds": column("Odds", 70, "localized", "How many times likelier the others’ head is, at most the words compared"),
    "context": column("Context", 200, help="Tags around the word, which is between asterisks with its relation"),
}  # fmt: skip
HELP = (
    "Contexts are windows of tags, with the word’s relation; a word is listed where another head is 90 % likely. Most "
    "first words of a list are errors only where a treebank has many: in one that was checked well, rare constructions "
    "come first."
)


def outliers_expander(corpus):
    """Draw it for the text's own trees, closed until somebody opens it."""
    opened = st.expander("Inconsistencies", icon=":material/rule:", key="odd_panel", on_change="rerun")
    if opened.open:
        with opened:
            outliers_panel(corpus)


@report_errors()
def outliers_panel(corpus):
    """Draw it."""
    if st.session_state.pop(GO, False):
        open_text(corpus.id)  # this page has already answered the callback, which asked for it too
        st.switch_page("pages/annotate.py", query_params={})
    with st.spinner("Comparing words in the same context"):
        comparison = text_outliers(session().workspace, corpus)
    outliers, words = comparison.outliers, comparison.treebank.token_count
    if not outliers:
        st.caption(f"No word of {words:,} is attached otherwise than words in the same context.")
        return
    table = comparison.columns()
    listed = f", the first {len(table['word']):,} listed" if len(table["word"]) < len(outliers) else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{len(outliers):,}** of {words:,} words contradict their context{listed}", help=HELP)
        sentences, numbers = zip(*((outlier.sentence, outlier.word) for outlier in outliers), strict=True)
        save_results(corpus, comparison.treebank, sentences, "odd", numbers)
    alt = f"{amount(len(table['word']), 'word')} by odds; first {table['word'][0]} with the head {table['has'][0]}"
    draw_table(
        table, key="odd_list", choose=ViewState.outlier.choose, most=290, columns=COLUMNS, alt=alt,
    )  # fmt: skip
    _drawn(corpus, comparison, min(ViewState().outlier, len(table["word"]) - 1))


def _drawn(corpus, comparison, row):
    outlier = comparison.outliers[row]
    sentence = comparison.treebank[outlier.sentence]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Sentence {outlier.sentence + 1:,} {escape(sentence.sent_id or '')} · the head of "
            f"{escape(sentence.forms[outlier.word])}: {escape(str(outlier.has))}; of others: "
            f"{escape(str(outlier.others))}"
        )
        action_button("Open in Annotate", "odd_annotate", "edit", _open, corpus, outlier.sentence, outlier.word)
    dependency_tree(draw_tree(sentence), key="odd_tree", selected=outlier.word, height=380)


def _open(corpus, sentence, word):
    """Open Annotate on a word; in a callback."""
    open_text(corpus.id, AnnotateView, view="tree", sentence=sentence + 1, focus=(sentence, word))
    st.session_state[GO] = True
