"""A parser of other languages on those of genera that it has not seen: answers, a few trees."""

from operator import itemgetter

import numpy as np

from core.evaluation import attachment_scores
from core.experiments.beyond.folds import (
    EPOCHS,
    SENTENCES,
    Texts,
    fold_parser,
    language_rows,
    parser_settings,
    tested_folds,
)
from core.experiments.beyond.languages import LANGUAGES, LONGEST
from core.experiments.beyond.learners import accuracy
from core.experiments.beyond.lines import Sample
from core.experiments.experiment import Environment, Results
from core.extras import require
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.questions import NAMES, SIX, answers_of_trees, in_one_word
from core.parsers.universal.text import TaggedWords
from core.treebank import Treebank

ENGLISH = "English"
MOST, LOOKED_AT = 500, 250  # sentences of a text, and for single answers
FEW, MORE = 10, 25  # trees
WAYS = {
    "none": "no answers", "six": "six answers", "all": "all answers, in degrees",
    "few": f"six, and {FEW} trees", "more": f"six, and {MORE} trees",
}  # fmt: skip
NOTES = [
    "Gold universal tags, and features where there are any; no punctuation; of each text the first "
    f"{MOST} sentences of at most 40 words; relations without subtypes. Held out by genus: no source is of the "
    "language's genus, and parallel treebanks (PUD) are not tested with parallel sources.",
    f"One network for each fold, {EPOCHS} epochs of {SENTENCES} sentences a source, some read with the tags that the "
    "fold\u2019s tagger tells from 200 words; the one that comes along has two, and all sources. What nobody answers, "
    "the nearest sources do.",
    "six: before or after, read off the language's own trees, as a reference grammar would say; all: thirteen, each a "
    f"share. Trees: the first of the text; figures with trees are of sentences {MORE + 1} on.",
]


def beyond_universal(env: Environment) -> Results:
    """All parts: every language, by genus, and what single answers are worth."""
    require("universal")
    texts = Texts(env)

    def figures(fold, number):
        parser = fold_parser(env, texts, fold, number)
        return lambda target: language_figures(parser, texts[target].limit(MOST))

    settings = parser_settings(env)
    rows = language_rows(env, texts, "beyond-universal-{}-rows", settings, figures, itemgetter("six uas"))
    keys = list(dict.fromkeys(key for row in rows for key, value in row.items() if isinstance(value, float)))
    mean = _mean(f"mean of {len(rows)} languages", rows, keys)
    genera = sorted({row["genus"] for row in rows})
    by_genus = [_mean(genus, [row for row in rows if row["genus"] == genus], keys) for genus in genera]
    shown = [key for key in keys if not key.startswith(("wrong", "alone"))]
    answers = [{"name": name, **_worth(name, rows)} for name in NAMES]
    tables = {"By genus": _with(by_genus, shown), "What an answer is worth alone, and what a wrong one costs": answers}
    if not env.quick:
        tables["The WSJ sample, heads by Collins' rules, from sources without English"] = _journal(env, texts)
    return Results(_with([mean, *rows], shown), NOTES, tables)


def _with(rows, keys):
    return [{"name": row["name"], "ours": row["six uas"], "paper": None, **{key: row[key] for key in keys}}
            for row in rows]  # fmt: skip


def _mean(name, rows, keys):
    """Means over the rows that have a figure."""
    figures = {key: [row[key] for row in rows if key in row] for key in keys}
    return {"name": name} | {key: float(np.mean(values)) for key, values in figures.items() if values}


def _journal(env, texts):
    """Heads right in a text whose scheme no source has, from the parser that is tested on English."""
    folds = enumerate(tested_folds(env, texts))
    number, fold = next((number, fold) for number, fold in folds if ENGLISH in [each.name for each in fold.targets])
    parser, trees = fold_parser(env, texts, fold, number), Sample(env).trees.max_length(LONGEST)
    order = next(language.order for language in LANGUAGES if language.name == ENGLISH)
    parser, rest = parser.for_text(trees), np.arange(len(trees)) >= MORE
    answered = parser.with_answers(order)
    ways = {"no answers": parser, "answers of a grammar": answered}
    ways |= {f"and {count} trees": answered.adapted(trees.limit(count)) for count in (FEW, MORE)}
    return [{"name": name, "ours": accuracy(trees, way.parse(trees), rest)} for name, way in ways.items()]


def _worth(name, rows):
    """Points that one answer brings alone, and that a wrong one among six loses, over the languages that have it."""
    means = {}
    for about, beside in (("alone", "short none"), ("wrong", "short six")):
        for measure in ("uas", "las"):
            key = f"{about} {name} {measure}"
            gains = [row[key] - row[f"{beside} {measure}"] for row in rows if key in row]
            means |= {f"{about} {measure}": float(np.mean(gains)), f"{about} languages": len(gains)} if gains else {}
    return means


def language_figures(parser: UniversalParser, text: Treebank) -> dict[str, float]:
    """``uas`` and ``las`` in percent of each of WAYS, and of single answers, alone or wrong, on a part of the text."""
    degrees = answers_of_trees(TaggedWords.of(text, parser.relations), parser.relations)
    six = six_of(degrees)
    asked = {"none": np.full(len(NAMES), np.nan), "six": six, "all": degrees}
    asking = {name: _answered(parser, answers).for_text(text) for name, answers in asked.items()}
    known = _figures(asking, text, np.ones(len(text), bool))
    known |= _taught(asking["six"], text)
    part = text.limit(LOOKED_AT)
    single = {f"short {name}": asking[name] for name in ("none", "six")}
    for number, name in enumerate(NAMES):
        if not np.isnan(degrees[number]):
            alone = np.where(np.arange(len(NAMES)) == number, in_one_word(degrees), np.nan)
            single[f"alone {name}"] = _answered(asking["none"], alone)
        if not np.isnan(six[number]):
            single[f"wrong {name}"] = _answered(asking["six"], np.where(np.arange(len(NAMES)) == number, -six, six))
    return known | _figures(single, part, np.ones(len(part), bool))


def six_of(degrees: np.ndarray) -> np.ndarray:
    """float64 (Q,): the first six answers, (Q,), as before or after; the others open."""
    six = in_one_word(degrees)
    six[len(SIX) :] = np.nan
    return six


def six_answers(parser: UniversalParser, text: Treebank) -> UniversalParser:
    """The parser with six answers about word order, before or after, as a text's own trees have it."""
    return _answered(parser, six_of(answers_of_trees(TaggedWords.of(text, parser.relations), parser.relations)))


def _answered(parser, answers):
    """The parser with these answers, (Q,) from before to after."""
    other = parser.with_answers({})
    other.answers = answers
    return other


def _figures(parsers, text, chosen):
    """Figures of parsers by name on some sentences."""
    figures = {}
    for name, parser in parsers.items():
        scores = attachment_scores(text, parser.parse(text), punctuation=np.repeat(chosen, text.lengths + 1))
        figures |= {f"{name} uas": scores.uas, f"{name} las": scores.las}
    return figures


def _taught(parser, text):
    """Figures with a few trees, on the sentences behind them."""
    rest = np.arange(len(text)) >= MORE
    taught = {name: parser.adapted(text.limit(count)) for name, count in (("few", FEW), ("more", MORE))}
    return _figures({"six, rest": parser, **taught}, text, rest)
