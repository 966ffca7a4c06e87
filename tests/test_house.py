"""How the house is built (core/__init__.py): which file of core may import which, inside functions too; its size."""

import ast
import gc
from pathlib import Path

import pytest

from tests.code_size import measured, nodes_of

ROOT = Path(__file__).parents[1]
FLOORS = (  # from the ground up; what is not listed serves all floors
    ("treebank",),
    ("features", "trees"),
    ("markup",),
    ("shards",),
    ("parsers", "decomposition"),
    ("constraints", "consistency", "joint", "adaptation"),
    ("advice", "annotation"),
    ("experiments", "teach", "store", "jobs"),
    ("workspace",),
    ("commandline",),
)

SHAPE = {  # at most so many of what tests.code_size counts in core; it lists them by name
    "long files": 0,
    "long sentences": 0,
    "class names twice": 8,
    "names in plan and settings": 10,
    "parameters": 12,
    "complexity": 8,
    "Any": 80,
}


def imports(path):
    """Names of the modules of core that a file imports, each the longest that is one."""
    for node in nodes_of(path):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if name.startswith("core.") and (found := module(name) or module(name.rpartition(".")[0])):
                yield found


def module(name):
    path = ROOT / name.replace(".", "/")
    return name if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file() else None


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.fixture(scope="module", autouse=True)
def without_collection():
    """Millions of nodes that stay are not searched for garbage again and again, and gone at the end."""
    gc.disable()
    yield
    nodes_of.cache_clear()
    gc.enable()


@pytest.fixture(scope="module")
def arrows():
    """Module of core -> modules of core that it imports."""
    return {name_of(path): set(imports(path)) for path in (ROOT / "core").rglob("*.py")}


def test_no_file_of_core_imports_one_that_imports_it(arrows):
    assert len(arrows) > 400
    left = {name: set(targets) - {name} for name, targets in arrows.items()}
    while ground := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in ground:
            del left[name]
    assert left == {}


def test_arrows_point_down(arrows):
    floor = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
    up = [
        (name, target)
        for name, targets in arrows.items()
        for target in targets
        if name.count(".")
        and target.count(".")
        and floor.get(name.split(".")[1], len(FLOORS)) < floor.get(target.split(".")[1], 0)
    ]
    assert up == []


def test_no_room_of_the_workspace_imports_another_one(arrows):
    rooms = {path.name for path in (ROOT / "core" / "workspace").iterdir() if (path / "__init__.py").is_file()}
    assert len(rooms) > 10
    between = [
        (name, target)
        for name, targets in arrows.items()
        for target in targets
        if name.startswith("core.workspace.") and target.startswith("core.workspace.")
        and (own := name.split(".")[2]) in rooms and (other := target.split(".")[2]) in rooms and own != other
    ]  # fmt: skip
    assert between == []


def test_files_functions_and_sentences_keep_their_size():
    lists = measured()[0]
    assert {name: lists[name] for name, most in SHAPE.items() if len(lists[name]) > most} == {}
