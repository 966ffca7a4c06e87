"""Trees that a language model or another tool wrote down, made parses of a text by the fewest changes, each listed."""

from core.proposals.adopting import Adopted, Change, adopt
from core.proposals.answers import read_answer

__all__ = ["Adopted", "Change", "adopt", "read_answer"]
