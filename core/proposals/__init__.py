"""Trees that a language model or another tool wrote down, made parses of a text by the fewest changes, each listed."""

from core.proposals.adopting import Adopted, Change, adopt
from core.proposals.answers import read_answer
from core.proposals.asking import example_trees, prompt

__all__ = ["Adopted", "Change", "adopt", "example_trees", "prompt", "read_answer"]
