"""Parsers' proposals for a sentence that is being annotated."""

from collections.abc import Iterable

import numpy as np

from core.annotation import SentenceAnnotation
from core.errors import WorkbenchError
from core.parsers import English
from core.parsers.constrained_completion import complete
from core.parsers.labels import has_relations
from core.store import Corpus, CorpusId, DocumentKind, ParseKey, Store
from core.treebank import Treebank
from core.workspace.applied import AvailableParse
from core.workspace.parses import BASELINES, available_trees, load_parse
from core.workspace.registry import Systems

NONE = AvailableParse("none", "no proposal")
KIND = "annotation-proposal"  # of the document that holds whose proposals a text shows
STORED = (DocumentKind(KIND, CorpusId, ParseKey),)


def offered_proposals(systems: Systems, corpus: Corpus) -> list[AvailableParse]:
    """The AvailableParses of a Corpus: none, then ``available_trees`` without the baselines."""
    return [NONE, *(offer for offer in available_trees(systems, corpus) if offer.key not in BASELINES)]


def remembered_proposal(store: Store, corpus: Corpus) -> str:
    """The key of the AvailableParse chosen last for a Corpus; NONE's by default."""
    return store.document(corpus.project, KIND, str(corpus.id)) or NONE.key


def remember_proposal(store: Store, corpus: Corpus, key: str) -> None:
    """Keep which parse was chosen for a Corpus. Raises StoreError."""
    store.remember(corpus.project, KIND, str(corpus.id), key)


def english_proposal(english: English, annotation: SentenceAnnotation) -> SentenceAnnotation:
    """The words of an annotation as ``English`` parses them; it tags words that have no tag, or X."""
    tagged = english.tag_unknown(bare_treebank([annotation]))
    return SentenceAnnotation.of(english.parse(tagged)[0])


def english_around(english: English, annotation: SentenceAnnotation) -> SentenceAnnotation:
    """The words of an annotation as ``English`` parses them around the arcs and relations that are drawn already."""
    words = english.tag_unknown(bare_treebank([annotation]))
    if annotation.complete:
        return SentenceAnnotation.of(english.parse(words)[0])
    drawn = words.with_heads(annotation.heads, annotation.deprels)
    return SentenceAnnotation.of(complete(english, drawn).treebank[0])


def bare_treebank(annotations: Iterable[SentenceAnnotation]) -> Treebank:
    """The words and tags of Annotations as a Treebank without trees."""
    sentences = (
        {name: getattr(annotation, name)[1:] for name in ("forms", "lemmas", "upos", "xpos", "feats")}
        for annotation in annotations
    )
    return Treebank.from_sentences(sentences)


def parse_of(systems: Systems, corpus: Corpus, key: str) -> Treebank:
    """A whole parse of a Corpus, by the key of its AvailableParse; as ``load_parse``.

    Of a parser that names no relations it has none but ``root``: nobody is to take ``dep`` for a proposal.
    """
    parse = load_parse(systems, corpus, key)
    if has_relations(parse):
        return parse
    return parse.with_heads(parse.heads, np.where(parse.heads == 0, "root", "").tolist())


def proposed(parse: Treebank, source: Treebank, index: int) -> SentenceAnnotation | None:
    """A sentence of ``source`` as a parse, a Treebank, has it; None if the sentence is not in the parse."""
    matches = np.flatnonzero(parse.picks == source.picks[index])
    if not len(matches):
        return None
    annotation = SentenceAnnotation.of(parse[int(matches[0])])
    if annotation.forms != source[index].forms:
        raise WorkbenchError("this parse has other words than the text; choose another proposal")
    return annotation
