"""Pages under AppTest, each test with a store of its own."""

import gc
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 120  # seconds: the first test on a machine compiles


@pytest.fixture(scope="module", autouse=True)
def closed():
    """What the sessions of a module's tests left open is closed after it: they are cycles, which hold their stores."""
    from pages.shared import state

    yield
    state._open.clear()
    state._systems.clear()
    gc.collect()


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """made(prepare) -> a folder with the store of a Workspace in which prepare(workspace) was called, once a session.

    It is for copying: what takes long, making tables and training, is not done again for each test.
    """
    folders = {}

    def made(prepare):
        if prepare not in folders:
            folder = tmp_path_factory.mktemp("made")
            workspace = Workspace.open(f"sqlite:///{folder}/workbench.sqlite")
            prepare(workspace)
            workspace.store.close()
            folders[prepare] = folder
        return folders[prepare]

    return made


def begun(workspace):
    """A store as a first visit makes it."""
    workspace.store.default_project()


@pytest.fixture
def home(tmp_path, monkeypatch, made):
    """The folder that holds the workbench's data: what a first visit makes."""
    shutil.copytree(made(begun), tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.delenv("WORKBENCH_DATABASE", raising=False)
    return tmp_path


@pytest.fixture
def open_page(home):
    """open_page("constraints", state={...}, sentence="3") -> the AppTest after its first run, of that page."""

    def open_page(name=None, state=None, **query):
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
        for key, value in query.items():
            app.query_params[key] = value
        for key, value in (state or {}).items():
            app.session_state[key] = value
        if name is not None:
            app.switch_page(f"pages/{name}.py")  # its address is the name of its file, so no page need run before it
        app.run()
        assert not app.exception, app.exception
        return app

    return open_page


@pytest.fixture
def workbench(home):
    """The Workspace that the pages of this test work in."""
    from pages.shared.state import workspace

    return workspace()


@pytest.fixture
def ge(workbench):
    """The tree CRF of the pages of this test, chosen for each text that there is."""
    from core.workspace.constraints.learner import choose_learner
    from pages.shared.state import systems

    for corpus in workbench.store.corpora(workbench.store.default_project()):
        choose_learner(workbench.store, corpus, "ge")
    return systems()["ge"]


@pytest.fixture
def project(workbench):
    """The project that a first visit opens."""
    return workbench.store.default_project()


@pytest.fixture
def sample(workbench, project):
    """The sample, as a Corpus."""
    return workbench.store.corpora(project)[0]


@pytest.fixture
def corpus(sample):
    """The Corpus that is open: the sample."""
    return sample


@pytest.fixture
def text(ge, corpus):
    """The open corpus as the tree CRF reads it."""
    return ge.text(corpus)
