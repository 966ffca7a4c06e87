"""What a page may not load before somebody asks for it: libraries that take seconds, and few need."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LATE = "alembic bs4 pandas scipy.optimize scipy.sparse scipy.special scipy.stats sklearn spacy statsmodels typst"
PROGRAM = """
import importlib, pathlib, sys
names = [".".join(path.with_suffix("").parts) for path in pathlib.Path("pages/shared").rglob("*.py")]
for name in names:
    importlib.import_module(name)
print(len(names), *sorted(set(sys.argv[1:]) & set(sys.modules)))
"""


def test_pages_load_quickly():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *LATE.split()], cwd=ROOT, capture_output=True, text=True, check=True
    )
    count, *loaded = done.stdout.split()
    assert int(count) > 50
    assert not loaded
