"""What the parts of the Adaptation page share: the system, its settings, the keys of what stands in the address."""

from functools import partial

from pages.shared.session import session
from pages.shared.setting import Settings

VIEW, RUN = "adaptation", "adapted"  # keys that stand in the address


def adaptation():
    """The Adaptation system of this process. Raises StoreError."""
    return session().systems["scl"]


def settings(corpus, plan, help=None):
    """The Settings of a plan of this page."""
    return Settings("scl", plan, partial(adaptation().save, corpus), help)
