"""A whole text under the trees of one of its parses, to be searched and exported as CoNLL-U.

A run may have parsed a part of the text only. Where its system can, the rest is parsed here; else the sentences that
were left out have no trees.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from core.annotation import SentenceAnnotation, annotated
from core.parsers.labels import has_relations
from core.store import Corpus
from core.treebank import Treebank
from core.treebank.provenance import commented, whose_tree
from core.treebank.unpunctuated import heads_between_words, restore_punctuation
from core.workspace.annotations import Annotations, around_drawn_arcs
from core.workspace.applied import parse_in_parts
from core.workspace.parses import available_trees, is_predicted, load_bare_parse, run_of
from core.workspace.relations import NONE, Relations, chosen_relations

if TYPE_CHECKING:
    from core.workspace.registry import Systems  # takes a quarter of a second, which the first page does not need


@dataclass(frozen=True, eq=False)
class ParsedText:
    """A corpus under other trees.

    Attributes
    ----------
    treebank : Treebank
        Every sentence of the corpus, in its order; heads are -1 where the parse has none.
    has_tree : ndarray of shape (S,), dtype bool
        Whether a sentence has a tree of the parse.
    name : str
        The name of the parse.
    relations : str
        The source of the relations in words; "" if they are the parser's own.
    by_hand : mapping of int to SentenceAnnotation
        The manually drawn trees, whole or partial, by sentence index.
    """

    treebank: Treebank
    has_tree: np.ndarray
    name: str
    relations: str = ""
    by_hand: Mapping[int, SentenceAnnotation] = field(default_factory=dict)

    @property
    def parsed(self) -> int:
        """How many sentences have a tree."""
        return int(self.has_tree.sum())

    @property
    def missing(self) -> int:
        """How many sentences have no tree."""
        return len(self.has_tree) - self.parsed

    @property
    def drawn(self) -> int:
        """How many sentences of the CoNLL-U text hold manually drawn arcs."""
        return sum(bool(self.has_tree[index]) for index in self.by_hand)

    @property
    def bare(self) -> int:
        """How many words of the ``written`` sentences have no head."""
        return int((self.written.heads[self.written.is_word] < 0).sum())

    @cached_property
    def written(self) -> Treebank:
        """The sentences with trees; punctuation that the parser did not see hangs on the words around it."""
        return _with_marks(self.treebank.select(self.has_tree))

    def conllu(self) -> str:
        """The sentences with trees as CoNLL-U text: comments, words and tags as they are in the corpus.

        Heads and relations drawn by hand take the place of the parse's; comments say whose tree a sentence has.
        """
        bank, comments, drawn = self.written.to_conllu(), [], {}
        for k, index in enumerate(np.flatnonzero(self.has_tree).tolist()):
            hand, known_words, whole = self.by_hand.get(index), [], False
            if hand is not None:
                known_words, whole = [word for word, head in enumerate(hand.heads) if head >= 0], hand.complete
                drawn[k] = hand if whole else around_drawn_arcs(SentenceAnnotation.of(bank[k]), hand)
            relations = [f"# relations = {self.relations}"] if self.relations and not whole else []
            comments.append([whose_tree(self.name, known_words, whole), *relations])
        return "".join(map(commented, annotated(bank, drawn), comments))


def parsed_text(systems: "Systems", corpus: Corpus, key: str) -> ParsedText:
    """The ParsedText of one AvailableParse's key. Raises as ``load_parse``.

    Takes seconds where a parser has much left to parse: sum of n^3 over the sentences that it was not trained on.
    """
    workspace, run = systems.workspace, run_of(systems.workspace, key)
    whole, parse = workspace.treebank(corpus), load_bare_parse(systems, corpus, key)
    no_need = not is_predicted(key) or has_relations(parse)
    chosen = Relations(NONE, NONE) if no_need else chosen_relations(workspace, corpus)
    in_parse, rest = np.isin(whole.picks, parse.picks), np.zeros(len(whole), bool)
    parts = [(in_parse, chosen.applied(parse))]
    if run is not None and run.kind in systems and not in_parse.all():
        rest = systems[run.kind].left_out(run, whole)
        if rest.any():
            parsed_rest = parse_in_parts(systems[run.kind].parser(run), whole.select(rest))
            parts.append((rest, chosen.applied(parsed_rest)))
    heads = np.full(len(whole.heads), -1, np.int32)
    relations = np.full(len(heads), "", object)
    for sentences, bank in parts:
        rows = np.repeat(sentences, whole.lengths + 1)
        heads[rows] = bank.heads
        relations[rows] = bank.deprel.strings()
    hand = Annotations(workspace, corpus).trees() if is_predicted(key) else {}
    name = next((offer.name for offer in available_trees(systems, corpus) if offer.key == key), key)
    return ParsedText(whole.with_heads(heads, relations.tolist()), in_parse | rest, name, chosen.source, hand)


def file_name(corpus: Corpus, key: str) -> str:
    """The name of the CoNLL-U file of an AvailableParse's key."""
    return f"{PurePath(corpus.name).stem} {key}.conllu"


def _with_marks(bank):
    """A treebank in which punctuation without heads has some, if all words have one."""
    marks, known = bank.punctuation(), bank.heads >= 0
    bare = marks & ~known
    if not bare.any() or not (known | marks)[bank.is_word].all():
        return bank
    words = bank.without_punctuation()
    heads = restore_punctuation(bank, words, heads_between_words(bank, words))
    relations = bank.deprel.strings()
    relations[bare] = np.where(heads[bare] == 0, "root", "punct" if has_relations(bank) else "dep")
    return bank.with_heads(np.where(bare, heads, bank.heads), relations.tolist())
