"""Faults of a block of lines in a CoNLL-U file that no reader can take as a sentence: its lines, columns, IDs, tree.

They are those of UD's validator at levels 1 and 2 (``udtools`` 0.2.9), whose test names the faults have, and in its
order: what one stage finds hides what the later ones would say.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import regex

from core.annotation.conllu_rules import COLUMNS, DEPS, HEAD, ID, XPOS, blank_faults
from core.annotation.faults import Fault
from core.errors import quoted
from core.languages.normal_form import composed

WORD, RANGE, EMPTY = (regex.compile(form) for form in (r"[1-9]\d*", r"([1-9]\d*)-([1-9]\d*)", r"(\d+)\.([1-9]\d*)"))
NUMBER = regex.compile(r"0|[1-9]\d*")
ANY_HEAD = regex.compile(r"(0|[1-9]\d*)(\.[1-9]\d*)?")


@dataclass
class BlockFaults:
    """The faults of a block: (its line, from 0, and the Fault) in ``found``.

    Attributes
    ----------
    is_readable : bool
        Whether nothing was found that keeps the block from being read as a sentence.
    """

    found: list[tuple[int, Fault]] = field(default_factory=list)
    is_readable: bool = True

    def add(self, line: int, kind: str, message: str, test: str, word: int = 0, stops: bool = True) -> None:
        """Note a fault; one that ``stops`` hides what later stages would say."""
        self.found.append((line, Fault(word, kind, message, grave=stops, test=test)))
        self.is_readable &= not stops


def block_faults(lines: Sequence[str]) -> BlockFaults:
    """The BlockFaults of a block: the lines up to a blank one, which is the last where the file has it. O(lines)."""
    faults = BlockFaults()
    _check_lines(lines, faults)
    begin = next((k for k, line in enumerate(lines) if not line.startswith("#")), len(lines))
    table = [line.split("\t") for line in lines[begin:] if line.strip()]
    stages: tuple[Callable, ...] = (_check_columns, _check_ids, _check_overlaps, _check_references, _check_tree)
    for stage in stages:
        if not faults.is_readable:
            break
        stage(table, begin, faults)
    for k, row in enumerate(table) if faults.is_readable else ():
        if not row[XPOS] and not RANGE.fullmatch(row[ID]):
            faults.add(begin + k, "blanks", "XPOS is empty; write _", "empty-string-in-xpos", stops=False)
    return faults


def _check_lines(lines, faults):
    """Each line is a comment before the words, a line of a word, or the blank one at the end."""
    seen, words = False, False
    for k, line in enumerate(lines):
        if "\ufffd" in line:
            faults.add(k, "characters", "has a character that could not be read; mend it", "invalid-utf", stops=False)
        if composed(line) != line:
            message = "has letters and accents apart (it is not in Unicode's NFC); compose them"
            faults.add(k, "characters", message, "unicode-normalization", stops=False)
        if line.startswith("#"):
            if seen:
                message = f"{quoted(line)} stands behind the first word; put comments before it"
                faults.add(k, "comments", message, "misplaced-comment")
        elif line[:1].isdigit():
            seen = words = True
        elif not line.strip():
            if line:
                message = "looks empty and has blanks; leave the line empty"
                faults.add(k, "lines", message, "pseudo-empty-line", stops=False)
            if not words:
                faults.add(k, "lines", "a blank line without a sentence before it; remove it", "empty-sentence")
        else:
            seen = True
            faults.add(
                k, "lines", f"{quoted(line)} is neither a comment nor a word; begin it with # or an ID", "invalid-line"
            )
    if lines[-1].strip():
        message = "the file ends without a blank line; add one"
        faults.add(len(lines) - 1, "lines", message, "missing-empty-line", stops=not words)


def _check_columns(table, begin, faults):
    for k, row in enumerate(table):
        if len(row) != len(COLUMNS):
            message = f"the line has {len(row)} columns, and needs {len(COLUMNS)}; add or remove tabs"
            faults.add(begin + k, "columns", message, "number-of-columns")
            continue
        faults.found += [(begin + k, fault) for fault in blank_faults(0, row, bool(RANGE.fullmatch(row[ID])))]


def _check_ids(table, begin, faults):
    """Words 1, 2, 3 ..., ranges before their first word, empty nodes after the word that they are named for."""
    words, spans, empty = [], [], 1
    for k, row in enumerate(table):
        line, name = begin + k, row[ID]
        if found := EMPTY.fullmatch(name):
            _check_empty_node(line, (int(found[1]), int(found[2])), words[-1] if words else 0, empty, spans, faults)
            empty += 1
            continue
        empty = 1
        if WORD.fullmatch(name):
            words.append(int(name))
            if not (spans and spans[-1][0] <= words[-1] <= spans[-1][1]):
                spans.append((words[-1], words[-1], line))
        elif found := RANGE.fullmatch(name):
            if words and int(found[1]) <= words[-1]:
                message = f"the range {name} does not stand before its first word"
                faults.add(line, "IDs", message, "misplaced-word-interval")
            else:
                spans.append((int(found[1]), int(found[2]), line))
        else:
            faults.add(line, "IDs", f"{quoted(name)} is no ID; write 3, 3-4 or 3.1", "invalid-word-id")
    if words != list(range(1, len(words) + 1)):
        faults.add(0, "IDs", "the words are not numbered 1, 2, 3 ...; number them so", "word-id-sequence")
    for first, last, line in spans:
        if last < first:
            faults.add(line, "IDs", f"the range {first}-{last} runs backwards", "reversed-word-interval")
        elif last > len(words):
            faults.add(line, "IDs", f"{first}-{last} goes beyond the last word", "word-interval-out")


def _check_empty_node(line, node, word, place, spans, faults):
    """An empty node, (word, place), stands behind a ``word`` of the table as its ``place``-th."""
    name = f"{node[0]}.{node[1]}"
    if node != (word, place):
        message = f"the empty node {name} stands where {word}.{place} should"
        faults.add(line, "IDs", message, "misplaced-empty-node")
    if node[0] == word and spans and word < spans[-1][0]:
        message = f"the empty node {name} must stand before the range {spans[-1][0]}-{spans[-1][1]}"
        faults.add(line, "IDs", message, "misplaced-empty-node")


def _check_overlaps(table, begin, faults):
    covered: set[int] = set()
    for k, row in enumerate(table):
        if found := RANGE.fullmatch(row[ID]):
            span = set(range(int(found[1]), int(found[2]) + 1))
            if covered & span:
                faults.add(begin + k, "IDs", f"the range {row[ID]} overlaps another one", "overlapping-word-intervals")
            covered |= span


def _check_references(table, begin, faults):
    """Heads, also enhanced ones, are words of the sentence or the root."""
    names = {"0", *(row[ID] for row in table if not RANGE.fullmatch(row[ID]))}
    for k, row in enumerate(table):
        line, word = begin + k, int(row[ID]) if WORD.fullmatch(row[ID]) else 0
        if RANGE.fullmatch(row[ID]):
            continue
        if word:
            if not NUMBER.fullmatch(row[HEAD]):
                faults.add(
                    line, "heads", f"HEAD is {quoted(row[HEAD])}; write a number, 0 for the root", "invalid-head", word
                )
            if row[HEAD] not in names:
                message = f"HEAD is {quoted(row[HEAD])}, but the sentence has no such word"
                faults.add(line, "heads", message, "unknown-head", word)
        for head, test in _odd_heads(row[DEPS], names):
            message = f"DEPS is {quoted(row[DEPS])}; write head:relation|head:relation"
            if test == "unknown-ehead":
                message = f"DEPS has the head {quoted(head)}, which the sentence does not have"
            faults.add(line, "DEPS", message, test, word)


def _odd_heads(deps, names) -> Iterator[tuple[str, str]]:
    """(head, test) of what is wrong with the heads in DEPS."""
    if deps == "_":
        return
    pairs = [pair.split(":", 1) for pair in deps.split("|")]
    if any(len(pair) < 2 for pair in pairs):
        yield "", "invalid-deps"
        return
    for head, _ in pairs:
        if not ANY_HEAD.fullmatch(head):
            yield head, "invalid-ehead"
        if head not in names:
            yield head, "unknown-ehead"


def _check_tree(table, begin, faults):
    """One root, from which all words are reached."""
    heads = {int(row[ID]): int(row[HEAD]) for row in table if WORD.fullmatch(row[ID])}
    lines = {int(row[ID]): begin + k for k, row in enumerate(table) if WORD.fullmatch(row[ID])}
    loops = [word for word, head in heads.items() if word == head]
    roots = [word for word, head in heads.items() if head == 0]
    if loops:
        faults.add(lines[loops[0]], "tree", "HEAD is the word itself; give it another head", "head-self-loop", loops[0])
    elif len(roots) > 1:
        faults.add(lines[roots[1]], "tree", "a second root; attach one of them to a word", "multiple-roots", roots[1])
    else:
        reached, waiting = {0}, [0]
        children: dict[int, list[int]] = {}
        for word, head in heads.items():
            children.setdefault(head, []).append(word)
        while waiting:
            waiting += (more := children.get(waiting.pop(), []))
            reached.update(more)
        if lost := sorted(set(heads) - reached):
            message = "the root is not reached by following the heads; break the cycle"
            faults.add(lines[lost[0]], "tree", message, "non-tree", lost[0])
