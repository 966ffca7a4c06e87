"""One run of dual decomposition, round by round: a parser and a consensus on contexts that must agree on two sentences.

The two sentences are any of a text, whose other trees say what heads words in a context have. Without a text they are
those of rush2012's Figure 1, in words of our own: an adjective after a determiner attached to a noun in training and in
one sentence; in the other the parser alone is nearly torn, and wrong. The run is live, by
``core.consistency.parse_consistently``, and told from its trace.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from core.consistency import ConsistencySettings, ConsistentParses, ContextIndex, parse_consistently
from core.draw.arcs import ArcPicture, arc_heights
from core.draw.curves import CurvesPicture
from core.draw.drawing import Arc
from core.draw.matrix import Panels, Titled
from core.errors import WorkbenchError
from core.parsers.scores import ParserScores
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, number, numbered
from core.treebank import Treebank
from core.trees import PackedScores, eisner

TRAINING = ("they painted the small boat", "PRON VERB DET ADJ NOUN", (2, 0, 5, 5, 2))
TEST = (
    ("the quiet neighbours sang", "DET ADJ NOUN VERB", (4, 4, 4, 0)),  # what the parser prefers, by a tenth
    ("she kept a broken clock", "PRON VERB DET ADJ NOUN", (2, 0, 5, 5, 2)),
)
PREFERRED = 2.0  # score of the preferred arcs
TORN = 0  # the sentence about whose second word the parser is torn
NEARLY = {(4, 1): 1.9, (3, 1): 2.0, (3, 2): 1.8}  # its other scores: on "neighbours" both words are worth 0.1 less
SETTINGS = ConsistencySettings(
    minimum_count=1, width=2, delta1=0.6, delta2=0.3, delta3=0.1, unit="score", start=0.0, step=1.0, prune=None
)
PAIR_SETTINGS = ConsistencySettings(
    threshold=0.6, minimum_count=2, width=2, delta1=2.0, delta2=1.0, delta3=0.5, unit="score", start=0.0, step=0.5,
    prune=None, presolve=False, branches=0, iterations=40, release=False,
)  # fmt: skip
LEARNT_FROM = 1000  # sentences with heads whose contexts count
TRIED = 12  # second sentences looked at for one where something happens
PLACES = ("first", "second")
RISES, FALLS, STAYS, NOWHERE = "It rises", "It falls", "It stays", "At none"
NAMED = 3  # words or arcs that a caption names
SIDE_BY_SIDE = 6  # words of the longer sentence, up to which both trees stand beside each other


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


def liveliness(parses: ConsistentParses) -> tuple[bool, bool, bool, bool]:
    """How much a run shows: a proof; a head that changes in a shared context, or anywhere; a disagreement."""
    contexts, changed = parses.contexts.test_contexts, parses.heads.values != parses.base_heads.values
    shared = np.isin(contexts, list(shared_contexts(contexts, int(parses.treebank.offsets[1]))))
    return parses.is_certified, bool((changed & shared).any()), bool(changed.any()), len(parses.trace) > 1


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
        walk = _DecompositionWalk(run_example(), built_in_parser(), "")
    else:
        walk = _DecompositionWalk(run_pair(example), pair_parser(example), " nats")
    return AlgorithmTrace("decomposition", walk.all_words, tuple(walk.steps()), {"parses": walk.parses})


def bank_of(rows: Iterable[tuple[str, str, Sequence[int]]]) -> Treebank:
    """The sentences with forms and tags, in a string each, and heads."""
    return Treebank.from_sentences(
        [{"forms": forms.split(), "upos": tags.split(), "heads": list(heads)} for forms, tags, heads in rows]
    )


class _DecompositionWalk:
    def __init__(self, parses, parser, unit):
        self.parses, self.trace, self.treebank, self.unit = parses, parses.trace, parses.treebank, unit
        self.sentences = [tuple(sentence.forms) for sentence in self.treebank]
        self.scores = [parser.tables[words] for words in self.sentences]
        self.all_words = ("", *(word for words in self.sentences for word in words[1:]))
        self.arc_offsets = PackedScores.empty(self.treebank.lengths).offsets
        self.count = len(self.trace)
        self.moves = [[self._arc(entry) for entry in record.entries] for record in self.trace]  # up, then down
        self.disputed = sorted({arc for moved in self.moves for arc in moved})
        self.base = [self.parses.base_heads[index] for index in range(len(self.sentences))]
        self.final = [self.parses.heads[index].copy() for index in range(len(self.sentences))]
        self.rounds = [(self._heads(k), self._prices(k)) for k in range(1, self.count + 1)]
        drawn = [(self.base, {}), *self.rounds, (self.final, {})]
        self.levels = max(
            max(arc_heights(self._arcs(s, heads, prices))) for heads, prices in drawn for s in range(len(PLACES))
        )

    def steps(self):
        yield Step("The parser alone", self._alone(), self._picture(self.base, 1), self._table(self.base))
        for k in range(1, self.count + 1):
            record, (heads, prices) = self.trace[k - 1], self.rounds[k - 1]
            caption = f"{self._prices_text(k)}{self._changes_text(k)}. {self._dispute_text(k)}; dual "
            caption += f"{number(record.dual, 2)}, primal {number(record.primal, 2)}{self.unit}."
            numbers = {"dual": record.dual, "primal": record.primal, "disagreements": record.disagreements,
                       "step": record.step, "heads": heads, "prices": prices}  # fmt: skip
            yield Step(
                f"Round {k}", caption, self._picture(heads, k, prices), self._table(heads, prices), self._question(k),
                numbers,
            )  # fmt: skip
        yield self._end()

    def _alone(self):
        """What the parser alone does with a word whose prices move first, or with one in a shared context."""
        words = sorted(self._words(self._moved(2)), key=lambda at: self.final[at[0]][at[1]] == self.base[at[0]][at[1]])
        s, m = (words or self._shared_words())[0]
        taken = arrow(self.sentences[s], int(self.base[s][m]), m)
        wanted = [h for at, h, word in self._moved(2, down=True) if (at, word) == (s, m)]
        if not wanted:
            return f"Alone, the parser takes {taken} in the {PLACES[s]} sentence. {self._memory(s, m)}"
        lost = self._loss(s, wanted[0], m)
        other = arrow(self.sentences[s], wanted[0], m)
        worth = f"worth {number(lost, 2)}{self.unit} less" if lost > 1e-9 else "worth as much"
        return f"Alone, the parser takes {taken}; the best tree with {other} is {worth}. {self._memory(s, m)}"

    def _memory(self, s, m):
        """What the training text says of a word's context, in a sentence of its own."""
        contexts = self.parses.contexts
        context = int(contexts.test_contexts[self.treebank.offsets[s] + m])
        votes = contexts.observed[context]
        if not votes.any():
            return f"No word of other trees votes in its context, {contexts.names[context]}."
        label, best = contexts.index.labels.names[int(votes.argmax())], int(votes.max())
        votes_for = "the root" if votes.argmax() == 0 else f"a head tagged {label}"
        words = "1 word votes" if votes.sum() == 1 else f"{votes.sum():,} words vote"
        return f"In other trees {words} in its context, {contexts.names[context]}: {best:,} for {votes_for}."

    def _loss(self, s, h, m):
        """By how much the best tree with an arc is worth less than the best of all, to the parser alone."""
        forced = self.scores[s].copy()
        forced[np.arange(len(forced)) != h, m] = -np.inf
        best, other = (eisner(scores) for scores in (self.scores[s], forced))
        words = np.arange(1, len(forced))
        return float(self.scores[s][best[1:], words].sum() - self.scores[s][other[1:], words].sum())

    def _shared_words(self):
        """(sentence, word) in contexts in which both sentences have words; the first sentence's first."""
        contexts, end = self.parses.contexts.test_contexts, self.treebank.offsets[1]
        shared = shared_contexts(contexts, end)
        rows = np.flatnonzero(np.isin(contexts, list(shared))).tolist()
        return [(int(row >= end), int(row - end * (row >= end))) for row in rows]

    def _moved(self, k, down=False):
        """The arcs (sentence, head, word) whose prices rose, or fell, before round k: of the words then in dispute."""
        moved = self.moves[k - 1] if k <= self.count else []
        half = len(moved) // 2
        return moved[half:] if down else moved[:half]

    def _words(self, arcs):
        return sorted({(s, m) for s, _, m in arcs})

    def _named(self, words):
        """``old (2) and big (5) in the first sentence``: the first few of (sentence, word)."""
        listed = []
        for s, ordinal in enumerate(PLACES):
            names = [numbered(self.sentences[at], m) for at, m in words[:NAMED] if at == s]
            if names:
                listed.append(f"{_listed(names)} in the {ordinal} sentence")
        more = len(words) - NAMED
        return _listed([*listed, *([f"{more} more"] if more > 0 else [])])

    def _prices_text(self, k):
        if k == 1:
            return "There are no prices yet"
        return f"Prices on arcs into {self._named(self._words(self._moved(k)))} move by {self._step_text(k)}"

    def _step_text(self, k):
        """By how much prices move before round k; words may have different steps."""
        before, now = self.rounds[k - 2][1], self.rounds[k - 1][1]
        steps = {round(abs(now[arc] - before[arc]), 9) for arc in self._moved(k)}
        return f"{'up to ' * (len(steps) > 1)}{number(self.trace[k - 1].step, 2)}"

    def _changes_text(self, k):
        """What other heads the parser takes than in the round before."""
        if k == 1:
            return ""
        changed = self._changed(k)
        arcs = [arrow(self.sentences[s], int(self.rounds[k - 1][0][s][m]), m) for s, m in changed]
        return f"; the parser now takes {_listed(_first(arcs))}" if arcs else "; the parser keeps its trees"

    def _changed(self, k):
        """(sentence, word) whose heads in round k differ from those of round k - 1."""
        before, now = self.rounds[k - 2][0], self.rounds[k - 1][0]
        return [(s, int(m)) for s in range(len(now)) for m in np.flatnonzero(before[s] != now[s])]

    def _dispute_text(self, k):
        count = self.trace[k - 1].disagreements
        if not count:
            return "Both sides agree" if self.parses.status == "agreed" else "The bounds meet"
        words = self._words(self._moved(k + 1))
        where = self._named(words) if words else f"{count} word{'s' * (count > 1)}"
        return f"Both sides disagree on {where}"

    def _question(self, k):
        record = self.trace[k - 1]
        if k == 1:
            text = "With no prices, do the parser and the consensus agree on every word?"
            return QuizQuestion(text, ("Yes", "No"), "No" if record.disagreements else "Yes")
        moved, changed = self._words(self._moved(k)), self._changed(k)
        if k % 2 == 0 and 2 <= len(moved) <= 6 and len(changed) < 2 and set(changed) <= set(moved):
            names = {word: self._named([word]) for word in moved}
            text = f"Prices move by {self._step_text(k)}. At which word will the parser take another head?"
            return QuizQuestion(text, (*names.values(), NOWHERE), names[changed[0]] if changed else NOWHERE)
        before = self.trace[k - 2].dual
        answer = STAYS if abs(record.dual - before) < 1e-9 else RISES if record.dual > before else FALLS
        text = f"Prices move by {self._step_text(k)}. What will the dual value, {number(before, 2)}, do?"
        return QuizQuestion(text, (RISES, FALLS, STAYS), answer)

    def _end(self):
        parses = self.parses
        changed = [
            arrow(self.sentences[s], int(self.final[s][m]), m)
            for s in range(len(PLACES)) for m in np.flatnonzero(self.final[s] != self.base[s]).tolist()
        ]  # fmt: skip
        effect = f"the consensus brought {_listed(_first(changed))}" if changed else "the parser’s trees stay"
        caption = (
            f"The bounds meet at {number(parses.primal, 2)}{self.unit}: no other trees of both sentences together are "
            f"worth more; {effect}."
            if parses.is_certified
            else f"The run stopped after {self.count} rounds, the bounds {number(parses.bound - parses.primal, 3)}"
            f"{self.unit} apart: nothing is proved."
        )
        question = QuizQuestion(
            "The rounds are over. Is the solution only good, or proved to be the best?",
            ("Only good", "Proved the best"), "Proved the best" if parses.is_certified else "Only good",
        )  # fmt: skip
        return Step("The proof" if parses.is_certified else "No proof", caption,
                    self._picture(self.final, self.count), self._table(self.final), question,
                    {"primal": parses.primal, "bound": parses.bound, "heads": self.final})  # fmt: skip

    def _heads(self, k):
        solution = self.trace.solution(k)
        return [solution[a:b] for a, b in zip(self.treebank.offsets[:-1], self.treebank.offsets[1:], strict=True)]

    def _prices(self, k):
        """(sentence, head, word) -> multiplier under which round k was solved; for arcs that ever had one."""
        values = self.trace.multipliers(k, int(self.arc_offsets[-1]))
        return {
            (s, h, m): float(values[self.arc_offsets[s] + h * len(self.sentences[s]) + m])
            for s, h, m in self.disputed
        }  # fmt: skip

    def _arc(self, entry):
        s = int(np.searchsorted(self.arc_offsets, entry, side="right")) - 1
        h, m = divmod(int(entry - self.arc_offsets[s]), len(self.sentences[s]))
        return s, h, m

    def _arcs(self, s, heads, prices):
        """The tree of a sentence, and the arcs beside it that have a price."""
        arcs = []
        for m in range(1, len(self.sentences[s])):
            h = int(heads[s][m])
            label = _signed(prices[s, h, m]) if prices.get((s, h, m)) else ""
            arcs.append(Arc(h, m, label, "changed" if h != int(self.base[s][m]) else "predicted"))
        return arcs + [
            Arc(h, m, _signed(price), "candidate")
            for (at, h, m), price in prices.items() if at == s and price and int(heads[s][m]) != h
        ]  # fmt: skip

    def _picture(self, heads, k, prices=None):
        trees = []
        for s, words in enumerate(self.sentences):
            marks = tuple((m, "supported") for m in sorted({m for at, _, m in self.disputed if at == s}))
            arcs = tuple(self._arcs(s, heads, prices or {}))
            picture = ArcPicture(words, arcs, (), marks, levels=self.levels)
            trees.append(Titled(f"{PLACES[s].capitalize()} sentence", picture))
        beside = max(map(len, self.sentences)) - 1 <= SIDE_BY_SIDE
        return Panels((Panels(tuple(trees), beside), self._bounds(k)))

    def _bounds(self, k):
        duals = tuple(record.dual for record in self.trace)
        primals = tuple(record.primal for record in self.trace)
        title = f"Dual and primal value, with other trees’ votes, in {self.unit.strip() or 'units of the scores'}"
        return CurvesPicture(title, ("dual", "primal"), (duals, primals), k - 1, 1)

    def _table(self, heads, prices=None):
        table = {"sentence": [], "arc": [], "price": []}
        for s, words in enumerate(self.sentences):
            for m in range(1, len(words)):
                h = int(heads[s][m])
                table["sentence"].append(PLACES[s])
                table["arc"].append(arrow(words, h, m))
                table["price"].append(_signed((prices or {}).get((s, h, m), 0.0)))
        return table


def _first(names):
    return [*names[:NAMED], *([f"{len(names) - NAMED} more"] if len(names) > NAMED else [])]


def _listed(names):
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _signed(value):
    return f"{value:+.2f}".replace("-", "−") if value else "0"
