"""Runs are deleted with all that they left, but for those that something needs; the room is given back."""

import pytest
from sqlalchemy import func, select

from core.errors import StoreError
from core.store import Command, Store, deletion
from core.store.schema import run_data, traces

ANA, BEN, EVE = "ana@x.org", "ben@x.org", "eve@x.org"


def made(store, project, settings=None, status="done", result=b"result", kind="ge"):
    """The id of a run that ended."""
    run = store.create_run(project, kind, settings or {})
    store.start_run(run)
    store.append_trace(run, [{"iteration": 1}])
    store.checkpoint(run, b"half", 1)
    store.finish_run(run, status, result=result)
    return run


def rows(store):
    """How many rows there are of traces and of data."""
    with store.database.read() as connection:
        return [connection.execute(select(func.count()).select_from(each)).scalar() for each in (traces, run_data)]


def test_a_run_goes_with_its_trace_and_what_it_left(store, project):
    one, other, stopped = made(store, project), made(store, project), made(store, project, status="cancelled")
    found = store.deletable_runs(project, [one, stopped])
    assert found.runs == (one, stopped) and not found.refused
    assert found.size == sum(store.run_sizes([one, stopped]).values()) > len(b"result" + b"half" + b"result")
    assert store.delete_runs(project, [stopped, one]) == found
    assert [run.id for run in store.runs(project)] == [other] and rows(store) == [1, 1]
    with pytest.raises(StoreError, match=f"no run {one} in this store, or it was deleted"):
        store.result_bytes(one) or store.run(one)
    with pytest.raises(StoreError, match=f"no run {one} in this project, or it was deleted"):
        store.delete_runs(project, [one])


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("ge", {"start": "N"}), ("ge-worth", {"of": "N"}), ("annotation-order", {"by": "run-N"}),
        ("joint", {"one": "by-N"}), ("joint", {"treebanks": ["corpus-1", "by-N"]}),
        ("of-tomorrow", {"any": ["corpus-1", "run-N-alone"]}),
    ],
)  # fmt: skip
def test_a_run_that_another_begins_from_stays_or_goes_with_it(store, project, kind, settings):
    first = made(store, project)
    text = {name: first if value == "N" else eval_n(value, first) for name, value in settings.items()}
    second = made(store, project, text, kind=kind)
    third = made(store, project, {"start": second})
    with pytest.raises(StoreError, match=f"Run {first} cannot be deleted: run {second} begins from it; delete both"):
        store.delete_runs(project, [first])
    assert store.deletable_runs(project, [first, second]).runs == ()  # since the third begins from the second
    assert store.deletable_runs(project, [first], later=True).runs == (first, second, third)
    assert store.delete_runs(project, [first], later=True).runs == (first, second, third)
    assert store.runs(project) == []


def eval_n(value, number):
    """A setting with the number of a run for N."""
    return [eval_n(each, number) for each in value] if isinstance(value, list) else value.replace("N", str(number))


def test_what_is_chosen_keeps_its_run_and_what_was_looked_at_does_not(store, project):
    run = made(store, project)
    text = store.add_corpus(project, "cats.txt", b"cats sleep")
    store.remember(project, "annotation-proposal", str(text), f"run-{run}")
    assert store.deletable_runs(project, [run]).runs == (run,)
    store.execute(project, Command("tagging", str(text), None, {"reader": "english", "run": run}), label="tagging")
    with pytest.raises(StoreError, match=f"Run {run} cannot be deleted: 'tagging' of cats.txt names it"):
        store.delete_runs(project, [run])
    store.remove_corpus(text)
    assert store.delete_runs(project, [run]).runs == (run,)


def test_what_is_under_way_stays(store, project):
    run = store.create_run(project, "ge", {})
    with pytest.raises(StoreError, match=f"Run {run} cannot be deleted: it is queued; cancel it first"):
        store.delete_runs(project, [run])
    first = made(store, project)
    later = store.create_run(project, "ge", {"start": first})
    with pytest.raises(StoreError, match=f"Run {later} cannot be deleted: it is queued"):
        store.delete_runs(project, [first], later=True)
    assert len(store.runs(project)) == 3


def test_owners_delete_all_annotators_their_own_readers_none(store):
    hers, his, eves = (store.on_behalf_of(person) for person in (ANA, BEN, EVE))
    project = hers.default_project()
    hers.set_role(project, BEN, "annotator")
    hers.set_role(project, EVE, "reader")
    one, other, third = made(hers, project), made(his, project), made(his, project)
    with pytest.raises(StoreError, match=f"Run {one} cannot be deleted: it is {ANA}'s; ask one of the project's"):
        his.delete_runs(project, [one])
    with pytest.raises(StoreError, match="As reader you cannot change"):
        eves.delete_runs(project, [other])
    assert his.delete_runs(project, [other]).runs == (other,)
    assert hers.delete_runs(project, [one, third]).runs == (one, third)
    elsewhere = his.create_project("Basque")
    with pytest.raises(StoreError, match="no run"):
        his.delete_runs(elsewhere, [made(hers, project)])


def test_many_go_in_several_transactions_the_newest_first(store, project, monkeypatch):
    monkeypatch.setattr(deletion, "AT_ONCE", 40)
    runs = [made(store, project) for _ in range(3)]
    runs.append(made(store, project, {"start": runs[0]}))
    seen, sizes = [], deletion.next_batch
    monkeypatch.setattr(deletion, "next_batch", lambda *given: seen.append(sizes(*given)) or seen[-1])
    assert store.delete_runs(project, runs).runs == tuple(runs)
    assert [run for batch in seen for run in batch] == runs[::-1] and len(seen) > 1


def free_and_all(store):
    with store.database.read() as connection:
        return [connection.exec_driver_sql(f"PRAGMA {what}_count").scalar() for what in ("freelist", "page")]


def test_the_room_is_given_back(sqlite_url):
    store = Store.open(sqlite_url)
    project = store.default_project()
    run, (_, before) = made(store, project, result=b""), free_and_all(store)
    big = made(store, project, result=bytes(5_000_000))
    assert free_and_all(store)[1] > before + 1000
    store.delete_runs(project, [big, run])
    free, pages = free_and_all(store)
    assert free == 0 and pages <= before
    store.close()


def test_an_older_file_gives_room_back_once_it_is_compacted(sqlite_url):
    store = Store.open(sqlite_url)
    with store.database.engine.execution_options(begin=None).begin() as connection:
        connection.exec_driver_sql("PRAGMA auto_vacuum = NONE")
        connection.exec_driver_sql("VACUUM")  # as version 0.2 made them
    project = store.default_project()
    run, other = made(store, project, result=bytes(5_000_000)), made(store, project, result=bytes(5_000_000))
    store.delete_runs(project, [run])
    assert free_and_all(store)[0] > 1000  # to be filled again
    before, after = store.compact()
    assert before - after > 4_900_000 and free_and_all(store)[0] == 0
    store.delete_runs(project, [other])
    assert free_and_all(store) == [0, pytest.approx(after / 4096 - 1221, abs=40)]
    store.close()


def test_every_store_can_be_compacted(store, project):
    store.delete_runs(project, [made(store, project, result=bytes(100_000))])
    before, after = store.compact()
    assert 0 < after <= before and store.runs(project) == []
