"""The view state of the Consensus page."""

from pages.shared.view_state import Bound, Linked, Row, SessionField, ViewState


class ConsensusView(ViewState):
    """What is looked at on the Consensus page."""

    view = Bound("cs_view", of_text=False)
    context = Linked("cs_kind")  # the one looked at, as numbered in its index
    vote = SessionField("cs_vote")  # (context, row)
    effect = Row("cs_effect")
    changed = Row("cs_changed")  # which of the words that the effect has changed
