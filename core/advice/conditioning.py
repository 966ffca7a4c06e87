"""Arcs of a universal parser that depend on an answer about word order, or on the choice of source languages.

The parser of a text, corrected by the known trees, parses it with a question answered *before* and *after*. A head
depends on the answer if it differs from that without an answer. The present trees give the probability of each answer:
if 90% of such words are before their heads, *before* has 0.9. With too few such words the source languages decide, or
else each answer has a half.

Choices of source languages are compared in the same way. If no language is similar, each of the nearest is tried alone,
since only a person who knows a similar language can choose.
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

MOST_SENTENCES = 200  # parsed with each answer, which takes up to 26 parses
NONE_NEAR = "No language that the universal parser learned from is near this text."


def conditioning_advice(
    state: TrainingState, costs: Costs, cancel: Cancel | None = None
) -> tuple[list[Advice], list[str]]:
    """(Advice to answer each open question on which an arc depends, and on languages; notes on what was left out).

    Parameters
    ----------
    state : TrainingState
        Of the whole text.
    costs : Costs
    cancel : callable, optional
        True raises Cancelled.

    Notes
    -----
    Parses at most ``MOST_SENTENCES`` sentences, twice for each open question and up to three times for languages. There
    is no advice without a prior.
    """
    parser = corrected_prior(state)
    if parser is None or not len(state.text.without_punctuation()):
        return [], []
    total, text = len(state.text), state.text
    if total > MOST_SENTENCES:
        text = text.select(np.linspace(0, total - 1, MOST_SENTENCES).astype(np.int64))
    comparison = _Comparison(parser.for_text(state.text), text, cancel)
    languages, notes = _languages(comparison, state.text, costs)
    if len(text) < total:
        notes.append(f"Answers and languages: measured on {MOST_SENTENCES} of the {total:,} sentences.")
    return [*_answers(comparison, costs), *languages], notes


class _Comparison:
    """A parser's trees of a text, to compare with those of other parsers; ``counted`` rows are no punctuation."""

    def __init__(self, parser, text, cancel):
        self.parser, self.text, self.cancel = parser, text, cancel
        self.parsed = parser.parse(text)
        self.counted = text.is_word & ~text.punctuation()

    def turned(self, others: Sequence[UniversalParser], shares: Sequence[float]) -> TurnedArcs:
        """The arcs that change if one of some parsers replaces the present one; ``shares`` are their probabilities."""
        expected, is_turned = 0.0, np.zeros(len(self.counted), bool)
        for other, share in zip(others, shares, strict=True):
            if self.cancel is not None and self.cancel():
                raise Cancelled
            changed = self.counted & (other.best_heads(self.text) != self.parsed.heads)
            expected += share * int(changed.sum())
            is_turned |= changed
        sentences = int(np.logical_or.reduceat(is_turned, self.text.offsets[:-1]).sum())
        return TurnedArcs(int(is_turned.sum()), sentences, expected, int(self.counted.sum()), len(self.text))


def _answers(comparison, costs):
    """Advice to answer each open question on which an arc depends."""
    parser, advice = comparison.parser, []
    before = shares_before(parser, comparison.parsed)
    for question in np.flatnonzero(np.isnan(parser.answers)).tolist():
        name, share = NAMES[question], float(before[question])
        others = [parser.with_answer(name, answer) for answer in QUESTIONS[name].answers]
        turned = comparison.turned(others, (share, 1 - share))
        if turned.arcs:
            advice.append(Advice(ANSWER, name, costs.answer, turned=turned))
    return advice


def shares_before(parser: UniversalParser, parsed: Treebank) -> np.ndarray:
    """float64 (Q,): the probability of the answer *before* to each question, by a text's trees.

    It is the share of such words before their heads; for fewer than eight words that of the source languages, else 0.5.
    """
    numbers = answers_of_trees(TaggedWords.of(parsed.without_punctuation(), parser.relations), parser.relations)
    of_sources = np.full(len(NAMES), np.nan) if parser.language is None else parser.language.answers
    numbers = np.where(np.isnan(numbers), of_sources, numbers)
    return (1 - np.where(np.isnan(numbers), 0, numbers)) / 2


def _languages(comparison, text, costs):
    """(Advice on the source languages that answer open questions, a note where none is similar)."""
    parser, chosen = comparison.parser, comparison.parser.chosen_sources
    nearest = parser.with_sources(None).nearest(text)
    names = [language.name for language in nearest]
    far = is_far(nearest, text.without_punctuation().token_count)

    def advice(name, choices, languages):
        others = [parser.with_sources(sources).for_text(text) for sources in choices]
        turned = comparison.turned(others, [1 / len(choices)] * len(choices))
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
