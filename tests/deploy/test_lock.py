"""What a server installs: the versions that are tested, each file by its hash, and from no place of this machine."""

import re
import tomllib
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.proxy import DEPLOY

ROOT = DEPLOY.parent
PIN = re.compile(r"^([\w.-]+)==(\S+)( ; [^\\]+)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M)


def pins(name):
    """Package -> version of a lock, of which nothing else may be left."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / name).read_text(encoding="utf-8"), flags=re.M)
    assert PIN.sub("", text) == ""
    return {canonicalize_name(found[1]): found[2] for found in PIN.finditer(text)}


@pytest.fixture(scope="module")
def tested():
    """Package -> version with which everything is tested."""
    lines = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").split()
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}


def test_versions_are_those_that_are_tested(tested):
    """After a change ``.ci/lock`` makes them the same; what only segmenters of some languages need is not tested."""
    locked = pins("requirements.lock")
    assert {name: version for name, version in locked.items() if tested.get(name, version) != version} == {}
    assert len(locked.keys() - tested.keys()) < 15
    assert pins("build.lock") == {"setuptools": tested["setuptools"]}


def test_all_that_the_project_and_its_extras_need_is_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    needed = [each for each in map(Requirement, wanted) if each.name != project["name"]]
    locked = pins("requirements.lock")
    assert [
        str(each) for each in needed if not each.specifier.contains(locked.get(canonicalize_name(each.name), "0"))
    ] == []


def test_both_ways_to_a_server_install_them():
    install = (DEPLOY / "install").read_text(encoding="utf-8")
    assert re.findall(r"--requirement (\S+)", install) == [".deploy/build.lock", ".deploy/requirements.lock"]
    assert install.count("--require-hashes") == 2 and "--no-deps" in install.splitlines()[-1]
    assert "/.deploy/install /opt/parser-workbench" in (DEPLOY / "Containerfile").read_text(encoding="utf-8")
