"""Constraint files out and in: three formats to save, an upload with a preview of what it would change."""

import streamlit as st

from core.workspace.constraints.files import apply_plan, export_constraints, plan_upload, read_constraint_file
from core.workspace.wording import code
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.widgets import action_button, choose_view, download, draw_table

ENDINGS = {"ours": ("Text", "txt", "text/plain"), "csv": ("CSV", "csv", "text/csv"),
           "mallet": ("MALLET", "mallet.txt", "text/plain")}  # fmt: skip
HOW = {False: "Add to the constraints", True: "Replace them"}
SIGNS = {"added": ":green[**+**]", "changed": ":orange[**~**]", "removed": ":red[**−**]"}
SHOWN = 6  # lines of a kind written out
ROUND = "ge_upload_round"  # counts the uploads: a new number, an empty uploader


def constraint_files(text, source):
    """Draw it; ``source`` is the set as text."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Save as")
        for kind, (label, ending, mime) in ENDINGS.items():
            download(
                label, lambda kind=kind: export_constraints(source, kind, text.matcher)[0],
                f"{text.corpus.name}.constraints.{ending}", f"ge_export_{kind}", mime=mime,
            )  # fmt: skip
    lost = export_constraints(source, "mallet", text.matcher)[1]
    with st.container():
        if lost:
            cannot = "line cannot" if len(lost) == 1 else "lines cannot"
            with st.expander(f"{len(lost)} {cannot} be expressed exactly in MALLET"):
                for sentence in lost:
                    st.caption(escape(sentence))
    upload = st.file_uploader(
        "Import a file: constraints as text, MALLET’s `feature label:probability`, or CSV",
        key=f"ge_upload_{st.session_state.get(ROUND, 0)}",
        max_upload_size=5,
    )
    if upload is not None:
        _preview(text, source, upload)


@report_errors()
def _preview(text, source, upload):
    file = read_constraint_file(upload.name, upload.getvalue())
    replacing = choose_view("What to do", HOW, "ge_upload_how", linked=False)
    plan = plan_upload(source, file, replacing)
    counts = [f"{len(getattr(plan, change))} {change}" for change in SIGNS if getattr(plan, change)] or ["no change"]
    st.caption(f"{escape(file.name)}, {file.title}: {', '.join(counts)} · {plan.same} the same")
    for change, sign in SIGNS.items():
        lines = getattr(plan, change)
        shown = [f"{sign} {code(line)}" for line in lines[:SHOWN]]
        if len(lines) > SHOWN:
            shown.append(f":gray[… and {len(lines) - SHOWN} more {change}]")
        st.markdown("  \n".join(shown))
    if file.problems:
        _problems(file)
    name = "Import" if not file.problems else "Import what can be read, keep the rest beside it"
    action_button(
        name, "ge_upload_apply", "check", _apply, text, plan, file, disabled=plan.text == source, help="Can be undone"
    )


def _problems(file):
    count = len(file.problems)
    they = "it is" if count == 1 else "they are"
    kept_as = (
        "as written, for you to correct" if file.format == "ours" else "as a comment" if count == 1 else "as comments"
    )
    message = f"{amount(count, 'line')} cannot be read; nothing is lost: {they} kept {kept_as}."
    st.warning(message, icon=":material/warning:")
    table = {
        "line": [problem.line for problem in file.problems],
        "message": [problem.message for problem in file.problems],
    }
    alt = f"{amount(count, 'line')} of {file.name} that cannot be read, and why"
    draw_table(table, most=190, columns={"line": 50, "message": ("What is wrong", 370)}, alt=alt)


@callback_errors(rerun=True)
def _apply(text, plan, file):
    apply_plan(session().store, text.corpus, plan, file)
    flash(f"Imported {escape(file.name)}")
    st.session_state[ROUND] = st.session_state.get(ROUND, 0) + 1
