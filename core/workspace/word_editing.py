"""Changes of the words of a text, for all versions of its trees at once: one entry of the log, and so one undo.

The words of a sentence are the same for everybody. So an edit rewrites its document of words and every version's tree,
by one map from old words to new. The status of those that were done and groups of words follow. ``sentence_editing.py``
does the same where sentences are split and merged.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.annotation import TAGS, SentenceAnnotation, annotated
from core.annotation.sentence_block import SentenceBlock, sentence_block
from core.annotation.word_edits import EditedSentence
from core.errors import WorkbenchError
from core.store import Command, Corpus, Entry
from core.store.shapes import WORDS
from core.treebank import Treebank, conllu_text
from core.workspace.annotate.lists import KIND as LIST
from core.workspace.annotations import PROPOSALS, author_of, revision
from core.workspace.changed_words import (
    WordsValues,
    one_text,
    sentence_text,
    surface,
    with_origins,
    words_name,
    words_values,
)
from core.workspace.groups import KIND as GROUP
from core.workspace.sentence_order import SentenceOrder
from core.workspace.word_tags import STATE, TREE, Tagging
from core.workspace.workspace import Workspace

Places = Sequence[int]  # of the root and each former word: its number now, 0 where it was deleted
BlockEdit = Callable[[SentenceBlock], tuple[SentenceBlock, Places]]


def places_of(edited: EditedSentence) -> tuple[SentenceBlock, Places]:
    """What a BlockEdit returns, of an edit that leaves one sentence."""
    return edited.blocks[0], (0, *(number for _, number in edited.places))


def edit_words(
    workspace: Workspace, corpus: Corpus, edits: Mapping[int, BlockEdit], label: str, layer: str = "",
    command: str | None = None,
) -> Entry | None:  # fmt: skip
    """Change the words of some sentences of a Corpus, in one step; None if that changes nothing.

    Parameters
    ----------
    workspace : Workspace
    corpus : Corpus
    edits : mapping of int to BlockEdit
        By the index of the sentence. Each is carried out on the sentence of the text and on that of each version.
    label : str
        Names the step in the history.
    layer : str
        The version in which it is made: there a sentence is begun.
    command : str, optional
        What each version's tree records as the step that changed it last.

    Raises
    ------
    WorkbenchError : an edit that cannot be made.
    StoreError : somebody else has changed one of the sentences meanwhile; nothing was written.

    Notes
    -----
    O(words of the sentences, for each version), and the documents of the corpus.
    """
    text = EditedText.of(workspace, corpus)
    trees, states = (by_sentence(workspace, corpus, kind) for kind in (TREE, STATE))
    commands, places = [], {}
    for index, edit in edits.items():
        if not 0 <= index < len(text.base):
            raise WorkbenchError(f"there is no sentence {index + 1} in {corpus.name}; it has {len(text.base):,}")
        changed = _ChangedSentence.of(text, index, edit, command)
        name = text.order.name(index)
        key = f"{corpus.id}/{name + 1}"
        if changed.is_same:
            continue
        places[name] = [(name, number) for number in changed.places]
        commands.append(Command(WORDS, key, text.words.get(name), changed.values))
        commands += [Command(TREE, at, values, changed.tree(values)) for at, values in trees.get(name, {}).items()]
        commands += begun_states(workspace, states.get(name, {}), key + (f"/{layer}" if layer else ""))
    commands += [*moved_groups(workspace, corpus, places), *moved_lists(workspace, corpus, places)]
    return workspace.store.execute(corpus.project, *commands, label=label) if commands else None


def base_text(workspace: Workspace, corpus: Corpus) -> Treebank:
    """The sentences that edits are carried out on: with the tags of the file or of a tagger, not those of a list."""
    return EditedText.of(workspace, corpus).base


def by_sentence(workspace: Workspace, corpus: Corpus, kind: str) -> dict[int, dict[str, dict]]:
    """name -> key -> value of the documents of a kind, of all versions."""
    found: dict[int, dict[str, dict]] = {}
    for (_, key), value in workspace.store.documents(corpus.project, kind, f"{corpus.id}/").items():
        found.setdefault(int(key.split("/")[1]) - 1, {})[key] = value
    return found


@dataclass(frozen=True, eq=False)
class EditedText:
    """A text before an edit: its ``file``, its words under a tagger's tags (``base``), and under its list of tags.

    ``words`` are the documents of its sentences by name, ``order`` says where these stand.
    """

    file: Treebank
    base: Treebank
    listed: Treebank
    tagging: Tagging | None
    words: Mapping[int, WordsValues]
    by_tagger: bool
    order: SentenceOrder

    @classmethod
    def of(cls, workspace: Workspace, corpus: Corpus) -> "EditedText":
        """That of a Corpus as it stands."""
        corrections = workspace.corrections(corpus)
        tagging = None if corrections.tagging is None else Tagging.from_dict(corrections.tagging)
        listed = workspace.treebank_before_hand(corpus)
        by_tagger = tagging is not None and bool(tagging.reader)  # whose tags the sentence keeps: they come once
        base = listed if by_tagger else workspace.source(corpus)
        order = corrections.order
        return cls(workspace.file(corpus), base, listed, tagging, corrections.words, by_tagger, order)

    def block(self, index: int) -> SentenceBlock:
        """A sentence before the edit, whose words know what they were split from."""
        return with_origins(sentence_block(sentence_text(self.base, index)), self.words.get(self.order.name(index)))

    def version(self, index: int, values: Mapping) -> tuple[SentenceBlock, bool] | None:
        """A sentence as a version's document has it, and whether a graph was drawn there.

        None where the document does not fit the words, so that nobody sees it.
        """
        try:
            annotation = SentenceAnnotation.of(self.listed[index]).with_values(values)
            bank = annotated(one_text(sentence_text(self.base, index)), {0: annotation})
            if annotation.graph is not None:
                bank = bank.with_graphs({0: annotation.graph})
            text = conllu_text(bank)
        except WorkbenchError:
            return None
        block = with_origins(sentence_block(text), self.words.get(self.order.name(index)))
        return block, annotation.graph is not None

    def file_of(self, name: int) -> str:
        """What a document of words says of the file, for the sentence of a name or a part of it."""
        return self.words[name]["file"] if name in self.words else words_name(self.file[name].forms)

    def original(self, bank: Treebank) -> SentenceAnnotation:
        """The SentenceAnnotation of a treebank of one sentence under the list."""
        if self.tagging is not None and not self.by_tagger:
            bank = self.tagging.apply(bank)
        return SentenceAnnotation.of(bank[0])


@dataclass(frozen=True, eq=False)
class _ChangedSentence:
    """A sentence after an edit: its document (None for that of the file), and what versions need to follow."""

    values: WordsValues | None
    places: Places
    text: EditedText
    index: int
    edit: BlockEdit
    command: str | None
    is_same: bool
    original: SentenceAnnotation

    @classmethod
    def of(cls, text, index, edit, command):
        name, before = text.order.name(index), text.block(index)
        former = text.words.get(name)
        block, places = edit(before)
        unchecked = _unchecked(before, block, places, former["unchecked"] if former else ())
        values, after = changed_values(text, name, block, unchecked, command)
        same = block.text() == before.text()
        return cls(values, places, text, index, edit, command, same, text.original(one_text(after)))

    def tree(self, values):
        """A version's document of the sentence after the edit."""
        record = tree_record(self.values, self.command, values)
        version = self.text.version(self.index, values)
        if version is None:
            return {name: value for name, value in values.items() if name != "whole"} | record
        block, places = self.edit(version[0])
        after = annotation_of(block, has_graph=version[1])
        known = set(places)
        tags = {
            name: tuple(
                value if number in known else proposed
                for number, (value, proposed) in enumerate(
                    zip(getattr(after, name), getattr(self.original, name), strict=True)
                )
            )
            for name in TAGS
        }
        return replace(after, **tags).values(self.original) | record


def changed_values(
    text: EditedText, name: int, block: SentenceBlock, unchecked: Iterable[int], command: str | None
) -> tuple[WordsValues | None, str]:  # fmt: skip
    """(document of a sentence that is a block now, or None where it is that of the file; its lines)."""
    values, former = words_values(block, text.file_of(name), unchecked, command), text.words.get(name)
    if former is not None and "after" in former:
        values["after"] = former["after"]
        return values, values["block"]
    in_file = sentence_text(text.file, name)
    if surface(values["block"]) == surface(in_file) and not text.by_tagger:
        return None, in_file
    return values, values["block"]


def tree_record(words: WordsValues | None, command: str | None, *former: Mapping) -> dict:
    """What a version's document of a tree has besides columns; ``former`` are those that it was made of."""
    proposals = {proposal for values in former for proposal in values.get(PROPOSALS, ())}
    record = {"command": command, "words": revision(words and words["block"])}
    return record | ({PROPOSALS: sorted(proposals)} if proposals else {})


def annotation_of(block: SentenceBlock, has_graph: bool) -> SentenceAnnotation:
    """The SentenceAnnotation of a block, with its enhanced graph if there is one to be kept."""
    read = SentenceAnnotation.with_graph_of if has_graph else SentenceAnnotation.of
    return read(one_text(block.text())[0])


def _unchecked(before: SentenceBlock, block: SentenceBlock, places: Places, former: Iterable[int]) -> set[int]:
    """The numbers of words that nobody has looked at: new ones, parts of splits, and those that were so already."""
    known = {now: word for now, word in zip(places[1:], before.words, strict=True) if now}
    left = {places[number] for number in former if number < len(places)} - {0}
    for number, word in enumerate(block.words, start=1):
        was = known.get(number)
        if was is None or (word.origin is not None and word.origin != was.origin):
            left.add(number)
    return left


def begun_states(workspace: Workspace, states: Mapping[str, dict], own: str) -> list[Command]:
    """Commands after which no version of a sentence is done, and the ``own`` one is begun."""
    now = state_change(workspace)
    commands = [
        Command(STATE, key, value, value | now)
        for key, value in states.items()
        if value["status"] == "done" or (key == own and value["status"] == "new")
    ]
    if own not in states:
        commands.append(Command(STATE, own, None, {"note": ""} | now))
    return commands


def state_change(workspace: Workspace) -> dict:
    """What is new in the status of a sentence that is begun now."""
    time = datetime.now(UTC).isoformat(timespec="seconds")
    return {"status": "begun", "author": author_of(workspace.store), "time": time}


Moves = Mapping[int, Sequence[tuple[int, int]]]  # of a sentence's name: (name, number) of the root and each former word


def moved_groups(workspace: Workspace, corpus: Corpus, places: Moves) -> list[Command]:
    """Commands on the groups that list words or sentences that were edited; a group of which none is left goes."""
    commands = []
    for (_, key), value in workspace.store.documents(corpus.project, GROUP, f"{corpus.id}/").items():
        by = value["definition"]["by"]
        if by not in _MOVES:
            continue
        left = _MOVES[by](value["definition"][by], places)
        if left != value["definition"][by]:
            after = value | {"definition": value["definition"] | {by: left}} if left else None
            commands.append(Command(GROUP, key, value, after))
    return commands


def moved_lists(workspace: Workspace, corpus: Corpus, places: Moves) -> list[Command]:
    """Commands on the kept lists with places that were edited; a word that is gone leaves its sentence there."""
    commands = []
    for (_, key), value in workspace.store.documents(corpus.project, LIST, f"{corpus.id}/").items():
        if any(sentence in places for sentence, _ in value["places"]):
            moved = [_moved(places.get(sentence), sentence + 1, word) for sentence, word in value["places"]]
            listed = [[sentence - 1, word] for sentence, word in moved]
            if listed != value["places"]:
                commands.append(Command(LIST, key, value, value | {"places": listed}))
    return commands


def _moved_words(words, places):
    moved = (_moved(places.get(sentence - 1), sentence, word) for sentence, word in words)
    return [list(pair) for pair in dict.fromkeys(moved) if pair[1]]


def _moved(places, sentence, word):
    if places is None or word >= len(places):
        return sentence, word
    return places[word][0] + 1, places[word][1]


def _moved_sentences(numbers, places):
    return sorted({name + 1 for number in numbers for name in names_after(places, number - 1)})


def names_after(places: Moves, name: int) -> list[int]:
    """The names of the sentences that have the words of one that had a ``name``."""
    return list(dict.fromkeys(after for after, _ in places[name])) if name in places else [name]


_MOVES = {"words": _moved_words, "sentences": _moved_sentences}
