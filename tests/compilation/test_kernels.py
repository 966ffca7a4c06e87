"""What all kernels of core keep to."""

import ast
import re
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError

from core.compilation.kernels import kernel
from core.offsets import read_only

ROOT = Path(__file__).parents[2]
MOST = 8  # parameters; more are grouped into tuples by meaning


def decorators(node):
    """Names of the decorators of ``core.compilation.kernels`` that a function has."""
    names = (ast.unparse(each).partition("(")[0] for each in getattr(node, "decorator_list", ()))
    return {name for name in names if name in {"kernel", "inner_kernel", "inlined_kernel"}}


def kernels(tree):
    """Definitions of every function of a module that numba compiles."""
    return [node for node in ast.walk(tree) if decorators(node)]


def trees(*folders, that=lambda text: "kernel" in text):
    """Path -> what is in it, of all files with such a text."""
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return {path: ast.parse(text) for path, text in texts.items() if that(text)}


def names_outside_kernels(tree):
    """All names, attributes and imported names of a module that are not within a kernel."""
    waiting, found = [tree], set()
    while waiting:
        node = waiting.pop()
        if not decorators(node):
            waiting += ast.iter_child_nodes(node)
            found |= {getattr(node, key) for key in ("id", "attr") if hasattr(node, key)}
    return found


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
        for path, tree in trees("core", that=lambda text: "jit" in text).items()
        if any(isinstance(node, ast.Name) and node.id in {"njit", "jit"} for node in ast.walk(tree))
    ]
    assert importing == ["core/compilation/kernels.py"]


def test_a_kernel_without_an_entrance_is_called_by_kernels_of_its_module_only():
    """Python that called one would crash."""
    modules = trees("core")
    without = {
        path: {node.name for node in kernels(tree) if decorators(node) & {"inner_kernel", "inlined_kernel"}}
        for path, tree in modules.items()
    }
    assert sum(map(len, without.values())) > 200
    called = {path: names & names_outside_kernels(modules[path]) for path, names in without.items() if names}
    assert {path: names for path, names in called.items() if names} == {}
    known = {(path.stem, name) for path, names in without.items() for name in names}
    named = re.compile(rf"\b({'|'.join(sorted({name for _, name in known}))})\b")
    elsewhere = {
        f"{path}:{node.lineno}"
        for path, tree in trees("core", "pages", "tests", that=lambda text: named.search(text)).items()
        for node in ast.walk(tree)
        if reached(node) & known
    }
    assert elsewhere == set()


def reached(node):
    """(module, name) of what an import or an attribute takes from another module."""
    if isinstance(node, ast.ImportFrom):
        return {((node.module or "").rpartition(".")[2], alias.name) for alias in node.names}
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return {(node.value.id, node.attr)}
    return set()


class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray


def test_arrays_that_may_not_be_written_to_need_no_other_compilation():
    """Nor does a tuple of them, wherever they stand in it; kernels answer the same, and their own constants work."""
    last = np.array([1.0, 2.0])

    @kernel
    def weighed(values, pair, number):
        return (values * pair.first).sum() + pair.second[number] + last.sum()

    array = np.arange(3.0)
    kept = read_only(array)
    for values, first, second in product((array, kept), repeat=3):
        for _ in range(2):  # the first call enters the form, the second finds it
            assert weighed(values, Pair(first, second), 1) == 9
    if isinstance(weighed, Dispatcher):  # with NUMBA_DISABLE_JIT it is the function itself
        assert len(weighed.signatures) == 1
        with pytest.raises(TypingError):
            weighed(kept, kept, 1)
