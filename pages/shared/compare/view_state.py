"""The view state of the Compare page."""

from pages.shared.view_state import Bound, Linked, Row, SessionField, ViewState

NOT_LISTED = (None, "", ())


class CompareView(ViewState):
    """What is looked at on the Compare page."""

    parses = Bound("parses")  # their keys
    waiting = SessionField("cmp_waiting", ())  # keys of those for which there is no room
    against = Bound("cmp_against")  # what they are scored against: a key of ``references``, EACH_OTHER or one of theirs
    punctuation = Bound("cmp_punctuation", of_text=False)
    rules = Bound("cmp_rules", of_text=False)
    table = Bound("cmp_table", of_text=False)
    more = Bound("cmp_more", of_text=False)
    by = Bound("cmp_by", of_text=False)
    as_table = Bound("cmp_as_table", of_text=False)
    measure = Bound("cmp_measure", of_text=False)
    confusion = Bound("cmp_confused", of_text=False)
    confused_parse = Bound("cmp_confused_parse")
    filter = Linked("cmp_filter")  # ((kind, name, ...), ..., ("group", key), ("right", parse), ("wrong", parse))
    open = Linked("cmp_open")  # what number's words are shown: see ``core.workspace.compare.opening.opened_words``
    trees = Linked("cmp_trees")  # (name, name) of the two trees that its words ask for
    word = Row("cmp_sentence")  # which of the words listed is drawn
    listed = SessionField("cmp_listed", NOT_LISTED)  # (opened number, title, places) of words gone through in Annotate
    apart = Bound("cmp_apart", of_text=False)
