"""The view state of the Annotate page."""

from pages.shared.view_state import Bound, Linked, Row, SessionField, ViewState


class AnnotateView(ViewState):
    """What is looked at on the Annotate page."""

    view = Bound("annotate", of_text=False)
    list = Linked("list")  # (kind, key) of the list that is gone through; None for the order chosen
    row = Row("list_row")
    size = SessionField("ann_check_size")  # sentences to pick for Check 20
    sent = SessionField("ann_sent")  # the sentence that the browser sent with the last keys
    placed = SessionField("ann_placed")  # the one that they led to, or that was drawn since
    opened = SessionField("ann_opened", False)  # whether the text was opened on this page in this session
    versions = SessionField("ann_versions")  # that are compared
    differing = SessionField("ann_differing", 0)  # which of the sentences on which they differ
    examples = SessionField("ann_examples")  # corrected sentences that a request is proposed from
    examples_of = SessionField("ann_examples_of")  # all that were corrected when these were chosen
