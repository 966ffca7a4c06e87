"""Tables: one look for all, and the columns that they have in common."""

import streamlit as st

from core.direction import right_to_left

ROW, BORDER = 28, 8  # pixels


def draw_table(columns, *, alt, key=None, choose=None, most=None, clear=None, **how):
    """Draw a table.

    Parameters
    ----------
    columns : dict of str to list
        By the name of the column.
    alt : str
        Read aloud.
    key : str, optional
        Needed by ``choose``.
    choose : callable, optional
        ``choose(row, column)``, called back when a cell is clicked: its number and the column's name.
    most : int, optional
        Pixels; the table is as high as its rows, at most so high, and ends with a whole one.
    clear : callable, optional
        Called back when the click is taken back.
    **how
        As ``st.dataframe`` takes it: ``column_config``, ``height``, ``width``, ``placeholder``.

    Returns what ``st.dataframe`` does.
    """
    if choose is not None:

        def select():
            cells = st.session_state[key]["selection"]["cells"]
            if cells:
                choose(*cells[0])
            elif clear is not None:
                clear()

        how |= {"on_select": select, "selection_mode": "single-cell"}
    if most is not None:
        rows = len(next(iter(columns.values()), ()))
        how["height"] = height_of(min(rows, (most - BORDER) // ROW - 1))
    return st.dataframe(columns, key=key, alt=alt, **{"hide_index": True, "row_height": ROW} | how)


def height_of(rows):
    """Pixels of a table with so many rows, and its head."""
    return ROW * (rows + 1) + BORDER


def text_column(title, width=None, help=None):
    """The configuration of a column of text."""
    return st.column_config.TextColumn(title, width=width, help=help)


def number_column(title=None, width=None, format=None, help=None):
    """That of a column of numbers; ``format`` as in "%.2f"."""
    return st.column_config.NumberColumn(title, width=width, format=format, help=help)


def count_column(title, width=None, help=None):
    """That of a column of counts, with marks between thousands."""
    return number_column(title, width, "localized", help)


def sentence_column(texts, width, in_sight, title="Sentence"):
    """That of a column of sentences, in the direction in which they are read.

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
    return text_column(title, in_sight if right_to_left(texts) else width)
