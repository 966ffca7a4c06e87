"""Joint: parsers of two annotation schemes or more that parse one text together, and what each round changed."""

import streamlit as st

from pages.shared.basics import refuse, report_errors, session
from pages.shared.guide.link import introduction
from pages.shared.joint.choice import run_panel, warn
from pages.shared.joint.scores import chosen_run, scores_panel
from pages.shared.joint.sentence import before_panel, sentence_panel
from pages.shared.joint.state import joint
from pages.shared.navigation import require_frame
from pages.shared.next_step import corrected_since

SUMMARY = (
    "Parsers of different annotation schemes parse this text together and help each other: compare their analyses."
)
HOW = r"""
Each parser first parses alone, into a list $H_k$ of its best trees. Then all parse again, round by round: a part of a
tree scores higher for one parser if trees that contain it are probable in the others' lists,

$$F_s(x, y) = P_s(x, y) + \sum_{k \ne s} \Psi_k(y, H_k(x))$$

(Zhou & Zhao 2013, eq. 2 and Algorithm 1). Last, with two schemes, the best *pair* of trees is searched by dual
decomposition, with a proof where the bounds meet: $\max_{y,z} F_1(y)/T_1 + F_2(z)/T_2 + \rho \cdot |y \cap z|$, where
$F_k$ are the joint parsers with features of the last round's lists. The reward $\rho$ of a shared arc is the best on
held-out sentences, perhaps 0: then each parser's best tree is in the best pair.
"""

require_frame()
current = session().corpus
introduction(SUMMARY, HOW, "Joint inference over several schemes")
plan = joint().plan(current)


def refuse_texts(error):
    """Draw the panel, where other texts can be chosen, and what is wrong with these."""
    run_panel(current, None, plan)
    refuse(error)


with report_errors(stop=True, show=refuse_texts):
    inputs = joint().inputs(current, plan)
sides = st.grid(5, min_column_width=180, gap="medium", key="jt_sides")  # one above the other where there is no room
outcome = None
with report_errors(stop=True), sides.cell(column_span=2):
    run_panel(current, inputs, plan)
    warn(inputs)
    run = chosen_run(inputs)
    corrected_since(inputs, run, "Parse again to use what was corrected.")
    if run is not None:
        outcome = joint().load(run)
        scores_panel(outcome)
with sides.cell(column_span="all" if outcome is None else 3):
    if outcome is None:
        before_panel(inputs)
    else:
        sentence_panel(outcome)
