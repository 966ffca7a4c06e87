"""What all kernels of core keep to."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 8  # parameters; more are grouped into tuples by meaning


def decorators(node):
    """Names of the decorators of ``core.kernels`` that a function has."""
    names = (ast.unparse(each).partition("(")[0] for each in getattr(node, "decorator_list", ()))
    return {name for name in names if name in {"kernel", "inner_kernel", "inlined_kernel"}}


def kernels(tree):
    """Definitions of every function of a module that numba compiles."""
    return [node for node in ast.walk(tree) if decorators(node)]


def trees(*folders):
    """Path -> what is in it, of all files."""
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def names_outside_kernels(node):
    """All names, attributes and imported names that are not within a kernel."""
    for child in ast.iter_child_nodes(node):
        if not decorators(child):
            yield from (getattr(child, key) for key in ("id", "attr") if hasattr(child, key))
            if isinstance(child, ast.ImportFrom):
                yield from (alias.name for alias in child.names)
            yield from names_outside_kernels(child)


def test_no_kernel_has_more_than_eight_parameters():
    found = [(path, node) for path, tree in trees("core").items() for node in kernels(tree)]
    assert len(found) > 300
    sizes = {
        f"{path}:{node.lineno} {node.name}": len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])
        for path, node in found
    }
    assert {name: size for name, size in sizes.items() if size > MOST} == {}


def test_numba_compiles_by_the_decorators_of_one_module():
    importing = [
        path.relative_to(ROOT).as_posix()
        for path, tree in trees("core").items()
        if any(isinstance(node, ast.Name) and node.id in {"njit", "jit"} for node in ast.walk(tree))
    ]
    assert importing == ["core/kernels.py"]


def test_a_kernel_without_an_entrance_is_called_by_kernels_of_its_module_only():
    """Python that called one would crash."""
    modules = trees("core", "pages", "tests")
    used = {path: set(names_outside_kernels(tree)) for path, tree in modules.items()}
    without = [
        (path, node.name)
        for path, tree in modules.items()
        for node in kernels(tree)
        if path.is_relative_to(ROOT / "core") and decorators(node) & {"inner_kernel", "inlined_kernel"}
    ]
    assert len(without) > 200
    assert [(path, name) for path, name in without if name in used[path]] == []
    imported = {
        (node.module, alias.name)
        for tree in modules.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    names = {(path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."), name) for path, name in without}
    assert names & imported == set()
