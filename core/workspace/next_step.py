"""The next step offered under a result: to score it on sentences that no parser has learnt from, then to get advice."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from core.errors import WorkbenchError
from core.evaluation.estimates import AccuracyEstimate, estimate
from core.store import Corpus
from core.workspace.annotate import check
from core.workspace.annotations import Annotations
from core.workspace.constraints.known_trees import Known
from core.workspace.registry import Systems
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

DRAW, CORRECT, SCORES, ADVICE, COMPARE = "draw", "correct", "scores", "advice", "compare"
ADVISE = "What would help most?"


@dataclass(frozen=True)
class NextStep:
    """A sentence, and a button's label and ``action``: DRAW, CORRECT, SCORES, ADVICE or COMPARE."""

    sentence: str
    label: str
    action: str


def advise() -> NextStep:
    """The NextStep under scores on sentences that no parser has learnt from."""
    return NextStep("", ADVISE, ADVICE)


def after_run(systems: Systems, corpus: Corpus, scored: bool) -> NextStep:
    """The NextStep under a result on a Corpus; ``scored`` says whether known trees score it already."""
    if scored:
        return NextStep("How does it compare?", "Compare with other parsers", COMPARE)
    sample = check.drawn(systems.workspace.store, corpus)
    if sample is None:
        size = min(check.SIZE, len(systems.workspace.source(corpus)))
        return NextStep("How good is it?", f"Pick {amount(size, 'sentence')} at random", DRAW)
    done, size = len(check.checked(Annotations(systems.workspace, corpus), sample)), len(sample["sentences"])
    if done < 2:
        return NextStep(
            f"{done} of {size} sentences corrected; two give a first score.", "Correct the next one", CORRECT
        )
    return NextStep(f"{done} of {size} sentences corrected.", "See the scores", SCORES)


def after_training(systems: Systems, corpus: Corpus, scored: bool, progress: str) -> NextStep:
    """The NextStep after training from constraints; ``progress`` is the text of ``progress_words``, or ""."""
    if scored or progress:
        return replace(advise(), sentence=progress)
    return after_run(systems, corpus, False)


def progress_on_sample(
    known: Known, sample: dict, population: int, trees: tuple[np.ndarray, ...]
) -> list[AccuracyEstimate] | None:
    """The accuracy of several parses on the known trees of a random sample: an estimate for each.

    Parameters
    ----------
    known : Known
        Without the sentences that any of the parsers has learnt from.
    sample : dict
        As ``check.drawn`` gives it.
    population : int
        The number of sentences that the sample was drawn from.
    trees : tuple of int32 (rows,)
        Heads, laid out like the text's treebank.

    Returns None where fewer than two of its sentences are known. Punctuation is not counted. O(rows).
    """
    bank = known.text.treebank
    scored = (known.heads >= 0) & ~bank.punctuation()
    scored &= np.repeat(np.isin(bank.picks, sample["sentences"]), bank.lengths + 1)
    words = np.add.reduceat(scored, bank.offsets[:-1], dtype=np.int64)

    def right(heads):
        return np.add.reduceat(scored & (heads == known.heads), bank.offsets[:-1], dtype=np.int64)

    try:
        return [estimate(right(heads), words, population) for heads in trees]
    except WorkbenchError:  # fewer than two known sentences
        return None


def tags_by_hand(workspace: Workspace, corpus: Corpus, sentences: Collection[int], tags: str) -> int:
    """How many words of these sentences, from 0, have a tag by hand that differs from the tag before."""
    chosen = np.array(sorted(sentences), np.int64)
    columns = [
        getattr(bank.select(chosen), tags)
        for bank in (workspace.treebank(corpus), workspace.treebank_before_hand(corpus))
    ]
    now, before = (column.strings() for column in columns)
    return int((now != before).sum())


def progress_words(before: AccuracyEstimate, now: AccuracyEstimate, untrained: bool, by_hand: int = 0) -> str:
    """For example ``45.6% before, 54.1% now (50.0 to 58.1), without punctuation, on 18 sentences picked at random …``.

    ``by_hand`` words of these sentences have corrected tags, unlike the rest of the text.
    """
    return (
        f"{before.share:.1f}% {'untrained' if untrained else 'before'}, **{now.share:.1f}%** now ({now.low:.1f} to "
        f"{now.high:.1f}), without punctuation, on {amount(now.sentences, 'sentence')} picked at random, not learnt "
        "from." + (f" {amount(by_hand, 'tag')} there corrected by hand: elsewhere expect less." if by_hand else "")
    )
