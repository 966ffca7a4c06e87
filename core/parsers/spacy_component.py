"""Trained parsers as spaCy components: ``nlp.add_pipe("mst_parser", config={"model": "parser.npz"})``.

The component reads the tags that stand in the document and sets ``token.head`` and ``token.dep_``. With ``rules`` in
its configuration, the text of a file of rules, its trees keep them; a saved pipeline has them as ``rules.txt``. Where
this package is pip-installed its entry points register the factory, so that ``spacy.load`` opens a saved pipeline;
elsewhere the import of this module does. ``spacy_text`` has what such a pipeline makes of raw text before.
"""

import io
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import srsly
from spacy.attrs import DEP, HEAD
from spacy.language import Language
from spacy.vocab import Vocab

from core.errors import WorkbenchError
from core.parsers import load_parser
from core.parsers.protocols import Parser, RelationScorer, SavedParser
from core.parsers.spacy_text import doc_heads, doc_sentences
from core.parsers.weights import file_bytes
from core.rules.parsing import parse_under_rules
from core.rules.reading import parse_rules
from core.treebank import Treebank

MODEL_FILE, RULES_FILE = "parser.npz", "rules.txt"


class ParserComponent:
    """Parses the sentences of a Doc with a parser saved by the workbench.

    Sentence boundaries are those of the document; without any, the whole document is one sentence. White space is no
    word. An unlabelled parser writes the relations ``ROOT`` and ``dep``. ``rules`` are the text of a file of rules that
    trees keep where some tree does; raises ConstraintError for what cannot be read.
    """

    def __init__(self, vocab: Vocab, name: str = "ge_parser", model: Parser | None = None, rules: str = ""):
        self.vocab, self.name = vocab, name
        self.parser = model
        self._keep(rules)

    def _keep(self, rules):
        """Let trees keep the rules of a text."""
        self._rules, self.rules = parse_rules(rules), rules

    def __call__(self, doc):
        """Set heads and relations of a Doc; raises WorkbenchError where it has no tags."""
        if self.parser is None:
            raise WorkbenchError(f"the component {self.name!r} has no model; give config={{'model': 'parser.npz'}}")
        sentences, places = doc_sentences(doc)
        if not sentences:
            return doc
        parsed = self._parsed(self.parser, Treebank.from_sentences(sentences))
        relations = np.full(len(doc), doc.vocab.strings.add("dep"), dtype=np.uint64)  # of white space
        is_word = parsed.is_word
        named = zip(parsed.heads[is_word].tolist(), parsed.deprel.strings()[is_word].tolist(), strict=True)
        relations[places] = [doc.vocab.strings.add(relation if head else "ROOT") for head, relation in named]
        relative = doc_heads(len(doc), places, parsed)
        return doc.from_array([HEAD, DEP], np.stack([relative.astype(np.uint64), relations], axis=1))

    def _parsed(self, parser, treebank):
        if not self._rules:
            return parser.parse(treebank)
        if not isinstance(parser, RelationScorer):
            raise WorkbenchError(
                f"the component {self.name!r} has rules, and its parser does not score relations; give it no rules"
            )
        return parse_under_rules(parser, treebank, self._rules).treebank

    def to_bytes(self, exclude: Iterable[str] = ()) -> bytes:
        """The bytes of the model's file and its rules."""
        return srsly.msgpack_dumps({MODEL_FILE: self._model_bytes(), RULES_FILE: self.rules})

    def _model_bytes(self):
        if not isinstance(self.parser, SavedParser):
            raise WorkbenchError(f"the component {self.name!r} has no model to save; give it a parser's file")
        return file_bytes(self.parser)

    def from_bytes(self, data: bytes, exclude: Iterable[str] = ()) -> "ParserComponent":
        """Take model and rules from bytes that ``to_bytes`` returned."""
        files = srsly.msgpack_loads(data)
        if not (isinstance(files, dict) and {*files} == {MODEL_FILE, RULES_FILE}):
            raise WorkbenchError("these are not the bytes of a parser's component; save it again")
        self.parser = load_parser(io.BytesIO(files[MODEL_FILE]))
        self._keep(files[RULES_FILE])
        return self

    def to_disk(self, path: str | Path, exclude: Iterable[str] = ()) -> None:
        """Save into a folder, as ``nlp.to_disk`` asks for."""
        Path(path).mkdir(parents=True, exist_ok=True)
        (Path(path) / MODEL_FILE).write_bytes(self._model_bytes())
        if self.rules:
            (Path(path) / RULES_FILE).write_text(self.rules, encoding="utf-8")

    def from_disk(self, path: str | Path, exclude: Iterable[str] = ()) -> "ParserComponent":
        """Load from a folder that ``to_disk`` wrote; the rules are those of its file, whatever the configuration says.

        Raises ConstraintError for a line of ``rules.txt`` that cannot be read, and what ``load_parser`` does.
        """
        file = Path(path) / RULES_FILE
        self.parser = load_parser(Path(path) / MODEL_FILE)
        self._keep(file.read_text(encoding="utf-8") if file.is_file() else "")
        return self


DEFAULT = {"model": None, "rules": ""}


@Language.factory("ge_parser", assigns=["token.head", "token.dep"], default_config=DEFAULT)
def make_ge_parser(nlp: Language, name: str, model: str | Path | None, rules: str) -> ParserComponent:
    """The spaCy factory; ``model`` is the path of a saved parser, or None where ``from_disk`` follows."""
    return ParserComponent(nlp.vocab, name, load_parser(model) if model else None, rules)


@Language.factory("mst_parser", assigns=["token.head", "token.dep"], default_config=DEFAULT)
def make_mst_parser(nlp: Language, name: str, model: str | Path | None, rules: str) -> ParserComponent:
    """This component under a name that says which parser it holds."""
    return make_ge_parser(nlp, name, model, rules)
