"""MIRA on one sentence: the scores move just so far that the wanted tree wins by as many nats as heads are wrong.

A parser's weights belong to features, of which an arc has dozens; here each arc has a weight of its own, its score. The
search for a wrong tree and the step are those of ``core.parsers.mst.update_kernels``, in double precision.
"""

import re
from collections.abc import Sequence

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture
from core.errors import InfeasibleError, WorkbenchError
from core.parsers.mst import update_kernels
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, equal_levels, number, numbered
from core.trees.feasibility import require_tree
from core.trees.maximum_spanning_tree import maximum_spanning_tree
from core.trees.spanning_kbest import best_spanning_trees

LARGEST_STEP = 1.0  # as the parsers have it
PASSES = 12  # over the sentence, at most
RIVALS = 5  # words whose heads a question shows the scores of
YES, NO = "Yes", "No"


def wanted_heads(text: str, scores: np.ndarray, single_root: bool) -> np.ndarray:
    """int32 (n + 1,), -1 first: the heads that a text such as ``2 0 4 2`` gives, one number a word and 0 for the root.

    Raises WorkbenchError for another number of heads, for what is no tree, and for a forbidden arc.
    """
    n, found = len(scores) - 1, [int(each) for each in re.findall(r"\d{1,4}", text)]
    if len(found) != n or re.search(r"[^\d\s,]", text) or max(found) > n:
        raise WorkbenchError(
            f"the wanted tree of {n} words needs {n} numbers, the head of each word and 0 for the root, such as "
            f"{' '.join(str(head) for head in range(n))}; got {text.strip()!r}"
        )
    heads, words = np.array([-1, *found], np.int32), np.arange(1, n + 1)
    alone = np.full_like(scores, -np.inf)
    alone[heads[1:], words] = scores[heads[1:], words]
    np.fill_diagonal(alone, -np.inf)
    try:
        require_tree(alone, single_root)
    except InfeasibleError:
        raise WorkbenchError(
            f"the heads {text.strip()} are no tree of allowed arcs with {'one root word' if single_root else 'a root'}"
            "; correct them"
        ) from None
    return heads


class MiraPass:
    """One pass over the sentence.

    ``scores`` are those before it; ``found`` is the best tree when each arc that the wanted tree lacks has a nat more,
    as in training. ``wrong`` has the words whose heads differ, ``margin`` the nats by which the wanted tree wins
    against it. ``size`` is the step τ, and ``after`` has the scores after it.
    """

    def __init__(self, scores: np.ndarray, wanted: np.ndarray, single_root: bool):
        self.scores, self.after = scores, scores.copy()
        raised = scores.copy()
        update_kernels.add_loss(raised, wanted)
        self.found = maximum_spanning_tree(raised, single_root)
        words = np.arange(1, len(scores))
        if (raised[self.found[1:], words] - raised[wanted[1:], words]).sum() <= 1e-9:
            self.found = wanted  # one of the best
        self.wrong = [int(word) for word in np.flatnonzero(self.found[1:] != wanted[1:]) + 1]
        self.margin, self.size = float(sum(scores[wanted[m], m] - scores[self.found[m], m] for m in self.wrong)), 0.0
        if self.wrong:
            loss = len(self.wrong)
            self.size = min(LARGEST_STEP, max(0.0, (loss - self.margin) / (2 * loss)))
            self.after[wanted[self.wrong], self.wrong] += self.size
            self.after[self.found[self.wrong], self.wrong] -= self.size


def mira_passes(scores: np.ndarray, wanted: np.ndarray, single_root: bool) -> list[MiraPass]:
    """Passes until nothing is wrong, the last of which finds the wanted tree, or ``PASSES`` of them."""
    passes = [MiraPass(scores, wanted, single_root)]
    while passes[-1].size and len(passes) < PASSES:
        passes.append(MiraPass(passes[-1].after, wanted, single_root))
    return passes


def trace_mira(example: Example) -> AlgorithmTrace:
    """The passes of MIRA on an Example until the wanted tree wins against each other by its wrong heads.

    The heads of the wanted tree stand in ``example.constraint``; without them it is the second best tree. Trees may
    have crossing arcs.

    Raises
    ------
    WorkbenchError : as ``wanted_heads``.
    InfeasibleError : every tree uses a forbidden arc.

    Notes
    -----
    O(n^2) a pass. Source: Crammer & Singer (2003); McDonald, Crammer & Pereira (2005), section 2.3, with one
    constraint a sentence.
    """
    walk = _MiraWalk(example)
    result = {"wanted": walk.wanted, "passes": walk.passes}
    return AlgorithmTrace("mira", example.words, equal_levels(list(walk.steps())), result)


class _MiraWalk:
    def __init__(self, example):
        self.words, self.n, self.single = example.words, len(example), example.single_root
        scores = np.array(example.scores, dtype=np.float64)
        require_tree(scores, self.single)
        self.given = bool(example.constraint.strip())
        if self.given:
            self.wanted = wanted_heads(example.constraint, scores, self.single)
        else:
            self.wanted = np.asarray(best_spanning_trees(scores, 2, self.single)[0][-1], np.int32)
        self.passes = mira_passes(scores, self.wanted, self.single)

    def steps(self):
        yield self._start()
        for k, each in enumerate(self.passes, start=1):
            yield self._search(k, each)
            if each.size:
                yield self._move(k, each)
        yield self._end()

    def _start(self):
        scores = self.passes[0].scores
        whose = "" if self.given else ", here the second best,"
        worth = number(self._worth(scores, self.wanted))
        caption = (
            f"The wanted tree{whose} is worth {worth} nats. Here each arc’s score is a weight of its own; in a parser, "
            "arcs that share features share weights."
        )
        pairs = self._pairs(self.wanted)
        arcs = [Arc(*pair, number(float(scores[pair])), "gold") for pair in pairs]
        return Step("The wanted tree", caption, self._picture(arcs), self._table(scores, pairs))

    def _search(self, k, each):
        wrong, loss = [(int(each.found[word]), word) for word in each.wrong], len(each.wrong)
        alone = int((maximum_spanning_tree(each.scores, self.single)[1:] != self.wanted[1:]).sum())
        heads = f"{loss} wrong head{'s' if loss > 1 else ''}"
        if not loss:
            caption = "Even with a nat more on each arc that it lacks, the wanted tree is the best: nothing moves."
        else:
            alone_wrong = f"{alone or 'no'} wrong head{'' if alone == 1 else 's'}"
            caption = (
                f"By scores alone the parser has {alone_wrong}; with a nat more on each arc that the wanted tree "
                f"lacks, the best tree has {heads}."
            )
        text = "Each arc that is not wanted has a nat more. Is the wanted tree the best?"
        question = QuizQuestion(text, (YES, NO), NO if loss else YES, given=self._rivals(each.scores))
        arcs = [
            Arc(*pair, self._label(each.scores, pair), "changed" if pair in wrong else "gold")
            for pair in self._pairs(each.found)
        ]
        table = self._table(each.scores, self._pairs(each.found))
        table["wanted"] = ["no" if pair in wrong else "yes" for pair in self._pairs(each.found)]
        picture = self._picture(arcs, each.wrong)
        return Step(f"Pass {k}: the search", caption, picture, table, question, {"loss": loss, "heads": each.found})

    def _move(self, k, each):
        loss, step = len(each.wrong), number(each.size, 2)
        lack = f"({loss} − {_signed(each.margin)}) / {2 * loss} = {number((loss - each.margin) / (2 * loss), 2)}"
        most = f", at most {number(LARGEST_STEP)}" if each.size == LARGEST_STEP else ""
        caption = (
            f"The wanted tree should win by {loss} and wins by {number(each.margin, 2)} nats: τ = {lack}{most}, so "
            f"{2 * loss} arcs move by {step}."
        )
        lost = [(int(each.found[word]), word) for word in each.wrong]
        gained = [(int(self.wanted[word]), word) for word in each.wrong]
        stay = [pair for pair in self._pairs(self.wanted) if pair not in gained]
        arcs = [Arc(*pair, f"{self._label(each.scores, pair)} + {step}", "gold") for pair in gained]
        arcs += [Arc(*pair, f"{self._label(each.scores, pair)} − {step}", "changed") for pair in lost]
        arcs += [Arc(*pair, self._label(each.scores, pair), "plain") for pair in stay]
        table = self._table(each.scores, [*gained, *lost])
        table["new score (nats)"] = [number(float(each.after[pair]), 2) for pair in (*gained, *lost)]
        options = ("All arcs", "Only the wanted ones", "Those in which both trees differ")
        question = QuizQuestion("The tree that was found is wrong. Which arcs’ scores move?", options, options[2])
        numbers = {"margin": each.margin, "size": each.size}
        return Step(f"Pass {k}: the step", caption, self._picture(arcs, each.wrong), table, question, numbers)

    def _end(self):
        last = self.passes[-1]
        found = maximum_spanning_tree(last.after, self.single)
        won = not last.wrong
        count = sum(each.size > 0 for each in self.passes)
        steps, worth = f"{count} step{'' if count == 1 else 's'}", number(self._worth(last.after, found), 2)
        if won:
            caption = (
                f"After {steps} the wanted tree, {worth} nats, wins against each other tree by at least as many nats "
                "as that has wrong heads."
            )
        else:
            caption = (
                f"After {steps} the wanted tree does not yet win against each other by that one’s wrong heads: no step "
                f"is longer than {number(LARGEST_STEP)}."
            )
        shown = self.wanted if won else found
        pairs = self._pairs(shown)
        kinds = ["gold" if int(self.wanted[word]) == head else "changed" for head, word in pairs]
        arcs = [Arc(*pair, self._label(last.after, pair), kind) for pair, kind in zip(pairs, kinds, strict=True)]
        question = QuizQuestion(
            "Does the wanted tree win against each other by that one’s wrong heads?", (YES, NO), YES if won else NO
        )
        numbers = {"scores": last.after, "heads": found, "won": won}
        title = "The best tree" if won else "Not yet"
        return Step(title, caption, self._picture(arcs), self._table(last.after, pairs), question, numbers)

    def _rivals(self, scores):
        """The words whose wanted head has least over the best other one, which has a nat more: a line each."""
        lines = []
        for word in range(1, self.n + 1):
            others = [head for head in range(self.n + 1) if head not in (word, self.wanted[word])]
            other = max(others, key=lambda head: scores[head, word], default=0)
            wanted = (int(self.wanted[word]), word)
            line = f"{arrow(self.words, *wanted)}: {self._label(scores, wanted)}"
            if others:
                line += f" against {self._label(scores, (other, word))} + 1 from {numbered(self.words, other)}"
                lines.append((float(scores[wanted] - scores[other, word]), line))
        return tuple(line for _, line in sorted(lines)[:RIVALS])

    def _picture(self, arcs, marked: Sequence[int] = ()):
        return ArcPicture(self.words, tuple(arcs), marks=tuple((word, "changed") for word in marked))

    def _table(self, scores, pairs):
        return {
            "arc": [arrow(self.words, *pair) for pair in pairs],
            "score (nats)": [self._label(scores, pair) for pair in pairs],
        }

    def _label(self, scores, pair):
        return number(float(scores[pair]), 2)

    def _pairs(self, heads):
        return [(int(heads[word]), word) for word in range(1, self.n + 1)]

    def _worth(self, scores, heads):
        return float(scores[heads[1:], np.arange(1, self.n + 1)].sum())


def _signed(value):
    """A number after a minus sign."""
    text = number(value, 2)
    return f"({text})" if value < 0 else text
