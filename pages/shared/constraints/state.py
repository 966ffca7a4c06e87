"""The learner of the Constraints page, for the text that is open and who is signed in."""

from core.workspace.constraints.learner import Learner
from pages.shared.state import corpus, systems


def constraints() -> Learner:
    """It. Raises StoreError."""
    return systems().learner(corpus())
