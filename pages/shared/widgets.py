"""Widgets as many pages have them: a choice of views, a table, a pager, a button with an icon, a file to take away."""

import re
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.files.arrow_tables import arrow_table
from core.files.tables import separated
from core.languages.direction import right_to_left
from pages.shared.address import bind_value, warn_gone

LINKED: dict[str, Any] = {
    "bind": "query-params",
    "label_visibility": "collapsed",
}  # of a choice that stands in the address
TABLE, LONGEST_NAME = "table", 60  # what begins the keys around a table, and signs of its name in them
# the button of a table lies in the gap below it, so that it takes no room
TABLES = f"""<style>[class*="st-key-{TABLE}_"] {{ position: relative }}
  [class*="st-key-{TABLE}_csv_"] {{ position: absolute; inset-inline-end: 0; top: calc(100% - 4px); width: auto;
    z-index: 1 }}
  [class*="st-key-{TABLE}_csv_"] button {{ min-height: 24px; padding: 0 }}
  [class*="st-key-{TABLE}_csv_"] button * {{ font-size: .75rem; line-height: 1 }}
</style>"""
ROW, BORDER, SIGN, MARGINS = 28, 8, 7.5, 22  # pixels of a table; of a letter in it, and beside the text of a cell
AT_ONCE = 5  # numbers of a pager, gaps included
ARROWS, NUMBER, DIGIT = 91, 35, 9  # pixels of a pager's two arrows, of a number of three digits, of a digit more


def choose_from(widget, label, names, **how):
    """Draw ``widget``, such as ``st.selectbox``, with the options of ``names``, a dict of what each is called."""

    def called(option):  # also of another text: what was chosen there is written out before this one's names are known
        return names.get(option, str(option))

    return widget(label, list(names), format_func=called, **how)


def choose_view(label, names, key, *, options=None, default=None, linked=True, **how):
    """Draw it; returns the option.

    Parameters
    ----------
    label : str
        Read aloud, not shown.
    names : dict
        Option -> what it is called.
    key : str
    options : list, optional
        Those offered, by default all.
    default : object, optional
        The option chosen at first, by default the first.
    linked : bool
        Whether the address says what is chosen.
    **how
        As ``st.segmented_control`` takes it.
    """
    options = list(names) if options is None else options
    look: dict[str, Any] = {"required": True, "label_visibility": "collapsed"}
    look |= ({"bind": "query-params"} if linked else {}) | how
    default = options[0] if default is None else default
    return st.segmented_control(label, options, default=default, format_func=names.get, key=key, **look)


def choose_one(label, names, key, *, gone=None, **how):
    """Draw a list of options, of which the address says the chosen one; returns it.

    Parameters
    ----------
    label : str
        Read aloud, not shown.
    names : dict
        Option -> what it is called.
    key : str
        What it held before is forgotten where that is no option any more.
    gone : (str, str), optional
        What an option is called, and what is said to be shown instead where the address names one that is not there.
    **how
        As ``st.selectbox`` takes it.
    """
    if st.session_state.get(key) not in names:
        st.session_state.pop(key, None)
    if gone is not None:
        warn_gone(key, names.values(), *gone)
    return choose_from(st.selectbox, label, names, key=key, **LINKED | how)


def action_button(label, key, icon, action, *arguments, **how):
    """Draw a button that calls ``action(*arguments)``; ``icon`` is the name of a Material Symbol, or None."""
    icon = icon and f":material/{icon}:"
    st.button(label, key=key, icon=icon, on_click=action, args=arguments, **how)


def download(label, data, name, key, **how):
    """Draw the button of one file; ``data`` is its content, or makes it when somebody takes it away.

    ``name`` is the file's; commands take names without spaces more easily, so hyphens stand in their place.
    """
    look: dict[str, Any] = {"icon": ":material/download:", "type": "tertiary"} | how
    st.download_button(label, data, "-".join(name.split()), key=key, on_click="ignore", **look)


def draw_table(
    table,
    *,
    alt,
    columns=None,
    key: Any = None,
    choose=None,
    keep=None,
    most=None,
    clear=None,
    behind=None,
    **how,
):
    """Draw a table.

    Parameters
    ----------
    table : dict of str to list
        By the name of the column.
    alt : str
        Read aloud.
    columns : dict, optional
        By the name of a column: its width in pixels, where the name is its title; its title; a tuple, what ``column``
        takes; or what ``column`` returns.
    key : str, optional
        Needed by ``choose`` and ``keep``.
    choose : callable, optional
        ``choose(row, column)``, called back when a cell is clicked: its number and the column's name.
    keep : str, optional
        The key of the session under which the row's number is kept when a cell is clicked.
    most : int, optional
        Pixels; the table is as high as its rows, at most so high, and ends with a whole one.
    clear : callable, optional
        Called back when the click is taken back.
    behind : dict of str to list of str, optional
        Colours behind the cells of some columns, "" for none.
    **how
        As ``st.dataframe`` takes it: ``height``, ``width``, ``placeholder``.

    Returns what ``st.dataframe`` does.
    """
    if choose is not None or keep is not None:

        def select():
            cells = st.session_state[key]["selection"]["cells"]
            if cells and keep is not None:
                st.session_state[keep] = cells[0][0]
            elif cells and choose is not None:
                choose(*cells[0])
            elif clear is not None:
                clear()

        how |= {"on_select": select, "selection_mode": "single-cell"}
    if most is not None:
        rows = len(next(iter(table.values()), ()))
        how["height"] = height_of(min(rows, (most - BORDER) // ROW - 1))
    if behind is None:
        shown = arrow_table(table)
    else:
        styles = {name: [color and f"background-color: {color}" for color in column] for name, column in behind.items()}
        shown = shaded(table, styles)
    config = {}
    for name, spec in (columns or {}).items():
        if isinstance(spec, int):
            spec = name.capitalize(), spec
        config[name] = column(*spec) if isinstance(spec, tuple) else spec  # a title is one already
    with tabled(f"{key or alt}", table, config, how.get("width", "stretch")):
        look = {"hide_index": True, "row_height": ROW, "lazy": False}  # to ask whether it may be late loads pandas
        return st.dataframe(shown, key=key, alt=alt, column_config=config, **look | how)


@contextmanager
def tabled(name, table, config: Any = MappingProxyType({}), width: Any = "stretch"):
    """Context manager around what draws a table, dict of str to list: a button at its end downloads it as CSV.

    ``name`` is unique on the page; ``config`` has the titles of columns as ``st.dataframe`` takes it. The value is a
    copy of the table, which the button exports; change it where the table was edited.
    """
    name, taken = re.sub(r"\W+", "_", name).strip("_")[:LONGEST_NAME], dict(table)
    with st.container(key=f"{TABLE}_{name}", gap=None, width=width):
        yield taken
        titles = [_title(column, config.get(column)) for column in taken]
        download(
            "CSV", lambda: separated(titles, map(_cells, zip(*taken.values(), strict=True))), f"{name}.csv",
            f"{TABLE}_csv_{name}", mime="text/csv",
        )  # fmt: skip


def _title(name, config):
    """What a column is called on the page."""
    return config if isinstance(config, str) else (config or {}).get("label") or name


def _cells(row):
    """The cells of a row; one that lists several values has spaces between them."""
    return [" ".join(map(str, cell)) if isinstance(cell, list | tuple) else cell for cell in row]


def shaded(table, styles):
    """A table, dict of str to list, as ``st.dataframe`` takes it, with CSS for the cells of some columns."""
    import pandas as pd  # which the first page has no use for

    frame = pd.DataFrame(table)
    css = pd.DataFrame({name: styles.get(name, [""] * len(frame)) for name in frame.columns})
    return frame.style.apply(lambda _: css, axis=None).format(na_rep="", precision=0, thousands=",")


def fitting(texts, least):
    """Pixels of a column in which each of some texts is in sight whole; ``least`` at least."""
    return round(max([least, *(SIGN * len(text) + MARGINS for text in texts if text)]))


def height_of(rows):
    """Pixels of a table with so many rows, and its head."""
    return ROW * (rows + 1) + BORDER


def column(title, width=None, format=None, help=None):
    """How a column looks; ``format``, of numbers, is as in "%.2f", or "localized": with marks between thousands."""
    if format is None:
        return st.column_config.Column(title, width=width, help=help)
    return st.column_config.NumberColumn(title, width=width, format=format, help=help)


def share_column(width, title="Share"):
    """How a column of per cent looks that is drawn as bars."""
    return st.column_config.ProgressColumn(title, width=width, format="%.1f%%", min_value=0.0, max_value=100.0)


def sentence_column(texts, width, in_sight, title="Sentence"):
    """How a column of sentences looks, in the direction in which they are read.

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
    return column(title, in_sight if right_to_left(texts) else width)


def pager(count, key, most=AT_ONCE):
    """Draw it; returns a place from 1 to ``count``. Callbacks may set ``st.session_state[key]``, to jump.

    ``most`` numbers are shown at once, gaps included: where a list beside it opens any place, 3 are enough.
    """
    if key in st.session_state and st.session_state[key] > count:
        st.session_state[key] = count
    # The browser writes the place into the address by itself, but forgets how once the pager has moved on the page: it
    # mounts the pager in the new place, then takes the old one away and with it what ties that name to the address
    # (Streamlit 1.67).
    if key in st.session_state and st.query_params.get(key, "1") != str(st.session_state[key]):
        bind_value(key, str(st.session_state[key]))
        st.session_state[key] = st.session_state[key]  # else the pager of another page begins at 1 beneath that address
    noun = "hit" if key == "hit" else "sentence"
    warn_gone(key, map(str, range(1, count + 1)), noun, "the first is shown")
    # a width of its own: in one that follows its numbers it counts how many fit, and drops one after the other
    width = ARROWS + NUMBER * most + 2 * DIGIT * max(len(str(count)) - 3, 0)
    return st.pagination(count, key=key, bind="query-params", max_visible_pages=most, width=width)
