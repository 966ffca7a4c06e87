"""Proposals that are decided anew around what is drawn, by parsers that learn from the sentences that are done."""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from core.annotation import TAGS, SentenceAnnotation, with_tags
from core.errors import WorkbenchError
from core.evaluation.learnt import has_heads
from core.parsers.constrained_completion import alternatives, complete, given_in_part
from core.parsers.labels import NO_RELATIONS
from core.parsers.protocols import Parser, Retagger
from core.parsers.universal.learning import AT_ONCE, helped
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.annotations import Annotations, around_drawn_arcs
from core.workspace.applied import UNIVERSAL, is_applied, parser_of, universal_for
from core.workspace.corpora import language_of
from core.workspace.parses import run_of
from core.workspace.registry import Systems
from core.workspace.relations import chosen_relations
from core.workspace.system import System
from core.workspace.workspace import Workspace

OTHERS = 7  # further trees that a key goes through
MOST = 300  # sentences learnt from, those done last: learning from them takes about two seconds


class TreeProposal(NamedTuple):
    """A parser's tree of a sentence around what is drawn of it, and the next best ones, best first."""

    annotation: SentenceAnnotation
    others: tuple[SentenceAnnotation, ...] = ()


class ProposingParser(NamedTuple):
    """A parser that proposes trees; ``key`` names it and all that it has learnt, for caches."""

    key: Hashable
    parser: Parser


def decided_proposal(
    systems: Systems, annotations: Annotations, index: int, key: str, parsed: SentenceAnnotation | None = None
) -> TreeProposal | None:
    """What the parser behind an AvailableParse's key proposes for a sentence around the arcs drawn in it.

    Parameters
    ----------
    systems : Systems
    annotations : Annotations
    index : int
        Of the sentence.
    key : str
    parsed : SentenceAnnotation, optional
        The sentence in the parse of that key, which is what is proposed where nothing is drawn, or all.

    Returns
    -------
    TreeProposal or None
        None where nothing stands behind the key that could parse, and the sentence is not ``parsed``.

    Raises
    ------
    WorkbenchError : the parser is gone, or cannot read the sentence, which is not ``parsed``.
    """
    corpus, cache, annotation = annotations.corpus, systems.workspace.cache, annotations.get(index)[0]
    try:
        proposing = proposing_parser(systems, corpus, key, annotations.layer, index)
        if proposing is not None:
            name = proposing.key, corpus.id, index, annotation, parsed
            return cache.get("proposals", name, lambda: around(proposing.parser, _text(annotations, index), parsed))
    except WorkbenchError as error:
        if parsed is None:
            raise WorkbenchError(f"The parser cannot parse this sentence: {error}") from error
    return None if parsed is None else TreeProposal(around_drawn_arcs(parsed, annotation))


def _text(annotations, index):
    """A sentence as it stands in a version, alone."""
    annotation, file = annotations.get(index)[0], annotations.source.select(np.array([index])).to_conllu()
    tagged = with_tags(file, {0: {name: getattr(annotation, name)[1:] for name in TAGS}})
    return tagged.with_heads(annotation.heads, annotation.deprels)


def around(parser: Parser, text: Treebank, parsed: SentenceAnnotation | None = None) -> TreeProposal:
    """The trees of a parser around the arcs and relations of one sentence; around none where all words have a head.

    Where nothing is drawn the first tree is ``parsed``, if it is given. Raises WorkbenchError for tags that the parser
    does not know. O(n^3) for most parsers.
    """
    text = parser.tag_unknown(text) if isinstance(parser, Retagger) else text
    drawn = text.heads >= 0
    is_begun = bool(given_in_part(text)[0])
    if not is_begun:
        drawn = np.zeros(len(drawn), bool)
        text = text.with_heads(np.full(len(drawn), -1, np.int32))
    if parsed is None or is_begun:
        first = complete(parser, text).treebank
    else:
        first = text.with_heads(parsed.heads, parsed.deprels)
    trees = [first, *alternatives(parser, text, first, OTHERS)]
    if {relation for tree in trees for relation in tree.deprel.strings()[~drawn].tolist()} <= {*NO_RELATIONS}:
        trees = [_without_names(tree, drawn) for tree in trees]
    shown, *others = [SentenceAnnotation.of(tree[0]) for tree in trees]
    return TreeProposal(shown if is_begun or parsed is None else parsed, tuple(others))


def _without_names(tree, drawn):
    """A tree of a parser that names no relations, without the ones that stand in for them."""
    named = drawn | (tree.heads == 0)
    return tree.with_heads(tree.heads, np.where(named, tree.deprel.strings(), "").tolist())


def proposing_parser(
    systems: Systems, corpus: Corpus, key: str, layer: str = "", index: int | None = None
) -> ProposingParser | None:
    """The parser behind an AvailableParse's key; None for a parse that nothing can be asked of.

    The universal parser has learnt from the sentences of a version that are done, but for one that is done itself:
    what is proposed for sentence ``index`` then is not its own tree. Raises WorkbenchError where the parser is gone.
    """
    if key == UNIVERSAL.key:
        return _universal(systems, corpus, layer, index)
    if is_applied(key):
        return ProposingParser((key, corpus.project), parser_of(systems, corpus.project, key))
    run = run_of(systems.workspace, key) if key.startswith("run-") else None
    system = systems.get(run.kind) if run is not None else None
    if run is None or system is None or key != f"run-{run.id}" or type(system).parser is System.parser:
        return None
    name = run.id, run.finished, chosen_relations(systems.workspace, corpus).key
    return ProposingParser(name, systems.workspace.cache.get("proposing", name, lambda: system.labelled_parser(run)))


def _universal(systems, corpus, layer, index):
    """The universal parser conditioned as it is elsewhere, and corrected by what is done."""
    workspace = systems.workspace
    answers, conditioned = universal_for(workspace, corpus)
    name = UNIVERSAL.key, workspace.read_key(corpus), corpus.project, language_of(corpus), answers
    plain = workspace.cache.get("proposing", name, lambda: conditioned().with_cache())
    trees = finished_trees(workspace, corpus, layer)
    if index in workspace.of_version(layer).corrections(corpus).done or not len(trees):
        return ProposingParser(name, plain)
    learnt = *name, trees.content_hash
    return ProposingParser(learnt, workspace.cache.get("proposing", learnt, lambda: helped(plain, trees)))


def finished_trees(workspace: Workspace, corpus: Corpus, layer: str = "") -> Treebank:
    """The trees of a version that its parser learns from: of sentences that are done, in the order in which they were.

    Learnt from are AT_ONCE sentences more at a time, and MOST at most.
    """
    version = workspace.of_version(layer)
    corrections = version.corrections(corpus)

    def make():
        states, treebank = Annotations(workspace, corpus, layer).states(), version.standing(corpus).treebank
        with_heads = has_heads(treebank)
        done = [i for i in corrections.done if i < len(with_heads) and with_heads[i]]
        done.sort(key=lambda i: (states[i].time if i in states else "", i))
        return treebank.select(np.array(done[: len(done) // AT_ONCE * AT_ONCE][-MOST:], np.int64))

    names = corrections.digests.tags_done, corrections.digests.trees_done
    return workspace.cache.get("finished", (version.read_key(corpus), layer, names), make)
