"""The view state of the Consensus page."""

from pages.shared.view_state import Bound, Linked, Row, SessionField, ViewState


class ConsensusView(ViewState):
    """What is looked at on the Consensus page."""

    task = Bound("cs_task", of_text=False)  # heads or tags
    view = Bound("cs_view", of_text=False)
    thresholds = Linked("cs_thresholds")  # (threshold, minimum count) by which contexts are selected
    kept = SessionField("cs_kept")  # those of the plan when they were last seen
    context = Linked("cs_kind")  # the one looked at, as numbered in its index
    vote = SessionField("cs_vote")  # (context, row)
    effect = Row("cs_effect")
    changed = Row("cs_changed")  # which of the words that the effect has changed
    tags_view = Bound("ct_view", of_text=False)
    words = Linked("ct_group")  # the group of unknown words looked at, by its forms
    occurrence = SessionField("ct_occurrence")  # (group, row)
    tag_effect = Row("ct_effect")
    tag_changed = Row("ct_changed")
