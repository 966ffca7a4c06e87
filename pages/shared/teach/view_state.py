"""The view state of the Teach page."""

from pages.shared.view_state import Bound, Linked, SessionField, ViewState


class TeachView(ViewState):
    """What is looked at on the Teach page."""

    algorithm = Bound("teach_algorithm", of_text=False)
    source = Bound("teach_source", of_text=False)
    pair = Bound("teach_pair", of_text=False)  # whether two sentences of the text are shown, or the built-in example
    typed = Bound("teach_typed", of_text=False)
    typed_second = Bound("teach_typed_second", of_text=False)
    read = Bound("teach_read", of_text=False)  # the language of a typed sentence
    first = Bound("teach_sentence")
    second = Bound("teach_second")
    line = Bound("teach_constraint", of_text=False)
    scores = Bound("teach_scores", of_text=False)
    draw = Bound("teach_dice", of_text=False)
    own = Bound("teach_own", of_text=False)  # scores that somebody typed
    single_root = Bound("teach_single_root", of_text=False)
    moves = Linked("teach_moves", of_text=False)  # that somebody chose, where there are several ways on
    mover = Bound("teach_mover", of_text=False)  # who takes the moves that nobody chose
    step = Bound("teach_step", 1, of_text=False)
    lesson = Bound("teach_lesson", of_text=False)
    stop = Bound("teach_stop", 1, of_text=False)
    handed = SessionField("teach_handed")  # numbers of sentences that another page hands over to be annotated
    asked = SessionField("teach_asked_for", ())  # those that an exercise begins with
