"""Joint: parsers of two annotation schemes that parse one text together, and what each round changed."""

import streamlit as st

from core.errors import WorkbenchError
from core.workspace.joint_runs import load_outcome
from pages.shared.joint_choice import choose_treebanks, describe
from pages.shared.joint_run import run_panel
from pages.shared.joint_scores import chosen_run, scores_panel
from pages.shared.joint_sentence import before_panel, sentence_panel
from pages.shared.joint_state import desk
from pages.shared.navigation import require_frame
from pages.shared.state import corpus, refuse

require_frame()
current = corpus()
known, learned = st.columns([4, 8], gap="large")
outcome = None
try:
    with known:
        plan = desk().plan(current)
        choose_treebanks(current, plan)
        texts = desk().texts(current, plan)
        describe(texts, current, plan)
        run_panel(current, texts, plan)
        run = chosen_run(texts)
        if run is not None:
            outcome = load_outcome(desk(), run)
            scores_panel(outcome)
except WorkbenchError as error:
    refuse(error)
    st.stop()
with learned:
    if outcome is None:
        before_panel(texts)
    else:
        sentence_panel(outcome)
