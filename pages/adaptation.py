"""Adaptation: a parser for a domain without a treebank, from its unlabelled text (Shimizu & Nakagawa 2007)."""

from pages.shared.adaptation.changes import changes_panel
from pages.shared.adaptation.directions import directions_panel, pivots_panel
from pages.shared.adaptation.run import example_outcome, run_panel, shown_outcome
from pages.shared.adaptation.scores import scores_panel
from pages.shared.adaptation.settings import adaptation
from pages.shared.basics import refuse, report_errors, session
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame

VIEWS = {"scores": "Scores", "pivots": "Pivots", "directions": "Directions", "changes": "Changed arcs"}
SUMMARY = (
    "Move a parser trained on this text to a different kind of text without trees, using words that behave the same in "
    "both."
)
HOW = r"""
A parser trained on one kind of text meets words in another that it has never seen. Both texts have plenty of
prepositions, determiners and helping verbs: these are the *pivots*. From words alone, without trees, a classifier
$w_p$ learns for each pivot which pairs of words it stands between; what the classifiers have in common,

$$W = [\,w_1 \mid \ldots \mid w_P\,] = U \Sigma V, \qquad f \mapsto \big(f,\ U^\top f\big)$$

becomes features that mean the same in both texts, and the parser learns with them (Shimizu & Nakagawa 2007, §3).

**Adapt** trains it beside three baselines: the parser as it is, self-training, and a few trees of the target. Then the
scores appear here, with the pivots, the directions of $U$ and their words, and every arc that changed.
"""
PANELS = {"scores": scores_panel, "pivots": pivots_panel, "directions": directions_panel, "changes": changes_panel}

require_frame()
current = session().corpus
introduction(SUMMARY, HOW, "Adaptation")
plan = adaptation().plan(current)


def refuse_texts(error):
    """Draw the panel, where other texts can be chosen, and what is wrong with these."""
    run_panel(current, plan, None)
    refuse(error)


with report_errors(stop=True, link_to_fix=True, show=refuse_texts):
    inputs = adaptation().inputs(current, plan)
run_panel(current, plan, inputs)
shown = shown_outcome(inputs, plan, VIEWS) or example_outcome(VIEWS)
if shown is not None:
    outcome, view = shown
    PANELS[view](outcome)
