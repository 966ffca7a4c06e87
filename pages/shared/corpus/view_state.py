"""The view state of the Corpus page."""

from pages.shared.view_state import Bound, Linked, Row, SessionField, ViewState


class CorpusView(ViewState):
    """What is looked at on the Corpus page."""

    view = Bound("corpus_view", of_text=False)
    counts = Bound("corpus_counts", of_text=False)  # of which column the values are counted
    find = Bound("find", "")
    graph = Bound("corpus_graph", False, of_text=False)  # whether enhanced graphs are drawn
    only = Linked("only")  # (a count or "kind", its value) that sentences must have
    lengths = Bound("corpus_lengths", None)  # (fewest, most) words of a sentence
    search_view = Bound("search_view", of_text=False)
    hit = Bound("hit", 1)
    trees = Bound("search_trees")  # whose trees are searched: OWN_TREES or the key of a parse
    cluster = SessionField("search_cluster", None)  # (request, keys, values) whose hits are shown
    left_out = SessionField(
        "search_left_out", (None, frozenset())
    )  # (what was searched, numbers of hits not to be rewritten)
    rule = Linked("rule")  # (kind, test) of the Rule whose faults are listed
    rule_line = SessionField("corpus_rule_line", None)  # the line of one's own rules whose words are shown
    rule_place = Bound("rule_word", 1)  # which of them is drawn
    fault = Row("fault")  # which of them is drawn
    check = SessionField("tag_check")  # (content of the text, the draw, answers so far)
    ending = SessionField("corpus_ending")
