"""Signing in, where the server's secrets name who vouches for people (OpenID Connect)."""

import streamlit as st

from core.errors import StoreError
from core.extras import missing
from pages.shared.messages import refuse
from pages.shared.session import person


def require_person():
    """Let pass who is signed in, and everybody where nobody can sign in; ask all others to."""
    if "is_logged_in" not in st.user or st.user.is_logged_in:
        try:
            person()
        except StoreError as error:
            refuse(error)
            st.button("Sign out", key="shared_sign_out", on_click=st.logout)
            st.stop()
        return
    if refusal := missing("auth"):
        refuse(refusal)
        st.stop()
    st.header("Parser workbench", anchor=False)
    st.write("Sign in to open your projects, and those that others share with you.")
    for provider in _providers():
        name = "Sign in" if provider is None else f"Sign in with {provider}"
        st.button(name, key=f"sign_in_{provider}", type="primary", on_click=st.login, args=(provider,))
    st.stop()


def _providers():
    """Names of the providers in the secrets; None is the one without a name."""
    settings = st.secrets["auth"]
    named = [name for name in settings if hasattr(settings[name], "keys")]
    return ([None] if "client_id" in settings else []) + named
