"""What all kernels of core keep to."""

import ast
from pathlib import Path

MOST = 8  # parameters; more are grouped into tuples by meaning


def kernels():
    """(file, definition) of every function that numba compiles."""
    for path in sorted((Path(__file__).parents[1] / "core").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any("kernel" in ast.unparse(each) for each in node.decorator_list):
                yield path, node


def test_no_kernel_has_more_than_eight_parameters():
    found = list(kernels())
    assert len(found) > 300
    sizes = {
        f"{path}:{node.lineno} {node.name}": len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])
        for path, node in found
    }
    assert {name: size for name, size in sizes.items() if size > MOST} == {}
