"""What nearly every panel begins with: the session, errors that become sentences, and numbers and names in words."""

from core.workspace import amount, escape
from pages.shared.messages import callback_errors, flash, refuse, report_errors, show_problem
from pages.shared.session import session

__all__ = ["amount", "callback_errors", "escape", "flash", "refuse", "report_errors", "session", "show_problem"]
