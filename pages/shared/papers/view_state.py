"""The view state of the Papers page."""

from pages.shared.view_state import Bound, ViewState


class PapersView(ViewState):
    """What is looked at on the Papers page."""

    paper = Bound("paper", of_text=False)
    experiment = Bound("pp_experiment", of_text=False)
    data = Bound("pp_data", of_text=False)
