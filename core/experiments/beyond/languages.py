"""Universal lines on eight languages, with and without the answers to six questions of word order."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from core.constraints import GrammarSettings, parse_constraints, train_grammar
from core.constraints.authoring.word_order import order_constraints
from core.constraints.ge.baselines import attach_left, attach_right
from core.constraints.grammar.ensemble import ParserEnsemble
from core.experiments import corpora
from core.experiments.beyond.figures import PUBLISHED_LANGUAGES
from core.experiments.beyond.learners import accuracy, development_part
from core.experiments.beyond.tags import by_hand, cross_tagged, with_tags
from core.experiments.experiment import Environment, Results
from core.files.assets import ASSETS
from core.parsers.self_training import concatenate
from core.treebank import Treebank, read_treebank

LINES = ASSETS / "constraints" / "universal-25.txt"
LONGEST, MOST = 40, 2_500  # words of a sentence without punctuation; sentences
QUICK, QUICK_LANGUAGES = 60, 2
COLUMN = "upos"
TOGETHER = GrammarSettings(tags=COLUMN, price=0.0, together=True)
SECOND_ORDER = replace(TOGETHER, second_order=True)
BASELINES = {"attach_left": attach_left, "attach_right": attach_right}


@dataclass(frozen=True)
class UniversalLanguage:
    """A language: the files of its treebank, and what a grammar answers to the questions of word order.

    A question that has no answer, or not one, is left out.
    """

    name: str
    files: tuple[str, ...]
    order: dict[str, str]


def _answers(*sides):
    """Answers to the six questions and whether heads come last, in this order; None for no answer."""
    names = ("adposition", "adjective", "object", "genitive", "auxiliary", "relative", "heads-last")
    return {name: side for name, side in zip(names, sides, strict=True) if side}


B, A = "before", "after"
LANGUAGES = (
    UniversalLanguage("Bulgarian", corpora.BULGARIAN.files, _answers(B, B, A, A, B, A, "no")),
    # objects follow the finite verb of a main clause and precede that of a subordinate one
    UniversalLanguage("German", corpora.GERMAN.files, _answers(B, B, None, A, B, A, None)),
    UniversalLanguage("Spanish", corpora.UD_SPANISH.files, _answers(B, A, A, A, B, A, "no")),
    UniversalLanguage("Japanese", corpora.JAPANESE.files, _answers(A, B, B, B, A, B, "yes")),
    UniversalLanguage("Dutch", corpora.UD_DUTCH.files, _answers(B, B, None, A, B, A, None)),
    UniversalLanguage("Turkish", corpora.TURKISH.files, _answers(A, B, B, B, A, B, "yes")),
    # heads of noun phrases come last, those of verb phrases first
    UniversalLanguage("Chinese", corpora.CHINESE.files, _answers(B, B, A, B, B, B, None)),
    # of-phrases follow, 's-genitives and compounds precede
    UniversalLanguage("English", (corpora.EWT.train,), _answers(B, B, A, None, B, A, "no")),
)
NOTES = [
    f"The files of a treebank together, the first {MOST:,} sentences of at most {LONGEST} words without punctuation; "
    "universal tags. Every fifth sentence is the development part (dev); all other figures are of the rest. Parsers "
    "are trained on all these sentences without their heads.",
    "blind: 25 universal lines, written from guidelines before a tree was looked at; + order: with the lines that six "
    "answers of basic word order stand for, from grammars of each language. A question that a grammar answers with "
    "both is left out (objects of German and Dutch, genitives of English).",
    "crf: on sentences of at most 20 words, projective, posterior decoding; dmv: without extended valence; grammar: "
    "with it, and words as symbols where held-out text is more probable with them; together: the mean of the three's "
    "arc posteriors; ours: together, with the votes of a second-order parser. below: what is better than ours.",
    "The published means are of other treebanks and versions: an indication of size.",
]  # fmt: skip


def beyond_languages(env: Environment) -> Results:
    """All parts: the treebanks' tags, and beside them tags of a tagger and of word lists."""
    gold, tagged, listed = languages(env), tags(env), word_lists(env)
    tables = {"Tags of a tagger": tagged.rows, "Tags of word lists": listed.rows}
    notes = dict.fromkeys(note for part in (gold, tagged, listed) for note in part.notes)
    return Results(gold.rows, list(notes), tables)


def languages(env: Environment) -> Results:
    """Every learner on every language with the treebank's own tags."""
    rows = _table(env, _chosen(env), lambda text, language: (text, None))
    rows += [{"name": name, "ours": None, "paper": figure} for name, figure in PUBLISHED_LANGUAGES]
    return Results(rows, NOTES)


def tags(env: Environment) -> Results:
    """The table of all languages with tags of a tagger, trained on four fifths of a text at a time."""
    rows = _table(env, _chosen(env), lambda text, language: with_tags(text, cross_tagged(text, COLUMN), COLUMN))
    note = "Tags: of a tagger trained on the other four fifths of the text; punctuation as the treebank has it."
    return Results(rows, [*NOTES, note])


def word_lists(env: Environment) -> Results:
    """Two languages of which nothing is known but closed classes and the tags of some frequent words."""
    named = {"English": "english", "Spanish": "spanish"}
    chosen = [language for language in LANGUAGES if language.name in named]
    rows = _table(env, chosen, lambda text, language: with_tags(text, by_hand(text, named[language.name]), COLUMN))
    note = (
        "Word lists: the closed classes of the list that comes along; the 300 most frequent other words with their "
        "commonest tag, as somebody tags them by hand; numbers by shape; all others are taken for nouns."
    )
    return Results(rows, [*NOTES, note])


def _chosen(env):
    return LANGUAGES[:QUICK_LANGUAGES] if env.quick else LANGUAGES


def _table(env, chosen, retagged: Callable):
    """A row for each language and set of lines, and their means; ``retagged(text, language)`` -> text, right tags."""
    lines = parse_constraints(LINES.read_text(encoding="utf-8"))
    rows = []
    for language in chosen:
        text, right = retagged(text_of(env, language), language)
        for about, used in (("blind", lines), ("+ order", [*lines, *order_constraints(language.order)])):
            scores = _accuracies(text, used) | ({} if right is None else {"right_tags": right})
            rows.append({"name": f"{language.name}, {about}", **scores})
            figures = ", ".join(f"{key} {value:.1f}" for key, value in scores.items() if isinstance(value, float))
            env.say(f"{rows[-1]['name']}: {figures}; below: {scores['below']}")
    for about in ("blind", "+ order"):
        of = [row for row in rows if row["name"].endswith(about)]
        keys = [key for key, value in of[0].items() if isinstance(value, float)]
        rows.append({"name": f"mean, {about}", **{key: float(np.mean([row[key] for row in of])) for key in keys}})
    return rows


def text_of(env: Environment, language: UniversalLanguage) -> Treebank:
    """The sentences of a language, with punctuation."""
    whole = concatenate(*(read_treebank(env.file(file)) for file in language.files))
    is_word = ~whole.punctuation() & whole.is_word
    words = np.add.reduceat(is_word.astype(np.int64), whole.offsets[:-1])
    return whole.select(np.flatnonzero((words > 0) & (words <= LONGEST))[: QUICK if env.quick else MOST])


def _accuracies(text, lines):
    """Accuracies of each baseline and learner on the test part, and which of these are better than the last."""
    trees = text.without_punctuation()
    development = development_part(trees)
    voters = cast(ParserEnsemble, train_grammar(text, lines, TOGETHER).model)
    best = train_grammar(text, lines, SECOND_ORDER).model
    parses = {name: baseline(trees) for name, baseline in BASELINES.items()}
    parses |= {"crf": voters.crf.parse(trees)}
    parsers = {"dmv": voters.plain, "grammar": voters.grammar, "together": voters, "ours": best}
    parses |= {name: parser.parse(text).without_punctuation() for name, parser in parsers.items()}
    row = {name: cast(float, accuracy(trees, parsed, ~development)) for name, parsed in parses.items()}
    above = [name for name in (*BASELINES, "crf") if row[name] > row["ours"]]
    return {**row, "dev": accuracy(trees, parses["ours"], development), "below": ", ".join(above) or "none"}
