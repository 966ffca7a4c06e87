"""Parse jointly: one button, how far it is, how to stop it, and how to go on with a run that stopped half-way."""

from pages.shared.job_panel import system_panel
from pages.shared.joint.choice import more_settings
from pages.shared.joint.state import joint


def run_panel(corpus, inputs, plan):
    """Draw button and progress; while a run is under way it looks again by itself."""
    system_panel(
        joint(), inputs, plan, "jt", "Parse jointly", icon=":material/join_inner:", unit="step",
        beside=lambda _: more_settings(corpus, plan),
        help=f"Trains two parsers of order {plan.order}; both parse the text into lists of {plan.candidates} trees, "
        f"then {plan.rounds} times again with features of the other's list (Zhou & Zhao 2013, Algorithm 1). Last, "
        "the best pair of trees is searched by dual decomposition, with a proof.",
    )  # fmt: skip
