"""Annotations of a corpus in the store: one document a sentence and layer, changed by commands that undo takes back.

A layer is one person's version of the trees; the one named ``""`` is the project's own. The document says what differs
from the file, so a sentence without one is as it was uploaded. Status and note of a sentence stand beside it.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import SupportsIndex, TypeAlias

import numpy as np

from core.annotation import SentenceAnnotation
from core.annotation.edits import LOOSE, ROOT
from core.errors import StoreError, WorkbenchError
from core.parsers.constrained_completion import nearest_tree
from core.store import Command, Corpus, Entry, Store
from core.store.schema import stored
from core.store.shapes import WORDS
from core.treebank import Treebank
from core.workspace.changed_words import WordsValues
from core.workspace.sentence_order import stored_order
from core.workspace.word_tags import STATE, TREE
from core.workspace.workspace import Workspace

STATUSES = ("new", "begun", "done", "doubtful")
LONGEST_NOTE = 5000
LONGEST_LAYER = 40
PROPOSALS = "proposals"  # in the document of a tree: the keys of the parsers whose proposals were taken over
PARSER = re.compile(r"[a-z]+(-[0-9]+)?(-[a-z]+)*")  # the key of a parser


@dataclass(frozen=True)
class SentenceState:
    """The annotation status of a sentence, one of STATUSES, who set it and when (ISO 8601, UTC), and a note."""

    status: str = "new"
    note: str = ""
    author: str = ""
    time: str = ""


StatesByLayer: TypeAlias = dict[str, dict[int, SentenceState]]


class Annotations:
    """One layer of annotations of a Corpus.

    Parameters
    ----------
    workspace : Workspace
    corpus : Corpus of its store
    layer : str
        The name of the person whose version it is; ``""`` is the project's.
    """

    def __init__(self, workspace: Workspace, corpus: Corpus, layer: str = ""):
        self.workspace, self.corpus, self.layer = workspace, corpus, checked_layer(layer)
        self.source = workspace.treebank_before_hand(corpus)
        self.order = workspace.corrections(corpus).order

    @property
    def store(self) -> Store:
        """The store that the workspace is bound to."""
        return self.workspace.store

    def key(self, index: int) -> str:
        """The key of a sentence's documents, such as ``12/3`` or ``12/3/Ann``: corpus, name from 1, layer."""
        if not 0 <= index < len(self.source):
            raise WorkbenchError(
                f"there is no sentence {index + 1} in {self.corpus.name}; it has sentences 1 to {len(self.source)}"
            )
        return self._key(index, self.layer)

    def _key(self, index, layer):
        return f"{self.corpus.id}/{self.order.name(index) + 1}" + (f"/{layer}" if layer else "")

    def original(self, index: int) -> SentenceAnnotation:
        """The SentenceAnnotation of a sentence in the file, with its enhanced graph."""
        self.key(index)
        return SentenceAnnotation.with_graph_of(self.source[index])

    def get(self, index: int) -> tuple[SentenceAnnotation, str]:
        """(Annotation, its revision); the revision changes whenever the annotation does."""
        value = self.store.document(self.corpus.project, TREE, self.key(index))
        original = self.original(index)
        return (original if value is None else original.with_values(value)), self._revision_of(index, value)

    def sentence_revision(self, index: int) -> str:
        """The revision of a sentence, as ``get`` gives it."""
        return self._revision_of(index, self.store.document(self.corpus.project, TREE, self.key(index)))

    def _revision_of(self, index, value):
        words = self.words(index)
        return revision(value) if words is None else revision([value, words["block"]])

    def words(self, index: int) -> WordsValues | None:
        """The document of a sentence whose words were changed, or None."""
        return self.store.document(self.corpus.project, WORDS, self._key(index, ""))

    def command_of(self, index: int) -> str | None:
        """The id of the command that last changed a sentence, or None."""
        value = self.store.document(self.corpus.project, TREE, self.key(index))
        return None if value is None else value.get("command")

    def state(self, index: int) -> SentenceState:
        """The SentenceState of a sentence."""
        value = self.store.document(self.corpus.project, STATE, self.key(index))
        return SentenceState() if value is None else stored(SentenceState, value)

    def states(self) -> dict[int, SentenceState]:
        """The SentenceStates of the sentences that have one: dict of index to SentenceState."""
        return states_by_layer(self.store, self.corpus).get(self.layer, {})

    def annotations(self) -> dict[int, SentenceAnnotation]:
        """The Annotations of the sentences that were changed: dict of index to Annotation."""
        return {index: self.original(index).with_values(value) for index, value in self._documents(TREE).items()}

    def trees(self) -> dict[int, SentenceAnnotation]:
        """The ``annotations`` in which a head or relation was drawn: dict of index to Annotation."""
        trees = {}
        for index, annotation in self.annotations().items():
            original = self.original(index)
            is_drawn = (annotation.heads, annotation.deprels) != (original.heads, original.deprels)
            if is_drawn and max(annotation.heads) >= 0:
                trees[index] = annotation
        return trees

    def proposals(self) -> dict[int, list[str]]:
        """The keys of the parsers whose proposals were taken over: dict of index to list of str."""
        return {index: value.get(PROPOSALS, []) for index, value in self._documents(TREE).items()}

    def treebank(self) -> Treebank:
        """The corpus under this layer's annotations: a Treebank of CoNLL-U, whatever it was."""
        return self.workspace.of_version(self.layer).standing(self.corpus).treebank.to_conllu()

    def revision(self) -> str:
        """A hash of all annotations of this layer."""
        return revision(sorted(self._documents(TREE).items()))

    def _documents(self, kind):
        documents = {}
        for (_, key), value in self.store.documents(self.corpus.project, kind, f"{self.corpus.id}/").items():
            _, number, layer = (*key.split("/", 2), "")[:3]
            if layer == self.layer:
                documents[int(number) - 1] = value
        return {place: value for place, value in self.order.moved(documents).items() if place < len(self.source)}

    def other_versions(self, index: int, states: StatesByLayer | None = None) -> list[str]:
        """The names of the other versions in which a sentence is annotated; the project's is "".

        Its status there is not "new", or it has a tree or tags of its own, beside which there is a state. ``states``
        are those of ``states_by_layer``, if they are known.
        """
        states, names = states_by_layer(self.store, self.corpus) if states is None else states, []
        for layer, marked in sorted(states.items()):
            if layer == self.layer or index not in marked:
                continue
            tree = self.store.document(self.corpus.project, TREE, self._key(index, layer))
            if tree is not None or marked[index].status != "new":
                names.append(layer)
        return names

    def write(
        self, index: int, annotation: SentenceAnnotation, was: str | None, command: str, label: str, proposal: str = ""
    ) -> str:
        """Replace a sentence's annotation, in one step with its status. Returns the new revision.

        ``was`` is the revision that the change was made to, ``proposal`` the key of the parser whose proposal was
        taken over, if one was. Raises StoreError, and writes nothing, where the sentence has been changed since.
        """
        key, project = self.key(index), self.corpus.project
        before = self.store.document(project, TREE, key)
        if self._revision_of(index, before) != was:
            raise changed_since(self.store, project, key, index)
        after = annotation.values(self.original(index)) | {"command": command}
        if proposals := {*(before or {}).get(PROPOSALS, ()), proposal} - {""}:
            after[PROPOSALS] = sorted(proposals)
        if before is not None and {**before, "command": command} == after:
            return self._revision_of(index, before)
        words = self.words(index)  # must still be these when the tree is written
        commands = [Command(TREE, key, before, after), Command(WORDS, self._key(index, ""), words, words)]
        state = self.store.document(project, STATE, key)
        if state is None or state["status"] == "new":
            commands.append(Command(STATE, key, state, self._state("begun", (state or {}).get("note", ""))))
        self.store.execute(project, *commands, label=label)
        return self._revision_of(index, after)

    def set_status(self, index: int, status: str) -> Entry | None:
        """Set the status of a sentence, in one step. Returns None if it changes nothing."""
        if status not in STATUSES:
            raise WorkbenchError(f"there is no status {status!r}; choose one of {', '.join(STATUSES)}")
        state = self.state(index)
        if state.status == status:
            return None
        return self._set_state(index, self._state(status, state.note), f"marking sentence {index + 1} {status}")

    def set_note(self, index: int, note: str) -> Entry | None:
        """Store a note with a sentence, in one step. Returns None if it changes nothing."""
        if len(note) > LONGEST_NOTE:
            raise WorkbenchError(f"the note has {len(note):,} characters; {LONGEST_NOTE:,} are the most")
        state = self.state(index)
        if state.note == note:
            return None
        value = self._state(state.status, note)
        return self._set_state(index, value, f"writing a note on sentence {index + 1}")

    def _state(self, status, note):
        time = datetime.now(UTC).isoformat(timespec="seconds")
        return {"status": status, "note": note, "author": self.layer or author_of(self.store), "time": time}

    def _set_state(self, index, value, label):
        key = self.key(index)
        before = self.store.document(self.corpus.project, STATE, key)
        return self.store.execute(self.corpus.project, Command(STATE, key, before, value), label=label)


def around_drawn_arcs(proposal: SentenceAnnotation, annotation: SentenceAnnotation) -> SentenceAnnotation:
    """A parser's proposal, completed around the arcs and relations that are drawn already: the nearest tree.

    Returns the proposal itself where all words of the sentence have a head, or none.
    """
    drawn = np.array(annotation.heads)
    if not 0 < (drawn >= 0).sum() < len(annotation):
        return proposal
    proposed = np.array(proposal.heads)
    heads = nearest_tree(proposed, drawn)
    relations = [
        drawn_relation or (relation if head == proposed_head else ROOT if head == 0 else LOOSE)
        for drawn_relation, relation, head, proposed_head in zip(
            annotation.deprels, proposal.deprels, heads, proposed, strict=True
        )
    ]
    return replace(proposal, heads=(-1, *heads[1:].tolist()), deprels=("", *relations[1:]))


def states_by_layer(store: Store, corpus: Corpus) -> StatesByLayer:
    """layer -> index -> SentenceState, for the sentences of a Corpus that have one. Reads the store once."""
    states: StatesByLayer = {"": {}}
    for (_, key), value in store.documents(corpus.project, STATE, f"{corpus.id}/").items():
        _, number, layer = (*key.split("/", 2), "")[:3]
        states.setdefault(layer, {})[int(number) - 1] = stored(SentenceState, value)
    order = stored_order(store, corpus)
    return {layer: order.moved(of_layer) for layer, of_layer in states.items()}


def last_annotated(states: Mapping[int, SentenceState], author: str) -> int | None:
    """The index of the sentence that ``author`` annotated last, or else anybody; None where nobody has."""
    times = {index: (state.author == author, state.time, index) for index, state in states.items() if state.time}
    return max(times, key=lambda index: times[index], default=None)


def layers_of(store: Store, corpus: Corpus) -> list[str]:
    """Names of the layers of a Corpus, the project's (``""``) first: each annotated sentence has a state."""
    return sorted(states_by_layer(store, corpus))


def checked_layer(layer: str) -> str:
    """The name of a layer, stripped. Raises WorkbenchError if it is too long or not printable."""
    layer = layer.strip()
    if len(layer) > LONGEST_LAYER or (layer and not layer.isprintable()):
        raise WorkbenchError(
            f"{layer[:40]!r} cannot name an annotator; use at most {LONGEST_LAYER} printable characters"
        )
    return layer


def author_of(store: Store) -> str:
    """The name that the store writes commands under."""
    return getattr(store, "author", "local")


def revision(value: object) -> str:
    """A hash of a stored value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def changed_since(store: Store, project: SupportsIndex, key: str, index: int) -> StoreError:
    """The StoreError that says who changed a sentence meanwhile, and when."""
    changes = (TREE, key), (WORDS, "/".join(key.split("/")[:2]))
    for entry in store.history(project, limit=50):
        if any((command.kind, command.key) in changes for command in entry.commands):
            who = "in another window" if entry.author == author_of(store) else f"by {entry.author}"
            when = f" {who} at {entry.time:%H:%M:%S} UTC"
            break
    else:
        when = ""
    return StoreError(
        f"sentence {index + 1} has been changed since{when}; nothing was overwritten: look at it as it"
        " is now and decide again"
    )
