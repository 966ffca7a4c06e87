"""The view state of a page from outside."""

from pages.shared.view_state import Bound, Linked, ViewState


class OffsetView(ViewState):
    """What is looked at on the Offset page."""

    shown = Bound("offset_sentence", 1)
    word = Linked("offset_word")  # (sentence, word)
    apart = Bound("offset_apart", False, of_text=False)
