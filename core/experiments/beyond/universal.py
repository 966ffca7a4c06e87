"""A parser of other languages on those of genera that it has not seen: answers, the text itself, lines, a few trees."""

from dataclasses import replace

import numpy as np

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.constraints.authoring.word_order import order_constraints
from core.evaluation import attachment_scores
from core.experiments.beyond.folds import (
    EPOCHS,
    SENTENCES,
    Target,
    Texts,
    fold_parser,
    folds_of,
    kept_file,
    parser_settings,
)
from core.experiments.beyond.languages import LANGUAGES, LINES, LONGEST
from core.experiments.beyond.learners import accuracy
from core.experiments.beyond.lines import Sample
from core.experiments.experiment import Environment, Results
from core.experiments.resumable import run_job
from core.extras import require
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.questions import NAMES, SIX, answers_of_trees, in_one_word
from core.parsers.universal.text import TaggedWords
from core.treebank import Treebank

ENGLISH = "English"
MOST, LOOKED_AT = 500, 250  # sentences of a text, and for single answers
FEW, MORE = 10, 25  # trees
SETTINGS = GrammarSettings(tags="upos", words="no")
WAYS = {
    "none": "no answers", "six": "six answers", "all": "all answers, in degrees", "text": "six, and the text itself",
    "lines": "six, the text and universal lines", "few": f"six, and {FEW} trees", "more": f"six, and {MORE} trees",
    "stacked": f"six, the text and {MORE} trees, stacked",
}  # fmt: skip
NOTES = [
    "Gold universal tags, and features where there are any; no punctuation; of each text the first "
    f"{MOST} sentences of at most 40 words; relations without subtypes. Held out by genus: no source is of the "
    "language's genus, and parallel treebanks (PUD) are not tested with parallel sources.",
    f"One network for each fold, {EPOCHS} epochs of {SENTENCES} sentences a source, some read with the tags that the "
    "fold\u2019s tagger tells from 200 words; the one that comes along has two, and all sources. What nobody answers, "
    "the nearest sources do.",
    "six: before or after, read off the language's own trees, as a reference grammar would say; all: thirteen, each a "
    "share. text: a grammar learnt from the text itself, with the parser as prior; lines: with the 25 universal lines "
    f"and those of the answers too. Trees: the first of the text; figures with trees are of sentences {MORE + 1} on.",
]


def beyond_universal(env: Environment) -> Results:
    """All parts: every language, by genus, and what single answers are worth."""
    require("universal")
    texts = Texts(env)
    folds = folds_of(texts.targets)[: 1 if env.quick else None]
    rows = [row for number, fold in enumerate(folds) for row in _fold_rows(env, texts, fold, number)]
    keys = list(dict.fromkeys(key for row in rows for key, value in row.items() if isinstance(value, float)))
    mean = _mean(f"mean of {len(rows)} languages", rows, keys)
    genera = sorted({row["genus"] for row in rows})
    by_genus = [_mean(genus, [row for row in rows if row["genus"] == genus], keys) for genus in genera]
    shown = [key for key in keys if not key.startswith(("wrong", "alone"))]
    answers = [{"name": name, **_worth(name, rows)} for name in NAMES]
    tables = {"By genus": _with(by_genus, shown), "What an answer is worth alone, and what a wrong one costs": answers}
    if not env.quick:
        tables["The WSJ sample, heads by Collins' rules, from sources without English"] = _journal(env, texts, folds)
    return Results(_with([mean, *rows], shown), NOTES, tables)


def _with(rows, keys):
    return [{"name": row["name"], "ours": row["six uas"], "paper": None, **{key: row[key] for key in keys}}
            for row in rows]  # fmt: skip


def _mean(name, rows, keys):
    """Means over the rows that have a figure."""
    figures = {key: [row[key] for row in rows if key in row] for key in keys}
    return {"name": name} | {key: float(np.mean(values)) for key, values in figures.items() if values}


def _journal(env, texts, folds):
    """Heads right in a text whose scheme no source has, from the parser that is tested on English."""
    number, fold = next(
        (number, fold) for number, fold in enumerate(folds) if ENGLISH in [target.name for target in fold.targets]
    )
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


def _fold_rows(env, texts, fold, number):
    """Figures of each language of a fold."""
    parser = fold_parser(env, texts, fold, number)
    path = kept_file(texts, fold, f"beyond-universal-{number}-rows", (SETTINGS, parser_settings(env)))
    chosen = fold.targets[: 2 if env.quick else None]

    def result(target: Target) -> dict:
        scores = language_figures(parser, texts[target].limit(MOST))
        return {"name": target.name, "genus": target.genus, "file": target.file, "judged": scores["six uas"], **scores}

    return run_job(chosen, result, None if env.quick else path, progress=env.say)


def language_figures(parser: UniversalParser, text: Treebank) -> dict[str, float]:
    """``uas`` and ``las`` in percent of each of WAYS, and of single answers, alone or wrong, on a part of the text."""
    degrees = answers_of_trees(TaggedWords.of(text, parser.relations), parser.relations)
    six = in_one_word(degrees)
    six[len(SIX) :] = np.nan
    text_alone = text.with_heads(np.full(len(text.heads), -1))
    asked = {"none": np.full(len(NAMES), np.nan), "six": six, "all": degrees}
    asking = {name: _answered(parser, answers).for_text(text) for name, answers in asked.items()}
    known = _figures(asking, text, np.ones(len(text), bool))
    known |= _learnt(asking["six"], text, text_alone, six) | _taught(asking["six"], text, text_alone)
    part = text.limit(LOOKED_AT)
    single = {f"short {name}": asking[name] for name in ("none", "six")}
    for number, name in enumerate(NAMES):
        if not np.isnan(degrees[number]):
            alone = np.where(np.arange(len(NAMES)) == number, in_one_word(degrees), np.nan)
            single[f"alone {name}"] = _answered(asking["none"], alone)
        if not np.isnan(six[number]):
            single[f"wrong {name}"] = _answered(asking["six"], np.where(np.arange(len(NAMES)) == number, -six, six))
    return known | _figures(single, part, np.ones(len(part), bool))


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


def _learnt(parser, text, text_alone, six):
    """Figures of grammars that learn from the text itself, without lines and with them."""
    lines = parse_constraints(LINES.read_text(encoding="utf-8"))
    sides = [(name, "before" if side < 0 else "after") for name, side in zip(NAMES, six, strict=True)]
    answers = {name: side for (name, side), number in zip(sides, six, strict=True) if not np.isnan(number)}
    used = {"text": [], "lines": [*lines, *order_constraints(answers)]}
    models = {name: train_grammar(text_alone, some, SETTINGS, prior=parser).model for name, some in used.items()}
    return _figures(models, text, np.ones(len(text), bool))


def _taught(parser, text, text_alone):
    """Figures with a few trees, on the sentences behind them."""
    rest, known = np.arange(len(text)) >= MORE, np.repeat(np.arange(len(text)) < MORE, text.lengths + 1)
    taught = {name: parser.adapted(text.limit(count)) for name, count in (("few", FEW), ("more", MORE))}
    stacked = train_grammar(
        text_alone, [], replace(SETTINGS, stacked=True), trees=np.where(known, text.heads, -1), prior=taught["more"]
    ).model
    return _figures({"six, rest": parser, **taught, "stacked": stacked}, text, rest)
