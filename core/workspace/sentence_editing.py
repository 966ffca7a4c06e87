"""Sentences split and merged, for all versions of a text's trees at once: one entry of the log, and so one undo.

As in ``word_editing.py`` one map from old words to new rewrites all that is stored of them: documents of words and
trees, statuses, groups, kept lists, the sample drawn for Check 20, and the sentences marked to learn from. How
sentences are named is in ``sentence_order.py``. A merge of exactly the parts of a split gives back what there was.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from core.annotation.sentence_block import HEAD
from core.annotation.sentence_edits import merge_sentences, split_sentence
from core.annotation.word_edits import EditedSentence
from core.errors import WorkbenchError
from core.store import Command, Corpus, Entry
from core.store.shapes import TREE, WORDS
from core.treebank import conllu_text
from core.workspace.annotations import PROPOSALS
from core.workspace.changed_words import WordsValues, one_text, sentence_text, words_values
from core.workspace.random_sample import KIND as SAMPLE
from core.workspace.word_editing import (
    EditedText,
    Moves,
    annotation_of,
    by_sentence,
    changed_values,
    moved_groups,
    moved_lists,
    names_after,
    state_change,
    tree_record,
)
from core.workspace.word_tags import STATE
from core.workspace.workspace import Workspace

SENT_ID = re.compile(r"^# *sent_id *= *(\S.*?) *\r?$", re.MULTILINE)
PLANS = ("training", "grammar-training")  # kinds of the plans in which sentences are marked to learn from


def split_at(
    workspace: Workspace, corpus: Corpus, index: int, number: int, layer: str = "", command: str | None = None
) -> Entry | None:  # fmt: skip
    """Split a sentence of a Corpus before the word ``number``, from 1.

    ``layer`` is the version in which it is done: there both parts are begun. ``command`` is what is recorded as the
    step that did it. Raises WorkbenchError where it cannot be split, and StoreError where somebody else has changed
    something of it meanwhile; nothing was written then. O(bytes of the text), and the documents of the corpus.
    """
    return split_several(workspace, corpus, {index: number}, f"splitting sentence {index + 1}", layer, command)


def merge_with_next(
    workspace: Workspace, corpus: Corpus, index: int, layer: str = "", command: str | None = None
) -> Entry | None:  # fmt: skip
    """Merge a sentence of a Corpus with the one behind it; as ``split_at``."""
    label = f"merging sentences {index + 1} and {index + 2}"
    return merge_several(workspace, corpus, (index,), label, layer, command)


def split_several(
    workspace: Workspace, corpus: Corpus, numbers: Mapping[int, int], label: str, layer: str = "",
    command: str | None = None,
) -> Entry | None:  # fmt: skip
    """Split sentences of a Corpus, by index, each before the word of a number, in one step with a ``label``.

    As ``split_at`` does with one. O(bytes of the text), and the documents of the corpus.
    """
    made = _Changes.of(workspace, corpus, layer, command)
    text, taken = made.text, set(SENT_ID.findall(conllu_text(made.text.base)))
    free = text.order.free_name(text.words)
    for index, number in numbers.items():
        made.require_sentence(index)
        edit = partial(split_sentence, number=number, taken=taken)
        made.add(edit, (index,), (text.order.name(index), free + len(made.changes)))
    return made.written(label)


def merge_several(
    workspace: Workspace, corpus: Corpus, indices: Iterable[int], label: str, layer: str = "",
    command: str | None = None,
) -> Entry | None:  # fmt: skip
    """Merge sentences of a Corpus, of which no two are neighbours, with those behind them; as ``split_several``."""
    made = _Changes.of(workspace, corpus, layer, command)
    text = made.text
    for index in indices:
        made.require_sentence(index)
        if index + 1 == len(text.base):
            raise WorkbenchError(
                f"sentence {index + 1} is the last one of {corpus.name}; there is none to merge it with"
            )
        made.add(merge_sentences, (index, index + 1), (text.order.name(index),))
    return made.written(label)


@dataclass(frozen=True, eq=False)
class _Changes:
    """Changes of a text that have no sentence in common, which are written in one step.

    ``documents`` are those of its trees and states, by kind and as ``by_sentence`` has them.
    """

    workspace: Workspace
    corpus: Corpus
    text: EditedText
    documents: Mapping[str, Mapping[int, Mapping[str, dict]]]
    layer: str
    command: str | None
    changes: list["_Change"] = field(default_factory=list)

    @classmethod
    def of(cls, workspace, corpus, layer, command):
        text = EditedText.of(workspace, corpus)
        documents = {kind: by_sentence(workspace, corpus, kind) for kind in (TREE, STATE)}
        return cls(workspace, corpus, text, documents, layer, command)

    def require_sentence(self, index):
        if type(index) is not int or not 0 <= index < len(self.text.base):
            raise WorkbenchError(
                f"there is no sentence {index + 1} in {self.corpus.name}; it has {len(self.text.base):,}"
            )

    def add(self, edit, before, after):
        edited = edit(*(self.text.block(index) for index in before))
        self.changes.append(_Change(self, edit, before, edited, after))

    def written(self, label):
        """The Entry of all changes."""
        moves = {name: places for change in self.changes for name, places in change.moves().items()}
        followers = self.workspace, self.corpus, moves
        commands = [command for change in self.changes for command in change.commands()]
        commands += [*moved_groups(*followers), *moved_lists(*followers), *self.sample(moves), *self.marks(moves)]
        return self.workspace.store.execute(self.corpus.project, *commands, label=label)

    def sample(self, places: Moves) -> Iterator[Command]:
        """The command on the sample that was drawn, if it has one of the sentences, or was drawn from all."""
        key = str(self.corpus.id)
        before = self.workspace.store.document(self.corpus.project, SAMPLE, key)
        if before is None:
            return
        sentences = _moved_names(before["sentences"], places)
        more = len(sentences) - len(before["sentences"])
        if before.get("of") == len(self.text.base):
            more = sum(len(change.after) - len(change.before) for change in self.changes)
        after = before | {"sentences": sentences} | ({"of": before["of"] + more} if "of" in before else {})
        yield Command(SAMPLE, key, before, after)

    def marks(self, places: Moves) -> Iterator[Command]:
        """Commands on the plans in which one of the sentences is marked to learn from."""
        for kind in PLANS:
            before = self.workspace.store.document(self.corpus.project, kind, str(self.corpus.id))
            if before is not None and before.get("marked"):
                marked = sorted(name + 1 for name in _moved_names((number - 1 for number in before["marked"]), places))
                yield Command(kind, str(self.corpus.id), before, before | {"marked": marked})


@dataclass(frozen=True, eq=False)
class _Change:
    """Sentences at some places ``before``, what an ``edit`` has made of them (``edited``), and the names ``after``."""

    among: _Changes
    edit: Callable[..., EditedSentence]
    before: Sequence[int]
    edited: EditedSentence
    after: Sequence[int]

    workspace = property(lambda self: self.among.workspace)
    text = property(lambda self: self.among.text)
    command = property(lambda self: self.among.command)

    def commands(self) -> Iterator[Command]:
        """The Commands on documents of the sentences alone."""
        words = self.words()
        for name in words:
            yield Command(WORDS, self.key(name), self.text.words.get(name), words[name])
        yield from self.trees(words)
        yield from self.states()

    @property
    def names(self) -> list[int]:
        return [self.text.order.name(index) for index in self.before]

    def key(self, name, suffix=""):
        return f"{self.among.corpus.id}/{name + 1}{suffix}"

    def moves(self) -> Moves:
        """The new place of each word."""
        numbers, moves = iter(self.edited.places), {}
        for index, name in zip(self.before, self.names, strict=True):
            words = [next(numbers) for _ in range(int(self.text.base.lengths[index]))]
            moves[name] = [(self.after[block], number) for block, number in ((words[0][0], 0), *words)]
        return moves

    def words(self) -> dict[int, WordsValues | None]:
        """The documents of words by name."""
        if self.is_restored:
            return {self.names[0]: self.text.words[self.names[0]].get("whole", [None])[0], self.names[1]: None}
        unchecked, text = self.unchecked(), self.text
        words: dict[int, WordsValues | None] = {}
        if len(self.before) == 2:
            (block,), (name, gone) = self.edited.blocks, self.names
            words[name] = changed_values(text, name, block, unchecked[0], self.command)[0]
            words[gone] = self.merged(gone, name)
            return words
        (name, new), former = self.after, text.words.get(self.after[0])
        for at, block, numbers in zip(self.after, self.edited.blocks, unchecked, strict=True):
            values = words_values(block, text.file_of(name), numbers, self.command)
            values["whole"] = [former]
            if at == new:
                values["after"] = name
            elif former is not None and "after" in former:
                values["after"] = former["after"]
            words[at] = values
        return words

    def merged(self, gone, name):
        """The document of a sentence that was merged into the one of a name; None where nothing needs it."""
        former = self.text.words.get(gone)
        values = WordsValues(block="", file=self.text.file_of(gone), unchecked=[], origins=[], command=None, into=name)
        if former is None or "after" not in former:
            return values
        values["after"] = former["after"]
        is_needed = any(other.get("after") == gone for other in self.text.words.values())
        return values if is_needed else None

    @property
    def is_restored(self) -> bool:
        """Whether the parts of a split are merged as they came."""
        documents = [self.text.words.get(name) for name in self.names]
        return _whole(documents) is not None and (documents[1] or {}).get("after") == self.names[0]

    def unchecked(self) -> list[set[int]]:
        """Of each sentence after the edit, the words that nobody has looked at: those with another head now, too."""
        left: list[set[int]] = [set() for _ in self.edited.blocks]
        places = iter(self.edited.places)
        for index, name in zip(self.before, self.names, strict=True):
            block, known = self.text.block(index), self.text.words.get(name)
            moved = {str(number): next(places) for number in range(1, len(block.words) + 1)}
            for number, word in enumerate(block.words, start=1):
                at, now = moved[str(number)]
                head = self.edited.blocks[at].words[now - 1].fields[HEAD]
                same = str(moved[word.fields[HEAD]][1]) if word.fields[HEAD] in moved else word.fields[HEAD]
                stays = word.fields[HEAD] not in moved or moved[word.fields[HEAD]][0] == at
                if head != same or not stays or (known is not None and number in known["unchecked"]):
                    left[at].add(now)
        return left

    def stored(self, kind: str) -> dict[str, dict[int, dict]]:
        """Documents of a kind of the sentences, by what their keys have behind the name, and by name."""
        documents = self.among.documents[kind]
        found: dict[str, dict[int, dict]] = {}
        for name in dict.fromkeys((*self.names, *self.after)):
            for key, values in documents.get(name, {}).items():
                found.setdefault(key.removeprefix(self.key(name)), {})[name] = values
        return found

    def replaced(self, kind, suffix, former, values) -> Iterator[Command]:
        """Commands that put ``values``, of the sentences after the edit, in place of ``former`` documents by name."""
        after = dict(zip(self.after, values, strict=True))
        for name in dict.fromkeys((*self.names, *self.after)):
            yield Command(kind, self.key(name, suffix), former.get(name), after.get(name))

    def trees(self, words: Mapping[int, WordsValues | None]) -> Iterator[Command]:
        """Commands on the trees of all versions."""
        now = [words[at] for at in self.after]
        lines = [sentence_text(self.text.file, self.names[0]) if each is None else each["block"] for each in now]
        originals = [self.text.original(one_text(text)) for text in lines]
        for suffix, documents in self.stored(TREE).items():
            former = [documents.get(name) for name in self.names]
            records = [tree_record(each, self.command, *filter(None, former)) for each in now]
            yield from self.replaced(TREE, suffix, documents, self.tree_values(former, originals, records))

    def tree_values(self, former, originals, records):
        """The documents of one version's trees after the edit."""
        whole = _whole(former)
        if whole is not None and self.is_restored:
            return [whole[0] | records[0]]
        annotations = self.annotations(former)
        if not annotations:
            return [former[0] and former[0] | records[0], *(None for _ in self.after[1:])]
        triples = zip(annotations, originals, records, strict=True)
        values = [annotation.values(original) | record for annotation, original, record in triples]
        if len(values) == 1:
            return values
        plain = {name: value for name, value in former[0].items() if name not in ("command", PROPOSALS)}
        return [each | {"whole": [plain]} for each in values]

    def annotations(self, former):
        """One version's trees after the edit; none where its documents fit no words, so that nobody sees them."""
        pairs = zip(self.before, former, strict=True)
        versions = [values and self.text.version(index, values) for index, values in pairs]
        if not any(versions):
            return []
        pairs = zip(self.before, versions, strict=True)
        blocks = [self.text.block(index) if version is None else version[0] for index, version in pairs]
        has_graph = any(version is not None and version[1] for version in versions)
        return [annotation_of(block, has_graph) for block in self.edit(*blocks).blocks]

    def states(self) -> Iterator[Command]:
        """Commands after which the sentences are begun in all versions that had begun or done them, and in the own."""
        layer = self.among.layer
        own, stored = f"/{layer}" if layer else "", self.stored(STATE)
        for suffix in sorted({*stored, own}):
            documents = stored.get(suffix, {})
            former = [documents[name] for name in self.names if name in documents]
            if former or suffix == own:
                values = self.merged_state(former, is_own=suffix == own)
                others = [values | {"note": ""} for _ in self.after[1:]]
                yield from self.replaced(STATE, suffix, documents, [values, *others])

    def merged_state(self, former, is_own):
        """The status of what was made of sentences with these: begun, unless one is doubtful, or all are new."""
        if not former:
            return {"note": ""} | state_change(self.workspace)
        statuses = {values["status"] for values in former} | ({"begun"} if is_own else set())
        status = "doubtful" if "doubtful" in statuses else "new" if statuses == {"new"} else "begun"
        values = former[0] | {"note": "\n".join(filter(None, (values["note"] for values in former)))}
        if status == values["status"]:
            return values
        return values | state_change(self.workspace) | {"status": status}


def _whole(documents: Sequence[Mapping | None]) -> list | None:
    """[the document before a split, or None], where the documents of two sentences agree on it; else None."""
    found = [values.get("whole") if values else None for values in documents]
    return found[0] if len(found) == 2 and found[0] == found[1] else None


def _moved_names(names: Iterable[int], places: Moves) -> list[int]:
    return list(dict.fromkeys(after for name in names for after in names_after(places, name)))
