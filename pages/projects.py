"""Projects: open, create, rename, share, back up, restore and delete them; rename and remove the texts of one."""

import streamlit as st

from core.workspace.wording import code
from pages.shared.basics import report_errors, session
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame
from pages.shared.projects import panels

require_frame()
introduction("A project holds texts, constraints, annotations and runs. Open, share, back up or delete one here.")
with report_errors():
    store, current = session().store, session().project
    panels.list_projects(store, current)
    this, others = st.columns(2, gap="large")
    with this:
        panels.name_panel(store, current)
        with st.container(horizontal=True):
            panels.backup_panel(store, current)
            panels.delete_panel(store, current)
        panels.texts_panel(store, current)
        panels.room_panel(store, current)
    with others:
        panels.new_panel()
        panels.people_panel(store, current)
        panels.trash_panel(store)
    st.caption(f"All projects are stored in {code(store.place)}.")
