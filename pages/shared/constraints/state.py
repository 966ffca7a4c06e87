"""The system of the Constraints page, for who is signed in."""

from core.workspace.constraints.system import Constraints
from pages.shared.state import systems


def constraints() -> Constraints:
    """It. Raises StoreError."""
    return systems()["ge"]
