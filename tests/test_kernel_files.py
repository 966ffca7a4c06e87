"""Compiled kernels that cannot be kept or read back: it is said, and the work goes on."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from core import kernel_files
from core.kernel_files import FOLDER, require_folder

KERNELS = """
from numba import njit
@njit(cache=True)
def double(number):
    return 2 * number
"""
RUN = """
import core.toys
from core.kernel_files import recovered
try:
    assert core.toys.double(2) == 4
    print("as usual")
except Exception as error:
    print(recovered(error, [core.toys.double]))
    assert core.toys.double(2) == 4
"""


STARTER = """
import contextlib, io, json, os, sys
import numba, platformdirs
assert numba.njit(lambda number: -number)(1) == -1  # what the compiler makes ready the first time
for line in sys.stdin:
    folder, code = json.loads(line)
    reading, writing = os.pipe()
    if not os.fork():
        os.chdir(folder)
        sys.path.insert(0, folder)
        os.dup2(writing, 2)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(code, {})
        os.write(writing, said.getvalue().encode())
        os._exit(0)
    os.close(writing)
    with open(reading) as file:
        said = file.read()
    print(json.dumps((os.wait()[1], said)), flush=True)
"""


@pytest.fixture(scope="module")
def starter():
    """What starts processes that have Numba already: each of them would import it for a second."""
    environment = {name: value for name, value in os.environ.items() if name not in (FOLDER, "NUMBA_DISABLE_JIT")}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-P", "-c", STARTER], env=environment, **pipes) as process:
        yield process
        process.stdin.close()


@pytest.fixture
def run(starter, tmp_path):
    """run(before="") -> what a new process says that calls a kernel of a package of its own, "core"."""
    package = tmp_path / "core"
    package.mkdir()
    (package / "toys.py").write_text(KERNELS)
    for name in ("kernel_files", "errors"):
        (package / f"{name}.py").write_text(Path(kernel_files.__file__).with_stem(name).read_text())

    def run(before=""):
        print(json.dumps([str(tmp_path), textwrap.dedent(before) + RUN]), file=starter.stdin, flush=True)
        ended, said = json.loads(starter.stdout.readline())
        assert ended == 0, said
        return said.strip()

    return run


def test_kernels_of_a_class_that_was_renamed_are_compiled_again(run, tmp_path):
    package = tmp_path / "core"
    (package / "kernels.py").write_text(Path(kernel_files.__file__).with_stem("kernels").read_text())
    for name in ("Former", "Present"):
        code = f"class {name}(NamedTuple):\n    number: int\n@kernel\ndef twice(pair):\n    return 2 * pair.number\n"
        code += f"def double(number):\n    return twice({name}(number))\n"
        (package / "toys.py").write_text(f"from typing import NamedTuple\nfrom core.kernels import kernel\n{code}")
        assert run() == "as usual" and len(list(package.rglob("*.nbi"))) == 1


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_files_cut_short_are_compiled_again(run, tmp_path, ending):
    assert run() == "as usual"
    (kept,) = (tmp_path / "core").rglob(f"*.{ending}")
    kept.write_bytes(kept.read_bytes()[: 40 if ending == "nbi" else 200])
    said = run()
    assert said.startswith("1 of the compiled functions in ") and said.endswith(
        "could not be read, and are compiled again"
    )
    assert run() == "as usual"


def test_a_full_disk_is_said_and_the_kernels_are_not_kept(run, tmp_path):
    full = """
        import numba.core.caching as caching

        def no_room(self, name, data):
            raise OSError(28, "No space left on device")

        caching.IndexDataCacheFile._save_data = no_room
    """
    assert (
        run(full) == "compiled functions cannot be kept (No space left on device) and are compiled for this time only"
    )
    assert run() == "as usual"


def test_an_error_of_another_kind_is_nobody_elses():
    try:
        raise OSError("of somebody else")
    except OSError as error:
        assert kernel_files.recovered(error, []) is None


def test_where_no_folder_can_be_written_one_is_made_for_this_process(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv(FOLDER, "unset at the end")
    closed = tmp_path / "file"
    closed.write_text("no folder")
    require_folder(None, code=closed, user=tmp_path / "cache")
    assert os.environ[FOLDER] == "unset at the end" and not caplog.records
    require_folder(str(closed / "named"), code=closed, user=closed / "cache")
    assert Path(os.environ[FOLDER]).is_dir()
    (record,) = caplog.records
    assert f"{closed / 'cache'} cannot be written" in record.getMessage()
