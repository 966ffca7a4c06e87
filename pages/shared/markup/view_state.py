"""The view state of the Mark-up page."""

from pages.shared.view_state import Bound, Linked, SessionField, ViewState


class MarkupView(ViewState):
    """What is looked at on the Mark-up page."""

    level = Bound("level", of_text=False)
    table = Bound("mk_table", of_text=False)
    tag = Bound("mk_tag")
    lengths = Bound("mk_lengths")
    verdict = Bound("mk_verdict", "all")
    only = SessionField("mk_only")  # (their name, frozenset of mark numbers) that a table's cell has opened
    open = Linked("mk_open")  # (sentence, number of the one bracket looked at or None)
    page = Bound("mk_page", 1)
    owner = SessionField("mk_corpus")  # whose brackets all of these speak of
    trees = Bound("mk_trees")
