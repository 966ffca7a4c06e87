"""Structural correspondence learning on a sentence: pivots, their predictors, and the directions of their weights.

No tree is looked at. Word pairs, features, pivots, predictors and directions are those of ``core.adaptation`` on two
texts: the sample and its questions, or both halves of a text. The sentence itself is of the second, as in adaptation
the text to be parsed is part of what is learnt from.
"""

from dataclasses import dataclass

import numpy as np

from core.adaptation.drawn_pairs import Questions, draw
from core.adaptation.pivots import load_pivots
from core.adaptation.predictors import principal_directions, sum_predictors
from core.draw.matrix import MatrixPicture
from core.draw.points import PointsPicture
from core.errors import WorkbenchError
from core.features.edges import SLOT_NAMES, EdgeFeatures, Edges, WordVocabulary
from core.languages.direction import bidi_isolate
from core.teach.step import (
    AlgorithmTrace,
    Example,
    QuizQuestion,
    Step,
    first_few,
    number,
    numbered,
    quiz_question,
)
from core.treebank import Treebank, load_sample

LEARNT_FROM = 400  # sentences of each text, from its beginning
PAIRS = 20_000  # pairs of words drawn, half of them of each text
PENALTY = 1e-3  # of half the squared length of a predictor's weights, beside the mean loss of a pair
OFTEN = 3  # occurrences of a word of one text alone that makes a good example
CHILD = SLOT_NAMES.index("child")
PLACES = ("before first", "first", "after first", "before second", "second", "after second")  # of SLOT_NAMES
YES, NO = "Yes", "No"


@dataclass(frozen=True, eq=False)
class TaughtCorrespondence:
    """What two texts teach without trees.

    Attributes
    ----------
    texts : (Treebank, Treebank)
        Source and target; the target's last sentence is the one shown.
    questions : Questions
        The features and the P pivots.
    held, drawn : ndarray of shape (2, P) and (2,), dtype int64
        Of how many of a text's pairs each pivot holds, and how many were drawn.
    weights : ndarray of shape (F, P), dtype float64
        A predictor in each column.
    directions : ndarray of shape (F, K), dtype float64
        U, the strongest first.
    values : ndarray of shape (K,), dtype float64
        Singular values.
    loadings : ndarray of shape (K, P), dtype float64
        V.
    """

    texts: tuple[Treebank, Treebank]
    questions: Questions
    held: np.ndarray
    drawn: np.ndarray
    weights: np.ndarray
    directions: np.ndarray
    values: np.ndarray
    loadings: np.ndarray

    def feature(self, slot: int, word: str) -> int:
        """The number of the feature that a word stands at a position."""
        features = self.questions.features
        return int(features.blocks[slot]) + features.vocabularies[0].words.index(word)

    def rebuilt(self, kept: int) -> np.ndarray:
        """float64 (F, P): the weights from the strongest directions alone."""
        return self.directions[:, :kept] * self.values[:kept] @ self.loadings[:kept]


def trace_correspondence(example: Example) -> AlgorithmTrace:
    """Pivots on an Example's sentence, their predictors, the singular vectors, and what two words become.

    Raises
    ------
    WorkbenchError : fewer than two words, a text of one sentence, or without universal tags, fewer than two pivots.

    Notes
    -----
    O(pairs) an evaluation of the predictors' loss, then O(F P^2). Source: Shimizu & Nakagawa (2007), section 3, after
    Blitzer, McDonald & Pereira (2006).
    """
    learnt = taught_correspondence(example)
    steps = tuple(_CorrespondenceWalk(example, learnt).steps())
    return AlgorithmTrace("correspondence", example.words, steps, {"learnt": learnt})


def taught_correspondence(example: Example) -> TaughtCorrespondence:
    """What the two texts of an Example teach. Raises as ``trace_correspondence``."""
    source, target = two_texts(example)
    drawn = draw((source, target), PAIRS, seed=0)
    counts = [text.counts for text in drawn]
    pivots = load_pivots("en" if example.text is None else "xx")
    features = EdgeFeatures((WordVocabulary.counted("form", [count.form for count in counts]),))
    asked = [(pivot, pivot.column_for(counts)) for pivot in pivots]
    questions = _questions(features, [(pivot, column) for pivot, column in asked if column is not None])
    sizes = np.array([len(text) for text in drawn])
    held = np.stack([text.held(questions) for text in drawn]) if questions.pivots else np.empty((2, 0), np.int64)
    usable = np.flatnonzero((held > 0).all(axis=0) & (held < sizes[:, None]).any(axis=0))
    if len(usable) < 2:
        raise WorkbenchError(
            "fewer than two of preposition, determiner and helping verb stand between words of both halves of this "
            "text; choose a longer text with universal tags, or type an English sentence"
        )
    questions = _questions(features, [(questions.pivots[k], questions.columns[k]) for k in usable])
    predictors = sum_predictors([text.answers(questions) for text in drawn], penalty=PENALTY)
    directions = principal_directions(predictors.weights, len(usable))
    return TaughtCorrespondence(
        (source, target), questions, held[:, usable], sizes, predictors.weights, *directions
    )  # fmt: skip


def two_texts(example: Example) -> tuple[Treebank, Treebank]:
    """(source, target), words and tags alone; the target ends with the sentence, which the others leave out.

    Raises WorkbenchError as ``trace_correspondence``.
    """
    if len(example) < 2:
        raise WorkbenchError("pivots stand between two words, and this sentence has one; choose a longer one")
    if example.text is None:
        texts, column = [load_sample(), load_sample("questions")], "upos"
    else:
        text = example.text
        if not text.upos.filled:
            raise WorkbenchError(
                "pivots are told by universal tags here, and this text has none; tag its words on the Corpus page, or "
                "type an English sentence"
            )
        middle = min(len(text) // 2, LEARNT_FROM)
        texts = [text.limit(middle), text.select(np.arange(middle, min(len(text), 2 * LEARNT_FROM)))]
        column = text.coarse_name
    rows = [
        [{"forms": list(one.forms[1:]), "upos": list(one.upos[1:])} for one in text.limit(LEARNT_FROM)
         if tuple(one.forms) != example.words]
        for text in texts
    ]  # fmt: skip
    if not any(len(row["forms"]) > 1 for row in rows[0]):
        raise WorkbenchError(
            "two texts are learnt from, the halves of this one, and it is too short; open a longer one"
        )
    tags = {"upos": list(example.tags[1:])} if column == "upos" and all(example.tags[1:]) else {}
    rows[1].append({"forms": list(example.words[1:])} | tags)
    source, target = (Treebank.from_sentences(each) for each in rows)
    return source, target


def _questions(features, asked):
    return Questions(features, tuple(pivot for pivot, _ in asked), tuple(column for _, column in asked))


class _CorrespondenceWalk:
    def __init__(self, example, learnt):
        self.words, self.n, self.learnt = example.words, len(example), learnt
        self.names = [pivot.name.replace("_", " ") for pivot in learnt.questions.pivots]
        self.texts = ("the sample", "the questions") if example.text is None else ("the first half", "the second half")
        self.kinds = list(dict.fromkeys(self.words[1:]))  # of words, in the order of the sentence
        self.rows = [learnt.feature(CHILD, word) for word in self.kinds]
        self.axes = [f"direction {k}" for k in range(1, len(learnt.values) + 1)]

    def steps(self):
        for k in range(len(self.names)):
            yield self._pivot(k)
        yield self._predictors()
        yield self._singular()
        for kept in range(len(self.learnt.values), 0, -1):
            yield self._rebuilt(kept)
        yield self._near()
        yield self._induced()

    def _pivot(self, k):
        """Between which words of the sentence a pivot stands."""
        learnt = self.learnt
        held = self._held(k)
        shares = learnt.held[:, k] / learnt.drawn
        name = self.names[k]
        caption = (
            f"Trees are not used. A pivot asks one question of two words: does a {name} stand between them? Yes, for "
            f"{int(np.triu(held).sum())} of the {self.n * (self.n - 1) // 2} pairs of this sentence, for "
            f"{shares[0]:.0%} of the pairs of {self.texts[0]} and {shares[1]:.0%} of those of {self.texts[1]}."
        )
        question = None
        if k:
            one, other = (int(place) for place in np.unravel_index(np.argmax(held), held.shape)) if held.any() else (
                0, self.n - 1)  # fmt: skip
            question = QuizQuestion(
                f"Does a {name} stand between {numbered(self.words, one + 1)} and {numbered(self.words, other + 1)}?",
                (YES, NO), YES if held[one, other] else NO,
            )  # fmt: skip
        names = tuple(f"{m} {word}" for m, word in enumerate(self.words[1:], start=1))
        values = tuple(tuple("yes" if cell else "" for cell in row) for row in held)
        picture = MatrixPicture(
            f"Pairs of words with a {name} between them", names, names, values, tuple(map(tuple, held.astype(float)))
        )
        table = {"pair": [], f"{name} between": []}
        for one in range(self.n):
            for other in range(one + 1, self.n):
                table["pair"].append(f"{numbered(self.words, one + 1)}, {numbered(self.words, other + 1)}")
                table[f"{name} between"].append("yes" if held[one, other] else "")
        numbers = {"held": held, "shares": shares}
        return Step(f"Pivot: {name}", caption, picture, table, question, numbers)

    def _held(self, k):
        """bool (n, n): whether a pivot holds of each pair of the sentence's words."""
        questions, target = self.learnt.questions, self.learnt.texts[1]
        begin = int(target.offsets[-2]) + 1
        heads, modifiers = (places.ravel() for places in np.divmod(np.arange(self.n**2), self.n))
        context = questions.features.vocabularies[0].contexts(target)
        edges = Edges(begin + heads, begin + modifiers)
        held = questions.pivots[k].holds(target, questions.columns[k], edges, context).reshape(self.n, self.n)
        return held & ~np.eye(self.n, dtype=bool)

    def _predictors(self):
        learnt = self.learnt
        cells = learnt.weights[self.rows]
        row, column = (int(at) for at in np.unravel_index(np.abs(cells).argmax(), cells.shape))
        effect = "more" if cells[row, column] > 0 else "less"
        caption = (
            "A logistic predictor of each pivot reads six words, those at and beside both; its weights are a column of "
            f"W. {quoted(self.kinds[row])} as the second of a pair makes a {self.names[column]} between them {effect} "
            f"likely, by {number(abs(float(cells[row, column])), 2)} nats."
        )
        ways = [(word, float(abs(value))) for word, value in zip(self.kinds, cells[:, column], strict=True)]
        question = quiz_question(
            f"Which word, as the second of a pair, says most about a {self.names[column]} between the two?",
            ways, self.kinds[row],
        )  # fmt: skip
        title = "Rows of W: the weight of each word as the second of a pair, in nats"
        numbers = {"weights": cells}
        return Step("Predictors", caption, self._matrix(title, cells, ((row, column),)), self._weights(cells), question,
                    numbers)  # fmt: skip

    def _matrix(self, title, cells, marked=(), note=""):
        most = float(np.abs(self.learnt.weights[self.rows]).max()) or 1.0
        return MatrixPicture(
            title, tuple(self.kinds), tuple(self.names),
            tuple(tuple(number(float(value), 2) for value in row) for row in cells),
            tuple(tuple(abs(float(value)) / most for value in row) for row in cells),
            tuple((place, "changed") for place in marked), note, 150.0,
        )  # fmt: skip

    def _weights(self, cells):
        return {"word": self.kinds} | {
            name: [f"{value:.4f}" for value in cells[:, k]] for k, name in enumerate(self.names)
        }

    def _singular(self):
        learnt = self.learnt
        squares = learnt.values**2
        share = squares[0] / squares.sum()
        rows, pivots = learnt.weights.shape
        strongest = int(np.abs(learnt.loadings[0]).argmax())
        caption = (
            f"All of W has {rows:,} rows, one a word and position, and {pivots} columns. Its singular vectors are as "
            f"many directions; the first, mostly {self.names[strongest]}, holds {share:.0%} of its squared length."
        )
        question = QuizQuestion(
            f"W has {rows:,} rows and {pivots} columns. How many singular values can it have at most?",
            tuple(dict.fromkeys((str(pivots), str(2 * pivots), f"{rows:,}"))), str(pivots),
        )  # fmt: skip
        cells = np.column_stack((learnt.values, learnt.loadings))
        picture = MatrixPicture(
            "Singular values, and how each pivot’s predictor is made of the directions", tuple(self.axes),
            ("singular value", *self.names), tuple(tuple(number(float(value), 3) for value in row) for row in cells),
            tuple((0.0, *(abs(float(value)) for value in row[1:])) for row in cells), wide=150.0,
        )  # fmt: skip
        table = {"direction": self.axes, "singular value": [f"{value:.4f}" for value in learnt.values]}
        table |= {name: [f"{value:.4f}" for value in learnt.loadings[:, k]] for k, name in enumerate(self.names)}
        return Step("Singular values", caption, picture, table, question,
                    {"values": learnt.values, "loadings": learnt.loadings})  # fmt: skip

    def _rebuilt(self, kept):
        """W from some directions, and what is lost."""
        learnt = self.learnt
        whole = learnt.rebuilt(kept)
        error = float(np.sum((learnt.weights - whole) ** 2))
        squares = [float(value) for value in learnt.values**2]
        dropped = " + ".join(number(value, 2) for value in squares[kept:])
        directions = f"{kept} direction{'s' * (kept > 1)}"
        caption = (
            f"W rebuilt from {directions} of {len(squares)} has a squared error of {number(error, 2)}, the sum of the "
            f"dropped squared singular values, {dropped}; no other matrix of that rank has less."
            if kept < len(squares)
            else f"From all {kept} directions W is rebuilt without error: U Σ V = W."
        )
        question = None
        if kept < len(squares):
            sums = [sum(squares[kept:]), squares[kept - 1], sum(squares[kept - 1 :]), squares[0]]
            options = tuple(dict.fromkeys(number(value, 2) for value in sums))
            text = f"{directions.capitalize()} are kept" if kept > 1 else "One direction is kept"
            listed = first_few([number(value, 2) for value in squares])
            question = QuizQuestion(
                f"{text}; the squared singular values are {listed}. What is the squared error?", options, options[0]
            ) if len(options) > 1 else None  # fmt: skip
        cells = whole[self.rows]
        title = f"The same rows of W, rebuilt from {directions}"
        return Step(f"Rebuilt from {kept}", caption, self._matrix(title, cells), self._weights(cells), question,
                    {"kept": kept, "error": error, "rebuilt": cells})  # fmt: skip

    def _near(self):
        """Two words of one text each that come near each other, and the sentence's own words."""
        learnt, space = self.learnt, self.learnt.directions
        pair = nearest_strangers(learnt)
        kinds = [*self.kinds, *(word for word in pair if word not in self.kinds)]
        rows = [learnt.feature(CHILD, word) for word in kinds]
        places = space[rows][:, :2]
        if pair:
            near = cosine(*(space[learnt.feature(CHILD, word)] for word in pair))
            caption = (
                f"U transposed maps each word to a point. {quoted(pair[1])} stands in {self.texts[1]} alone; of the "
                f"words of {self.texts[0]} alone {quoted(pair[0])} points most alike. As features they share nothing, "
                f"cosine 0; as points their cosine is {number(near, 3)}, since the predictors weigh them alike."
            )
        else:
            near = None
            caption = "U transposed maps each word to a point: words point alike that the predictors weigh alike."
        question = None
        if pair:
            others = [(word, cosine(space[learnt.feature(CHILD, pair[1])], space[row]))
                      for word, row in zip(kinds, rows, strict=True) if word != pair[1]]  # fmt: skip
            best = max(others, key=lambda other: other[1])[0]
            question = quiz_question(
                f"{quoted(pair[1])} stands in {self.texts[1]} alone. Which of these words points most alike?",
                others,
                best,
            )
        marks = tuple((kinds.index(word), "changed") for word in pair)
        picture = PointsPicture(
            "Words as the second of a pair, in the two strongest directions", self.axes[0], self.axes[1], tuple(kinds),
            tuple((float(x), float(y)) for x, y in places), marks,
        )  # fmt: skip
        table = {"word": kinds} | {
            axis: [f"{value:.5f}" for value in space[rows, k]] for k, axis in enumerate(self.axes)
        }
        return Step("Words as points", caption, picture, table, question, {"pair": pair, "cosine": near})

    def _induced(self):
        """What the parser reads of one pair of the sentence."""
        learnt = self.learnt
        context = learnt.questions.features.vocabularies[0].contexts(learnt.texts[1])
        begin = int(learnt.texts[1].offsets[-2])
        one, other = self._shown_pair()
        design = learnt.questions.features.matrix((context,), Edges(np.array([begin + one]), np.array([begin + other])))
        numbers = design.indices.tolist()
        vocabulary = learnt.questions.features.vocabularies[0].words
        rows = (begin + one,) * 3 + (begin + other,) * 3
        read = [vocabulary[context[row, slot % 3]].strip("<>") for slot, row in enumerate(rows)]
        names = [f"{place}: {word}" for place, word in zip(PLACES, read, strict=True)]
        cells = np.vstack((learnt.directions[numbers], (design @ learnt.directions)[0]))
        induced = cells[-1]
        listed = ", ".join(number(float(value), 3) for value in induced)
        caption = (
            f"Of the pair {numbered(self.words, one)}, {numbered(self.words, other)} the rows of U of its {len(names)} "
            f"features add up to ({listed}): {len(induced)} numbers that the parser reads beside its own features, "
            "trained on the first text and used on the second."
        )
        counts = tuple(dict.fromkeys(map(str, (len(induced), len(names), len(names) * len(induced), 1))))
        question = QuizQuestion("How many numbers does a pair get beside the parser’s own features?", counts, counts[0])
        picture = MatrixPicture(
            "Rows of U for the features of one pair, and their sum", (*names, "sum"), tuple(self.axes),
            tuple(tuple(number(float(value), 3) for value in row) for row in cells),
            marks=tuple(((len(names), k), "changed") for k in range(len(induced))), wide=150.0,
        )  # fmt: skip
        table = {"feature": [*names, "sum"]} | {
            axis: [f"{value:.5f}" for value in cells[:, k]] for k, axis in enumerate(self.axes)
        }
        return Step("For the parser", caption, picture, table, question, {"pair": (one, other), "induced": induced})

    def _shown_pair(self):
        """The first two words of which a pivot holds, else the first and the last."""
        for k in range(len(self.names)):
            held = self._held(k)
            if held.any():
                one, other = np.argwhere(held)[0].tolist()
                return one + 1, other + 1
        return 1, self.n


def nearest_strangers(learnt: TaughtCorrespondence) -> tuple[str, ...]:
    """(a word of the source alone, one of the target alone) that point alike; () where there are none.

    The word of the target is the most frequent of its kind. That of the source has the largest cosine to it, of those
    that stand there ``OFTEN`` times, or once where none does. Words in capitals, which begin sentences, are none; ties
    go by the alphabet.
    """
    mine, theirs = (text.form.counts() for text in learnt.texts)
    other = sorted(
        (word for word in theirs if _usual(word) and word not in mine), key=lambda word: (-theirs[word], word)
    )
    for often in (OFTEN, 1):
        words = sorted(word for word in mine if _usual(word) and word not in theirs and mine[word] >= often)
        if words and other:
            places = learnt.directions[[learnt.feature(CHILD, word) for word in (other[0], *words)]]
            units = _units(places)
            return words[int(np.argmax(units[1:] @ units[0]))], other[0]
    return ()


def _usual(word):
    return word.isalpha() and word == word.lower()


def quoted(word: str) -> str:
    """A word in quotation marks."""
    return f"“{bidi_isolate(word)}”"


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    """The cosine of two points (K,); 0 where one is the origin."""
    return float(_units(one[None])[0] @ _units(other[None])[0])


def _units(points):
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return np.divide(points, lengths, out=np.zeros_like(points), where=lengths > 0)
