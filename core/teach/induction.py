"""EM against Viterbi training of the DMV on a small corpus, iteration by iteration, and one sentence under both.

Both trainings are the production ones (``core.parsers.DMV``), begun alike. An iteration is told by
their own progress and by what the model parses at that moment.
"""

from itertools import zip_longest

import numpy as np

from core.draw.arc import Arc
from core.draw.arcs import ArcPicture, arc_heights
from core.draw.curves import CurvesPicture
from core.draw.matrix import Panels, Titled
from core.errors import WorkbenchError
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import DMVSettings
from core.teach.step import AlgorithmTrace, Example, QuizQuestion, Step, arrow, numbered
from core.treebank import Treebank, load_sample

LONGEST = 10  # words of the sentence shown
TRAINED_LENGTH, TRAINED_COUNT = 10, 100  # words, and sentences, of the small corpus
ITERATIONS = 8
HIGH = 171.0  # of a tree, beside which there are another one and curves
METHODS = {"em": "EM", "viterbi": "Viterbi"}


def trace_induction(example: Example) -> AlgorithmTrace:
    """The iterations of both trainings on the short sentences of ``example.text``, seen on the example's own.

    Raises
    ------
    WorkbenchError : no tags on the sentence, or no short tagged sentence to learn from.

    Notes
    -----
    O(sum of n^3) an iteration. Source: Klein & Manning (2004) for the model and the start; Spitkovsky et al. (2010),
    section 6, for Viterbi training with Laplace smoothing.
    """
    text, column = small_corpus(example.text)
    if not all(example.tags[1:]):
        raise WorkbenchError("the model reads tags, and a word of this sentence has none; choose a tagged sentence")
    one = Treebank.from_sentences([{"forms": list(example.words[1:]), column: list(example.tags[1:])}])
    runs = {name: _Run(name, text, column, one) for name in METHODS}
    walk = _InductionWalk(example, text, runs)
    return AlgorithmTrace(
        "induction", example.words, tuple(walk.steps()), {name: run.model for name, run in runs.items()}
    )


def small_corpus(treebank: Treebank | None) -> tuple[Treebank, str]:
    """(the first short sentences of a Treebank, or of the sample for None, its column of tags)."""
    treebank = load_sample() if treebank is None else treebank
    column = treebank.coarse_name
    if not treebank.coarse_tags.filled:
        raise WorkbenchError("the model reads tags, and this corpus has none; open one with tags")
    short = np.flatnonzero(treebank.lengths <= TRAINED_LENGTH)[:TRAINED_COUNT]
    if not len(short):
        raise WorkbenchError(
            f"this corpus has no sentence of at most {TRAINED_LENGTH} words to learn from; open another"
        )
    return treebank.select(short), column


def settings_of(method: str) -> DMVSettings:
    """Settings of either method: Klein and Manning's start, one added to every count."""
    return DMVSettings("harmonic", (None,), algorithm=method, smoothing=1.0, max_iterations=ITERATIONS)


class _Run:
    """One training, and what it said and parsed in each iteration, before that iteration's update."""

    def __init__(self, method, text, column, one):
        self.progress, self.heads = [], []
        self.model = DMV(settings_of(method), tags=column)

        def note(progress):
            self.progress.append(progress)
            self.heads.append(self.model.best_heads(one)[0].copy())

        watch = text if (text.heads >= 0).any() else None
        self.model.fit(text, watch=watch, progress=note, threads=1)

    def at(self, step):
        """(progress, heads) of an iteration from 0; the last one where training had ended."""
        step = min(step, len(self.progress) - 1)
        return self.progress[step], self.heads[step]


class _InductionWalk:
    def __init__(self, example, text, runs):
        self.words, self.n, self.text, self.runs = example.words, len(example), text, runs
        self.count = max(len(run.progress) for run in runs.values())
        trees = [[Arc(int(h), m) for m, h in enumerate(heads) if m] for run in runs.values() for heads in run.heads]
        self.levels = max(max(arc_heights(tree)) for tree in trees)
        self.has_gold = runs["em"].progress[0].accuracy is not None

    def steps(self):
        for step in range(self.count):
            yield self._iteration(step)

    def _iteration(self, step):
        now = {name: run.at(step) for name, run in self.runs.items()}
        bits = {name: progress.cross_entropy for name, (progress, _) in now.items()}
        differ = [m for m in range(1, self.n + 1) if now["em"][1][m] != now["viterbi"][1][m]]
        if step == 0:
            caption = (
                f"Both begin with the same grammar, on {len(self.text):,} sentences of at most {TRAINED_LENGTH} words. "
                f"By the sum over all trees, as EM counts, tags take {bits['em']:.2f} bits per word; by the best tree "
                f"alone, as Viterbi counts, {bits['viterbi']:.2f}."
            )
        else:
            changes = [
                f"{METHODS[name]} goes from {run.at(step - 1)[0].cross_entropy:.2f} to {bits[name]:.2f} bits per word"
                if step < len(run.progress) else f"{METHODS[name]} has converged at {bits[name]:.2f} bits per word"
                for name, run in self.runs.items()
            ]  # fmt: skip
            caption = (
                f"{changes[0]}, {changes[1]}; in this sentence their trees differ at {len(differ)} of {self.n} heads."
            )
        accuracies = {name: progress.accuracy for name, (progress, _) in now.items()}
        if self.has_gold:
            caption = (
                caption[:-1] + f"; gold heads found: EM {accuracies['em']:.1f}%, Viterbi {accuracies['viterbi']:.1f}%."
            )
        numbers = {"bits": bits, "accuracy": accuracies, "heads": {name: heads for name, (_, heads) in now.items()}}
        return Step(f"Iteration {step}" if step else "The start", caption, self._picture(step, now, differ),
                    self._table(now), self._question(step), numbers)  # fmt: skip

    def _question(self, step):
        if step == 0:
            return None
        before, after = ([run.at(k)[0] for run in self.runs.values()] for k in (step - 1, step))
        if step == 1 or not self.has_gold:
            falls = [a.cross_entropy - b.cross_entropy for a, b in zip(before, after, strict=True)]
            if abs(falls[0] - falls[1]) < 0.005:
                return None
            who = list(METHODS.values())[int(falls[1] > falls[0])]
            return QuizQuestion("Whose bits per word will fall further next?", tuple(METHODS.values()), who)
        gains = [b.accuracy - a.accuracy for a, b in zip(before, after, strict=True)]
        which = step % 2
        options = ("It rises", "It stays", "It falls")
        answer = options[0 if gains[which] > 1e-9 else 2 if gains[which] < -1e-9 else 1]
        name = list(METHODS.values())[which]
        return QuizQuestion(
            f"What will the share of gold heads that {name} finds do in the next iteration?", options, answer
        )

    def _picture(self, step, now, differ):
        trees = []
        for heads in (now["em"][1], now["viterbi"][1]):
            arcs = tuple(
                Arc(int(heads[m]), m, "", "predicted" if trees else "gold", disagrees=m in differ)
                for m in range(1, self.n + 1)
            )
            trees.append(ArcPicture(self.words, arcs, levels=self.levels, high=HIGH))
        curves = [self._curve("Bits per word", step, lambda progress: progress.cross_entropy, 2)]
        if self.has_gold:
            curves.append(self._curve("Gold heads found, %", step, lambda progress: progress.accuracy, 1))
        both = Panels((Titled("EM: best tree", trees[0]), Titled("Viterbi: best tree", trees[1])))
        return Panels((both, Panels(tuple(curves))), True, (0.7, 0.3))

    def _curve(self, title, step, measure, digits):
        series = tuple(zip_longest(*[[measure(p) for p in run.progress] for run in self.runs.values()]))
        return CurvesPicture(title, tuple(METHODS.values()), tuple(zip(*series, strict=True)), step, 0, digits)

    def _table(self, now):
        table = {"word": [numbered(self.words, m) for m in range(1, self.n + 1)]}
        for name, (_, heads) in now.items():
            table[f"{METHODS[name]}: arc"] = [arrow(self.words, int(heads[m]), m) for m in range(1, self.n + 1)]
        return table
