"""The view state of the Decomposition page."""

from pages.shared.view_state import Bound, SessionField, ViewState


class DecompositionView(ViewState):
    """What is looked at on the Decomposition page."""

    view = Bound("dd_view", of_text=False)
    run = Bound("dd_run")
    iteration = Bound("dd_iteration")
    flip = SessionField("dd_flip")  # (iteration, row)
