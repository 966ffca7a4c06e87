"""CoNLL-U text for sentences given as lists."""

from collections.abc import Iterable
from pathlib import PurePath

from core.errors import FormatError
from core.treebank.sentence import Sentence

COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels", "deps", "misc")
OTHERS = ("comments", "sent_id", "tokens")


def compose(sentences: Iterable[dict | Sentence]) -> bytes:
    """UTF-8 bytes for sentences as ``Treebank.from_sentences`` takes them. Raises FormatError."""
    blocks = [_block(sentence, number) for number, sentence in enumerate(sentences, start=1)]
    try:
        return "".join(blocks).encode()
    except UnicodeEncodeError as error:
        raise FormatError(
            f"{error.object[error.start]!r} is half a character; decode the text again with the right encoding"
        ) from None


def numbered_id(name: str, number: int) -> str:
    """A ``sent_id`` for a sentence that has none: its file's name, blanks as hyphens, and its number."""
    return "-".join([*PurePath(name).stem.split(), str(number)])


def _block(sentence, number):
    if isinstance(sentence, Sentence):
        if sentence.layout.is_conllu:
            return "\n".join([*sentence.lines, "", ""])
        sentence = sentence.as_dict()
    unknown = set(sentence) - {*COLUMNS, *OTHERS}
    if unknown:
        raise FormatError(f"unknown entry {min(unknown)!r}; use {', '.join((*COLUMNS, *OTHERS))}", sentence=number)
    forms = sentence.get("forms")
    if not forms:
        raise FormatError("a sentence needs forms, a list of its words", sentence=number)
    columns = []
    for name in COLUMNS:
        values = sentence.get(name)
        values = [None] * len(forms) if values is None else list(values)
        if len(values) != len(forms):
            raise FormatError(
                f"{name} has {len(values)} entries for {len(forms)} words; give one a word", sentence=number
            )
        columns.append([_head(value) for value in values] if name == "heads" else values)
    lines = _comments(sentence, number)
    tokens = _tokens(sentence.get("tokens") or (), len(forms), number)
    for word, fields in enumerate(zip(*columns, strict=True), start=1):
        line = "\t".join([str(word), *(str(field) if field else "_" for field in fields)])
        _check_line(line, fields[0], number, word)
        lines += [tokens[word], line] if word in tokens else [line]
    return "\n".join(lines) + "\n\n"


def _check_line(line, form, number, word):
    if line.count("\t") != len(COLUMNS) or any(mark in line for mark in "\n\r\0") or not form:
        raise FormatError("a field holds a tab or line end, or the form is empty", sentence=number, word=word)


def _tokens(tokens, count, number):
    """Number of the first word -> line of each multiword token of a sentence of ``count`` words."""
    lines, until = {}, 0
    for first, last, form, misc in tokens:
        if not until < first < last <= count:
            message = f"a multiword token cannot have the words {first} to {last}; give two or more that no other has"
            raise FormatError(message, sentence=number, word=first)
        lines[first] = "\t".join([f"{first}-{last}", form, *["_"] * (len(COLUMNS) - 2), misc or "_"])
        _check_line(lines[first], form, number, first)
        until = last
    return lines


def _head(head):
    return None if head is None or head < 0 else str(int(head))


def _comments(sentence, number):
    comments = [f"# sent_id = {sentence['sent_id']}"] if sentence.get("sent_id") else []
    for comment in sentence.get("comments") or ():
        comments.append(comment if comment.startswith("#") else f"# {comment}")
    for comment in comments:
        if any(mark in comment for mark in "\n\r\0"):
            raise FormatError(f"the comment {comment!r} holds a line end; write one a line", sentence=number)
    return comments
