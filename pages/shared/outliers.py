"""Words that are attached otherwise than words in the same context: listed by odds, drawn, opened in Annotate."""

import streamlit as st

from core.draw import draw_tree
from core.workspace.outliers import text_outliers
from pages.shared.address import row_of
from pages.shared.annotate.todo import done_sentences, open_place
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.save_group import save_results
from pages.shared.tree import dependency_tree
from pages.shared.view_state import ViewState
from pages.shared.widgets import action_button, column, draw_table

COLUMNS = {
    "done": 45, "sentence": 60, "word": 130, "relation": 80, "has": ("Its head", 310), "others": ("Others’ heads", 150),
    "share": column("Of them", 90, help="How many of the other words in the context have such a head"),
    "odds": column("Odds", 70, "localized", "How many times likelier the others’ head is, at most the words compared"),
    "around": ("Around it", 420),
    "context": column("Context", 200, help="Tags around the word, which is between asterisks with its relation"),
}  # fmt: skip
HELP = (
    "Contexts are windows of tags, with the word’s relation; a word is listed where another head is 90% likely. Most "
    "first words of a list are errors only where a treebank has many: in one that was checked well, rare constructions "
    "come first."
)


def outliers_expander(corpus):
    """Draw it for the text's own trees, closed until somebody opens it."""
    opened = st.expander(
        "Inconsistencies", icon=":material/rule:", key=ViewState.outliers_open, on_change="rerun", bind="query-params"
    )  # fmt: skip
    if opened.open:
        with opened:
            outliers_panel(corpus)


@report_errors()
def outliers_panel(corpus):
    """Draw it."""
    with st.spinner("Comparing words in the same context"):
        comparison = text_outliers(session().workspace, corpus)
    outliers, words = comparison.outliers, comparison.words
    if not outliers:
        st.caption(f"None of {words} is attached otherwise than words in the same context.")
        return
    table = comparison.columns(done_sentences(corpus))
    listed = f", the first {len(table['word']):,} listed" if len(table["word"]) < len(outliers) else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{len(outliers):,}** of {words} contradict their context{listed}", help=HELP)
        sentences, numbers = zip(*((outlier.sentence, outlier.word) for outlier in outliers), strict=True)
        save_results(corpus, comparison.treebank, sentences, "odd", numbers)
    alt = f"{amount(len(table['word']), 'word')} by odds; first {table['word'][0]} with the head {table['has'][0]}"
    places = comparison.places

    def choose(row, _):
        ViewState().outlier = (row, *places[row])

    draw_table(table, key="odd_list", choose=choose, most=290, columns=COLUMNS, alt=alt)
    _drawn(corpus, comparison, places, row_of(ViewState.outlier, places, "inconsistencies"))


def _drawn(corpus, comparison, places, row):
    outlier = comparison.outliers[row]
    sentence = comparison.treebank[outlier.sentence]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Sentence {outlier.sentence + 1:,} {escape(sentence.sent_id or '')} · the head of "
            f"{escape(sentence.forms[outlier.word])}: {escape(str(outlier.has))}; of others: "
            f"{escape(str(outlier.others))}"
        )
        action_button("Open in Annotate", "odd_annotate", "edit", _open, corpus, places, row)
    dependency_tree(draw_tree(sentence), key="odd_tree", selected=outlier.word, height=380)


def _open(corpus, places, row):
    ViewState().outlier = (row, *places[row])
    open_place(corpus, "outliers", "Inconsistencies", places, row, row_key=ViewState.outlier)
