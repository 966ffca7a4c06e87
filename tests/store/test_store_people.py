"""Roles: everybody sees her own projects only, and does in them what her role allows."""

import io
import threading

import pytest

from core.errors import StoreError
from core.jobs import Jobs
from core.store import Command, Store

WRITE = Command("lexicon", "", None, "the DET")


@pytest.fixture
def people(store):
    """Stores of four people: the owner of "Basque", an annotator and a reader there, and somebody else."""
    names = ("ona@x.org", "ana@x.org", "rea@x.org", "else@x.org")
    ona, ana, rea, other = (store.on_behalf_of(name) for name in names)
    project = ona.create_project("Basque")
    ona.set_role(project, "ana@x.org", "annotator")
    ona.set_role(project, " Rea@X.org ", "reader")
    return project, ona, ana, rea, other


def test_who_makes_a_project_owns_it(people):
    project, ona, ana, *_ = people
    assert ona.members(project) == {"ana@x.org": "annotator", "ona@x.org": "owner", "rea@x.org": "reader"}
    assert (ona.role(project), ana.role(project)) == ("owner", "annotator")


def test_nobody_sees_what_is_not_hers(store, people):
    project, ona, _, _, other = people
    run = ona.create_run(project, "ge", {})
    text = ona.add_corpus(project, "a", b"x")
    ona.execute(project, WRITE)
    version = ona.save_version(project, "lexicon", "", "first")
    assert other.projects() == [] and other.trash() == []
    asked = [
        lambda: other.project(project),
        lambda: other.members(project),
        lambda: other.corpora(project),
        lambda: other.corpus(text),
        lambda: other.corpus_bytes(text),
        lambda: other.document(project, "lexicon"),
        lambda: other.documents(project),
        lambda: other.history(project),
        lambda: other.replay(project),
        lambda: other.last_saved(project),
        lambda: other.next_undo(project),
        lambda: other.next_redo(project),
        lambda: other.versions(project, "lexicon", ""),
        lambda: other.runs(project),
        lambda: other.run(run),
        lambda: other.trace(run),
        lambda: other.checkpoint_bytes(run),
        lambda: other.result_bytes(run),
        lambda: other.project_size(project),
        lambda: other.backup_project(project, io.BytesIO()),
        lambda: other.copy_project(project, "mine"),
        *writes(other, project, text, run, version),
        *manages(other, project),
    ]
    before = store.documents(project), store.history(project), store.runs(project)
    for number, ask in enumerate(asked):
        with pytest.raises(StoreError, match=f"no project {project.id} in this store"):
            pytest.fail(f"question {number} was answered with {ask()}")
    assert (store.documents(project), store.history(project), store.runs(project)) == before
    assert other.default_project().name == "My project"
    assert other.create_project("Basque").name == "Basque"  # a name taken where she cannot see it


def writes(store, project, text, run, version):
    return [
        lambda: store.execute(project, WRITE),
        lambda: store.remember(project, "view", "x", 1),
        lambda: store.undo(project),
        lambda: store.redo(project),
        lambda: store.add_corpus(project, "b", b"y"),
        lambda: store.change_corpus(text, name="c"),
        lambda: store.remove_corpus(text),
        lambda: store.save_version(project, "lexicon", "", "mine"),
        lambda: store.restore_version(version.id),
        lambda: store.create_run(project, "ge", {}),
        lambda: store.start_run(run),
        lambda: store.finish_run(run, "done"),
        lambda: store.append_trace(run, [{"iteration": 1}]),
        lambda: store.checkpoint(run, b""),
    ]


def manages(store, project):
    return [
        lambda: store.rename_project(project, "mine"),
        lambda: store.delete_project(project),
        lambda: store.set_role(project, "else@x.org", "owner"),
    ]


def test_readers_read_and_annotators_write(store, people):
    project, ona, ana, rea, _ = people
    run = ona.create_run(project, "ge", {})
    text = ona.add_corpus(project, "a", b"x")
    ona.execute(project, WRITE)
    version = ona.save_version(project, "lexicon", "", "first")
    before = store.documents(project), store.history(project), store.runs(project)
    for write in writes(rea, project, text, run, version):
        with pytest.raises(StoreError, match="As reader you cannot change 'Basque'; ask one of its owners to make you"):
            pytest.fail(f"{write()}")
    for person in (rea, ana):
        for manage in manages(person, project):
            with pytest.raises(StoreError, match=r"As \w+ you cannot manage 'Basque'"):
                pytest.fail(f"{manage()}")
    assert (store.documents(project), store.history(project), store.runs(project)) == before
    assert rea.document(project, "lexicon") == "the DET" and rea.corpus_bytes(text) == b"x"
    assert rea.run(run).author == "ona@x.org"
    ana.execute(project, Command("lexicon", "", "the DET", "a DET"), author="somebody else")
    assert store.last_saved(project)[1] == "ana@x.org"
    assert ana.next_undo(project) is not None and rea.next_undo(project) is None
    with pytest.raises(StoreError, match="lexicon was changed by ana@x"):
        ona.undo(project)
    ana.undo(project)
    assert store.document(project, "lexicon") == "the DET"


def test_a_role_taken_away_counts_at_once(people):
    project, ona, ana, *_ = people
    ana.execute(project, WRITE)
    ona.set_role(project, "ana@x.org", None)
    with pytest.raises(StoreError, match="no project"):
        ana.undo(project)
    assert ana.projects() == []


def test_somebody_elses_backup_becomes_a_project_of_whoever_restores_it(people):
    project, ona, ana, rea, other = people
    ona.add_corpus(project, "secret.conllu", b"x")
    ana.execute(project, WRITE)
    file = io.BytesIO()
    ana.backup_project(project, file)
    restored = other.restore_backup(file)
    assert other.members(restored) == {"else@x.org": "owner"}
    assert [len(each.projects()) for each in (ona, ana, rea, other)] == [1, 1, 1, 1]  # nobody got another one
    for each in (ona, ana, rea):
        with pytest.raises(StoreError):
            each.documents(restored)
    assert other.document(restored, "lexicon") == "the DET"
    assert other.history(restored)[0].author == "ana@x.org"  # whose work it is stays said
    assert other.next_undo(restored) is None and other.undo(restored) is None  # and she alone may take it back
    other.execute(restored, Command("lexicon", "", "the DET", "a DET"))
    assert ona.document(project, "lexicon") == "the DET"  # the project it came from is another one


def test_a_project_keeps_an_owner(people):
    project, ona, *_ = people
    for role in (None, "reader"):
        with pytest.raises(StoreError, match="only owner of 'Basque'; make somebody else an owner first"):
            ona.set_role(project, "ona@x.org", role)
    ona.set_role(project, "ana@x.org", "owner")
    assert ona.set_role(project, "ona@x.org", None) == {"ana@x.org": "owner", "rea@x.org": "reader"}
    with pytest.raises(StoreError, match="no role 'king'"):
        ona.set_role(project, "x@x.org", "king")
    with pytest.raises(StoreError, match="names nobody"):
        ona.set_role(project, " ", "owner")


def test_projects_of_before_sign_in_are_given_by_the_local_user(store, url):
    mine = store.default_project()
    ona = Store.open(url).on_behalf_of("ona@x.org")
    assert ona.projects() == []
    store.set_role(mine, "ona@x.org", "owner")
    assert ona.projects() == [mine]


def test_jobs_ask_on_behalf_of_whoever_starts_them(store, people):
    project, ona, ana, rea, other = people
    jobs = Jobs(store)
    hers = jobs.on_behalf_of(ana)
    run = hers.start(project, "ge", {}, lambda job: ({"uas": 1}, b"result"))
    assert hers.wait(run, 20).status == "done" and ona.run(run).author == "ana@x.org"
    assert jobs.on_behalf_of(rea).snapshot(run).figures["uas"] == 1
    with pytest.raises(StoreError, match="As reader you cannot change"):
        jobs.on_behalf_of(rea).start(project, "ge", {}, lambda job: None)
    hold = threading.Event()
    run_id = hers.start(project, "ge", {}, lambda job: hold.wait(20) and None)
    with pytest.raises(StoreError, match="As reader you cannot change"):  # nor be told of the same one under way
        jobs.on_behalf_of(rea).start(project, "ge", {}, lambda job: None, replace=True)
    hold.set()
    assert hers.wait(run_id, 20).status == "done"
    with pytest.raises(StoreError, match="As reader you cannot change"):
        jobs.on_behalf_of(rea).cancel(run)
    for ask in (jobs.on_behalf_of(other).snapshot, jobs.on_behalf_of(other).trace, jobs.on_behalf_of(other).cancel):
        with pytest.raises(StoreError, match="no project"):
            ask(run)
