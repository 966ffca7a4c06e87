"""Trained parsers as spaCy components: ``nlp.add_pipe("mst_parser", config={"model": "parser.npz"})``.

The component reads the tags that stand in the document and sets ``token.head`` and ``token.dep_``. Where this
package is pip-installed its entry points register the factory, so that ``spacy.load`` opens a saved pipeline.
"""

import io
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from spacy.attrs import DEP, HEAD
from spacy.language import Language
from spacy.vocab import Vocab

from core.errors import WorkbenchError
from core.parsers import load_parser
from core.parsers.protocols import Parser, SavedParser
from core.parsers.weights import file_bytes
from core.treebank import Treebank

MODEL_FILE = "parser.npz"


class ParserComponent:
    """Parses the sentences of a Doc with a parser saved by the workbench.

    Sentence boundaries are those of the document; without any, the whole document is one sentence. An unlabelled
    parser writes the relations ``ROOT`` and ``dep``.
    """

    def __init__(self, vocab: Vocab, name: str = "ge_parser", model: Parser | None = None):
        self.vocab, self.name = vocab, name
        self.parser = model

    def __call__(self, doc):
        """Set heads and relations of a Doc; raises WorkbenchError where it has no tags."""
        if self.parser is None:
            raise WorkbenchError(f"the component {self.name!r} has no model; give config={{'model': 'parser.npz'}}")
        if not len(doc):
            return doc
        starts = [token.i for token in doc if token.is_sent_start or token.i == 0]
        spans = list(zip(starts, [*starts[1:], len(doc)], strict=True))
        sentences = [
            {
                "forms": [token.text if not token.is_space else "_" for token in doc[start:end]],
                "lemmas": [token.lemma_ for token in doc[start:end]],
                "upos": [token.pos_ for token in doc[start:end]],
                "xpos": [token.tag_ for token in doc[start:end]],
            }
            for start, end in spans
        ]
        parsed = self.parser.parse(Treebank.from_sentences(sentences))
        relative = np.zeros(len(doc), dtype=np.int64)
        relations = np.zeros(len(doc), dtype=np.uint64)
        for (start, _), sentence in zip(spans, parsed, strict=True):
            for word, (head, relation) in enumerate(
                zip(sentence.heads[1:].tolist(), sentence.deprels[1:], strict=True)
            ):
                relative[start + word] = head - word - 1 if head else 0  # a root heads itself in spaCy
                relations[start + word] = doc.vocab.strings.add(relation if head else "ROOT")
        return doc.from_array([HEAD, DEP], np.stack([relative.astype(np.uint64), relations], axis=1))

    def to_bytes(self, exclude: Iterable[str] = ()) -> bytes:
        """The model file's bytes."""
        if not isinstance(self.parser, SavedParser):
            raise WorkbenchError(f"the component {self.name!r} has no model to save; give it a parser's file")
        return file_bytes(self.parser)

    def from_bytes(self, data: bytes, exclude: Iterable[str] = ()) -> "ParserComponent":
        """Take the model from bytes that ``to_bytes`` returned."""
        self.parser = load_parser(io.BytesIO(data))
        return self

    def to_disk(self, path: str | Path, exclude: Iterable[str] = ()) -> None:
        """Save into a folder, as ``nlp.to_disk`` asks for."""
        Path(path).mkdir(parents=True, exist_ok=True)
        (Path(path) / MODEL_FILE).write_bytes(self.to_bytes())

    def from_disk(self, path: str | Path, exclude: Iterable[str] = ()) -> "ParserComponent":
        """Load from a folder that ``to_disk`` wrote."""
        self.parser = load_parser(Path(path) / MODEL_FILE)
        return self


@Language.factory("ge_parser", assigns=["token.head", "token.dep"], default_config={"model": None})
def make_ge_parser(nlp: Language, name: str, model: str | Path | None) -> ParserComponent:
    """The spaCy factory; ``model`` is the path of a saved parser, or None where ``from_disk`` follows."""
    return ParserComponent(nlp.vocab, name, load_parser(model) if model else None)


@Language.factory("mst_parser", assigns=["token.head", "token.dep"], default_config={"model": None})
def make_mst_parser(nlp: Language, name: str, model: str | Path | None) -> ParserComponent:
    """This component under a name that says which parser it holds."""
    return make_ge_parser(nlp, name, model)
