"""Correcting trees by hand, in simulation: how many heads have to be changed, by what the parser does about it.

Each sentence is corrected from left to right. A proposal that is decided anew is the best projective tree with the
heads of all words up to the one that was just corrected.
"""

from itertools import pairwise

import numpy as np

from core.experiments.beyond.folds import Texts, fold_parser, language_rows, parser_settings
from core.experiments.beyond.universal import six_answers
from core.experiments.experiment import Environment, Results
from core.extras import require
from core.parsers.held_arcs import best_around
from core.parsers.universal.learning import AT_ONCE, helped
from core.parsers.universal.parser import UniversalParser
from core.treebank import Treebank
from core.trees import PackedScores

CORRECTED, QUICK = 100, 15  # sentences of a language, and in a quick run
WAYS = ("fixed", "anew", "learnt", "both")
NOTES = [
    f"Heads to change in the first {CORRECTED} sentences of each language, left to right, until all are those of the "
    "treebank. Gold universal tags and features, no punctuation, at most 40 words.",
    "The parser of a fold of beyond-universal, which learnt from no language of the genus, with six answers about word "
    "order and the statistics of the text.",
    "fixed: the parser's trees as they are. anew: after each change the tree is decided anew, all words held up to the "
    f"changed one. learnt: after every {AT_ONCE} sentences the parser learns from all finished ones, unless that would "
    "not have helped on these. both: together. ours: heads saved by both, in percent of fixed.",
]


def beyond_corrections(env: Environment) -> Results:
    """Heads to change in every language, by way of proposing."""
    require("universal")
    texts, size = Texts(env), QUICK if env.quick else CORRECTED

    def figures(fold, number):
        parser = fold_parser(env, texts, fold, number)

        def of(target):
            text = texts[target]
            return heads_to_change(six_answers(parser, text).for_text(text), text.limit(size))

        return of

    settings = CORRECTED, AT_ONCE, parser_settings(env)
    rows = language_rows(
        env, texts, "beyond-corrections-{}-rows", settings, figures, lambda counts: _saved(counts, "both")
    )
    shown = [_shown(row) for row in rows]
    keys = [key for key in shown[0] if key not in ("name", "paper")]
    mean = {"name": f"mean of {len(rows)} languages", "paper": None}
    return Results([mean | {key: float(np.mean([row[key] for row in shown])) for key in keys}, *shown], NOTES)


def _saved(counts, way):
    """Heads saved, in percent."""
    return 100 * (counts["fixed"] - counts[way]) / max(counts["fixed"], 1)


def _shown(row):
    alone = {f"{way} saves": _saved(row, way) for way in ("anew", "learnt")}
    counts = {name: row[name] for name in ("words", *WAYS)}
    return {"name": row["name"], "ours": _saved(row, "both"), "paper": None} | alone | counts


def heads_to_change(parser: UniversalParser, text: Treebank) -> dict[str, int]:
    """How many heads of a text without punctuation have to be changed, by WAYS, and its ``words``."""
    parser = parser.with_cache()  # the networks read each sentence once, whatever is learnt
    counts = dict.fromkeys(WAYS, 0)
    for begin in range(0, len(text), AT_ONCE):
        part = text.select(np.arange(begin, min(begin + AT_ONCE, len(text))))
        learnt = helped(parser, text.limit(begin)) if begin else parser
        for proposing, fixed, anew in ((parser, *WAYS[:2]), (learnt, *WAYS[2:])):
            weights = proposing.arc_weights(part)
            for i, (first, last) in enumerate(pairwise(part.offsets.tolist())):
                gold, scores = part.heads[first:last], PackedScores.from_matrices([weights[i]])
                counts[fixed] += int((best_around(scores, np.full(len(gold), -1))[1:] != gold[1:]).sum())
                counts[anew] += changes_deciding_anew(scores, gold)
    return counts | {"words": text.token_count}


def changes_deciding_anew(scores: PackedScores, gold: np.ndarray) -> int:
    """How many heads of a sentence have to be changed where each change lets the rest be decided anew. O(n^4).

    ``scores`` are those of its arcs, ``gold`` the heads that it shall have, int (n + 1,).
    """
    known = np.full(len(gold), -1)
    tree, changed = best_around(scores, known), 0
    for word in range(1, len(gold)):
        if tree[word] != gold[word]:
            changed += 1
            known[1 : word + 1] = gold[1 : word + 1]
            tree = best_around(scores, known)
    return changed
