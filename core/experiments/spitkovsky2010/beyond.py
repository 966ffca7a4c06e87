"""Beyond spitkovsky2010: does mark-up help a supervised parser, and one trained from constraints?"""

from dataclasses import replace

import numpy as np

from core.adaptation.marked_training import self_train_on_marked
from core.constraints import oracle_constraints, train_ge
from core.constraints.ge.training import PRESETS
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.experiments.corpora import EWT
from core.experiments.experiment import Environment, Results
from core.experiments.spitkovsky2010.marked_features import NOTE, marked_feature_rows
from core.experiments.spitkovsky2010.texts import genres, is_marked_text, page_sentences
from core.markup import sample_markup
from core.parsers import English, MSTParser
from core.parsers.self_training import concatenate
from core.treebank import read_conllu
from core.trees.brackets import LEVELS

SIZES, SEEDS, MARKED, LONGEST = (100, 500), 3, 1_000, 30
GE_SENTENCES, GE_LONGEST, WEIGHTS = 500, 15, (1.0, 10.0)
NAMES = {"none": "self-training without brackets"}


def beyond(env: Environment) -> Results:
    """Accuracies of parsers that learn from marked text, with and without its brackets, at each level."""
    web = "EWT" if env.text is None else env.text.name
    train, test = _texts(env)
    if env.quick:
        test = test.limit(200)
    marked = _marked(env)
    sample = sample_markup("sample").treebank
    if env.quick:
        sample = sample.max_length(10).limit(40)
    oracle = oracle_constraints(sample, count=20, tags="upos")
    rows = _supervised(env, train, test, marked) + _constrained_rows(env, "sample", sample, oracle, sample)
    rows += _constrained(env, web, train, test, marked)
    rows += marked_feature_rows(env)
    notes = env.notes(
        [],
        "The paper has no figures for this: its conclusion names other parsers as work to be done.",
        "Supervised: a second-order parser (MIRA, 5 epochs, no relations) on so many sentences drawn from the training "
        f"text of {web}, then on these and {len(marked):,} marked sentences of pages of at most {LONGEST} words, "
        "parsed by the first parser; weight 0.5 each. Scored on its test text without punctuation; low and high are "
        f"the least and the most of {SEEDS} draws.",
        "The marked sentences have tags of the taggers that come along, which saw all of EWT's training text.",
        "Constraints, sample: 20 oracle constraints counted on the sentences of the sample itself, all of which are "
        "trained on and scored, and its own mark-up; projective trees, the preset best.",
        f"Constraints, {web}: 20 oracle constraints counted on its training text; {GE_SENTENCES} test sentences of at "
        f"most {GE_LONGEST} words are trained on, without heads, and scored, beside as many marked sentences of pages.",
        NOTE,
        "Nothing was chosen on these figures: all levels and weights are shown.",
    )
    return Results(rows, notes)


def _texts(env):
    """(text to train on, text to test on): EWT's, or those of the text at hand."""
    if env.text is None:
        return read_conllu(env.file(EWT.train)), read_conllu(env.file(EWT.test))
    train, development, test = env.text.cut(env.text.treebank)
    return concatenate(train, development), test


def _marked(env):
    """Marked sentences of the sets of pages in turn, tagged, without trees."""
    parts, count, of = [], 100 if env.quick else MARKED, genres(env)
    for genre in of:
        text, brackets = page_sentences(env, genre)
        fits = [i for i, marks in enumerate(brackets) if text.lengths[i] <= LONGEST and any(len(m) > 1 for m in marks)]
        parts.append(text.select(np.random.default_rng(0).permutation(fits)[: -(-count // len(of))]))
    both = concatenate(*parts)
    return both if is_marked_text(env) else English.load().tag(both)


def _supervised(env, train, test, marked):
    rows = []
    for size in SIZES[:1] if env.quick else SIZES:
        scores = {name: [] for name in ("alone", *LEVELS)}
        for seed in range(1 if env.quick else SEEDS):
            chosen = np.random.default_rng(seed).permutation(len(train))[:size]
            few = train.select(np.sort(chosen))
            teacher = _parser(few, None, seed)
            scores["alone"].append(_uas(test, teacher))
            for level in LEVELS:
                taught = self_train_on_marked(
                    lambda text, weights, seed=seed: _parser(text, weights, seed),
                    few, marked, level=level, weight=0.5, teacher=teacher,
                )  # fmt: skip
                scores[level].append(_uas(test, taught.parser))
            env.say(f"{size} sentences, seed {seed}: " + ", ".join(f"{n} {v[-1]:.2f}" for n, v in scores.items()))
        for name, values in scores.items():
            row = {"name": f"{size} sentences, {NAMES.get(name, name)}", "ours": float(np.mean(values)), "paper": None}
            rows.append(row | {"low": min(values), "high": max(values)})
    return rows


def _parser(text, weights, seed):
    return MSTParser(2, labels=False, bits=20).fit(text, epochs=5, seed=seed, sentence_weights=weights)


def _uas(test, parser):
    return attachment_scores(test, parser.parse(test), punctuation=False).uas


def _constrained(env, web, train, test, marked):
    scored = test.max_length(GE_LONGEST).limit(50 if env.quick else GE_SENTENCES)
    beside = marked.max_length(GE_LONGEST).limit(len(scored))
    if not len(beside):
        raise WorkbenchError(f"no marked sentence has at most {GE_LONGEST} words; give more pages")
    text = concatenate(scored, beside)
    constraints = oracle_constraints(train.max_length(GE_LONGEST), count=20, tags="upos")
    return _constrained_rows(env, web, text, constraints, scored)


def _constrained_rows(env, name, text, constraints, scored):
    """Rows of training from constraints on a text, without brackets and with, scored on its first sentences."""
    settings, rows = replace(PRESETS["best"], tags="upos", projective=True), []
    for level in LEVELS:
        for weight in WEIGHTS if level != "none" else (0.0,):
            changed = replace(settings, brackets=level, brackets_weight=weight)
            model = train_ge(text, constraints, settings=changed).model
            learned_from = "without brackets" if level == "none" else f"{level}, weight {weight:g}"
            uas = attachment_scores(scored, model.parse(scored), punctuation=False).uas
            rows.append({"name": f"20 constraints, {name}, {learned_from}", "ours": uas, "paper": None})
            env.say(f"{rows[-1]['name']}: {uas:.2f}")
    return rows
