"""Public functions say what they take and what they return; pyright, in ``.ci/run``, says whether that is true."""

import ast
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[1] / "core"
TYPED = (  # every public function in these has types: add what is finished
    "adaptation", "annotation", "commandline", "consistency", "constraints", "decomposition", "draw", "evaluation",
    "experiments", "features", "joint", "markup", "parsers", "search", "store", "teach", "treebank", "trees",
    "workspace", "callbacks.py", "compilation/compiling.py", "compilation/warm.py", "errors.py", "files/tables.py",
    "files/unpacking.py", "jobs.py", "languages/direction.py", "serving/web.py", "threads.py", "version.py",
)  # fmt: skip


def public_functions(tree):
    """(name, function, whether it is bound to an object or class) of a module's public functions and methods.

    Where a function is overloaded, its overloads have the types.
    """
    overloaded = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            is_overload = "overload" in {getattr(each, "id", "") for each in node.decorator_list}
            if is_overload or node.name not in overloaded:
                yield node.name, node, False
            overloaded.update([node.name] if is_overload else [])
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and (inner.name == "__init__" or not inner.name.startswith("_")):
                    decorators = {getattr(each, "id", "") for each in inner.decorator_list}
                    yield f"{node.name}.{inner.name}", inner, "staticmethod" not in decorators


def without_type(function, bound):
    """Names of the parameters without a type, and "return" where that has none."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs][bound:]
    named += [each for each in (given.vararg, given.kwarg) if each is not None]
    missing = [each.arg for each in named if each.annotation is None]
    return missing + ["return"] * (function.returns is None and function.name != "__init__")


@pytest.mark.parametrize("part", TYPED)
def test_public_functions_have_types(part):
    paths = [CORE / part] if part.endswith(".py") else sorted((CORE / part).rglob("*.py"))
    assert paths
    found = [
        f"{path.relative_to(CORE.parent)}: {name} lacks a type of {', '.join(missing)}"
        for path in paths
        if path.name == "__init__.py" or not path.name.startswith("_")
        for name, function, bound in public_functions(ast.parse(path.read_text(encoding="utf-8")))
        if (missing := without_type(function, bound))
    ]
    assert not found, "\n".join(found)


def test_the_overloads_of_a_function_have_its_types():
    tree = ast.parse("@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x): ...\ndef f(x): ...")
    assert [without_type(each, False) for _, each, _ in public_functions(tree)] == [[], ["x", "return"]]


def test_a_function_without_types_is_named():
    tree = ast.parse("class A:\n def f(self, x, *, y: int): ...\ndef g() -> int: ...")
    assert [(name, without_type(each, bound)) for name, each, bound in public_functions(tree)] == [
        ("A.f", ["x", "return"]),
        ("g", []),
    ]
