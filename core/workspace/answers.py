"""Answers of language models and other tools as parses of a text, and the prompts that ask for them.

Nothing is sent anywhere: people copy a prompt and paste an answer.
"""

import hashlib
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.annotation.label_inventories import LabelInventories
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads
from core.languages.names import UNKNOWN, language_name
from core.proposals import Adopted, adopt, example_trees, prompt, read_answer
from core.store import Corpus
from core.treebank import conllu_text, load_sample
from core.workspace.applied import UNIVERSAL, applied
from core.workspace.corpora import language_of
from core.workspace.texts import ONLY_PARSE, PARSE_OF
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # loads every system, which the first page has no use for

CHECKED, OTHERS = 20, 10  # sentences that a prompt asks for at first: some whose trees are known, and others
ALL = "all"


def summary(adopted: Adopted) -> str:
    """Such as ``12 sentences, 11 used, 14 changes``."""
    sentences, changes = amount(adopted.found, "sentence"), amount(len(adopted.changes), "change")
    return f"{sentences}, {len(adopted.used):,} used, {changes}"


def change_table(adopted: Adopted, kind: str = ALL) -> dict[str, list]:
    """The changes of a kind, a row each, sentences counted from 1; None for no sentence or word of the text."""
    chosen = [change for change in adopted.changes if kind in (ALL, change.kind)]
    return {
        "sentence": [change.sentence + 1 or None for change in chosen],
        "word": [change.word or None for change in chosen],
    } | {name: [getattr(change, name) for change in chosen] for name in ("kind", "before", "after", "reason")}


def read_adopted(systems: "Systems", corpus: Corpus, answer: str) -> Adopted:
    """What an answer says of a Corpus, as the parse that it becomes; cached.

    The universal parser decides what the answer leaves open, if it can read the text, and that does not take long.
    Raises WorkbenchError for an answer without trees, and for one of another text.
    """
    workspace = systems.workspace
    key = workspace.corpus_key(corpus), hashlib.sha256(answer.encode("utf-8", "surrogatepass")).digest()

    def make():
        text, sentences = workspace.treebank(corpus), read_answer(answer)
        return adopt(text, sentences, _at_hand(systems, corpus, text), _inventories(workspace, corpus))

    return workspace.cache.get("adopted", key, make)


def _at_hand(systems, corpus, text):
    if text.token_count > systems.workspace.large:
        return None
    try:
        return applied(systems, corpus, UNIVERSAL.key)
    except WorkbenchError:  # a text without universal tags
        return None


def keep_answer(workspace: Workspace, corpus: Corpus, name: str, adopted: Adopted) -> str:
    """Store an Adopted as a parse of a Corpus, in one command; returns its key. Raises WorkbenchError for no name."""
    if not name.strip():
        raise WorkbenchError("a parse needs a name; type one")
    data = conllu_text(adopted.treebank.to_conllu()).encode()
    settings = {PARSE_OF: corpus.id, ONLY_PARSE: True}
    return f"corpus-{workspace.store.add_corpus(corpus.project, name.strip(), data, 'conllu', settings=settings)}"


def prompt_sentences(workspace: Workspace, corpus: Corpus) -> list[int]:
    """The sentences of a Corpus, from 0, that a prompt asks for at first: some that are checked, then others.

    By its trees of checked sentences a parse is trusted. Examples are not asked for.
    """
    text, checked = workspace.treebank(corpus), _checked(workspace, corpus)
    shown = example_trees(text.select(checked)).picks if len(checked) else checked
    others = np.setdiff1d(np.arange(len(text)), checked)
    chosen = checked[~np.isin(text.picks[checked], shown)][:CHECKED]
    return [*chosen.tolist(), *others[:OTHERS].tolist()]


def prompt_of(workspace: Workspace, corpus: Corpus, sentences: list[int]) -> str:
    """The prompt that asks for some sentences of a Corpus, from 0, by the examples of its checked trees.

    Of a text without any by those of the sample.
    """
    text, code = workspace.treebank(corpus), language_of(corpus)
    checked = _checked(workspace, corpus)
    examples = example_trees(text.select(checked))
    examples = examples if len(examples) else example_trees(load_sample())
    inventories = _inventories(workspace, corpus) if len(checked) else LabelInventories.of(examples)
    return prompt(text, sentences, examples, inventories, "" if code == UNKNOWN else language_name(code))


def _checked(workspace, corpus):
    """int64: the sentences with trees that count: those corrected by hand and done, else those of the file."""
    settled = workspace.settled(corpus)
    if len(settled.by_hand):
        return settled.by_hand
    return np.flatnonzero(has_heads(settled.treebank))


def _inventories(workspace, corpus):
    make = partial(LabelInventories.of, workspace.treebank(corpus))
    return workspace.cache.get("inventories of answers", workspace.corpus_key(corpus), make)
