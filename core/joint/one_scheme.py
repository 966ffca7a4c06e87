"""One scheme of a joint model, where a parser is wanted."""

import numpy as np

from core.errors import WorkbenchError
from core.joint.parser import JointParser
from core.treebank import Column, Treebank


class OneScheme:
    """A JointParser where one scheme's trees are wanted: ``parse(treebank)``, as any parser has it.

    ``scheme`` is a name, or a number from 1; by default the first. Raises WorkbenchError where there is no such scheme.
    """

    def __init__(self, joint: JointParser, scheme: str | None = None):
        self.joint, self.names = joint, tuple(scheme.name for scheme in joint.schemes)
        numbers = {str(at): at - 1 for at in range(len(self.names), 0, -1)} | {
            name: at for at, name in enumerate(self.names)
        }
        if scheme is not None and scheme not in numbers:
            listed = ", ".join(f"{at} {name}" for at, name in enumerate(self.names, 1))
            raise WorkbenchError(f"the joint model has no scheme {scheme!r}; choose of {listed}")
        self.number = numbers[scheme] if scheme is not None else 0

    name = property(lambda self: self.names[self.number])

    @property
    def labelled(self) -> bool:
        """Whether the scheme's trees come with relations."""
        return self.joint.schemes[self.number].baseline.labelled

    def label(self, treebank: Treebank, heads: np.ndarray) -> Column:
        """The relations of other trees of a text in the scheme."""
        return self.joint.schemes[self.number].baseline.label(self.joint.tagged(treebank), heads)

    def parse(self, treebank: Treebank) -> Treebank:
        """The text under the scheme's trees, found together with all others'; tagged first where that is needed."""
        parsed = self.joint.parse(self.joint.tagged(treebank)).treebank(self.number)
        return treebank.with_heads(parsed.heads, parsed.deprel)
