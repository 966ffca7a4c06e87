"""What pages and commands ask of one process: texts, runs and systems. Each page's computation is a room of its own."""

from core.workspace.corpora import add_corpus
from core.workspace.warmup import Warmup
from core.workspace.word_tags import Tagging
from core.workspace.wording import amount, escape
from core.workspace.workspace import Workspace

__all__ = ["Tagging", "Warmup", "Workspace", "add_corpus", "amount", "escape"]
