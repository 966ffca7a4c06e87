"""The tags that a text has, given to other text of its language: what a saved pipeline tags by.

They come from where those of the text came from: a reader, such as the English tagger, or the text's word list. Behind
both stand taggers that were trained on the tags of its file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import Self

import numpy as np

from core.errors import FormatError, LexiconError
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.protocols import ReadingParser
from core.parsers.readers import load_reader
from core.parsers.self_training import concatenate
from core.parsers.tagger.tagger import Tagger
from core.parsers.weights import file_bytes
from core.treebank import Treebank, conllu_text, read_conllu
from core.treebank.retag import interned, with_column
from core.treebank.tagging import Lexicon, apply_lexicon, correct_tags, parse_lexicon

COLUMNS = ("upos", "xpos")
SETTINGS, LIST, WORDS = "settings.json", "words.txt", "text.conllu"  # names of files


@dataclass(frozen=True, eq=False)
class TextTagging:
    """How to tag; words that have a tag keep it.

    Attributes
    ----------
    reader : str
        The name of a reader, whose tags are corrected by ``words``; "" for none.
    words : str or None
        The lines of a list, as ``parse_lexicon`` reads them; None for none.
    text : Treebank or None
        The text that the list is of, without trees. Other words' tags are learnt from list and text as in the text
        itself; with None they are not learnt.
    taggers : mapping of str to Tagger
        A tagger for each other column.
    """

    reader: str = ""
    words: str | None = None
    text: Treebank | None = None
    taggers: Mapping[str, Tagger] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that get tags."""
        if self.reader:
            return COLUMNS
        return tuple(name for name in COLUMNS if name in self.taggers or (name == "upos" and self.words is not None))

    def tag(self, treebank: Treebank) -> Treebank:
        """A treebank of CoNLL-U with a tag for every word in each of ``columns``.

        O(words), with those of ``text``. Raises WorkbenchError for a reader that cannot be loaded.
        """
        tagged = treebank
        if self.reader:
            tagged = correct_tags(self._reader.tag(treebank), self._lexicon)
        elif self.words is not None:
            tagged = self._by_list(treebank)
        for name, tagger in self.taggers.items():
            tagged = with_column(tagged, name, getattr(tagger.tag(tagged, column=name), name))
        for name in self.columns:
            tagged = _keeping(getattr(treebank, name), tagged, name)
        return tagged

    def _by_list(self, treebank):
        if self.text is None:
            return apply_lexicon(treebank, self._lexicon)
        both = concatenate(self.text, treebank)
        try:
            tagged = self._learner.tag(both, self._lexicon)
        except LexiconError:  # nothing can be learnt from these lines, in the text neither
            return apply_lexicon(treebank, self._lexicon)
        return tagged.select(np.arange(len(self.text), len(both)))

    @cached_property
    def _reader(self) -> ReadingParser:
        return load_reader(self.reader)

    @cached_property
    def _learner(self) -> DictionaryTagger:
        return DictionaryTagger.load()

    @cached_property
    def _lexicon(self) -> Lexicon:
        return parse_lexicon(self.words or "", LIST)

    def to_files(self) -> dict[str, bytes]:
        """Names and content of the files from which ``from_files`` makes it again."""
        files = {SETTINGS: json.dumps({"reader": self.reader, "taggers": list(self.taggers)}).encode()}
        if self.words is not None:
            files[LIST] = self.words.encode()
        if self.text is not None:
            files[WORDS] = conllu_text(self.text.to_conllu()).encode()
        return files | {f"{name}.npz": file_bytes(tagger, half=True) for name, tagger in self.taggers.items()}

    @classmethod
    def from_files(cls, files: Mapping[str, bytes]) -> Self:
        """The inverse of ``to_files``. Raises FormatError for files that are none of it, or damaged."""
        try:
            settings = json.loads(files[SETTINGS])
            reader, columns = settings["reader"], settings["taggers"]
            words = files[LIST].decode() if LIST in files else None
            if not isinstance(reader, str) or not set(columns) <= set(COLUMNS):
                raise TypeError("settings")
            models = {name: files[f"{name}.npz"] for name in columns}
        except (KeyError, TypeError, ValueError):
            raise FormatError(
                "the tagger of this pipeline cannot be read; save the pipeline again", path=SETTINGS
            ) from None
        text = read_conllu(files[WORDS], name=WORDS) if WORDS in files else None
        return cls(reader, words, text, {name: Tagger.load(BytesIO(data)) for name, data in models.items()})


def _keeping(given, tagged, name):
    """The treebank with the tags of a column that were given in place of its own."""
    column = getattr(tagged, name)
    if not given.filled:
        return tagged
    ids = np.where(given.ids > 0, given.ids.astype(np.int64) + len(column.values), column.ids)
    return with_column(tagged, name, interned(ids, [*column.values, *given.values]))
