"""The view state of the Annotate page."""

from pages.shared.view_state import Bound, SessionField, ViewState


class AnnotateView(ViewState):
    """What is looked at on the Annotate page."""

    view = Bound("annotate", of_text=False)
    focus = SessionField("ann_focus", None)  # (sentence, word) that another page has opened, from 0 and from 1
    versions = SessionField("ann_versions")  # that are compared
    differing = SessionField("ann_differing", 0)  # which of the sentences on which they differ
