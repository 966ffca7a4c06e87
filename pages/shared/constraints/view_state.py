"""The view state of the Constraints page."""

from pages.shared.view_state import Bound, Linked, SessionField, ViewState


class ConstraintsView(ViewState):
    """What is looked at on the Constraints page."""

    results = Bound("ge_results", of_text=False)
    tree_view = Bound("ge_tree_view", of_text=False)
    earlier = Bound("ge_earlier", of_text=False)  # which trees, where those of a run are of other words
    live = SessionField("ge_live", False, of_text=False)  # whether the trees of a training under way are shown
    open = SessionField("ge_open")  # (sentence, word) that the Trees view shows with the word chosen
    errors_by = Bound("ge_mistakes_by", of_text=False)
    cell = Linked("ge_mistake")  # (table, row, count)
    preview = Bound("ge_preview", 1)  # of the changed sentences that a line has, which one is shown
    line = SessionField("ge_line", None)  # the line that is being changed, None while a new one is written
    began = SessionField("ge_fields")  # what the form began with
    places_page = SessionField("ge_places_page", 1)
    places_of = SessionField("ge_occurrences")  # the constraint whose places are to be shown, once
    course = SessionField("ge_course_row")  # rows of three tables
    worth = SessionField("ge_worth_row", 0)
    arc = SessionField("ge_arc_row")  # (pair, row)
    gradient_of = Bound("ge_gradient_line")
    version = Bound("version", of_text=False)  # that is compared with
    version_to = Bound("version_to", of_text=False)
    compared = SessionField("ge_compared")  # (old name, old text, new name, new text) of the versions compared, if any
