"""The next step offered under a result: to score it on sentences that no parser has learnt from, then to get advice."""

from dataclasses import dataclass, replace

import numpy as np

from core.store import Corpus
from core.workspace.annotate import check
from core.workspace.annotations import Annotations
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.learner import LearningSystem
from core.workspace.constraints.results import TreeChanges, score
from core.workspace.random_sample import drawn
from core.workspace.registry import Systems
from core.workspace.scored_text import NONE, scored_text
from core.workspace.scoring import Score
from core.workspace.wording import amount

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
    sample = drawn(systems.workspace.store, corpus)
    if sample is None:
        size = min(check.SIZE, len(systems.workspace.source(corpus)))
        return NextStep("How good is it?", f"Pick {amount(size, 'sentence')} at random", DRAW)
    done, size = len(check.checked(Annotations(systems.workspace, corpus), sample)), len(sample["sentences"])
    if done < 2:
        return NextStep(
            f"{done} of {size} sentences corrected; two give a first score.", "Correct the next one", CORRECT
        )
    return NextStep(f"{done} of {size} sentences corrected.", "See the scores", SCORES)


def after_training(systems: Systems, corpus: Corpus, scored: bool, progress: str, all_learnt: bool = False) -> NextStep:
    """The NextStep after training from constraints; ``progress`` is the text of ``progress_words``, or "".

    ``all_learnt`` says that all known trees were learnt from, so that only other sentences give a score.
    """
    if scored or progress:
        return replace(advise(), sentence=progress)
    step = after_run(systems, corpus, False)
    if not (all_learnt and step.action == SCORES):
        return step
    sample = drawn(systems.workspace.store, corpus) or {"sentences": []}
    left = len(sample["sentences"]) - len(check.checked(Annotations(systems.workspace, corpus), sample))
    sentence = "All corrected sentences were learnt from; others show how good it is."
    if left:
        return NextStep(sentence, "Correct the next one", CORRECT)
    size = min(check.SIZE, len(systems.workspace.source(corpus)))
    return NextStep(sentence, f"Pick {amount(size, 'sentence')} at random", DRAW)


def progress_on_sample(
    learner: LearningSystem, text: ConstraintInputs, change: TreeChanges
) -> tuple[Score, Score] | None:
    """The Scores of the trees before and after on the known trees of the sentences drawn at random.

    Returns None where none were drawn, or fewer than two of them are known and learnt from by neither parser. O(words).
    """
    outcomes = change.before, change.after
    known = scored_text(learner.workspace, text.corpus)
    if known.sample is None:
        return None
    learnt = np.concatenate([NONE, *(learner.learnt(each.run) for each in outcomes if each.run is not None)])
    drawn = known.sample["sentences"]
    before, now = (score(known, text, each, learnt, only=drawn) for each in outcomes)
    return None if now.estimate is None or before.estimate is None else (before, now)


def progress_words(change: TreeChanges, before: Score, now: Score) -> str:
    """For example ``45.6% before, 54.1% now (50.0 to 58.1), without punctuation, in 18 sentences corrected by hand …``.

    Of the Scores that the change itself has, which are shown beside it, the interval alone. "" where it is not known.
    """
    was, found = before.estimate, now.estimate
    if was is None or found is None:
        return ""
    if now.conditions == change.score_after.conditions:
        return f"In the whole text {found.low:.1f} to {found.high:.1f}% (95% interval)."
    return (
        f"{was.share:.1f}% {'untrained' if change.is_first else 'before'}, **{found.share:.1f}%** now "
        f"({found.low:.1f} to {found.high:.1f}), {now.conditions.phrase}."
    )
