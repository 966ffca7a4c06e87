"""The settings of the grammar: its text, what votes beside it, and trees."""

import streamlit as st

from pages.shared.constraints.known_trees import known_trees_tab
from pages.shared.constraints.plan_settings import PlanSettings

WORDS = {"auto": "Where they help", "yes": "Yes", "no": "No"}
HELP = {
    "tags": "The column of tags that constraints and the grammar use.",
    "max_length": "Train on sentences of at most this many words, punctuation not counted; 0 is no limit. Sentences of "
    "at most 20 come first. Time grows with the cube of the length.",
    "words": "Whether frequent words are symbols of their own beside the tags. **Where they help**: if they make "
    "held-out sentences more probable.",
    "together": "Two more parsers learn from the same constraints: a tree CRF on short sentences, and a grammar "
    "without extended valence. The probability of an arc is the mean of all three. About three times as long.",
    "second_order": "At the end a second-order parser learns one half of the trees and parses the other; training "
    "goes on with its arcs as votes. About twice as long.",
    "stacked": "A second-order parser learns the trees, and reads in each arc what the grammar thinks of it, once with "
    "and once without having seen the trees. Takes two sentences at least.",
    "price": "What an arc pays, in nats, for each punctuation mark between its two words.",
    "bound": r"The largest multiplier $|\lambda|$ of a line, in nats: an arc that it matches weighs $e^{\lambda}$ "
    "times as much.",
    "brackets": "The level at which trees must respect links, bold and italics (Spitkovsky et al. 2010, §5.3). A "
    "sentence without a tree at this level uses the next softer one.",
}


def grammar_settings(text, usual):
    """Draw them."""
    each = PlanSettings(text, usual, HELP)
    of_text, of_model, of_trees = st.tabs(["Text", "Model", "Trees"])
    with of_text:
        each.tags()
        each.longest("Longest sentence, in words")
        each(st.toggle, "warm", "Start from the last run")
    with of_model:
        each(st.segmented_control, "words", "Frequent words as symbols", WORDS)
        each(st.toggle, "together", "Two more parsers vote")
        each(st.toggle, "second_order", "A second-order parser votes")
        each(st.number_input, "price", "Price of crossing punctuation", 0.0, 20.0, step=0.5)
        each(st.number_input, "bound", "Largest multiplier", 0.1, 20.0, step=0.5)
    with of_trees:
        each.brackets()
        known_trees_tab(text, each)
        if text.settings.marked or text.settings.corrections:
            each(st.toggle, "stacked", "A second-order parser learns the trees")
