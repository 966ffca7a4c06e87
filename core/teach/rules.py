"""Dual decomposition under rules, round by round: one tree and one factor for each word of which a rule speaks.

The run is the production one (``core.rules.decomposing``), on the scores of a sentence's arcs. Relations come from a
table by the tags of both words: nouns and pronouns of a verb are subjects before it and objects after it, and the other
of both costs a nat.
"""

import numpy as np

from core.decomposition import DualSettings
from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, arc_heights
from core.draw.curves import CurvesPicture
from core.draw.matrix import Panels
from core.errors import InfeasibleError, WorkbenchError
from core.parsers.scores import LabelledScores
from core.rules.checking import RuleWords
from core.rules.decomposing import DecomposedTree, decompose
from core.rules.reading import parse_rules, unknown_relations
from core.rules.rounds import rounds_of
from core.rules.rule import Rule, is_law, prices_of
from core.rules.searching import clashing
from core.rules.wording import wrong_words
from core.teach.agreement import dual_question
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, first_few, number, numbered
from core.treebank import Treebank
from core.trees import eisner

SETTINGS = DualSettings(step=1.0, iterations=40, release=False, decay="decision")
USUAL = (  # of these the first that the parser's own tree breaks and prices bring to be kept
    "VERB has at most 1 nsubj", "VERB has at most 1 obj", "VERB has at most 1 {nsubj obj}", "VERB has at most 1 *",
    "* has at most 2 *",
)  # fmt: skip
NAMES = ("root", "nsubj", "obj", "det", "amod", "case", "advmod", "punct", "dep")
OF_TAG = {"DET": "det", "ADJ": "amod", "ADP": "case", "ADV": "advmod", "PUNCT": "punct"}
NOMINAL = ("NOUN", "PROPN", "PRON")
OTHER_SIDE = -1.0  # nats: a subject after its verb, an object before it


def trace_rules(example: Example) -> AlgorithmTrace:
    """The rounds by which a tree and the rules of an Example agree.

    The rules stand one under the other in ``example.constraint``. Without any it is the first of USUAL that the
    parser's own tree breaks, and one that is proved best keeps.

    Raises
    ------
    ConstraintError : a rule that cannot be read.
    WorkbenchError : words without tags.
    InfeasibleError : every tree uses a forbidden arc.
    """
    if not all(example.tags[1:]):
        raise WorkbenchError("rules speak of tags, and these words have none; choose a sentence of a text with tags")
    return _RulesWalk(example).trace()


def scores_of(example: Example) -> LabelledScores:
    """The LabelledScores of an Example: its arcs, and relations by the tags of both words."""
    size, tags = len(example) + 1, example.tags
    labels = np.full((size, size, len(NAMES)), -np.inf)
    for head in range(size):
        for word in range(1, size):
            for name, cost in _relations(tags, head, word):
                labels[head, word, NAMES.index(name)] = cost
    eisner(example.scores, single_root=example.single_root)  # raises where there is no tree

    def decode(matrix: np.ndarray) -> tuple[float, np.ndarray]:
        try:
            heads = eisner(matrix, single_root=example.single_root)
        except InfeasibleError:
            return -np.inf, np.zeros(size, np.int32)
        return float(matrix[heads[1:], np.arange(1, size)].sum()), heads

    return LabelledScores(np.array(example.scores), labels, NAMES, decode)


def _relations(tags, head, word):
    """(relation, its score) of those that an arc may have."""
    if head == 0:
        return [("root", 0.0)]
    if tags[head] in ("VERB", "AUX") and tags[word] in NOMINAL:
        usual, other = ("nsubj", "obj") if word < head else ("obj", "nsubj")
        return [(usual, 0.0), (other, OTHER_SIDE)]
    return [(OF_TAG.get(tags[word], "dep"), 0.0)]


def run_rules(example: Example) -> tuple[DecomposedTree, tuple[Rule, ...], LabelledScores]:
    """(the run of an Example, its rules, its scores)."""
    scores, words = scores_of(example), _words(example)
    if example.constraint.strip():
        rules = parse_rules(example.constraint)
        return decompose(words, scores, rules, prices_of(rules), settings=SETTINGS), rules, scores
    runs = []
    for text in USUAL:
        rules = parse_rules(text)
        runs.append((decompose(words, scores, rules, settings=SETTINGS), rules, scores))
    return max(runs, key=lambda run: (run[0].rounds > 1 and run[0].certified, run[0].rounds > 1))


def _words(example):
    text = Treebank.from_sentences([{"forms": list(example.words[1:]), "upos": list(example.tags[1:])}])
    return RuleWords(text[0])


class _RulesWalk:
    def __init__(self, example):
        self.words = example.words
        self.run, self.rules, self.scores = run_rules(example)
        self.rounds = rounds_of(self.run, self.rules)
        laws = [rule for rule in self.rules if is_law(rule)]
        self.clash = () if self.run.tree else clashing(self.run.arcs.words, self.scores, laws)
        trees = [each.tree for each in self.rounds]
        self.levels = max((max(arc_heights(self._arcs(tree, ()))) for tree in trees), default=1)

    def trace(self):
        result = {"run": self.run, "rules": self.rules, "scores": self.scores, "clash": self.clash}
        return AlgorithmTrace("rules", self.words, tuple(self._steps()), result)

    def _steps(self):
        for k, each in enumerate(self.rounds):
            numbers = {"dual": each.dual, "heads": each.tree.heads, "disputed": each.disputed, "step": each.step}
            title = f"Round {k + 1}" if k else "The parser alone"
            yield Step(
                title, self._caption(k), self._picture(k, each.tree, each.disputed), self._table(each.tree),
                self._question(k) if k else None, numbers,
            )  # fmt: skip
        yield self._end()

    def _caption(self, k):
        now = self.rounds[k]
        said = self._broken(now)
        if not k:
            rules = "; ".join(rule.text for rule in self.rules)
            odd = "".join(
                f" ({each.message[0].upper()}{each.message[1:]})" for each in unknown_relations(self.rules, NAMES)
            )
            return f"{rules}.{odd} Alone, the parser’s best tree is worth {number(now.dual, 2)} nats, and {said}."
        changed = [arrow(self.words, now.tree.heads[word], word) for word in now.changed]
        takes = f"the tree now takes {first_few(changed)}" if changed else "the tree stays"
        return (
            f"Prices on the arcs of {self._named(now.moved)} move by {number(now.step, 2)}; {takes}, and {said}; "
            f"dual {number(now.dual, 2)} nats."
        )

    def _broken(self, now):
        """What a tree breaks, or what is in dispute though it breaks nothing."""
        if not now.broken:
            if not now.disputed:
                return "keeps the rules"
            return f"keeps the rules, but the rules alone would choose otherwise at {self._named(now.disputed)}"
        breach = now.broken[0]
        word, what = next(wrong_words(breach, now.tree), (breach.word, ""))
        more = f", and {len(now.broken) - 1} more" if len(now.broken) > 1 else ""
        return f"breaks a rule: {numbered(self.words, word)} {what}{more}"

    def _question(self, k):
        now = self.rounds[k]
        if k % 2 == 0:
            return QuizQuestion(
                "Prices move. Does the tree keep the rules?", ("Yes", "No"), "No" if now.broken else "Yes"
            )
        return dual_question(number(now.step, 2), self.rounds[k - 1].dual, now.dual)

    def _end(self):
        run, numbers = self.run, {"value": self.run.value, "bound": self.run.bound}
        if run.certified:
            title, caption = "The proof", (
                f"Tree and rules agree at {number(run.value, 2)} nats: no tree that keeps the rules is worth more."
            )  # fmt: skip
        elif self.clash:
            clash = "; ".join(rule.text for rule in self.clash)
            title, caption = "No tree", f"No tree of these words keeps the rules; these clash: {clash}."
        elif run.tree is None:
            title, caption = "No proof", f"After {run.rounds} rounds no tree that keeps the rules was found."
        else:
            title, caption = "No proof", (
                f"After {run.rounds} rounds the best tree found is worth {number(run.value, 2)} nats, and no other is "
                f"worth more by over {number(max(run.gap, 0.01), 2)}: nothing is proved."
            )  # fmt: skip
        text = "The rounds are over. Is the tree only good, or proved to be the best?"
        options = ("Only good", "Proved the best", "There is none")
        question = QuizQuestion(text, options, options[1 if run.certified else 2 if run.tree is None else 0])
        tree = run.tree or (self.rounds[-1].tree if self.rounds else None)
        if tree is None:
            return Step(title, caption, ArcPicture(self.words), {}, question, numbers)
        return Step(title, caption, self._picture(len(self.rounds) - 1, tree, ()), self._table(tree), question, numbers)

    def _arcs(self, tree, disputed):
        first = self.rounds[0].tree
        return tuple(
            Arc(head, word, tree.relations[word], "changed" if word in disputed else (
                "predicted" if (head, tree.relations[word]) == (first.heads[word], first.relations[word]) else "gold"))
            for word, head in enumerate(tree.heads) if word
        )  # fmt: skip

    def _picture(self, k, tree, disputed):
        marks = tuple((word, "changed") for word in disputed)
        picture = ArcPicture(self.words, self._arcs(tree, disputed), (), marks, levels=self.levels)
        duals = tuple(each.dual for each in self.rounds)
        found = tuple(each.best if each.best > -np.inf else None for each in self.rounds)
        title = "Dual value, and the best tree found that keeps the rules, in nats"
        return Panels((picture, CurvesPicture(title, ("dual", "found"), (duals, found), k, 1)), True, (0.72, 0.28))

    def _table(self, tree):
        words = range(1, len(tree))
        return {
            "arc": [arrow(self.words, tree.heads[word], word) for word in words],
            "relation": [tree.relations[word] for word in words],
        }

    def _named(self, words):
        return first_few([numbered(self.words, word) for word in words])
