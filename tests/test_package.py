"""The wheel: what is in it, and that it works from another folder than the checkout."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from core import __version__
from tests.patience import wait_for

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCES = ("app.py", "pages", "core", "assets", ".streamlit", "pyproject.toml", "README.md", "LICENSE")
ALONE = ("cluster", "universal")  # extras that the app does without
SEGMENTERS = ("chinese", "japanese", "thai", "vietnamese")  # each of one language, which tests do without too
INFORMATION = f"parser_workbench-{__version__}.dist-info"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A copy of what the wheel is made of, since a build leaves folders behind; with a secret, which is nobody's."""
    folder = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "secrets.toml"))
        else:
            shutil.copy(ROOT / name, folder / name)
    (folder / ".streamlit" / "secrets.toml").write_text("[auth]\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    """Path of the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder where the wheel is installed, without the libraries that it needs."""
    folder = tmp_path_factory.mktemp("site")
    _pip("install", "--no-deps", "--no-compile", "--target", folder, wheel)
    return folder


@pytest.fixture
def outside(installed, tmp_path):
    """outside(*command, **how) runs a command in a folder of its own; of the workbench it sees what is installed."""
    surroundings = os.environ | {"PYTHONPATH": str(installed), "HOME": str(tmp_path), "WORKBENCH_HOME": str(tmp_path)}
    surroundings |= {"NUMBA_DISABLE_JIT": "1", "PYTHONUNBUFFERED": "1"}

    def run(*command, start=subprocess.run, **how):
        return start([str(word) for word in command], cwd=tmp_path, env=surroundings, text=True, **how)

    return run


def _pip(*arguments):
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--no-index", "--disable-pip-version-check"]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def lines_of(*path):
    return ROOT.joinpath(*path).read_text(encoding="utf-8").splitlines()


def test_it_holds_everything_and_nothing_else(source, wheel):
    found = {name for name in zipfile.ZipFile(wheel).namelist() if not name.startswith(INFORMATION)}
    app = [source / "app.py", source / ".streamlit" / "config.toml"]
    app += [path for name in ("pages", "assets") for path in (source / name).rglob("*") if path.is_file()]
    expected = {f"parser_workbench/{path.relative_to(source).as_posix()}" for path in app}
    expected |= {path.relative_to(source).as_posix() for path in (source / "core").rglob("*") if path.is_file()}
    assert len(expected) > 600
    assert found == expected


def test_its_names_and_version(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {"core", "parser_workbench", INFORMATION}
        points, metadata = (archive.read(f"{INFORMATION}/{name}").decode() for name in ("entry_points.txt", "METADATA"))
        assert f"{INFORMATION}/licenses/LICENSE" in archive.namelist()
    assert "parser-workbench = core.commandline.launch:main" in points and "[spacy_factories]" in points
    assert f"\nVersion: {__version__}\n" in metadata
    assert wheel.name == f"parser_workbench-{__version__}-py3-none-any.whl"


def test_requirements_are_those_of_the_package_with_all_extras_that_the_app_needs():
    extras = PROJECT["optional-dependencies"]
    of_app = [line for name, lines in extras.items() if name not in ("all", *ALONE, *SEGMENTERS) for line in lines]
    assert {line for name in ALONE for line in extras[name]} <= {*lines_of("tests", "requirements.txt")}
    every = Requirement(*extras["all"])
    assert (every.extras, every.name) == ({*extras} - {"all"}, PROJECT["name"])
    assert _merged(lines_of("requirements.txt")) == _merged([*PROJECT["dependencies"], *of_app])


def _merged(lines):
    """Library -> (its extras, its versions)."""
    merged = {}
    for line in map(Requirement, lines):
        extras, versions = merged.setdefault(line.name, (set(), set()))
        extras.update(line.extras)
        versions.add(str(line.specifier))
    return merged


def test_constraints_name_one_tested_version_of_each_requirement():
    pairs = [line.split("==") for line in lines_of(".ci", "constraints.txt") if line and not line.startswith("#")]
    tested = {canonicalize_name(name): version for name, version in pairs}
    for line in (*lines_of("requirements.txt"), *lines_of("tests", "requirements.txt")):
        needed = Requirement(line)
        assert needed.specifier.contains(tested[canonicalize_name(needed.name)]), line


def test_what_comes_along_is_found_elsewhere(outside, installed):
    """By the command line, then by scripts, then by the first page: one process, which imports what all need once."""
    script = """
import contextlib, io, json, os, runpy, sys

def command(*words):
    sys.argv = ["core", *words]
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.suppress(SystemExit):
        runpy.run_module("core", run_name="__main__", alter_sys=True)
    return said.getvalue()

sample = sys.argv[1]
version, stats = command("--version"), command("corpus", "stats", sample, "--json")
import spacy
from core.adaptation.pivots import languages
from core.files.assets import APP
from core.constraints.authoring.universal import FILES, FOLDER
from core.markup import sample_markup
from core.parsers import load_parser
from core.teach.lessons import shipped_lessons
from core.treebank import load_sample
from streamlit.testing.v1 import AppTest

cutting = {"nlp": {"tokenizer": {"@tokenizers": "workbench_tokenizer", "language": "ca"}}}
made = [spacy.blank("xx").create_pipe(name) for name in ("ge_parser", "mst_parser", "workbench_tagger")]
made.append(spacy.blank("ca", config=cutting).tokenizer)
found = {
    "version": version,
    "stats": json.loads(stats)["sentences"],
    "app": str(APP),
    "factories": [type(each).__module__ for each in made],
    "sentences": [len(load_sample(part)) for part in ("sample", "questions", "function-heads")],
    "brackets": sample_markup().matched,
    "weights": [type(load_parser(name)).__name__ for name in ("english", "universal")],
    "lessons": list(shipped_lessons()),
    "lines": [name for name in FILES.values() if not (FOLDER / name).is_file()],
    "pivots": languages(),
}
sys.path.insert(0, str(APP))  # as Streamlit does
app = AppTest.from_file(str(APP / "app.py"), default_timeout=300).run()
assert not app.exception, app.exception
shown = [element.value for element in (*app.header, *app.caption)]
print(json.dumps(found | {"page": "332 sentences found" in shown}), flush=True)
os._exit(0)  # kernels are still being made ready behind the page
"""
    sample = installed / "parser_workbench" / "assets" / "sample" / "sample.conllu"
    ran = outside(sys.executable, "-c", script, sample, capture_output=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert json.loads(ran.stdout.splitlines()[-1]) == {
        "version": f"parser-workbench {__version__}\n",
        "stats": 332,
        "app": str(installed / "parser_workbench"),
        "factories": ["core.parsers.spacy_component"] * 2 + ["core.parsers.spacy_text"] * 2,
        "sentences": [332, 78, 332],
        "brackets": 332,
        "weights": ["English", "UniversalParser"],
        "lessons": sorted(path.stem for path in (ROOT / "assets" / "lessons").glob("*.json")),
        "lines": [],
        "pivots": ["de", "en", "es", "nl", "xx"],
        "page": True,
    }


def test_the_command_serves_the_app(outside, installed):
    program = installed / "bin" / "parser-workbench"
    quiet = {"start": subprocess.Popen, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with outside(program, "--server.headless=true", "--host", "127.0.0.1", **quiet) as server:
        try:
            port = next(found[1] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:(\d+)", line)))
            assert wait_for(lambda: _answer(f"http://127.0.0.1:{port}/_stcore/health")) == b"ok"
            second = outside(program, "--port", port, "--server.headless=true", capture_output=True)
            assert second.returncode == 2
            assert second.stderr.startswith(f"error: port {port} is taken") and second.stderr.count("\n") == 1
        finally:
            server.terminate()


def _answer(address):
    """The body of what a server answers, where it does."""
    with contextlib.suppress(urllib.error.URLError, OSError), urllib.request.urlopen(address) as answer:
        return answer.read()
