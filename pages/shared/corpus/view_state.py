"""The view state of the Corpus page."""

from pages.shared.view_state import Bound, Linked, SessionField, ViewState


class CorpusView(ViewState):
    """What is looked at on the Corpus page."""

    view = Bound("corpus_view", of_text=False)
    counts = Bound("corpus_counts", of_text=False)  # of which column the values are counted
    find = Bound("find", "")
    only = Linked("only")  # (a count or "kind", its value) that sentences must have
    lengths = Bound("corpus_lengths", None)  # (fewest, most) words of a sentence
    hit = Bound("hit", 1)
    trees = Bound("search_trees")  # whose trees are searched: OWN_TREES or the key of a parse
    cluster = SessionField("search_cluster", None)  # (request, keys, values) whose hits are shown
    left_out = SessionField(
        "search_left_out", (None, frozenset())
    )  # (what was searched, numbers of hits not to be rewritten)
    check = SessionField("tag_check")  # (content of the text, the draw, answers so far)
    ending = SessionField("corpus_ending")
