"""CoNLL-U text for sentences given as lists."""

from collections.abc import Iterable

from core.errors import FormatError

COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels", "deps", "misc")
OTHERS = ("comments", "sent_id")


def compose(sentences: Iterable[dict]) -> bytes:
    """UTF-8 bytes for dicts as ``Treebank.from_sentences`` takes them. Raises FormatError."""
    blocks = [_block(sentence, number) for number, sentence in enumerate(sentences, start=1)]
    try:
        return "".join(blocks).encode()
    except UnicodeEncodeError as error:
        raise FormatError(
            f"{error.object[error.start]!r} is half a character; decode the text again with the right encoding"
        ) from None


def _block(sentence, number):
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
    for word, fields in enumerate(zip(*columns, strict=True), start=1):
        line = "\t".join([str(word), *(str(field) if field else "_" for field in fields)])
        if line.count("\t") != len(COLUMNS) or any(mark in line for mark in "\n\r\0") or not fields[0]:
            raise FormatError("a field holds a tab or line end, or the form is empty", sentence=number, word=word)
        lines.append(line)
    return "\n".join(lines) + "\n\n"


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
