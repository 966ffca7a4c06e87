"""Compiled kernels that cannot be kept or read back: it is said, and the work goes on."""

import json
import os
import pickle
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from core.compilation import kernel_cache
from core.compilation.kernel_files import FOLDER

CORE = Path(__file__).parents[2] / "core"
KERNELS = """
from core.compilation.kernels import inner_kernel, kernel
@inner_kernel
def same(number):
    return number
@kernel
def double(number):
    return 2 * same(number)
"""
RUN = """
import core.toys
assert core.toys.double(2) == 4
print("compiled" if core.toys.double.stats.cache_misses else "as usual")
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
        process.communicate()


@pytest.fixture
def run(starter, tmp_path):
    """run(before="") -> what a new process says that calls a kernel of a package of its own, "core"."""
    package = tmp_path / "core"
    (package / "compilation").mkdir(parents=True)
    (package / "toys.py").write_text(KERNELS)
    for name in ("compilation/kernels.py", "compilation/kernel_cache.py", "errors.py"):
        (package / name).write_text((CORE / name).read_text())

    def run(before=""):
        print(json.dumps([str(tmp_path), textwrap.dedent(before) + RUN]), file=starter.stdin, flush=True)
        ended, said = json.loads(starter.stdout.readline())
        assert ended == 0, said
        return said.strip()

    return run


def test_kernels_of_a_class_that_was_renamed_are_compiled_again(run, tmp_path):
    package = tmp_path / "core"
    for name in ("Former", "Present"):
        code = f"class {name}(NamedTuple):\n    number: int\n@kernel\ndef twice(pair):\n    return 2 * pair.number\n"
        code += f"def pair(number):\n    return twice({name}(number))\nfrom core.compilation.kernels import kernel\n"
        code = code.replace("def pair", "def double") + "double.stats = twice.stats\n"
        (package / "toys.py").write_text(
            f"from typing import NamedTuple\nfrom core.compilation.kernels import kernel\n{code}"
        )
        assert run().endswith("compiled") and len(list(package.rglob("*.nbi"))) == 1
    assert run() == "as usual"


def flipped(data, place):
    return data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]


DAMAGE = {
    "cut short": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "cut by a byte": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "empty": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "zeros at the end": lambda path: path.write_bytes(path.read_bytes()[:-100] + bytes(100)),
    "a bit at the beginning": lambda path: path.write_bytes(flipped(path.read_bytes(), 3)),
    "a bit in the middle": lambda path: path.write_bytes(flipped(path.read_bytes(), path.stat().st_size // 2)),
    "a bit at the end": lambda path: path.write_bytes(flipped(path.read_bytes(), path.stat().st_size - 1)),
    "another pickle": lambda path: path.write_bytes(pickle.dumps({"of": "somebody else"})),
    "text": lambda path: path.write_text("no pickle"),
    "another kernel's": lambda path: shutil.copy(
        next(each for each in path.parent.glob(f"*{path.suffix}") if each != path), path
    ),
    "a folder": lambda path: (path.unlink(), path.mkdir(), (path / "file").touch()),
    "gone": lambda path: path.unlink(),
    "not to be read": lambda path: (path.unlink(), path.symlink_to("/proc/self/mem")),
}


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_files_are_compiled_again(run, tmp_path, damage, ending):
    """At once, without an error, and only once."""
    assert run() == "compiled"
    (kept,) = (tmp_path / "core").rglob(f"toys.double*.{ending}")
    DAMAGE[damage](kept)
    *said, last = run().splitlines()
    assert last == "compiled"
    # a file that is gone is nothing to speak of
    assert ["compiled again" in line or "of no use" in line for line in said] == [True] * (damage != "gone")
    assert run() == "as usual"


def test_files_of_a_workbench_without_digests_are_compiled_again(run, tmp_path):
    assert run() == "compiled"
    for path in (tmp_path / "core").rglob("*.nb?"):
        path.write_bytes(path.read_bytes()[: -kernel_cache.DIGEST().digest_size])
    assert run().endswith("compiled")
    assert run() == "as usual"


def test_a_full_disk_is_said_once_and_the_kernels_are_not_kept(run, tmp_path):
    full = """
        import numba.core.caching as caching

        def no_room(self, name, data):
            raise OSError(28, "No space left on device")

        caching.IndexDataCacheFile._save_data = no_room
    """
    said, done = run(full).splitlines()
    assert said.startswith("compiled functions cannot be kept in ") and "(No space left on device)" in said
    assert done == "compiled"
    assert run() == "compiled"
    assert run() == "as usual"
