"""A JointOutcome for people to look at: scores, rounds, candidates, sentences helped and hurt, drawings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from core.draw import Drawing, Span, compare_trees
from core.joint import Candidates
from core.languages.direction import bidi_isolate
from core.workspace.groups import restrict_order
from core.workspace.joint.plan import JointInputs
from core.workspace.joint.run import CERTIFIED, JointOutcome
from core.workspace.scoring import recorded_words
from core.workspace.wording import amount

MEASURES = {"uas": ("right", "words"), "da": ("inner_right", "inner"), "ra": ("roots_right", "roots"),
            "cm": ("complete", "sentences")}  # fmt: skip
MISSED = {"uas": "wrong", "da": "inner", "ra": "roots", "cm": "wrong"}  # the sentences that a score counts as wrong
WRONG = {"wrong": "Wrong heads in the stage shown", "inner": "Wrong heads of words that depend on a word",
         "roots": "Wrong root words"}  # fmt: skip
ALONE, JOINT = "alone", "joint"
STAGES = (ALONE, JOINT, CERTIFIED)  # columns of scores
MOST = 300  # rows listed at once


def score_table(schemes: Sequence[Mapping]) -> dict[str, list]:
    """Columns of a table over schemes of a run's figures, each with its measures: how many are scored, and how many of
    them the parser has right alone, jointly and in the certified search. Each scheme's own trees are known.
    """
    systems = {
        ALONE: [scheme["rounds"][0] for scheme in schemes],
        JOINT: [scheme["rounds"][-1] for scheme in schemes],
        CERTIFIED: [scheme["certified"] for scheme in schemes],
    }
    table: dict[str, list] = {
        "scheme": [scheme["name"] for scheme in schemes for _ in MEASURES],
        "measure": [name.upper() for name in MEASURES] * len(schemes),
    }
    for system, scored in systems.items():
        table[system] = [
            f"{scores[part] / scores[whole]:.1%} · {scores[part]:,}" if scores[whole] else "none"
            for scores in scored
            for part, whole in MEASURES.values()
        ]
    return table | {"of": [scores[whole] for scores in systems[CERTIFIED] for _, whole in MEASURES.values()]}


def scored_words(scheme: Mapping) -> str:
    """What a scheme's scores are of, with their conditions, in a sentence."""
    over = recorded_words(scheme["rounds"][-1], punctuation=False).removeprefix(", ")
    return f"Scored: {over}."


def verdict(scheme: Mapping, sentences: int) -> str:
    """The effect of the rounds on one scheme of ``sentences`` sentences, in plain text."""
    if not (scheme["helped"] or scheme["hurt"] or scheme["words_helped"] or scheme["words_hurt"]):
        return f"{scheme['name']}: the rounds changed no score"
    chance = "unlikely to be chance" if scheme["p_value"] < 0.05 else "no evidence of a difference"
    return (
        f"{scheme['name']}: {scheme['helped']:,} of {amount(sentences, 'sentence')} improved, {scheme['hurt']:,} got "
        f"worse; {amount(scheme['words_helped'], 'word')} corrected, {scheme['words_hurt']:,} harmed: {chance} "
        f"(p = {scheme['p_value']:.2g})"
    )


def certificate(outcome: JointOutcome) -> tuple[bool, str]:
    """(whether the pair of each sentence is proved the best, of how many it is and what a shared arc adds in words)."""
    proved, count = int(outcome.certified.sum()), len(outcome.certified)
    words = f"{proved:,} of {amount(count, 'sentence')}; a shared arc adds {outcome.reward:g} nats"
    return proved == count, words


def round_table(outcome: JointOutcome) -> dict[str, list]:
    """Columns of a table over rounds: words of each scheme that changed head, words with one head in both, UAS."""
    names, inputs = outcome.inputs.names, outcome.inputs
    words = inputs.test.token_count
    table: dict[str, list] = {"round": list(range(outcome.rounds + 1))}
    for number, name in enumerate(names):
        changed = [int(changes(outcome, number, round_).sum()) for round_ in range(1, outcome.rounds + 1)]
        table[f"changed, {name}"] = ["", *(share(count, words) for count in changed)]
    table["same head in both"] = [share(count, words) for count in outcome.run.figures["shared"]]
    for scheme in outcome.run.figures["schemes"]:
        if "rounds" in scheme:
            table[f"UAS, {scheme['name']}"] = [share(scores["right"], scores["words"]) for scores in scheme["rounds"]]
    return table


def changes(outcome: JointOutcome, number: int, stage: int | str) -> np.ndarray:
    """bool (rows,): words to which a round, or the certified search after it, gave another head; of round 0 none."""
    stage = outcome.rounds if stage == -1 else stage
    before = outcome.rounds if isinstance(stage, str) else max(stage - 1, 0)
    return outcome.heads(number, stage) != outcome.heads(number, before)


def listed_sentences(
    outcome: JointOutcome, listing: str | tuple[str, int], stage: int | str = -1, places: np.ndarray | None = None
) -> tuple[list[int], dict[str, list]]:
    """(indices, columns of a table over the first ``MOST``) of sentences, those with most words first.

    ``listing`` says which words count: ("wrong", scheme), ("inner", scheme) or ("roots", scheme) are words with a wrong
    head after the stage, all of them, those that depend on a word, or root words. ("helped", scheme) and
    ("hurt", scheme) are words that the rounds made right or wrong. "changed" words got another head in a round;
    "differ" words have different heads in the two schemes. "all" lists every sentence in the order of the text. Only
    sentences among ``places`` are listed where given.
    """
    counts = _counted(outcome, listing, stage)
    indices = np.arange(len(counts)) if listing == "all" else np.flatnonzero(counts > 0)
    if listing != "all":
        indices = indices[np.lexsort((indices, -counts[indices]))]
    if places is not None:
        indices = restrict_order(indices, places)
    shown, text = indices[:MOST], outcome.inputs.test
    return indices.tolist(), {
        "sentence": [sentence_number(outcome, index) for index in shown],
        "words": [int(counts[index]) for index in shown],
        "of": [len(text[int(index)]) for index in shown],
        "text": [bidi_isolate(" ".join(text[int(index)].forms[1:])) for index in shown],
    }


def stage_of(outcome: JointOutcome, system: str) -> int:
    """The stage whose trees a column of ``score_table`` scores."""
    return {ALONE: 0, JOINT: outcome.rounds, CERTIFIED: CERTIFIED}[system]


def is_missed(listing: object) -> TypeGuard[tuple[str, int]]:
    """Whether a ``listing`` of ``listed_sentences`` lists the words that a score counts as wrong."""
    return isinstance(listing, tuple) and listing[0] in MISSED.values()


def missed_name(outcome: JointOutcome, kind: str, number: int) -> str:
    """The title of the list of a kind of ``WRONG``."""
    return f"{WRONG[kind]}, {outcome.inputs.names[number]}"


def missed(outcome: JointOutcome, kind: str, number: int, stage: int | str) -> np.ndarray:
    """bool (rows,): words that scores of a kind of ``MISSED`` count as wrong after a stage; of a scheme with gold.

    A sentence's root counts where it has one root word, and the parser another, or several.
    """
    gold = outcome.inputs.gold[number]
    assert gold is not None  # a scheme without has no scores to list words of
    heads = outcome.heads(number, stage)
    scored = (gold.heads >= 0) & ~gold.punctuation()
    if kind == "wrong":
        return scored & (heads != gold.heads)
    if kind == "inner":
        return scored & (gold.heads > 0) & (heads != gold.heads)
    starts = gold.offsets[:-1]
    roots, predicted = gold.heads == 0, heads == 0
    judged = (np.add.reduceat(roots, starts, dtype=int) == 1) & (np.add.reduceat(scored, starts, dtype=int) > 0)
    right, count = (np.add.reduceat(words, starts, dtype=int) for words in (roots & predicted, predicted))
    same = (right == 1) & (count == 1)
    return roots & np.repeat(judged & ~same, gold.lengths + 1)


def _counted(outcome, listing, stage):
    """int (S,): words of each sentence that are meant."""
    starts = outcome.inputs.test.offsets[:-1]
    if is_missed(listing):
        kind, number = listing
        return np.add.reduceat(missed(outcome, kind, number, stage), starts, dtype=int)
    if listing == "changed":
        counts = changes(outcome, 0, stage).astype(int) + changes(outcome, 1, stage)
    elif listing in ("differ", "all"):
        counts = (outcome.heads(0, stage) != outcome.heads(1, stage)).astype(int)
    else:
        kind, number = listing
        gold = outcome.inputs.gold[number]
        scored = (gold.heads >= 0) & ~gold.punctuation()
        before, after = ((outcome.heads(number, at) == gold.heads) & scored for at in (0, -1))
        counts = (after.astype(int) - before) * (1 if kind == "helped" else -1)
    return np.add.reduceat(counts, starts)


def list_of(outcome: JointOutcome, number: int, stage: int | str) -> Candidates:
    """The Candidates of a parser at a stage; the certified search has those of the last round."""
    return outcome.lists[-1 if isinstance(stage, str) else stage][number]


def candidate_table(outcome: JointOutcome, number: int, index: int, stage: int | str) -> dict[str, list]:
    """Columns of a table over a parser's list for one sentence: rank, posterior, words unlike the best, right words."""
    candidates = list_of(outcome, number, stage)
    heads, _ = candidates.trees[index]
    rows = slice(*outcome.inputs.test.offsets[index : index + 2])
    other = outcome.heads(1 - number, stage)[rows]
    table = {
        "rank": list(range(1, len(heads) + 1)),
        "posterior": candidates.posteriors[index, : len(heads)].tolist(),
        "moved": [int((tree != heads[0]).sum()) for tree in heads],
        "shared": [int((tree == other)[1:].sum()) for tree in heads],
    }
    gold = outcome.inputs.gold[number]
    if gold is not None:
        scored = ((gold.heads >= 0) & ~gold.punctuation())[rows]
        table["right"] = [int(((tree == gold.heads[rows]) & scored).sum()) for tree in heads]
    return table


def sentence_drawing(
    outcome: JointOutcome, index: int, stage: int | str = -1, ranks: tuple[int, int] = (0, 0), apart: bool = True,
    listing: str | tuple[str, int] | None = None,
) -> Drawing | None:  # fmt: skip
    """The Drawing of one sentence: the first scheme above the words, the second below; agreement thick, else dashed.

    ``ranks`` say which candidate of either list is drawn, 0 the best of the round or the tree of the certified pair.
    Bars stand under words to which the stage gave another head in either scheme, or that ``listing`` of
    ``listed_sentences`` counts as wrong. None where a parser has no tree.
    """
    text, names = outcome.inputs.test, outcome.inputs.names
    rows = slice(*text.offsets[index : index + 2])
    trees, labels = [], []
    for number in (0, 1):
        heads = outcome.heads(number, stage)[rows]
        if ranks[number]:
            candidates, _ = list_of(outcome, number, stage).trees[index]
            heads = candidates[min(ranks[number], len(candidates) - 1)]
        if (heads[1:] < 0).any():
            return None
        trees.append(heads)
        last = outcome.last[number]  # whose relations are known: of other heads only that of a root
        relations = np.where(heads == last.heads[rows], last.labels[rows], np.where(heads == 0, "root", ""))
        labels.append(("", *relations[1:].tolist()))
    drawing = compare_trees(
        text[index], trees[1], trees[0], labels=(labels[0], labels[1]), thick=True, overlay=not apart, names=names,
    )  # fmt: skip
    if listing is not None and is_missed(listing):
        kind, number = listing
        moved = missed(outcome, kind, number, stage)[rows]
    else:
        moved = (changes(outcome, 0, stage) | changes(outcome, 1, stage))[rows]
    return replace(drawing, spans=tuple(Span(word, word + 1) for word in np.flatnonzero(moved).tolist()))


def gold_drawing(inputs: JointInputs, index: int) -> Drawing | None:
    """The Drawing of a sentence under both schemes' own trees, or None where one is not known."""
    one, other = inputs.gold
    if one is None or other is None:
        return None
    first, second = one[index], other[index]
    return compare_trees(
        first, second.heads, first.heads, labels=(first.deprels, second.deprels), thick=True,
        overlay=False, names=inputs.names,
    )  # fmt: skip


def gold_agreement(inputs: JointInputs) -> tuple[int, int] | None:
    """(words with one head in both schemes' own trees, words with a head in both); None without both."""
    one, other = inputs.gold
    if one is None or other is None:
        return None
    both = (one.heads >= 0) & (other.heads >= 0)
    return int((both & (one.heads == other.heads)).sum()), int(both.sum())


def sentence_notes(outcome: JointOutcome, index: int) -> list[str]:
    """Notes on a sentence, one sentence each: no tree, few trees, not certified."""
    notes = []
    wanted = outcome.plan.settings.candidates
    for number, name in enumerate(outcome.inputs.names):
        count = int(outcome.lists[-1][number].trees.counts[index])
        if not count:
            notes.append(f"The parser of {name} found no tree for this sentence; the other one continued without it.")
        elif count < wanted:
            exist = "tree exists" if count == 1 else "trees exist"
            notes.append(f"Only {count} {exist} for {name}, fewer than the {wanted} asked for; all are listed.")
    return notes


def sentence_number(outcome: JointOutcome, index: int) -> int:
    """The number of a sentence in the whole text, from 1."""
    return int(outcome.inputs.test.picks[index]) + 1


def share(part: int, whole: int) -> str:
    """A percentage with its two numbers; "no words" of none."""
    return f"{part / whole:.1%} · {part:,} of {whole:,}" if whole else "none"
