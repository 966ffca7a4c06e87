"""The English taggers and parser of the workbench, for people who have a text and no model.

Their weights stand in ``assets/english``, numbers only; the file beside them says what they were trained on, how
accurate they are, and the commands that made them.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.errors import WorkbenchError
from core.files.assets import ASSETS
from core.offsets import any_of_each, selected_rows
from core.parsers.constrained_completion import complete
from core.parsers.mst.parser import MSTParser
from core.parsers.scores import ScoredWords
from core.parsers.tagger.tagger import Tagger
from core.treebank import Column, Treebank
from core.treebank.retag import with_column
from core.treebank.tagging import UNKNOWN
from core.trees import PackedTrees

FOLDER = ASSETS / "english"
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
    def load(cls) -> "English":
        """Read the weights, about 12 MB. Raises WorkbenchError where the installation lacks them."""
        paths = [FOLDER / f"{name}.npz" for name in ("upos", "xpos", "parser")]
        missing = [path.name for path in paths if not path.is_file()]
        if missing:
            raise WorkbenchError(f"assets/english lacks {', '.join(missing)}; install the workbench again")
        return cls(Tagger.load(paths[0]), Tagger.load(paths[1]), MSTParser.load(paths[2]))

    @property
    def labelled(self) -> bool:
        """Whether the parser predicts relations."""
        return self.parser.labelled

    @property
    def searched_whole(self) -> int | None:
        """As ``MSTParser.searched_whole``."""
        return self.parser.searched_whole

    def tag(self, treebank: Treebank) -> Treebank:
        """The treebank with a tag in both columns for every word; tags that are there stay."""
        return self._filled(treebank, ("",))

    def tag_unknown(self, treebank: Treebank) -> Treebank:
        """The treebank as its parser reads it: X, which says that nothing is known of a word, gives way to a tag."""
        return self._filled(treebank, ("", UNKNOWN))

    def _filled(self, treebank, open_tags):
        """The treebank with the taggers' tags in place of ``open_tags``."""
        for name, tagger in (("upos", self.upos), ("xpos", self.xpos)):
            column = getattr(treebank, name)
            rows = column.mask(lambda tag: tag in open_tags) & treebank.is_word
            if rows.sum() == treebank.token_count:
                treebank = tagger.tag(treebank)
            elif rows.any():
                chosen = any_of_each(rows, treebank.offsets)
                tags = getattr(tagger.tag(treebank.select(chosen)), name)
                source_rows = np.flatnonzero(np.repeat(chosen, treebank.lengths + 1))
                new = {int(row): tags[index] for index, row in enumerate(source_rows) if rows[row]}
                treebank = with_column(treebank, name, column.with_values(new))
        return treebank

    def parse(self, treebank: Treebank, threads: int | None = None) -> Treebank:
        """The treebank with a tree and relations for every sentence; tags are filled if there are none.

        Where a word has the tag X, the tree is drawn over the tagger's tag, and X stays.

        Parameters
        ----------
        treebank : Treebank
        threads : int, optional
            None uses all cores.

        Returns
        -------
        Treebank
        """
        tagged = self.tag(treebank)
        retagged = self.tag_unknown(tagged)
        parsed = self.parser.parse(retagged, threads=threads)
        return parsed if retagged is tagged else tagged.with_heads(parsed.heads, parsed.deprel)

    def completed_heads(self, treebank: Treebank) -> np.ndarray:
        return self.parser.completed_heads(self.tag_unknown(self.tag(treebank)))

    def completed_kbest(self, treebank: Treebank, k: int) -> PackedTrees:
        return self.parser.completed_kbest(self.tag_unknown(self.tag(treebank)), k)

    def label(self, treebank: Treebank, heads: np.ndarray) -> Column:
        """The relations of other trees of a text."""
        return self.parser.label(self.tag_unknown(self.tag(treebank)), heads)

    def scored_words(self, treebank: Treebank) -> ScoredWords:
        """A text under the parser's trees, and the scores of all labelled trees of it."""
        tagged = self.tag(treebank)
        read = self.parser.scored_words(self.tag_unknown(tagged))
        return replace(read, in_text=lambda heads, relations: tagged.with_heads(heads, relations))

    def complete(self, treebank: Treebank) -> tuple[Treebank, int]:
        """Parse only the sentences in which some word has no head, around the heads that are there.

        The others keep their trees.

        Returns
        -------
        (Treebank, int)
            The treebank, and how many of its sentences were parsed.
        """
        chosen = np.flatnonzero(any_of_each((treebank.heads < 0) & treebank.is_word, treebank.offsets))
        if len(chosen) == len(treebank):
            return complete(self, treebank).treebank, len(chosen)
        if not len(chosen):
            return treebank, 0
        tagged = self.tag(treebank)
        parsed = complete(self, tagged.select(chosen)).treebank
        rows, _ = selected_rows(tagged.offsets, chosen)
        heads, labels = tagged.heads.copy(), tagged.deprel.strings()
        heads[rows] = parsed.heads
        labels[rows] = parsed.deprel.strings()
        return tagged.with_heads(heads, labels.tolist()), len(chosen)
