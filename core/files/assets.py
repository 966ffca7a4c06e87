"""Where the app is, and the files that come along with it.

In a checkout both stand beside ``core``. Installed, they are in ``parser_workbench`` beside it, which the build makes
of ``app.py``, ``pages``, ``assets`` and ``.streamlit`` (``pyproject.toml``).
"""

from pathlib import Path

_BESIDE = Path(__file__).resolve().parents[2]
_INSTALLED = _BESIDE / "parser_workbench"
APP = _INSTALLED if _INSTALLED.is_dir() else _BESIDE
ASSETS = APP / "assets"
