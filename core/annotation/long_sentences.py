"""Sentences too long for a parser, cut into parts: speech without stops, lists, badly cut text."""

import numpy as np

from core.annotation.sentence_block import FORM, UPOS, sentence_block
from core.annotation.sentence_edits import split_sentence
from core.errors import WorkbenchError
from core.languages.marks import STOPS
from core.treebank import Treebank, conllu_text, read_conllu

STRONG = STOPS | set(";:—–")  # before commas
JOINING = ("CCONJ", "SCONJ")


def cut_sentences(treebank: Treebank, longest: int) -> Treebank:
    """The text as CoNLL-U, its sentences of more than ``longest`` words cut into parts of at most so many.

    A part ends with the last stop, semicolon, colon or dash of its second half. Without any it ends with another mark;
    else before a conjunction, where words have UPOS tags. Else parts are about equal. Multiword tokens stay whole.
    The parts are called by the sentence's id with ``-1``, ``-2`` and so on; heads in other parts are lost, as when
    people split sentences. Raises WorkbenchError for a multiword token longer than that. O(bytes of text).
    """
    long = treebank.lengths > longest
    if not long.any():
        return treebank
    taken = {sentence.sent_id for sentence in treebank}
    edges = np.flatnonzero(np.diff(long)) + 1
    pieces = []
    for run in np.split(np.arange(len(treebank)), edges):
        if not long[run[0]]:
            pieces.append(conllu_text(treebank.select(run).to_conllu()))
            continue
        for index in run.tolist():
            block = sentence_block(conllu_text(treebank.select([index]).to_conllu()))
            pieces += [part.text() for part in _numbered(block.comment("sent_id"), _parts(block, longest), taken)]
    return read_conllu("".join(pieces).encode(), name=treebank.name)


def _parts(block, longest):
    starts, at = [], 0
    while len(block.words) - at > longest:
        at += _length(block, at, longest)
        starts.append(at)
    return _split(block, starts, 0)


def _split(block, starts, before):
    """The parts of a block that begin at ``starts``, of which ``before`` words are gone; halves take O(n log n)."""
    if not starts:
        return [block]
    half = len(starts) // 2
    first, second = split_sentence(block, starts[half] - before + 1).blocks
    return [*_split(first, starts[:half], before), *_split(second, starts[half + 1 :], starts[half])]


def _length(block, at, longest):
    """How many words the part has that begins after ``at`` words."""
    within = {
        number for token in block.tokens for number in range(int(token.first), int(token.last))
    }  # a part does not end after these
    words = block.words[at : at + longest + 1]
    ends = [length for length in range(longest, 0, -1) if at + length not in within]
    if not ends:
        raise WorkbenchError(f"a multiword token has more than {longest} words; allow longer sentences")
    later = [length for length in ends if 2 * length > longest]
    tests = (
        lambda length: _is_mark(words[length - 1]) and not STRONG.isdisjoint(words[length - 1].fields[FORM]),
        lambda length: _is_mark(words[length - 1]),
        lambda length: words[length].fields[UPOS] in JOINING,
    )
    rest = len(block.words) - at
    even = -(-rest // -(-rest // longest))
    found = next((length for test in tests for length in later if test(length)), None)
    return found or next((length for length in ends if length <= even), ends[-1])


def _is_mark(word):
    return not any(map(str.isalnum, word.fields[FORM]))


def _numbered(name, parts, taken):
    """The parts under the name of their sentence and numbers that are free."""
    free = (number for number in range(1, len(taken) + len(parts) + 1) if f"{name}-{number}" not in taken)
    return [part if name is None else part.with_comment("sent_id", f"{name}-{next(free)}") for part in parts]
