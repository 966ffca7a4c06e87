"""How tests are written: a loop that asserts has something to loop over, and what is private in the app stays there."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.code_size import nodes_of

ROOT = Path(__file__).parents[1]
SAME = ("enumerate", "sorted", "reversed", "list", "set", "tuple", "dict", "pairwise", "product", "map")  # as filled
ELSEWHERE = {"_replace", "_run", "_columns", "_actions"}  # of named tuples, AppTest, SQLAlchemy, argparse


@cache
def files():
    return sorted((ROOT / "tests").rglob("*.py"))


def is_filled(items, values):
    """Whether an expression has items for sure, by its look; ``values`` are those of names, None for an argument."""
    match items:
        case ast.Tuple() | ast.List() | ast.Set():
            return bool(items.elts)
        case ast.Dict():
            return bool(items.keys)
        case ast.Constant():
            return True
        case ast.Name(id=name):
            rest = {other: value for other, value in values.items() if other != name}
            return name.isupper() or (name in values and (values[name] is None or is_filled(values[name], rest)))
        case ast.Attribute(attr=name):
            return name.isupper()
        case ast.Subscript(value=whole) | ast.Starred(value=whole):
            return is_filled(whole, values)
        case ast.BinOp(left=left, right=right):
            return is_filled(left, values) or is_filled(right, values)
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
            return all(is_filled(each.iter, values) and not each.ifs for each in items.generators)
        case ast.Call(func=ast.Name(id="range" | "filled" | "count")):
            return True
        case ast.Call(func=ast.Name(id="zip"), args=several):
            return any(is_filled(each, values) for each in several)
        case ast.Call(func=ast.Name(id=name), args=several) if name in SAME:
            return all(is_filled(each, values) for each in several[name == "map" :])
        case ast.Call(func=ast.Attribute(value=whole, attr="items" | "values" | "keys" | "split" | "splitlines")):
            return is_filled(whole, values)
    return False


def asserts(body):
    """Whether the statements of a loop assert something."""
    inner = (ast.With, ast.For, ast.If)
    return any(isinstance(each, ast.Assert) or (isinstance(each, inner) and asserts(each.body)) for each in body)


def outer_loops(body):
    for each in body:
        if isinstance(each, ast.For):
            yield each
        elif isinstance(each, (ast.With, ast.If, ast.While)):
            yield from outer_loops(each.body)


def names_in(nodes):
    return {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}


def values_of(test):
    """name -> what a test assigns to it; None for an argument that it is called with by its parameters."""
    called = " ".join(map(ast.unparse, test.decorator_list))
    values = {each.arg: None for each in test.args.args if re.search(rf"\b{each.arg}\b", called)}
    for node in ast.walk(test):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values[node.targets[0].id] = node.value
    return values


def loops_that_may_be_empty(nodes):
    """(test, line) of loops that assert, over what may have no items: it is written out, ``filled``, or asserted of.

    Examples of Hypothesis may have none.
    """
    for test in nodes:
        if not (isinstance(test, ast.FunctionDef) and test.name.startswith("test")):
            continue
        if any(ast.unparse(each).startswith("given") for each in test.decorator_list):
            continue
        loops, values = list(outer_loops(test.body)), values_of(test)
        inside = {id(each) for loop in loops for each in ast.walk(loop)}
        known = names_in(each for each in ast.walk(test) if isinstance(each, ast.Assert) and id(each) not in inside)
        for loop in loops:
            named = names_in([loop.iter]) - {"zip", *SAME}
            if asserts(loop.body) and not is_filled(loop.iter, values) and not named & known:
                yield test.name, loop.lineno


def test_a_loop_that_asserts_has_something_to_loop_over():
    """Where it does not say so itself, tests.filled does."""
    empty = [(path.name, *loop) for path in files() for loop in loops_that_may_be_empty(nodes_of(path))]
    assert empty == []


def is_private(name):
    return name.startswith("_") and not name.startswith("__") and name not in ELSEWHERE


@cache
def private_names():
    """The names of core and pages that begin with one underscore."""
    found = set()
    for path in (path for folder in ("core", "pages") for path in (ROOT / folder).rglob("*.py")):
        for node in nodes_of(path):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                found.add(getattr(node, "id", getattr(node, "attr", "")))
    return set(filter(is_private, found))


def root_of(node):
    """The name that an expression begins with; "" where it begins with none."""
    while not isinstance(node, ast.Name):
        node = getattr(node, "value", None) or getattr(node, "func", None)
        if node is None:
            return ""
    return node.id


def private_uses(nodes):
    """(line, name) of what is private in core or pages: imported, read off something, or put in its place."""
    nodes = list(nodes)
    imported = {
        alias.asname or alias.name.partition(".")[0]: getattr(node, "module", alias.name) or ""
        for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names
    }  # fmt: skip
    for node in nodes:
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith(("core", "pages")):
                yield from ((node.lineno, alias.name) for alias in node.names if is_private(alias.name))
            case ast.Attribute(value=owner, attr=name) if name in private_names():
                ours = imported.get(root_of(owner), "core").startswith(("core", "pages", "tests"))
                if ours and ast.unparse(owner) != "self":  # of a class of the tests
                    yield node.lineno, name
            case ast.Call(func=ast.Attribute(attr="setattr" | "object"), args=[_, ast.Constant(value=str(name)), *_]):
                if name in private_names():
                    yield node.lineno, name


def test_what_is_private_in_the_app_is_nothing_to_a_test():
    """A contract is public, and all else is tested by what it does."""
    used = [(path.name, *use) for path in files() for use in private_uses(nodes_of(path))]
    assert used == []
