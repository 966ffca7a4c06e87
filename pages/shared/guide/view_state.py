"""The view state of the Guide page."""

from pages.shared.view_state import Bound, ViewState


class GuideView(ViewState):
    """What is looked at on the Guide page."""

    chapter = Bound("chapter", of_text=False)
    section = Bound("section", of_text=False)
    words = Bound("guide_search", of_text=False)
