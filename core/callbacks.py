"""What work that takes long is given: whom to tell how far it is, and whom to ask whether to go on."""

from collections.abc import Callable

Progress = Callable[..., object]  # the docstring says with what it is called; what it raises ends the work
Cancel = Callable[[], bool]  # asked between steps; True ends the work, which raises ``core.errors.Cancelled``

__all__ = ["Cancel", "Progress"]
