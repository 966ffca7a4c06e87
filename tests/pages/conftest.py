"""Pages under AppTest, each test with a store of its own; a run that raises fails its test."""

import gc
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

from core.compilation.compiling import Warming
from core.constraints import check_together
from core.evaluation import comparison, paired_bootstrap
from core.markup import sample_markup
from core.parsers.english import English
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank, conllu_text, load_sample
from core.workspace import Workspace, add_corpus, corpora, warmup
from core.workspace.constraints import coverage, grammar
from core.workspace.constraints.constraint_set import save_text
from core.workspace.runs.examples import Examples

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 120  # seconds: the first test on a machine compiles
SCANNED, ASK = cache(manifest_scanner.scan_component_manifests), Examples.ask
LOAD = {parser: cache(parser.load) for parser in (English, UniversalParser)}
MARKUP, ONCE = cache(sample_markup), {}


@pytest.fixture(scope="module", autouse=True)
def closed():
    """What the sessions of a module's tests left open is closed after it: they are cycles, which hold their stores."""
    from pages.shared import session

    yield
    session.cached_workspace.clear()
    gc.collect()


@pytest.fixture(scope="module", autouse=True)
def checked():
    """Whoever runs a page meets what it raised."""
    run = AppTest._run

    def checked_run(app, *arguments, **named):
        run(app, *arguments, **named)
        assert not app.exception, app.exception
        return app

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AppTest, "_run", checked_run)
        yield


@pytest.fixture(scope="module", autouse=True)
def lean():
    """What costs more than a page and is no part of it.

    AppTest looks through all that is installed for each page, and for pages of an app without navigation in each run.
    The first page of a process begins to make kernels ready, and each without a run an example, seconds of training:
    ``examples_made`` is for tests of these. What each new store works out anew of one text, is worked out once.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", SCANNED)
        patch.setattr(app_test, "PagesManager", Navigated)
        patch.setattr(warmup, "first_needed", lambda: Warming(()))
        patch.setattr(Examples, "ask", lambda self, kind: None)
        patch.setattr(corpora, "sample_markup", lambda part, **_: MARKUP(part))
        patch.setattr(comparison, "paired_bootstrap", bootstrapped_once)
        patch.setattr(coverage, "check_together", checked_once)
        patch.setattr(grammar, "PATIENCE", TIMEOUT)  # the page waits for the universal parser, rather than be polled
        for parser, load in LOAD.items():
            patch.setattr(parser, "load", load)
        yield


class Navigated(PagesManager):
    """Of an app that has called ``st.navigation``, as ours in each run."""

    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        PagesManager.uses_pages_directory = False


def bootstrapped_once(*banks, **named):
    """``paired_bootstrap``, of the same parses once."""
    counted = named.get("punctuation")
    plain = named | ({"punctuation": counted.tobytes()} if isinstance(counted, np.ndarray) else {})
    key = (*(bank.content_hash for bank in banks), *plain.items())
    if key not in ONCE:
        ONCE[key] = paired_bootstrap(*banks, **named)
    return ONCE[key]


def checked_once(constraints, matcher, *, projective, cancel):
    """``check_together``, of the same lines and text once."""
    key = (*constraints, matcher.treebank.content_hash, matcher.tags, projective)
    if key not in ONCE:
        ONCE[key] = check_together(constraints, matcher, projective=projective, cancel=cancel)
    return list(ONCE[key])


@pytest.fixture
def examples_made(monkeypatch):
    """Examples are made where they are asked for."""
    monkeypatch.setattr(Examples, "ask", ASK)


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
def home(request, tmp_path, monkeypatch, made):
    """The folder that holds the workbench's data: what a first visit makes, or what the module's ``prepared`` did."""
    return copied(made(getattr(request.module, "prepared", begun)), tmp_path, monkeypatch)


def copied(folder, home, monkeypatch):
    """The workbench's data in a folder of their own."""
    shutil.copytree(folder, home, dirs_exist_ok=True)
    monkeypatch.setenv("WORKBENCH_HOME", str(home))
    monkeypatch.delenv("WORKBENCH_DATABASE", raising=False)
    return home


def with_page(folder, name, script):
    """An app in a new folder whose pages are ours and one more."""
    (folder / "pages").mkdir(parents=True)
    for path in (ROOT / "app.py", *ROOT.glob("pages/*.py")):
        shutil.copy(path, folder / path.relative_to(ROOT))
    (folder / "pages" / f"{name}.py").write_text(script, encoding="utf-8")


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
        return app.run()

    return open_page


@pytest.fixture
def workbench(home):
    """The Workspace that the pages of this test work in."""
    from pages.shared.session import open_workspace

    return open_workspace()


def add_to(workspace, name, data, lines=None):
    """The Corpus made of a Treebank, words or bytes; under a set of lines, if one is given."""
    if isinstance(data, Treebank):
        data = conllu_text(data.to_conllu())
    project, data = workspace.store.default_project(), data.encode() if isinstance(data, str) else data
    corpus = workspace.store.corpus(add_corpus(workspace.store, project, name, data)[0])
    if lines is not None:
        save_text(workspace.store, corpus, lines, "typing")
    return corpus


@pytest.fixture
def add(workbench):
    """add(name, data, lines=None) -> its Corpus, see ``add_to``."""
    return lambda *given: add_to(workbench, *given)


@pytest.fixture
def ge(workbench):
    """The tree CRF of the pages of this test, chosen for each text that there is."""
    from core.workspace.constraints.plan import choose_learner
    from pages.shared.session import session

    for corpus in workbench.store.corpora(workbench.store.default_project()):
        choose_learner(workbench.store, corpus, "ge")
    return session().systems["ge"]


@pytest.fixture
def sixty(workbench, add):
    """sixty(lines) -> sixty sentences of the sample under a set, which the tree CRF learns sooner than the sample."""
    from core.workspace.constraints.plan import choose_learner

    def sixty(lines):
        corpus = add("sixty.conllu", load_sample().limit(60), lines)
        choose_learner(workbench.store, corpus, "ge")
        return corpus

    return sixty


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
def save(workbench, corpus):
    """save(lines) -> its text, which is then the set of the open Corpus."""

    def save(lines):
        save_text(workbench.store, corpus, lines, "typing")
        return lines

    return save


@pytest.fixture
def lines(workbench, corpus):
    """lines() -> the set of the open Corpus as it is kept, None where nobody has changed it."""
    return lambda: workbench.store.document(corpus.project, "constraints", str(corpus.id))


@pytest.fixture
def text(ge, corpus):
    """The open corpus as the tree CRF reads it."""
    return ge.text(corpus)
