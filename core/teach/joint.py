"""Joint inference of two annotation schemes on one sentence, round by round (zhou2013, Algorithm 1).

One parser learns from the text's own trees, the other from the same trees with function words as heads; the sentence
itself is left out. Lists, shares and subtrees are those of ``core.joint``. As in the paper's equations 2 to 4 a tree of
one parser is worth P + Psi: its own score, and for each subtree the share of the other's list that has it. Here all
kinds of subtrees weigh the same; ``core.joint.JointParser`` learns weights, conjoined with words and tags.
"""

from dataclasses import dataclass

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture
from core.draw.matrix import Panels, SmallTree, Titled, TreesPicture
from core.errors import WorkbenchError
from core.features.packed import GRANDPARENT
from core.joint import Candidates
from core.parsers import TreeCRF
from core.parsers.crf.tree_crf import trainable
from core.teach.step import (
    AlgorithmTrace,
    Example,
    QuizQuestion,
    Step,
    arrow,
    first_few,
    number,
    numbered,
    percent,
    quiz_question,
)
from core.treebank import Treebank, load_sample
from core.treebank.schemes import to_function_heads
from core.trees import PackedTrees, eisner_kbest

CANDIDATES, ROUNDS = 4, 4  # trees a list, and the paper's number of rounds
WEIGHT, HEAVIEST = 1.0, 10.0  # nats for a subtree that all trees of the other list have; the most that can be asked
TRAINED_ON, TRAINED_LENGTH = 200, 15  # sentences, and words of the longest, that each parser learns from
PARSERS = ("first", "second")
SCHEMES = ("First parser: content words as heads, as in UD", "Second parser: function words as heads")
NOTE = "Under each tree P + Ψ in nats, and its share of the list; framed where it is new to the list"
STAYS, CHANGES = "It stays", "It changes"
SHORT = 7  # words of a sentence whose shares all have room, in trees side by side
WHOLE = 380.0  # height of a tree beside another one
HALF = 171.0  # height of a tree, over or under another one
ABOVE = 184.0  # of a tree above a list


@dataclass(frozen=True, eq=False)
class WeighedList:
    """A parser's best trees of the sentence.

    Attributes
    ----------
    candidates : Candidates
        Of one sentence.
    own : ndarray of shape (k,), dtype float64
        P: the score of each tree by the parser alone, in nats.
    """

    candidates: Candidates
    own: np.ndarray

    @property
    def heads(self) -> np.ndarray:
        """int32 (k, n + 1), best first."""
        return self.candidates.trees[0][0]

    @property
    def values(self) -> np.ndarray:
        """float64 (k,): F = P + Psi in nats."""
        return self.candidates.trees[0][1]

    @property
    def shares(self) -> np.ndarray:
        """float64 (k,): softmax of the values."""
        return self.candidates.posteriors[0, : len(self.values)]

    @property
    def best(self) -> np.ndarray:
        """int32 (n + 1,): the heads of the best tree."""
        return self.heads[0]

    @property
    def arcs(self) -> np.ndarray:
        """float64 (n + 1, n + 1): the share of the trees that have each arc."""
        side = self.heads.shape[1]
        return self.candidates.arcs.reshape(side, side)


def trace_joint(example: Example) -> AlgorithmTrace:
    """The rounds of two parsers on an Example's sentence, until no tree of a list changes, at most ``ROUNDS``.

    ``example.constraint`` is the weight of a shared subtree, in nats; empty for ``WEIGHT``.

    Raises
    ------
    WorkbenchError : a word without a tag, a weight that is none, a text without UD trees.

    Notes
    -----
    Two small trainings, then O(n^4) a parser and round. Source: Zhou & Zhao (2013), section 2, Algorithm 1.
    """
    weight, scores = weight_of(example.constraint), scheme_scores(example)
    lists = joint_lists(scores, weight)
    steps = tuple(_JointWalk(example.words, weight, lists).steps())
    return AlgorithmTrace("joint", example.words, steps, {"scores": scores, "lists": lists, "weight": weight})


def weight_of(text: str) -> float:
    """The weight that somebody typed, in nats; ``WEIGHT`` for nothing. Raises WorkbenchError."""
    try:
        weight = float(text.strip() or WEIGHT)
    except ValueError:
        weight = np.nan
    if not 0 <= weight <= HEAVIEST:
        raise WorkbenchError(
            f"{text.strip()!r} is no weight; write a number of nats from 0 to {HEAVIEST:g}, such as 0.5"
        )
    return weight


def scheme_scores(example: Example) -> tuple[np.ndarray, np.ndarray]:
    """The arcs' scores (n + 1, n + 1), in nats to a tenth, by a parser of each scheme that did not see the sentence.

    Raises WorkbenchError as ``trace_joint``.
    """
    text = load_sample() if example.text is None else example.text
    column = text.coarse_name
    if not all(example.tags[1:]):
        raise WorkbenchError("both parsers read tags, and a word of this sentence has none; choose a tagged sentence")
    usable = trainable(text, TreeCRF(tags=column).distribution) & (text.lengths <= TRAINED_LENGTH)
    others = [at for at in np.flatnonzero(usable).tolist() if tuple(text[at].forms) != example.words][:TRAINED_ON]
    if not others:
        raise WorkbenchError(
            f"both parsers learn from the text’s trees of at most {TRAINED_LENGTH} words, and there are none; "
            "type an English sentence, or choose a text with trees"
        )
    one = Treebank.from_sentences([{"forms": list(example.words[1:]), column: list(example.tags[1:])}])
    own = text.select(others)
    first, second = (
        np.round(np.array(TreeCRF(tags=column, variance=1.0).fit(trees).scores(one)[0]), 1) + 0.0
        for trees in (own, to_function_heads(own))
    )
    return first, second


def joint_lists(scores: tuple[np.ndarray, np.ndarray], weight: float) -> list[tuple[WeighedList, WeighedList]]:
    """Both parsers' lists after each round, round 0 being each parser alone; the last round changed no tree, or it is
    the last of ``ROUNDS``."""
    first, second = scores
    lists = [(_parsed(first, None, weight), _parsed(second, None, weight))]
    while len(lists) <= ROUNDS and (len(lists) < 2 or not _same_trees(lists[-2], lists[-1])):
        one, other = lists[-1]
        lists.append((_parsed(first, other, weight), _parsed(second, one, weight)))
    return lists


def _same_trees(before, after):
    return all(np.array_equal(old.heads, new.heads) for old, new in zip(before, after, strict=True))


def _parsed(scores, other, weight):
    """The WeighedList of a parser that sees the other's, or none."""
    side = len(scores)
    if other is None:
        heads, values = eisner_kbest(scores, CANDIDATES)
    else:
        cubes = np.zeros((2, side, side, side))
        parts, shares, _ = other.candidates.parts
        cubes[tuple(parts.T)] = weight * shares
        arcs = scores + weight * other.arcs
        heads, values = eisner_kbest(arcs, CANDIDATES, cubes[1 - GRANDPARENT], cubes[GRANDPARENT])
    trees = PackedTrees(heads.reshape(-1), np.array([0, heads.size]), values[None], np.array([len(values)]))
    own = scores[heads[:, 1:], np.arange(1, side)].sum(axis=1)
    return WeighedList(Candidates(np.array([side - 1]), trees), own)


class _JointWalk:
    def __init__(self, words, weight, lists):
        self.words, self.n, self.lists = words, len(words) - 1, lists
        self.priced = f"{number(weight, 2)} nat{'s' * (weight != 1)}"

    def steps(self):
        yield Step("Each parser alone", self._alone(), self._both(0), self._trees_table(self.lists[0]), None,
                   self._numbers(0))  # fmt: skip
        for r in range(1, len(self.lists)):
            yield self._subtrees(r)
            for s in range(len(PARSERS)):
                yield self._parse(r, s)
            yield self._update(r)
        yield self._end()

    def _numbers(self, r):
        return {"heads": [one.heads for one in self.lists[r]], "values": [one.values for one in self.lists[r]]}

    def agreed(self, r):
        """How many words the best trees after round r attach alike."""
        one, other = self.lists[r]
        return int((one.best == other.best)[1:].sum())

    def _alone(self):
        return (
            f"Each parser lists its {len(self.lists[0][0].heads)} best trees by its own scores; a tree’s share is e to "
            f"the power of its score, over the sum of the list. The best trees share {self.agreed(0)} of {self.n} "
            "heads."
        )

    def _subtrees(self, r):
        """Step 2 of the algorithm: what both lists hold, cut up."""
        one, other = self.lists[r - 1]
        m = int(np.abs(one.arcs - other.arcs).sum(axis=0)[1:].argmax()) + 1
        names = [arrow(self.words, h, m) for h in range(self.n + 1)]
        taken = [int(each.arcs[:, m].argmax()) for each in (one, other)]
        again = (
            "Each list is cut into its subtrees of two and three words, which count by the shares of the trees that "
        )
        again = f"{again}have them" if r == 1 else "The new lists are cut up in their turn"
        caption = (
            f"{again}: {names[taken[1]]} counts {percent(other.arcs[taken[1], m])} in the second list, "
            f"{percent(one.arcs[taken[1], m])} in the first."
        )
        ways = [(names[h], float(other.arcs[h, m])) for h in range(self.n + 1) if max(one.arcs[h, m], other.arcs[h, m])]
        question = quiz_question(
            f"Which arc into {numbered(self.words, m)} counts most in the second list?", ways, names[taken[1]]
        )
        short = self.n <= SHORT
        drawn = [
            ArcPicture(self.words, tuple(self._counted(each, m)), (), ((m, "changed"),), high=WHOLE if short else HALF)
            for each in (one, other)
        ]
        panels = [Titled(scheme, picture) for scheme, picture in zip(SCHEMES, drawn, strict=True)]
        return Step(f"Round {r}: subtrees", caption, Panels(tuple(panels), short), self._parts_table(r), question,
                    {"arcs": [one.arcs, other.arcs]})  # fmt: skip

    def _counted(self, one, word):
        """The arcs of all trees of a list, as strong as they count; in a long sentence the word's have their shares."""
        for h, m in np.argwhere(one.arcs > 0).tolist():
            share = min(float(one.arcs[h, m]), 1.0)
            label = percent(share) if m == word or (share < 0.995 and self.n <= SHORT) else ""
            yield Arc(h, m, label, "predicted" if one.best[m] == h else "candidate", share)

    def _parse(self, r, s):
        """Step 3: a parser parses anew, with the other's subtrees."""
        before, now = self.lists[r - 1][s], self.lists[r][s]
        changed = np.flatnonzero(before.best != now.best).tolist()
        whole = f"P + Ψ = {self._sum(now, 0)}"
        if changed:
            text = (
                f"The {PARSERS[s]} parser parses anew, and adds {self.priced} times its share for each "
                f"subtree of the other list: now {first_few([arrow(self.words, int(now.best[m]), m) for m in changed])}"
                f", and the best tree is worth {whole} nats"
            )
            former = [k for k, heads in enumerate(now.heads) if np.array_equal(heads, before.best)]
            text += (
                f"; its former best tree, {self._sum(now, former[0])}."
                if former
                else "; its former best tree left the list."
            )
        else:
            text = (
                f"With {self.priced} times its share for each subtree of the other list, the "
                f"{PARSERS[s]} parser keeps its best tree, {whole} nats"
            )
            text += f"; the next is worth {self._sum(now, 1)}." if len(now.values) > 1 else ", its only one."
        question = QuizQuestion(
            f"The {PARSERS[s]} parser parses anew, with the other’s subtrees. What will its best tree do?",
            (STAYS, CHANGES), CHANGES if changed else STAYS,
        )  # fmt: skip
        arcs = [Arc(int(h), m, "", "changed" if m in changed else "predicted") for m, h in enumerate(now.best) if m]
        arcs += [Arc(int(before.best[m]), m, "", "former") for m in changed]
        best = ArcPicture(self.words, tuple(arcs), (), tuple((m, "changed") for m in changed), high=ABOVE)
        picture = Panels((Titled(SCHEMES[s], best), self._small(now, before, NOTE)))
        return Step(f"Round {r}: the {PARSERS[s]} parser", text, picture, self._trees_table([now], s), question,
                    {"heads": now.heads, "values": now.values, "own": now.own})  # fmt: skip

    def _sum(self, one, k):
        own, whole = float(one.own[k]), float(one.values[k])
        return f"{number(own, 2)} + {number(whole - own, 2)}"

    def _update(self, r):
        """Steps 4 and 5: both lists are replaced, and the next round begins."""
        before, now = self.agreed(r - 1), self.agreed(r)
        caption = (
            "Both new lists take the place of the old ones at once, so neither parser goes first: the best trees share "
            f"{now} of {self.n} heads, {before} before."
        )
        counts = sorted({max(0, min(self.n, count)) for count in (before - 1, before, before + 1, before + 2, now)})
        question = QuizQuestion(f"The best trees shared {before} of {self.n} heads. How many do they share now?",
                                tuple(map(str, counts)), str(now)) if len(counts) > 1 else None  # fmt: skip
        return Step(f"Round {r}: new lists", caption, self._both(r), self._trees_table(self.lists[r]), question,
                    self._numbers(r) | {"agreed": now})  # fmt: skip

    def _end(self):
        last = len(self.lists) - 1
        settled = _same_trees(self.lists[-2], self.lists[-1])
        why = (
            f"Round {last} changed no tree of a list"
            if settled
            else f"The {last} rounds are over, and trees of the lists still change"
        )
        moved = [int((self.lists[0][s].best != self.lists[-1][s].best)[1:].sum()) for s in range(len(PARSERS))]
        heads = f"{moved[0]} head{'s' * (moved[0] != 1)}"
        caption = (
            f"{why}: since each parser was alone, {heads} changed in the first parser’s best tree and "
            f"{moved[1]} in the second’s; nothing proves that another pair is not better."
        )
        question = QuizQuestion(
            "The rounds are over. Is this pair of trees proved to be the best?", ("Yes", "No"), "No"
        )  # fmt: skip
        panels = []
        for s, scheme in enumerate(SCHEMES):
            alone, best = self.lists[0][s].best, self.lists[-1][s].best
            changed = np.flatnonzero(alone != best).tolist()
            arcs = [Arc(int(h), m, "", "changed" if m in changed else "predicted") for m, h in enumerate(best) if m]
            arcs += [Arc(int(alone[m]), m, "", "former") for m in changed]
            marks = tuple((m, "changed") for m in changed)
            panels.append(Titled(scheme, ArcPicture(self.words, tuple(arcs), (), marks, high=HALF)))
        return Step("The end", caption, Panels(tuple(panels)), self._trees_table(self.lists[-1]), question,
                    self._numbers(last) | {"changed": moved})  # fmt: skip

    def _both(self, r):
        """Both lists as small trees, those that are new to a list framed."""
        shown = zip(SCHEMES, self.lists[r], self.lists[max(r - 1, 0)], ("", NOTE), strict=True)
        return Panels(tuple(Titled(scheme, self._small(now, before, note)) for scheme, now, before, note in shown))

    def _small(self, now, before, note):
        known = {tuple(heads) for heads in before.heads.tolist()}
        trees = tuple(
            SmallTree(tuple(heads), f"{self._sum(now, k)}: {percent(float(now.shares[k]))}",
                      "" if tuple(heads) in known else "changed")
            for k, heads in enumerate(now.heads.tolist())
        )  # fmt: skip
        return TreesPicture(self.words, trees, CANDIDATES, note=note)

    def _trees_table(self, lists, start=0):
        table = {"parser": [], "heads": [], "P in nats": [], "Ψ in nats": [], "share": []}
        for s, one in enumerate(lists, start=start):
            for k, heads in enumerate(one.heads):
                table["parser"].append(PARSERS[s])
                table["heads"].append(" ".join(map(str, heads[1:].tolist())))
                table["P in nats"].append(f"{one.own[k]:.2f}")
                table["Ψ in nats"].append(f"{one.values[k] - one.own[k]:.2f}")
                table["share"].append(f"{one.shares[k]:.4f}")
        return table

    def _parts_table(self, r):
        table = {"list": [], "subtree": [], "share": []}
        for s, one in enumerate(self.lists[r - 1]):
            found = [(arrow(self.words, h, m), one.arcs[h, m]) for h, m in np.argwhere(one.arcs > 0).tolist()]
            parts, shares, _ = one.candidates.parts
            for (kind, *three), share in zip(parts.tolist(), shares, strict=True):
                head, middle, last = (numbered(self.words, k) for k in three)
                found.append(
                    (f"{head} → {middle} → {last}" if kind == GRANDPARENT else f"{head} → {middle}, {last}", share)
                )
            for name, share in found:
                table["list"].append(PARSERS[s])
                table["subtree"].append(name)
                table["share"].append(f"{share:.4f}")
        return table
