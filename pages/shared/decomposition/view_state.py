"""The view state of the Decomposition page."""

from pages.shared.view_state import Bound, SessionField, ViewState

PROBLEMS = {"consistency": "Consistency", "tags": "Tags", "rules": "Rules"}


class DecompositionView(ViewState):
    """What is looked at on the Decomposition page."""

    problem = Bound("dd_problem_view", of_text=False)
    view = Bound("dd_view", of_text=False)
    parser = Bound("dd_parser")
    sentence = Bound("dd_sentence")
    run = Bound("dd_run")
    tags_run = Bound("dd_tags_run")
    iteration = Bound("dd_iteration")
    flip = SessionField("dd_flip")  # (iteration, row)
