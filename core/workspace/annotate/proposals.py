"""Parsers' proposals for a sentence that is being annotated."""

import numpy as np

from core.annotation import SentenceAnnotation
from core.errors import WorkbenchError
from core.parsers.labels import has_relations
from core.store import Corpus, CorpusId, DocumentKind, ParseKey, Store
from core.treebank import Treebank
from core.workspace.applied import AvailableParse, parser_of_language
from core.workspace.parses import (
    BASELINES,
    available_trees,
    load_parse,
    offered_parses,
    run_of,
    words_changed_since,
)
from core.workspace.registry import Systems

NONE = AvailableParse("none", "no proposal")
KIND = "annotation-proposal"  # of the document that holds whose proposals a text shows
STORED = (DocumentKind(KIND, CorpusId, ParseKey),)


def offered_proposals(systems: Systems, corpus: Corpus) -> list[AvailableParse]:
    """The AvailableParses of a Corpus: none, then ``available_trees`` without the baselines."""
    return [NONE, *(offer for offer in available_trees(systems, corpus) if offer.key not in BASELINES)]


def remembered_proposal(systems: Systems, corpus: Corpus) -> str:
    """The key of the AvailableParse chosen last for a Corpus; by default the parser of its language, else NONE's.

    A run gives way to a newer one of its kind that ended after the choice.
    """
    chosen = systems.workspace.store.document(corpus.project, KIND, str(corpus.id))
    if chosen is None:
        return parser_of_language(systems, corpus) or NONE.key
    return _newer(systems, corpus, chosen) or chosen


def _newer(systems, corpus, chosen):
    """The key of the newest run that gives the same kind of trees and ended after ``chosen`` was chosen, or None."""
    store, offers = systems.workspace.store, offered_parses(systems, corpus)
    if not chosen.startswith("run-") or chosen not in {offer.key for offer in offers}:
        return None
    run, part = run_of(systems.workspace, chosen), chosen.split("-", 2)[2:]
    for offer in offers:  # newest first
        other = run_of(systems.workspace, offer.key) if offer.key.startswith("run-") else None
        if run is None or other is None or (other.kind, offer.key.split("-", 2)[2:]) != (run.kind, part):
            continue
        since = store.changes(corpus.project, (KIND,), since=other.finished or other.created)
        is_known = other.id <= run.id or any(command.key == str(corpus.id) for command in since)
        return None if is_known else offer.key
    return None


def remember_proposal(store: Store, corpus: Corpus, key: str) -> None:
    """Keep which parse was chosen for a Corpus, and that it was now. Raises StoreError."""
    if store.document(corpus.project, KIND, str(corpus.id)) == key:  # the same once more would leave no trace
        store.remember(corpus.project, KIND, str(corpus.id), None)
    store.remember(corpus.project, KIND, str(corpus.id), key)


def parse_of(systems: Systems, corpus: Corpus, key: str) -> Treebank:
    """A whole parse of a Corpus, by the key of its AvailableParse; as ``load_parse``.

    Of a parser that names no relations it has none but ``root``: nobody is to take ``dep`` for a proposal.
    """
    parse = load_parse(systems, corpus, key)
    if has_relations(parse):
        return parse
    return parse.with_heads(parse.heads, np.where(parse.heads == 0, "root", "").tolist())


def missing_tree(systems: Systems, corpus: Corpus, key: str, name: str, index: int) -> WorkbenchError:
    """The error that says why the AvailableParse of a key, called ``name``, has no tree for a sentence."""
    run = run_of(systems.workspace, key)
    if run is not None and index in words_changed_since(systems.workspace, corpus, run):
        return WorkbenchError(
            f"{name} has no tree for this sentence, whose words were changed since; run it again, or choose another"
        )
    return WorkbenchError(f"{name} has no tree for this sentence; choose another proposal, or another sentence")


def proposed(parse: Treebank, source: Treebank, index: int) -> SentenceAnnotation | None:
    """A sentence of ``source`` as a parse, a Treebank, has it; None if the sentence is not in the parse."""
    matches = np.flatnonzero(parse.picks == source.picks[index])
    if not len(matches):
        return None
    annotation = SentenceAnnotation.of(parse[int(matches[0])])
    if annotation.forms != source[index].forms:
        raise WorkbenchError("this parse has other words than the text; choose another proposal")
    return annotation
