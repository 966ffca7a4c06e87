"""Projects: open, make, rename, share, back up, restore, delete and take back out of the trash."""

import streamlit as st

from core.errors import WorkbenchError
from pages.shared.navigation import require_frame
from pages.shared.project_panels import backup_panel, delete_panel, list_projects, name_panel, new_panel, trash_panel
from pages.shared.project_people import people_panel
from pages.shared.state import project, refuse, workspace

require_frame()
try:
    store, current = workspace().store, project()
    list_projects(store, current)
    this, others = st.columns(2, gap="large")
    with this:
        name_panel(store, current)
        backup_panel(store, current)
        delete_panel(store, current)
    with others:
        new_panel()
        people_panel(store, current)
        trash_panel(store)
    st.caption(f"All projects are kept in `{store.place}`.")
except WorkbenchError as error:
    refuse(error)
