"""Scores of parses by the rules that a person chooses, each with numerator and denominator and the words behind it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.evaluation.alignment import same_words
from core.evaluation.comparison import SystemPair, pairs_over
from core.evaluation.scores import same_strings
from core.evaluation.shared_tasks import TREE_SCORES, conll2006_counted, conll2018_words
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.compare.tables import wrong_in
from core.workspace.wording import amount, share_and_count, share_of

RULES = {"words": "All words", "conll2006": "CoNLL 2006", "conll2018": "CoNLL 2018"}
SAID = {
    "words": "UAS: words with the right head. LAS: right head and relation. All words that have a gold head; then the "
    "same without punctuation, by tags.",
    "conll2006": "As that shared task’s script: a word counts unless every character of it is punctuation in Unicode; "
    "relations are compared whole.",
    "conll2018": "As that shared task’s script: punctuation counts, subtypes of relations do not. CLAS: content words "
    "only; MLAS: with tags, universal features and function words; BLEX: with lemmas. F1 of gold and system words.",
}


@dataclass(frozen=True, eq=False)
class ParseScore:
    """One score of one parse: ``right`` and ``counted`` bool (rows,), the latter of gold's words; ``system`` words."""

    right: np.ndarray
    counted: np.ndarray
    system: int

    @property
    def text(self) -> str:
        """Percentage and number of right words; an F1 of unequal numbers of words says of how many, both together."""
        right, counted = int((self.right & self.counted).sum()), int(self.counted.sum())
        return share_and_count(right, counted) if self.is_plain else share_of(2 * right, counted + self.system)

    @property
    def is_plain(self) -> bool:
        """Whether it is a share of gold's words: gold and the system have as many."""
        return int(self.counted.sum()) == self.system

    @property
    def rows(self) -> np.ndarray:
        """The counted words that are not right: int64, ascending."""
        return np.flatnonzero(self.counted & ~self.right)


def score_table(parses: SideBySide, rules: str = "words") -> dict[str, list]:
    """Columns of a table over the parses of a SideBySide: each score as text, None where it means nothing.

    Raises WorkbenchError where the rules ask for what the text does not have.
    """
    scores = _scores(parses, rules)
    names = dict.fromkeys(name for parse_scores in scores.values() for name in parse_scores)
    table: dict[str, list] = {"parse": parses.names}
    for name in names:
        cells = [scores[parse].get(name) for parse in parses.names]
        if any(cells):
            table[name] = [None if cell is None else cell.text for cell in cells]
    return table


def denominators(parses: SideBySide, rules: str = "words") -> str:
    """Out of how many words each score of ``score_table`` is, in one line: ``UAS, LAS of 6,300 words``."""
    names = {}
    for scores in _scores(parses, rules).values():
        for name, score in scores.items():
            if score is not None and score.is_plain:
                names.setdefault(int(score.counted.sum()), {})[name] = None
    return " · ".join(f"{', '.join(scores)} of {amount(count, 'word')}" for count, scores in names.items())


def measured_pairs(parses: SideBySide, rules: str = "words") -> tuple[str, Sequence[SystemPair]]:
    """(the measure, every two parses by it): heads of the words that the rules count; without gold, no measure."""
    comparison = parses.comparison
    gold, systems = comparison.gold, comparison.systems
    if gold is None:
        return "", comparison.pairs
    if rules == "words":
        marks = gold.punctuation() & (gold.heads >= 0)
        return "UAS" if not marks.any() or marks[comparison.scored].any() else "UAS, no punct.", comparison.pairs
    counted = next(iter(_scores(parses, rules).values()))["UAS"].counted
    pairs = parses.cached(("pairs", rules), lambda: pairs_over(gold, systems, counted))
    return f"UAS by the rules of {RULES[rules]}", pairs


def score_rows(parses: SideBySide, rules: str, name: str, score: str) -> tuple[np.ndarray, str] | None:
    """(rows, title) of the words that a score of the parse ``name`` counts as wrong, or None if there is none."""
    if name not in parses.names or not parses.is_scored or rules not in RULES:
        return None
    parse_score = _scores(parses, rules)[name].get(score)
    by = "" if rules == "words" else f" by the rules of {RULES[rules]}"
    return None if parse_score is None else (parse_score.rows, f"Words {wrong_in(parses, name)}, {score}{by}")


def _scores(parses, rules):
    """Parse -> name of a score -> Score, or None where it means nothing."""
    make = {"words": _by_words, "conll2006": _by_2006, "conll2018": _by_2018}[rules]
    return parses.cached(("score", rules), lambda: {name: make(parses, name) for name in parses.names})


def _by_words(parses, name):
    gold = parses.comparison.gold
    heads, both = _right(parses, name)
    every = gold.heads >= 0
    scores = {}
    for counted, suffix in ((every, ""), (every & ~gold.punctuation(), ", no punct.")):
        fair = suffix or parses.punctuated[name]  # a parser that leaves punctuation out is not judged by it
        scores[f"UAS{suffix}"] = ParseScore(heads, counted, int(counted.sum())) if fair else None
        scores[f"LAS{suffix}"] = ParseScore(both, counted, int(counted.sum())) if parses.labelled[name] else None
    return scores


def _by_2006(parses, name):
    counted = conll2006_counted(parses.comparison.gold)
    heads, both = _right(parses, name)
    scores = {"UAS": ParseScore(heads, counted, int(counted.sum()))}
    if parses.labelled[name]:
        same = same_strings(parses.comparison.gold.deprel, parses.comparison.systems[name].deprel)
        scores |= {"LAS": ParseScore(both, counted, int(counted.sum()))}
        scores |= {"Relations": ParseScore(same, counted, int(counted.sum()))}
    return scores


def _by_2018(parses, name):
    gold = parses.comparison.gold
    scores = conll2018_words(gold, parses.comparison.systems[name], same_words(gold))
    return {score: ParseScore(*scores[score]) for score in TREE_SCORES if score == "UAS" or parses.labelled[name]}


def _right(parses, name):
    """bool (rows,) twice: right heads, and right heads with the right relation."""
    gold, bank = parses.comparison.gold, parses.comparison.systems[name]
    heads = gold.heads == bank.heads
    return heads, heads & same_strings(gold.deprel, bank.deprel)
