"""The Matrix-Tree theorem: trees listed and their weights summed, the determinant beside.

Weights, eliminations and marginals are those that the production kernel leaves behind
(``core.trees.elimination.sum_trees``); only the list of trees is made here, to compare with: of all of a short
sentence, of the best of a longer one.
"""

import math

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture
from core.draw.matrix import MatrixPicture, SmallTree, TreesPicture
from core.errors import NumericalError
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, number, numbered, percent, quiz_question
from core.trees.elimination import sum_trees
from core.trees.matrix_tree import matrix_tree
from core.trees.spanning_kbest import best_spanning_trees

LISTED = 7  # words: there are 117,649 trees of seven with one root word, and sixteen times as many of eight
SHOWN = 8  # trees one by one
BEST = 24  # trees listed of a longer sentence


def trace_matrix_tree(example: Example) -> AlgorithmTrace:
    """The steps of the Matrix-Tree theorem on an Example; beyond ``LISTED`` words the ``BEST`` trees alone are listed.

    Raises
    ------
    InfeasibleError : every tree uses a forbidden arc.
    NumericalError : scores so far apart that weights cannot be shown.

    Notes
    -----
    O(n^n) for the list of all trees, O(n^3) for the rest. Source: Tutte (1984); Koo, Globerson, Carreras & Collins
    (2007), section 3.2 for one root; Grassmann, Taksar & Heyman (1985) for the elimination.
    """
    log_partition, marginals = matrix_tree(example.scores, example.single_root)
    walk = _MatrixTreeWalk(example, log_partition, marginals)
    result = {"log_partition": log_partition, "marginals": marginals}
    return AlgorithmTrace("matrix-tree", example.words, tuple(walk.steps()), result)


def all_trees(n: int, single_root: bool) -> np.ndarray:
    """Heads of every tree over n words: int8 (T, n + 1), entry 0 is -1; O((n + 1)^n) memory, for n <= LISTED."""
    choices = [[h for h in range(n + 1) if h != m] for m in range(1, n + 1)]
    grid = np.array(np.meshgrid(*[np.array(row, np.int8) for row in choices], indexing="ij"))
    heads = np.vstack([np.zeros((1, grid[0].size), np.int8), grid.reshape(n, -1)]).T
    if single_root:
        heads = heads[(heads[:, 1:] == 0).sum(axis=1) == 1]
    reached, rows = heads, np.arange(len(heads))[:, None]
    for _ in range(max(1, math.ceil(math.log2(n + 1)))):  # each step doubles how far up a word looks
        reached = reached[rows, reached]
    heads = heads[(reached == 0).all(axis=1)]
    heads[:, 0] = -1
    return heads


def count_trees(allowed: np.ndarray, single_root: bool) -> int:
    """How many trees have only allowed arcs, bool (n + 1, n + 1): the determinant of whole numbers, exactly. O(n^3)."""
    matrix = [[int(value) for value in row] for row in laplacian(allowed.astype(np.int64), single_root)]
    size, last, sign = len(matrix), 1, 1
    for k in range(size - 1):  # Bareiss (1968): every division is without a rest
        pivot = next((row for row in range(k, size) if matrix[row][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            matrix[k], matrix[pivot], sign = matrix[pivot], matrix[k], -sign
        for i in range(k + 1, size):
            for j in range(k + 1, size):
                matrix[i][j] = (matrix[i][j] * matrix[k][k] - matrix[i][k] * matrix[k][j]) // last
        last = matrix[k][k]
    return sign * matrix[-1][-1]


def laplacian(weights: np.ndarray, single_root: bool) -> np.ndarray:
    """(n, n): column sums of the weights on the diagonal, minus the weights off it. With one root word the first row
    holds the root's weights instead, and they are in no sum."""
    inner = weights[1:, 1:]
    sums = inner.sum(axis=0) if single_root else weights[:, 1:].sum(axis=0)
    matrix = np.diag(sums) - inner
    if single_root:
        matrix[0] = weights[0, 1:]
    return matrix


class _MatrixTreeWalk:
    def __init__(self, example, log_partition, marginals):
        self.words, self.example, self.n = example.words, example, len(example)
        self.log_partition, self.marginals = log_partition, marginals
        side = self.n + 1
        self.weights, self.eliminated, gradient = np.empty((3, side, side))
        self.order, shift = np.empty(side, np.int64), np.empty(side)
        scores = np.ascontiguousarray(example.scores, dtype=np.float64)
        scratch = self.weights, self.eliminated, gradient, self.order, shift, np.empty((side, side))
        total = sum_trees(scores, example.single_root, *scratch)
        if not math.isfinite(total):
            raise NumericalError("these scores lie too far apart for weights to be shown; bring them closer together")
        self.totals = [float(self.eliminated[k, k]) for k in range(side)]
        self.lost = log_partition - sum(math.log(total) for total in self.totals[1:])
        self.names = ("root", *self.words[1:])
        # trees that are allowed, heaviest first, and their weights: all of them, or the best
        self.whole = self.n <= LISTED
        heads = all_trees(self.n, example.single_root) if self.whole else self._best(scores)
        values = self.weights[np.maximum(heads[:, 1:], 0), np.arange(1, self.n + 1)].prod(axis=1)
        order = np.argsort(-values, kind="stable")
        self.heads, self.values = heads[order], values[order]
        base = self.n if example.single_root else self.n + 1
        self.tree_count = base ** (self.n - 1)
        self.allowed = int((self.values > 0).sum()) if self.whole else count_trees(_arcs(scores), example.single_root)
        self.total = float(self.values.sum()) if self.whole else math.prod(self.totals[1:])

    def _best(self, scores):
        return best_spanning_trees(scores, BEST, self.example.single_root)[0]

    def steps(self):
        yield self._weights()
        shown = min(SHOWN, self.allowed)
        for count in range(1, shown + 1):
            yield self._tree(count)
        yield self._sum(shown)
        yield self._laplacian()
        for k in range(self.n, 0, -1):
            yield self._eliminate(k)
        yield self._compare()
        yield self._marginals()

    def _weights(self):
        caption = (
            "Each arc's weight is e to the power of its score, scaled so that the largest into each word is 1"
            + (", and the largest of the root's arcs" if self.example.single_root else "")
            + f". This keeps numbers small, and divides the weight of every tree by the same e^{number(self.lost, 2)}."
        )
        picture = MatrixPicture(
            "Weights w: head in the row, word in the column", self.names, self.names[1:],
            tuple(tuple("" if h == m else _weight(self.weights[h, m]) for m in range(1, self.n + 1))
                  for h in range(self.n + 1)),
            tuple(tuple(float(self.weights[h, m]) for m in range(1, self.n + 1)) for h in range(self.n + 1)),
        )  # fmt: skip
        table = {"head \\ word": [self._name(h) for h in range(self.n + 1)]}
        for m in range(1, self.n + 1):
            table[self._name(m)] = ["" if h == m else _weight(self.weights[h, m]) for h in range(self.n + 1)]
        return Step("Scores become weights", caption, picture, table, None,
                    {"weights": self.weights.copy()})  # fmt: skip

    def _tree(self, count):
        value, total = float(self.values[count - 1]), float(self.values[:count].sum())
        heads = [int(h) for h in self.heads[count - 1]]
        factors = " × ".join(_weight(self.weights[heads[m], m]) for m in range(1, self.n + 1))
        product = f"{factors} = " if self.whole else ""
        rank = "The heaviest tree" if count == 1 else f"The next, number {count},"
        caption = f"{rank} weighs {product}{_weight(value)}; the sum so far is {_weight(total)}."
        question = None
        if count == 1:
            roots = {}
            for tree, weight in zip(self.heads, self.values, strict=True):
                if not weight:
                    break
                for m in np.flatnonzero(tree == 0).tolist():
                    roots[m] = max(roots.get(m, 0.0), float(weight))
            top = int(np.flatnonzero(self.heads[0] == 0)[0])
            ways = [(numbered(self.words, m), weight) for m, weight in sorted(roots.items())]
            question = quiz_question("Which word is the root of the heaviest tree?", ways, numbered(self.words, top))
        else:
            options = ("more than half", "a tenth to a half", "less than a tenth")
            share = value / float(self.values[count - 2])
            answer = options[0] if share > 0.5 else options[1] if share >= 0.1 else options[2]
            question = QuizQuestion("How much of this tree's weight does the next one have?", options, answer)
        return Step(f"Tree {count}", caption, self._gallery(count, total=total), self._tree_table(count), question,
                    {"heads": heads, "weight": value, "sum": total})  # fmt: skip

    def _sum(self, shown):
        total = self.total
        rest = total - float(self.values[:shown].sum())
        left = self.allowed - shown
        others = f"These are all {_count(self.allowed)} trees"
        if left:
            verb = "tree adds" if left == 1 else "trees add"
            others = f"{_count(left)} more {verb} {_weight(rest)}"
        caption = f"{others}: all weights together make Z = {_weight(total)}."
        counts = sorted({self.tree_count, 2**self.n, math.factorial(self.n)})
        options = tuple(map(_count, counts))
        question = None
        if len(options) > 1:
            roots = "one root word" if self.example.single_root else "any number of root words"
            question = QuizQuestion(
                f"How many trees have {self.n} words and {roots}, all arcs allowed?", options, _count(self.tree_count)
            )
        listed = shown if self.whole else len(self.heads)
        return Step("The sum over all trees", caption, self._gallery(shown, now=False, total=total),
                    self._tree_table(listed), question, {"sum": total, "trees": self.allowed})  # fmt: skip

    def _laplacian(self):
        matrix = laplacian(self.weights, self.example.single_root)
        value = float(np.linalg.det(matrix))
        first = "; the first row holds the root's weights instead" if self.example.single_root else ""
        caption = (
            "The Laplacian has each word's sum of weights on the diagonal and minus the weights elsewhere"
            f"{first}. Its determinant is {_weight(value)}, with no tree listed."
        )
        total = _weight(self.total)
        options = tuple(dict.fromkeys((total, _weight(2 * self.total), "0", "1")))
        question = QuizQuestion("What will the determinant of the Laplacian be?", options, total)
        table = {"row": [str(k + 1) for k in range(self.n)]}
        for m in range(self.n):
            table[self._name(m + 1)] = [_weight(x) for x in matrix[:, m]]
        return Step("The determinant", caption, self._determinant(matrix, value), table, question,
                    {"laplacian": matrix, "determinant": value})  # fmt: skip

    def _determinant(self, matrix, value):
        rows = ("root", *self.words[2:]) if self.example.single_root else self.words[1:]
        shades = np.abs(matrix) / max(float(np.abs(matrix).max()), 1e-300)
        return MatrixPicture(
            "Laplacian", tuple(rows), self.words[1:], tuple(tuple(_weight(x) for x in row) for row in matrix.tolist()),
            tuple(map(tuple, shades.tolist())), tuple(((k, k), "gold") for k in range(self.n)),
            f"determinant {_weight(value)}  ·  sum over the trees {_weight(self.total)}",
        )  # fmt: skip

    def _eliminate(self, k):
        word, total = int(self.order[k]), self.totals[k]
        product = math.prod(self.totals[k:])
        left = [int(self.order[i]) for i in range(k)]
        heads = [h for h in left if h or not self.example.single_root or k == 1]
        caption = (
            f"The elimination takes {numbered(self.words, word)} out: its weights from the {len(heads)} "
            f"node{'s' * (len(heads) != 1)} still there sum to {_weight(total)}, and paths through it become arcs. "
            f"The product of such sums, Z in the end, is {_weight(product)} so far."
        )
        shares = {h: float(self.eliminated[i, k]) for i, h in enumerate(left) if h in heads}
        picture = MatrixPicture(
            f"{numbered(self.words, word)} is taken out: where its weight comes from",
            tuple(self._name(h) for h in heads), ("weight", "share"),
            tuple((_weight(shares[h] * total), f"{shares[h]:.0%}") for h in heads),
            tuple((0.0, shares[h]) for h in heads), (), f"sum {_weight(total)}  ·  product so far {_weight(product)}",
            wide=150.0,
        )  # fmt: skip
        question = None
        if len(heads) > 1:
            ways = [(self._name(h), shares[h]) for h in heads]
            text = f"Where does most of the weight of {numbered(self.words, word)} come from now?"
            given = {self._name(h): _weight(shares[h] * total) for h in heads}
            question = quiz_question(text, ways, self._name(max(heads, key=lambda h: shares[h])), given=given)
        table = {"head": [self._name(h) for h in heads], "weight": [_weight(shares[h] * total) for h in heads]}
        return Step(f"{numbered(self.words, word)} taken out", caption, picture, table, question,
                    {"word": word, "total": total, "product": product})  # fmt: skip

    def _compare(self):
        product = math.prod(self.totals[1:])
        caption = (
            f"The product {_weight(product)} is Z again; with the factor e^{number(self.lost, 2)} put back, log Z is "
            f"{number(self.log_partition, 3)} nats, in n³ steps instead of {_count(self.tree_count)} trees."
        )
        determinant = float(np.linalg.det(laplacian(self.weights, self.example.single_root)))
        ways = {"trees listed": float(self.values.sum()), "determinant": determinant, "elimination": product}
        if not self.whole:
            ways[f"{len(self.heads)} best trees"] = ways.pop("trees listed")
        cells = tuple((_weight(value),) for value in ways.values())
        picture = MatrixPicture("Ways to Z", tuple(ways), ("Z",), cells, wide=190.0)
        numbers = {"log_partition": self.log_partition, "by trees": math.log(self.values.sum()) + self.lost}
        first = next(iter(ways)) if self.whole else f"{len(self.heads)} best trees"
        table = {"way": [first, "elimination"], "log Z (nats)": [number(numbers["by trees"], 6),
                 number(self.log_partition, 6)]}  # fmt: skip
        question = QuizQuestion("Will the product of the sums equal the sum over the trees?", ("Yes", "No"), "Yes")
        return Step("The same Z", caption, picture, table, question, numbers)

    def _marginals(self):
        by_trees = self._marginals_by_trees()
        heads = [int(h) for h in self.heads[0]]
        share = float(self.values[0] / self.total)
        caption = (
            f"An arc's probability is the share of Z of the trees that have it; the best tree itself has "
            f"{f'{share:.1%}' if share >= 0.001 else '<0.1%'}, "
            "its arcs more, since other trees share them."
        )
        arcs = [
            Arc(h, m, percent(self.marginals[h, m]), "predicted" if heads[m] == h else "candidate",
                float(min(max(self.marginals[h, m], 0.0), 1.0)))
            for m in range(1, self.n + 1) for h in range(self.n + 1)
            if h != m and (self.marginals[h, m] >= 0.05 or heads[m] == h)
        ]  # fmt: skip
        m = int(np.argmin([self.marginals[heads[m], m] for m in range(1, self.n + 1)])) + 1
        ways = [(self._name(h), float(self.marginals[h, m])) for h in range(self.n + 1) if h != m]
        best = max(ways, key=lambda way: way[1])[0]
        question = quiz_question(f"Which head of {numbered(self.words, m)} is the most probable?", ways, best)
        table = {"arc": [], "probability": []} | ({"from the list of trees": []} if self.whole else {})
        for m in range(1, self.n + 1):
            for h in range(self.n + 1):
                if h != m:
                    table["arc"].append(arrow(self.words, h, m))
                    table["probability"].append(f"{self.marginals[h, m]:.4f}")
                    if self.whole:
                        table["from the list of trees"].append(f"{by_trees[h, m]:.4f}")
        return Step("Probabilities of arcs", caption, ArcPicture(self.words, tuple(arcs)), table, question,
                    {"marginals": self.marginals, "by trees": by_trees})  # fmt: skip

    def _marginals_by_trees(self):
        """The shares of the listed trees that have each arc."""
        sums = np.zeros((self.n + 1, self.n + 1))
        for m in range(1, self.n + 1):
            sums[:, m] = np.bincount(self.heads[:, m], self.values, minlength=self.n + 1)
        return sums / self.values.sum()

    def _gallery(self, count, now=True, total=0.0):
        trees = tuple(
            SmallTree(tuple(int(h) for h in self.heads[k]), f"{_weight(float(self.values[k]))}",
                      "changed" if now and k == count - 1 else "")
            for k in range(count)
        )  # fmt: skip
        room = min(SHOWN, self.allowed)
        across = 4 if room > 2 and self.whole else 2
        more = f", and {_count(self.allowed - len(self.heads))} more" if not self.whole else ""
        heading = f"{count:,} tree{'s' * (count > 1)} so far" if now else f"All {_count(self.allowed)} trees"
        if not now and more:
            heading = f"The best {len(self.heads)} in the table{more}"
        note = f"{heading}: sum of weights {_weight(total)}"
        return TreesPicture(self.words, trees, across, room, note)

    def _tree_table(self, count):
        trees = [
            ", ".join(arrow(self.words, int(self.heads[k][m]), m) for m in range(1, self.n + 1)) for k in range(count)
        ]
        return {"tree": trees, "weight": [_weight(float(self.values[k])) for k in range(count)]}

    def _name(self, k):
        return numbered(self.words, k)


def _arcs(scores):
    """bool (n + 1, n + 1): the arcs that trees may have."""
    allowed = scores > -np.inf
    np.fill_diagonal(allowed, False)
    allowed[:, 0] = False
    return allowed


def _weight(value):
    """A weight with three significant digits or more: ``0.0312``, ``6,284``, ``2.5e−5``."""
    if value == 0:
        return "0"
    if 1e3 <= abs(value) < 1e4:
        return f"{value:,.0f}".replace("-", "−")
    text = f"{value:.3g}" if 1e-4 <= abs(value) < 1e4 else f"{value:.1e}".replace("e-0", "e-").replace("e+0", "e")
    return text.replace("-", "−")


def _count(number):
    """How many trees there are: ``16,807``, ``3.02e53``."""
    return f"{number:,}" if number < 1e12 else f"{number:.2e}".replace("e+", "e")
