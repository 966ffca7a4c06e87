"""Sentences split and merged, as ``word_edits`` has words: merging the parts of a split gives back what was there."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from core.annotation.marked_spans import MARKS, joined_marks, moved_marks
from core.annotation.sentence_block import (
    DEPS,
    EMPTY,
    FORM,
    HEAD,
    MISC,
    SentenceBlock,
    WholeSentence,
    is_connected,
    joined_misc,
    named,
    renumbered,
    with_copied_arcs,
)
from core.annotation.word_edits import EditedSentence, edited, without_head
from core.errors import WorkbenchError

DOCUMENT, PARAGRAPH = "newdoc", "newpar"  # comments on what begins with a sentence
PARAGRAPH_WITHIN = "NewPar=Yes"  # in MISC, where a paragraph begins within a sentence
KEPT = "comments_of"  # names the sentence, or the first of two, whose other comments are still there
JOINED = "parataxis"  # relation of a sentence's root to that of the sentence before it, once merged


def split_sentence(block: SentenceBlock, number: int, taken: Collection[str] = ()) -> EditedSentence:
    """Split a sentence before a word; in each part the first word that loses its head is the root of those that do.

    The parts are called by the sentence's id with ``-1`` and ``-2``, or the next numbers that are not ``taken``.
    Marks and paragraphs follow their words. Other comments stay with the first part, which says of which sentence they
    are.
    """
    if number < 2:
        raise WorkbenchError("a sentence is split before its second word or a later one; name that word")
    word, token = block.word(number), block.token_of(number)
    if token is not None and int(token.first) < number:
        raise WorkbenchError(
            f"word {number} stands within the multiword token {token.fields[FORM]}; dissolve it, or split elsewhere"
        )
    at, parts = block.nodes.index(word), []
    comments = _comments_of_parts(block, taken)
    for index, nodes in enumerate((block.nodes[:at], block.nodes[at:])):
        inside = {node.id for node in nodes}
        others = {node.id for node in block.words} - inside
        tokens = [token for token in block.tokens if token.first in inside]
        half = replace(block, comments=comments[index], tail=block.tail if index else 2 * block.line_end, whole=None)
        half, nodes = _with_paragraph(half, nodes) if index else (half, nodes)
        part = edited(half, without_head(nodes, others), tokens, was=block).blocks[0]
        parts.append(part.with_comment("text", part.surface()))
    whole = WholeSentence(block, tuple(parts))
    places = tuple((0, k) if k < number else (1, k - number + 1) for k in range(1, len(block.words) + 1))
    return EditedSentence(tuple(replace(part, whole=whole) for part in parts), places)


def merge_sentences(first: SentenceBlock, second: SentenceBlock) -> EditedSentence:
    """Merge two sentences into one, under the name of the first; the second's root hangs from the first's.

    Marks and paragraphs follow their words. Other comments are those of the first, which then says so. Raises
    WorkbenchError where the second begins another document.
    """
    places = tuple((0, k) for k in range(1, len(first.words) + len(second.words) + 1))
    if first.whole is not None and first.whole is second.whole and first.whole.parts == (first, second):
        return EditedSentence((first.whole.block,), places)
    require_same_document(second.comments)
    first, second = _both_with_graph(first, second)
    root = next((node.id for node in first.words if node.fields[HEAD] == "0"), "0")
    nodes = (*first.nodes, *(_behind(node, root) for node in _paragraph_within(second)))
    tokens = (*first.tokens, *(_ids_behind(token) for token in second.tokens))
    whole = replace(first, comments=_comments_of_merged(first, second), tail=second.tail, whole=None)
    both = is_connected(first.nodes) and is_connected(second.nodes)
    merged = renumbered(replace(whole, nodes=nodes, tokens=tokens), {}, both)[0]
    return EditedSentence((merged.with_comment("text", merged.surface()),), places)


def require_same_document(comments: Iterable[str]) -> None:
    """WorkbenchError where a sentence with these comments cannot be merged with the one before it."""
    if any(_begins(line) == DOCUMENT for line in comments):
        raise WorkbenchError("the next sentence begins another document; sentences are merged within one document")


def _comments_of_parts(block, taken):
    """The comments of the two parts of a sentence."""
    name = block.comment("sent_id")
    numbers = (number for number in range(1, len(taken) + 3) if f"{name}-{number}" not in taken)
    ids = [f"{name}-{next(numbers)}" for _ in range(2)]
    first, second, others = [], [], 0
    for line in block.comments:
        key, _ = named(line)
        if key == "sent_id":
            first.append(f"# sent_id = {ids[0]}")
            second.append(f"# sent_id = {ids[1]}")
            continue
        first.append(line)
        if key == "text":
            second.append("# text = ")
        elif key in MARKS:
            second.append(line)
        elif _is_other(line):
            others += 1
    mark = [f"# {KEPT} = {name}"] if others and name is not None and block.comment(KEPT) is None else []
    return (*first, *mark), tuple(second)


def _comments_of_merged(first, second):
    """The comments of two sentences that become one."""
    moved = {node.id: str(int(node.id) + len(first.words)) for node in second.words}
    comments, name = joined_marks(first.comments, moved_marks(second.comments, moved)), first.comment("sent_id")
    others = any(map(_is_other, (*first.comments, *second.comments)))
    return (*comments, f"# {KEPT} = {name}") if others and name and first.comment(KEPT) is None else comments


def _is_other(line):
    """Whether a comment is about a sentence as a whole."""
    return named(line)[0] not in ("sent_id", "text", *MARKS) and _begins(line) is None


def _begins(line: str) -> str | None:
    """What a comment says begins with its sentence: a DOCUMENT, a PARAGRAPH, or None."""
    word = line.removeprefix("\ufeff").removeprefix("#").split(maxsplit=1)
    return word[0] if word and word[0] in (DOCUMENT, PARAGRAPH) else None


def _with_paragraph(half, nodes):
    """(block, nodes) of a second part: a paragraph that begins with its first word begins with it."""
    entries = nodes[0].fields[MISC].split("|")
    if PARAGRAPH_WITHIN not in entries:
        return half, nodes
    first = nodes[0].having(misc=joined_misc(*(entry for entry in entries if entry != PARAGRAPH_WITHIN)))
    return replace(half, comments=(f"# {PARAGRAPH}", *half.comments)), (first, *nodes[1:])


def _both_with_graph(*blocks):
    """Two blocks; where one of them alone has an enhanced graph, the other gets the copy of its tree."""
    with_graph = [any(node.fields[DEPS] != EMPTY for node in block.nodes) for block in blocks]
    return [
        block if has or not any(with_graph) else replace(block, nodes=tuple(with_copied_arcs(block.nodes)))
        for block, has in zip(blocks, with_graph, strict=True)
    ]


def _paragraph_within(second):
    """The nodes of a second sentence: a paragraph that begins with it begins with its first word."""
    if not any(_begins(line) == PARAGRAPH for line in second.comments):
        return second.nodes
    begins = second.words[0]
    marked = begins.having(misc=joined_misc(begins.fields[MISC], PARAGRAPH_WITHIN))
    return tuple(marked if node is begins else node for node in second.nodes)


def _behind(node, root):
    """A node of a second sentence, with ids of its own; what was the root's hangs from ``root``, "0" for none."""
    head, deps = node.fields[HEAD], node.fields[DEPS]
    arcs = [arc.split(":", 1) for arc in deps.split("|") if arc != EMPTY]
    under = [f"{root}:{JOINED}" if at == "0" != root else f"{_id_behind(at)}:{relation}" for at, relation in arcs]
    moved = node.having(id=_id_behind(node.id), head=_id_behind(head), deps="|".join(under) or EMPTY)
    return moved.having(head=root, deprel=JOINED) if head == "0" != root else moved


def _id_behind(node_id):
    return node_id if node_id in ("0", EMPTY) else f"+{node_id}"


def _ids_behind(token):
    return replace(token, first=_id_behind(token.first), last=_id_behind(token.last))
