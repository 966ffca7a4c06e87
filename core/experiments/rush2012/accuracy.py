"""Tables 2 and 3 of rush2012: how much consistency helps a parser, and self-training beside it."""

from collections.abc import Sequence

import numpy as np

from core.experiments.experiment import Environment, Results, unanswered
from core.experiments.rush2012 import texts
from core.experiments.rush2012.figures import TABLE_2, TABLE_3
from core.experiments.rush2012.systems import paper_figures, run_systems

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
    if env.text is not None:
        rows.append(unanswered("statements -> flight requests", f"{env.text.name} has no flight requests"))
    notes = env.notes(DOMAINS, PARSER, texts.SCORING, texts.SETTINGS, *gains(env), texts.size_note(tested))
    return Results(rows, notes, {"Means": means(rows)})


def gains(env: Environment) -> list[str]:
    """Why consistency gains less than in the paper, which is known of the corpora only."""
    return [texts.GAINS] if env.text is None else []


def table3(env: Environment) -> Results:
    """Lightly supervised parsing: five languages, four sizes."""
    rows, tested = [], []
    languages, why = texts.languages(env)
    for language in languages:
        tested.append(texts.language_texts(env, language))
        printed = TABLE_3.get(language.name, {})
        sizes, few = texts.sizes(env, tested[-1].train)
        rows += [run_systems(env, tested[-1].sized(size)).row(printed.get(size)) for size in sizes]
        rows += [_no_row(language.name, size, reason) for size, reason in few.items()]
    rows += [_no_row(name, size, reason) for name, reason in why.items() for size in texts.sizes(env)[0]]
    comparable = [row for row in rows if not row["name"].startswith("Japanese")]
    tables = {"Means": means(rows), "Means without Japanese": means(comparable)}
    notes = env.notes(texts.DATA, PARSER, texts.SCORING, texts.SETTINGS, *gains(env), texts.size_note(tested))
    return Results(rows, notes, tables)


def _no_row(name, size, why):
    """A row of Table 3 that there is no text for."""
    return unanswered(f"{name} {size}", why, **paper_figures(TABLE_3.get(name, {}).get(size)))


def means(rows: Sequence[dict]) -> list:
    """Mean accuracies and error reduction over those rows for which the paper has figures too."""
    both = [row for row in rows if row["paper"] is not None and row["ours"] is not None]
    keys = {"base": ("base", "paper_base"), "self-trained": ("self_trained", "paper_self_trained")}
    keys |= {"with consistency": ("ours", "paper"), "error reduction": ("error_reduction", "paper_error_reduction")}
    table = []
    for name, pair in keys.items():
        ours, paper = (float(np.mean([row[key] for row in both])) if both else None for key in pair)
        table.append({"name": name, "ours": ours, "paper": paper, "settings": len(both)})
    return table
