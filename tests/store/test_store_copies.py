"""Backup, upgrade and rollback as the guide tells: no step that was acknowledged is lost, however a workbench ends."""

import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.__main__ import main
from core.errors import StoreError
from core.store import Command, Store
from core.store.copies import backup_store, restore_store
from core.store.schema import SCHEMA_VERSION
from core.workspace.guide.chapters import FOLDER
from tests.benchmarks.visitors import Visitor, free_port
from tests.browser.served import Process
from tests.store.test_store_migrations import version_2

ROOT = Path(__file__).parents[2]
# A workbench of one's own: writes a step for each line that it reads and acknowledges it, until it is ended.
SCRIPT = """
import signal, sys
from core.store import Command, Store

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin without it
store = Store.open(sys.argv[1])
for line in sys.stdin:
    project, name = store.default_project(), line.strip()
    store.execute(project, Command("step", name, None, 1))
    print(name, flush=True)
"""


def guides(section, beginning):
    """The one command of a section of the guide's *Server* that begins so, as a list of words."""
    text = (FOLDER / "server.md").read_text(encoding="utf-8").partition(f"## {section}\n")[2].partition("\n## ")[0]
    (command,) = re.findall(rf"python -m core {beginning}[^\n`]*", text)
    return shlex.split(command)[3:]


def there(words, path, copy):
    """The words of the guide's command with this store and this copy."""
    words = [{"copy.sqlite": str(copy), "workbench.version-2.sqlite": str(copy)}.get(word, word) for word in words]
    return [
        *words[:2],
        "--store",
        f"sqlite:///{path}",
        *(w for w in words[2:] if "sqlite:///" not in w and w != "--store"),
    ]


def steps(path):
    """Names of the steps that a file alone has, without any log beside it."""
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {key for (key,) in connection.execute("SELECT key FROM commands WHERE kind = 'step'")}


class Script:
    """A process that runs SCRIPT."""

    def __init__(self, path):
        command = [sys.executable, "-c", SCRIPT, f"sqlite:///{path}"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def step(self, name):
        print(name, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == f"{name}\n"

    def end(self, number=None):
        if number is None:
            self.process.stdin.close()
        else:
            self.process.send_signal(number)
        self.process.wait(60)
        self.process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_server_and_a_script_leave_a_whole_file(tmp_path, number):
    path, script = tmp_path / "workbench.sqlite", None
    server = Process(tmp_path, free_port(), {"WORKBENCH_HOME": str(tmp_path)}, [])
    try:
        server.await_health()
        with Visitor(server.port, "/workbench") as visitor:
            visitor.visit("start")
            script = Script(path)
            for name in "abc":
                script.step(name)
            script.end()
            server.process.send_signal(number)
            server.process.wait(60)
    finally:
        server.kill()
    assert steps(path) == set("abc")
    assert not Path(f"{path}-wal").exists()


@pytest.mark.parametrize("number", [None, signal.SIGINT])
def test_the_last_of_two_scripts_leaves_a_whole_file(tmp_path, number):
    path = tmp_path / "workbench.sqlite"
    one, two = Script(path), Script(path)
    one.step("a")
    two.step("b")
    one.end(number)
    two.step("c")
    two.end(number)
    assert steps(path) == set("abc") and not Path(f"{path}-wal").exists()


def test_a_command_that_is_told_to_stop_ends_in_order(tmp_path):
    code = "import sys, signal, os; from core.store import Store; store = Store.open(); store.default_project();"
    code += "os.kill(os.getpid(), signal.SIGTERM)"
    folder = tmp_path / "commands"
    folder.mkdir()
    program = (ROOT / "core" / "__main__.py").read_text(encoding="utf-8").replace("sys.exit(main())", code)
    surroundings = os.environ | {"WORKBENCH_HOME": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=surroundings, check=False)
    assert ended.returncode == 128 + signal.SIGTERM
    assert [each.name for each in tmp_path.glob("*.sqlite*")] == ["workbench.sqlite"]


def test_a_backup_by_the_guide_is_whole_while_others_write_and_comes_back(tmp_path, capsys):
    path, copy = tmp_path / "workbench.sqlite", tmp_path / "copy.sqlite"
    backup = there(guides("Backups", "store backup"), path, copy)
    restore = there(guides("Backups", "store restore"), path, copy)
    one, two = Script(path), Script(path)
    one.step("a")
    two.step("b")
    assert main(backup) == 0
    assert steps(copy) == set("ab")
    assert sorted(each.name for each in tmp_path.glob("copy*")) == ["copy.sqlite"]
    one.step("c")
    capsys.readouterr()
    assert main(restore) == 2
    assert "is open in another process; stop each workbench on it" in capsys.readouterr().err
    one.end()
    two.end(signal.SIGINT)
    assert steps(path) == set("abc")
    assert main([*restore, "--json"]) == 0
    (kept,) = tmp_path.glob("workbench.before-*.sqlite")
    assert str(kept) in capsys.readouterr().out
    assert steps(path) == set("ab") and steps(kept) == set("abc")  # nothing is lost by it either
    three = Script(path)
    three.step("d")
    three.end()
    assert steps(path) == set("abd")


def test_upgrade_and_rollback_by_the_guide_lose_nothing(tmp_path, capsys):
    path, copy = tmp_path / "workbench.sqlite", tmp_path / "workbench.version-2.sqlite"
    version_2(f"sqlite:///{path}")
    old = path.read_bytes()
    assert main([*guides("Upgrades", "upgrade")[:1], "--store", f"sqlite:///{path}"]) == 0
    assert str(copy) in capsys.readouterr().out
    script = Script(path)
    script.step("a")
    script.end(signal.SIGINT)
    assert main(there(guides("Upgrades", "store restore"), path, copy)) == 0
    with closing(sqlite3.connect(path)) as back, closing(sqlite3.connect(copy)) as was:
        assert list(back.iterdump()) == list(was.iterdump())
        assert back.execute("SELECT version FROM workbench_schema").fetchall() == [(2,)]
    assert len(old) and not Path(f"{path}-wal").exists()
    (kept,) = tmp_path.glob("workbench.before-*.sqlite")
    assert steps(kept) == {"a"}
    store = Store.open(f"sqlite:///{kept}")
    assert store.document(2, "lexicon") == "the DET"
    store.close()


@pytest.fixture
def filled(path, made_store):
    shutil.copy(made_store, path)
    return path


def damaged(path):
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xff" * 4096 + data[12288:])


def newer(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE workbench_schema SET version = ?", (SCHEMA_VERSION + 1,))


def others(path):
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE bookmarks (url)")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (Path.unlink, "There is no file"),
        (damaged, "is damaged .*nothing was changed"),
        (lambda path: path.write_bytes(b"1\tThe\tthe\n" * 900), "is damaged .*nothing was changed"),
        (newer, "is of a newer workbench"),
        (others, "holds no projects of the workbench"),
    ],
)
def test_what_is_no_copy_of_a_store_changes_nothing(filled, sqlite_url, tmp_path, spoil, sentence):
    copy, before = tmp_path / "copy.sqlite", filled.read_bytes()
    shutil.copy(filled, copy)
    spoil(copy)
    with pytest.raises(StoreError, match=sentence):
        restore_store(copy, sqlite_url)
    assert filled.read_bytes() == before and not list(tmp_path.glob("*before*"))


def test_a_damaged_store_gives_way_to_its_backup_and_is_kept(filled, sqlite_url, tmp_path):
    copy = tmp_path / "copy.sqlite"
    backup_store(copy, sqlite_url)
    whole = filled.read_bytes()
    filled.write_bytes(b"\xff" * 100 + whole[100:])
    with pytest.raises(StoreError, match=r"cannot be copied|is damaged"):
        backup_store(copy, sqlite_url)
    _, kept = restore_store(copy, sqlite_url)
    assert kept.read_bytes() == b"\xff" * 100 + whole[100:]
    store = Store.open(sqlite_url)
    assert store.default_project().name == "My project"
    store.close()


def test_a_backup_of_nothing_or_to_nowhere_is_refused(filled, sqlite_url, tmp_path):
    with pytest.raises(StoreError, match=r"There is no store .*nothing.sqlite"):
        backup_store(tmp_path / "copy", f"sqlite:///{tmp_path}/nothing.sqlite")
    with pytest.raises(StoreError, match=r"folder .*nowhere cannot be used"):
        backup_store(tmp_path / "nowhere" / "copy", sqlite_url)
    with pytest.raises(StoreError, match="is the store itself"):
        backup_store(filled, sqlite_url)
    with pytest.raises(StoreError, match="a server's database; copy it with pg_dump"):
        backup_store(tmp_path / "copy", "postgresql://ana@server/work")
    with pytest.raises(StoreError, match="a server's database; restore it with pg_restore"):
        restore_store(filled, "postgresql://ana@server/work")


def test_a_store_that_was_ended_refuses_steps_and_is_whole(filled, sqlite_url):
    store = Store.open(sqlite_url)
    view, project = store.on_behalf_of("ana@example.org"), store.default_project()
    store.execute(project, Command("step", "a", None, 1))
    store.end()
    for one in (store, view):
        with pytest.raises(StoreError, match="is being stopped; start it again"):
            one.execute(project, Command("step", "b", None, 1))
    assert steps(filled) == {"a"} and not Path(f"{filled}-wal").exists()
