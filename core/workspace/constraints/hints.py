"""The answer of another treebank to a question: shown as a hint, never taken over by itself."""

from dataclasses import dataclass

from core.constraints import Constraint
from core.store import Corpus
from core.workspace.constraints.learner import Learner
from core.workspace.constraints.text import Text


@dataclass(frozen=True)
class Hint:
    """The share of a question's places that are arcs in the trees of another corpus.

    ``edges`` of ``known`` places whose head is known there; ``share`` is None where there are none.
    """

    corpus: str
    edges: int
    known: int

    @property
    def share(self) -> float | None:
        """What they make."""
        return self.edges / self.known if self.known else None


def hint(system: Learner, corpus: Corpus, text: Text, constraint: Constraint) -> Hint:
    """The Hint that a Corpus gives to a Constraint over the tags of a Text. Raises WorkbenchError where it has none."""
    matcher = system.text(corpus, system.plan_class(text.settings.tags)).matcher
    coverage = matcher.counts([constraint])[0]
    return Hint(corpus.name, coverage.edges, coverage.known_denominator)
