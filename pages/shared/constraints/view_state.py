"""The view state of the Constraints page."""

from pages.shared.view_state import Bound, Kept, Linked, ViewState


class ConstraintsView(ViewState):
    """What is looked at on the Constraints page."""

    results = Bound("ge_results", of_text=False)
    tree_view = Bound("ge_tree_view", of_text=False)
    open = Kept("ge_open")  # (sentence, word) that the Trees view shows with the word chosen
    errors_by = Bound("ge_mistakes_by", of_text=False)
    cell = Linked("ge_mistake")  # (table, row, count)
    preview = Bound("ge_preview", 1)  # of the changed sentences that a line has, which one is shown
    line = Kept("ge_line", None)  # the line that is being changed, None while a new one is written
    began = Kept("ge_fields")  # what the form began with
    places_page = Kept("ge_places_page", 1)
    places_of = Kept("ge_occurrences")  # the constraint whose places are to be shown, once
    course = Kept("ge_course_row")  # rows of three tables
    worth = Kept("ge_worth_row", 0)
    arc = Kept("ge_arc_row")  # (pair, row)
    gradient_of = Bound("ge_gradient_line")
    version = Bound("version", of_text=False)  # that is compared with
    version_to = Bound("version_to", of_text=False)
    compared = Kept("ge_compared")  # (old name, old text, new name, new text) of the versions compared, if any
