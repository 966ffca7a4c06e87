"""Contractions of a text that is cut into words already become multiword tokens of their parts."""

from core.annotation.sentence_block import NO_SPACE, sentence_block
from core.annotation.word_edits import merge_words, split_word
from core.languages import UNKNOWN
from core.languages.contractions import Contraction, Tables, table_of
from core.languages.names import LANGUAGE
from core.treebank import Sentence, Treebank, conllu_text, read_conllu


def cut_contractions(treebank: Treebank, tables: Tables) -> Treebank:
    """A Treebank without trees whose contractions are multiword tokens, by the language that each sentence names.

    Comments that name words, such as those of brackets, follow. ``tables`` are as ``read_text`` takes them.
    Raises FormatError for a table that cannot be read. O(characters), and O(words) for each contraction of a sentence.
    """
    found = {}
    for sentence in treebank:
        table = table_of(sentence.comment(LANGUAGE) or UNKNOWN, tables)
        contractions = table.find(sentence.forms[1:], _spaces(sentence)) if table else []
        if contractions:
            found[sentence.index] = contractions
    if not found:
        return treebank
    blocks = conllu_text(treebank).removesuffix("\n\n").split("\n\n")
    changed = (_cut(block, found[index]) if index in found else block for index, block in enumerate(blocks))
    return read_conllu("".join(f"{block}\n\n" for block in changed).encode(), name=treebank.name)


def _spaces(sentence: Sentence) -> list[bool]:
    """Whether a space follows each word."""
    return [NO_SPACE not in misc.split("|") for misc in sentence.misc[1:]]


def _cut(text: str, contractions: list[Contraction]) -> str:
    """The lines of a sentence with its contractions cut, the last first, so that the others keep their numbers."""
    block = sentence_block(text)
    for first, last, _, parts in reversed(contractions):
        if last > first:
            block = merge_words(block, first + 1, last + 1).blocks[0]
        block = split_word(block, first + 1, parts, is_token=True).blocks[0]
    return block.text()
