from contextlib import suppress
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.errors import StoreError
from core.store import Command, Store
from tests.store.replaying import replayed

FIRST = Command("constraints", "main", None, "DET <- NOUN = 0.9")
SECOND = Command("constraints", "main", FIRST.after, "DET <- NOUN = 0.8")
on_one_store = settings(
    max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def text(store, project, key="main"):
    return store.document(project, "constraints", key)


@pytest.fixture
def ticking(monkeypatch):
    """ticking(seconds): from now on the log's clock goes by so much at each look."""
    time = [datetime(2026, 1, 1, tzinfo=UTC)]

    def tick(seconds):
        def now():
            time[0] += timedelta(seconds=seconds)
            return time[0]

        monkeypatch.setattr("core.store.log.now", now)

    return tick


def test_a_command_is_in_the_log_and_in_the_document(store, project):
    entry = store.execute(project, FIRST, author="ana", label="adding a constraint")
    assert entry.commands == (FIRST,) and store.history(project)[0] == entry
    assert text(store, project) == FIRST.after and store.last_saved(project) == (entry.time, "ana")
    assert [item.number for item in store.history(project)] == [2, 1]  # the first added the sample
    assert store.execute(project, Command("constraints", "main", FIRST.after, FIRST.after)) is None
    assert store.execute(project) is None  # what changes nothing is not logged
    assert store.history(project, limit=1) == [entry]


def test_the_log_is_read_from_a_number_or_a_moment_on(store, project, ticking):
    ticking(1)
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


def test_the_log_goes_on_and_is_only_added_to_though_the_clock_goes_backwards(store, project, ticking):
    ticking(-60)
    seen = []
    for act in (lambda: store.execute(project, FIRST), lambda: store.undo(project), lambda: store.redo(project)):
        entry = act()
        history = store.history(project)[::-1]
        assert history == [*(seen or history[:1]), entry] and store.last_saved(project)[0] == entry.time
        seen = history
    assert [entry.number for entry in seen] == [1, 2, 3, 4] and seen[1].time > seen[2].time > seen[3].time
    assert replayed(store, project) == store.documents(project)


def test_everything_is_there_after_opening_again(store, project, url):
    store.execute(project, FIRST)
    store.execute(project, SECOND)
    store.undo(project)
    store.close()
    again = Store.open(url)
    assert text(again, project) == FIRST.after and again.next_redo(project).commands == (SECOND,)
    again.redo(project)
    assert text(again, project) == SECOND.after


@on_one_store
@given(before=json_values, after=json_values)
def test_any_json_value_comes_back(store, before, after):
    project = store.default_project()
    store.remember(project, "any", "key", before)
    store.execute(project, Command("any", "key", before, after))
    assert store.document(project, "any", "key") == after
    assert replayed(store, project) == store.documents(project)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ({"a": np.float64(0.5), "b": np.arange(2)}, {"a": 0.5, "b": [0, 1]}),
        ({"text": "a\0b \ud800 é 漢", "numbers": [10**25, float("inf")], "none": None},) * 2,
    ],
)
def test_odd_values_come_back(store, project, value, stored):
    store.execute(project, Command("any", "key 漢", None, value))
    assert store.document(project, "any", "key 漢") == stored


def test_what_is_not_json_is_refused(store, project):
    with pytest.raises(StoreError, match="only JSON values can be stored: set"):
        store.execute(project, Command("any", "key", None, {1, 2}))
    with pytest.raises(StoreError, match="only JSON values"):
        store.create_run(project, "ge", {"when": object()})


def test_a_stale_command_is_refused_with_its_whole_action_and_names_the_conflict(store, project):
    with pytest.raises(StoreError, match="there is no constraints 'main' in this project"):
        store.execute(project, SECOND)
    store.execute(project, FIRST, author="ana")
    store.execute(project, SECOND, author="ben")
    stale = Command("heads", "1", None, [0]), Command("constraints", "main", FIRST.after, "mine")
    with pytest.raises(StoreError, match=r"constraints 'main' was changed by ben at \d{4}-.* UTC; nothing was overwr"):
        store.execute(project, *stale, author="ana")
    with pytest.raises(StoreError, match="was changed in another window"):
        store.execute(project, *stale, author="ben")
    assert text(store, project) == SECOND.after and store.documents(project, "heads") == {}
    assert len(store.history(project)) == 3


def test_documents_are_read_by_the_beginning_of_their_keys(store, project):
    store.execute(project, *[Command("heads", key, None, [len(key)]) for key in ("1/2", "12/1", "12/3/Ann", "2/12/")])
    assert store.documents(project, "heads", "12/") == {("heads", "12/1"): [4], ("heads", "12/3/Ann"): [8]}
    assert len(store.documents(project, "heads")) == 4 and not store.documents(project, "other", "12/")


def test_commands_of_one_action_happen_and_are_undone_together(store, project):
    actions = [Command("heads", "1", None, [0, 1]), FIRST, SECOND, Command("heads", "1", [0, 1], [2, 0])]
    store.execute(project, *actions, label="rewriting")
    assert store.documents(project, "heads") == {("heads", "1"): [2, 0]}
    assert store.next_undo(project).label == "rewriting"
    store.undo(project)
    assert store.documents(project, "heads") == {} and text(store, project) is None
    store.redo(project)
    assert text(store, project) == SECOND.after and store.document(project, "heads", "1") == [2, 0]


def test_undo_names_the_entry_that_it_takes_back(store, project):
    assert store.undo(project) is None and store.redo(project) is None  # nothing to do
    entry = store.execute(project, FIRST, author="ana")
    store.execute(project, Command("lexicon", "", None, "the DET"), author="ben")
    assert store.undo(project, "ana").undoes == entry.id
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
keys = st.sampled_from(["x", "y", "x", "y", None])


def scripts(authors):
    burst = st.tuples(actions, st.sampled_from(authors), st.lists(keys, min_size=1, max_size=3))
    return st.lists(burst, max_size=7).map(
        lambda script: [(action, author, key) for action, author, burst in script for key in burst]
    )


def of_ana(written):
    """A script of hers from letters: e, u, r and m for actions on x, in capitals on y."""
    names = {"e": "execute", "u": "undo", "r": "redo", "m": "remember"}
    return [(names[letter.lower()], "ana", "y" if letter.isupper() else "x") for letter in written]


@on_one_store
@example(script=of_ana("eEuururr"))  # undoing two and redoing one
@example(script=of_ana("euEr"))  # a new command ends redo
@example(script=of_ana("euMMru"))  # what is remembered stays out of undo
@given(script=scripts(["ana"]) | scripts(["ana", "ana", "ben"]))
def test_any_sequence_equals_a_list_model(store, script):
    project = store.create_project(f"project {len(store.projects())}")
    model = Model()
    for number, (action, author, key) in enumerate(script):
        key, value = (key, number) if key else ("x", None)
        expected, done = model.step(action, author, key, value), False
        with suppress(StoreError):
            if action == "execute":
                store.execute(project, Command("d", key, store.document(project, "d", key), value), author=author)
            elif action == "remember":
                store.remember(project, "d", key, value, author=author)
            else:
                getattr(store, action)(project, author)
            done = True
        assert done == expected
        state = {("d", name): item for name, item in model.state.items() if item is not None}
        assert store.documents(project, "d") == state
        tops = [stack[-1] if stack else None for stack in model.stacks[author]]
        assert [top(store.next_undo(project, author)), top(store.next_redo(project, author))] == tops
    assert replayed(store, project) == store.documents(project)


def top(entry):
    """What the model keeps of an action, None for none."""
    return entry and (entry.commands[0].key, entry.commands[0].before, entry.commands[0].after)


def damage(store, kind, table="documents", column="value"):
    """One letter of a stored value becomes another."""
    with store.database.write() as connection:
        statement = f"UPDATE {table} SET {column} = replace({column}, 'DET', 'DAT') WHERE kind = '{kind}'"
        assert connection.exec_driver_sql(statement).rowcount == 1


@pytest.fixture
def with_damage(store, project):
    """A project with two documents, one of which was damaged on disk."""
    store.execute(project, Command("lexicon", "7", None, "the DET"), Command("words", "", None, ["a"]))
    damage(store, "lexicon")
    return project


def test_a_damaged_document_is_named_and_the_others_are_there(store, with_damage):
    named = "The document lexicon '7' of 'My project' is damaged on disk and was left out; copy the project"
    with pytest.raises(StoreError, match=named):
        store.document(with_damage, "lexicon", "7")
    assert store.damages(with_damage) == []
    found = store.documents(with_damage)
    assert ("lexicon", "7") not in found and found["words", ""] == ["a"] == store.document(with_damage, "words")
    assert [sentence.partition(";")[0] for sentence in store.damages(with_damage)] == [named.partition(";")[0]]


def test_what_the_sentence_says_helps(store, with_damage):
    copy = store.copy_project(with_damage, "Copy")
    assert store.document(copy, "lexicon", "7") == "the DET"
    with pytest.raises(StoreError, match="nothing was overwritten"):
        store.execute(with_damage, Command("lexicon", "7", "the DAT", "else"))
    store.documents(with_damage)
    store.execute(with_damage, Command("lexicon", "7", "the DET", "the DET, a"))  # as the log has it
    assert store.document(with_damage, "lexicon", "7") == "the DET, a"
    assert store.documents(with_damage, "lexicon") and store.damages(with_damage) == []


def test_where_the_log_is_damaged_too_nothing_is_written(store, with_damage):
    damage(store, "lexicon", "commands", "after")
    with pytest.raises(StoreError, match="The document lexicon '7' of 'My project' is damaged on disk"):
        store.remember(with_damage, "lexicon", "7", "new")
    assert store.execute(with_damage, Command("words", "", ["a"], None)) is not None


def test_a_value_that_is_none_any_more_is_a_sentence(store, with_damage):
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE commands SET after = '[1'")
        connection.exec_driver_sql("UPDATE entries SET time = '2026-xx'")
    for ask in (store.history, store.last_saved):
        store.close()
        with pytest.raises(StoreError, match=r"holds a value that is damaged \('.*'\); restore a backup"):
            ask(with_damage)


def test_many_commands_at_once_are_one_step(store, project):
    places = [("tree", str(number)) for number in range(700)]
    store.execute(project, *(Command(*place, None, 1) for place in places))
    store.execute(
        project, *(Command(*place, 1, 2) for place in places[:350]), *(Command(*p, 1, None) for p in places[350:])
    )
    assert list(store.documents(project, "tree").values()) == [2] * 350
    store.undo(project)
    assert store.documents(project, "tree") == dict.fromkeys(sorted(places), 1)
    first, last = places[0], Command(*places[699], 5, 6)
    with pytest.raises(StoreError, match="tree '699' was changed in another window"):
        store.execute(project, Command(*first, 1, 9), last)
    assert store.document(project, *first) == 1 and replayed(store, project) == store.documents(project)


@pytest.mark.parametrize(("most", "sentence"), [("MOST_COMMANDS", "3 documents at once"), ("MOST_BYTES", "MB at once")])
def test_a_step_has_its_bounds(store, project, monkeypatch, most, sentence):
    changes = [Command("tree", str(number), None, "x") for number in range(3)]
    monkeypatch.setattr(f"core.store.log.{most}", 2)
    with pytest.raises(StoreError, match=f"would change .*{sentence}.*; nothing was written, do it in several steps"):
        store.execute(project, *changes)
    assert store.documents(project, "tree") == {}
