"""Words of plain text that are cut into others: the list of them, the choice, and the table of the language."""

import streamlit as st

from core.languages import UNKNOWN, language_name
from core.languages.contractions import usual_text
from core.workspace.contractions import changed_tables, save_table, table_text
from pages.shared.basics import amount, callback_errors, escape, session
from pages.shared.messages import show_problem
from pages.shared.widgets import action_button, column, draw_table

CHOICE = "upload_contractions"  # key of the choice whether contractions are cut
HELP = (
    "`del = de el` · `-arse = -ar se`: an ending · `-´anse = -an se`: behind an accent · `perla`: left whole · "
    "`avec des`: left whole behind avec · `{me,te}`: several lines in one · `#`: a note"
)


def chosen_tables():
    """The project's tables for ``How``, or None where contractions are to be left whole."""
    is_cut = st.session_state.get(CHOICE, True)
    return changed_tables(session().store, session().project) if is_cut else None


def contraction_choice(language, key=CHOICE):
    """Draw the choice whether contractions of a language, given by its code, are cut; returns it."""
    return st.checkbox(f"Cut contractions of {escape(language_name(language))} into their parts", True, key=key)


def cut_list(cuts, count, key="upload_cuts"):
    """Draw the ``count`` unusual Cuts once each, or as many as ``cuts`` has; nothing where there is none."""
    if not cuts:
        return
    table = {
        "written": [cut.written for cut in cuts],
        "words": [" + ".join(cut.words) for cut in cuts],
        "kind": ["Contraction" if cut.is_token else "Tokeniser" for cut in cuts],
        "count": [cut.count for cut in cuts],
    }
    kind = column(
        "Cut by", help="A contraction keeps its written form, as a multiword token; what a tokeniser cuts does not"
    )
    columns = {"written": "Written", "words": "Counted as", "kind": kind, "count": column("Count", format="localized")}
    amount_of_cuts = amount(count, "unusual cut")
    listed = "each listed once" if len(cuts) == count else f"the first {len(cuts):,} are listed"
    st.caption(f"{amount_of_cuts}, {listed}")
    draw_table(table, key=key, most=230, columns=columns, alt=f"{amount_of_cuts} and their counts")


def contraction_table(language, key):
    """Draw the table of a language, given by its code, which can be edited; nothing where the language is unknown."""
    if language == UNKNOWN:
        return
    store, project, name = session().store, session().project, language_name(language)
    text, problem = table_text(store, project, language), f"{key}_problem"
    with st.expander(f"Contractions of {escape(name)}", key=f"{key}_expander_{language}"):
        field, reads = f"{key}_table_{language}_{hash(text)}", store.role(project) == "reader"
        st.text_area(
            f"Table of {escape(name)}, one contraction per line", text, key=field, height=200, disabled=reads,
            on_change=_save, args=(language, field, problem), placeholder="del = de el",
        )  # fmt: skip
        show_problem(problem)
        st.caption(HELP)
        later = f"Serves every text in {escape(name)} that is added from now on."
        st.caption(f"{later} Texts that are in the project stay as they are.")
        if text != usual_text(language):
            label = "Back to the table that ships" if usual_text(language) else "Remove the table"
            action_button(label, f"{key}_usual", "undo", _restore, language, disabled=reads)


def _save(language, field, problem):
    with callback_errors(problem):
        save_table(session().store, session().project, language, st.session_state[field])


@callback_errors()
def _restore(language):
    save_table(session().store, session().project, language, usual_text(language))
