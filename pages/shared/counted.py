"""The choice of which corrected sentences of a text count, wherever it is needed."""

from functools import partial

import streamlit as st

from core.settings import choices, descriptions
from core.workspace.corrections import CountedCorrections, choose_counted
from pages.shared.basics import session
from pages.shared.setting import Settings


def counted_choice(corpus, prefix):
    """Draw it; ``prefix`` begins its key."""
    counts = session().workspace.corrections(corpus).counts
    setting = Settings(f"{prefix}_{corpus.id}", counts, partial(_save, corpus), descriptions(CountedCorrections))
    setting(st.toggle, "begun", choices(CountedCorrections)["begun"].metadata["label"])


def _save(corpus, _, **changes):
    choose_counted(session().store, corpus, CountedCorrections(**changes))
