"""How much code there is, and in what shape: python -m tests.code_size [NAME ...] lists what a NAME counts.

Code lines hold a token that is neither comment nor docstring. The other figures are of ``core``. Kernels do not count
among private helpers, parameters and complexity, which is 1 and one more for each branch.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
KERNELS = {"njit", "kernel", "inner_kernel", "inlined_kernel"}
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
BRANCHES = ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.Assert, ast.comprehension
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
SETTINGS = "Settings", "Costs"  # end the names of classes that say how something is computed
LONGEST, LONGEST_WITH_KERNELS, PARAMETERS, COMPLEXITY, WORDS = 450, 650, 7, 15, 28


def docstrings(nodes):
    """The statements that are docstrings."""
    for node in nodes:
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) and ast.get_docstring(node) is not None:
            yield node.body[0]


def code_lines(path):
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in docstrings(nodes_of(path)):
        lines.difference_update(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def is_kernel(function):
    called = [each.func if isinstance(each, ast.Call) else each for each in function.decorator_list]
    return any(getattr(each, "attr", getattr(each, "id", "")) in KERNELS for each in called)


def complexity(function):
    nodes = list(ast.walk(function))
    joined = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return 1 + sum(isinstance(node, BRANCHES) for node in nodes) + joined


def parameters(function):
    names = function.args
    named = [each.arg for each in (*names.posonlyargs, *names.args, *names.kwonlyargs)]
    return len([name for name in named if name not in ("self", "cls")]) + bool(names.vararg) + bool(names.kwarg)


@cache
def nodes_of(path):
    """All nodes of a file's syntax tree."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def files(part):
    return sorted((ROOT / part).rglob("*.py"))


def repeated_settings():
    """Fields of plans whose names stand in a settings class that the plan's file imports, too."""
    classes = {
        (path, node.name): node for path in files("core") for node in nodes_of(path) if isinstance(node, ast.ClassDef)
    }
    names = {name: annotated(node) for (_, name), node in classes.items() if name.endswith(SETTINGS)}
    plans = {"Plan"}
    for _ in range(3):  # a plan of a plan of a plan
        bases = {name: {getattr(base, "id", "") for base in node.bases} for (_, name), node in classes.items()}
        plans |= {name for name in bases if bases[name] & plans}
    for (path, name), node in classes.items():
        if name in plans:
            imported = {each.name for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.alias)}
            said = set().union(*(names[each] for each in imported & names.keys() - plans))
            yield from (f"{name}.{field}" for field in annotated(node) if field in said)


def annotated(node):
    """Names of the fields of a dataclass."""
    lines = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    return [each.target.id for each in lines if "ClassVar" not in ast.dump(each.annotation)]


def measured():
    """{figure: list of what it counts}, and the number of private helpers."""
    lists, helpers, classes = defaultdict(list, {"long files": []}), 0, defaultdict(list)
    for path in [*files("core"), *files("pages")]:
        name, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        lists["fmt: skip"] += [name] * source.count("# fmt: skip")
        if name.startswith("pages"):
            continue
        nodes = nodes_of(path)
        functions = [node for node in nodes if isinstance(node, FUNCTIONS)]
        lists["Any"] += [name] * len(re.findall(r"\bAny\b", source))
        if source.count("\n") > (LONGEST_WITH_KERNELS if any(map(is_kernel, functions)) else LONGEST):
            lists["long files"].append(name)
        names = Counter(getattr(node, "id", getattr(node, "attr", None)) for node in nodes)
        for function in functions:
            place = f"{name}:{function.lineno} {function.name}"
            if is_kernel(function):
                continue
            if function.name.startswith("_") and not function.name.startswith("__"):
                helpers += 1
                lists["used once"] += [place] if names[function.name] == 1 else []
            lists["parameters"] += [place] if parameters(function) > PARAMETERS else []
            lists["complexity"] += [place] if complexity(function) > COMPLEXITY else []
        for node in nodes:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(name)
        for node in docstrings(nodes):
            sentences = re.split(r"(?<=[.!?:])\s+|\n\s*\n", node.value.value)
            lists["long sentences"] += [
                f"{name}:{node.lineno}" for each in sentences if len(each.split()) > WORDS
            ]  # fmt: skip
    lists["names in plan and settings"] = list(repeated_settings())
    lists["class names twice"] = [f"{name}: {', '.join(files)}" for name, files in classes.items() if len(files) > 1]
    return lists, helpers


def main(wanted):
    """Print the figures, and the lists of those that are wanted."""
    lists, helpers = measured()
    for part in ("core", "pages", "tests"):
        print(f"{sum(map(code_lines, files(part))):7,}  code lines of {part}")
    print(f"{100 * len(lists['used once']) / helpers:7.1f}  percent of {helpers:,} private helpers used once")
    for name, found in lists.items():
        print(f"{len(found):7,}  {name}")
    for name in wanted:
        print("", name, *lists[name], sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
