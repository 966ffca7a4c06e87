"""Section 5.3 of spitkovsky2010: how many brackets our parser's trees respect, level by level."""

from core.experiments.experiment import Environment, Results
from core.experiments.spitkovsky2010.figures import AGREEMENT
from core.experiments.spitkovsky2010.texts import GENRES, NOTES, parsed_marked
from core.markup import agreement
from core.markup.agreement import JUDGED

HEADS = ("UD heads", "function-word heads")


def agree(env: Environment) -> Results:
    """Shares of brackets at strict, loose, sprawl and tear, per set and under both kinds of heads."""
    rows, tables = [], {}
    for genre in GENRES:
        _, *texts = parsed_marked(env, genre)
        for heads, text in zip(HEADS, texts, strict=True):
            found = agreement(text.treebank, text.brackets)
            for scope, row in (("all", found.all), ("two words or more", found.multiword)):
                rows += [_row(f"{genre.name}, {heads}, {scope}", level, row) for level in JUDGED]
            tables[f"By tag: {genre.name}, {heads}, all brackets"] = [
                {"tag": tag or "(none)", "brackets": pair[0].brackets}
                | {level: 100 * pair[0].share(level) for level in JUDGED}
                for tag, pair in found.by_tag.items()
            ]
            env.say(f"{genre.name}, {heads}: loose {100 * (found.all.share('loose') or 0.0):.1f}")
    rows.append({"name": "constituents", "ours": None, "paper": AGREEMENT["phrase"]})
    notes = [
        *NOTES,
        "Trees are those of our parser for UD English (dependencies; the paper: Charniak's, heads by percolation). "
        "The paper's trees let prepositions and modals head their phrases: compare function-word heads with them.",
        "Our parser makes no constituents, so that nothing of ours stands beside the paper's 48.0 %. A bracket is a "
        "word with all below it exactly where it is strict.",
        "Sentences keep their punctuation here. low and high are 95 % intervals (Wilson).",
    ]
    return Results(rows, notes, tables)


def _row(name, level, row):
    share, (low, high) = row.share(level), row.interval(level)
    shown = [None if value is None else 100 * value for value in (share, low, high)]
    row = {"ours": shown[0], "paper": AGREEMENT[level], "low": shown[1], "high": shown[2], "brackets": row.brackets}
    return {"name": f"{name}: {level}", **row}
