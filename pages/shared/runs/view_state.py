"""The view state of the Runs page."""

from pages.shared.view_state import Bound, ViewState


class RunsView(ViewState):
    """What is looked at on the Runs page."""

    view = Bound("run_view", of_text=False)
    run = Bound("run", of_text=False)
    beside = Bound("run_beside", of_text=False)
