"""Every kind of document and run is declared, and every id in them is renumbered when a project moves."""

import ast
import io
from importlib import import_module
from pathlib import Path
from typing import get_origin

import pytest

from core.errors import WorkbenchError
from core.jobs import Jobs
from core.store import CorpusId, ParseKey
from core.store.references import mentions
from core.workspace import Workspace, registry
from core.workspace.registry import Systems
from core.workspace.stored import stored_kinds
from core.workspace.task import Task
from core.workspace.word_tags import Tagging, save_tagging
from tests.patience import PATIENCE
from tests.store import everything
from tests.store.everything import count_from, fill_project, require_same_but_ids, restored_elsewhere
from tests.store.releases import seen
from tests.workspace.offset import Offset
from tests.workspace.running import ended
from tests.workspace.test_systems import CASES, texts_of_cases

CORE = Path(__file__).parents[2] / "core"


def written_kinds(path):
    """The kinds, as far as they are names or texts, of the documents that a module writes."""
    place = {"Command": 0, "remember": 1, "save_version": 1, "create_run": 1}
    names = {}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if called in place and len(node.args) > place[called]:
                names[ast.unparse(node.args[place[called]])] = node.args[place[called]]
    module = import_module(".".join(path.relative_to(CORE.parent).with_suffix("").parts)) if names else None
    return {
        each.value if isinstance(each, ast.Constant) else getattr(module, each.id)
        for each in names.values()
        if isinstance(each, ast.Constant | ast.Name) and (isinstance(each, ast.Constant) or hasattr(module, each.id))
    }


def tasks(kind=Task):
    """All classes of tasks that name the kind of their runs."""
    return [*(each for sub in kind.__subclasses__() for each in tasks(sub)), *([kind] if "kind" in vars(kind) else ())]


def test_what_is_written_is_of_a_kind_that_is_declared():
    written = set().union(*map(written_kinds, (CORE / "workspace").rglob("*.py")))
    known = stored_kinds()
    assert {"constraints", "tree", "view"} <= known.documents.keys() and {"ge-worth", "tags"} <= known.runs.keys()
    assert len(written) > 12 and written <= known.documents.keys() | known.runs.keys()
    assert {task.kind for task in tasks() if task.__module__.startswith("core.")} <= known.runs.keys()


@pytest.fixture
def left(tmp_path, monkeypatch):
    """What there is to say of a project with a document and a run of every kind, and its backup.

    Only what others look into is computed.
    """
    start = Jobs.start

    def at_once(jobs, project, kind, settings, work, **others):
        if kind in ("ge", "grammar", "consensus-tags"):
            run = start(jobs, project, kind, settings, work, **others)
            assert jobs.wait(run, timeout=PATIENCE).status == "done"
            return run
        others.pop("replace", None)
        run = store.create_run(project, kind, settings, **others)
        store.start_run(run)
        store.finish_run(run, "done", {}, b"nothing")
        return run

    monkeypatch.setattr(Jobs, "start", at_once)
    monkeypatch.setattr(everything, "_done", lambda workspace, run: workspace.store.run(run))
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    workspace = Workspace.open(f"sqlite:///{tmp_path / 'one.sqlite'}")
    store, file = workspace.store, io.BytesIO()
    count_from(store)
    fill_project(workspace, stopped=False)
    project = store.default_project()
    store.backup_project(project, file)
    found = seen(store)[project.name]
    store.close()
    return found, file


def test_every_id_that_is_written_is_renumbered(left, tmp_path):
    found, file = left
    known = stored_kinds()
    assert {kind for kind, *_ in found["documents"]} == known.documents.keys(), "add it to tests/store/everything.py"
    assert {run["kind"] for run in found["runs"]} == known.runs.keys(), "add it to tests/store/everything.py"
    workspace = Workspace.open(f"sqlite:///{tmp_path / 'two.sqlite'}", stored_kinds)
    project = restored_elsewhere(file, workspace.store)
    require_same_but_ids(seen(workspace.store)[project.name], found)
    workspace.store.close()


def test_kinds_of_a_system_from_outside_are_known(monkeypatch):
    monkeypatch.setattr(registry, "SYSTEMS", (*registry.SYSTEMS, Offset))
    known = stored_kinds()
    assert known.document("offset").key is CorpusId
    assert known.runs_of_run("offset", {"farthest": 3, "corpus": 3}) == set()


GONE = {CorpusId: 999, ParseKey: "corpus-999"}


@pytest.mark.parametrize("kind", [system.kind for system in registry.SYSTEMS])
def test_a_plan_that_names_what_was_removed_is_one_sentence(systems_of_cases, kind):
    systems, texts = systems_of_cases
    system = systems[kind]
    plan = system.usual_plan(texts["one"]).with_values(**CASES[kind](texts))
    named = {name: each for name, each in plan.types().items() if id_of(each)}
    for name, each in named.items():
        gone = GONE[id_of(each)]
        if name == "texts":  # those that were removed are left out
            keys = {system.inputs(texts["one"], plan.with_values(**{name: some})).key for some in ((), (gone,))}
            assert len(keys) == 1
            continue
        chosen = plan.with_values(**{name: (gone, gone) if get_origin(each) is tuple else gone})
        try:
            run = system.start(system.inputs(texts["one"], chosen), chosen)
        except WorkbenchError as refused:
            message = str(refused)
        else:
            message = ended(system, run, "failed").error
        assert message.count("\n") == 0 and ("999" in message or "choose" in message), message
    assert named or kind == "grammar"


def id_of(wanted):
    """The kind of id that a type holds, or None."""
    return next((each for each in GONE if mentions(wanted, each)), None)


def test_tags_of_a_run_that_was_deleted_are_one_sentence(systems_of_cases):
    systems, texts = systems_of_cases
    workspace = systems.workspace
    save_tagging(workspace.store, texts["two"], Tagging(reader="english", run=999), "tagging")
    with pytest.raises(WorkbenchError, match=r"run 999, which tagged two\.conllu, is gone"):
        workspace.treebank(texts["two"])


@pytest.fixture(scope="module")
def systems_of_cases(module_workspace):
    return Systems(module_workspace), texts_of_cases(module_workspace)
