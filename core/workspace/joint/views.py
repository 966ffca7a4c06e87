"""A JointOutcome for people to look at: scores, rounds, candidates, sentences helped and hurt, drawings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from core.draw import Drawing, Span, compare_trees
from core.joint import Candidates
from core.joint.measures import same_heads
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
    them the parser has right alone, jointly and, where there was one, in the certified search. Each scheme's own trees
    are known.
    """
    systems = {
        ALONE: [scheme["rounds"][0] for scheme in schemes],
        JOINT: [scheme["rounds"][-1] for scheme in schemes],
        CERTIFIED: [scheme["certified"] for scheme in schemes if "certified" in scheme],
    }
    systems = {system: scored for system, scored in systems.items() if scored}
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
    return table | {"of": [scores[whole] for scores in systems[JOINT] for _, whole in MEASURES.values()]}


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


def certificate(outcome: JointOutcome) -> tuple[bool, str] | None:
    """(whether the pair of each sentence is proved the best, of how many it is and what a shared arc adds in words).

    None for more than two schemes, of which there is no search.
    """
    if not outcome.pair:
        return None
    proved, count = int(outcome.certified.sum()), len(outcome.certified)
    words = f"{proved:,} of {amount(count, 'sentence')}; a shared arc adds {outcome.reward:g} nats"
    return proved == count, words


def round_table(outcome: JointOutcome) -> dict[str, list]:
    """Columns of a table over rounds: words of each scheme that changed head, words with one head in all, UAS."""
    names, inputs = outcome.inputs.names, outcome.inputs
    words = inputs.test.token_count
    table: dict[str, list] = {"round": list(range(outcome.rounds + 1))}
    for number, name in enumerate(names):
        changed = [int(changes(outcome, number, round_).sum()) for round_ in range(1, outcome.rounds + 1)]
        table[f"changed, {name}"] = ["", *(share(count, words) for count in changed)]
    table[f"same head in {every(names)}"] = [share(count, words) for count in outcome.run.figures["shared"]]
    for scheme in outcome.run.figures["schemes"]:
        if "rounds" in scheme:
            table[f"UAS, {scheme['name']}"] = [share(scores["right"], scores["words"]) for scores in scheme["rounds"]]
    return table


def every(names: Sequence[str]) -> str:
    """All of some schemes in a word."""
    return "both" if len(names) == 2 else "all"


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
    "differ" words have different heads in some schemes. "all" lists every sentence in the order of the text. Only
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
        counts = np.sum([changes(outcome, number, stage) for number in range(len(outcome.inputs.names))], axis=0)
    elif listing in ("differ", "all"):
        first, *others = (outcome.heads(number, stage) for number in range(len(outcome.inputs.names)))
        counts = np.any([first != heads for heads in others], axis=0).astype(int)
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
    others = [outcome.heads(other, stage)[rows] for other in range(len(outcome.inputs.names)) if other != number]
    table = {
        "rank": list(range(1, len(heads) + 1)),
        "posterior": candidates.posteriors[index, : len(heads)].tolist(),
        "moved": [int((tree != heads[0]).sum()) for tree in heads],
        "shared": [int(same_heads([tree, *others]).sum()) for tree in heads],
    }
    gold = outcome.inputs.gold[number]
    if gold is not None:
        scored = ((gold.heads >= 0) & ~gold.punctuation())[rows]
        table["right"] = [int(((tree == gold.heads[rows]) & scored).sum()) for tree in heads]
    return table


def sentence_drawings(
    outcome: JointOutcome, index: int, stage: int | str = -1, ranks: Mapping[int, int] | None = None,
    apart: bool = True, listing: str | tuple[str, int] | None = None,
) -> list[Drawing]:  # fmt: skip
    """Drawings of one sentence, one for each further scheme: the first scheme's tree above the words, that one below.

    Arcs that both have are thick, others dashed. ``ranks`` say by the number of a scheme which candidate of its list is
    drawn, 0 the best of the round or the tree of the certified pair. Bars stand under words to which the stage gave
    another head in either scheme, or that ``listing`` of ``listed_sentences`` counts as wrong. A scheme whose parser
    has no tree is left out; without the first there is none.
    """
    text, names, ranks = outcome.inputs.test, outcome.inputs.names, ranks or {}
    rows = slice(*text.offsets[index : index + 2])
    numbers = range(len(names))
    trees = [_tree(outcome, number, index, stage, ranks.get(number, 0)) for number in numbers]
    if is_missed(listing):
        kind, listed = listing
        moved = {listed: missed(outcome, kind, listed, stage)[rows]}
    else:
        moved = {number: changes(outcome, number, stage)[rows] for number in numbers}
    drawings = []
    for other in numbers[1:]:
        (above, above_labels), (below, below_labels) = trees[0], trees[other]
        if (above[1:] < 0).any() or (below[1:] < 0).any():
            continue
        drawing = compare_trees(
            text[index], below, above, labels=(above_labels, below_labels), thick=True, overlay=not apart,
            names=(names[0], names[other]),
        )  # fmt: skip
        bars = np.any([moved[number] for number in (0, other) if number in moved] or [[False]], axis=0)
        spans = tuple(Span(word, word + 1) for word in np.flatnonzero(bars).tolist())
        drawings.append(replace(drawing, spans=spans))
    return drawings


def _tree(outcome, number, index, stage, rank):
    """(heads, relations) of a candidate of a parser for one sentence: of other heads only that of a root is known."""
    rows = slice(*outcome.inputs.test.offsets[index : index + 2])
    heads, last = outcome.heads(number, stage)[rows], outcome.last[number]
    if rank:
        candidates, _ = list_of(outcome, number, stage).trees[index]
        heads = candidates[min(rank, len(candidates) - 1)]
    relations = np.where(heads == last.heads[rows], last.labels[rows], np.where(heads == 0, "root", ""))
    return heads, ("", *relations[1:].tolist())


def gold_drawings(inputs: JointInputs, index: int) -> list[Drawing]:
    """Drawings of a sentence under the schemes' own trees, where known: the first above the words, each other below."""
    (one, above), *others = _known(inputs)
    return [
        compare_trees(
            above[index], below[index].heads, above[index].heads, labels=(above[index].deprels, below[index].deprels),
            thick=True, overlay=False, names=(one, other),
        )
        for other, below in others
    ]  # fmt: skip


def gold_agreement(inputs: JointInputs) -> tuple[list[str], int, int] | None:
    """(names of the schemes whose own trees are known, words with one head in all of them, words with a head in all).

    None where fewer than two are known.
    """
    known = _known(inputs)
    if len(known) < 2:
        return None
    heads = [gold.heads for _, gold in known]
    return [name for name, _ in known], int(same_heads(heads).sum()), int((np.min(heads, axis=0) >= 0).sum())


def _known(inputs):
    """[(name, the text under a scheme's own trees)] where these are known."""
    return [(name, gold) for name, gold in zip(inputs.names, inputs.gold, strict=True) if gold is not None]


def sentence_notes(outcome: JointOutcome, index: int) -> list[str]:
    """Notes on a sentence, one sentence each: no tree, few trees, not certified."""
    notes = []
    wanted = outcome.plan.settings.candidates
    others = "the other one" if len(outcome.inputs.names) == 2 else "the others"
    for number, name in enumerate(outcome.inputs.names):
        count = int(outcome.lists[-1][number].trees.counts[index])
        if not count:
            notes.append(f"The parser of {name} found no tree for this sentence; {others} continued without it.")
        elif count < wanted:
            exist = "tree exists" if count == 1 else "trees exist"
            notes.append(f"Only {count} {exist} for {name}, fewer than the {wanted} asked for; all are listed.")
    return notes


def tokenization(inputs: JointInputs) -> list[str]:
    """How the treebanks, and the text, differ in what is a word: a sentence for each that does."""
    first, *others = inputs.names
    sentences = [
        f"Tokenization differs: {cut['cut_words']:.1f}% of the words of {name} are two words in {first}; "
        f"{amount(cut['recut'], 'sentence')} have the same letters but other words."
        for name, cut in zip(others, inputs.cuts, strict=True)
        if cut["recut"] or (cut["cut_words"] or 0) > 1
    ]
    recut = (
        f"Trees are drawn over the words of the open text; {inputs.recut:,} of its sentences have other words in a "
        "treebank, and are not scored there."
    )
    return sentences + [recut] * bool(inputs.recut)


def sentence_number(outcome: JointOutcome, index: int) -> int:
    """The number of a sentence in the whole text, from 1."""
    return int(outcome.inputs.test.picks[index]) + 1


def share(part: int, whole: int) -> str:
    """A percentage with its two numbers; "no words" of none."""
    return f"{part / whole:.1%} · {part:,} of {whole:,}" if whole else "none"
