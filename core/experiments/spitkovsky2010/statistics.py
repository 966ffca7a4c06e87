"""Tables 1 to 5 and 7 of spitkovsky2010, and section 5.3: what is marked in our pages, and how far trees respect it."""

from core.experiments.experiment import Environment, Results, unanswered
from core.experiments.spitkovsky2010 import figures
from core.experiments.spitkovsky2010.texts import NOTES, genres, journal, marked_text, parsed_marked, trimmed
from core.markup import agreement, markup_statistics
from core.markup.agreement import JUDGED
from core.markup.statistics import table

SHARES = "ours and paper are shares of all brackets in per cent; count is ours. The paper's are of its blog only."
TREES = (
    "Trees are our parser's for UD English, function words turned into heads; a phrase is a word with all below it, "
    "called by the word's tag, for the paper's constituents."
)
KINDS = {"NP": ("NN", "PRP", "CD", "DT", "EX", "WP"), "VP": ("VB", "MD", "TO"), "PP": ("IN",), "ADJP": ("JJ",)}
KINDS |= {"ADVP": ("RB", "WRB")}
HEADS = ("UD heads", "function-word heads")
COUNTS = ("sentences", "tokens", "brackets", "multiword")


def table1(env: Environment) -> Results:
    """Sizes of the texts."""
    parts = journal(env)
    other = parts.other.treebank
    rows = []
    for name, treebank in (("WSJ", parts.train.treebank), ("Section 23", parts.test.treebank)):
        rows.append(_size(name, len(treebank), treebank.token_count))
    for most in (45, 15):
        short = parts.train.treebank.max_length(most)
        rows.append(_size(f"WSJ{most}", len(short), short.token_count))
    rows.append(_size("out of domain", len(other), other.token_count, "Brown100"))
    for genre in genres(env):
        text = marked_text(env, genre).treebank
        for most in (None, 45, 15):
            short = text if most is None else text.max_length(most)
            rows.append(_size(f"{genre.name}{most or ''}", len(short), short.token_count))
    note = "Words are counted without punctuation. WSJ is what we train on; section 23 is files 120 to 199."
    return Results(rows, env.notes(NOTES, note, "The out-of-domain text is EWT's test part, for Brown."))


def _size(name, sentences, tokens, paper=None):
    their_sentences, their_tokens = figures.TABLE_1.get(paper or name, (None, None))
    row = {"name": name, "ours": sentences, "paper": their_sentences}
    return row | {"tokens": tokens, "paper_tokens": their_tokens}


def _beside(counts, paper):
    """Further counts of a row, each with the paper's beside it."""
    row = {}
    for name, ours, theirs in zip(COUNTS[-len(counts) :], counts, paper, strict=True):
        row |= {name: ours, f"paper_{name}": theirs}
    return row


def table2(env: Environment) -> Results:
    """Marked sentences by how long a bracket they have."""
    rows = []
    for genre in genres(env):
        text = marked_text(env, genre)
        for cutoff in markup_statistics(text.treebank, text.brackets).cutoffs:
            paper = figures.TABLE_2.get(
                cutoff.length, (figures.BLOG_SENTENCES if cutoff.length == 0 else None, None, None, None)
            )
            share = 100 * cutoff.sentences / len(text.treebank)
            counts = (cutoff.sentences, cutoff.tokens, cutoff.brackets, cutoff.multiword)
            row = {"name": f"{genre.name}, {cutoff.length} or more", "ours": counts[0], "paper": paper[0]}
            row |= {
                "share": share,
                "paper_share": None if paper[0] is None else 100 * paper[0] / figures.BLOG_SENTENCES,
            }
            rows.append(row | _beside(counts[1:], paper[1:]))
    note = "share is of all sentences, in per cent; cut-off 0 is all sentences. The paper's are of its blog only."
    return Results(rows, env.notes(NOTES, note))


def table7(env: Environment) -> Results:
    """Sizes of each text under SCOPE and TRIM."""
    rows = []
    for genre in genres(env):
        whole = marked_text(env, genre)
        for most in (45, 15):
            for is_trimmed in (False, True):
                text = trimmed(whole) if is_trimmed else whole
                kept = [index for index, length in enumerate(text.treebank.lengths) if length <= most]
                marks = [text.brackets[index] for index in kept]
                counts = sum(map(bool, marks)), len(kept), int(text.treebank.lengths[kept].sum())
                counts += sum(map(len, marks)), sum(len(mark) > 1 for brackets in marks for mark in brackets)
                name = f"{genre.name}{most}{', trimmed' if is_trimmed else ''}"
                paper = figures.TABLE_7.get((genre.name, most, is_trimmed), (None,) * 5)
                rows.append({"name": name, "ours": counts[0], "paper": paper[0], **_beside(counts[1:], paper[1:])})
    return Results(rows, env.notes(NOTES, "ours and paper are marked sentences; tokens without punctuation."))


def table3(env: Environment) -> Results:
    """Tags of the marked words."""
    counts = {genre.name: _of(marked_text(env, genre)) for genre in genres(env)}
    rows, tables = _ranked({name: count.sequences for name, count in counts.items()}, figures.TABLE_3)
    return Results(
        rows, env.notes(NOTES, SHARES, "Tags are our tagger's, mapped to the WSJ's; no punctuation."), tables
    )


def table4(env: Environment) -> Results:
    """The lowest phrase around a bracket."""
    counts = {genre.name: _of(parsed_marked(env, genre)[1]) for genre in genres(env)}
    kinds = {name: type(count.dominating)() for name, count in counts.items()}  # tags of heads by the sort of phrase
    for name, counted in counts.items():
        for tag, count in counted.dominating.items():
            kinds[name][next((kind for kind, starts in KINDS.items() if tag.startswith(starts)), tag)] += count
    rows, _ = _ranked(kinds, figures.TABLE_4)
    tables = {f"By tag, {name}": table(count.dominating, 15) for name, count in counts.items()}
    note = (
        "A phrase is called NP, VP, PP, ADJP or ADVP by its head's tag; S and VP are not told apart (VP), nor clauses."
    )
    return Results(rows, env.notes(NOTES, SHARES, TREES, note), tables)


def table5(env: Environment) -> Results:
    """Productions and head-outward spawns of what is marked."""
    counts = {genre.name: _of(parsed_marked(env, genre)[1]) for genre in genres(env)}
    bare = {name: type(count.spawns)() for name, count in counts.items()}
    for name, counted in counts.items():
        for entry, count in counted.spawns.items():
            bare[name][entry.replace("[", "").replace("]", "")] += count
    rows, _ = _ranked(bare, figures.TABLE_5_SPAWNS)
    tables = {}
    for name, counted in counts.items():
        tables[f"Productions, {name} (marked part in brackets)"] = table(counted.productions, 15)
        tables[f"Spawns, {name} (marked part in brackets)"] = table(counted.spawns, 15)
    tables["Productions of the paper"] = [{"name": name, "share": share} for name, share in figures.TABLE_5_PRODUCTIONS]
    note = "The rows are spawns; productions are of constituents in the paper, of words and dependents in ours."
    return Results(rows, env.notes(NOTES, SHARES, TREES, note), tables)


def _of(text):
    return markup_statistics(text.treebank, text.brackets, tags="xpos")


def _ranked(counters, paper, most=15):
    """Rows of the paper's entries and the commonest of ours, set by set; and tables of the commonest."""
    rows, tables = [], {}
    for name, counter in counters.items():
        ranked = {row["name"]: row for row in table(counter)}
        wanted = list(dict.fromkeys([*list(ranked)[:most], *paper]))
        for entry in wanted:
            row = ranked.get(entry, {"share": 0.0, "count": 0})
            share = paper.get(entry)
            rows.append({"name": f"{name}: {entry}", "ours": row["share"], "paper": share, "count": row["count"]})
        tables[f"Commonest, {name}"] = table(counter, most)
    return rows, tables


def agree(env: Environment) -> Results:
    """Shares of brackets at strict, loose, sprawl and tear, per set and under both kinds of heads."""
    rows, tables = [], {}
    for genre in genres(env):
        texts = parsed_marked(env, genre)
        for heads, text in zip(HEADS, texts, strict=True):
            agreements = agreement(text.treebank, text.brackets)
            for scope, row in (("all", agreements.all), ("two words or more", agreements.multiword)):
                for level in JUDGED:
                    shares = row.share(level), *row.interval(level)
                    share, low, high = (None if value is None else 100 * value for value in shares)
                    row_figures = {"ours": share, "paper": figures.AGREEMENT[level], "low": low, "high": high}
                    name = f"{genre.name}, {heads}, {scope}: {level}"
                    rows.append({"name": name, **row_figures, "brackets": row.brackets})
            tables[f"By tag: {genre.name}, {heads}, all brackets"] = [
                {"tag": tag or "(none)", "brackets": pair[0].brackets}
                | {level: 100 * pair[0].share(level) for level in JUDGED}
                for tag, pair in agreements.by_tag.items()
            ]
            env.say(f"{genre.name}, {heads}: loose {100 * (agreements.all.share('loose') or 0.0):.1f}")
    rows.append(unanswered("constituents", "our parser makes none", paper=figures.AGREEMENT["phrase"]))
    notes = env.notes(
        NOTES,
        "Trees are those of our parser for UD English (dependencies; the paper: Charniak's, heads by percolation). "
        "The paper's trees let prepositions and modals head their phrases: compare function-word heads with them.",
        "A bracket is a word with all below it exactly where it is strict.",
        "Sentences keep their punctuation here. low and high are 95% intervals (Wilson).",
    )
    return Results(rows, notes, tables)
