"""Treebanks of several languages to learn from, read from a folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import WorkbenchError
from core.offsets import all_of_each
from core.parsers.universal.examples import LONGEST
from core.parsers.universal.questions import answers_of_trees
from core.parsers.universal.source_languages import SourceLanguages, tag_trigrams
from core.parsers.universal.text import TAGS, TaggedWords
from core.treebank import Treebank, read_treebank
from core.treebank.relations import base

ROOT = "root"
LEAST = 20  # sentences of a treebank
SHOWN = 3  # broken files in a message


@dataclass(frozen=True, eq=False)
class Sources:
    """Treebanks to learn from.

    Attributes
    ----------
    texts : dict of str to TaggedWords
        By the names of their files without an extension.
    relations : tuple of str
        Of all of them, without subtypes.
    skipped : dict of str to str
        Files that are left out, and why.
    """

    texts: Mapping[str, TaggedWords]
    relations: tuple[str, ...]
    skipped: Mapping[str, str]


def read_sources(
    folder: str | Path, read: Callable[[Treebank, Sequence[str]], TaggedWords] = TaggedWords.of
) -> Sources:
    """The ``.conllu`` files of a folder, a language each, as ``read`` has their usable sentences.

    Raises WorkbenchError where there is none that can be read. Other files are in ``skipped``.
    """
    short = f"sentences of at most {LONGEST} words have whole trees"
    treebanks, skipped = read_languages(folder, usable_sentences, short)
    names = {base(name) for bank in treebanks.values() for name in bank.deprel.values} - {""}
    relations = (ROOT, *sorted(names - {ROOT}))
    return Sources({name: read(bank, relations) for name, bank in treebanks.items()}, relations, skipped)


def read_languages(
    folder: str | Path, usable: Callable[[Treebank], Treebank], short: str
) -> tuple[dict[str, Treebank], dict[str, str]]:
    """({name of a file without its extension: what is ``usable`` of it}, {file that is left out: why}).

    ``short`` says what the sentences of a file are, of which there are too few. Raises as ``read_sources``.
    """
    files = sorted(Path(folder).glob("*.conllu"))
    if not files:
        raise WorkbenchError(f"{folder} has no .conllu files; give a folder of treebanks, a language each")
    treebanks, skipped = {}, {}
    for file in files:
        try:
            sentences = usable(read_treebank(file))
        except WorkbenchError as error:
            skipped[file.name] = str(error)
            continue
        if len(sentences) < LEAST:
            skipped[file.name] = f"{len(sentences)} {short}; {LEAST} are needed"
        else:
            treebanks[file.stem] = sentences
    if not treebanks:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in list(skipped.items())[:SHOWN])
        raise WorkbenchError(f"{folder} has no treebank to learn from: {reasons}")
    return treebanks, skipped


def source_languages(sources: Sources) -> SourceLanguages:
    """The SourceLanguages of a parser. O(rows)."""
    texts = sources.texts.values()
    answers = np.array([answers_of_trees(words, sources.relations) for words in texts])
    return SourceLanguages(tuple(sources.texts), np.array([tag_trigrams(words) for words in texts], np.uint32), answers)


def usable_sentences(treebank: Treebank) -> Treebank:
    """The sentences that can be learnt from, without punctuation: of at most LONGEST words, each with a head and a
    relation, one of them the root."""
    words = treebank.without_punctuation()
    whole = all_of_each(~words.is_word | ((words.heads >= 0) & (words.deprel.ids > 0)), words.offsets)
    return words.select(np.flatnonzero(whole & (words.lengths <= LONGEST) & words.single_rooted()))


def tagged_sentences(treebank: Treebank) -> Treebank:
    """The sentences all of whose words have a universal part of speech, punctuation and all."""
    known = treebank.upos.mask(TAGS.__contains__)
    return treebank.select(np.flatnonzero(all_of_each(known | ~treebank.is_word, treebank.offsets)))
