"""The command ``parser-workbench``: what it asks Streamlit for, and what it refuses in one sentence."""

import os
import socket
import sys

import pytest

from core import __version__
from core.__main__ import main as main_of_core
from core.assets import APP
from core.commandline import launch

SECRET = "horse-battery"


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


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def test_the_app_is_run_by_streamlit(launched):
    code, (module, command) = launched()
    assert (code, module, command) == (0, "streamlit", ["streamlit", "run", str(APP / "app.py")])
    assert (APP / "app.py").is_file() and (APP / ".streamlit" / "config.toml").is_file()


def test_its_options_and_those_of_streamlit_arrive(launched, tmp_path):
    port, home, database = free_port(), tmp_path / "home", f"sqlite:///{tmp_path / 'team.sqlite'}"
    code, (_, command) = launched(
        "--port", str(port), "--host", "localhost", "--home", str(home), "--database", database,
        "--server.headless=true", "--server.baseUrlPath", "work",
    )  # fmt: skip
    assert code == 0
    assert command[3:] == [
        "--server.address=localhost", f"--server.port={port}", "--server.headless=true", "--server.baseUrlPath", "work"
    ]  # fmt: skip
    assert os.environ["WORKBENCH_HOME"] == str(home) and home.is_dir()
    assert os.environ["WORKBENCH_DATABASE"] == database


@pytest.mark.parametrize("port", ["eight", "0", "65536", "-1", "8501.0", "٨٥٠١", "9" * 5000])
def test_a_port_is_a_number(launched, capsys, port):
    assert launched(f"--port={port}") == (2, None)
    said = capsys.readouterr().err
    assert said.startswith("error: --port is a number from 1 to 65,535, not ") and said.count("\n") == 1
    assert len(said) < 160


def test_a_port_that_is_taken_is_refused(launched, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert launched("--port", str(port)) == (2, None)
    assert capsys.readouterr().err == (
        f"error: port {port} is taken by another program; name another, or leave --port out for the next free one\n"
    )


@pytest.mark.parametrize("host", ["192.0.2.1", "no such machine", "a" * 300, ".."])
def test_a_host_is_one_of_this_machine(launched, capsys, host):
    assert launched("--host", host) == (2, None)
    said = capsys.readouterr().err
    assert "is no address of this machine; leave --host out" in said and said.count("\n") == 1 and len(said) < 220


def test_a_port_without_the_right_to_it_is_refused(launched, capsys, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    assert launched("--port", "80") == (2, None)
    assert capsys.readouterr().err == "error: port 80 needs rights that this user lacks; name one above 1023\n"


def test_a_home_must_be_writable(launched, capsys, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    assert launched("--home", str(tmp_path / "file")) == (2, None)
    assert "cannot be made" in capsys.readouterr().err

    def refuse(dir):
        raise PermissionError(13, "Permission denied", dir)

    monkeypatch.setattr(launch.tempfile, "TemporaryFile", refuse)  # what root meets nowhere
    assert launched("--home", str(tmp_path)) == (2, None)
    assert capsys.readouterr().err == (
        f"error: The folder {tmp_path} cannot be written (Permission denied); name one you may write to with --home\n"
    )


def test_kernels_are_kept_at_home_where_the_code_is_read_only(launched, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # set back afterwards
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert launched()[0] == 0 and "NUMBA_CACHE_DIR" not in os.environ
    monkeypatch.setattr(launch, "CODE", tmp_path / "nowhere")
    assert launched()[0] == 0
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / "usual" / "kernels")


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql//ana:{SECRET}@server/work",
        f"ana:{SECRET}@server/work",
        f"postgresql+psycopg://ana:{SECRET}@x@server/work",
        f"postgresql+psycopg://ana:{SECRET}@server:port/work",
        f"oracle9://ana:{SECRET}@server/work",
        f"postgresql+nothing://ana:{SECRET}@server/work",
        "sqlite:////no/such/folder/work.sqlite",
        "sqlite://",
    ],
)
def test_a_database_url_that_cannot_be_read_is_not_repeated(launched, capsys, url):
    assert launched("--database", url) == (2, None)
    said = capsys.readouterr().err
    assert said.startswith("error: ") and said.count("\n") == 1
    assert SECRET not in said


def test_without_its_driver_postgresql_is_refused(launched, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert launched("--database", f"postgresql+psycopg://ana:{SECRET}@server/work") == (2, None)
    assert capsys.readouterr().err == (
        "error: A store on PostgreSQL needs a library that is not installed;"
        ' run: pip install "parser-workbench[postgresql]"\n'
    )


@pytest.mark.parametrize("words", [["8502"], ["--server.headless=true", "app.py"], ["--server.port", "8502", "x"]])
def test_a_stray_word_is_refused(launched, capsys, words):
    assert launched(*words) == (2, None)
    assert capsys.readouterr().err == f"error: {words[-1]!r} is no option; parser-workbench --help lists them\n"


@pytest.mark.parametrize("program", [launch.main, main_of_core])
def test_the_version_is_shown(program, capsys):
    with pytest.raises(SystemExit) as stopped:
        program(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"parser-workbench {__version__}\n"
