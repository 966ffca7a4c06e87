"""How the house is built (core/__init__.py): which file of core may import which, inside functions too; its size."""

import ast
import gc
import re
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
    ("advice", "annotation", "proposals"),
    ("experiments", "teach", "store", "jobs"),
    ("workspace",),
    ("commandline",),
)

CONSTRAINTS = ("language", "matching", "ge", "grammar", "authoring")  # rooms of core.constraints, likewise
NAMED = re.compile(r"(core(?:\.\w+)+):[A-Z]\w*")  # a class that is imported when it is met
LOADERS = "core.parsers"  # the one module that names classes of floors above it: what reads a saved parser, by its kind
BESIDE = 8  # modules beside the folders of core

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
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and name_of(path) != LOADERS:
            names = [name[1] for name in [NAMED.fullmatch(node.value)] if name]
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


def test_arrows_between_rooms_of_constraints_point_down(arrows):
    rooms = [(name, target) for name, targets in arrows.items() for target in targets if name.startswith("core.constr")]
    pairs = [[each.split(".")[2] for each in pair] for pair in rooms if all(each.count(".") == 3 for each in pair)]
    between = [pair for pair in pairs if pair[0] in CONSTRAINTS and pair[1] in CONSTRAINTS]
    assert len(between) > 100
    assert [pair for pair in between if CONSTRAINTS.index(pair[0]) < CONSTRAINTS.index(pair[1])] == []


def test_a_class_named_by_a_string_is_an_arrow(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_house.name_of", lambda path: path.stem)
    (tmp_path / "treebank.py").write_text('LATER = "core.parsers.labelled:LabelledParser"\n')
    assert set(imports(tmp_path / "treebank.py")) == {"core.parsers.labelled"}


def test_few_modules_stand_beside_the_folders_of_core():
    beside = {path.name for path in (ROOT / "core").glob("*.py")} - {"__init__.py", "__main__.py"}
    assert len(beside) <= BESIDE, beside


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
