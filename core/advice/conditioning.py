"""What answers about word order, and other languages that answer, would turn in the trees of a universal parser.

The parser of a text, corrected by the trees that are learnt from, parses it with a question answered *before* and
*after*. A head hangs on the answer where it is not the same in both parses and in the one without an answer. How
probable the answers are is read off the present trees: where 90 % of such words stand before their heads, *before*
counts 0.9. Too few such words leave it to the languages that answer open questions, and these to a half each.

In the same way two choices of languages are compared. Where none of them is near, each of the nearest is tried alone:
what differs between them is for somebody to say who knows a language that is like it.
"""

from collections.abc import Sequence

import numpy as np

from core.advice.training_state import TrainingState, corrected_prior
from core.advice.work import ANSWER, KIN, Advice, Costs, TurnedArcs
from core.callbacks import Cancel
from core.constraints.authoring.word_order import NAMES as QUESTIONS
from core.errors import Cancelled
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.questions import NAMES, answers_of_trees
from core.parsers.universal.source_languages import NAMED, NEAREST, is_far
from core.parsers.universal.text import TaggedWords
from core.treebank import Treebank

MOST_SENTENCES = 200  # that are parsed with each answer: twice thirteen parses of more would take longer than they tell
NONE_NEAR = "No language that the universal parser learned from is near this text."


def steering_advice(state: TrainingState, costs: Costs, cancel: Cancel | None = None) -> tuple[list[Advice], list[str]]:
    """(Advice to answer each open question on which an arc hangs, and on languages; notes on what was left out).

    Parameters
    ----------
    state : TrainingState
        Of the whole text: its prior is told the text's language anew where other languages answer.
    costs : Costs
    cancel : callable, optional
        True raises Cancelled.

    Notes
    -----
    Two parses of at most ``MOST_SENTENCES`` sentences for each open question, one to three for languages. Without a
    prior there is none.
    """
    parser = corrected_prior(state)
    if parser is None or not len(state.text.without_punctuation()):
        return [], []
    total, text = len(state.text), state.text
    if total > MOST_SENTENCES:
        text = text.select(np.linspace(0, total - 1, MOST_SENTENCES).astype(np.int64))
    asked = _Asked(parser.for_text(state.text), text, cancel)
    languages, notes = _languages(asked, state.text, costs)
    if len(text) < total:
        notes.append(f"Answers and languages: measured on {MOST_SENTENCES} of the {total:,} sentences.")
    return [*_answers(asked, costs), *languages], notes


class _Asked:
    """A parser and a text, whose words are no marks where ``counted`` is True."""

    def __init__(self, parser, text, cancel):
        self.parser, self.text, self.cancel = parser, text, cancel
        self.parsed = parser.parse(text)
        self.counted = text.is_word & ~text.punctuation()

    def turned(self, others: Sequence[UniversalParser], shares: Sequence[float]) -> TurnedArcs:
        """The arcs that change where one of some parsers replaces the present one; each is as probable as its share."""
        expected, hang = 0.0, np.zeros(len(self.counted), bool)
        for other, share in zip(others, shares, strict=True):
            if self.cancel is not None and self.cancel():
                raise Cancelled
            moved = self.counted & (other.best_heads(self.text) != self.parsed.heads)
            expected += share * int(moved.sum())
            hang |= moved
        sentences = int(np.logical_or.reduceat(hang, self.text.offsets[:-1]).sum())
        return TurnedArcs(int(hang.sum()), sentences, expected, int(self.counted.sum()), len(self.text))


def _answers(asked, costs):
    """Advice to answer each question that is open, if an arc hangs on it."""
    parser, advice = asked.parser, []
    before = shares_before(parser, asked.parsed)
    for question in np.flatnonzero(np.isnan(parser.answers)).tolist():
        name, share = NAMES[question], float(before[question])
        others = [parser.with_answer(name, answer) for answer in QUESTIONS[name].answers]
        turned = asked.turned(others, (share, 1 - share))
        if turned.arcs:
            advice.append(Advice(ANSWER, name, costs.answer, turned=turned))
    return advice


def shares_before(parser: UniversalParser, parsed: Treebank) -> np.ndarray:
    """float64 (Q,): how probable it is of each question that *before* is the answer, by a text's trees.

    The share of such words that stand before their heads; of fewer than eight what near languages answer, else a half.
    """
    numbers = answers_of_trees(TaggedWords.of(parsed.without_punctuation(), parser.relations), parser.relations)
    kin = np.full(len(NAMES), np.nan) if parser.language is None else parser.language.answers
    numbers = np.where(np.isnan(numbers), kin, numbers)
    return (1 - np.where(np.isnan(numbers), 0, numbers)) / 2


def _languages(asked, text, costs):
    """(Advice on the languages that answer what is open, a note where none is near)."""
    parser, chosen = asked.parser, asked.parser.chosen_sources
    nearest = parser.with_sources(None).nearest(text)
    names = [language.name for language in nearest]
    far = is_far(nearest, text.without_punctuation().token_count)

    def advice(name, tried, languages):
        others = [parser.with_sources(kin).for_text(text) for kin in tried]
        turned = asked.turned(others, [1 / len(tried)] * len(tried))
        return Advice(KIN, name, costs.kin, turned=turned, languages=languages)

    proposals = []
    if chosen is None and far:
        proposals.append(advice(", ".join(names[:NAMED]), [(name,) for name in names[:NAMED]], None))
    elif chosen is not None and names and {*chosen} != {*names[:NEAREST]}:
        proposals.append(advice(", ".join(names[:NAMED]), [None], ()))
    new = next((name for name in names if chosen and name not in chosen), None)
    if chosen is not None and new is not None:
        proposals.append(advice(new, [(*chosen, new)], (*chosen, new)))
    return [proposal for proposal in proposals if proposal.turned.arcs], [NONE_NEAR] * far
