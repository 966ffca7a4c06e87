"""Scores of parses by the rules that a person chooses, each with numerator and denominator and the words behind it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.evaluation.alignment import same_words
from core.evaluation.comparison import SystemPair, pairs_over
from core.evaluation.scores import same_strings
from core.evaluation.shared_tasks import TREE_SCORES, conll2006_counted, conll2018_words
from core.workspace.compare.side_by_side import SideBySide
from core.workspace.compare.tables import wrong_in
from core.workspace.scoring import Score
from core.workspace.wording import amount

RULES = {"words": "All words", "conll2006": "CoNLL 2006", "conll2018": "CoNLL 2018"}
SAID = {
    "words": "UAS: words with the right head. LAS: right head and relation. All words that have a gold head; then the "
    "same without punctuation, by tags.",
    "conll2006": "As that shared task’s script: a word counts unless every character of it is punctuation in Unicode; "
    "relations are compared whole.",
    "conll2018": "As that shared task’s script: punctuation counts, subtypes of relations do not. CLAS: content words "
    "only; MLAS: with tags, universal features and function words; BLEX: with lemmas. F1 of gold and system words.",
}


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
    """Out of how many words each score of ``score_table`` is, in one line: ``UAS, LAS of 6,300 words``.

    An F1 of unequal numbers of words is of gold's and of each parse's.
    """
    plain, others = {}, {}
    for parse, scores in _scores(parses, rules).items():
        for name, score in scores.items():
            if score is not None and score.is_plain:
                plain.setdefault(score.words, {})[name] = None
            elif score is not None:
                others.setdefault((score.words, parse, score.system), {})[name] = None
    lines = [f"{', '.join(scores)} of {amount(count, 'word')}" for count, scores in plain.items()]
    lines += [
        f"{', '.join(scores)}: F1 of {amount(count, 'gold word')} and {system:,} of {parse}"
        for (count, parse, system), scores in others.items()
    ]
    return " · ".join(lines)


def conditions_said(parses: SideBySide) -> list[str]:
    """The sentences that all parses are scored on, then a line for each parse on what else its scores depend on."""
    conditions = parses.conditions
    if not conditions:
        return []
    doubts = {name: "; ".join(told.doubts) for name, told in conditions.items()}
    basis = next(iter(conditions.values())).basis.removeprefix("in ")
    return [basis, *(f"{name}: {text}" for name, text in doubts.items() if text)]


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
    every = parses.comparison.gold.heads >= 0
    scores = {}
    for counted, suffix in ((every, ""), (every & ~parses.comparison.gold.punctuation(), ", no punct.")):
        fair = suffix or parses.punctuated[name]  # a parser that leaves punctuation out is not judged by it
        heads, both = _of_words(parses, name, counted, punctuation=not suffix)
        scores[f"UAS{suffix}"] = heads if fair else None
        scores[f"LAS{suffix}"] = both if parses.labelled[name] else None
    return scores


def _by_2006(parses, name):
    counted = conll2006_counted(parses.comparison.gold)
    heads, both = _of_words(parses, name, counted)
    scores = {"UAS": heads}
    if parses.labelled[name]:
        same = same_strings(parses.comparison.gold.deprel, parses.comparison.systems[name].deprel)
        scores |= {"LAS": both, "Relations": replace(heads, right=same)}
    return scores


def _by_2018(parses, name):
    gold = parses.comparison.text  # which is gold where there are scores
    if (cut := parses.other_cuts.get(name)) is not None:
        scores = cut.scored(gold)
    else:
        scores = conll2018_words(gold, parses.comparison.systems[name], same_words(gold))
    told = replace(parses.conditions[name], punctuation=None)
    return {
        score: Score(right, counted, gold.offsets, told, system)
        for score, (right, counted, system) in scores.items()
        if score in TREE_SCORES and (score == "UAS" or parses.labelled[name])
    }


def _of_words(parses, name, counted, punctuation=None):
    """Scores of heads, and of heads with relations, over the ``counted`` words, bool (rows,), of gold."""
    gold, bank = parses.comparison.gold, parses.comparison.systems[name]
    heads = gold.heads == bank.heads
    told = replace(parses.conditions[name], punctuation=punctuation)
    rights = heads, heads & same_strings(gold.deprel, bank.deprel)
    return [Score(right, counted, gold.offsets, told) for right in rights]
