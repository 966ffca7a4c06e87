"""Parse jointly: one button, how far it is, how to stop it, and how to go on with a run that stopped half-way."""

from functools import partial

from core.workspace.joint.runs import KIND, joint_runs, resume_joint, start_joint
from pages.shared.job_panel import job_panel
from pages.shared.joint.choice import more_settings
from pages.shared.joint.state import desk
from pages.shared.state import project


def run_panel(corpus, texts, plan):
    """Draw button and progress; while a run is under way it looks again by itself."""
    job_panel(
        KIND, "jt", "Parse jointly", icon=":material/join_inner:", unit="step",
        start=partial(start_joint, desk(), texts, plan), resume=lambda run: resume_joint(desk(), run.id),
        newest=lambda: next(iter(joint_runs(desk().store, project(), texts)), None),
        beside=lambda _: more_settings(corpus, plan),
        help=f"Trains two parsers of order {plan.order}; both parse the text into lists of {plan.candidates} trees, "
        f"then {plan.rounds} times again with features of the other's list (Zhou & Zhao 2013, Algorithm 1). Last, "
        "the best pair of trees is searched by dual decomposition, with a proof.",
    )  # fmt: skip
