"""Edits of a sentence's words: split and merged, in multiword tokens or not, inserted, deleted, corrected.

Every edit keeps the sentence valid CoNLL-U: a tree with one root if it had one, ids in order, and ``# text`` as the
words are written. Enhanced arcs lead between nodes that are there. What an edit does not touch stays to the byte.
Merging exactly the parts that a split made gives back the word that was there.

Words are numbered from 1. All raise WorkbenchError for an edit that cannot be made, and take O(fields).
"""

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.annotation.edits import ROOT, checked_value
from core.annotation.marked_spans import moved_marks
from core.annotation.sentence_block import (
    DEPS,
    EMPTY,
    FORM,
    GONE,
    HEAD,
    LOOSE,
    MISC,
    NO_SPACE,
    UPOS,
    MultiwordToken,
    Node,
    Origin,
    SentenceBlock,
    arcs_of,
    arcs_text,
    has_no_space,
    is_connected,
    joined_misc,
    renumbered,
    with_copied_arcs,
    without_spacing,
)
from core.errors import WorkbenchError

UNKNOWN_TAG = "X"  # of a new word where the others have tags
COLUMNS = ("lemma", "upos", "xpos", "feats")
SPACED = {"Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Me"}  # categories of characters that nobody sees by themselves


@dataclass(frozen=True)
class WordPart:
    """One part of a word that is split; fields that are empty are unknown.

    It hangs from the first part, or with ``beside`` from that part's head.
    """

    form: str
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    feats: str = ""
    deprel: str = ""
    beside: bool = False


@dataclass(frozen=True)
class EditedSentence:
    """The sentences that stand for the edited ones, and where their words are now.

    ``places`` has (index of a block, number there) for each former word, sentence after sentence. The number is 0
    where the word was deleted.
    """

    blocks: tuple[SentenceBlock, ...]
    places: tuple[tuple[int, int], ...]


def split_word(
    block: SentenceBlock, number: int, parts: Sequence[WordPart | str], is_token: bool | None = None
) -> EditedSentence:
    """Split a word into two parts or more.

    With ``is_token`` the word becomes a multiword token of the parts; by default where the parts, joined, are not its
    form. Within a multiword token, that token grows. The first part keeps the word's fields, head and dependents.
    """
    word, token = block.word(number), block.token_of(number)
    parts = [_part(part) for part in parts]
    forms = tuple(part.form for part in parts)
    if len(parts) < 2:
        raise WorkbenchError("a word is split into two parts or more; give one form for each")
    is_same = "".join(forms) == word.fields[FORM]
    if is_token is False and token is None and not is_same:
        raise WorkbenchError(
            f"{' + '.join(forms)} is not {word.fields[FORM]}; make it a multiword token, or correct its form first"
        )
    becomes_token = token is None and (not is_same if is_token is None else is_token)
    own, spacing = without_spacing(word.fields[MISC])
    within = NO_SPACE if token is None and not becomes_token else EMPTY
    first = replace(word.having(form=forms[0], misc=joined_misc(own, within)), origin=Origin(word, forms))
    nodes = [_filled(first, parts[0])]
    nodes += [_other_part(word, part, k, within) for k, part in enumerate(parts[1:], start=1)]
    tokens = [_ending(each, word.id, nodes[-1].id) for each in block.tokens]
    if becomes_token:
        tokens.append(_new_token(word.id, nodes[-1].id, word.fields[FORM], spacing))
    elif token is None:
        nodes[-1] = nodes[-1].having(misc=spacing)
    return edited(block, _in_place_of(block, word, nodes), tokens)


def merge_words(block: SentenceBlock, first: int, last: int, form: str | None = None) -> EditedSentence:
    """Merge the words from ``first`` to ``last``; ``form`` is by default what is written there, without spaces.

    The head is the one outside, with the tags of the word that has it; dependents follow. A multiword token of just
    these words goes, and one with others shrinks.
    """
    words = _words(block, first, last)
    ids = [word.id for word in words]
    same = dict.fromkeys(ids[1:], ids[0])
    tokens, whole = _tokens_around(block, first, last)
    outside = _with_head_outside(block, ids)
    origin = words[0].origin
    spacing = _spacing(words[-1] if whole is None else whole)
    if form is None and origin is not None and tuple(word.fields[FORM] for word in words) == origin.forms:
        is_spaced = whole is not None or block.token_of(first) is None
        merged = _restored(origin.node, spacing) if is_spaced else origin.node
        merged = merged.having(id=ids[0], head=outside.fields[HEAD], deps=outside.fields[DEPS])
    else:
        written = "".join(_surface(block, first, last)) if whole is None else whole.fields[FORM]
        merged = _merged(words, outside, written if form is None else checked_form(form), spacing)
    nodes = [merged if node.id == ids[0] else node for node in block.nodes if node.id not in same]
    return edited(block, nodes, tokens, same)


def _restored(node, spacing):
    """A node as it was before it was split, but for the space that follows by now."""
    if spacing == _spacing(node):
        return node
    return node.having(misc=joined_misc(without_spacing(node.fields[MISC])[0], spacing))


def _merged(words, outside, form, spacing):
    """The node of merged words, with the tags of the one whose head is ``outside``."""
    ids = [word.id for word in words]
    own = joined_misc(*(without_spacing(word.fields[MISC])[0] for word in words))
    arcs = {arc for word in words for arc in arcs_of(word) if arc[0] not in ids}
    return Node(outside.fields).having(
        id=ids[0],
        form=form,
        misc=joined_misc(own, spacing),
        deps=arcs_text(arcs) or (GONE if _has_arcs(words) else EMPTY),
    )


def _has_arcs(words):
    return any(word.fields[DEPS] != EMPTY for word in words)


def make_token(block: SentenceBlock, first: int, last: int, form: str | None = None) -> EditedSentence:
    """Make a multiword token of the words from ``first`` to ``last``, written ``form``: by default as they are."""
    words = _words(block, first, last)
    if any(block.token_of(number) for number in range(first, last + 1)):
        raise WorkbenchError("some of these words are in a multiword token already; dissolve it first")
    written = "".join(word.fields[FORM] for word in words) if form is None else checked_form(form)
    token = _new_token(words[0].id, words[-1].id, written, _spacing(words[-1]))
    token = replace(token, spacing=tuple(word.fields[MISC] for word in words))
    nodes = [node.having(misc=without_spacing(node.fields[MISC])[0]) if node in words else node for node in block.nodes]
    return edited(block, nodes, [*block.tokens, token])


def dissolve_token(block: SentenceBlock, number: int) -> EditedSentence:
    """Dissolve the multiword token that holds a word; its words then stand by themselves.

    They are spaced as before they became a token, else without spaces where they are written as the token was, else
    with spaces.
    """
    token = _token(block, number)
    words = _words(block, int(token.first), int(token.last))
    if len(token.spacing) == len(words):
        misc = list(token.spacing)
    else:
        is_same = "".join(word.fields[FORM] for word in words) == token.fields[FORM]
        spacing = [*(NO_SPACE if is_same else EMPTY for _ in words[1:]), _spacing(token)]
        misc = [joined_misc(word.fields[MISC], space) for word, space in zip(words, spacing, strict=True)]
    spaced = {word.id: word.having(misc=field) for word, field in zip(words, misc, strict=True)}
    nodes = [spaced.get(node.id, node) for node in block.nodes]
    return edited(block, nodes, [other for other in block.tokens if other is not token])


def correct_form(block: SentenceBlock, number: int, form: str, of_token: bool = False) -> EditedSentence:
    """Write a word, or the multiword token that holds it, with another ``form``."""
    form = checked_form(form)
    if of_token:
        token = _token(block, number)
        return edited(block, block.nodes, _instead(block, token, (token.fields[0], form, *token.fields[2:])))
    word = block.word(number)
    return edited(block, _in_place_of(block, word, [replace(word.having(form=form), origin=None)]), block.tokens)


def correct_lemma(block: SentenceBlock, number: int, lemma: str) -> EditedSentence:
    """Give a word another lemma; "" is unknown."""
    word = block.word(number)
    corrected = word.having(lemma=checked_value("lemmas", lemma) or EMPTY)
    return edited(block, _in_place_of(block, word, [corrected]), block.tokens)


def set_space(block: SentenceBlock, number: int, space: bool) -> EditedSentence:
    """Say whether a space follows a word, or the multiword token that it ends."""
    word, token = block.word(number), block.token_of(number)
    if token is not None and int(token.last) != number:
        raise WorkbenchError(
            f"word {number} stands within the multiword token {token.fields[FORM]}; set the space after its last word"
        )
    fields = word.fields if token is None else token.fields
    if has_no_space(fields[MISC]) != space:
        return edited(block, block.nodes, block.tokens)
    misc = joined_misc(without_spacing(fields[MISC])[0], EMPTY if space else NO_SPACE)
    if token is not None:
        return edited(block, block.nodes, _instead(block, token, (*fields[:MISC], misc)))
    return edited(block, _in_place_of(block, word, [word.having(misc=misc)]), block.tokens)


def insert_word(block: SentenceBlock, after: int, part: WordPart | str, head: int | None = None) -> EditedSentence:
    """Insert a word after the one numbered ``after``, or first for 0; it hangs from ``head``, by default the root word.

    Within a multiword token, that token grows.
    """
    part, at = _part(part), _after(block, after)
    root = _root(block) if head is None else block.word(head)
    arc = {} if root is None else {"head": root.id, "deprel": part.deprel or LOOSE}
    if root is not None and any(node.fields[DEPS] != EMPTY for node in block.nodes):
        arc["deps"] = f"{root.id}:{arc['deprel']}"
    new = _filled(Node(_blank("new", part.form)).having(**arc), part)
    return edited(block, [*block.nodes[:at], _tagged(new, block), *block.nodes[at:]], block.tokens)


def delete_word(block: SentenceBlock, number: int) -> EditedSentence:
    """Delete a word; its dependents get its head, and where it was the root, the first of them becomes the root."""
    word, token = block.word(number), block.token_of(number)
    if len(block.words) == 1:
        raise WorkbenchError("this sentence would have no words; delete the sentence from the file instead")
    nodes = without_head([node for node in block.nodes if node is not word], {word.id}, word.fields[HEAD])
    tokens = [each for each in block.tokens if each is not token]
    if token is not None:
        rest = [each.id for each in _words(block, int(token.first), int(token.last)) if each is not word]
        if len(rest) > 1:
            tokens.append(replace(token, first=rest[0], last=rest[-1]))
        else:
            spacing = without_spacing(token.fields[MISC])[1]
            nodes = [
                node.having(misc=joined_misc(node.fields[MISC], spacing)) if node.id == rest[0] else node
                for node in nodes
            ]
    return edited(block, nodes, tokens)


def insert_empty_node(block: SentenceBlock, after: int, part: WordPart | str) -> EditedSentence:
    """Insert an empty node after a word, or before the first for 0, and after those that are there.

    It hangs from the root word in the enhanced graph, until somebody says otherwise. A sentence without a graph gets
    one, the copy of its tree.
    """
    part, at, root = _part(part), _after(block, after), _root(block)
    new = _filled(Node(_blank(f"{after}.new", part.form)), part)
    nodes = list(block.nodes)
    if root is not None:
        new = new.having(deps=f"{root.id}:{part.deprel or LOOSE}")
        if not any(node.fields[DEPS] != EMPTY for node in nodes):
            nodes = with_copied_arcs(nodes)
    return edited(block, [*nodes[:at], new, *nodes[at:]], block.tokens)


def delete_empty_node(block: SentenceBlock, node_id: str) -> EditedSentence:
    """Delete an empty node, such as ``3.1``, and its arcs; a word that hung from it alone gets its basic arc."""
    node = next((node for node in block.nodes if node.id == node_id and not node.is_word), None)
    if node is None:
        raise WorkbenchError(f"there is no empty node {node_id!r} in this sentence; name one such as 3.1")
    return edited(block, [other for other in block.nodes if other is not node], block.tokens)


def checked_form(form: str) -> str:
    """A form as files have it. Raises WorkbenchError for one that nobody can see, or no file can hold."""
    form = checked_value("forms", form) or (form.strip() if form.strip() == EMPTY else "")
    if all(unicodedata.category(character) in SPACED for character in form):
        raise WorkbenchError("a word needs a form that can be seen; write its letters")
    return form


def edited(
    block: SentenceBlock, nodes: Iterable[Node], tokens: Iterable[MultiwordToken],
    same: Mapping[str, str] | None = None, was: SentenceBlock | None = None,
) -> EditedSentence:  # fmt: skip
    """The EditedSentence of a block with other nodes and tokens; its ``# text`` follows where it was as written."""
    was = block if was is None else was
    edited, ids = renumbered(
        replace(block, nodes=tuple(nodes), tokens=tuple(tokens), whole=None), same or {}, is_connected(was.nodes)
    )
    edited = replace(edited, comments=moved_marks(edited.comments, ids))
    if was is block and block.comment("text") == block.surface() != edited.surface():
        edited = edited.with_comment("text", edited.surface())
    return EditedSentence((edited,), tuple((0, int(ids.get(word.id, 0))) for word in block.words))


def _root(block):
    """The root word of a block, or None."""
    return next((node for node in block.words if node.fields[HEAD] == "0"), None)


def _part(part):
    """A WordPart with a form that can be written."""
    part = part if isinstance(part, WordPart) else WordPart(part)
    return replace(part, form=checked_form(part.form))


def _blank(node_id, form):
    return (node_id, form, *(EMPTY,) * 8)


def _filled(node, part):
    """A node with those fields that a WordPart says."""
    return node.having(**{name: getattr(part, name) for name in COLUMNS if getattr(part, name)})


def _tagged(node, block):
    has_tags = any(word.fields[UPOS] != EMPTY for word in block.words)
    return node.having(upos=UNKNOWN_TAG) if has_tags and node.fields[UPOS] == EMPTY else node


def _other_part(word, part, k, misc):
    """The node of a part after the first of a word that is split."""
    head = word.fields[HEAD]
    new = Node(_blank(f"{word.id}+{k}", part.form)).having(misc=misc)
    if head != EMPTY:
        from_head = part.beside and head != "0"
        arc = (head if from_head else word.id, part.deprel or LOOSE)
        deps = ":".join(arc) if word.fields[DEPS] != EMPTY else EMPTY
        new = new.having(head=arc[0], deprel=arc[1], deps=deps)
    new = _filled(new, part)
    return new.having(upos=UNKNOWN_TAG) if new.fields[UPOS] == EMPTY != word.fields[UPOS] else new


def _new_token(first, last, form, misc):
    if " " in form:
        raise WorkbenchError(f"{form} holds a space, which no multiword token may; correct the form first")
    return MultiwordToken(first, last, (*_blank(f"{first}-{last}", form)[:MISC], misc))


def _ending(token, old, new):
    """A multiword token that ends with the word ``new`` if it ended with ``old``."""
    return replace(token, last=new) if token.last == old else token


def _instead(block, token, fields):
    """The block's tokens with other fields of one."""
    return [replace(token, fields=fields) if each is token else each for each in block.tokens]


def _in_place_of(block, word, nodes):
    """The block's nodes with others in place of a word."""
    at = block.nodes.index(word)
    return [*block.nodes[:at], *nodes, *block.nodes[at + 1 :]]


def _words(block, first, last):
    """The words from ``first`` to ``last``. Raises WorkbenchError for fewer than two."""
    for number in (first, last):
        block.word(number)
    if last <= first:
        raise WorkbenchError("two words or more are needed; name the first and the last, in this order")
    return block.words[first - 1 : last]


def _token(block, number):
    block.word(number)
    token = block.token_of(number)
    if token is None:
        raise WorkbenchError(f"word {number} is in no multiword token; make one first")
    return token


def _tokens_around(block, first, last):
    """(tokens when these words are one, the token that is written for just them or None)."""
    kept, whole = [], None
    merged, end = (block.word(number).id for number in (first, last))
    for token in block.tokens:
        begins, ends = int(token.first), int(token.last)
        if ends < first or begins > last:
            kept.append(token)
        elif (begins, ends) == (first, last):
            whole = token
        elif begins <= first and last <= ends:
            kept.append(_ending(token, end, merged))
        elif not (first <= begins and ends <= last):
            raise WorkbenchError(
                f"the multiword token {token.fields[FORM]} has some of these words and others; dissolve it first"
            )
    return kept, whole


def _surface(block, first, last):
    """What is written from one word to another, piece by piece."""
    number = first
    while number <= last:
        token = block.token_of(number)
        if token is not None and first <= int(token.first) and int(token.last) <= last:
            yield token.fields[FORM]
            number = int(token.last)
        else:
            yield block.word(number).fields[FORM]
        number += 1


def _spacing(word):
    return without_spacing(word.fields[MISC])[1]


def _with_head_outside(block, ids):
    """The last of some words on the way from the first of them to the root: no word above it is one of them."""
    nodes, at, seen = {node.id: node for node in block.words}, ids[0], set()
    highest = nodes[at]
    while at in nodes and at not in seen:
        seen.add(at)
        if at in ids:
            highest = nodes[at]
        at = nodes[at].fields[HEAD]
    return highest


def without_head(nodes: Sequence[Node], gone: Collection[str], head: str = "0") -> Sequence[Node]:
    """Nodes whose heads are among ``gone`` under ``head``, where "0" is the root word.

    Where there is none, the first of them that is no punctuation becomes the root, or else the first.
    """
    orphans = [node for node in nodes if node.is_word and node.fields[HEAD] in gone]
    if not orphans:
        return nodes
    if head == "0":
        root = next((node for node in nodes if node.fields[HEAD] == "0"), None)
        root = root or next((node for node in orphans if node.fields[UPOS] != "PUNCT"), orphans[0])
        head = root.id
    moved = {node.id: node.having(head=head) for node in orphans}
    if head in moved:
        moved[head] = moved[head].having(head="0", deprel=ROOT)
    return [moved.get(node.id, node) for node in nodes]


def _after(block, number):
    """Where in the nodes a new one stands after a word and its empty nodes; 0 is before the first word."""
    if number != 0:
        block.word(number)
    following = [index for index, node in enumerate(block.nodes) if node.is_word][number:]
    return following[0] if following else len(block.nodes)
