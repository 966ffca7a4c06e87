"""The steps of the tree editor that change words: split, merge, multiword tokens, forms, spaces, insert, delete.

Sentences are split and merged likewise.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from core.annotation.sentence_block import FORM, MISC, SentenceBlock, has_no_space, sentence_block
from core.annotation.word_edits import (
    WordPart,
    checked_form,
    correct_form,
    delete_word,
    dissolve_token,
    insert_word,
    make_token,
    merge_words,
    set_space,
    split_word,
)
from core.errors import WorkbenchError
from core.languages.direction import bidi_isolate
from core.store import Corpus
from core.treebank import Treebank
from core.treebank.tagging import UNKNOWN, lists_of_language, load_closed_classes
from core.workspace.annotations import Annotations
from core.workspace.changed_words import sentence_text
from core.workspace.contractions import table_for
from core.workspace.corpora import language_of
from core.workspace.sentence_editing import merge_with_next, split_at
from core.workspace.word_editing import edit_words, places_of
from core.workspace.workspace import Workspace

FIELDS = ("lemma", "upos", "xpos", "feats")
PROJECT = "the project"
SPLIT, MERGE = "split-sentence", "merge-sentences"  # edits of whole sentences


def change_words(annotations: Annotations, index: int, step: Mapping) -> str:
    """Carry out a step of the editor that changes words, for all versions of the sentence. Returns what was done.

    ``step`` is ``{"do": "words", "edit", "word", "forms", "id"}``. ``edit`` is split (into ``forms``), merge (with the
    next word), form, token-form, insert (after the word) or delete. With token, the word and the next become one, or
    the one that holds it is dissolved; with space, the space after the word comes or goes. With split-sentence the word
    begins another sentence; merge-sentences appends the next one. Raises WorkbenchError.
    """
    workspace, corpus = annotations.workspace, annotations.corpus
    word, forms, kind = step.get("word"), step.get("forms", ()), step.get("edit")
    if type(word) is not int or not isinstance(forms, list | tuple) or kind not in (*_EDITS, SPLIT, MERGE):
        raise WorkbenchError(f"the editor asked for {kind!r}, which is not a change of words; reload the page")
    if kind in (SPLIT, MERGE):
        return _change_sentences(annotations, index, kind, word, str(step.get("id")))
    block = sentence_block(sentence_text(annotations.source, index))
    edit, label = _EDITS[kind](workspace, corpus, block, word, [checked_form(form) for form in forms])
    others = annotations.other_versions(index)
    edit_words(
        workspace, corpus, {index: lambda block: places_of(edit(block))}, label, annotations.layer, str(step.get("id"))
    )
    return f"{label}{others_sentence(others)}"


def _change_sentences(annotations, index, kind, word, command):
    workspace, corpus, layer = annotations.workspace, annotations.corpus, annotations.layer
    last = min(index + (kind == MERGE), len(annotations.source) - 1)
    others = {name for changed in (index, last) for name in annotations.other_versions(changed)}
    if kind == SPLIT:
        entry = split_at(workspace, corpus, index, word, layer, command)
    else:
        entry = merge_with_next(workspace, corpus, index, layer, command)
    return f"{entry.label if entry else ''}{others_sentence(sorted(others))}"


def others_sentence(others: Sequence[str]) -> str:
    """Who else has trees in a sentence whose words change; "" where nobody has."""
    if not others:
        return ""
    names = " and ".join(bidi_isolate(name or PROJECT) for name in others)
    return f"; {names} {'has a tree' if len(others) == 1 else 'have trees'} of this sentence, which changed too"


def proposed_splits(workspace: Workspace, corpus: Corpus, forms: Sequence[str]) -> dict[str, list[str]]:
    """Number of a word -> its parts, for ``forms`` (0..n) that the table of the text's language has. O(letters)."""
    table = table_for(workspace.store, corpus)
    return {str(word): list(parts) for word, form in enumerate(forms) if (parts := table.parts(form))}


def proposed_part(workspace: Workspace, corpus: Corpus, form: str) -> WordPart:
    """A part of a split with the tags that its form has in the text most often, else in a list of its language.

    Without a tag where the text's tags come from a list, which finds them by itself. O(rows).
    """
    source = workspace.source(corpus)
    tagging = workspace.corrections(corpus).tagging
    if not source.upos.filled and not source.xpos.filled and not (tagging and tagging.get("reader")):
        return WordPart(form)
    values = most_frequent(workspace.standing(corpus).treebank, form)
    if values is None:
        lists = [load_closed_classes(name) for name in lists_of_language(language_of(corpus))]
        tags = next((found for entries in lists if (found := entries.named(form))), ())
        return WordPart(form, upos=tags[0] if tags else "")
    return WordPart(form, values["lemma"], values["upos"], values["xpos"], values["feats"])


def most_frequent(treebank: Treebank, form: str) -> dict[str, str] | None:
    """Lemma and tags that a form has most often, by FIELDS; None where no such word has a tag. O(rows)."""
    number = treebank.form.numbers.get(form)
    if number is None:
        return None
    tag = treebank.coarse_tags
    rows = np.flatnonzero(treebank.form.ids == number)
    rows = rows[(tag.ids[rows] > 0) & (tag.ids[rows] != tag.numbers.get(UNKNOWN, -1))]
    if not len(rows):
        return None
    _, first, counts = np.unique(
        np.stack([getattr(treebank, name).ids[rows] for name in FIELDS]), axis=1, return_index=True, return_counts=True
    )
    row = int(rows[first[int(np.argmax(counts))]])
    return {name: getattr(treebank, name)[row] for name in FIELDS}


def _split(workspace, corpus, block, word, forms):
    parts = [proposed_part(workspace, corpus, form) for form in forms]
    named = " + ".join(map(bidi_isolate, forms))
    return partial(split_word, number=word, parts=parts), f"splitting {_form(block, word)} into {named}"


def _merge(workspace, corpus, block, word, forms):
    return partial(merge_words, first=word, last=word + 1), f"merging {_pair(block, word)}"


def _token(workspace, corpus, block, word, forms):
    token = block.token_of(word)
    if token is not None:
        return partial(dissolve_token, number=word), f"dissolving {bidi_isolate(token.fields[FORM])}"
    form = forms[0] if forms else None
    return partial(make_token, first=word, last=word + 1, form=form), f"making one token of {_pair(block, word)}"


def _correct(workspace, corpus, block, word, forms):
    form = _one(forms)
    return partial(correct_form, number=word, form=form), f"writing {_form(block, word)} as {bidi_isolate(form)}"


def _correct_token(workspace, corpus, block, word, forms):
    token, form = block.token_of(word), _one(forms)
    written = bidi_isolate(token.fields[FORM]) if token is not None else _form(block, word)
    edit = partial(correct_form, number=word, form=form, of_token=True)
    return edit, f"writing the token {written} as {bidi_isolate(form)}"


def _space(workspace, corpus, block, word, forms):
    token = block.token_of(word)
    fields = block.word(word).fields if token is None else token.fields
    joined = has_no_space(fields[MISC])
    return partial(set_space, number=word, space=joined), (
        f"{'writing a' if joined else 'writing no'} space after {_form(block, word)}"
    )


def _insert(workspace, corpus, block, word, forms):
    part = proposed_part(workspace, corpus, _one(forms))
    return partial(insert_word, after=word, part=part), f"inserting {bidi_isolate(part.form)}"


def _delete(workspace, corpus, block, word, forms):
    return partial(delete_word, number=word), f"deleting {_form(block, word)}"


_EDITS = {
    "split": _split, "merge": _merge, "token": _token, "form": _correct, "token-form": _correct_token,
    "space": _space, "insert": _insert, "delete": _delete,
}  # fmt: skip


def _form(block: SentenceBlock, word: int) -> str:
    return bidi_isolate(block.word(word).fields[FORM])


def _pair(block, word):
    if word == len(block.words):
        raise WorkbenchError(f"{_form(block, word)} is the last word of the sentence, so there is no next one to join")
    return f"{_form(block, word)} and {_form(block, word + 1)}"


def _one(forms):
    if len(forms) != 1:
        raise WorkbenchError("one form is needed; type it and press Enter")
    return forms[0]
