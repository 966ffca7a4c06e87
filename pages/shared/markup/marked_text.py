"""Sentences with their brackets underlined on a page: a typed wrapper around the component in assets/components/."""

import streamlit as st

from core.assets import ASSETS

_FOLDER = ASSETS / "components"
_MARKED = st.components.v2.component(
    "workbench_marked",
    js=(_FOLDER / "marked.js").read_text(encoding="utf-8"),
    css=(_FOLDER / "marked.css").read_text(encoding="utf-8"),
)


def marked_sentences(rows, chosen, key, label, page, choose):
    """Draw it.

    Parameters
    ----------
    rows : list of dict
        From ``core.workspace.markup.brackets.sentence_data``. Shown as text, whatever it says.
    chosen : int
        Sentence that is highlighted.
    key, label : str
        ``label`` is read aloud.
    page : str
        Names what is listed; the list keeps its place while this stays the same.
    choose : callable
        ``choose(sentence, number)`` is called when somebody clicks a sentence, or one of its brackets (else None).
    """
    known = {(row["sentence"], number) for row in rows for number in (None, *_numbers(row))}

    def chose():
        sent = (st.session_state.get(key) or {}).get("sel")
        pair = (sent.get("sentence"), sent.get("number")) if isinstance(sent, dict) else None
        if pair in known:  # checked like everything from outside
            choose(*pair)

    _MARKED(data={"rows": rows, "chosen": chosen, "label": label, "page": page}, key=key, on_sel_change=chose)


def _numbers(row):
    return [bracket["number"] for bracket in row["brackets"]]
