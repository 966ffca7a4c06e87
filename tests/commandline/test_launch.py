"""The command ``parser-workbench``: what it asks Streamlit for, and what it refuses in one sentence."""

import os
import shutil
import socket
import sys
from types import SimpleNamespace

import pytest

from core import __version__
from core.__main__ import main as main_of_core
from core.commandline import launch
from core.files.assets import APP
from core.store import Store
from tests.spoiled_secrets import SPOILED, WHOLE, spoil

SECRET = "horse-battery"
PORT = "error: --port is a number from 1 to 65,535, not "
HOST = "is no address of this machine; leave --host out"


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    """A home of the test's own; what a launch sets is set back."""
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path / "usual"))
    monkeypatch.setenv("WORKBENCH_DATABASE", "")
    monkeypatch.setattr(sys, "argv", ["parser-workbench"])


@pytest.fixture
def launched(monkeypatch):
    """launched(*arguments) -> (exit code, what Streamlit was run with); Streamlit itself is not."""
    runs = []
    monkeypatch.setattr(launch.runpy, "run_module", lambda name, **_: runs.append((name, list(sys.argv))))

    def run(*arguments):
        runs.clear()
        return launch.main(arguments), *(runs or [None])

    return run


@pytest.fixture
def refused(launched, capsys):
    """refused(*arguments) -> the line that says why."""

    def call(*arguments):
        assert launched(*arguments) == (2, None)
        said = capsys.readouterr().err
        assert said.startswith("error: ") and said.count("\n") == 1 and SECRET not in said
        return said

    return call


def test_the_app_is_run_by_streamlit(launched):
    assert launched() == (0, ("streamlit", ["streamlit", "run", str(APP / "app.py")]))
    assert (APP / "app.py").is_file() and (APP / ".streamlit" / "config.toml").is_file()


def test_its_options_and_those_of_streamlit_arrive(launched, tmp_path, monkeypatch):
    asked, closing = [], SimpleNamespace(close=list)
    monkeypatch.setattr(socket, "create_server", lambda address, **_: asked.append(address) or closing)
    home, database = tmp_path / "home", f"sqlite:///{tmp_path / 'team.sqlite'}"
    own = ("--port", "8765", "--host", "127.0.0.1", "--home", str(home), "--database", database)
    others = ["--server.headless=true", "--server.baseUrlPath", "work"]
    code, (_, command) = launched(*own, *others)
    assert code == 0 and asked == [("127.0.0.1", 8765)]
    assert command[3:] == ["--server.address=127.0.0.1", "--server.port=8765", *others]
    assert os.environ["WORKBENCH_HOME"] == str(home) and home.is_dir()
    assert os.environ["WORKBENCH_DATABASE"] == database


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        *(([f"--port={port}"], PORT) for port in ("eight", "0", "65536", "-1", "8501.0", "٨٥٠١", "9" * 5000)),
        *((["--host", host], HOST) for host in ("192.0.2.1", "no such machine", "a" * 300, "..")),
        (["8502"], "error: '8502' is no option; parser-workbench --help lists them\n"),
        (["--server.headless=true", "app.py"], "'app.py' is no option"),
        (["--server.port", "8502", "x"], "'x' is no option"),
        (["--database", f"postgresql//ana:{SECRET}@server/work"], "not a database URL"),
        (["--database", f"ana:{SECRET}@server/work"], "not a database URL"),
        (["--database", f"postgresql+psycopg://ana:{SECRET}@x@server/work"], "not a database URL"),
        (["--database", f"postgresql+psycopg://ana:{SECRET}@server:port/work"], "not a database URL"),
        (["--database", f"oracle9://ana:{SECRET}@server/work"], "check its URL or install its driver"),
        (["--database", f"postgresql+nothing://ana:{SECRET}@server/work"], "check its URL or install its driver"),
        (["--database", "sqlite:////no/such/folder/work.sqlite"], "does not exist; make it"),
        (["--database", "sqlite://"], "in memory would be lost"),
    ],
)
def test_what_cannot_be_is_one_short_line_without_a_password(refused, arguments, sentence):
    said = refused(*arguments)
    assert sentence in said and len(said) < 260


def test_a_port_that_is_taken_or_needs_rights_is_refused(refused, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert refused("--port", str(port)) == (
            f"error: port {port} is taken by another program; name another, or leave --port out for the next free one\n"
        )

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    assert refused("--port", "80") == "error: port 80 needs rights that this user lacks; name one above 1023\n"


def test_a_home_must_be_writable(refused, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    assert "cannot be made" in refused("--home", str(tmp_path / "file"))

    def refuse(dir):
        raise PermissionError(13, "Permission denied", dir)

    monkeypatch.setattr(launch.tempfile, "TemporaryFile", refuse)  # what root meets nowhere
    assert refused("--home", str(tmp_path)) == (
        f"error: The folder {tmp_path} cannot be written (Permission denied); name one you may write to with --home\n"
    )


def test_kernels_are_kept_at_home_where_the_code_is_read_only(launched, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # set back afterwards
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert launched()[0] == 0 and "NUMBA_CACHE_DIR" not in os.environ
    monkeypatch.setattr(launch, "CODE", tmp_path / "nowhere")
    assert launched()[0] == 0
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / "usual" / "kernels")


def test_without_its_driver_postgresql_is_refused(refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert refused("--database", f"postgresql+psycopg://ana:{SECRET}@server/work") == (
        "error: A store on PostgreSQL needs a library that is not installed;"
        ' run: pip install "parser-workbench[postgresql]"\n'
    )


@pytest.mark.parametrize("program", [launch.main, main_of_core])
def test_the_version_is_shown(program, capsys):
    with pytest.raises(SystemExit) as stopped:
        program(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"parser-workbench {__version__}\n"


@pytest.mark.parametrize("name", SPOILED)
def test_a_store_with_members_is_not_opened_without_a_provider(refused, launched, tmp_path, made_store, name):
    store = Store.open(f"sqlite:///{shutil.copy(made_store, tmp_path / 'team.sqlite')}")
    store.set_role(store.default_project(), "ana@x.org", "owner")
    store.close()
    secrets = tmp_path / "secrets.toml"
    said, options = spoil(secrets, name), (f"--database=sqlite:///{store.location}", f"--secrets.files={secrets}")
    assert refused(*options).startswith(f"error: {said}")


def test_whether_people_sign_in(refused, launched, tmp_path, monkeypatch, made_store):
    secrets, options = tmp_path / "secrets.toml", ("--secrets.files", str(tmp_path / "secrets.toml"))
    monkeypatch.setenv("WORKBENCH_SIGN_IN", "required")
    assert "no provider is named" in refused(*options)
    secrets.write_text(WHOLE, encoding="utf-8")
    assert launched(*options)[0] == 0
    monkeypatch.setenv("WORKBENCH_SIGN_IN", "no")
    assert "WORKBENCH_SIGN_IN is 'required' or 'off'" in refused(*options)
    monkeypatch.setenv("WORKBENCH_SIGN_IN", "off")
    secrets.write_text("[auth", encoding="utf-8")
    assert launched(*options)[0] == 0
    monkeypatch.delenv("WORKBENCH_SIGN_IN")
    secrets.unlink()
    monkeypatch.setenv("WORKBENCH_DATABASE", "postgresql+psycopg://nobody@127.0.0.1:1/none?connect_timeout=2")
    assert launched(*options)[0] == 0  # a database that starts later: the app asks it again
