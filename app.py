"""The workbench: ``streamlit run app.py`` opens it on the built-in sample.

The server imports this file for ``app``, what it serves besides the pages; every visit of a page runs it as a script:
navigation, and what every page shares.
"""

# ruff: noqa: E402

import gc

# Python searches for garbage after 700 new objects, which takes a fifth of the time to load modules. What is loaded is
# left out of the search from the end of the warm-up on, and Streamlit's own after each run is off (config.toml).
gc.set_threshold(10_000)

import streamlit as st

if __name__ != "__main__":
    from pages.shared.server import SERVED, guarded

    app = st.App(__file__, **SERVED)  # Streamlit looks for this line
    app = guarded(app)
else:
    from functools import partial

    from core.files.assets import ASSETS
    from pages.shared.admission import require_person, require_place, turns
    from pages.shared.bar import bar
    from pages.shared.examples import prepare
    from pages.shared.messages import refuse, report_errors
    from pages.shared.metrics import measured
    from pages.shared.navigation import FRAMED, follow, navigation
    from pages.shared.session import session

    icon = ASSETS / "icons" / "workbench.svg"  # a name of an icon would be fetched from afar
    with turns().one():
        st.set_page_config(page_title="Parser workbench", page_icon=str(icon), layout="wide")
        st.session_state[FRAMED] = True
        page = navigation()
        require_person()
        require_place()
        # a store that is locked, full, read-only or gone, or a role taken away meanwhile
        with measured(page), report_errors(show=partial(refuse, icon=":material/database_off:")):
            session()  # opens the store; runs that a dead process left behind become "interrupted"
            follow(page)
            bar(page)
            prepare()  # behind the page, which may stop early: afterwards would be too late
            damages = st.container()
            page.run()
            with damages:  # documents that the page went on without
                for sentence in session().store.damages(session().project):
                    refuse(sentence, icon=":material/healing:")
