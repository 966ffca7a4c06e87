"""The learner of the Constraints page, for the text that is open and who is signed in."""

from core.workspace.constraints.learner import Learner
from pages.shared.session import session


def constraints() -> Learner:
    """It. Raises StoreError."""
    return session().systems.learner(session().corpus)
