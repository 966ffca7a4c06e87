"""What kernels are made ready on, and the second of two processes that make them ready.

python -m core.compilation.warm MODULE:STEP ...        the steps of a Warming, from the last to the first
"""

import sys
from importlib import import_module

WORDS = {"forms": ["a", "b", "c"], "upos": ["X", "NOUN", "X"], "xpos": ["A", "B", "A"], "heads": [2, 0, 2]}


if __name__ == "__main__":
    for step in sys.argv[1:]:
        module, _, name = step.partition(":")
        getattr(import_module(module), name)()
