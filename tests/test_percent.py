"""One spelling of a percentage over the whole product: the sign stands at its number, as format specifiers write it."""

import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
APART = re.compile(r"(?<=[\d}])(?<!F1) %(?![\w{(])")  # neither a conversion of %-formatting nor a column such as "F1 %"
APART_IN_TEXT = re.compile(r"(?<=[\d}])[ \u00a0\u202f]%")


def percentages_apart(code):
    """The strings and comments of Python code with a percent sign apart from its number."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [token.string for token in tokens if token.type in (tokenize.STRING, tokenize.COMMENT)
            and APART.search(token.string)]  # fmt: skip


@pytest.mark.parametrize("folder", ["core", "pages"])
def test_pages_commands_and_files_write_the_sign_at_the_number(folder):
    apart = {path.name: percentages_apart(path.read_text("utf-8")) for path in sorted((ROOT / folder).rglob("*.py"))}
    assert {name: found for name, found in apart.items() if found} == {}


@pytest.mark.parametrize(
    "path", [*sorted((ROOT / "assets/guide").glob("*.md")), ROOT / "README.md"], ids=lambda p: p.name
)
def test_documents_write_the_sign_at_the_number(path):
    assert [line for line in path.read_text("utf-8").splitlines() if APART_IN_TEXT.search(line)] == []


def test_what_is_apart_is_found():
    code = (
        'a = f"{share:.0f} % of words"  # about 5 %\nb = "{} %".format(3) + "%d %s" % (1, 2) + "%{x} %{y}"\nc = "5%"\n'
    )
    assert len(percentages_apart(code)) == 3
    assert APART_IN_TEXT.search("95 % of") and not APART_IN_TEXT.search("95% of")
