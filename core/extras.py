"""Functions that need a library which is installed on request only: the extras of ``pyproject.toml``."""

from importlib.util import find_spec

from core.errors import WorkbenchError

EXTRAS = {  # extra -> its library, what needs it
    "adaptation": ("sklearn", "Structural correspondence"),
    "auth": ("authlib", "Signing in"),
    "brotli": ("brotli", "A page that is packed by Brotli"),
    "chinese": ("jieba", "Cutting Chinese into words"),
    "cluster": ("distributed", "Work on several processes or machines"),
    "japanese": ("sudachipy", "Cutting Japanese into words"),
    "pdf": ("typst", "A PDF"),
    "postgresql": ("psycopg", "A store on PostgreSQL"),
    "regression": ("statsmodels", "The table of coefficients"),
    "thai": ("pythainlp", "Cutting Thai into words"),
    "universal": ("optax", "Training a universal parser"),
    "vietnamese": ("pyvi", "Cutting Vietnamese into words"),
    "zstd": ("zstandard", "What is packed by Zstandard"),
}


def missing(extra: str) -> str | None:
    """The sentence that says how to install an extra, one of ``EXTRAS``; None where its library is installed."""
    library, function = EXTRAS[extra]
    if find_spec(library) is not None:
        return None
    return f'{function} needs a library that is not installed; run: pip install "parser-workbench[{extra}]"'


def require(extra: str) -> None:
    """Raise WorkbenchError with the sentence of ``missing``, if there is one."""
    sentence = missing(extra)
    if sentence is not None:
        raise WorkbenchError(sentence)
