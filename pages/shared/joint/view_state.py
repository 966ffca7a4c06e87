"""The view state of the Joint page."""

from pages.shared.view_state import Bound, SessionField, ViewState


class JointView(ViewState):
    """What is looked at on the Joint page."""

    view = Bound("joint_view", of_text=False)
    apart = Bound("jt_apart", True, of_text=False)
    run = Bound("joint_run")
    sentence_of = Bound("joint_sentence", 1)
    stage = Bound("joint_stage")
    listed = Bound("joint_list")
    ranks = SessionField("jt_ranks", (None, None))  # ((sentence, stage), {scheme: rank of the candidate that is drawn})
