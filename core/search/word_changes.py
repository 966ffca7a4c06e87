"""Commands of a request that change the words themselves: what each would do to a hit, and all of them carried out.

Sentences are split and then merged once all words are as they are to be.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.annotation.sentence_block import SentenceBlock, sentence_block
from core.annotation.sentence_edits import merge_sentences, require_same_document, split_sentence
from core.annotation.word_edits import (
    EditedSentence,
    WordPart,
    correct_form,
    delete_word,
    insert_word,
    merge_words,
    split_word,
)
from core.errors import WorkbenchError
from core.search.request import BEGIN, JOIN, SENTENCE_CHANGES, WORD_KINDS, RewriteCommand
from core.treebank import Treebank, conllu_text, read_conllu

NEW = ("form", "lemma", "upos", "xpos")  # what can be said of a new word, besides features and an arc to it


@dataclass(frozen=True)
class WordChange:
    """One change of words, in a hit.

    ``kind`` is one of WORD_KINDS. ``row`` is the word's, the first one's of a merge, or that of the word or root before
    a new one. ``last`` is the row of a merge's last word, and ``head`` that of the new word's head. ``parts`` are those
    of a split, or the new word. ``old`` and ``new`` are the forms.
    """

    kind: str
    row: int
    old: str
    new: str
    last: int = -1
    parts: tuple[WordPart, ...] = ()
    head: int = -1
    field = "form"


def word_changes(
    treebank: Treebank, commands: Sequence[RewriteCommand], rows: Mapping[str, int]
) -> tuple[WordChange, ...]:
    """The WordChanges of commands in a hit, whose words have these ``rows``."""
    made = {command.word: command for command in commands if command.kind == "insert"}
    changes = []
    for command in commands:
        if command.kind not in WORD_KINDS or (command.word in made and command.kind != "insert"):
            continue
        row = rows[str(command.head if command.kind == "insert" else command.word)]
        old = treebank.form[row]
        if command.kind == "split":
            parts = tuple(map(WordPart, command.forms))
            changes.append(WordChange("split", row, old, " + ".join(command.forms), parts=parts))
        elif command.kind == "merge":
            first, last = sorted((row, rows[str(command.head)]))
            forms = [treebank.form[each] for each in range(first, last + 1)]
            changes.append(WordChange("merge", first, " + ".join(forms), "".join(forms), last=last))
        elif command.kind == "remove":
            changes.append(WordChange("remove", row, old, ""))
        elif command.kind == BEGIN:
            changes.append(WordChange(BEGIN, row, old, f"{old}, first of a sentence"))
        elif command.kind == JOIN:
            changes.append(WordChange(JOIN, row, old, f"{old}, and the next sentence after its own"))
        elif command.kind == "rewrite":
            changes.append(WordChange("rewrite", row, old, command.value))
        else:
            part, head = _new_word(made[command.word], commands, rows)
            before = row if command.key == ">" else row - 1
            changes.append(WordChange("insert", before, "", part.form, parts=(part,), head=head))
    return tuple(changes)


def cannot_merge(treebank: Treebank, sentence: int, commands: Sequence[RewriteCommand]) -> str | None:
    """Why a sentence cannot be merged with the next one, where the commands ask for that; else None."""
    if not any(command.kind == JOIN for command in commands):
        return None
    if sentence + 1 == len(treebank):
        return "this sentence is the last one; there is none to merge it with"
    try:
        require_same_document(treebank[sentence + 1].comments)
    except WorkbenchError as error:
        return str(error)
    return None


def _new_word(insert, commands, rows):
    """(WordPart of a new word, row of its head or -1) by the commands that speak of it."""
    part, head = WordPart(""), -1
    feats = []
    for command in commands:
        if command.word != insert.word or command is insert:
            continue
        if command.kind == "attach":
            part, head = replace(part, deprel=command.value), rows[command.head]
        elif command.kind == "rewrite":
            part = replace(part, form=command.value)
        elif command.key in NEW:
            part = replace(part, **{command.key: command.value})
        else:
            feats.append(f"{command.key}={command.value}")
    return replace(part, feats="|".join(sorted(feats, key=str.lower))), head


def with_changed_words(
    treebank: Treebank, hits: Iterable[tuple[int, int, Sequence[WordChange]]]
) -> tuple[Treebank, dict[int, str]]:
    """A treebank, as CoNLL-U, after changes of words, and why the changes of some hits were not made.

    Parameters
    ----------
    treebank : Treebank
    hits : iterable of (int, int, sequence of WordChange)
        The number of a hit, the index of its sentence and its changes.

    Returns
    -------
    (Treebank, dict of int to str)
        The reason of each hit that was left as it was.
    """
    bank = read_conllu(conllu_text(treebank.to_conllu()).encode(), name=treebank.name)
    texts = [bank.source.block(index) for index in range(len(bank))]
    blocks: dict[int, tuple[SentenceBlock, list[int]]] = {}  # and where each of the former words is now
    begins: dict[int, set[int]] = {}  # former numbers of the words that begin sentences
    joins: set[int] = set()
    refused: dict[int, str] = {}
    for hit, index, changes in hits:
        if index not in blocks:
            block = sentence_block(texts[index].decode())
            blocks[index] = block, list(range(len(block.words) + 1))
        start = int(treebank.offsets[index])
        try:
            blocks[index] = changed_block(*blocks[index], start, changes)
        except WorkbenchError as error:
            refused[hit] = str(error)
        else:
            begins.setdefault(index, set()).update(each.row - start for each in changes if each.kind == BEGIN)
            joins.update(index for each in changes if each.kind == JOIN)
    taken = {sentence.sent_id or "" for sentence in bank} if any(begins.values()) else set()
    parts = {
        index: _split(block, sorted(numbers[former] for former in begins.get(index, ())), taken)
        for index, (block, numbers) in blocks.items()
    }
    _put(texts, parts, joins)
    return read_conllu(b"".join(texts), name=treebank.name), refused


def _put(texts, parts, joins):
    """Put parts, lists of blocks by index, in place of the texts of sentences; ``joins`` are merged with the next."""
    for index in sorted(joins, reverse=True):  # so that what follows is merged already
        first, *others = parts.pop(index + 1, None) or [sentence_block(texts[index + 1].decode())]
        *before, last = parts[index]
        parts[index] = [*before, *merge_sentences(last, first).blocks, *others]
        texts[index + 1] = b""
    for index, several in parts.items():
        texts[index] = "".join(part.text() for part in several).encode()


def _split(block, numbers, taken):
    """The parts of a block that is split before some words, by numbers in it, ascending."""
    parts, done = [], 0
    for number in numbers:
        if number - done > 1:  # else it begins a part already, or was merged into one that does
            first, block = split_sentence(block, number - done, taken).blocks
            parts.append(first)
            done = number - 1
    return [*parts, block]


def changed_block(
    block: SentenceBlock, numbers: list[int], start: int, changes: Sequence[WordChange]
) -> tuple[SentenceBlock, list[int]]:
    """(a block after the changes of one hit, where each of the former words is then).

    ``numbers`` say where the root and each word were found before, 0 for a deleted word; ``start`` is the row of the
    root. Raises WorkbenchError for changes that cannot be made.
    """
    for change in changes:
        ends = (change.row, change.last if change.kind == "merge" else change.head)
        places = [numbers[row - start] if row >= 0 else None for row in ends]
        if any(row > start and not place for row, place in zip(ends, places, strict=True)):
            raise WorkbenchError("an earlier command or hit has deleted one of these words")
        if change.kind in SENTENCE_CHANGES:  # once all hits are carried out
            if change.kind == BEGIN:
                split_sentence(block, numbers[change.row - start])  # if it can be
            continue
        edited = _edit(block, change, *places)
        block, numbers = edited.blocks[0], [at and edited.places[at - 1][1] for at in numbers]
    return block, numbers


def _edit(block, change, at, other) -> EditedSentence:
    if change.kind == "split":
        return split_word(block, at, change.parts)
    if change.kind == "merge":
        return merge_words(block, at, other)
    if change.kind == "remove":
        return delete_word(block, at)
    if change.kind == "rewrite":
        return correct_form(block, at, change.new)
    return insert_word(block, at, change.parts[0], other)
