"""A tagger for any language, from a short list of words with their tags and networks trained on other languages.

A word of the list gets its tag, or the one of its tags that fits its context. Networks predict the tags of other words
from those of words with the same affixes or contexts, and from those of neighbours. They are trained on words of many
languages (``core.parsers.dictionary.training``). Garrette & Baldridge (2013) learn from such lists, and Täckström et
al. (2013) from such tags of types and tokens; both without other languages' types as examples.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.errors import FormatError, LexiconError
from core.files.assets import ASSETS
from core.parsers.dictionary.evidence import COUNT, TagKnowledge, knowledge_of, word_inputs
from core.parsers.dictionary.network import TagNetwork, tag_shares
from core.parsers.dictionary.types import MOSTLY, SUFFIXES, WordTypes
from core.parsers.universal.network import packed, unpacked
from core.parsers.universal.text import TAGS
from core.parsers.weights import as_model, finite, load_arrays, prefixed, save_arrays, text_tuple
from core.treebank import Treebank
from core.treebank.retag import interned, with_column
from core.treebank.tag_sets import parts_of_speech
from core.treebank.tag_shares import with_tag_shares
from core.treebank.tagging import CAPITAL, OTHER, UNKNOWN, Lexicon, apply_lexicon, capital_rows

KIND = "dictionary"
FILE = ASSETS / "universal" / "tagger.npz"


@dataclass(frozen=True, eq=False)
class TypedTags:
    """Types of a text, and probabilities of tags of its words.

    Attributes
    ----------
    types : WordTypes
    knowledge : TagKnowledge
        With what was learnt of each type.
    words : ndarray of shape (M,), dtype int64
        Words, by their numbers in ``types``, whose tags were not given.
    shares : ndarray of shape (M, 17), dtype float32
        The probability of each of TAGS.
    """

    types: WordTypes
    knowledge: TagKnowledge
    words: np.ndarray
    shares: np.ndarray


class DictionaryTagger:
    """Tags a text by a dictionary.

    Parameters
    ----------
    rounds : sequence of sequences of TagNetwork
        Each round reads what the one before has learnt; the mean of its networks counts.
    temperature : float
        What the last round's scores are divided by, so that tags are as probable as they are often right.

    Examples
    --------
    >>> tagged = DictionaryTagger.load().tag(text, parse_lexicon("the DET\\nof ADP\\n…"))
    """

    def __init__(self, rounds: Sequence[Sequence[TagNetwork]], temperature: float = 1.0):
        self.rounds = [tuple(networks) for networks in rounds]
        self.temperature = temperature

    def read(self, treebank: Treebank, lexicon: Lexicon, column: str = "upos") -> TypedTags:
        """Probabilities of the parts of speech of each word whose tag is not given.

        Parameters
        ----------
        treebank : Treebank
            A word that has a tag in ``column`` keeps it, and other words of its type learn from it.
        lexicon : Lexicon
            Its tags stand for universal parts of speech, of whatever tag set. Its ``@other`` is passed over.
        column : str
            "upos" or "xpos".

        Returns
        -------
        TypedTags

        Raises
        ------
        LexiconError : a tag of no known tag set; nothing known of any word; no word of the lexicon in the text.

        Notes
        -----
        O(words + types); 500 sentences take some tenths of a second.
        """
        types, tags = WordTypes.of(treebank), getattr(treebank, column)
        listed = known_types(types, treebank, lexicon, column)
        if not listed:
            raise LexiconError(_nothing_known(lexicon))
        knowledge = knowledge_of(types, listed)
        untagged = (tags.ids[types.rows] == 0) & ~capital_rows(treebank, lexicon)[types.rows]
        words = np.flatnonzero(untagged & ~knowledge.settled[types.numbers])
        allowed = knowledge.allowed[types.numbers[words]]
        if column == "xpos":  # parts of speech that no tag of the list stands for cannot be written
            allowed = allowed & knowledge.shares.any(axis=0)
        shares = np.zeros((0, COUNT), np.float32)
        for number, networks in enumerate(self.rounds if len(words) else ()):
            temperature = self.temperature if number == len(self.rounds) - 1 else 1.0
            shares = tag_shares(networks, word_inputs(types, knowledge, words), allowed, temperature)
            knowledge = knowledge.after(types, words, shares)
        return TypedTags(types, knowledge, words, shares)

    def tag(self, treebank: Treebank, lexicon: Lexicon, column: str = "upos") -> Treebank:
        """The treebank, in CoNLL-U, with a tag for every word that had none, in ``column``.

        In UPOS they are universal parts of speech, whatever the lexicon's tags are. In XPOS they are tags of the
        lexicon: of those that stand for the word's part of speech, the one that its longest ending has there. With a
        line ``@other TAG`` no tag is learnt. MISC says how probable the parts of speech of a word are whose tag is
        learnt (``core.treebank.tag_shares``), which universal parsers read.

        Raises as ``read``, and as ``apply_lexicon``.
        """
        if column == "upos":
            lexicon = universal_lexicon(lexicon)
        tagged = apply_lexicon(treebank.to_conllu(), lexicon, column)
        if lexicon.shapes[OTHER] != UNKNOWN:
            return tagged
        chances = self.read(treebank, lexicon, column)
        best, numbers = chances.shares.argmax(axis=1), chances.types.numbers[chances.words]
        names = None if column == "upos" else _TagNames(lexicon, treebank)
        spelt = [TAGS[tag] if names is None else names.name(chances.types.spellings[number], tag)
                 for number, tag in zip(numbers.tolist(), best.tolist(), strict=True)]  # fmt: skip
        old = getattr(tagged, column)
        ids = old.ids.astype(np.int64)
        ids[chances.types.rows[chances.words]] = np.arange(len(spelt)) + len(old.values)
        tagged = with_column(tagged, column, interned(ids, [*old.values, *spelt]))
        return with_tag_shares(tagged, chances.types.rows[chances.words], chances.shares, TAGS)

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write the tagger to an ``.npz`` file, its numbers in a byte each. No pickle."""
        arrays = {f"{number} {member} {name}": values
                  for number, networks in enumerate(self.rounds) for member, network in enumerate(networks)
                  for name, values in packed(network.weights).items()}  # fmt: skip
        sizes = [len(networks) for networks in self.rounds]
        save_arrays(
            path, KIND, {"tags": TAGS, "rounds": sizes, "temperature": self.temperature}, compressed=True, **arrays
        )

    @classmethod
    def load(cls, path: str | Path | BinaryIO = FILE) -> "DictionaryTagger":
        """Read what ``save`` wrote; by default the tagger that comes with the workbench. Raises FormatError."""
        settings, arrays = load_arrays(path, KIND)
        with as_model(path):
            if text_tuple(settings.get("tags", ())) != TAGS:
                raise FormatError("this tagger was trained with other tags; train it again")
            rounds = []
            for number, size in enumerate(settings["rounds"]):
                stored = [prefixed(arrays, f"{number} {member} ") for member in range(size)]
                rounds.append([TagNetwork(unpacked(weights)) for weights in stored])
            if not rounds or not all(rounds):
                raise FormatError("a tagger needs a network in each round; train it again")
            return cls(rounds, finite(settings["temperature"]))


class _TagNames:
    """Tags of a lexicon, and of the XPOS column of a text, by part of speech."""

    def __init__(self, lexicon, treebank):
        self.lexicon = lexicon
        self.by_ending = {}  # (part, ending) -> Counter of tags
        listed = [(form, tag) for table in (lexicon.entries, lexicon.suffixes) for form, tags in table.items()
                  for tag in tags]  # fmt: skip
        shapes = [("", tag) for shape, tag in lexicon.shapes.items() if tag and shape != OTHER]
        both = np.unique(np.stack([treebank.form.ids, treebank.xpos.ids]), axis=1).T.tolist()
        in_text = [(treebank.form.values[form], treebank.xpos.values[tag]) for form, tag in both if tag]
        for form, tag in (*listed, *in_text, *shapes):
            endings = {form.lower()[-length:] if length else "" for length in (0, *SUFFIXES)}
            for key in ((part, ending) for part in _parts(form, tag) for ending in endings):
                self.by_ending.setdefault(key, Counter())[tag] += 1

    def name(self, form, part):
        """The tag of a word that is this part of speech."""
        tags = [tag for tag in self.lexicon.tags(form) if part in _parts(form, tag)]
        if tags:
            return tags[0]
        endings = [form.lower()[-length:] for length in SUFFIXES[::-1]] + [""]
        return next(
            self.by_ending[part, ending].most_common(1)[0][0] for ending in endings if (part, ending) in self.by_ending
        )


def universal_lexicon(lexicon: Lexicon) -> Lexicon:
    """A lexicon whose tags are universal parts of speech, all that its tags stand for.

    Raises LexiconError for a tag of no known tag set.
    """

    def translated(form, tags):
        return tuple(dict.fromkeys(TAGS[part] for tag in tags for part in _parts(form, tag)))

    entries, suffixes = (
        {form: translated(form, tags) for form, tags in table.items()} for table in (lexicon.entries, lexicon.suffixes)
    )
    shapes = {shape: translated(shape, (tag,))[0] if tag else "" for shape, tag in lexicon.shapes.items()}
    return Lexicon(entries, suffixes, shapes)


def _parts(form, tag):
    """Indices in TAGS of the parts of speech that a tag stands for."""
    parts = parts_of_speech(tag)
    if not parts:
        raise LexiconError(
            f"the list gives “{form}” the tag {tag}, which is of no tag set that is known here; use universal parts of "
            f"speech: {', '.join(TAGS)}"
        )
    return [TAGS.index(part) for part in parts]


def known_types(types: WordTypes, treebank: Treebank, lexicon: Lexicon, column: str) -> dict[int, list[int]]:
    """Types with letters -> the tags, places in TAGS, that the lexicon gives them, else those of their words in a file.

    Raises LexiconError for a tag of no known tag set.
    """
    return _of_file(types, getattr(treebank, column)) | _of_lexicon(types, lexicon)


def _of_lexicon(types, lexicon):
    inner = (types.inner_capitals > MOSTLY).tolist()
    listed = {number: lexicon.tags(types.spellings[number], inner[number])
             for number in np.flatnonzero(types.lettered).tolist()}  # fmt: skip
    return {
        number: list(dict.fromkeys(part for tag in tags for part in _parts(types.spellings[number], tag)))
        for number, tags in listed.items() if tags
    }  # fmt: skip


def _of_file(types, column):
    tallies: dict[int, Counter] = {}
    for word in np.flatnonzero(column.ids[types.rows] > 0).tolist():
        number = int(types.numbers[word])
        if types.lettered[number]:
            tallies.setdefault(number, Counter())[column.values[column.ids[types.rows[word]]]] += 1
    return {
        number: list(dict.fromkeys(part for tag, _ in tally.most_common() for part in _parts(types.forms[number], tag)))
        for number, tally in tallies.items()
    }


def _nothing_known(lexicon):
    if not lexicon.entries and not lexicon.suffixes and not lexicon.shapes[CAPITAL]:
        return "no word of the text has a tag, and there is no list: write a word and its tag on each line of a list"
    return (
        f"none of the {len(lexicon.entries) + len(lexicon.suffixes):,} lines of the list is about a word of the text; "
        "is it of another language?"
    )
