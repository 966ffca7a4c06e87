"""Settings: widgets bound to the values of a plan. What is chosen is kept at once, and Undo takes it back."""

from typing import Any

import streamlit as st

from core.settings import choices, descriptions
from pages.shared.basics import callback_errors

PLAN_VALUE: Any = object()  # the value that the plan holds


class Settings:
    """Draws widgets of one plan.

    Parameters
    ----------
    prefix : str
        Begins their keys.
    plan : object
        Its attributes are the values.
    save : callable
        ``save(label, **changes)`` keeps changed values undoably, as ``partial(system.save, corpus)`` does.
    help : mapping of str to str
        By the name of the value.
    problem : str, optional
        As in ``callback_errors``: where it is shown what cannot be chosen.
    """

    def __init__(self, prefix, plan, save, help=None, problem=None):
        self.prefix, self.plan, self.save, self.help, self.problem = prefix, plan, save, help or {}, problem

    def __call__(self, widget, name, label, *bounds, doing=None, value=PLAN_VALUE, changes=None, **how):
        """Draw ``widget(label, *bounds, **how)`` with the value called ``name``.

        Parameters
        ----------
        widget : callable
            Such as ``st.slider``, or ``column.slider``; ``selectbox`` and ``segmented_control`` have their options in
            ``bounds``, a list or a dict of what each is called.
        doing : str, optional
            What Undo calls it; by default "setting", the label.
        value : object, optional
            What the widget shows, where the plan's own value is said otherwise.
        changes : callable, optional
            ``changes(chosen)``, a dict of the plan's values to be kept; by default the chosen one under ``name``.
            Raises WorkbenchError for what cannot be chosen, which is said; it stands there still, to be mended.
        """
        value = getattr(self.plan, name) if value is PLAN_VALUE else value
        kind = widget.__name__
        if bounds and isinstance(bounds[0], dict):
            bounds, how = (list(bounds[0]), *bounds[1:]), {"format_func": bounds[0].get} | how
        if kind in ("number_input", "slider"):  # what was kept elsewhere may lie outside
            value = max(bounds[0], min(value, bounds[1]))
        key, shown = bound_key(f"{self.prefix}_{name}", value), f"{self.prefix}_{name}_shown"
        doing = doing or f"setting {label[:1].lower()}{label[1:]}"

        def keep():
            chosen = st.session_state[key]
            if chosen is None:  # clicked off
                return
            with callback_errors(self.problem):
                changed = {name: chosen} if changes is None else changes(chosen)
                st.session_state[shown] = chosen
                self.save(doing, **changed)
            st.rerun("app")  # a fragment was given the plan as it was

        if kind == "selectbox":
            begin = {"index": list(bounds[0]).index(value)}
        elif kind == "segmented_control":
            begin = {"default": value, "required": True}
        elif kind == "multiselect":
            begin = {"default": value}
        else:
            begin = {"value": value}
        return widget(label, *bounds, key=key, on_change=keep, **begin, **{"help": self.help.get(name)} | how)

    def choice(self, widget, name, *options, **how):
        """Draw ``widget`` with a value of the plan's settings object, of whose class it has label, range and help.

        ``options`` are those of ``selectbox`` and ``segmented_control``, as in a call; so is ``how``.
        """
        settings = self.plan.settings
        kind = type(settings)
        field = choices(kind)[name].metadata
        how = {"value": getattr(settings, name), "help": descriptions(kind)[name]} | how
        how |= {"step": field["step"]} if "step" in field else {}
        return self(widget, name, field["label"], *(options or field.get("within", ())), **how)


def bound_key(key, value):
    """The key of a widget that shows a value kept elsewhere, to be given that value as its own.

    Another one whenever the value changed elsewhere, by Undo or with the corpus, so that the widget begins anew with
    it, and no run that the browser missed can send back what it showed before. What the widget itself was moved to
    keeps the key, and so the focus.
    """
    shown, turn = f"{key}_shown", f"{key}_turn"
    if st.session_state.get(shown, value) != value:
        st.session_state[turn] = st.session_state.get(turn, 0) + 1
    st.session_state[shown] = value
    turns = st.session_state.get(turn, 0)
    return f"{key}_{turns}" if turns else key
