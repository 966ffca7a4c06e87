"""One run of dual decomposition, round by round: a parser and a consensus on contexts that must agree.

The situation of rush2012's Figure 1 in sentences of our own: an adjective after a determiner attached to a noun in
training and in one of two sentences to parse. In the other the parser alone is nearly torn, and wrong. The run is
live, by ``core.consistency.parse_consistently``, and told from its trace.
"""

import numpy as np

from core.consistency import ConsistencySettings, ConsistentParses, parse_consistently
from core.draw.arcs import ArcPicture
from core.draw.curves import CurvesPicture
from core.draw.drawing import Arc
from core.draw.matrix import Panels, Titled
from core.parsers.scores import ParserScores
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, number
from core.treebank import Treebank
from core.trees import PackedScores

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
RISES, FALLS, STAYS = "It rises", "It falls", "It stays"


class TornParser:
    """Scores for ``TEST``: 2 for the arcs of its trees, 0 for all others but three."""

    def score(self, treebank: Treebank) -> ParserScores:
        """ParserScores, as ``core.consistency`` asks a parser for them."""
        tables = []
        for sentence in treebank:
            place = next(place for place, (forms, *_) in enumerate(TEST) if forms.split() == list(sentence.forms[1:]))
            table = np.zeros((len(sentence) + 1,) * 2)
            table[list(TEST[place][2]), np.arange(1, len(sentence) + 1)] = PREFERRED
            if place == TORN:
                for arc, score in NEARLY.items():
                    table[arc] = score
            tables.append(table)
        return ParserScores(PackedScores.from_matrices(tables))


def run_example() -> ConsistentParses:
    """The ConsistentParses of the built-in example."""
    train, test = _bank([TRAINING]), _bank(TEST)
    return parse_consistently(TornParser(), train, test, SETTINGS)


def trace_decomposition(example: Example | None = None) -> AlgorithmTrace:
    """The rounds of the built-in example; the Example handed over is not looked at.

    Notes
    -----
    Source: Rush, Reichart, Collins & Globerson (2012), sections 4 to 6 and Figure 1; the step halves, thirds, ... each
    time the dual rises (Koo et al. 2010).
    """
    parses = run_example()
    walk = _DecompositionWalk(parses)
    return AlgorithmTrace("decomposition", walk.all_words, tuple(walk.steps()), {"parses": parses})


def _bank(rows):
    return Treebank.from_sentences(
        [{"forms": forms.split(), "upos": tags.split(), "heads": list(heads)} for forms, tags, heads in rows]
    )


class _DecompositionWalk:
    def __init__(self, parses):
        self.parses, self.trace, self.treebank = parses, parses.trace, parses.treebank
        self.sentences = [tuple(sentence.forms) for sentence in self.treebank]
        self.all_words = ("", *(word for words in self.sentences for word in words[1:]))
        self.arc_offsets = PackedScores.empty(self.treebank.lengths).offsets
        self.rows = self.trace.rows()
        last = len(self.trace)
        moved = {int(entry) for record in self.trace for entry in record.entries}
        self.disputed = [self._arc(entry) for entry in sorted(moved)]
        self.final = [parses.heads[place].copy() for place in range(len(self.treebank))]
        self.count = last

    def steps(self):
        yield self._alone()
        for k in range(1, self.count + 1):
            yield self._round(k)
        yield self._end()

    def _alone(self):
        heads = [self.parses.base_heads[place] for place in range(len(self.sentences))]
        words = self.sentences[TORN]
        caption = (
            f"Alone, the parser prefers {arrow(words, int(heads[TORN][2]), 2)} to {arrow(words, 3, 2)} by a tenth; in "
            f"training, in “{TRAINING[0]}”, an adjective after a determiner attached to a noun."
        )
        return Step("The parser alone", caption, self._picture(heads, 0), self._table(heads))

    def _round(self, k):
        record, row = self.trace[k - 1], self.rows[k - 1]
        heads, prices = self._heads(k), self._prices(k)
        words = self.sentences[TORN]
        moves = ", ".join(f"{arrow(self.sentences[s], h, m)} {_signed(u)}" for (s, h, m), u in prices.items() if u)
        paid = (
            f"The parser pays for arcs: {moves}"
            if moves
            else f"The parser pays for no arc{' now' if k > 1 else ' yet'}"
        )
        differ = row["disagreements"]
        agreement = "both sides agree" if not differ else f"they disagree on {differ} word{'s' * (differ > 1)}"
        caption = (
            f"{paid}. It takes {arrow(words, int(heads[TORN][2]), 2)}, {agreement}; dual "
            f"{number(record.dual, 2)}, primal {number(record.primal, 2)}, step {number(record.step, 2)}."
        )
        if k == 1:
            asked = "With no prices, do the parser and the consensus agree on every word?"
            question = QuizQuestion(asked, ("Yes", "No"), "No" if differ else "Yes")
        else:
            before = self.trace[k - 2].dual
            answer = STAYS if abs(record.dual - before) < 1e-9 else RISES if record.dual > before else FALLS
            question = QuizQuestion(
                f"Prices move by {number(record.step, 2)}. What will the dual value, {number(before, 2)}, do?",
                (RISES, FALLS, STAYS), answer,
            )  # fmt: skip
        numbers = {"dual": record.dual, "primal": record.primal, "disagreements": differ, "step": record.step,
                   "heads": heads, "prices": prices}  # fmt: skip
        return Step(
            f"Round {k}", caption, self._picture(heads, k, prices), self._table(heads, prices), question, numbers
        )

    def _end(self):
        gap = self.parses.bound - self.parses.primal
        words = self.sentences[TORN]
        caption = (
            f"The bounds meet at {number(self.parses.primal, 2)}: no other trees of both sentences together are worth "
            f"more, and {arrow(words, int(self.final[TORN][2]), 2)} is proved best."
            if self.parses.is_certified
            else f"The run stopped with a gap of {number(gap, 3)} between the bounds; nothing is proved."
        )
        question = QuizQuestion(
            "Both sides agree. Is the solution only good, or proved to be the best?",
            ("Only good", "Proved the best"), "Proved the best" if self.parses.is_certified else "Only good",
        )  # fmt: skip
        return Step("The proof", caption, self._picture(self.final, self.count), self._table(self.final), question,
                    {"primal": self.parses.primal, "bound": self.parses.bound, "heads": self.final})  # fmt: skip

    def _heads(self, k):
        solution = self.trace.solution(k)
        return [solution[a:b] for a, b in zip(self.treebank.offsets[:-1], self.treebank.offsets[1:], strict=True)]

    def _prices(self, k):
        """(sentence, head, word) -> multiplier under which round k was solved; for arcs that ever had one."""
        values = self.trace.multipliers(k, int(self.arc_offsets[-1]))
        found = {}
        for s, h, m in self.disputed:
            side = len(self.sentences[s])
            found[s, h, m] = float(values[self.arc_offsets[s] + h * side + m])
        return found

    def _arc(self, entry):
        s = int(np.searchsorted(self.arc_offsets, entry, side="right")) - 1
        h, m = divmod(int(entry - self.arc_offsets[s]), len(self.sentences[s]))
        return s, h, m

    def _picture(self, heads, k, prices=None):
        prices = prices or {}
        trees = []
        for s, words in enumerate(self.sentences):
            arcs = []
            for m in range(1, len(words)):
                h = int(heads[s][m])
                label = _signed(prices[s, h, m]) if prices.get((s, h, m)) else ""
                changed = h != int(self.parses.base_heads[s][m])
                arcs.append(Arc(h, m, label, "changed" if changed else "predicted"))
            for (sentence, h, m), price in prices.items():
                if sentence == s and price and int(heads[s][m]) != h:
                    arcs.append(Arc(h, m, _signed(price), "candidate"))
            disputed = {m for sentence, _, m in self.disputed if sentence == s}
            marks = tuple((m, "supported") for m in sorted(disputed))
            trees.append(Titled(f"Sentence {s + 1}", ArcPicture(words, tuple(arcs), (), marks, levels=4)))
        return Panels((Panels(tuple(trees), True), self._bounds(k)))

    def _bounds(self, k):
        duals = tuple(record.dual for record in self.trace)
        primals = tuple(record.primal for record in self.trace)
        return CurvesPicture("Dual and primal value, in units of the scores", ("dual", "primal"), (duals, primals),
                             k - 1, 1)  # fmt: skip

    def _table(self, heads, prices=None):
        table = {"sentence": [], "arc": [], "price": []}
        for s, words in enumerate(self.sentences):
            for m in range(1, len(words)):
                h = int(heads[s][m])
                table["sentence"].append(str(s + 1))
                table["arc"].append(arrow(words, h, m))
                table["price"].append(_signed((prices or {}).get((s, h, m), 0.0)))
        return table


def _signed(value):
    return f"{value:+.2f}".replace("-", "−") if value else "0"
