"""The view state of the Adaptation page."""

from pages.shared.view_state import Bound, SessionField, ViewState


class AdaptationView(ViewState):
    """What is looked at on the Adaptation page."""

    view = Bound("adaptation", of_text=False)
    side = Bound("scl_side", of_text=False)
    metric = Bound("scl_metric", of_text=False)
    text = Bound("scl_text", of_text=False)
    run = Bound("adapted")
    changed = Bound("changed", "all")  # of which verdict the arcs are that changed
    edge = Bound("edge", 1)
    direction = Bound("direction")
    pivot = Bound("pivot")
    example = SessionField("scl_example")  # (direction, side, row)
