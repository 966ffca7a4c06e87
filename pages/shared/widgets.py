"""Widgets as many pages have them: a row of views of which one is always chosen, a button with an icon."""

import streamlit as st

LINKED = {"bind": "query-params", "label_visibility": "collapsed"}  # of a choice that stands in the address


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
    how |= {"bind": "query-params"} if linked else {}
    return st.segmented_control(
        label, options, default=options[0] if default is None else default, format_func=names.get, key=key,
        required=True, label_visibility="collapsed", **how,
    )  # fmt: skip


def action_button(label, key, icon, action, *arguments, **how):
    """Draw a button that calls ``action(*arguments)``; ``icon`` is the name of a Material Symbol, or None."""
    icon = icon and f":material/{icon}:"
    st.button(label, key=key, icon=icon, on_click=action, args=arguments, **how)
