"""The column of a table that holds sentences, in the direction in which they are read."""

import streamlit as st

from core.direction import right_to_left


def sentence_column(texts, width, in_sight, title="Sentence"):
    """The column's configuration.

    Parameters
    ----------
    texts : list of str
        What stands in the column.
    width : int
        Pixels, perhaps more than are in sight: who reads from left to right sees how a sentence begins.
    in_sight : int
        Pixels of it that are in sight at 1280. Sentences from right to left begin at the far end of the column, so
        theirs is no wider than that.
    title : str
    """
    return st.column_config.TextColumn(title, width=in_sight if right_to_left(texts) else width)
