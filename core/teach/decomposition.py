"""One run of dual decomposition, round by round: a parser and a consensus on contexts that must agree on two sentences.

The two sentences are any of a text, whose other trees say what heads words in a context have. Without a text they are
those of rush2012's Figure 1, in words of our own: an adjective after a determiner attached to a noun in training and in
one sentence; in the other the parser alone is nearly torn, and wrong. The run is live, by
``core.consistency.parse_consistently``, and told from its trace.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from core.consistency import ConsistencySettings, ConsistentParses, ContextIndex, parse_consistently
from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, arc_heights
from core.errors import WorkbenchError
from core.parsers.scores import ParserScores
from core.teach.agreement import LEARNT_FROM, PLACES, AgreementWalk, Pairing, SolverWords, how_lively, signed
from core.teach.step import AlgorithmTrace, Example, arrow
from core.treebank import Treebank
from core.trees import PackedScores, eisner

TRAINING = ("they painted the small boat", "PRON VERB DET ADJ NOUN", (2, 0, 5, 5, 2))
TEST = (
    ("the quiet neighbours sang", "DET ADJ NOUN VERB", (4, 4, 4, 0)),  # what the parser prefers, by a tenth
    ("she kept a broken clock", "PRON VERB DET ADJ NOUN", (2, 0, 5, 5, 2)),
)
PREFERRED = 2.0  # score of the preferred arcs
HIGH = 171.0  # of a tree, beside which there are another one and the values
TORN = 0  # the sentence about whose second word the parser is torn
NEARLY = {(4, 1): 1.9, (3, 1): 2.0, (3, 2): 1.8}  # its other scores: on "neighbours" both words are worth 0.1 less
SETTINGS = ConsistencySettings(
    minimum_count=1, width=2, delta1=0.6, delta2=0.3, delta3=0.1, unit="score", start=0.0, step=1.0, prune=None
)
PAIR_SETTINGS = ConsistencySettings(
    threshold=0.6, minimum_count=2, width=2, delta1=2.0, delta2=1.0, delta3=0.5, unit="score", start=0.0, step=0.5,
    prune=None, presolve=False, branches=0, iterations=40, release=False,
)  # fmt: skip
WORDS = SolverWords(
    "parser", "head", "trees", "tree", "arcs into", "other trees’ votes, in units of the scores"
)  # fmt: skip
PAIR_WORDS = replace(WORDS, worth="other trees’ votes, in nats", unit=" nats")


class GivenScores:
    """A parser whose scores are known: a table (n + 1, n + 1) for each sentence, given as its words."""

    def __init__(self, sentences: Sequence[tuple[str, ...]], tables: Sequence[np.ndarray]):
        self.tables = dict(zip(sentences, tables, strict=True))

    def score(self, treebank: Treebank) -> ParserScores:
        """ParserScores, as ``core.consistency`` asks a parser for them."""
        return ParserScores(PackedScores.from_matrices([self.tables[tuple(sentence.forms)] for sentence in treebank]))


def run_example() -> ConsistentParses:
    """The ConsistentParses of the built-in example."""
    return parse_consistently(built_in_parser(), bank_of([TRAINING]), bank_of(TEST), SETTINGS)


def built_in_parser() -> GivenScores:
    """The parser of the built-in example: 2 for the arcs of its trees, 0 for all others but three."""
    sentences, tables = [], []
    for index, (forms, _, heads) in enumerate(TEST):
        table = np.zeros((len(heads) + 1,) * 2)
        table[list(heads), np.arange(1, len(heads) + 1)] = PREFERRED
        if index == TORN:
            for arc, score in NEARLY.items():
                table[arc] = score
        sentences.append(("", *forms.split()))
        tables.append(table)
    return GivenScores(sentences, tables)


def run_pair(example: Example) -> ConsistentParses:
    """The ConsistentParses of an Example with a second sentence and a text.

    Raises WorkbenchError where the sentences are the same, a text without trees or tags, or no context is shared.
    """
    second = example.second
    assert example.text is not None and second is not None
    if example.words == second.words:
        raise WorkbenchError("both sentences have the same words; choose another second sentence")
    column = example.text.coarse_name
    train = taught_by(example.text)
    test = Treebank.from_sentences(
        [{"forms": list(one.words[1:]), column: list(one.tags[1:])} for one in (example, second)]
    )
    index = ContextIndex(train, test, tags=column)
    contexts = index.select(PAIR_SETTINGS.contexts).test_contexts
    if not shared_contexts(contexts, test.offsets[1]):
        raise WorkbenchError(
            "the two sentences share no context that the text’s other trees know; choose another second sentence, or "
            "the built-in example"
        )
    return parse_consistently(pair_parser(example), train, test, PAIR_SETTINGS, tags=column, index=index)


def pair_parser(example: Example) -> GivenScores:
    """The parser of an Example's sentences, by their scores."""
    pair = [one for one in (example, example.second) if one is not None]
    return GivenScores([one.words for one in pair], [one.scores for one in pair])


def liveliness(example: Example) -> tuple[bool, ...]:
    """How much the run of an Example shows; see ``how_lively``. Raises as ``run_pair``."""
    parses = run_pair(example)
    return how_lively(parses, parses.base_heads.values, parses.heads.values, shared_rows(parses))


def shared_rows(parses: ConsistentParses) -> np.ndarray:
    """bool (rows,): words in contexts in which both sentences have words."""
    contexts = parses.contexts.test_contexts
    return np.isin(contexts, list(shared_contexts(contexts, int(parses.treebank.offsets[1]))))


def taught_by(text: Treebank) -> Treebank:
    """The sentences of a text whose contexts count: the first ``LEARNT_FROM`` with a head.

    Raises WorkbenchError where there are none, or no tags.
    """
    with_heads = np.add.reduceat(text.heads >= 0, text.offsets[:-1]) > 0 if len(text) else np.zeros(0, bool)
    if not with_heads.any() or not text.coarse_tags.filled:
        raise WorkbenchError(
            "contexts are learnt from the text’s other trees and their tags, and there are none; choose the built-in "
            "example, or a text with trees and tags"
        )
    return text.select(np.flatnonzero(with_heads)[:LEARNT_FROM])


def shared_contexts(contexts: np.ndarray, end: int) -> set[int]:
    """The contexts of words before row ``end`` that words after it stand in too."""
    return (set(contexts[:end].tolist()) & set(contexts[end:].tolist())) - {-1}


def sharing_sentences(text: Treebank, first: int, others: Sequence[int]) -> list[int]:
    """The sentences among ``others`` that share a context with sentence ``first``; most contexts first.

    Raises WorkbenchError for a text without trees or tags.
    """
    others = [other for other in others if other != first]
    train = taught_by(text.select(np.delete(np.arange(len(text)), first)))
    test = text.select([first, *others])
    contexts = ContextIndex(train, test, tags=text.coarse_name).select(PAIR_SETTINGS.contexts).test_contexts
    contexts_of_first = set(contexts[: test.offsets[1]].tolist()) - {-1}
    rows = [contexts[a:b] for a, b in zip(test.offsets[1:-1], test.offsets[2:], strict=True)]
    counts = {other: len(contexts_of_first & set(row.tolist())) for other, row in zip(others, rows, strict=True)}
    return sorted((other for other in others if counts[other]), key=lambda other: (-counts[other], other))


def trace_decomposition(example: Example | None = None) -> AlgorithmTrace:
    """The rounds of two sentences of a text; of the built-in example where there is no second one.

    Notes
    -----
    Source: Rush, Reichart, Collins & Globerson (2012), sections 4 to 6 and Figure 1. Each word has a step of its own,
    that halves, thirds, ... as often as an arc whose price rose falls next: ``DualSettings``, decay "decision".
    """
    if example is None or example.second is None:
        walk = _DecompositionWalk(run_example(), built_in_parser(), WORDS)
    else:
        walk = _DecompositionWalk(run_pair(example), pair_parser(example), PAIR_WORDS)
    return AlgorithmTrace("decomposition", walk.all_words, tuple(walk.steps()), {"parses": walk.parses})


PAIRING = Pairing(
    "a context",
    "shares a context with sentence {} that other trees know",
    "The first in the list shares a context with the sentence above: tags around a word that, by the text’s other "
    f"trees (the first {LEARNT_FROM:,}), say which tag its head has. Scores are those of an arc-factored CRF trained "
    "on the text’s short trees, these two perhaps among them, in nats, rounded to a tenth. The consensus pays "
    f"{PAIR_SETTINGS.delta1:g} nats for a head of the context’s tag.",
    liveliness,
    sharing_sentences,
    (TEST[0][0], TEST[1][0]),
    ("the old man saw her duck", "the farmer sold her duck to the old man"),
)


def bank_of(rows: Iterable[tuple[str, str, Sequence[int]]]) -> Treebank:
    """The sentences with forms and tags, in a string each, and heads."""
    return Treebank.from_sentences(
        [{"forms": forms.split(), "upos": tags.split(), "heads": list(heads)} for forms, tags, heads in rows]
    )


class _DecompositionWalk(AgreementWalk):
    def __init__(self, parses, parser, words):
        self.parses, self.treebank = parses, parses.treebank
        self.scores = [parser.tables[tuple(sentence.forms)] for sentence in self.treebank]
        self.arc_offsets = PackedScores.empty(self.treebank.lengths).offsets
        super().__init__(parses, parses.base_heads.values, parses.heads.values, shared_rows(parses), words)
        drawn = [(self.base, {}), *self.rounds, (self.final, {})]
        self.levels = max(
            max(arc_heights(self._arcs(s, heads[s], prices))) for heads, prices in drawn for s in range(len(PLACES))
        )

    def name(self, decision):
        s, h, m = decision
        return arrow(self.sentences[s], h, m)

    def outcome(self, decision):
        return self.name(decision)

    def memory(self, s, m):
        """What the training text says of a word's context."""
        contexts = self.parses.contexts
        context = int(contexts.test_contexts[self.offsets[s] + m])
        votes = contexts.observed[context]
        if not votes.any():
            return f"No word of other trees votes in its context, {contexts.names[context]}."
        label, best = contexts.index.labels.names[int(votes.argmax())], int(votes.max())
        votes_for = "the root" if votes.argmax() == 0 else f"a head tagged {label}"
        words = "1 word is" if votes.sum() == 1 else f"{votes.sum():,} words are"
        return f"In other trees {words} in its context, {contexts.names[context]}: {best:,} vote for {votes_for}."

    def loss(self, decision):
        s, h, m = decision
        forced = self.scores[s].copy()
        forced[np.arange(len(forced)) != h, m] = -np.inf
        best, other = (eisner(scores) for scores in (self.scores[s], forced))
        words = np.arange(1, len(forced))
        return float(self.scores[s][best[1:], words].sum() - self.scores[s][other[1:], words].sum())

    def decision(self, entry):
        s = int(np.searchsorted(self.arc_offsets, entry, side="right")) - 1
        return s, *divmod(entry - int(self.arc_offsets[s]), int(self.treebank.lengths[s]) + 1)

    def _arcs(self, s, heads, prices):
        """The tree of a sentence, and the arcs beside it that have a price."""
        arcs = []
        for m in range(1, len(self.sentences[s])):
            h = int(heads[m])
            label = signed(prices[s, h, m]) if prices.get((s, h, m)) else ""
            arcs.append(Arc(h, m, label, "changed" if h != int(self.base[s][m]) else "predicted"))
        return arcs + [
            Arc(h, m, signed(price), "candidate")
            for (at, h, m), price in prices.items() if at == s and price and int(heads[m]) != h
        ]  # fmt: skip

    def drawn(self, s, decided, prices):
        marks = tuple((m, "supported") for m in sorted({m for at, _, m in self.disputed if at == s}))
        return ArcPicture(
            self.sentences[s], tuple(self._arcs(s, decided, prices)), (), marks, levels=self.levels, high=HIGH
        )

    def table(self, decided, prices):
        table = {"sentence": [], "arc": [], "price": []}
        for s, words in enumerate(self.sentences):
            for m in range(1, len(words)):
                h = int(decided[s][m])
                table["sentence"].append(PLACES[s])
                table["arc"].append(arrow(words, h, m))
                table["price"].append(signed(prices.get((s, h, m), 0.0)))
        return table
