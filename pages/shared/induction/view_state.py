"""The view state of the Induction page."""

from pages.shared.view_state import Bound, Linked, ViewState


class InductionView(ViewState):
    """What is looked at on the Induction page."""

    view = Bound("ind_view", of_text=False)
    run = Linked("ind_run")  # the one that is looked at; None is the newest
