import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import StoreError
from core.store import Command, Store

FIRST = Command("constraints", "main", None, "DET <- NOUN = 0.9")
SECOND = Command("constraints", "main", FIRST.after, "DET <- NOUN = 0.8")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def text(store, project, key="main"):
    return store.document(project, "constraints", key)


def test_a_command_is_in_the_log_and_in_the_document(store, project):
    entry = store.execute(project, FIRST, author="ana", label="adding a constraint")
    assert entry.commands == (FIRST,)
    assert store.history(project)[0] == entry
    assert text(store, project) == FIRST.after
    assert store.last_saved(project) == (entry.time, "ana")
    assert [item.number for item in store.history(project)] == [2, 1]  # the first added the sample


def test_the_log_is_read_from_a_number_or_a_moment_on(store, project):
    first = store.execute(project, FIRST)
    assert store.newest(project) == first.number
    store.execute(project, Command("other", "", None, 1))
    second = store.execute(project, SECOND)
    store.undo(project)
    assert store.newest(project) == second.number + 1
    assert store.changes(project, ("constraints",)) == [FIRST, SECOND, SECOND.inverse]
    assert store.changes(project, ("constraints",), after=first.number) == [SECOND, SECOND.inverse]
    assert store.changes(project, ("constraints", "other"), since=second.time) == [SECOND.inverse]
    assert store.changes(project, ("constraints",), after=store.newest(project)) == []


def test_everything_is_there_after_opening_again(store, project, url):
    store.execute(project, FIRST)
    store.execute(project, SECOND)
    store.undo(project)
    store.close()
    again = Store.open(url)
    assert text(again, project) == FIRST.after
    assert again.next_redo(project).commands == (SECOND,)
    again.redo(project)
    assert text(again, project) == SECOND.after


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=json_values, after=json_values)
def test_any_json_value_comes_back(store, before, after):
    project = store.default_project()
    store.remember(project, "any", "key", before)
    store.execute(project, Command("any", "key", before, after))
    assert store.document(project, "any", "key") == after
    assert store.replay(project) == store.documents(project)


def test_numpy_values_are_stored_as_numbers(store, project):
    store.execute(project, Command("any", "key", None, {"a": np.float64(0.5), "b": np.arange(2)}))
    assert store.document(project, "any", "key") == {"a": 0.5, "b": [0, 1]}


def test_what_is_not_json_is_refused(store, project):
    with pytest.raises(StoreError, match="only JSON values can be stored: set"):
        store.execute(project, Command("any", "key", None, {1, 2}))
    with pytest.raises(StoreError, match="only JSON values"):
        store.create_run(project, "ge", {"when": object()})


def test_a_stale_command_is_refused_and_names_the_conflict(store, project):
    store.execute(project, FIRST, author="ana")
    store.execute(project, SECOND, author="ben")
    stale = Command("constraints", "main", FIRST.after, "mine")
    with pytest.raises(StoreError, match=r"constraints 'main' was changed by ben at \d{4}-.* UTC; nothing was overwr"):
        store.execute(project, stale, author="ana")
    with pytest.raises(StoreError, match="was changed in another window"):
        store.execute(project, stale, author="ben")
    assert text(store, project) == SECOND.after
    assert len(store.history(project)) == 3


def test_a_command_on_nothing(store, project):
    with pytest.raises(StoreError, match="there is no constraints 'main' in this project"):
        store.execute(project, SECOND)


def test_commands_of_one_action_happen_and_are_undone_together(store, project):
    actions = [Command("heads", "1", None, [0, 1]), FIRST, SECOND, Command("heads", "1", [0, 1], [2, 0])]
    store.execute(project, *actions, label="rewriting")
    assert store.documents(project, "heads") == {("heads", "1"): [2, 0]}
    assert store.next_undo(project).label == "rewriting"
    store.undo(project)
    assert store.documents(project, "heads") == {} and text(store, project) is None
    store.redo(project)
    assert text(store, project) == SECOND.after and store.document(project, "heads", "1") == [2, 0]


def test_one_stale_command_refuses_the_whole_action(store, project):
    store.execute(project, FIRST)
    with pytest.raises(StoreError):
        store.execute(project, Command("heads", "1", None, [0]), Command("constraints", "main", "stale", "x"))
    assert store.documents(project, "heads") == {}


def test_a_command_that_changes_nothing_is_not_logged(store, project):
    store.execute(project, FIRST)
    assert store.execute(project, Command("constraints", "main", FIRST.after, FIRST.after)) is None
    assert store.execute(project) is None
    assert len(store.history(project)) == 2


def test_undo_and_redo_with_nothing_to_do(store, project):
    assert store.undo(project) is None and store.redo(project) is None
    assert store.next_undo(project) is None and store.next_redo(project) is None


def test_a_new_command_ends_redo(store, project):
    store.execute(project, FIRST)
    store.undo(project)
    assert store.next_redo(project) is not None
    store.execute(project, Command("constraints", "main", None, "other"))
    assert store.next_redo(project) is None and store.redo(project) is None


def test_undo_takes_back_only_ones_own(store, project):
    store.execute(project, FIRST, author="ana")
    store.execute(project, Command("lexicon", "", None, "the DET"), author="ben")
    undone = store.undo(project, "ana")
    assert undone.undoes == store.history(project)[-2].id
    assert text(store, project) is None and store.document(project, "lexicon") == "the DET"


def test_undo_and_redo_stop_where_somebody_else_has_been(store, project):
    store.execute(project, FIRST, author="ana", label="adding a constraint")
    store.execute(project, SECOND, author="ben")
    with pytest.raises(StoreError, match="Cannot undo adding a constraint: constraints 'main' was changed by ben"):
        store.undo(project, "ana")
    assert text(store, project) == SECOND.after
    store.undo(project, "ben")  # now it is as ana left it
    store.undo(project, "ana")
    store.execute(project, Command("constraints", "main", None, "new"), author="ben")
    with pytest.raises(StoreError, match="Cannot redo adding a constraint"):
        store.redo(project, "ana")


def test_undo_after_undoing_two_and_redoing_one(store, project):
    store.execute(project, Command("n", "a", None, 1))
    store.execute(project, Command("n", "b", None, 1))
    store.undo(project)
    store.undo(project)
    store.redo(project)
    assert store.documents(project, "n") == {("n", "a"): 1}
    store.undo(project)
    assert store.documents(project, "n") == {}
    store.redo(project)
    store.redo(project)
    assert store.documents(project, "n") == {("n", "a"): 1, ("n", "b"): 1}
    assert store.next_redo(project) is None


def test_what_is_remembered_stays_out_of_undo(store, project):
    store.execute(project, FIRST)
    store.undo(project)
    store.remember(project, "view", "threshold", 0.5)
    store.remember(project, "view", "threshold", 0.6)
    assert store.next_redo(project) is not None and store.next_undo(project) is None
    store.redo(project)
    store.undo(project)
    assert store.document(project, "view", "threshold") == 0.6


def test_the_log_is_only_added_to(store, project):
    seen = []
    for act in (lambda: store.execute(project, FIRST), lambda: store.undo(project), lambda: store.redo(project)):
        act()
        history = store.history(project)[::-1]
        assert history[: len(seen)] == seen
        seen = history
    assert [entry.number for entry in seen] == [1, 2, 3, 4]


def test_history_can_be_limited(store, project):
    value = None
    for number in range(5):
        store.execute(project, Command("n", "", value, number))
        value = number
    assert [entry.commands[0].after for entry in store.history(project, limit=2)] == [4, 3]


class Model:
    """The same in ten lines: a dict of documents, and for each author two stacks."""

    def __init__(self):
        self.state, self.stacks = {}, {}

    def step(self, action, author, key, value):
        undo, redo = self.stacks.setdefault(author, ([], []))
        if action == "execute":
            if self.state.get(key) != value:
                undo.append((key, self.state.get(key), value))
                redo.clear()
                self.state[key] = value
            return True
        if action == "remember":
            self.state[key] = value
            return True
        source, target = (undo, redo) if action == "undo" else (redo, undo)
        if source:
            key, before, after = source[-1]
            if action == "redo":
                before, after = after, before
            if self.state.get(key) != after:
                return False
            self.state[key] = before
            target.append(source.pop())
        return True


# Bursts of the same action, because single random steps seldom undo two deep and redo one.
actions = st.sampled_from(["execute", "undo", "redo", "execute", "undo", "redo", "remember"])
keys = st.sampled_from(["x", "y", "x", "y", None])  # None takes x away


def scripts(authors):
    burst = st.tuples(actions, st.sampled_from(authors), st.lists(keys, min_size=1, max_size=3))
    return st.lists(burst, max_size=7).map(
        lambda script: [(action, author, key) for action, author, burst in script for key in burst]
    )


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=scripts(["ana"]) | scripts(["ana", "ana", "ben"]))
def test_any_sequence_equals_a_list_model(store, script):
    project = store.create_project(f"project {len(store.projects())}")
    model = Model()
    for number, (action, author, key) in enumerate(script):
        key, value = (key, number) if key else ("x", None)
        expected = model.step(action, author, key, value)
        try:
            if action == "execute":
                store.execute(project, Command("d", key, store.document(project, "d", key), value), author=author)
            elif action == "remember":
                store.remember(project, "d", key, value, author=author)
            else:
                getattr(store, action)(project, author)
            done = True
        except StoreError:
            done = False
        assert done == expected
        state = {("d", name): item for name, item in model.state.items() if item is not None}
        assert store.documents(project, "d") == state
        tops = [stack[-1] if stack else None for stack in model.stacks[author]]
        assert [top(store.next_undo(project, author)), top(store.next_redo(project, author))] == tops
    assert store.replay(project) == store.documents(project)


def top(entry):
    """What the model keeps of an action, None for none."""
    return entry and (entry.commands[0].key, entry.commands[0].before, entry.commands[0].after)
