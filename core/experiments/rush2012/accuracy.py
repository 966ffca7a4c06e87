"""Tables 2 and 3 of rush2012: how much consistency helps a parser, and self-training beside it."""

from collections.abc import Sequence

import numpy as np

from core.experiments.experiment import Environment, Results
from core.experiments.rush2012 import texts
from core.experiments.rush2012.figures import TABLE_2, TABLE_3
from core.experiments.rush2012.systems import run_systems

PARSER = (
    "The parser is our second-order projective MST parser with gold tags (fine and universal where there are both), "
    "single-best MIRA, ten epochs; sentences whose trees cross are left out of training."
)
DOMAINS = [
    "EWT statements and questions (a list of sentences that end in a question mark) stand in for the WSJ and "
    "QuestionBank; the test questions are those of EWT train and test, the test statements those of EWT test. Flight "
    "requests are ATIS train and test, with universal tags only, which the paper does not have.",
]
COUNTERPARTS = {"statements -> questions": "news -> questions", "questions -> statements": "questions -> news"}


def table2(env: Environment) -> Results:
    """Domain adaptation: statements to questions, questions to statements, statements to flight requests."""
    tested = texts.domain_texts(env)
    rows = [run_systems(env, pair).row(TABLE_2.get(COUNTERPARTS.get(pair.name, ""))) for pair in tested]
    return Results(
        rows,
        [*DOMAINS, PARSER, texts.SCORING, texts.SETTINGS, texts.GAINS, texts.size_note(tested)],
        {"Means": means(rows)},
    )


def table3(env: Environment) -> Results:
    """Lightly supervised parsing: five languages, four sizes."""
    rows, tested = [], []
    for language in languages(env):
        tested.append(texts.language_texts(env, language))
        for size in texts.sizes(env):
            rows.append(run_systems(env, tested[-1].sized(size)).row(TABLE_3[language.name][size]))
    comparable = [row for row in rows if not row["name"].startswith("Japanese")]
    tables = {"Means": means(rows), "Means without Japanese": means(comparable)}
    return Results(
        rows, [*texts.DATA, PARSER, texts.SCORING, texts.SETTINGS, texts.GAINS, texts.size_note(tested)], tables
    )


def languages(env: Environment) -> Sequence[texts.Language]:
    """Languages to run."""
    return texts.LANGUAGES[1:3] if env.quick else texts.LANGUAGES


def means(rows: Sequence[dict]) -> list:
    """Mean accuracies and error reduction over those rows for which the paper has figures too."""
    both = [row for row in rows if row["paper"] is not None]
    keys = {"base": ("base", "paper_base"), "self-trained": ("self_trained", "paper_self_trained")}
    keys |= {"with consistency": ("ours", "paper"), "error reduction": ("error_reduction", "paper_error_reduction")}
    table = []
    for name, pair in keys.items():
        ours, paper = (float(np.mean([row[key] for row in both])) for key in pair)
        table.append({"name": name, "ours": ours, "paper": paper, "settings": len(both)})
    return table
