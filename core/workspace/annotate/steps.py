"""The tree editor's steps, carried out in order and once each: changes, undo, redo, a status, another sentence.

The editor shows a change before the store has it, and sends each step again until it is answered. So a step has an id
and names the revision it was made to, or the step before it. The answer is the revision afterwards.
"""

import re
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import cast

from core.annotation import SentenceAnnotation, adopt, attach, change, detach
from core.errors import StoreError, WorkbenchError
from core.languages.direction import bidi_isolate
from core.store import Corpus
from core.store.shapes import WORDS
from core.workspace.annotate.graph_steps import STEPS as ON_GRAPH
from core.workspace.annotate.graph_steps import carry_out_on_graph
from core.workspace.annotate.word_steps import change_words
from core.workspace.annotations import PARSER, Annotations, changed_since
from core.workspace.sentence_order import stored_order
from core.workspace.word_tags import STATE, TREE
from core.workspace.workspace import Workspace

DOCUMENT = re.compile(rf"(?:{TREE}|{STATE}|{WORDS}) '\d+/(\d+)[^']*'")
VALUES = {
    "deprels": "relation", "upos": "UPOS", "xpos": "XPOS", "lemmas": "lemma", "feats": "features", "gloss": "gloss",
    "translit": "transliteration",
}  # fmt: skip
KEPT = 2000  # answers remembered for steps that may be sent again


@dataclass
class Answered:
    """The answers that one tree editor has had; kept with the page's session.

    ``steps`` maps the ids of the last steps to the revision of their sentence afterwards. ``refused`` is the last
    (id, message) that could not be carried out. ``go`` is how many sentences to move on. ``index`` is the sentence that
    undo or redo changed, until somebody has moved. ``message`` names the change that undo or redo was about.

    ``lock`` is held while steps are carried out. A run of the page that is stopped because more was typed goes on
    until it next draws. Meanwhile the run in its place carries out the same steps.
    """

    steps: dict = field(default_factory=dict)
    refused: tuple | None = None
    go: int = 0
    message: str = ""
    index: int | None = None
    lock: AbstractContextManager = field(default_factory=threading.RLock, repr=False, compare=False)

    def note(self, step: str, after: str | None) -> None:
        self.steps[step] = after
        while len(self.steps) > KEPT:
            self.steps.pop(next(iter(self.steps)))


def answer(workspace: Workspace, corpus: Corpus, steps: object, answered: Answered, session: str = "") -> None:
    """Carry out the new ones among ``steps``, a list of dicts from the editor; changes ``answered``.

    Steps that cannot be carried out are answered, too: ``answered.refused`` says why.
    """
    with answered.lock:
        sent = steps if isinstance(steps, list) else []
        if any(_is_new(step, answered) for step in sent):
            answered.message = ""
        for step in sent:
            if not _is_new(step, answered):
                continue
            try:
                after = _one(workspace, corpus, step, answered, session)
            except WorkbenchError as error:
                answered.refused = (step["id"], str(error))
                after = None
            answered.note(step["id"], after)


def _is_new(step, answered):
    name = step.get("id") if isinstance(step, dict) else None
    return isinstance(name, str) and name not in answered.steps


def _one(workspace, corpus, step, answered, session):
    """Carry out one step; the revision of its sentence afterwards, None if it has none."""
    kind = step.get("do")
    if kind in ("undo", "redo"):
        return _turn(workspace, corpus, kind, step, answered, session)
    if kind == "go":
        answered.go += 1 if step.get("by") == 1 else -1
        return None
    annotations = _annotations(workspace, corpus, step)
    index = annotations.order.place(step["sentence"])
    if index is None:
        raise WorkbenchError(
            "this sentence has been merged with the one before it since; nothing was overwritten: look at that one"
        )
    if kind == "status":
        annotations.set_status(index, step.get("status"))
        return annotations.get(index)[1]
    command = step["id"]
    annotation, current = annotations.get(index)
    last = annotations.command_of(index)
    if last == command:  # carried out before the answer was lost
        return current
    follows = _follows(step, last, answered, current)
    if kind == "words":
        return _change_words(annotations, index, step, answered, follows or step.get("was") == current)
    changed, label = carry_out(annotation, step) if follows or step.get("was") == current else (annotation, "")
    was, proposal = current if follows else step.get("was"), step.get("proposal")
    is_parser = isinstance(proposal, str) and PARSER.fullmatch(proposal)
    return annotations.write(index, changed, was, command, label, proposal if is_parser else "")


def _annotations(workspace, corpus, step):
    """The Annotations that a step was made in. Raises WorkbenchError for another text."""
    if step.get("corpus") != corpus.id or type(step.get("sentence")) is not int:
        raise WorkbenchError(
            "the change was made in another text than the one open now; open that text and make it there"
        )
    layer = step.get("layer", "")
    return Annotations(workspace, corpus, layer if isinstance(layer, str) else "")


def _change_words(annotations, index, step, answered, is_current):
    """Carry out a step that changes words; the revision of its sentence afterwards."""
    words = annotations.words(index)
    if words is None or words["command"] != step["id"]:  # else it was carried out before the answer was lost
        if not is_current:
            raise changed_since(annotations.store, annotations.corpus.project, annotations.key(index), index)
        answered.message = change_words(annotations, index, step)
    return annotations.sentence_revision(index)


def _follows(step, last, answered, current):
    """Whether the step before is the last one of its sentence, or left the sentence as it still is."""
    before = step.get("after")
    return before is not None and (before == last or answered.steps.get(before) == current)


def _turn(workspace, corpus, kind, step, answered, session):
    if step.get("session") != session:
        raise WorkbenchError(f"the connection was lost before the {kind}, so nothing was undone; press the key again")
    try:
        entry = getattr(workspace.store, kind)(corpus.project)
    except StoreError as error:  # a document's key means nothing to a person
        order = stored_order(workspace.store, corpus)
        raise StoreError(DOCUMENT.sub(lambda found: _sentence_named(order, found), str(error))) from error
    answered.message = f"there is nothing to {kind}"
    if entry is None:
        return None
    answered.message = f"{'undid' if kind == 'undo' else 'redid'}: {entry.label}"
    order = stored_order(workspace.store, corpus)
    keys = [command.key.split("/") for command in entry.commands if command.kind in (TREE, STATE, WORDS)]
    places = [order.place(int(key[1]) - 1) for key in keys if key[0] == str(corpus.id)]
    answered.index = min((place for place in places if place is not None), default=answered.index)
    place = order.place(step["sentence"]) if type(step.get("sentence")) is int else None
    if place is None or not isinstance(step.get("layer"), str):
        return None
    return Annotations(workspace, corpus, step["layer"]).sentence_revision(place)


def _sentence_named(order, found):
    """What a person calls the sentence of a document that an error names."""
    place = order.place(int(found[1]) - 1)
    return "a sentence that was split" if place is None else f"sentence {place + 1}"


def carry_out(annotation: SentenceAnnotation, step: Mapping) -> tuple[SentenceAnnotation, str]:
    """(Annotation, label) after one step as the editor sends it, a dict; WorkbenchError for one that cannot be.

    ``{"do": "attach", "word", "head", "relation"}``, perhaps with ``"tags"`` for the word, a dict by column; ``{"do":
    "detach", "word"}``, ``{"do": "change", "column", "word", "value"}`` or ``{"do": "adopt", "values"}``.
    Those on the enhanced graph are in ``carry_out_on_graph``.
    """
    if step.get("do") in ON_GRAPH:
        return carry_out_on_graph(annotation, step)
    kind, word = step.get("do"), cast(int, step.get("word"))  # what is no word is refused by what it is done to
    if kind == "attach":
        after = attach(annotation, word, cast(int, step.get("head")), step.get("relation"))
        tags = step.get("tags")
        for column, value in tags.items() if isinstance(tags, dict) else ():
            after = change(after, column, word, value)
        head = step["head"]
        form, head_form = bidi_isolate(annotation.forms[word]), bidi_isolate(annotation.forms[head])
        return after, f"attaching {form} to {head_form}" if head else f"making {form} the root"
    if kind == "detach":
        return detach(annotation, word), f"detaching {bidi_isolate(annotation.forms[word])}"
    if kind == "change":
        after = change(annotation, cast(str, step.get("column")), word, cast(str, step.get("value")))
        value = getattr(after, step["column"])[word] or "nothing"
        return after, f"setting the {VALUES[step['column']]} of {bidi_isolate(annotation.forms[word])} to {value}"
    if kind == "adopt" and isinstance(step.get("values"), dict):
        return adopt(annotation, step["values"]), "accepting the proposal"
    raise WorkbenchError(f"the editor asked for {kind!r}, which is not a change of a tree; reload the page")
