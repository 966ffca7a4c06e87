"""Beside a number: which sentences it speaks of, and a way to use all of them."""

import streamlit as st


def sentences_used(scope, use_all, key, args=()):
    """Say which part of the text a ``core.workspace.scope.Scope`` is, with a button; nothing where it is all of it.

    ``use_all(*args)`` is the button's callback.
    """
    if scope.is_all:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_scope"):
        st.caption(scope.words, width="content")
        st.button("use all", key=f"{key}_use_all", type="tertiary", on_click=use_all, args=args, help=scope.price)
