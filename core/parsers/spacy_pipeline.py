"""Installed spaCy pipelines as readers. Imported where one is asked for: spaCy takes seconds to load."""

import numpy as np
import spacy
from spacy.language import Language
from spacy.util import get_installed_models

from core.errors import WorkbenchError
from core.offsets import with_roots
from core.treebank import Column, Treebank
from core.treebank.retag import with_column
from core.treebank.spacy_docs import to_docs

BATCH = 64  # sentences a pipeline takes at once


class SpacyPipeline:
    """An installed spaCy pipeline over sentences that are cut already: words and sentence ends stay as they are."""

    def __init__(self, name: str, nlp: Language):
        self.name, self.nlp = name, nlp

    @classmethod
    def load(cls, name: str) -> "SpacyPipeline":
        """Load an installed pipeline. Raises WorkbenchError if there is none, or it cannot be loaded."""
        if name not in get_installed_models():
            raise WorkbenchError(f"no spaCy pipeline {name} is installed any more; choose another reader")
        try:
            return cls(name, spacy.load(name))
        except Exception as error:  # a package of somebody else's, which may fail in any way
            raise WorkbenchError(
                f"the spaCy pipeline {name} cannot be loaded: {_first_line(error)}; install it anew or choose another"
            ) from error

    def tag(self, treebank: Treebank) -> Treebank:
        """The treebank with the pipeline's tags; one that has some is left as it is. WorkbenchError where none."""
        if treebank.upos.filled or treebank.xpos.filled:
            return treebank
        tokens = self._tokens(treebank)
        tags = ["" if token.pos_ == "SPACE" else token.pos_ for token in tokens]
        columns = {"upos": tags, "xpos": [token.tag_ for token in tokens]}
        if not any(map(any, columns.values())):
            raise WorkbenchError(f"the spaCy pipeline {self.name} gives no tags; choose another reader, or none")
        for name, values in columns.items():
            if any(values):
                treebank = with_column(treebank, name, _column(values, treebank))
        return treebank

    def parse(self, treebank: Treebank) -> Treebank:
        """The treebank with the pipeline's trees; heads stay unknown where it draws none."""
        arcs = list(map(_arc, self._tokens(treebank)))
        heads = with_roots(np.array([head for head, _ in arcs], np.int32), treebank.offsets, -1)
        return treebank.with_heads(heads, _column([relation for _, relation in arcs], treebank))

    def _tokens(self, treebank):
        docs = to_docs(treebank.with_heads(np.full(len(treebank.heads), -1, np.int32)), self.nlp.vocab)
        try:
            parsed_docs = list(self.nlp.pipe(docs, batch_size=BATCH))
        except Exception as error:  # as above
            raise WorkbenchError(
                f"the spaCy pipeline {self.name} fails on this text: {_first_line(error)}; choose another reader"
            ) from error
        if list(map(len, parsed_docs)) != treebank.lengths.tolist():
            raise WorkbenchError(f"the spaCy pipeline {self.name} joins or cuts words; choose one that keeps them")
        return [token for doc in parsed_docs for token in doc]


def _arc(token):
    """(head, relation) of a token; -1 and no relation where it has no head."""
    if not token.has_head():
        return -1, ""
    return (0, "root") if token.head.i == token.i else (token.head.i + 1, token.dep_ or "dep")


def _column(values, treebank):
    """A Column of values of words."""
    column = Column.intern(values)
    return Column(with_roots(column.ids, treebank.offsets), column.values)


def _first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
