"""Functions whose library is installed only when asked for: the extras of ``pyproject.toml``."""

from importlib.util import find_spec

from core.errors import WorkbenchError

LIBRARIES = {
    "adaptation": "sklearn",
    "auth": "authlib",
    "cluster": "distributed",
    "language": "py3langid",
    "pdf": "typst",
    "postgresql": "psycopg",
    "regression": "statsmodels",
}
FUNCTIONS = {
    "adaptation": "Structural correspondence",
    "auth": "Signing in",
    "cluster": "Work on several processes or machines",
    "language": "Telling languages apart",
    "pdf": "A PDF of slides",
    "postgresql": "A store on PostgreSQL",
    "regression": "The table of coefficients",
}


def missing(extra: str) -> str | None:
    """The sentence that says how to install an extra, one of ``LIBRARIES``; None where its library is installed."""
    if find_spec(LIBRARIES[extra]) is not None:
        return None
    return f'{FUNCTIONS[extra]} needs a library that is not installed; run: pip install "parser-workbench[{extra}]"'


def require(extra: str) -> None:
    """Raise WorkbenchError with the sentence of ``missing``, if there is one."""
    sentence = missing(extra)
    if sentence is not None:
        raise WorkbenchError(sentence)
