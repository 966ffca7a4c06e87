"""The English taggers and parser that come with the workbench, for text that somebody pastes without a model of hers.

Their weights stand in ``assets/english``, numbers only; the file beside them says what they were trained on, how
accurate they are, and the commands that made them.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import WorkbenchError
from core.parsers.mst.parser import MSTParser
from core.parsers.tagger.tagger import Tagger

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "english"
NAME = "english"


@dataclass(frozen=True, eq=False)
class English:
    """Taggers for both columns and a labelled second-order parser, with Universal Dependencies for English.

    Examples
    --------
    >>> parsed = English.load().parse(text)
    """

    upos: Tagger
    xpos: Tagger
    parser: MSTParser

    @classmethod
    def load(cls):
        """Read the weights, about 12 MB. Raises WorkbenchError where the checkout lacks them."""
        paths = [FOLDER / f"{name}.npz" for name in ("upos", "xpos", "parser")]
        missing = [path.name for path in paths if not path.is_file()]
        if missing:
            raise WorkbenchError(f"assets/english lacks {', '.join(missing)}; check the project out again")
        return cls(Tagger.load(paths[0]), Tagger.load(paths[1]), MSTParser.load(paths[2]))

    def tag(self, treebank):
        """The treebank with both tag columns: one that is empty is filled, one with any tag is left as it is."""
        for column, tagger in (("upos", self.upos), ("xpos", self.xpos)):
            if not getattr(treebank, column).filled:
                treebank = tagger.tag(treebank)
        return treebank

    def parse(self, treebank, threads=None):
        """The treebank with a tree and relations for every sentence; tags are filled where there are none.

        Parameters
        ----------
        treebank : Treebank
        threads : int, optional
            None uses all cores.

        Returns
        -------
        Treebank
        """
        return self.parser.parse(self.tag(treebank), threads=threads)

    def complete(self, treebank):
        """Parse only the sentences in which some word has no head; the others keep their trees.

        Returns
        -------
        (Treebank, int)
            The treebank, and how many of its sentences were parsed.
        """
        unknown = np.add.reduceat(treebank.heads < 0, treebank.offsets[:-1], dtype=np.int64) if len(treebank) else []
        chosen = np.flatnonzero(np.asarray(unknown) > 1)  # the root's own is always unknown
        if len(chosen) == len(treebank):
            return self.parse(treebank), len(chosen)
        if not len(chosen):
            return treebank, 0
        tagged = self.tag(treebank)
        parsed = self.parser.parse(tagged.select(chosen))
        rows = np.concatenate([np.arange(*tagged.offsets[index : index + 2]) for index in chosen.tolist()])
        heads, labels = tagged.heads.copy(), np.array(tagged.deprel.values, object)[tagged.deprel.ids]
        heads[rows] = parsed.heads
        labels[rows] = np.array(parsed.deprel.values, object)[parsed.deprel.ids]
        return tagged.with_heads(heads, labels.tolist()), len(chosen)
