"""Projects: open, create, rename, share, back up, restore and delete them; rename and remove the texts of one."""

import streamlit as st

from pages.shared.messages import report_errors
from pages.shared.navigation import require_frame
from pages.shared.projects.panels import (
    backup_panel,
    delete_panel,
    list_projects,
    name_panel,
    new_panel,
    people_panel,
    texts_panel,
    trash_panel,
)
from pages.shared.session import session

require_frame()
with report_errors():
    store, current = session().store, session().project
    list_projects(store, current)
    this, others = st.columns(2, gap="large")
    with this:
        name_panel(store, current)
        with st.container(horizontal=True):
            backup_panel(store, current)
            delete_panel(store, current)
        texts_panel(store, current)
    with others:
        new_panel()
        people_panel(store, current)
        trash_panel(store)
    st.caption(f"All projects are stored in `{store.place}`.")
