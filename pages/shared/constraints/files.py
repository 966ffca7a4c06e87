"""Constraint files out and in: three formats to save, an upload with a preview of what it would change."""

import streamlit as st

from core.workspace.constraints.files import apply_plan, export_constraints, plan_upload, read_constraint_file
from core.workspace.constraints.ready_sets import COUNTED, READY, baseline_score, counted_set, ready_set
from core.workspace.wording import code
from pages.shared.basics import amount, callback_errors, escape, flash, report_errors, session
from pages.shared.messages import show_quietly
from pages.shared.widgets import action_button, choose_from, choose_view, download, draw_table

ENDINGS = {"ours": ("Text", "txt", "text/plain"), "csv": ("CSV", "csv", "text/csv"),
           "mallet": ("MALLET", "mallet.txt", "text/plain")}  # fmt: skip
HOW = {False: "Add to the constraints", True: "Replace them"}
SIGNS = {"added": ":green[**+**]", "changed": ":orange[**~**]", "removed": ":red[**−**]"}
SHOWN = 6  # lines of a kind written out
READY_KEY = "ge_ready"
READY_HELP = (
    "Sets of Druck et al. 2009, §5, as far as they are printed, and our own in their place. Counted: the pairs of "
)
READY_HELP += "tags that are arcs most often, with the nearest of six targets (§4.1), and tags between or around (§6)."
BASELINE_HELP = "An arc scores the sum of the targets of its constraints, and the best tree is taken: the baseline of "
BASELINE_HELP += "Druck et al. 2009, §5. It learns nothing."
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
            cannot = "constraint loses" if len(lost) == 1 else "constraints lose"
            with st.expander(f"{len(lost)} {cannot} something in MALLET’s notation"):
                for sentence in lost:
                    st.caption(escape(sentence))
    ready = _ready_set(text)
    upload = st.file_uploader(
        "Import a file: constraints as text, MALLET’s `feature label:probability`, or CSV",
        key=f"ge_upload_{st.session_state.get(ROUND, 0)}",
        max_upload_size=5,
    )
    if upload is not None:
        _preview(text, source, upload.name, upload.getvalue())
    elif ready is not None:
        _preview(text, source, *ready)
    _baseline(text, source)


@report_errors()
def _ready_set(text):
    """Draw the choice of a set that comes along, or is counted; its name and content, None where none is chosen."""
    key = f"{READY_KEY}_{st.session_state.get(ROUND, 0)}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = {"": "None"} | READY
        chosen = choose_from(st.selectbox, "Take a set", names, key=key, help=READY_HELP, width="stretch")
        if chosen == COUNTED:
            count = st.number_input("On two words", 1, 1000, 20, key=f"{key}_count", width=120)
            more = st.number_input("On words around", 0, 1000, 0, key=f"{key}_sequences", width=140)
            asked = COUNTED, text.key, count, more
            return session().cache.get(
                "ready sets", asked, lambda: counted_set(text.treebank, text.settings.tags, count, more)
            )
    return ready_set(chosen) if chosen else None


@report_errors(show=show_quietly)
def _baseline(text, source):
    """Say how right the trees are that the set gives alone."""
    key = source, text.key
    score = session().cache.get("baselines", key, lambda: baseline_score(text.treebank, source, text.settings.tags))
    if score is not None:
        right, words = score
        st.caption(
            f"Without any training these constraints give **{right / words:.1%}** of heads ({right:,} of {words:,}, no "
            "punctuation).", help=BASELINE_HELP,
        )  # fmt: skip


@report_errors()
def _preview(text, source, name, data):
    file = read_constraint_file(name, data)
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
