"""The desks of all systems, by name: what it takes to open whatever a run left, or to run it again."""

from pages.shared.adaptation.state import desk as adaptation_desk
from pages.shared.consensus.state import desk as consensus_desk
from pages.shared.induction.state import desk as induction_desk
from pages.shared.joint.state import desk as joint_desk


def desks():
    """dict from "adaptation", "consensus", "induction" and "joint" to the desk of that page."""
    return {
        "adaptation": adaptation_desk(),
        "consensus": consensus_desk(),
        "induction": induction_desk(),
        "joint": joint_desk(),
    }
